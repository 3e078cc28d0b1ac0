package shop;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A service as there are many: takes a request, computes, answers in JSON. */
@SpringBootApplication
@RestController
public class ShopApplication {
    private final PriceList prices = new PriceList();

    @GetMapping("/order")
    public Order order(@RequestParam("customer") String customer, @RequestParam("lines") int lines) {
        List<Line> bought = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            String article = "article " + (customer.length() + i) % 40;
            bought.add(new Line(article, i + 1, prices.price(article)));
        }
        Order order = new Order(customer, bought);
        return order.withAverage(order.total() / order.lines().size());
    }

    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
