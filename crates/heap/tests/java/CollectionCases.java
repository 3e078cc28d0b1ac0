import java.util.*;
import java.util.concurrent.*;

/** Collections of the JDK, filled and used after the restore. */
class CollectionCases {
    enum Colour { RED, GREEN, BLUE }

    static final class Key {
        final String text;

        Key(String text) {
            this.text = text;
        }
    }

    static List<Case> all() {
        List<Case> cases = new ArrayList<>(Arrays.asList(
                list("ArrayList", () -> new ArrayList<>(Arrays.asList("a", 1, null))),
                list("LinkedList", () -> new LinkedList<>(Arrays.asList("a", 1, null))),
                list("CopyOnWriteArrayList", () -> new CopyOnWriteArrayList<>(Arrays.asList("a", 1, null))),
                list("an empty ArrayList", ArrayList::new),
                list("Vector", () -> new Vector<>(Arrays.asList(1, 2))),
                Case.equal("List.of", () -> List.of("a", "b", "c")),
                Case.<List<?>>of("List.of()", () -> List.of(), o -> Case.that(o == List.of())),
                Case.equal("Set.of", () -> Set.of("a")),
                Case.<Set<Object>>of("Set.of many", () -> Set.of("a", "b", "c", "d", Colour.RED, 7L), o -> {
                    Case.that(o.contains("c") && o.contains(Colour.RED) && o.contains(7L) && !o.contains("e"));
                    Case.same(6, o.size());
                }),
                Case.<Set<Object>>of("a Set.of of Set.of", () -> Set.of(Set.of(1, 2, 3), Set.of(4, 5, 6), Set.of(7, 8, 9)),
                        o -> Case.that(o.contains(Set.of(4, 5, 6)))),
                Case.equal("Map.of", () -> Map.of("k", "v")),
                Case.<Map<Object, Object>>of("Map.of many", () -> Map.of("a", 1, "b", 2, "c", 3, "d", 4), o -> {
                    Case.same(3, o.get("c"));
                    Case.same(null, o.get("x"));
                    Case.same(4, o.size());
                }),
                map("HashMap", HashMap::new),
                map("LinkedHashMap", LinkedHashMap::new),
                map("TreeMap", TreeMap::new),
                map("a TreeMap with a comparator", () -> new TreeMap<>(Comparator.<Object, String>comparing(
                        o -> o.toString()).reversed())),
                map("ConcurrentHashMap", ConcurrentHashMap::new),
                map("ConcurrentSkipListMap", ConcurrentSkipListMap::new),
                map("Hashtable", Hashtable::new),
                map("Collections.synchronizedMap", () -> Collections.synchronizedMap(new HashMap<>())),
                Case.<LinkedHashMap<Object, Object>>of("LinkedHashMap keeps its order", () -> {
                    LinkedHashMap<Object, Object> m = new LinkedHashMap<>();
                    m.put("z", 1);
                    m.put("a", 2);
                    m.put("m", 3);
                    return m;
                }, o -> {
                    o.put("b", 4);
                    Case.same("[z, a, m, b]", o.keySet().toString());
                }),
                Case.<EnumMap<Colour, Object>>of("EnumMap", () -> {
                    EnumMap<Colour, Object> m = new EnumMap<>(Colour.class);
                    m.put(Colour.BLUE, 1);
                    return m;
                }, o -> {
                    o.put(Colour.RED, 2);
                    Case.same("{RED=2, BLUE=1}", o.toString());
                }),
                Case.equal("EnumSet", () -> EnumSet.of(Colour.RED, Colour.BLUE)),
                Case.<HashSet<Object>>of("HashSet", () -> new HashSet<>(Arrays.asList("a", "b")), o -> {
                    Case.that(o.contains("a") && !o.add("b") && o.add("c") && o.remove("a"));
                    Case.same(2, o.size());
                }),
                Case.<LinkedHashSet<Object>>of("LinkedHashSet", () -> new LinkedHashSet<>(Arrays.asList("b", "a")),
                        o -> Case.same("[b, a]", o.toString())),
                Case.<TreeSet<Object>>of("TreeSet", () -> new TreeSet<>(Arrays.asList("b", "a")), o -> {
                    o.add("0");
                    Case.same("[0, a, b]", o.toString());
                }),
                Case.<ArrayDeque<Object>>of("ArrayDeque", () -> new ArrayDeque<>(Arrays.asList(1, 2, 3)), o -> {
                    o.addFirst(0);
                    Case.same(3, o.pollLast());
                }),
                Case.<PriorityQueue<Object>>of("PriorityQueue",
                        () -> {
                            PriorityQueue<Object> q = new PriorityQueue<>(Collections.reverseOrder());
                            q.addAll(Arrays.asList(1, 5, 3));
                            return q;
                        }, o -> {
                            o.add(9);
                            Case.same(9, o.poll());
                            Case.same(5, o.poll());
                        }),
                Case.<LinkedBlockingQueue<Object>>of("LinkedBlockingQueue",
                        () -> new LinkedBlockingQueue<>(Arrays.asList(1, 2)), o -> {
                            o.put(3);
                            Case.same(1, o.take());
                            Case.same(2, o.size());
                        }),
                Case.equal("BitSet", () -> BitSet.valueOf(new long[] {5, 1L << 40})),
                Case.equal("Collections.unmodifiableList", () -> Collections.unmodifiableList(Arrays.asList(1, 2))
                        .subList(0, 1)),
                Case.equal("Properties", () -> {
                    Properties p = new Properties();
                    p.setProperty("a", "b");
                    return p;
                }),
                Case.<Iterator<Object>>of("an iterator half way", () -> {
                    Iterator<Object> i = new ArrayList<Object>(Arrays.asList(1, 2, 3)).iterator();
                    i.next();
                    return i;
                }, o -> Case.same(2, o.next()))));
        cases.addAll(identity());
        return cases;
    }

    /** The first element is the key; all maps are keyed by objects without hashCode of their own. */
    static List<Case> identity() {
        List<Case> cases = new ArrayList<>();
        for (String kind : new String[] {"HashMap", "LinkedHashMap", "Hashtable", "IdentityHashMap", "WeakHashMap",
                "ConcurrentHashMap"}) {
            cases.add(Case.<Object[]>of(kind + " with identity keys", () -> {
                Map<Object, Object> m = newMap(kind);
                Object[] keys = new Object[102];
                for (int i = 0; i < 100; i++) {
                    keys[i] = i % 3 == 0 ? new Object() : new Key("k" + i);
                    m.put(keys[i], i);
                }
                m.put(Colour.GREEN, "green");
                m.put(String.class, "string");
                keys[100] = m;
                return keys;
            }, o -> {
                @SuppressWarnings("unchecked")
                Map<Object, Object> m = (Map<Object, Object>) o[100];
                Case.same(102, m.size());
                for (int i = 0; i < 100; i++) {
                    Case.same(i, m.get(o[i]));
                }
                Case.same("green", m.get(Colour.GREEN));
                Case.same("string", m.get(String.class));
                Case.same(null, m.get(new Object()));
                Case.same(7, m.remove(o[7]));
                Case.same(null, m.put(new Object(), 1));
            }));
        }
        return cases;
    }

    private static Map<Object, Object> newMap(String kind) {
        switch (kind) {
            case "HashMap":
                return new HashMap<>();
            case "LinkedHashMap":
                return new LinkedHashMap<>();
            case "Hashtable":
                return new Hashtable<>();
            case "IdentityHashMap":
                return new IdentityHashMap<>();
            case "WeakHashMap":
                return new WeakHashMap<>();
            default:
                return new ConcurrentHashMap<>();
        }
    }

    private static Case list(String name, Case.Maker empty) {
        return Case.<List<Object>>of(name, empty, o -> {
            @SuppressWarnings("unchecked")
            List<Object> expected = (List<Object>) empty.make();
            Case.same(expected, o);
            for (int i = 0; i < 20; i++) {
                o.add(i);
                expected.add(i);
            }
            o.remove(0);
            expected.remove(0);
            Case.same(expected, o);
            Case.same(expected.toString(), o.toString());
        });
    }

    private static Case map(String name, Case.Maker empty) {
        Case.Maker filled = () -> {
            @SuppressWarnings("unchecked")
            Map<Object, Object> m = (Map<Object, Object>) empty.make();
            for (int i = 0; i < 50; i++) {
                m.put("key" + i, i);
            }
            return m;
        };
        return Case.<Map<Object, Object>>of(name, filled, o -> {
            @SuppressWarnings("unchecked")
            Map<Object, Object> expected = (Map<Object, Object>) filled.make();
            Case.same(expected, o);
            Case.same(17, o.get("key17"));
            Case.same(17, o.remove("key17"));
            for (int i = 0; i < 100; i++) {
                o.put("more" + i, i);
            }
            Case.same(149, o.size());
            Case.same(99, o.get("more99"));
            Case.same(null, o.get("absent"));
        });
    }
}
