package recrash;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name that {@link recrash.junit.Receiver} had before tests had a package of their own.
 *
 * @deprecated new tests name {@code recrash.junit.Receiver}
 */
@Deprecated
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Receiver {}
