// exit 1
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 ThrownElsewhere.lambda$await$0 -
//   0 ThrownElsewhere.await(ThrownElsewhere)
//   0 ThrownElsewhere.main([Ljava.lang.String;)
/** A thread hands its exception to another one, which throws that very object: it came from where it was thrown first. */
public class ThrownElsewhere {
    private RuntimeException failed;

    static int await(ThrownElsewhere work) throws InterruptedException {
        Thread worker = new Thread(() -> {
            try {
                Shop.bill("nobody");
            } catch (RuntimeException e) {
                work.failed = e;
            }
        });
        worker.start();
        worker.join();
        if (work.failed != null) {
            throw work.failed;
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        int result = await(new ThrownElsewhere());
        System.out.println(result);
    }
}
