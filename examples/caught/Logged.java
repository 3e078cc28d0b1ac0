// crash: java.lang.ArithmeticException

import java.util.logging.Level;
import java.util.logging.Logger;

/** A service as most are: what fails is logged, and the next request is served. */
public class Logged {
    private static final Logger LOG = Logger.getLogger("service");

    static int share(int total, int guests) {
        int tip = total / 10;
        return (total + tip) / guests; // frame: reproduced
    }

    static String answer(String request) {
        String[] parts = request.split(" for ");
        int share = share(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])); // frame: reproduced
        return "each pays " + share;
    }

    public static void main(String[] args) {
        for (String request : new String[] {"120 for 4", "80 for 0", "30 for 2"}) {
            try {
                System.out.println(answer(request));
            } catch (RuntimeException e) {
                LOG.log(Level.SEVERE, "could not answer " + request, e);
            }
        }
    }
}
