// exit 0
import java.lang.ref.WeakReference;

/** What a thread overwrote is of no interest once it has ended, and must not be kept from the collector. */
public class EndedThreads {
    Object held = new Object();

    /** Fails in between: what is caught is recorded, too. */
    void replace() {
        held = null;
        try {
            held.hashCode();
        } catch (NullPointerException expected) {
            held = this;
        }
    }

    static WeakReference<EndedThreads> ended() throws InterruptedException {
        EndedThreads state = new EndedThreads();
        Thread thread = new Thread(state::replace);
        thread.start();
        thread.join();
        return new WeakReference<>(state);
    }

    public static void main(String[] args) throws InterruptedException {
        WeakReference<EndedThreads> state = ended();
        for (int i = 0; i < 50 && state.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println(state.get() == null ? "collected" : "kept");
    }
}
