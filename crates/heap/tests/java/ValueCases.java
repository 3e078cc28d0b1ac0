import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/** Values: strings, numbers, arrays, dates. */
class ValueCases {
    static List<Case> all() {
        return Arrays.asList(
                Case.equal("a Latin-1 string", () -> "caf\u00e9".substring(0)),
                Case.equal("a UTF-16 string", () -> "\u03b1\u03b2 \ud83d\ude00 \ud800"),
                Case.equal("an empty string", () -> new String(new char[0])),
                Case.equal("a long string", () -> String.join(",", java.util.Collections.nCopies(5000, "ab\u20ac"))),
                Case.<Object[]>of("boxed values",
                        () -> new Object[] {1, 1000000, 2L, 1L << 40, 'a', '\u20ac', (short) 7, (byte) 8, 1.5f,
                            Double.NaN, true, Boolean.FALSE},
                        o -> {
                            Case.same(Arrays.asList(1, 1000000, 2L, 1L << 40, 'a', '\u20ac', (short) 7, (byte) 8, 1.5f,
                                    Double.NaN, true, false), Arrays.asList(o));
                            Case.that(o[0] == (Object) Integer.valueOf(1) && o[10] == Boolean.TRUE);
                        }),
                Case.<Object[]>of("primitive arrays",
                        () -> new Object[] {new boolean[] {true, false}, new byte[] {-1, 2}, new char[] {'x', '\uffff'},
                            new short[] {-3, 4}, new int[] {-5, 6}, new long[] {-7, 8L << 40}, new float[] {1.5f},
                            new double[] {Math.PI, Double.NEGATIVE_INFINITY}, new int[0]},
                        o -> Case.that(Arrays.deepEquals(o, new Object[] {new boolean[] {true, false},
                            new byte[] {-1, 2}, new char[] {'x', '\uffff'}, new short[] {-3, 4}, new int[] {-5, 6},
                            new long[] {-7, 8L << 40}, new float[] {1.5f},
                            new double[] {Math.PI, Double.NEGATIVE_INFINITY}, new int[0]}))),
                Case.<int[][][]>of("nested arrays", () -> new int[][][] {{{1}, {2, 3}}, null, {}},
                        o -> Case.that(Arrays.deepEquals(o, new int[][][] {{{1}, {2, 3}}, null, {}}))),
                Case.<Object[]>of("an array that contains itself", () -> {
                    Object[] a = new Object[2];
                    a[0] = a;
                    return a;
                }, o -> Case.that(o[0] == o && o[1] == null)),
                Case.<Number[]>of("a covariant array", () -> new Integer[] {1, null, 300},
                        o -> Case.that(o instanceof Integer[] && Arrays.asList(1, null, 300).equals(Arrays.asList(o)))),
                Case.equal("BigDecimal", () -> new BigDecimal("12345678901234567890.12345")),
                Case.equal("BigInteger", () -> BigInteger.valueOf(3).pow(500)),
                Case.<BigInteger>of("a constant of BigInteger", () -> BigInteger.TEN,
                        o -> Case.that(o == BigInteger.TEN)),
                Case.equal("LocalDate", () -> LocalDate.of(2024, 2, 29)),
                Case.equal("Instant", () -> Instant.ofEpochSecond(1_700_000_000L, 123)),
                Case.equal("Duration", () -> Duration.ofMillis(1234567)),
                Case.equal("ZonedDateTime",
                        () -> ZonedDateTime.of(2024, 3, 31, 3, 30, 0, 0, ZoneId.of("Europe/Berlin"))),
                Case.<ZonedDateTime>of("ZonedDateTime computes",
                        () -> ZonedDateTime.of(2024, 3, 30, 2, 30, 0, 0, ZoneId.of("Europe/Berlin")),
                        o -> Case.same(3, o.plusDays(1).getHour())),
                Case.<ZoneOffset>of("ZoneOffset.UTC", () -> ZoneOffset.UTC, o -> Case.that(o == ZoneOffset.UTC)),
                Case.equal("Date", () -> new Date(1234567890123L)),
                Case.equal("Calendar", () -> {
                    Calendar c = new GregorianCalendar(TimeZone.getTimeZone("America/New_York"), Locale.US);
                    c.setTimeInMillis(1234567890123L);
                    return c;
                }),
                Case.equal("Optional", () -> Optional.of("here")),
                Case.<Optional<?>>of("Optional.empty", () -> Optional.empty(), o -> Case.that(o == Optional.empty())),
                Case.equal("OptionalInt", () -> OptionalInt.of(7)),
                Case.equal("UUID", () -> UUID.fromString("123e4567-e89b-12d3-a456-426614174000")),
                Case.equal("Locale constant", () -> Locale.GERMANY),
                Case.equal("Locale", () -> new Locale("de", "AT")),
                Case.equal("Currency", () -> Currency.getInstance("EUR")),
                Case.<AtomicInteger>of("AtomicInteger", () -> new AtomicInteger(41),
                        o -> Case.same(42, o.incrementAndGet())),
                Case.<AtomicLong>of("AtomicLong", () -> new AtomicLong(1L << 40),
                        o -> Case.same(1L << 40, o.get())),
                Case.<AtomicReference<?>>of("AtomicReference", () -> new AtomicReference<>("x"),
                        o -> Case.same("x", o.get())),
                Case.<LongAdder>of("LongAdder", () -> {
                    LongAdder adder = new LongAdder();
                    adder.add(5);
                    return adder;
                }, o -> Case.same(5L, o.sum())),
                Case.<Pattern>of("Pattern", () -> Pattern.compile("(a+)[^x-z]*\\p{Alpha}?(?i)end", Pattern.MULTILINE),
                        o -> {
                            Case.that(o.matcher("aabcEND").matches());
                            Case.that(!o.matcher("bcEND").matches());
                            Case.same(Pattern.MULTILINE, o.flags() & Pattern.MULTILINE);
                        }),
                Case.<java.util.regex.Matcher>of("Matcher", () -> {
                    java.util.regex.Matcher m = Pattern.compile("b(.)").matcher("abcbd");
                    m.find();
                    return m;
                }, o -> {
                    Case.same("c", o.group(1));
                    Case.that(o.find());
                    Case.same("d", o.group(1));
                }),
                Case.<StringBuilder>of("StringBuilder", () -> new StringBuilder("ab\u20ac"),
                        o -> Case.same("ab\u20acc", o.append('c').toString())),
                Case.<StringBuffer>of("StringBuffer", () -> new StringBuffer("ab"),
                        o -> Case.same("ba", o.reverse().toString())),
                Case.<java.nio.ByteBuffer>of("a heap ByteBuffer", () -> {
                    java.nio.ByteBuffer b = java.nio.ByteBuffer.allocate(32);
                    b.putInt(7).putLong(8).flip();
                    return b.slice();
                }, o -> {
                    Case.same(7, o.getInt());
                    Case.same(8L, o.getLong());
                    Case.that(!o.hasRemaining());
                }),
                Case.<java.util.Random>of("Random", () -> new java.util.Random(42),
                        o -> Case.same(new java.util.Random(42).nextInt(), o.nextInt())),
                Case.equal("URI", () -> java.net.URI.create("http://example.com/a?b#c")),
                Case.equal("File", () -> new java.io.File("a/b.txt")),
                Case.<java.nio.file.Path>of("Path", () -> java.nio.file.Paths.get("a", "b"),
                        o -> Case.same(java.nio.file.Paths.get("a/b/c"), o.resolve("c"))),
                Case.<java.nio.charset.Charset>of("Charset", () -> java.nio.charset.StandardCharsets.UTF_8,
                        o -> Case.that(o == java.nio.charset.StandardCharsets.UTF_8)),
                Case.<java.text.SimpleDateFormat>of("SimpleDateFormat", () -> {
                    java.text.SimpleDateFormat f = new java.text.SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
                    f.setTimeZone(TimeZone.getTimeZone("UTC"));
                    return f;
                }, o -> Case.same("2009-02-13", o.format(new Date(1234567890123L)))),
                Case.<java.text.DecimalFormat>of("DecimalFormat",
                        () -> new java.text.DecimalFormat("#,##0.00", new java.text.DecimalFormatSymbols(Locale.US)),
                        o -> Case.same("1,234.50", o.format(1234.5))));
    }
}
