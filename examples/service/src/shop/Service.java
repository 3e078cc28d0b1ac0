package shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Takes orders, one a line, and answers what they cost. What fails is logged, and the next order is served. */
public final class Service {
    private static final Logger LOG = Logger.getLogger("shop");

    private final PriceList prices = PriceList.ofToday();

    String answer(String request) {
        Order order = Order.parse(request);
        return order.customer() + " pays " + order.total(prices) + " cents";
    }

    public static void main(String[] arguments) throws IOException {
        Service service = new Service();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        for (String request; (request = requests.readLine()) != null; ) {
            try {
                System.out.println(service.answer(request));
            } catch (RuntimeException e) {
                LOG.log(Level.SEVERE, "an order could not be served", e);
            }
        }
    }
}
