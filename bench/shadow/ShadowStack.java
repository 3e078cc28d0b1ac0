import java.util.Arrays;

/** The classic shadow stack of one thread: every call pushes what it was given, every return pops it. */
public final class ShadowStack {
    private static final ThreadLocal<ShadowStack> STACKS = ThreadLocal.withInitial(ShadowStack::new);

    private int[] methods = new int[256];
    private Object[][] arguments = new Object[256][];
    private int depth;

    private ShadowStack() {}

    public static void push(int method, Object[] given) {
        ShadowStack stack = STACKS.get();
        if (stack.depth == stack.methods.length) {
            stack.methods = Arrays.copyOf(stack.methods, stack.depth * 2);
            stack.arguments = Arrays.copyOf(stack.arguments, stack.depth * 2);
        }
        stack.methods[stack.depth] = method;
        stack.arguments[stack.depth++] = given;
    }

    public static void pop() {
        ShadowStack stack = STACKS.get();
        stack.arguments[--stack.depth] = null;
    }
}
