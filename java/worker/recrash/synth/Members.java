package recrash.synth;

import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import recrash.wire.Programs;

/** What programs refer to by number. Looked up when first used, and again with every new class loader. */
final class Members {

    private static final class Named {
        final int kind;
        final String owner;
        final String name;
        final String descriptor;

        Named(int kind, String owner, String name, String descriptor) {
            this.kind = kind;
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
        }
    }

    private final List<Named> named = new ArrayList<>();
    private final Map<String, byte[]> woven = new HashMap<>();
    private String[] classPath = {};
    private Loader loader;
    private Object[] found = {};

    void classPath(String[] entries) {
        classPath = entries;
        fresh();
    }

    void woven(String name, byte[] bytes) {
        woven.put(name, bytes);
    }

    void add(int kind, String owner, String name, String descriptor) {
        named.add(new Named(kind, owner, name, descriptor));
    }

    /** Static state starts anew. */
    void fresh() {
        loader = null;
        found = new Object[named.size()];
    }

    ClassLoader loader() {
        if (loader == null) {
            loader = new Loader(classPath, woven);
        }
        return loader;
    }

    Object get(int number) throws ReflectiveOperationException {
        if (number >= found.length) {
            found = java.util.Arrays.copyOf(found, named.size());
        }
        Object known = found[number];
        if (known == null) {
            known = find(named.get(number));
            found[number] = known;
        }
        return known;
    }

    private Object find(Named named) throws ReflectiveOperationException {
        if (named.kind == Programs.MEMBER_TYPE) {
            return MethodType.fromMethodDescriptorString("()" + named.owner, loader()).returnType();
        }
        Class<?> owner = Class.forName(named.owner, false, loader());
        AccessibleObject member;
        if (named.kind == Programs.MEMBER_FIELD) {
            member = owner.getDeclaredField(named.name);
        } else {
            Class<?>[] parameters =
                    MethodType.fromMethodDescriptorString(named.descriptor, loader()).parameterArray();
            member =
                    named.kind == Programs.MEMBER_CONSTRUCTOR
                            ? owner.getDeclaredConstructor(parameters)
                            : method(owner, named, parameters);
        }
        // Tests live in the package of what they test; the JDK's own stay as closed as they are for these.
        open(member);
        return member;
    }

    private static void open(AccessibleObject member) {
        try {
            member.setAccessible(true);
        } catch (RuntimeException closed) {
            // Public members work without.
        }
    }

    /** With this return type: bridges have the same name and parameters. */
    private Method method(Class<?> owner, Named named, Class<?>[] parameters)
            throws NoSuchMethodException {
        Class<?> returned =
                MethodType.fromMethodDescriptorString(named.descriptor, loader()).returnType();
        for (Method method : owner.getDeclaredMethods()) {
            if (method.getName().equals(named.name)
                    && method.getReturnType() == returned
                    && java.util.Arrays.equals(method.getParameterTypes(), parameters)) {
                return method;
            }
        }
        throw new NoSuchMethodException(named.name + named.descriptor);
    }
}
