package java.lang;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The second look, at the desk only: a frame that reproduces the failure runs again, the entries into the methods inside
 * it are counted, and the entries that led to the failure are captured as they happen, before anything was changed.
 */
public final class $RecrashLook {
    /** By method: how often it has been entered. */
    private static volatile AtomicIntegerArray entered = new AtomicIntegerArray(0);

    /** By method: which entries to capture. */
    private static volatile int[][] due = {};

    private $RecrashLook() {}

    /** The entries to capture, methods apart by {@code ;} and numbers by {@code ,}. */
    static void plan(String text) {
        String[] methods = text.split(";", -1);
        int[][] plan = new int[methods.length][];
        for (int method = 0; method < methods.length; method++) {
            String[] numbers = methods[method].isEmpty() ? new String[0] : methods[method].split(",");
            plan[method] = new int[numbers.length];
            for (int i = 0; i < numbers.length; i++) {
                plan[method][i] = Integer.parseInt(numbers[i]);
            }
        }
        entered = new AtomicIntegerArray(plan.length);
        due = plan;
    }

    /** The number of this entry into the method, negated when it is to be captured. */
    public static int arrive(int method) {
        int number = entered.incrementAndGet(method);
        for (int wanted : due[method]) {
            if (wanted == number) {
                return -number;
            }
        }
        return number;
    }

    /** Starts the record of the entry; the woven code then puts its values. */
    public static $RecrashFrames arriving(int site) {
        $RecrashStorage storage = new $RecrashStorage(8);
        storage.open(site);
        $RecrashFrames entry = new $RecrashFrames(null, storage);
        $RecrashThread.current().arriving = entry;
        return entry;
    }

    /** All values are there: captures the entry. */
    public static void arrived() {
        $RecrashThread thread = $RecrashThread.current();
        $RecrashFrames entry = thread.arriving;
        thread.arriving = null;
        $RecrashFailure.entered(Thread.currentThread(), entry);
    }
}
