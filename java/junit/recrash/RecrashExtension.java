package recrash;

import java.lang.invoke.MethodType;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What {@link Crash} does in JUnit 5. The only class of this jar that needs JUnit, and JUnit 4 never loads it.
 *
 * <p>Everything that can be wrong with the snapshot is found before the test runs, so that the sentence that says what
 * stands alone and is not wrapped in one about a parameter.
 */
public final class RecrashExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(RecrashExtension.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        Frame frame = frameFor(context);
        // First, so that a restore that fails half-way is put back, too.
        context.getStore(OURS).put(Frame.class, frame);
        for (String note : frame.fit()) {
            context.publishReportEntry("recrash", note);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Frame frame = context.getStore(OURS).remove(Frame.class, Frame.class);
        if (frame != null) {
            frame.putBack();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        // There is a frame only while there is a test.
        return current(context) != null
                && (parameter.getParameter().getType() == Frame.class
                        || parameter.isAnnotated(Receiver.class)
                        || parameter.isAnnotated(Argument.class));
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Frame frame = current(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == Frame.class) {
            return frame;
        }
        Optional<Argument> argument = parameter.findAnnotation(Argument.class);
        String what = argument.isPresent() ? "argument " + argument.get().value() : "the receiver";
        Object value = argument.isPresent() ? frame.argument(argument.get().value()) : frame.receiver();
        if (value == null ? type.isPrimitive() : !boxed(type).isInstance(value)) {
            throw new SnapshotException(what + " of " + frame + " is "
                    + (value == null ? "null" : "of class " + value.getClass().getName()) + ", but the test's parameter is of "
                    + type.getName());
        }
        return value;
    }

    private static Frame current(ExtensionContext context) {
        return context.getStore(OURS).get(Frame.class, Frame.class);
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private static Frame frameFor(ExtensionContext context) {
        Class<?> test = context.getRequiredTestClass();
        String name = "";
        int number = Crash.INNERMOST;
        Optional<Crash> near = AnnotationSupport.findAnnotation(context.getTestMethod(), Crash.class);
        if (near.isPresent()) {
            name = near.get().value();
            number = near.get().frame();
        }
        // A nested class stands inside the one that names the snapshot.
        for (Class<?> type = test; type != null && (name.isEmpty() || number == Crash.INNERMOST);
                type = type.getEnclosingClass()) {
            Optional<Crash> outer = AnnotationSupport.findAnnotation(type, Crash.class);
            if (outer.isPresent()) {
                boolean same = name.isEmpty() || name.equals(outer.get().value());
                name = name.isEmpty() ? outer.get().value() : name;
                // The frames of another snapshot have other numbers.
                number = number == Crash.INNERMOST && same ? outer.get().frame() : number;
            }
        }
        if (name.isEmpty()) {
            throw new SnapshotException(test.getName()
                    + " names no snapshot; put @Crash(\"FILE.recrash\") on the class or on the test");
        }
        Snapshot snapshot = Snapshot.load(test, name);
        return number == Crash.INNERMOST ? snapshot.innermost() : snapshot.frame(number);
    }
}
