package java.lang;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Finds what a snapshot knows by name: classes, constants of the JDK, members. */
final class $RecrashNames {
    private $RecrashNames() {}

    static Class<?> type(String name, ClassLoader loader) throws ClassNotFoundException {
        switch (name) {
            case "boolean":
                return boolean.class;
            case "byte":
                return byte.class;
            case "char":
                return char.class;
            case "short":
                return short.class;
            case "int":
                return int.class;
            case "long":
                return long.class;
            case "float":
                return float.class;
            case "double":
                return double.class;
            case "void":
                return void.class;
            default:
                return Class.forName(name, false, loader);
        }
    }

    /** The value of a static final field of a JDK class. */
    static Object wellKnown(String owner, String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(owner, true, ClassLoader.getPlatformClassLoader());
        Field field = $RecrashMemory.declaredField(type, name);
        int wanted = Modifier.STATIC | Modifier.FINAL;
        if (field == null || (field.getModifiers() & wanted) != wanted || field.getType().isPrimitive()
                || !$RecrashOpaque.isJdk(type)) {
            throw new NoSuchFieldException(owner + "." + name);
        }
        return $RecrashMemory.staticReference(type, name);
    }

    static Member member(String owner, String name, String descriptor, ClassLoader loader)
            throws ReflectiveOperationException {
        Class<?> type = type(owner, loader);
        if (descriptor.isEmpty() || descriptor.charAt(0) != '(') {
            Field field = $RecrashMemory.declaredField(type, name);
            if (field == null) {
                throw new NoSuchFieldException(owner + "." + name);
            }
            return field;
        }
        if (name.equals("<init>")) {
            Constructor<?>[] constructors = type.getDeclaredConstructors();
            for (int i = 0; i < constructors.length; i++) {
                if ($RecrashLambda.descriptor(constructors[i].getParameterTypes(), void.class).equals(descriptor)) {
                    return constructors[i];
                }
            }
        } else {
            Method[] methods = type.getDeclaredMethods();
            for (int i = 0; i < methods.length; i++) {
                if (methods[i].getName().equals(name) && $RecrashLambda
                        .descriptor(methods[i].getParameterTypes(), methods[i].getReturnType()).equals(descriptor)) {
                    return methods[i];
                }
            }
        }
        throw new NoSuchMethodException(owner + "." + name + descriptor);
    }
}
