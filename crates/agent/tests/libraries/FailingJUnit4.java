// exit 1
// libraries junit4.jar hamcrest-core.jar
// main org.junit.runner.JUnitCore FailingJUnit4
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 FailingJUnit4.nobodyPaysNothing(this=FailingJUnit4)
import org.junit.Assert;
import org.junit.Assume;
import org.junit.Test;

public class FailingJUnit4 {
    @Test
    public void nobodyPaysNothing() {
        String customer = "nobody";
        Assert.assertEquals(0, Shop.bill(customer));
    }

    @Test(expected = IllegalStateException.class)
    public void failuresAreExpected() {
        String customer = "somebody";
        Assert.assertEquals(0, Shop.stock(customer));
    }

    @Test
    public void conditionsAreNotMet() {
        Assume.assumeTrue(Shop.bill("somebody") == 0);
    }
}
