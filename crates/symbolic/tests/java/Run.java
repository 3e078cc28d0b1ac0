import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** Makes the state that a precondition describes, calls the method, and tells what was thrown on which line. */
class Run {
    static Object make(String name, Object... fields) throws Exception {
        Class<?> type = Class.forName(name);
        if (type.isInterface()) {
            Map<String, Object> results = new HashMap<>();
            for (int i = 0; i < fields.length; i += 2) {
                results.put((String) fields[i], fields[i + 1]);
            }
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) ->
                fitting(method.getReturnType(), results.get(method.getName())));
        }
        Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        if (Modifier.isAbstract(type.getModifiers())) {
            // What is asked for is a number that is no Integer.
            return 1.5;
        }
        Object made = type == Object.class ? new Object() : ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(type);
        for (int i = 0; i < fields.length; i += 2) {
            Field field = type.getDeclaredField((String) fields[i]);
            field.setAccessible(true);
            field.set(made, fitting(field.getType(), fields[i + 1]));
        }
        return made;
    }

    static Object array(String name, int length, Object... elements) throws Exception {
        Class<?> element = Class.forName(name).getComponentType();
        Object made = Array.newInstance(element, length);
        for (int i = 0; i < elements.length; i += 2) {
            Array.set(made, (Integer) elements[i], fitting(element, elements[i + 1]));
        }
        return made;
    }

    /** What the JVM calls an int, in the type that Java calls it; null where anything will do. */
    static Object fitting(Class<?> type, Object value) {
        if (!type.isPrimitive()) {
            return value;
        }
        Number number = value == null ? (Integer) 0 : (Number) value;
        return type == boolean.class ? (Object) (number.intValue() != 0)
            : type == char.class ? (Object) (char) number.intValue()
            : type == byte.class ? (Object) number.byteValue()
            : type == short.class ? (Object) number.shortValue()
            : type == int.class ? (Object) number.intValue()
            : type == long.class ? (Object) number.longValue()
            : type == float.class ? (Object) number.floatValue()
            : (Object) number.doubleValue();
    }

    static void run(String owner, String name, Object receiver, Object... values) throws Exception {
        for (Method method : Class.forName(owner).getDeclaredMethods()) {
            if (!method.getName().equals(name)) {
                continue;
            }
            method.setAccessible(true);
            Class<?>[] types = method.getParameterTypes();
            for (int i = 0; i < types.length; i++) {
                values[i] = fitting(types[i], values[i]);
            }
            try {
                method.invoke(receiver, values);
                System.out.println("nothing");
            } catch (InvocationTargetException thrown) {
                Throwable cause = thrown.getCause();
                int line = -1;
                for (StackTraceElement frame : cause.getStackTrace()) {
                    if (frame.getClassName().startsWith(owner)) {
                        line = frame.getLineNumber();
                        break;
                    }
                }
                System.out.println(cause.getClass().getName() + " " + line);
            }
        }
    }
}
