package java.lang;

/**
 * The layout of a monitored method's frame: where its local variables hold what its handler would put. Read off the stack, a
 * frame is recorded as if an exception had left it.
 */
final class $RecrashFrameLayout {
    private $RecrashFrameLayout() {}

    /**
     * What {@link $RecrashAgent#layouts} takes: the parts apart by tabs, one more for a constructor in {@code super(...)}. How
     * many variables there are tells frames that were entered before their class was woven anew.
     */
    static String name(Class<?> type, String method, String descriptor, Object[] locals, boolean inside) {
        return type.getName() + "\t" + method + "\t" + descriptor + "\t" + locals.length + (inside ? "\tinside" : "");
    }

    /** A layout is the site, then a kind ({@link $RecrashValueKind}) and a slot for each value. */
    static int site(String[] layout) {
        return Integer.parseInt(layout[0]);
    }

    /** Puts the values in the order in which the method's handler would. */
    static void put($RecrashFrames record, String[] layout, Object[] locals, $RecrashEntryState journal) {
        for (int i = 1; i < layout.length; i++) {
            char kind = layout[i].charAt(0);
            int slot = Integer.parseInt(layout[i].substring(1));
            Object value = slot < 0 || slot >= locals.length ? null : locals[slot];
            if (kind == $RecrashValueKind.REFERENCE) {
                record.put(value instanceof LiveStackFrame.PrimitiveSlot ? null : value);
            } else if (kind == $RecrashValueKind.JOURNAL) {
                record.put(journal);
            } else {
                // Of two slots the second holds the number.
                record.put(bits(locals, isWide(kind) ? slot + 1 : slot, kind));
            }
        }
    }

    private static long bits(Object[] locals, int slot, char kind) {
        Object value = slot < 0 || slot >= locals.length ? null : locals[slot];
        if (!(value instanceof LiveStackFrame.PrimitiveSlot)) {
            return 0;
        }
        LiveStackFrame.PrimitiveSlot number = (LiveStackFrame.PrimitiveSlot) value;
        long bits = number.size() == Integer.BYTES ? number.intValue() : number.longValue();
        return isWide(kind) ? bits : (int) bits;
    }

    private static boolean isWide(char kind) {
        return kind == $RecrashValueKind.LONG || kind == $RecrashValueKind.DOUBLE;
    }
}
