import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Supplier;
import recrash.Sensitive;

/** Plants a different value in every kind of place that a rule is about, and crashes. The test lists the values. */
public class Canaries {
    static String apiKey = planted("canary-static-", 1);
    static final ThreadLocal<Session> SESSION = new ThreadLocal<>();

    String password = planted("canary-field-", 2);
    String clientSecret = planted("\u043a\u0430\u043d\u0430\u0440\u0435\u0439\u043a\u0430-", 3);
    char[] passphrase = planted("canary-chars-", 4).toCharArray();
    byte[] privateKey = planted("canary-bytes-", 5).getBytes(StandardCharsets.UTF_8);
    StringBuilder accessToken = new StringBuilder(planted("canary-builder-", 6)).append(' ');
    StringBuilder refreshToken = new StringBuilder(planted("\u043f\u0442\u0438\u0446\u0430-", 7));
    Map<String, String> settings = new HashMap<>();
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Map<String, String> fixed = Map.of("db.password", planted("canary-fixed-", 8), "a", "b", "c", "d");
    Properties properties = new Properties();
    List<List<String>> secrets = new ArrayList<>();
    Patient patient = new Patient(planted("canary-record-", 9), 12);
    @Sensitive String harmless = planted("canary-annotated-", 10);
    Marked marked = new Marked();
    Supplier<String> later;
    long ssn = 471_108_152_342L;
    Long accountNumber = 815_471_123_409L;
    int pinCode = 8_154_711;
    String token = "9f86d081884c7d659a2feaa0c55ad015";
    String fromEnvironment = System.getenv("CANARY_APP_SECRET");

    // By what they look like, whatever their names.
    List<String> notes = List.of(
            "write to " + "canary.eleven@example.org" + " soon",
            "pay to DE89 3704 0044 0532 0130 00 today",
            "card 4111 1111 1111 1111 was declined",
            "curl -H 'Authorization: Bearer canary12.token-value'",
            "id eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl",
            "aws AKIACANARY0EXAMPLE00 ok",
            "-----BEGIN " + "PRIVATE KEY-----\nY2FuYXJ5LXByaXZhdGUta2V5\n-----END PRIVATE KEY-----\n",
            "jdbc:h2://sa:canary-url-13@host/db");

    // Copies of what is redacted elsewhere.
    String copy = "it is " + planted("canary-field-", 2) + ", of course";
    char[] charCopy = ("<" + planted("canary-field-", 2) + ">").toCharArray();
    byte[] wideCopy = planted("canary-field-", 2).getBytes(StandardCharsets.UTF_16BE);

    record Patient(@Sensitive String name, int ward) {}

    @Sensitive
    static class Marked {
        String text = planted("canary-type-", 14);
        long number = 999_123_456_781L;
    }

    static class Session {
        String sessionToken = planted("canary-local-", 15);
    }

    /** Put together at run time, so that no constant of the class is the value. */
    static String planted(String start, int number) {
        return start + (1000 + number) + "-planted";
    }

    int process(String userPassword, long cardNumber, @Sensitive String remark, int index) {
        int[] few = new int[notes.size()];
        String said = "no luck with " + password + " of canary.sixteen@example.org";
        if (few[index % few.length] == 0) {
            throw new IllegalStateException(said);
        }
        return userPassword.length() + remark.length() + (int) cardNumber;
    }

    void start(String[] args) {
        String adminPassword = planted("canary-lambda-", 17);
        later = () -> adminPassword;
        settings.put("password", planted("canary-map-", 18));
        settings.put("harmless", "visible-value");
        headers.put("X-Api-Key", new ArrayList<>(List.of(planted("canary-header-", 19))));
        properties.setProperty("smtp.password", planted("canary-properties-", 20));
        secrets.add(new ArrayList<>(List.of(planted("canary-nested-", 21))));
        Map<String, Object> linked = new LinkedHashMap<>();
        linked.put("credentials", new String[] {planted("canary-array-", 22)});
        SESSION.set(new Session());
        System.setProperty("db.password", planted("canary-system-", 23));
        Thread.currentThread().setName("worker of " + planted("canary-field-", 2));
        process(planted("canary-argument-", 24), 5_105_105_105_105_100L, planted("canary-parameter-", 25), args.length + linked.size());
    }

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.exit(1));
        new Canaries().start(args);
    }
}
