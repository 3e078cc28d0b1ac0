/** One request, which has a thread of its own. */
class Request implements Runnable {
    private final Shop shop;
    private final String line;
    volatile String answer = "sorry";

    Request(Shop shop, String line) {
        this.shop = shop;
        this.line = line;
    }

    @Override
    public void run() {
        answer = shop.answer(line); // frame: reproduced
    }
}
