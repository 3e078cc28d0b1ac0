// crash: java.util.NoSuchElementException

import java.util.NoSuchElementException;

/** `serve` moves its argument's queue on before it fails, and overwrites its own parameter too. */
public class ArgumentField {
    static final class Guest {
        final String name;
        Guest next;

        Guest(String name, Guest next) {
            this.name = name;
            this.next = next;
        }
    }

    static final class Queue {
        Guest first;
    }

    static String serve(Queue queue, int count) {
        StringBuilder served = new StringBuilder();
        while (count > 0) {
            Guest guest = queue.first;
            if (guest == null) {
                throw new NoSuchElementException(count + " guests are missing after" + served); // frame: reproduced
            }
            served.append(' ').append(guest.name);
            queue.first = guest.next;
            count--;
        }
        return served.toString();
    }

    public static void main(String[] args) {
        Queue queue = new Queue();
        queue.first = new Guest("Ada", new Guest("Grace", null));
        serve(queue, 3); // frame: reproduced
    }
}
