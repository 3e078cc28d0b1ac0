import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The weaver's job, done with ASM's tree API, for `./x bench weave`: a catch-all handler per monitored method that records
 * the entry values and rethrows, copies of overwritten parameters, old values of the receiver's fields that the method
 * writes, and the push around super(...). It does less than recrash (no fields of arguments, no handler before
 * super(...), no site descriptions) and asks ASM for no frame computation, so a comparison favours ASM.
 *
 * <p>Arguments: passes, jars. Prints `classes N`, `woven N`, then one line `pass MICROSECONDS` per pass. With `-out
 * FOLDER` in front, writes the woven classes there instead, for a look with the verifier.
 */
public final class AsmWeaver {
    private static final int TRIVIAL = 6;
    private static final int SAVED_FIELDS = 8;
    private static final String RUNTIME = "java/lang/$Recrash";
    private static final String FRAMES = "java/lang/$RecrashFrames";
    private static final Type OBJECT = Type.getObjectType("java/lang/Object");

    private int site;
    private int woven;

    public static void main(String[] args) throws Exception {
        Path out = args[0].equals("-out") ? Paths.get(args[1]) : null;
        List<String> arguments = Arrays.asList(args).subList(out == null ? 0 : 2, args.length);
        List<byte[]> classes = new ArrayList<>();
        for (String jar : arguments.subList(1, arguments.size())) {
            read(jar, classes);
        }
        System.out.println("classes " + classes.size());
        if (out != null) {
            AsmWeaver weaver = new AsmWeaver();
            for (byte[] original : classes) {
                byte[] changed = weaver.weave(original);
                Path file = out.resolve(new ClassReader(changed).getClassName() + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, changed);
            }
            return;
        }
        for (int pass = 0; pass < Integer.parseInt(arguments.get(0)); pass++) {
            AsmWeaver weaver = new AsmWeaver();
            long bytes = 0;
            long start = System.nanoTime();
            for (byte[] original : classes) {
                bytes += weaver.weave(original).length;
            }
            long micros = (System.nanoTime() - start) / 1000;
            if (pass == 0) {
                System.out.println("woven " + weaver.woven + " bytes " + bytes);
            }
            System.out.println("pass " + micros);
        }
    }

    private static void read(String jar, List<byte[]> classes) throws Exception {
        try (JarFile file = new JarFile(jar)) {
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                boolean wanted = entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/");
                if (wanted && !entry.getName().endsWith("module-info.class")) {
                    try (InputStream in = file.getInputStream(entry)) {
                        classes.add(in.readAllBytes());
                    }
                }
            }
        }
    }

    byte[] weave(byte[] original) {
        ClassReader reader = new ClassReader(original);
        ClassNode node = new ClassNode();
        reader.accept(node, ClassReader.EXPAND_FRAMES);
        boolean changed = false;
        for (MethodNode method : node.methods) {
            changed |= weave(node, method);
        }
        if (!changed) {
            return original;
        }
        woven++;
        // With the reader given, ASM copies the constant pool instead of building it anew.
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private boolean weave(ClassNode owner, MethodNode method) {
        int skipped = Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;
        boolean lambda = method.name.startsWith("lambda$");
        if ((method.access & skipped) != 0 || (method.access & Opcodes.ACC_SYNTHETIC) != 0 && !lambda || opcodes(method) <= TRIVIAL) {
            return false;
        }
        boolean constructor = method.name.equals("<init>");
        boolean receiver = (method.access & Opcodes.ACC_STATIC) == 0;
        InsnList code = method.instructions;
        AbstractInsnNode superCall = constructor ? superCall(owner, method) : null;
        if (constructor && superCall == null) {
            return false;
        }
        Type[] arguments = Type.getArgumentTypes(method.desc);
        int[] slots = new int[arguments.length];
        int slot = receiver ? 1 : 0;
        for (int i = 0; i < arguments.length; i++) {
            slots[i] = slot;
            slot += arguments[i].getSize();
        }
        int parameterSlots = slot;
        boolean[] overwritten = overwritten(method, parameterSlots);
        Map<String, FieldInsnNode> saved = constructor || !receiver || overwritten[0] ? Map.of() : saved(owner, method);

        // Copies go behind every local there is; the frames get them appended.
        InsnList prologue = new InsnList();
        List<Object> added = new ArrayList<>();
        int next = method.maxLocals;
        int[] sources = slots.clone();
        for (int i = 0; i < arguments.length; i++) {
            if (overwritten[slots[i]]) {
                prologue.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ILOAD), slots[i]));
                prologue.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ISTORE), next));
                sources[i] = next;
                added.add(frameType(arguments[i]));
                next += arguments[i].getSize();
            }
        }
        List<Integer> savedSlots = new ArrayList<>();
        List<Type> savedTypes = new ArrayList<>();
        for (FieldInsnNode field : saved.values()) {
            Type type = Type.getType(field.desc);
            prologue.add(new VarInsnNode(Opcodes.ALOAD, 0));
            prologue.add(new FieldInsnNode(Opcodes.GETFIELD, field.owner, field.name, field.desc));
            prologue.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), next));
            savedSlots.add(next);
            savedTypes.add(type);
            added.add(frameType(type));
            next += type.getSize();
        }
        List<Object> parameters = new ArrayList<>();
        if (receiver) {
            parameters.add(owner.name);
        }
        for (Type argument : arguments) {
            parameters.add(frameType(argument));
        }
        if (!added.isEmpty()) {
            int padding = method.maxLocals;
            for (AbstractInsnNode node = code.getFirst(); node != null; node = node.getNext()) {
                if (node instanceof FrameNode) {
                    append((FrameNode) node, padding, added);
                }
            }
        }
        List<Object> handlerLocals = new ArrayList<>();
        boolean receiverKept = receiver && !overwritten[0];
        int at = 0;
        for (Object type : parameters) {
            boolean wide = type == Opcodes.LONG || type == Opcodes.DOUBLE;
            boolean lost = overwritten[at] || wide && overwritten[at + 1];
            if (lost) {
                handlerLocals.add(Opcodes.TOP);
                if (wide) {
                    handlerLocals.add(Opcodes.TOP);
                }
            } else {
                handlerLocals.add(type);
            }
            at += wide ? 2 : 1;
        }
        for (; at < method.maxLocals && !added.isEmpty(); at++) {
            handlerLocals.add(Opcodes.TOP);
        }
        handlerLocals.addAll(added);

        LabelNode start = new LabelNode(new Label());
        LabelNode end = new LabelNode(new Label());
        LabelNode handler = new LabelNode(new Label());
        if (superCall != null) {
            boolean pushed = arguments.length > 0 && !((MethodInsnNode) superCall).owner.startsWith("java/");
            if (pushed) {
                int entered = site++;
                InsnList push = new InsnList();
                push.add(number(entered));
                push.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, "constructing", "(I)L" + FRAMES + ";", false));
                put(push, OBJECT, new InsnNode(Opcodes.ACONST_NULL));
                putArguments(push, arguments, slots);
                push.add(new InsnNode(Opcodes.POP));
                InsnList pop = new InsnList();
                pop.add(number(entered));
                pop.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, "constructed", "(I)V", false));
                code.insert(superCall, pop);
                prologue.add(push);
            }
            code.insert(superCall, start);
        } else {
            code.insert(start);
        }
        code.insert(prologue);
        code.add(end);
        code.add(handler);
        code.add(new FrameNode(Opcodes.F_NEW, handlerLocals.size(), handlerLocals.toArray(), 1, new Object[] {"java/lang/Throwable"}));
        InsnList tail = new InsnList();
        int thrown = next;
        tail.add(new VarInsnNode(Opcodes.ASTORE, thrown));
        tail.add(new VarInsnNode(Opcodes.ALOAD, thrown));
        tail.add(number(site++));
        tail.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, "enter", "(Ljava/lang/Throwable;I)L" + FRAMES + ";", false));
        if (receiver) {
            put(tail, OBJECT, receiverKept ? new VarInsnNode(Opcodes.ALOAD, 0) : new InsnNode(Opcodes.ACONST_NULL));
        }
        putArguments(tail, arguments, sources);
        for (int i = 0; i < savedSlots.size(); i++) {
            put(tail, savedTypes.get(i), new VarInsnNode(savedTypes.get(i).getOpcode(Opcodes.ILOAD), savedSlots.get(i)));
        }
        tail.add(new InsnNode(Opcodes.POP));
        tail.add(new VarInsnNode(Opcodes.ALOAD, thrown));
        tail.add(new InsnNode(Opcodes.ATHROW));
        code.add(tail);
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
        return true;
    }

    private static int opcodes(MethodNode method) {
        int count = 0;
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext()) {
            if (node.getOpcode() >= 0) {
                count++;
            }
        }
        return count;
    }

    /** The call of super(...) or this(...) on `this`: the first one no `new` of the same kind accounts for. */
    private static AbstractInsnNode superCall(ClassNode owner, MethodNode method) {
        int created = 0;
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext()) {
            if (node.getOpcode() == Opcodes.NEW) {
                created++;
            } else if (node.getOpcode() == Opcodes.INVOKESPECIAL && ((MethodInsnNode) node).name.equals("<init>")) {
                if (created == 0) {
                    return node;
                }
                created--;
            }
        }
        return null;
    }

    private static boolean[] overwritten(MethodNode method, int parameterSlots) {
        boolean[] overwritten = new boolean[Math.max(parameterSlots, 1) + 1];
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext()) {
            int opcode = node.getOpcode();
            boolean store = opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE;
            if (store && ((VarInsnNode) node).var < parameterSlots) {
                overwritten[((VarInsnNode) node).var] = true;
            } else if (opcode == Opcodes.IINC && ((IincInsnNode) node).var < parameterSlots) {
                overwritten[((IincInsnNode) node).var] = true;
            }
        }
        return overwritten;
    }

    private static Map<String, FieldInsnNode> saved(ClassNode owner, MethodNode method) {
        Map<String, FieldInsnNode> saved = new LinkedHashMap<>();
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext()) {
            if (node.getOpcode() == Opcodes.PUTFIELD && ((FieldInsnNode) node).owner.equals(owner.name) && saved.size() < SAVED_FIELDS) {
                saved.putIfAbsent(((FieldInsnNode) node).name, (FieldInsnNode) node);
            }
        }
        return saved;
    }

    private static void append(FrameNode frame, int padding, List<Object> added) {
        List<Object> local = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object type : local) {
            slots += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; slots < padding; slots++) {
            local.add(Opcodes.TOP);
        }
        local.addAll(added);
        frame.local = local;
    }

    private static Object frameType(Type type) {
        switch (type.getSort()) {
            case Type.LONG:
                return Opcodes.LONG;
            case Type.DOUBLE:
                return Opcodes.DOUBLE;
            case Type.FLOAT:
                return Opcodes.FLOAT;
            case Type.ARRAY:
            case Type.OBJECT:
                return type.getInternalName();
            default:
                return Opcodes.INTEGER;
        }
    }

    private static AbstractInsnNode number(int value) {
        return value <= Short.MAX_VALUE ? new IntInsnNode(Opcodes.SIPUSH, value) : new LdcInsnNode(value);
    }

    private static void putArguments(InsnList code, Type[] arguments, int[] slots) {
        for (int i = 0; i < arguments.length; i++) {
            put(code, arguments[i], new VarInsnNode(arguments[i].getOpcode(Opcodes.ILOAD), slots[i]));
        }
    }

    /** Hands one value to the recorder, which lies on the stack and stays there. */
    private static void put(InsnList code, Type type, AbstractInsnNode load) {
        code.add(new InsnNode(Opcodes.DUP));
        code.add(load);
        String descriptor;
        switch (type.getSort()) {
            case Type.LONG:
                descriptor = "(J)V";
                break;
            case Type.DOUBLE:
                descriptor = "(D)V";
                break;
            case Type.FLOAT:
                descriptor = "(F)V";
                break;
            case Type.ARRAY:
            case Type.OBJECT:
                descriptor = "(Ljava/lang/Object;)V";
                break;
            default:
                descriptor = "(I)V";
        }
        code.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, FRAMES, "put", descriptor, false));
    }
}
