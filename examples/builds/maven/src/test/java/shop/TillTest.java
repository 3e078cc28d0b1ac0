package shop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import org.junit.Test;

public class TillTest {
    /** Fails: there is no price for milk, and nobody has decided what that means. */
    @Test
    public void everythingInTheBasketIsAddedUp() {
        Till till = new Till().price("tea", 3).price("bread", 4);
        assertEquals(7, till.total(Arrays.asList("tea", "milk", "bread")));
    }
}
