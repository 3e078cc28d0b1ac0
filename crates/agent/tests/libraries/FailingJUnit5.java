// exit 1
// libraries junit-platform-console-standalone.jar
// main org.junit.platform.console.ConsoleLauncher execute --disable-banner --details=none --select-class=FailingJUnit5
// snapshot main java.lang.ArithmeticException
//   0 Shop.average([I, "nobody")
//   0 Shop.bill("nobody")
//   0 FailingJUnit5.nobodyPaysNothing(this=FailingJUnit5)
// snapshot main org.opentest4j.AssertionFailedError
//   0 FailingJUnit5.somebodyPays(this=FailingJUnit5)
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class FailingJUnit5 {
    @Test
    void nobodyPaysNothing() {
        String customer = "nobody";
        assertEquals(0, Shop.bill(customer));
    }

    @Test
    void somebodyPays() {
        String customer = "somebody";
        assertEquals(0, Shop.bill(customer));
    }

    @Test
    void failuresAreExpected() {
        assertThrows(IllegalStateException.class, () -> Shop.stock("somebody"));
    }

    @Test
    void conditionsAreNotMet() {
        assumeTrue(Shop.bill("somebody") == 0);
    }
}
