// crash: java.lang.ArithmeticException
// options: --second-chance

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A server that goes on when a request fails. Nothing is watched at first; the first failure puts its methods on the
 * watch list, and the second one is captured, in the same process.
 *
 * <p>Prints its port and serves until it is told to stop; without arguments it is its own client, too.
 */
public class Shop {
    private int served;

    String answer(String request) {
        served++;
        String[] words = request.split(" ");
        int cents = Integer.parseInt(words[0]);
        return new Bill(cents).perGuest(Integer.parseInt(words[1])) + " each"; // frame: reproduced
    }

    void serve(ServerSocket socket) throws IOException, InterruptedException {
        while (true) {
            try (Socket client = socket.accept()) {
                String line = new BufferedReader(new InputStreamReader(client.getInputStream())).readLine();
                if (line == null || line.equals("stop")) {
                    return;
                }
                Request request = new Request(this, line);
                Thread thread = new Thread(request, "request");
                thread.start();
                thread.join();
                new PrintStream(client.getOutputStream(), true).println(request.answer);
            }
        }
    }

    static String ask(int port, String request) throws IOException {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            new PrintStream(server.getOutputStream(), true).println(request);
            return new BufferedReader(new InputStreamReader(server.getInputStream())).readLine();
        }
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            if (args.length > 0) {
                System.out.println(socket.getLocalPort());
                new Shop().serve(socket);
                return;
            }
            Thread server = new Thread(() -> {
                try {
                    new Shop().serve(socket);
                } catch (IOException | InterruptedException e) {
                    e.printStackTrace();
                }
            }, "server");
            server.start();
            for (String request : new String[] {"3000 4", "1250 0", "900 3", "8020 0", "stop"}) {
                System.out.println(request + ": " + ask(socket.getLocalPort(), request));
            }
            server.join();
        }
    }
}
