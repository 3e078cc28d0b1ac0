// exit 1
// snapshot main LegacyCause$Old <- java.lang.reflect.InvocationTargetException <- java.lang.NullPointerException
//   2 LegacyCause.target(null)
//   1 LegacyCause.call(java.lang.reflect.Method)
//   0 LegacyCause.main([Ljava.lang.String;)
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

public class LegacyCause {
    /** As exceptions were nested before Throwable had a cause. */
    static class Old extends Exception {
        private final Exception nested;

        Old(Exception nested) {
            super("old");
            this.nested = nested;
        }
    }

    public static int target(String text) {
        String trimmed = text.trim();
        return trimmed.length() + 1;
    }

    static Object call(Method method) throws Exception {
        Object[] arguments = {null};
        return method.invoke(null, arguments);
    }

    public static void main(String[] args) throws Exception {
        try {
            System.out.println(call(LegacyCause.class.getMethod("target", String.class)));
        } catch (InvocationTargetException e) {
            throw new Old(e);
        }
    }
}
