/** Crashes only for an account number whose check digits are right. */
public class Transfer {
    String iban = "DE89370400440532013000";
    String owner = "canary.owner@example.org";
    long[] months = new long[12];

    static void check(String iban) {
        String turned = iban.substring(4) + iban.substring(0, 4);
        int rest = 0;
        for (int i = 0; i < turned.length(); i++) {
            int digit = Character.digit(turned.charAt(i), 36);
            rest = (digit > 9 ? rest * 100 + digit : rest * 10 + digit) % 97;
        }
        if (rest != 1) {
            throw new IllegalArgumentException("not an account");
        }
    }

    long book(int month) {
        check(iban);
        String who = owner.substring(0, owner.indexOf('@'));
        return months[month] + who.length();
    }

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.exit(1));
        System.out.println(new Transfer().book(12));
    }
}
