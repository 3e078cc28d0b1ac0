package recrash;

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
 * The name that {@link recrash.junit.Crash} had before tests had a package of their own.
 *
 * @deprecated new tests name {@code recrash.junit.Crash}
 */
@Deprecated
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
    int INNERMOST = recrash.junit.Crash.INNERMOST;

    String value() default "";

    int frame() default INNERMOST;
}
