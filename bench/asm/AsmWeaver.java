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
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * The weaver's job, done with ASM's tree API, for `./x bench weave`: a catch-all handler per monitored method that records
 * the entry values and rethrows, another one before super(...) where its arguments can throw, copies of overwritten
 * parameters, old values of the fields of receiver and arguments that the method writes, and a description of every
 * handler. Which argument a field belongs to is asked of ASM's own analysis, only where it is not plain. ASM need not
 * compute frames, and the loads on entry are not guarded against linkage errors as recrash's are.
 *
 * <p>Arguments: passes, jars. Prints `classes N`, `woven N`, then one line `pass MICROSECONDS` per pass. With `-receiver`
 * in front it leaves the fields of arguments alone, and with them the analysis, which is most of the time. With `-out
 * FOLDER` in front, writes the woven classes there instead, for a look with the verifier.
 */
public final class AsmWeaver {
    private static final int TRIVIAL = 6;
    private static final int SAVED_FIELDS = 8;
    private static final String RUNTIME = "java/lang/$Recrash";
    private static final String FRAMES = "java/lang/$RecrashFrames";
    private static final String THROWABLE = "java/lang/Throwable";
    private static final int MOST_REFERENCES = 5;
    private static final int MOST_INTS = 2;
    private static final Type OBJECT = Type.getObjectType("java/lang/Object");

    private final boolean receiverOnly;
    private final List<List<String>> sites = new ArrayList<>();
    private int site;
    private int woven;

    private AsmWeaver(boolean receiverOnly) {
        this.receiverOnly = receiverOnly;
    }

    public static void main(String[] args) throws Exception {
        boolean receiverOnly = args[0].equals("-receiver");
        Path out = args[0].equals("-out") ? Paths.get(args[1]) : null;
        List<String> arguments = Arrays.asList(args).subList(receiverOnly ? 1 : out == null ? 0 : 2, args.length);
        List<byte[]> classes = new ArrayList<>();
        for (String jar : arguments.subList(1, arguments.size())) {
            read(jar, classes);
        }
        System.out.println("classes " + classes.size());
        if (out != null) {
            AsmWeaver weaver = new AsmWeaver(receiverOnly);
            for (byte[] original : classes) {
                byte[] changed = weaver.weave(original);
                Path file = out.resolve(new ClassReader(changed).getClassName() + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, changed);
            }
            return;
        }
        for (int pass = 0; pass < Integer.parseInt(arguments.get(0)); pass++) {
            AsmWeaver weaver = new AsmWeaver(receiverOnly);
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
        List<Saved> saved = saved(owner, method, constructor, overwritten, parameterSlots);
        describe(owner, method, slots, saved);

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
        List<Object> parameters = new ArrayList<>();
        if (receiver) {
            parameters.add(owner.name);
        }
        for (Type argument : arguments) {
            parameters.add(frameType(argument));
        }
        List<Integer> savedSlots = new ArrayList<>();
        List<Type> savedTypes = new ArrayList<>();
        for (Saved each : saved) {
            FieldInsnNode field = each.field;
            Type type = Type.getType(field.desc);
            boolean certain = receiver && each.slot == 0;
            if (!certain) {
                prologue.add(zero(type));
                prologue.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), next));
            }
            added.add(frameType(type));
            LabelNode loaded = new LabelNode(new Label());
            if (!certain) {
                prologue.add(new VarInsnNode(Opcodes.ALOAD, each.slot));
                prologue.add(new JumpInsnNode(Opcodes.IFNULL, loaded));
            }
            prologue.add(new VarInsnNode(Opcodes.ALOAD, each.slot));
            prologue.add(new FieldInsnNode(Opcodes.GETFIELD, field.owner, field.name, field.desc));
            prologue.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), next));
            if (!certain) {
                List<Object> locals = new ArrayList<>(parameters);
                if (constructor) {
                    locals.set(0, Opcodes.UNINITIALIZED_THIS);
                }
                FrameNode frame = new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]);
                append(frame, method.maxLocals, added);
                prologue.add(loaded);
                prologue.add(frame);
            }
            savedSlots.add(next);
            savedTypes.add(type);
            next += type.getSize();
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
        boolean before = superCall != null && argumentsCanThrow(method, superCall);
        LabelNode first = new LabelNode(new Label());
        LabelNode last = new LabelNode(new Label());
        if (superCall != null) {
            if (before) {
                code.insertBefore(superCall, last);
            }
            code.insert(superCall, start);
            code.insert(first);
        } else {
            code.insert(start);
        }
        code.insert(prologue);
        code.add(end);
        List<Type> types = new ArrayList<>();
        List<Integer> locals = new ArrayList<>();
        if (receiver) {
            types.add(OBJECT);
            locals.add(receiverKept ? 0 : -1);
        }
        for (int i = 0; i < arguments.length; i++) {
            types.add(arguments[i]);
            locals.add(sources[i]);
        }
        types.addAll(savedTypes);
        locals.addAll(savedSlots);
        handle(method, start, end, handlerLocals, next, types, locals, constructor);
        if (before) {
            handlerLocals.set(0, Opcodes.UNINITIALIZED_THIS);
            locals.set(0, -1);
            describe(owner, method, slots, saved);
            handle(method, first, last, handlerLocals, next, types, locals, true);
        }
        return true;
    }

    private void handle(
            MethodNode method,
            LabelNode start,
            LabelNode end,
            List<Object> handlerLocals,
            int thrown,
            List<Type> types,
            List<Integer> locals,
            boolean constructor) {
        List<AbstractInsnNode> loads = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            int local = locals.get(i);
            loads.add(local < 0 ? new InsnNode(Opcodes.ACONST_NULL) : new VarInsnNode(types.get(i).getOpcode(Opcodes.ILOAD), local));
        }
        LabelNode handler = new LabelNode(new Label());
        LabelNode guarded = new LabelNode(new Label());
        LabelNode recorded = new LabelNode(new Label());
        LabelNode failed = new LabelNode(new Label());
        InsnList tail = new InsnList();
        tail.add(handler);
        tail.add(new FrameNode(Opcodes.F_NEW, handlerLocals.size(), handlerLocals.toArray(), 1, new Object[] {THROWABLE}));
        tail.add(new VarInsnNode(Opcodes.ASTORE, thrown));
        tail.add(guarded);
        tail.add(new VarInsnNode(Opcodes.ALOAD, thrown));
        tail.add(number(site++));
        record(tail, types, loads);
        if (constructor) {
            tail.add(new InsnNode(Opcodes.DUP));
            tail.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, FRAMES, "inside", "()V", false));
        }
        tail.add(recorded);
        rethrow(tail, thrown);
        tail.add(failed);
        Object[] left = new Object[thrown + 1];
        Arrays.fill(left, Opcodes.TOP);
        if (!handlerLocals.isEmpty() && handlerLocals.get(0) == Opcodes.UNINITIALIZED_THIS) {
            left[0] = Opcodes.UNINITIALIZED_THIS;
        }
        left[thrown] = THROWABLE;
        tail.add(new FrameNode(Opcodes.F_NEW, left.length, left, 1, new Object[] {THROWABLE}));
        rethrow(tail, thrown);
        method.instructions.add(tail);
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
        method.tryCatchBlocks.add(new TryCatchBlockNode(guarded, recorded, failed, null));
    }

    /** As many references and ints as {@code enter} takes go with it, the other values after it. */
    private static void record(InsnList code, List<Type> types, List<AbstractInsnNode> loads) {
        List<Integer> references = new ArrayList<>();
        List<Integer> primitives = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            (types.get(i).getSort() >= Type.ARRAY ? references : primitives).add(i);
        }
        int taken = Math.min(references.size(), MOST_REFERENCES);
        int ints = 0;
        while (ints < MOST_INTS && ints < primitives.size() && types.get(primitives.get(ints)).getSort() <= Type.INT) {
            ints++;
        }
        for (int i : references.subList(0, taken)) {
            code.add(loads.get(i));
        }
        for (int i : primitives.subList(0, ints)) {
            code.add(loads.get(i));
        }
        String values = "Ljava/lang/Object;".repeat(taken) + "I".repeat(ints);
        String descriptor = "(Ljava/lang/Throwable;I" + values + ")L" + FRAMES + ";";
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, RUNTIME, "enter", descriptor, false));
        for (int i : references.subList(taken, references.size())) {
            put(code, types.get(i), loads.get(i));
        }
        for (int i : primitives.subList(ints, primitives.size())) {
            put(code, types.get(i), loads.get(i));
        }
    }

    private static void rethrow(InsnList code, int thrown) {
        code.add(new InsnNode(Opcodes.POP));
        code.add(new VarInsnNode(Opcodes.ALOAD, thrown));
        code.add(new InsnNode(Opcodes.ATHROW));
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

    /** A field and the slot of the receiver or argument whose field the method writes. */
    private static final class Saved {
        final int slot;
        final FieldInsnNode field;

        Saved(int slot, FieldInsnNode field) {
            this.slot = slot;
            this.field = field;
        }
    }

    private List<Saved> saved(
            ClassNode owner, MethodNode method, boolean constructor, boolean[] overwritten, int parameterSlots) {
        boolean receiver = (method.access & Opcodes.ACC_STATIC) == 0;
        boolean plain = !method.desc.contains("L" + owner.name + ";");
        boolean writes = false;
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext()) {
            if (node.getOpcode() == Opcodes.PUTFIELD) {
                writes = true;
                plain &= ((FieldInsnNode) node).owner.equals(owner.name);
            }
        }
        Map<String, Saved> saved = new LinkedHashMap<>();
        boolean readable = receiver && !constructor && !overwritten[0];
        if (!writes || (plain || receiverOnly) && !readable) {
            return List.of();
        }
        Frame<SourceValue>[] frames = plain || receiverOnly ? null : analyse(owner, method);
        int at = 0;
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext(), at++) {
            if (node.getOpcode() == Opcodes.PUTFIELD && saved.size() < SAVED_FIELDS) {
                FieldInsnNode field = (FieldInsnNode) node;
                boolean own = frames == null && field.owner.equals(owner.name);
                int slot = own ? 0 : frames == null ? -1 : origin(frames[at], overwritten, parameterSlots);
                if (slot == 0 && readable || slot > 0 || slot == 0 && !receiver) {
                    saved.putIfAbsent(slot + field.name, new Saved(slot, field));
                }
            }
        }
        return new ArrayList<>(saved.values());
    }

    private static Frame<SourceValue>[] analyse(ClassNode owner, MethodNode method) {
        try {
            return new Analyzer<>(new SourceInterpreter()).analyze(owner.name, method);
        } catch (AnalyzerException e) {
            throw new IllegalStateException(owner.name + "." + method.name, e);
        }
    }

    /** The slot of the untouched parameter that the object below the value comes from; negative when it does not. */
    private static int origin(Frame<SourceValue> frame, boolean[] overwritten, int parameterSlots) {
        if (frame == null) {
            return -1;
        }
        SourceValue object = frame.getStack(frame.getStackSize() - 2);
        if (object.insns.size() != 1) {
            return -1;
        }
        AbstractInsnNode source = object.insns.iterator().next();
        if (source.getOpcode() != Opcodes.ALOAD) {
            return -1;
        }
        int slot = ((VarInsnNode) source).var;
        return slot < parameterSlots && !overwritten[slot] ? slot : -1;
    }

    /** Whether anything before the call of super(...) can throw. */
    private static boolean argumentsCanThrow(MethodNode method, AbstractInsnNode superCall) {
        for (AbstractInsnNode node = method.instructions.getFirst(); node != superCall; node = node.getNext()) {
            int opcode = node.getOpcode();
            boolean array = opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD || opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE;
            boolean division = opcode == Opcodes.IDIV || opcode == Opcodes.LDIV || opcode == Opcodes.IREM || opcode == Opcodes.LREM;
            if (array || division || opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.MONITOREXIT || opcode == Opcodes.MULTIANEWARRAY) {
                return true;
            }
        }
        return false;
    }

    /** What a failure needs to know of a handler: names of method and parameters, the static fields that are read. */
    private void describe(ClassNode owner, MethodNode method, int[] slots, List<Saved> saved) {
        List<String> description = new ArrayList<>();
        description.add(owner.name);
        description.add(method.name);
        description.add(method.desc);
        for (int slot : slots) {
            description.add(nameOf(method, slot));
        }
        for (Saved field : saved) {
            description.add(field.field.owner);
            description.add(field.field.name);
            description.add(field.field.desc);
        }
        for (AbstractInsnNode node = method.instructions.getFirst(); node != null; node = node.getNext()) {
            if (node.getOpcode() == Opcodes.GETSTATIC) {
                FieldInsnNode field = (FieldInsnNode) node;
                description.add(field.owner);
                description.add(field.name);
                description.add(field.desc);
            }
        }
        sites.add(description);
    }

    private static String nameOf(MethodNode method, int slot) {
        if (method.localVariables != null) {
            for (LocalVariableNode variable : method.localVariables) {
                if (variable.index == slot) {
                    return variable.name;
                }
            }
        }
        return "";
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

    private static AbstractInsnNode zero(Type type) {
        switch (type.getSort()) {
            case Type.LONG:
                return new InsnNode(Opcodes.LCONST_0);
            case Type.DOUBLE:
                return new InsnNode(Opcodes.DCONST_0);
            case Type.FLOAT:
                return new InsnNode(Opcodes.FCONST_0);
            case Type.ARRAY:
            case Type.OBJECT:
                return new InsnNode(Opcodes.ACONST_NULL);
            default:
                return new InsnNode(Opcodes.ICONST_0);
        }
    }

    private static AbstractInsnNode number(int value) {
        return value <= Short.MAX_VALUE ? new IntInsnNode(Opcodes.SIPUSH, value) : new LdcInsnNode(value);
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
