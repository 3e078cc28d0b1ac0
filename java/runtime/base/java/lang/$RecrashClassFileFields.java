package java.lang;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The fields of a class, read from its class file: of one that refers to classes nobody has, as programs with optional
 * dependencies do, reflection lists none at all. A field whose type is missing is given the type Void, of which there are no
 * values either.
 */
final class $RecrashClassFileFields {
    private static final Constructor<?> FIELD = constructor();

    /** Set where objects are restored: the loaders there are a test's. */
    static boolean anyLoader;

    private $RecrashClassFileFields() {}

    /** Null when the class file cannot be had, or is not the one that was loaded. */
    static Field[] of(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        // At capture, a loader that is not the JDK's is code of the program.
        if (FIELD == null || loader == null || !anyLoader && !$RecrashOpaque.isJdk(loader.getClass())) {
            return null;
        }
        try (InputStream in = loader.getResourceAsStream(type.getName().replace('.', '/') + ".class")) {
            return in == null ? null : read(type, ByteBuffer.wrap(in.readAllBytes()));
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError | InternalError unlike) {
            return null;
        }
    }

    /** JVMS 4.1: the constant pool, then the fields; the place of a field is its slot. */
    private static Field[] read(Class<?> type, ByteBuffer in) throws ReflectiveOperationException {
        in.position(8);
        String[] texts = new String[in.getShort() & 0xffff];
        for (int i = 1; i < texts.length; i++) {
            switch (in.get()) {
                case 1:
                    byte[] text = new byte[in.getShort() & 0xffff];
                    in.get(text);
                    // Modified UTF-8 differs only for characters that names do not have in practice.
                    texts[i] = new String(text, StandardCharsets.UTF_8);
                    break;
                case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18:
                    in.getInt();
                    break;
                case 5: case 6:
                    in.getLong();
                    i++;
                    break;
                case 15:
                    in.position(in.position() + 3);
                    break;
                default:
                    in.getShort();
                    break;
            }
        }
        in.position(in.position() + 6);
        in.position(in.position() + 2 + 2 * (in.getShort(in.position()) & 0xffff));
        Field[] fields = new Field[in.getShort() & 0xffff];
        for (int slot = 0; slot < fields.length; slot++) {
            int modifiers = in.getShort() & 0xffff;
            String name = texts[in.getShort() & 0xffff].intern();
            Class<?> fieldType = typeOf(texts[in.getShort() & 0xffff], type.getClassLoader());
            for (int attributes = in.getShort() & 0xffff; attributes > 0; attributes--) {
                in.getShort();
                int length = in.getInt();
                in.position(in.position() + length);
            }
            fields[slot] = (Field) FIELD.newInstance(type, name, fieldType, modifiers, false, slot, null, null);
            if (!Modifier.isStatic(modifiers) && $RecrashMemory.U.objectFieldOffset(fields[slot])
                    != $RecrashMemory.U.objectFieldOffset(type, name)) {
                throw new IllegalStateException("the class was changed when it was loaded");
            }
        }
        return fields;
    }

    private static Class<?> typeOf(String descriptor, ClassLoader loader) {
        try {
            switch (descriptor.charAt(0)) {
                case 'L':
                    return Class.forName(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'), false, loader);
                case '[':
                    return Class.forName(descriptor.replace('/', '.'), false, loader);
                default:
                    return Class.forName("[" + descriptor).getComponentType();
            }
        } catch (ClassNotFoundException | LinkageError missing) {
            return Void.class;
        }
    }

    private static Constructor<?> constructor() {
        Constructor<?>[] all = Field.class.getDeclaredConstructors();
        if (all.length != 1 || all[0].getParameterCount() != 8) {
            return null;
        }
        all[0].setAccessible(true);
        return all[0];
    }
}
