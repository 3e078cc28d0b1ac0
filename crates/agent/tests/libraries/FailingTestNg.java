// exit 3
// libraries frameworks/testng.jar frameworks/jcommander.jar frameworks/slf4j-api.jar
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 FailingTestNg.nobodyPaysNothing(this=FailingTestNg)
//   0 FailingTestNg.main -
import org.testng.Assert;
import org.testng.SkipException;
import org.testng.TestNG;
import org.testng.annotations.Test;

public class FailingTestNg {
    @Test
    public void nobodyPaysNothing() {
        String customer = "nobody";
        Assert.assertEquals(Shop.bill(customer), 0);
    }

    @Test(expectedExceptions = IllegalStateException.class)
    public void failuresAreExpected() {
        String customer = "somebody";
        Assert.assertEquals(Shop.stock(customer), 0);
    }

    @Test
    public void conditionsAreNotMet() {
        String reason = "no " + Shop.bill("somebody");
        throw new SkipException(reason);
    }

    public static void main(String[] args) {
        TestNG runner = new TestNG(false);
        runner.setTestClasses(new Class<?>[] {FailingTestNg.class});
        runner.run();
        System.exit(runner.getStatus());
    }
}
