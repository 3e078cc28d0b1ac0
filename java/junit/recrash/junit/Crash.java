package recrash.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * A JUnit 5 test works on a captured frame: it is restored before the test, handed to it, and what it replaced in this
 * JVM is put back after it.
 *
 * <pre>{@code
 * @Crash("NullPointerException-1a2b3c4d5e6f7081.recrash")
 * class PriceListTest {
 *     @Test
 *     void unknownGoodsAreFree(@Receiver PriceList prices, @Argument(0) String goods) {
 *         assertEquals(0, prices.price(goods));
 *     }
 *
 *     @Test
 *     @Crash(frame = 2)
 *     void theWholeOrder(Frame frame) {
 *         frame.invoke();
 *     }
 * }
 * }</pre>
 *
 * On a method it completes what the class says. Tests with it do not run at the same time as each other.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(RecrashExtension.class)
@ResourceLock("recrash.Frame")
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@ResourceLock(Resources.LOCALE)
@ResourceLock(Resources.TIME_ZONE)
public @interface Crash {
    /** Stands for the innermost frame that was captured. */
    int INNERMOST = -1;

    /** The snapshot, found as {@link Snapshot#load} finds it; on a method, that of the class unless given. */
    String value() default "";

    /** The frame, as {@code recrash show} numbers them. */
    int frame() default INNERMOST;
}
