public class Virtual {
    static void parse(String text) {
        Integer.parseInt(text);
    }

    public static void main(String[] args) throws Exception {
        for (String text : new String[] {"one", "two"}) {
            Thread.ofVirtual().start(() -> parse(text)).join();
        }
    }
}
