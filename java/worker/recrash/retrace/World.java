package recrash.retrace;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;

/** The program's classes: the driver's own, in a loader for each run, below those that it drives. */
final class World {
    private final String[] classPath;
    final String driver;
    private final Map<String, byte[]> bytes = new HashMap<>();
    private ClassLoader below;

    World(String[] classPath, String driver) {
        this.classPath = classPath;
        this.driver = driver;
        fresh();
    }

    /** Static state of what the driver drives starts anew. */
    void fresh() {
        URL[] urls = new URL[classPath.length];
        for (int i = 0; i < urls.length; i++) {
            try {
                urls[i] = new File(classPath[i]).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(classPath[i], e);
            }
        }
        below = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
    }

    ClassLoader loader() {
        return new DriverLoader(below);
    }

    /** With slashes or dots. */
    boolean isDriver(String name) {
        String dotted = name.replace('/', '.');
        return dotted.equals(driver) || dotted.startsWith(driver + "$");
    }

    boolean isInside(Class<?> type) {
        while (type.isArray()) {
            type = type.getComponentType();
        }
        ClassLoader loader = type.getClassLoader();
        return loader == below;
    }

    /** The code of a class of the driver, parsed anew: what its instructions resolve to belongs to one loader. */
    ClassCode code(String name) throws IOException {
        return new ClassCode(bytes(name.replace('/', '.')));
    }

    private byte[] bytes(String name) throws IOException {
        byte[] known = bytes.get(name);
        if (known == null) {
            known = Opened.of(read(name));
            bytes.put(name, known);
        }
        return known;
    }

    private byte[] read(String name) throws IOException {
        URL place = ((URLClassLoader) below).getResource(name.replace('.', '/') + ".class");
        if (place == null) {
            throw new IOException("the class path has no " + name);
        }
        try (InputStream in = place.openStream()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[1 << 13];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
            return out.toByteArray();
        }
    }

    private final class DriverLoader extends ClassLoader {
        DriverLoader(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!isDriver(name)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known == null ? findClass(name) : known;
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                byte[] code = bytes(name);
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** With slashes, or an array's descriptor. */
    static Class<?> type(String name, ClassLoader loader) throws ClassNotFoundException {
        return Class.forName(name.replace('/', '.'), false, loader);
    }

    static Class<?> ofDescriptor(String descriptor, ClassLoader loader) {
        return MethodType.fromMethodDescriptorString("()" + descriptor, loader).returnType();
    }

    static Constructor<?> constructor(Class<?> owner, String descriptor, ClassLoader loader) throws NoSuchMethodException {
        Constructor<?> found =
                owner.getDeclaredConstructor(MethodType.fromMethodDescriptorString(descriptor, loader).parameterArray());
        open(found);
        return found;
    }

    /** As the JVM resolves it: superclasses first, then interfaces. */
    static Method method(Class<?> owner, String name, String descriptor, ClassLoader loader) throws NoSuchMethodException {
        MethodType type = MethodType.fromMethodDescriptorString(descriptor, loader);
        Method found = declared(owner, name, type);
        if (found == null && owner.isInterface()) {
            found = declared(Object.class, name, type);
        }
        if (found == null) {
            throw new NoSuchMethodException(owner.getName() + "." + name + descriptor);
        }
        open(found);
        return found;
    }

    private static Method declared(Class<?> owner, String name, MethodType type) {
        for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && method.getReturnType() == type.returnType()
                        && java.util.Arrays.equals(method.getParameterTypes(), type.parameterArray())) {
                    return method;
                }
            }
        }
        for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
            for (Class<?> above : at.getInterfaces()) {
                Method found = declared(above, name, type);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
            try {
                Field found = at.getDeclaredField(name);
                open(found);
                return found;
            } catch (NoSuchFieldException e) {
                // An interface or a superclass has it.
            }
            for (Class<?> above : at.getInterfaces()) {
                try {
                    return field(above, name);
                } catch (NoSuchFieldException e) {
                    // The next one.
                }
            }
        }
        throw new NoSuchFieldException(owner.getName() + "." + name);
    }

    private static void open(AccessibleObject member) {
        try {
            member.setAccessible(true);
        } catch (RuntimeException closed) {
            // Public members work without.
        }
    }
}
