import java.util.ArrayList;
import java.util.List;

/** Crashes with a million objects behind an argument: 334,000 accounts with a name and a number each. */
public final class MillionObjects {
    static final class Account {
        final String name;
        final Long cents;
        Account next;

        Account(String name, long cents) {
            this.name = name;
            this.cents = cents;
        }
    }

    static long sum(List<Account> accounts, int divisor) {
        long sum = 0;
        for (Account account : accounts) {
            sum += account.cents;
        }
        return sum / divisor;
    }

    public static void main(String[] args) {
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i < 334_000; i++) {
            Account account = new Account("account " + i, 1_000_000L + i);
            account.next = i == 0 ? null : accounts.get(i / 2);
            accounts.add(account);
        }
        System.out.println(sum(accounts, args.length));
    }
}
