import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.*;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Each case changes objects of its World in another way. main runs them one by one and prints which fields and elements
 * of objects that were there before have changed, and whether the case threw: `case threw class field`.
 */
public class Cases {
    static class Node implements Comparable<Node> {
        int x;
        long count;
        volatile int atomic;
        Node next;
        String name = "n";
        int touched;
        Node(int x) { this.x = x; }
        public int compareTo(Node other) { touched++; return Integer.compare(x, other.x); }
        public int hashCode() { touched++; return x; }
        public boolean equals(Object other) { return other instanceof Node n && n.x == x; }
        public String toString() { touched++; return name + x; }
        void setX(int x) { this.x = x; }
        Node self() { return this; }
    }

    static class World {
        Node a = new Node(1);
        Node b = new Node(2);
        Node[] nodes = {new Node(3), new Node(4)};
        int[] ints = {1, 2, 3};
        List<Node> list = new ArrayList<>(List.of(new Node(5), new Node(6)));
        Map<Node, Node> map = new HashMap<>(Map.of(new Node(7), new Node(8)));
        Shape shape = new Circle();
        Object anything = a;
        Pair pair = new Pair(new Node(9), 10);
        AtomicReference<Node> reference = new AtomicReference<>(new Node(11));
        int[][] grid = {{1}, {2}};
        int size;
    }

    record Pair(Node node, int number) { }

    interface Shape { void grow(); default void growTwice() { grow(); grow(); } }
    static class Circle implements Shape { int radius; public void grow() { radius++; } }
    static class Square implements Shape { int side; public void grow() { side++; } }

    static class Base { int state; Base() { init(); } void init() { } }
    static class Derived extends Base {
        static World seen;
        void init() { if (seen != null) seen.a.x = 77; }
    }

    static class Carrier extends RuntimeException { final Node node; Carrier(Node node) { this.node = node; } }
    static class Registry { static Node known; static final List<Node> all = new ArrayList<>(); }
    static class Late { static int made; static { made = 1; if (Registry.known != null) Registry.known.x = 99; } }

    static final VarHandle X;
    static final AtomicIntegerFieldUpdater<Node> ATOMIC = AtomicIntegerFieldUpdater.newUpdater(Node.class, "atomic");
    static {
        try {
            X = MethodHandles.lookup().findVarHandle(Node.class, "x", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void caseDirect(World w) { w.a.x = 42; }
    static void caseCallee(World w) { w.a.setX(42); }
    static void caseReceiver(World w) { new Circle().grow(); w.shape.grow(); }
    static void caseDefaultMethod(World w) { w.shape.growTwice(); }
    static void caseArray(World w) { w.ints[1] = 9; }
    static void caseNestedArray(World w) { w.grid[1][0] = 9; }
    static void caseArrayOfObjects(World w) { w.nodes[0].x = 9; w.nodes[1] = null; }
    static void caseArrayCopy(World w) { System.arraycopy(new int[] {7, 8}, 0, w.ints, 0, 2); }
    static void caseFill(World w) { Arrays.fill(w.ints, 3); }
    static void caseSort(World w) { w.nodes = new Node[] {w.b, w.a}; Arrays.sort(w.nodes); }
    static void caseList(World w) { w.list.get(1).x = 3; }
    static void caseIterator(World w) { for (Node n : w.list) n.count++; }
    static void caseLambda(World w) { w.list.forEach(n -> n.x++); }
    static void caseStream(World w) { w.list.stream().filter(n -> n.x > 0).map(Node::self).forEach(n -> n.count = 5); }
    static void caseCaptured(World w) { Node n = w.a; Runnable r = () -> n.x = 12; r.run(); }
    static void caseMethodReference(World w) { Consumer<Integer> c = w.a::setX; c.accept(5); }
    static void caseConstructorReference(World w) { Derived.seen = w; Supplier<Base> s = Derived::new; s.get(); }
    static void caseHash(World w) { w.map.put(w.a, w.b); }
    static void caseGetByHash(World w) { w.map.get(new Node(7)).x = 1; }
    static void caseConcat(World w) { String s = "a" + w.a + w.size; }
    static void caseBuilder(World w) { new StringBuilder().append(w.a); }
    static void caseFormat(World w) { String.format("%s", w.a); }
    static void caseRecord(World w) { w.pair.toString(); w.pair.node().x = 2; }
    static void caseRecordHash(World w) { w.pair.hashCode(); }
    static void caseStatic(World w) { Registry.known = w.a; Registry.known.x = 4; }
    static void caseStaticList(World w) { Registry.all.add(w.b); touchAll(); }
    static void touchAll() { for (Node n : Registry.all) n.x = -1; }
    static void caseClone(World w) { Node[] copy = w.nodes.clone(); copy[0].x = 8; copy[1] = null; }
    static void caseReassigned(World w) { w.a = w.b; w.a.x = 6; }
    static void caseFreshHolder(World w) { Pair p = new Pair(w.a, 1); p.node().x = 3; }
    static void caseFreshChain(World w) { Node f = new Node(0); f.next = new Node(1); f.next.next = w.b; f.next.next.x = 4; }
    static void caseReturned(World w) { pick(w, true).x = 5; }
    static Node pick(World w, boolean first) { return first ? w.a : w.b.self(); }
    static void caseRecursion(World w) { w.a.next = w.b; walk(w.a, 3); }
    static void walk(Node n, int depth) { if (n == null) return; n.count += depth; other(n.next, depth - 1); }
    static void other(Node n, int depth) { if (depth > 0) walk(n, depth); }
    static void caseException(World w) {
        try { thrower(w.a); } catch (Carrier c) { c.node.x = 21; }
    }
    static void thrower(Node n) { throw new Carrier(n); }
    static void caseFinally(World w) {
        try { w.ints[10] = 1; } finally { w.size = 4; }
    }
    static void caseBeforeThrow(World w) { w.size++; w.a.next.x = 1; }
    static void caseCalleeBeforeThrow(World w) { w.a.setX(5); throw new IllegalStateException(); }
    static void caseReflection(World w) throws Exception { Node.class.getDeclaredMethod("setX", int.class).invoke(w.a, 31); }
    static void caseField(World w) throws Exception { Node.class.getDeclaredField("x").setInt(w.a, 32); }
    static void caseVarHandle(World w) { X.set(w.a, 33); }
    static void caseVarHandleAdd(World w) { X.getAndAdd(w.b, 1); }
    static void caseUpdater(World w) { ATOMIC.incrementAndGet(w.a); }
    static void caseAtomicReference(World w) { w.reference.get().x = 2; w.reference.updateAndGet(n -> { n.count = 1; return n; }); }
    static void caseOptional(World w) { Optional.of(w.a).map(n -> n).ifPresent(n -> n.x = 7); }
    static void caseCompute(World w) { w.map.computeIfAbsent(new Node(100), k -> { w.size = 8; return w.b; }).x = 9; }
    static void caseComparator(World w) { w.list.sort((p, q) -> { p.count++; return p.x - q.x; }); }
    static void caseTreeMap(World w) { TreeMap<Node, String> t = new TreeMap<>(); t.put(w.a, "a"); t.put(w.b, "b"); }
    static void caseSuperConstructor(World w) { Derived.seen = w; new Derived(); }
    static void caseAnonymous(World w) { new Object() { void go() { w.b.x = 17; } }.go(); }
    static void caseFunction(World w) { Function<World, Node> f = v -> v.a; Function<World, Node> g = f.andThen(n -> { n.x = 3; return n; }); g.apply(w); }
    static void caseAnything(World w) { ((Node) w.anything).x = 14; }
    static void caseSwap(World w) { Node t = w.a; w.a = w.b; w.b = t; w.b.x = 50; }
    static void caseCollections(World w) { Collections.reverse(w.list); Collections.unmodifiableList(w.list).get(0).x = 1; }
    static void caseThreadLocal(World w) { ThreadLocal<Node> local = ThreadLocal.withInitial(() -> w.a); local.get().x = 8; }
    static void caseInitializer(World w) { Registry.known = w.b; int made = Late.made; }
    static void caseSwitch(World w) { switch (w.a.name) { case "n" -> w.a.x = 1; default -> w.b.x = 1; } }
    static void caseCloseable(World w) throws Exception { try (AutoCloseable c = () -> w.size = 3) { w.a.x = 2; } }
    static void casePure(World w) { new Node(w.a.x).setX(3); Math.max(w.a.x, w.ints[0]); }

    public static void main(String[] args) throws Exception {
        for (Method method : Cases.class.getDeclaredMethods()) {
            if (!method.getName().startsWith("case") || method.isSynthetic()) continue;
            Registry.known = null;
            Registry.all.clear();
            Derived.seen = null;
            World world = new World();
            Map<Object, List<Object>> before = new IdentityHashMap<>();
            visit(world, before);
            boolean threw = false;
            try {
                method.invoke(null, world);
            } catch (InvocationTargetException e) {
                threw = true;
            }
            System.out.println(method.getName() + " " + threw + " ran -");
            for (Map.Entry<Object, List<Object>> entry : before.entrySet()) {
                List<Object> now = content(entry.getKey());
                for (int i = 0; i < now.size(); i += 2) {
                    Object old = entry.getValue().get(i + 1);
                    Object value = now.get(i + 1);
                    boolean same = old instanceof Number ? old.equals(value) : old == value;
                    if (!same) System.out.println(method.getName() + " " + threw + " " + now.get(i));
                }
            }
        }
    }

    /** Objects of this program, and arrays and JDK collections on the way to them. */
    static void visit(Object object, Map<Object, List<Object>> seen) throws Exception {
        if (object == null || seen.containsKey(object)) return;
        if (object instanceof Collection<?> c) { for (Object o : c) visit(o, seen); return; }
        if (object instanceof Map<?, ?> m) { for (Map.Entry<?, ?> e : m.entrySet()) { visit(e.getKey(), seen); visit(e.getValue(), seen); } return; }
        if (object instanceof AtomicReference<?> r) { visit(r.get(), seen); return; }
        List<Object> content = content(object);
        if (content.isEmpty()) return;
        seen.put(object, content);
        for (int i = 1; i < content.size(); i += 2) visit(content.get(i), seen);
    }

    static List<Object> content(Object object) throws Exception {
        List<Object> content = new ArrayList<>();
        if (object instanceof int[] ints) {
            for (int i : ints) { content.add("elements int"); content.add(i); }
        } else if (object instanceof Object[] objects) {
            for (Object o : objects) { content.add("elements reference"); content.add(o); }
        } else if (object.getClass().getName().startsWith("Cases")) {
            for (Class<?> c = object.getClass(); c != Object.class; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())) continue;
                    field.setAccessible(true);
                    content.add(c.getName() + " " + field.getName());
                    content.add(field.get(object));
                }
            }
        }
        return content;
    }
}
