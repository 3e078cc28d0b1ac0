public class Frame {
    public void test(Frame frame, String crash) { }
    public static void main(String[] args) { }
}
