import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The yardstick of `./x bench strategies`: the ReCrash paper's own design, a shadow stack that every monitored call pushes
 * its receiver and arguments on (by reference) and pops on return, monitoring the same methods as recrash does.
 */
public final class ShadowAgent implements ClassFileTransformer {
    private static final int TRIVIAL = 6;
    private static final String STACK = "ShadowStack";
    private static final String[] LEFT_ALONE = {"java/", "jdk/", "sun/", "com/sun/", "Shadow", "org/objectweb/asm/"};

    private final AtomicInteger methods = new AtomicInteger();

    public static void premain(String options, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ShadowAgent());
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] original) {
        if (loader == null || name == null) {
            return null;
        }
        for (String prefix : LEFT_ALONE) {
            if (name.startsWith(prefix)) {
                return null;
            }
        }
        ClassReader reader = new ClassReader(original);
        ClassNode node = new ClassNode();
        reader.accept(node, ClassReader.EXPAND_FRAMES);
        for (MethodNode method : node.methods) {
            if (isMonitored(method)) {
                monitor(method);
            }
        }
        // Frames are those of the class; the new ones are given in full below.
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private static boolean isMonitored(MethodNode method) {
        int instructions = 0;
        for (AbstractInsnNode each : method.instructions) {
            instructions += each.getOpcode() >= 0 ? 1 : 0;
        }
        boolean accessor = (method.access & Opcodes.ACC_SYNTHETIC) != 0 && method.name.startsWith("access$");
        return instructions > TRIVIAL && !accessor;
    }

    private void monitor(MethodNode method) {
        boolean constructor = method.name.equals("<init>");
        AbstractInsnNode superCall = constructor ? superCall(method) : null;
        if (constructor && superCall == null) {
            return;
        }
        InsnList entry = new InsnList();
        entry.add(new LdcInsnNode(methods.getAndIncrement()));
        given(method, entry);
        entry.add(new MethodInsnNode(Opcodes.INVOKESTATIC, STACK, "push", "(I[Ljava/lang/Object;)V"));
        LabelNode start = new LabelNode();
        entry.add(start);
        for (AbstractInsnNode each : method.instructions.toArray()) {
            if (each.getOpcode() >= Opcodes.IRETURN && each.getOpcode() <= Opcodes.RETURN) {
                method.instructions.insertBefore(each, pop());
            }
        }
        LabelNode end = new LabelNode();
        InsnList handler = new InsnList();
        handler.add(end);
        handler.add(new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        handler.add(pop());
        handler.add(new InsnNode(Opcodes.ATHROW));
        method.instructions.add(handler);
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
        if (constructor) {
            method.instructions.insert(superCall, entry);
        } else {
            method.instructions.insert(entry);
        }
    }

    private static MethodInsnNode pop() {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, STACK, "pop", "()V");
    }

    /** The call of super(...) or this(...): the first constructor call that no NEW belongs to. */
    private static AbstractInsnNode superCall(MethodNode method) {
        int made = 0;
        for (AbstractInsnNode each : method.instructions) {
            if (each.getOpcode() == Opcodes.NEW) {
                made++;
            } else if (each.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) each).name.equals("<init>")
                    && made-- == 0) {
                return each;
            }
        }
        return null;
    }

    /** Receiver and arguments in a new array, primitives boxed. */
    private static void given(MethodNode method, InsnList out) {
        boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        Type[] types = Type.getArgumentTypes(method.desc);
        int offset = isStatic ? 0 : 1;
        out.add(new LdcInsnNode(types.length + offset));
        out.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
        int slot = offset;
        if (!isStatic) {
            store(out, 0, new VarInsnNode(Opcodes.ALOAD, 0), null);
        }
        for (int i = 0; i < types.length; i++) {
            store(out, i + offset, new VarInsnNode(types[i].getOpcode(Opcodes.ILOAD), slot), types[i]);
            slot += types[i].getSize();
        }
    }

    private static void store(InsnList out, int index, VarInsnNode load, Type type) {
        out.add(new InsnNode(Opcodes.DUP));
        out.add(new LdcInsnNode(index));
        out.add(load);
        String box = type == null ? null : box(type);
        if (box != null) {
            String descriptor = "(" + type.getDescriptor() + ")L" + box + ";";
            out.add(new MethodInsnNode(Opcodes.INVOKESTATIC, box, "valueOf", descriptor));
        }
        out.add(new InsnNode(Opcodes.AASTORE));
    }

    private static String box(Type type) {
        switch (type.getSort()) {
            case Type.BOOLEAN:
                return "java/lang/Boolean";
            case Type.BYTE:
                return "java/lang/Byte";
            case Type.CHAR:
                return "java/lang/Character";
            case Type.SHORT:
                return "java/lang/Short";
            case Type.INT:
                return "java/lang/Integer";
            case Type.LONG:
                return "java/lang/Long";
            case Type.FLOAT:
                return "java/lang/Float";
            case Type.DOUBLE:
                return "java/lang/Double";
            default:
                return null;
        }
    }
}
