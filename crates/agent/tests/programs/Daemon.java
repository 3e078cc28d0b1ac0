// exit 0
// snapshot ghost java.lang.UnsupportedOperationException
//   0 Daemon.haunt(this=Daemon, 13)
//   0 Daemon.run(this=Daemon)
public class Daemon implements Runnable {
    int haunt(int hour) {
        String text = "at " + hour;
        throw new UnsupportedOperationException(text);
    }

    @Override
    public void run() {
        int sum = haunt(13);
        System.out.println(sum + "never");
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(new Daemon(), "ghost");
        thread.setDaemon(true);
        thread.start();
        thread.join();
        System.out.println("end");
    }
}
