package recrash.synth;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

/** Answers every method of an interface: with the first of the given values that fits, else with null or zero. */
final class Stub implements InvocationHandler {
    private final Object[] results;

    Stub(Object[] results) {
        this.results = results;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            switch (method.getName()) {
                case "equals":
                    return proxy == arguments[0];
                case "hashCode":
                    return System.identityHashCode(proxy);
                default:
                    return "stub";
            }
        }
        Class<?> wanted = method.getReturnType();
        for (Object result : results) {
            if (wanted.isInstance(result)) {
                return result;
            }
        }
        return zero(wanted);
    }

    private static Object zero(Class<?> type) {
        if (!type.isPrimitive() || type == void.class) {
            return null;
        }
        return java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type, 1), 0);
    }
}
