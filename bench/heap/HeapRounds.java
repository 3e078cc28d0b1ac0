import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import com.esotericsoftware.kryo.kryo5.util.DefaultInstantiatorStrategy;
import com.thoughtworks.xstream.XStream;
import java.util.Arrays;

/**
 * Carries one graph with recrash, XStream and Kryo, in turn, ROUNDS times, and prints one line of JSON: objects per
 * second of capture and of restore (medians of the later half of the rounds), bytes, and milliseconds of the first,
 * cold round. Arguments: ROUNDS and the depth of the tree.
 */
public class HeapRounds {
    abstract static class Route {
        final String name;

        Route(String name) {
            this.name = name;
        }

        abstract Object capture(Object root);

        abstract Object restore(Object captured);

        abstract long bytes(Object captured);
    }

    static final class Recrash extends Route {
        Recrash() {
            super("recrash");
        }

        @Override
        Object capture(Object root) {
            return $RecrashBenchDoor.capture(root, 50_000_000);
        }

        @Override
        Object restore(Object captured) {
            byte[] plan = $RecrashBenchDoor.plan((byte[][]) captured);
            return $RecrashRestorer.restore(plan, HeapRounds.class.getClassLoader())[1];
        }

        @Override
        long bytes(Object captured) {
            long sum = 0;
            for (byte[] piece : (byte[][]) captured) {
                sum += piece.length;
            }
            return sum;
        }
    }

    static final class Xml extends Route {
        private final XStream xstream = new XStream();

        Xml() {
            super("xstream");
            xstream.allowTypesByWildcard(new String[] {"**"});
        }

        @Override
        Object capture(Object root) {
            return xstream.toXML(root);
        }

        @Override
        Object restore(Object captured) {
            return xstream.fromXML((String) captured);
        }

        @Override
        long bytes(Object captured) {
            return ((String) captured).length();
        }
    }

    static final class Binary extends Route {
        private final Kryo kryo = new Kryo();

        Binary() {
            super("kryo");
            kryo.setRegistrationRequired(false);
            kryo.setReferences(true);
            kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
        }

        @Override
        Object capture(Object root) {
            Output out = new Output(1 << 20, -1);
            kryo.writeClassAndObject(out, root);
            return out.toBytes();
        }

        @Override
        Object restore(Object captured) {
            return kryo.readClassAndObject(new Input((byte[]) captured));
        }

        @Override
        long bytes(Object captured) {
            return ((byte[]) captured).length;
        }
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        int depth = Integer.parseInt(args[1]);
        long expected = Graph.check(Graph.tree(depth));
        Route[] routes = {new Recrash(), new Xml(), new Binary()};
        long[][] captures = new long[routes.length][rounds];
        long[][] restores = new long[routes.length][rounds];
        long[] bytes = new long[routes.length];
        int objects = 0;
        for (int round = 0; round < rounds; round++) {
            for (int r = 0; r < routes.length; r++) {
                // A new graph each time: every route leaves identity hashes behind, which the next would profit from.
                Graph.Node root = Graph.tree(depth);
                long start = System.nanoTime();
                Object captured = routes[r].capture(root);
                captures[r][round] = System.nanoTime() - start;
                if (r == 0) {
                    objects = $RecrashBenchDoor.objects((byte[][]) captured);
                }
                bytes[r] = routes[r].bytes(captured);
                start = System.nanoTime();
                Object restored = routes[r].restore(captured);
                restores[r][round] = System.nanoTime() - start;
                if (Graph.check((Graph.Node) restored) != expected) {
                    throw new IllegalStateException(routes[r].name + " did not bring the graph back");
                }
            }
        }
        StringBuilder out = new StringBuilder("{\"objects\":").append(objects).append(",\"routes\":[");
        for (int r = 0; r < routes.length; r++) {
            out.append(r == 0 ? "" : ",").append("{\"route\":\"").append(routes[r].name)
                    .append("\",\"capture_per_second\":").append(rate(objects, captures[r]))
                    .append(",\"restore_per_second\":").append(rate(objects, restores[r]))
                    .append(",\"bytes\":").append(bytes[r])
                    .append(",\"cold_capture_ms\":").append(captures[r][0] / 1_000_000)
                    .append(",\"cold_restore_ms\":").append(restores[r][0] / 1_000_000).append('}');
        }
        System.out.println(out.append("]}"));
    }

    private static long rate(int objects, long[] nanos) {
        long[] later = Arrays.copyOfRange(nanos, nanos.length / 2, nanos.length);
        Arrays.sort(later);
        return (long) (objects * 1e9 / later[later.length / 2]);
    }
}
