package recrash.junit;

import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import java.util.OptionalInt;
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
 *
 * <p>Names of annotations and of frames change; a subclass may read those of before.
 */
public class RecrashExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(RecrashExtension.class);

    /** What a test's annotation says: which snapshot, and which frame of it. */
    protected static final class Asked {
        private final String snapshot;
        private final int frame;

        public Asked(String snapshot, int frame) {
            this.snapshot = snapshot;
            this.frame = frame;
        }
    }

    /** What an annotation of a test class or method asks for. */
    protected Optional<Asked> asked(AnnotatedElement test) {
        return AnnotationSupport.findAnnotation(test, Crash.class).map(crash -> new Asked(crash.value(), crash.frame()));
    }

    protected boolean isReceiver(ParameterContext parameter) {
        return parameter.isAnnotated(Receiver.class);
    }

    /** The number of the argument that a parameter asks for. */
    protected OptionalInt argument(ParameterContext parameter) {
        Optional<Argument> argument = parameter.findAnnotation(Argument.class);
        return argument.isPresent() ? OptionalInt.of(argument.get().value()) : OptionalInt.empty();
    }

    protected boolean isFrame(Class<?> type) {
        return type == Frame.class;
    }

    /** The frame as tests know it. */
    protected Object shown(Frame frame) {
        return frame;
    }

    @Override
    public final void beforeEach(ExtensionContext context) {
        Frame frame = frameFor(context);
        // First, so that a restore that fails half-way is put back, too.
        context.getStore(OURS).put(Frame.class, frame);
        for (String note : frame.fit()) {
            context.publishReportEntry("recrash", note);
        }
    }

    @Override
    public final void afterEach(ExtensionContext context) {
        Frame frame = context.getStore(OURS).remove(Frame.class, Frame.class);
        if (frame != null) {
            frame.putBack();
        }
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        // There is a frame only while there is a test.
        return current(context) != null
                && (isFrame(parameter.getParameter().getType())
                        || isReceiver(parameter)
                        || argument(parameter).isPresent());
    }

    @Override
    public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Frame frame = current(context);
        Class<?> type = parameter.getParameter().getType();
        if (isFrame(type)) {
            return shown(frame);
        }
        OptionalInt argument = argument(parameter);
        String what = argument.isPresent() ? "argument " + argument.getAsInt() : "the receiver";
        Object value = argument.isPresent() ? frame.argument(argument.getAsInt()) : frame.receiver();
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

    private Frame frameFor(ExtensionContext context) {
        Class<?> test = context.getRequiredTestClass();
        String name = "";
        int number = Crash.INNERMOST;
        Optional<Asked> near = context.getTestMethod().flatMap(this::asked);
        if (near.isPresent()) {
            name = near.get().snapshot;
            number = near.get().frame;
        }
        // A nested class stands inside the one that names the snapshot.
        for (Class<?> type = test; type != null && (name.isEmpty() || number == Crash.INNERMOST);
                type = type.getEnclosingClass()) {
            Optional<Asked> outer = asked(type);
            if (outer.isPresent()) {
                boolean same = name.isEmpty() || name.equals(outer.get().snapshot);
                name = name.isEmpty() ? outer.get().snapshot : name;
                // The frames of another snapshot have other numbers.
                number = number == Crash.INNERMOST && same ? outer.get().frame : number;
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
