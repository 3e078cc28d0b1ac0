package recrash;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What must not leave the program: recrash keeps a value so marked out of snapshots, tests, reports and logs, and with it
 * every copy of its text.
 *
 * <pre>{@code
 * record Patient(@Sensitive String name, @Sensitive long insurance, Ward ward) {}
 * }</pre>
 *
 * On a field or a record component the value of it, on a parameter the argument, on a type every object of the type. The
 * class file has it; the running program does not, and needs no class of this jar for it.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE})
public @interface Sensitive {}
