package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import jdk.internal.reflect.ConstantPool;

/**
 * What a lambda or method reference does, found in its hidden class: the interface, its method, and the method that is
 * called. The class itself has no name that another JVM would know.
 */
final class $RecrashLambda {
    private static final Method DECLARED_METHODS =
            $RecrashMemory.method(Class.class, "getDeclaredMethods0", boolean.class);
    private static final long CLASS_DATA = $RecrashMemory.offset(Class.class, "classData");

    /** The class whose code contains the expression. */
    String host;
    String[] interfaces;
    String method;
    String methodDescriptor;
    /** JVMS table 5.4.3.5-A. */
    int kind;
    String owner;
    String name;
    String descriptor;

    $RecrashLambda() {}

    /** Null when the hidden class is not one the JDK's lambda factory made. */
    static $RecrashLambda of(Class<?> hidden) {
        if (hidden.getName().indexOf("$$Lambda") < 0) {
            return null;
        }
        try {
            $RecrashLambda lambda = new $RecrashLambda();
            lambda.host = hidden.getNestHost().getName();
            Class<?>[] interfaces = hidden.getInterfaces();
            lambda.interfaces = new String[interfaces.length];
            for (int i = 0; i < interfaces.length; i++) {
                lambda.interfaces[i] = interfaces[i].getName();
            }
            return lambda.findMethod(hidden) && lambda.findTarget(hidden) ? lambda : null;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError strange) {
            return null;
        }
    }

    private boolean findMethod(Class<?> hidden) throws ReflectiveOperationException {
        Method[] methods = (Method[]) DECLARED_METHODS.invoke(hidden, Boolean.FALSE);
        boolean found = false;
        for (int i = 0; i < methods.length; i++) {
            Method m = methods[i];
            if (!Modifier.isStatic(m.getModifiers()) && !m.isBridge() && !m.getName().equals("writeReplace")) {
                // Beside the interface's own method there may be others that compilers ask for, with narrower types.
                boolean wanted = isDemanded(hidden, m);
                if (wanted || !found) {
                    method = m.getName();
                    methodDescriptor = descriptor(m.getParameterTypes(), m.getReturnType());
                    found = true;
                }
                if (wanted) {
                    break;
                }
            }
        }
        return found;
    }

    /** Whether an interface of the class, or one above it, declares the method without a body. */
    private static boolean isDemanded(Class<?> type, Method method) throws ReflectiveOperationException {
        Class<?>[] interfaces = type.getInterfaces();
        for (int i = 0; i < interfaces.length; i++) {
            Method[] declared = abstractMethods(interfaces[i]);
            for (int m = 0; m < declared.length; m++) {
                if (declared[m].getName().equals(method.getName())
                        && declared[m].getReturnType() == method.getReturnType()
                        && Arrays.equals(declared[m].getParameterTypes(), method.getParameterTypes())) {
                    return true;
                }
            }
            if (isDemanded(interfaces[i], method)) {
                return true;
            }
        }
        return false;
    }

    static Method[] abstractMethods(Class<?> type) throws ReflectiveOperationException {
        Method[] declared = (Method[]) DECLARED_METHODS.invoke(type, Boolean.FALSE);
        int count = 0;
        for (int i = 0; i < declared.length; i++) {
            if (Modifier.isAbstract(declared[i].getModifiers())) {
                declared[count++] = declared[i];
            }
        }
        return Arrays.copyOf(declared, count);
    }

    /**
     * The target is the one method the class calls, besides the constructor of Object and conversions between
     * primitives and wrappers; when only conversions are called, the first of them is the target itself.
     */
    private boolean findTarget(Class<?> hidden) {
        ConstantPool pool = hidden.getConstantPool();
        int conversion = 0;
        for (int i = 1; i < pool.getSize(); i++) {
            ConstantPool.Tag tag = pool.getTagAt(i);
            if (tag != ConstantPool.Tag.METHODREF && tag != ConstantPool.Tag.INTERFACEMETHODREF) {
                continue;
            }
            String[] reference = pool.getMemberRefInfoAt(i);
            if (reference[0].equals("java/lang/Object") && reference[1].equals("<init>")) {
                continue;
            }
            if (reference[0].equals("java/lang/invoke/MethodHandle") && reference[1].startsWith("invoke")) {
                return findHandle(hidden);
            }
            // The class names itself in the calls of its own factory.
            if (hidden.getName().replace('.', '/').startsWith(reference[0] + "/")
                    || reference[0].indexOf("$$Lambda") >= 0
                    || reference[0].equals("java/lang/invoke/SerializedLambda")) {
                continue;
            }
            if (isConversion(reference)) {
                conversion = conversion == 0 ? i : conversion;
                continue;
            }
            return use(pool, i, reference);
        }
        return conversion != 0 && use(pool, conversion, pool.getMemberRefInfoAt(conversion));
    }

    private boolean use(ConstantPool pool, int index, String[] reference) {
        Member member = pool.getMethodAtIfLoaded(index);
        if (member == null) {
            return false;
        }
        if (member instanceof Constructor) {
            kind = MethodHandleInfo.REF_newInvokeSpecial;
        } else if (Modifier.isStatic(member.getModifiers())) {
            kind = MethodHandleInfo.REF_invokeStatic;
        } else if (Modifier.isPrivate(member.getModifiers())) {
            kind = MethodHandleInfo.REF_invokeSpecial;
        } else if (member.getDeclaringClass().isInterface()) {
            kind = MethodHandleInfo.REF_invokeInterface;
        } else {
            kind = MethodHandleInfo.REF_invokeVirtual;
        }
        owner = reference[0].replace('/', '.');
        name = reference[1];
        descriptor = reference[2];
        return true;
    }

    /** Protected and super methods are called through a method handle kept as the class's data. */
    private boolean findHandle(Class<?> hidden) {
        Object data = $RecrashMemory.reference(hidden, CLASS_DATA);
        if (!(data instanceof MethodHandle)) {
            return false;
        }
        MethodHandleInfo info =
                $RecrashMemory.trustedLookup().in(hidden.getNestHost()).revealDirect((MethodHandle) data);
        kind = info.getReferenceKind();
        owner = info.getDeclaringClass().getName();
        name = info.getName();
        descriptor = info.getMethodType().toMethodDescriptorString();
        return true;
    }

    private static boolean isConversion(String[] reference) {
        switch (reference[0]) {
            case "java/lang/Boolean":
            case "java/lang/Byte":
            case "java/lang/Character":
            case "java/lang/Short":
            case "java/lang/Integer":
            case "java/lang/Long":
            case "java/lang/Float":
            case "java/lang/Double":
            case "java/lang/Number":
                return reference[1].equals("valueOf") && reference[2].charAt(2) == ')'
                        || reference[1].endsWith("Value") && reference[2].startsWith("()");
            default:
                return false;
        }
    }

    /** Whether both do the same. */
    boolean sameAs($RecrashLambda other) {
        return other != null && method.equals(other.method) && methodDescriptor.equals(other.methodDescriptor)
                && kind == other.kind && owner.equals(other.owner) && name.equals(other.name)
                && descriptor.equals(other.descriptor) && host.equals(other.host);
    }

    static String descriptor(Member member) {
        if (member instanceof Method) {
            return descriptor(((Method) member).getParameterTypes(), ((Method) member).getReturnType());
        }
        if (member instanceof Constructor) {
            return descriptor(((Constructor<?>) member).getParameterTypes(), void.class);
        }
        return ((Field) member).getType().descriptorString();
    }

    static String descriptor(Class<?>[] parameters, Class<?> result) {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < parameters.length; i++) {
            text.append(parameters[i].descriptorString());
        }
        return text.append(')').append(result.descriptorString()).toString();
    }
}
