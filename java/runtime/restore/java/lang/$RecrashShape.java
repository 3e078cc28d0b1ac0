package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;

/** A class of the snapshot and what corresponds to it in this JVM. */
final class $RecrashShape {
    private static final Unsafe U = Unsafe.getUnsafe();

    final String name;
    final int kind;
    final $RecrashShape above;
    final String[] fieldNames;
    final String[] fieldTypes;
    /** Bytes of an instance's fields in the heap part. */
    final int bytes;
    $RecrashLambda lambda;
    String[] interfaces;

    /** The class here; null when there is none. */
    Class<?> live;
    /** Set when instances may be allocated. */
    boolean allocatable;
    /** What is done after the fields are set; a constant of {@link $RecrashRepairs}. */
    int finish;
    /** Every field, topmost super class first: type, offset here (-1: not here), class to check values against. */
    byte[] types;
    long[] offsets;
    Class<?>[] checks;

    /** Of an array class: where the elements start. */
    long base;
    /** Why there are no such objects here, in a sentence. */
    String problem;

    /** Its classes have been looked for among those that travel with the plan. */
    boolean brought;
    private boolean resolved;
    private boolean mapped;

    $RecrashShape($RecrashPlan plan, $RecrashShape[] earlier) {
        kind = plan.u1();
        name = plan.text();
        int parent = plan.u4();
        above = parent == 0 ? null : earlier[parent - 1];
        int count = plan.u2();
        fieldNames = new String[count];
        fieldTypes = new String[count];
        int width = above == null ? 0 : above.bytes;
        for (int i = 0; i < count; i++) {
            fieldNames[i] = plan.text();
            fieldTypes[i] = plan.text();
            width += width(fieldTypes[i].charAt(0));
        }
        bytes = width;
        if (kind == $RecrashTag.LAMBDA_CLASS) {
            lambda = new $RecrashLambda();
            lambda.host = plan.text();
            lambda.interfaces = texts(plan, plan.u1());
            lambda.method = plan.text();
            lambda.methodDescriptor = plan.text();
            lambda.kind = plan.u1();
            lambda.owner = plan.text();
            lambda.name = plan.text();
            lambda.descriptor = plan.text();
        } else if (kind == $RecrashTag.PROXY_CLASS) {
            interfaces = texts(plan, plan.u2());
        }
    }

    private static String[] texts($RecrashPlan plan, int count) {
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = plan.text();
        }
        return texts;
    }

    void bring($RecrashCarriedClasses carried) {
        if (lambda != null) {
            carried.need(lambda.host);
            carried.need(lambda.owner);
        }
        String[] implemented = lambda != null ? lambda.interfaces : interfaces;
        for (int i = 0; implemented != null && i < implemented.length; i++) {
            carried.need(implemented[i]);
        }
        carried.need(name);
    }

    /** Looks the class up, without initialising it; a class that is not here leaves {@link #live} null. */
    $RecrashShape resolve(ClassLoader loader, $RecrashRestoreNotes notes) {
        if (resolved) {
            return this;
        }
        resolved = true;
        try {
            if (kind == $RecrashTag.LAMBDA_CLASS) {
                live = $RecrashLinker.lambdaClass(this, loader);
                allocatable = true;
            } else if (kind == $RecrashTag.PROXY_CLASS) {
                live = $RecrashLinker.proxyClass(interfaces, loader);
                allocatable = true;
            } else {
                live = Class.forName(name, false, loader);
                allocatable = !live.isArray() && !live.isInterface() && !Modifier.isAbstract(live.getModifiers())
                        && live != String.class && live != Class.class && !Enum.class.isAssignableFrom(live)
                        && $RecrashOpaque.reason(live) == 0;
                finish = allocatable ? $RecrashRepairs.kindOf(live) : 0;
                base = live.isArray() ? $RecrashArrays.base(live) : 0;
            }
        } catch (ClassNotFoundException | LinkageError absent) {
            problem = notes.refusal(name);
            if (problem == null) {
                problem = "class " + name + " is not on the class path (" + absent + ")";
            }
            notes.add(problem);
        } catch (Throwable refused) {
            problem = kind == $RecrashTag.LAMBDA_CLASS
                    ? "the lambda of " + lambda.host + " that calls " + lambda.owner + "." + lambda.name
                            + " cannot be made here (" + refused + ")"
                    : "class " + name + " cannot be used here (" + refused + ")";
            notes.add(problem);
        }
        return this;
    }

    /** Lets a lambda that this JVM made itself stand for the captured class. */
    boolean becomes(Class<?> lambdaClass) {
        if (!mapped) {
            live = lambdaClass;
        }
        return live == lambdaClass;
    }

    /** Finds every field here, by declaring class, name and type. */
    void map(ClassLoader loader, $RecrashRestoreNotes notes) {
        if (mapped) {
            return;
        }
        mapped = true;
        int inherited = 0;
        if (above != null) {
            above.resolve(loader, notes).map(loader, notes);
            inherited = above.types.length;
        }
        int count = inherited + fieldNames.length;
        types = new byte[count];
        offsets = new long[count];
        checks = new Class<?>[count];
        if (above != null) {
            System.arraycopy(above.types, 0, types, 0, inherited);
            System.arraycopy(above.offsets, 0, offsets, 0, inherited);
            System.arraycopy(above.checks, 0, checks, 0, inherited);
            if (live != null && above.live != null && !above.live.isAssignableFrom(live)) {
                notes.add(name + " does not extend " + above.name + " here; the fields captured from there are left out");
                Arrays.fill(offsets, 0, inherited, -1);
            }
        }
        Field[] declared = live == null ? new Field[0] : $RecrashMemory.declaredFields(live);
        for (int i = 0; i < fieldNames.length; i++) {
            int at = inherited + i;
            char type = fieldTypes[i].charAt(0);
            types[at] = (byte) (type == '[' ? 'L' : type);
            Field field = find(declared, fieldNames[i], fieldTypes[i]);
            if (field == null) {
                offsets[at] = -1;
                if (live != null) {
                    notes.add("field " + name + "." + fieldNames[i] + " (" + fieldTypes[i]
                            + ") does not exist here; its captured value is left out");
                }
            } else if (kind != $RecrashTag.LAMBDA_CLASS && $RecrashOpaque.skips(live, fieldNames[i])) {
                offsets[at] = -1;
            } else {
                offsets[at] = U.objectFieldOffset(field);
                checks[at] = field.getType() == Object.class ? null : field.getType();
            }
        }
    }

    private static Field find(Field[] declared, String name, String type) {
        for (int i = 0; i < declared.length; i++) {
            Field field = declared[i];
            if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())
                    && field.getType().descriptorString().equals(type)) {
                return field;
            }
        }
        return null;
    }

    static int width(char type) {
        switch (type) {
            case 'Z':
            case 'B':
                return 1;
            case 'C':
            case 'S':
                return 2;
            case 'J':
            case 'D':
                return 8;
            default:
                return 4;
        }
    }
}
