// exit 0
// snapshot worker java.lang.IllegalStateException
//   0 OtherThread.work("job")
//   0 OtherThread.run(this=OtherThread)
public class OtherThread implements Runnable {
    static int work(String job) {
        int sum = job.length() + job.hashCode() % 3;
        throw new IllegalStateException("broken " + sum);
    }

    @Override
    public void run() {
        System.out.println(work("job") + work("other") + work("third"));
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(new OtherThread(), "worker");
        thread.start();
        thread.join();
        System.out.println("main goes on");
    }
}
