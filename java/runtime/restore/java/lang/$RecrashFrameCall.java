package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import jdk.internal.reflect.ReflectionFactory;

/**
 * Calls the method of a captured frame, whatever its access and module. Lives in java.base because only there the
 * trusted lookup can be had; nothing of the program is opened or changed for it.
 */
public final class $RecrashFrameCall {
    private $RecrashFrameCall() {}

    /** Why {@link #invoke} cannot call this method, as a sentence; null when it can. Runs no code of the program. */
    public static String refusal(Class<?> owner, String name, String descriptor, Object receiver) {
        if (name.equals("<clinit>")) {
            return null;
        }
        try {
            MethodType type = MethodType.fromMethodDescriptorString(descriptor, owner.getClassLoader());
            if (!name.equals("<init>")) {
                handle(owner, name, type, receiver);
            } else if (Modifier.isAbstract(made(owner, receiver).getModifiers())) {
                return owner.getName() + " is abstract and the snapshot does not hold the object that was being"
                        + " constructed; a frame further out calls this constructor";
            } else {
                constructor(owner, type);
            }
            return null;
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException e) {
            return owner.getName() + " has no " + name + descriptor + " that can be called (" + e + ")";
        }
    }

    /**
     * Calls exactly the method {@code owner.name descriptor}, never one that overrides it: that is the method that was
     * on the stack. {@code <init>} makes a new object, of the class of {@code receiver} if there is one (a constructor
     * of an abstract or super class runs on an object of the sub class) and returns it; {@code <clinit>} initialises
     * the class. Whatever the method throws comes out unwrapped.
     */
    public static Object invoke(Class<?> owner, String name, String descriptor, Object receiver, Object[] arguments)
            throws Throwable {
        if (name.equals("<clinit>")) {
            return Class.forName(owner.getName(), true, owner.getClassLoader());
        }
        MethodType type = MethodType.fromMethodDescriptorString(descriptor, owner.getClassLoader());
        if (name.equals("<init>")) {
            return construct(owner, type, receiver, arguments);
        }
        return handle(owner, name, type, receiver).invokeWithArguments(with(receiver, arguments));
    }

    private static MethodHandle handle(Class<?> owner, String name, MethodType type, Object receiver)
            throws ReflectiveOperationException {
        MethodHandle handle = receiver == null
                ? trusted().findStatic(owner, name, type)
                : trusted().findSpecial(owner, name, type, owner);
        return handle.asFixedArity();
    }

    private static MethodHandle constructor(Class<?> owner, MethodType type) throws ReflectiveOperationException {
        return trusted().findConstructor(owner, type.changeReturnType(void.class)).asFixedArity();
    }

    private static Object[] with(Object receiver, Object[] arguments) {
        if (receiver == null) {
            return arguments;
        }
        Object[] all = new Object[arguments.length + 1];
        all[0] = receiver;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    private static Class<?> made(Class<?> owner, Object receiver) {
        return receiver == null ? owner : receiver.getClass();
    }

    private static Object construct(Class<?> owner, MethodType type, Object receiver, Object[] arguments)
            throws Throwable {
        Class<?> made = made(owner, receiver);
        if (made == owner) {
            return constructor(owner, type).invokeWithArguments(arguments);
        }
        Constructor<?> declared = owner.getDeclaredConstructor(type.parameterArray());
        // The way deserialisation takes: allocate the sub class, run the constructor of a super class on it.
        Constructor<?> constructor =
                ReflectionFactory.getReflectionFactory().newConstructorForSerialization(made, declared);
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static MethodHandles.Lookup trusted() throws ReflectiveOperationException {
        Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        field.setAccessible(true);
        return (MethodHandles.Lookup) field.get(null);
    }
}
