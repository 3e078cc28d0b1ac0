package java.lang;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Makes the classes that no file contains: lambdas and dynamic proxies. */
final class $RecrashLinker {
    private $RecrashLinker() {}

    static Class<?> proxyClass(String[] interfaces, ClassLoader loader) throws ClassNotFoundException {
        Class<?>[] types = new Class<?>[interfaces.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = Class.forName(interfaces[i], false, loader);
        }
        return proxyClass(types, loader);
    }

    @SuppressWarnings("deprecation")
    private static Class<?> proxyClass(Class<?>[] types, ClassLoader loader) {
        return Proxy.getProxyClass(loader, types);
    }

    /** A class that does what the captured lambda did, made by the factory that javac's lambdas use. */
    static Class<?> lambdaClass($RecrashShape shape, ClassLoader loader) throws Throwable {
        $RecrashLambda lambda = shape.lambda;
        // The snapshot knows the outermost class around the expression; a private method is called from its own class.
        Class<?> host = Class.forName(lambda.kind == MethodHandleInfo.REF_invokeSpecial ? lambda.owner : lambda.host,
                false, loader);
        MethodHandles.Lookup lookup = $RecrashMemory.trustedLookup().in(host);
        Class<?>[] interfaces = new Class<?>[lambda.interfaces.length];
        for (int i = 0; i < interfaces.length; i++) {
            interfaces[i] = Class.forName(lambda.interfaces[i], false, loader);
        }
        MethodHandle target = target(lambda, lookup, loader);
        MethodType method = MethodType.fromMethodDescriptorString(lambda.methodDescriptor, loader);
        List<Class<?>> captured = new ArrayList<>();
        for (int i = 0; i < shape.fieldTypes.length; i++) {
            captured.add(MethodType.fromMethodDescriptorString("(" + shape.fieldTypes[i] + ")V", loader)
                    .parameterType(0));
        }
        MethodType factory = MethodType.methodType(interfaces[0], captured);
        CallSite site = site(lookup, lambda.method, factory, method, target, instantiated(method, target, captured.size()),
                interfaces);
        Object[] nothing = new Object[captured.size()];
        for (int i = 0; i < nothing.length; i++) {
            Class<?> type = captured.get(i);
            nothing[i] = type.isPrimitive() ? $RecrashBoxes.box(type.descriptorString().charAt(0), 0) : null;
        }
        return site.getTarget().invokeWithArguments(nothing).getClass();
    }

    private static CallSite site(MethodHandles.Lookup lookup, String name, MethodType factory, MethodType method,
            MethodHandle target, MethodType instantiated, Class<?>[] interfaces) throws Exception {
        List<MethodType> bridges = new ArrayList<>();
        for (int i = 0; i < interfaces.length; i++) {
            addBridges(interfaces[i], name, method, bridges);
        }
        if (interfaces.length == 1 && bridges.isEmpty()
                && !java.io.Serializable.class.isAssignableFrom(interfaces[0])) {
            return LambdaMetafactory.metafactory(lookup, name, factory, method, target, instantiated);
        }
        boolean serializable = false;
        List<Object> arguments = new ArrayList<>();
        List<Class<?>> markers = new ArrayList<>();
        for (int i = 0; i < interfaces.length; i++) {
            serializable |= java.io.Serializable.class.isAssignableFrom(interfaces[i]);
            if (i > 0 && interfaces[i] != java.io.Serializable.class) {
                markers.add(interfaces[i]);
            }
        }
        arguments.add(method);
        arguments.add(target);
        arguments.add(instantiated);
        arguments.add((serializable ? LambdaMetafactory.FLAG_SERIALIZABLE : 0) | LambdaMetafactory.FLAG_MARKERS
                | LambdaMetafactory.FLAG_BRIDGES);
        arguments.add(markers.size());
        arguments.addAll(markers);
        arguments.add(bridges.size());
        arguments.addAll(bridges);
        return LambdaMetafactory.altMetafactory(lookup, name, factory, arguments.toArray());
    }

    /** The same method with other types, as an interface further up declares it: callers there ask for it. */
    private static void addBridges(Class<?> type, String name, MethodType method, List<MethodType> bridges)
            throws ReflectiveOperationException {
        Method[] declared = $RecrashLambda.abstractMethods(type);
        for (int i = 0; i < declared.length; i++) {
            MethodType other = MethodType.methodType(declared[i].getReturnType(), declared[i].getParameterTypes());
            if (declared[i].getName().equals(name) && other.parameterCount() == method.parameterCount()
                    && !other.equals(method) && !bridges.contains(other)) {
                bridges.add(other);
            }
        }
        Class<?>[] above = type.getInterfaces();
        for (int i = 0; i < above.length; i++) {
            addBridges(above[i], name, method, bridges);
        }
    }

    private static MethodHandle target($RecrashLambda lambda, MethodHandles.Lookup lookup, ClassLoader loader)
            throws ReflectiveOperationException {
        Class<?> owner = Class.forName(lambda.owner, false, loader);
        MethodType type = MethodType.fromMethodDescriptorString(lambda.descriptor, loader);
        switch (lambda.kind) {
            case MethodHandleInfo.REF_invokeStatic:
                return lookup.findStatic(owner, lambda.name, type);
            case MethodHandleInfo.REF_newInvokeSpecial:
                return lookup.findConstructor(owner, type.changeReturnType(void.class));
            case MethodHandleInfo.REF_invokeSpecial:
                return lookup.findSpecial(owner, lambda.name, type, lookup.lookupClass());
            default:
                return lookup.findVirtual(owner, lambda.name, type);
        }
    }

    /** The interface method with the target's own types: what the compiler calls the instantiated method type. */
    private static MethodType instantiated(MethodType method, MethodHandle target, int captured) {
        MethodType have = target.type();
        MethodType result = method;
        for (int i = 0; i < method.parameterCount() && captured + i < have.parameterCount(); i++) {
            Class<?> parameter = have.parameterType(captured + i);
            if (!method.parameterType(i).isPrimitive()) {
                Class<?> boxed = parameter.isPrimitive() ? boxed(parameter) : parameter;
                if (method.parameterType(i).isAssignableFrom(boxed)) {
                    result = result.changeParameterType(i, boxed);
                }
            }
        }
        Class<?> wanted = method.returnType();
        if (wanted != void.class && !wanted.isPrimitive() && have.returnType() != void.class) {
            Class<?> boxed = have.returnType().isPrimitive() ? boxed(have.returnType()) : have.returnType();
            if (wanted.isAssignableFrom(boxed)) {
                result = result.changeReturnType(boxed);
            }
        }
        return result;
    }

    private static Class<?> boxed(Class<?> primitive) {
        return MethodType.methodType(primitive).wrap().returnType();
    }
}
