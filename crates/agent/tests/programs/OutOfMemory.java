// exit 1
// snapshot main java.lang.OutOfMemoryError
//   0 OutOfMemory.allocate("much", 2147483647)
//   0 OutOfMemory.main([Ljava.lang.String;)
public class OutOfMemory {
    static long allocate(String what, int size) {
        long[] much = new long[size];
        much[0] = what.length();
        return much[0];
    }

    public static void main(String[] args) {
        System.out.println("allocating");
        System.out.println(allocate("much", Integer.MAX_VALUE));
    }
}
