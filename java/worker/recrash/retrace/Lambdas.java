package recrash.retrace;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Lambdas, method references and concatenation of strings: what {@code invokedynamic} is used for (JVMS 6.5). */
final class Lambdas {
    private static final String CONCATENATION = "java/lang/invoke/StringConcatFactory";
    private static final String LAMBDA = "java/lang/invoke/LambdaMetafactory";

    private final Session session;

    Lambdas(Session session) {
        this.session = session;
    }

    void dynamic(Frame f, int at) throws Throwable {
        ClassCode code = f.method.owner;
        int dynamic = f.method.u2(at + 1);
        int[] bootstrap = code.bootstrap(dynamic);
        String factory = code.owner(code.handled(bootstrap[0]));
        String name = code.memberName(dynamic);
        String descriptor = code.memberDescriptor(dynamic);
        List<String> parameters = parameters(descriptor);
        Object[] captured = new Object[parameters.size()];
        Tag[] tags = new Tag[captured.length];
        for (int i = captured.length - 1; i >= 0; i--) {
            Object value = f.pop();
            tags[i] = f.tags[f.depth];
            captured[i] = Calls.fromStack(value, World.ofDescriptor(parameters.get(i), session.loader));
        }
        if (factory.equals(CONCATENATION)) {
            String text = concatenated(code, bootstrap, captured);
            f.push(text, captured.length == 0 ? null : Tag.computed("concat", captured, tags));
        } else if (factory.equals(LAMBDA)) {
            int implementation = bootstrap[2];
            int handled = code.handled(implementation);
            String target = code.handleKind(implementation) + " " + code.owner(handled) + " " + code.memberName(handled)
                    + " " + code.memberDescriptor(handled);
            String type = descriptor.substring(descriptor.indexOf(')') + 2, descriptor.length() - 1);
            Object made = made(type, name, target, captured);
            if (session.traces()) {
                int event = session.trace.begin(Event.LAMBDA, session.trace.member(type, name, target), null, captured, false);
                session.trace.gave(event, made);
            }
            f.push(made, null);
        } else {
            throw new Interpreter.Unsupported("invokedynamic of " + factory);
        }
    }

    private static String concatenated(ClassCode code, int[] bootstrap, Object[] values) {
        StringBuilder text = new StringBuilder();
        if (bootstrap.length < 2) {
            for (Object value : values) {
                text.append(value);
            }
            return text.toString();
        }
        String recipe = (String) code.loaded(bootstrap[1]);
        int value = 0;
        int constant = 2;
        for (char c : recipe.toCharArray()) {
            if (c == '\1') {
                text.append(values[value++]);
            } else if (c == '\2') {
                text.append(code.loaded(bootstrap[constant++]));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    static List<String> parameters(String descriptor) {
        List<String> found = new ArrayList<>();
        for (int i = 1; descriptor.charAt(i) != ')'; ) {
            int next = Calls.afterType(descriptor, i);
            found.add(descriptor.substring(i, next));
            i = next;
        }
        return found;
    }

    /** An object of the interface whose open method runs {@code target}. */
    Object made(String type, String name, String target, Object[] captured) throws ClassNotFoundException {
        Class<?> interfaceType = World.type(type, session.loader);
        String[] parts = target.split(" ");
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object[] given = arguments == null ? new Object[0] : arguments;
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, given);
            }
            if (!Modifier.isAbstract(method.getModifiers())) {
                return defaulted(proxy, method, given);
            }
            if (!method.getName().equals(name)) {
                return ofObject(proxy, method, given);
            }
            return implemented(Integer.parseInt(parts[0]), parts[1], parts[2], parts[3], captured, given);
        };
        return Proxy.newProxyInstance(session.loader, new Class<?>[] {interfaceType}, handler);
    }

    private static Object ofObject(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return "lambda";
        }
    }

    /** {@code InvocationHandler.invokeDefault}, which came with Java 16. */
    private static Object defaulted(Object proxy, Method method, Object[] arguments) throws Throwable {
        try {
            Method invoke =
                    InvocationHandler.class.getMethod("invokeDefault", Object.class, Method.class, Object[].class);
            return invoke.invoke(null, proxy, method, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private Object implemented(int kind, String owner, String name, String descriptor, Object[] captured, Object[] given)
            throws Throwable {
        Object[] all = new Object[captured.length + given.length];
        System.arraycopy(captured, 0, all, 0, captured.length);
        System.arraycopy(given, 0, all, captured.length, given.length);
        if (kind == 8) {
            Constructor<?> constructor = World.constructor(session.type(owner), descriptor, session.loader);
            return unwrapped(() -> constructor.newInstance(all));
        }
        boolean isStatic = kind == 6;
        MethodCode code = session.world.isDriver(owner) ? session.driverMethod(owner, name, descriptor) : null;
        List<String> parameters = parameters(descriptor);
        if (code != null && code.code != null) {
            Object[] onStack = all.clone();
            for (int i = 0; i < parameters.size(); i++) {
                int at = isStatic ? i : i + 1;
                if (parameters.get(i).length() == 1) {
                    onStack[at] = Calls.toStack(onStack[at]);
                }
            }
            Interpreter.Given result = session.interpreter.run(code, onStack, new Tag[onStack.length], 0);
            Class<?> type = World.ofDescriptor(descriptor.substring(descriptor.indexOf(')') + 1), session.loader);
            return Calls.fromStack(result.value, type);
        }
        Method method = World.method(session.type(owner), name, descriptor, session.loader);
        if (isStatic) {
            return unwrapped(() -> method.invoke(null, all));
        }
        Object[] rest = java.util.Arrays.copyOfRange(all, 1, all.length);
        return unwrapped(() -> method.invoke(all[0], rest));
    }

    private interface Reflective {
        Object call() throws ReflectiveOperationException;
    }

    private static Object unwrapped(Reflective call) throws Throwable {
        try {
            return call.call();
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
