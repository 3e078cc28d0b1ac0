package shop;

import java.util.List;
import java.util.function.Supplier;

public class Order<T> {
    public enum Color { RED, GREEN { @Override int weight() { return 2; } }; int weight() { return 1; } }

    public static class Line {
        public Line(String sku, int count) { }
        void ship(byte b, short s, char c, boolean z, long j, float f, double d) { }
    }

    private static class Secret { }

    public class Inner {
        public Inner(int n) { }
    }

    public long total(List<Line> lines, Color color) { return 0; }
    public void total(Object anything) { }
    public void total(String text) { }
    private void hidden(Secret secret) { }
    static void secretly(Secret secret) { }
    public static <E> void all(Class<E> type, String... names) throws Exception { }
    public static int count(int[] numbers, Integer boxed, Object any) { return 0; }
    public void throwing() throws Exception { Supplier<String> s = () -> "x"; s.get(); }
    @Override public String toString() { return ""; }
}
