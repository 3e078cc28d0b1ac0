package shop;

/** What a web application looks like to its container. */
public class Page {
    public void doGet(String customer, int lines) {
        System.out.println(customer + " pays " + new Order().total(customer, lines));
    }
}
