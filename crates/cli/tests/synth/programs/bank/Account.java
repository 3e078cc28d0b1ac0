package bank;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Every `// trace:` is a crash that a test is to be made for, from its trace alone. */
public class Account {
    private final String owner;
    private final List<Entry> entries = new ArrayList<>();
    private Account parent;
    private int months;

    public Account(String owner) {
        if (owner.isEmpty()) {
            throw new IllegalArgumentException("no owner");
        }
        this.owner = owner;
    }

    /** Not public, and only the account makes it. */
    static final class Entry {
        final String what;
        final long cents;

        private Entry(String what, long cents) {
            this.what = what;
            this.cents = cents;
        }
    }

    public void book(String what, long cents) {
        entries.add(new Entry(what, cents));
    }

    public void setParent(Account parent) {
        this.parent = parent;
    }

    public void nextMonth() {
        months++;
    }

    /** Needs exactly one booking and two months. */
    public long perMonth() {
        return entries.get(0).cents / share();
    }

    private int share() {
        return 2 / (months - 2);
        // trace: java.lang.ArithmeticException: / by zero | share perMonth
    }

    /** Needs a parent whose first booking has no text. */
    public int longest() {
        return width(parent);
    }

    private int width(Account account) {
        Entry first = account.entries.get(0);
        return first.what.trim().length();
        // trace: java.lang.NullPointerException | width longest
    }

    /** Build tools run tests with assertions. */
    public long checked() {
        long sum = 0;
        for (Entry entry : entries) {
            sum += entry.cents;
        }
        assert sum >= 0 : "debt";
        // trace: java.lang.AssertionError: debt | checked
        return sum;
    }

    public static int kind(String number) {
        if (number.length() == 5 && number.startsWith("CH")) {
            return Integer.parseInt(number.substring(2), 36) > 40000 ? number.charAt(5) : 0;
            // trace: java.lang.StringIndexOutOfBoundsException: index 5, length 5 | kind
        }
        return 1;
    }

    /** The class of what is handed out has no name. */
    public Iterator<String> texts() {
        return new Iterator<String>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < entries.size();
            }

            @Override
            public String next() {
                return entries.get(next++).what;
            }

            @Override
            public void remove() {
                if (next == 0) {
                    throw new IllegalStateException("nothing to remove");
                    // trace: java.lang.IllegalStateException: nothing to remove | Account$1.remove
                }
                entries.remove(--next);
            }
        };
    }
}
