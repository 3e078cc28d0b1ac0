package java.lang;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The classes that travel with a plan because the program made them at run time: those that are needed and that the
 * test's class loader does not know are defined in it. The JVM verifies them as it does every class of that loader; one
 * that it refuses becomes a sentence.
 *
 * <p>No more than needed: generators give the same names again, and a loader takes a name only once.
 */
final class $RecrashCarriedClasses {
    private final $RecrashPlan plan;
    private final ClassLoader loader;
    private final $RecrashRestoreNotes notes;
    /** By name: where the length of the class file stands. */
    private final Map<String, Integer> starts = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    /** Indexes the classes from the plan's position on. */
    $RecrashCarriedClasses($RecrashPlan plan, ClassLoader loader, $RecrashRestoreNotes notes) {
        this.plan = plan;
        this.loader = loader;
        this.notes = notes;
        for (int n = plan.u4(); n > 0; n--) {
            String name = plan.text();
            starts.put(name, plan.at);
            plan.skip(plan.u4());
        }
    }

    boolean isEmpty() {
        return starts.isEmpty();
    }

    boolean has(String name) {
        return starts.containsKey(name);
    }

    /** Brings the class of that name here if it travels with the plan, and those that its code mentions. */
    void need(String name) {
        ArrayDeque<String> waiting = new ArrayDeque<>();
        waiting.add(elementOf(name));
        while (!waiting.isEmpty()) {
            String next = waiting.remove();
            if (has(next) && seen.add(next) && !isKnown(next)) {
                define(next);
                addMentioned(next, waiting);
            }
        }
    }

    /** Super classes first: the JVM says which one it misses. */
    private void define(String name) {
        ArrayDeque<String> stack = new ArrayDeque<>();
        stack.push(name);
        while (!stack.isEmpty()) {
            String top = stack.peek();
            try {
                if (!isKnown(top)) {
                    define(top, bytes(top));
                }
                stack.pop();
            } catch (NoClassDefFoundError missing) {
                String above = String.valueOf(missing.getMessage()).replace('/', '.');
                if (has(above) && notes.refusal(above) == null && !stack.contains(above)) {
                    stack.push(above);
                } else {
                    refuse(stack.pop(), missing);
                }
            } catch (LinkageError | RuntimeException refused) {
                stack.pop();
                // Another thread may have been faster.
                if (!isKnown(top)) {
                    refuse(top, refused);
                }
            }
        }
    }

    private void define(String name, byte[] bytes) {
        if (loader == null) {
            // The boot loader would take the bytes unverified.
            throw new LinkageError("the test has no class loader of its own");
        }
        ClassLoader.defineClass1(loader, name, bytes, 0, bytes.length, null, null);
    }

    private byte[] bytes(String name) {
        plan.at = starts.get(name);
        int length = plan.u4();
        int start = plan.at;
        plan.skip(length);
        return Arrays.copyOfRange(plan.bytes, start, start + length);
    }

    private boolean isKnown(String name) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    private void refuse(String name, Throwable reason) {
        notes.refuse(name, "class " + name + ", which travels with the snapshot, cannot be defined here (" + reason + ")");
    }

    /** The names in the class's constant pool (JVMS 4.4), of which only those that travel with the plan count. */
    private void addMentioned(String name, ArrayDeque<String> waiting) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes(name)))) {
            in.skipBytes(8);
            int count = in.readUnsignedShort();
            for (int index = 1; index < count; index++) {
                int tag = in.readUnsignedByte();
                if (tag == 1) {
                    String element = elementOf(in.readUTF().replace('/', '.'));
                    if (has(element)) {
                        waiting.add(element);
                    }
                } else if (tag == 5 || tag == 6) {
                    in.skipBytes(8);
                    index++;
                } else {
                    in.skipBytes(tag == 7 || tag == 8 || tag == 16 || tag == 19 || tag == 20 ? 2 : tag == 15 ? 3 : 4);
                }
            }
        } catch (IOException damaged) {
            // The JVM has refused it already.
        }
    }

    /** {@code app.Order} of itself, of {@code Lapp.Order;} and of {@code [[Lapp.Order;}. */
    private static String elementOf(String name) {
        if (!name.endsWith(";")) {
            return name;
        }
        int start = 0;
        while (name.charAt(start) == '[') {
            start++;
        }
        return name.charAt(start) == 'L' ? name.substring(start + 1, name.length() - 1) : name;
    }
}
