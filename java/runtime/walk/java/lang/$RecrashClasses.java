package java.lang;

/** The class table of a heap part in the making: layouts by class, and the table's bytes. */
final class $RecrashClasses {
    final $RecrashWellKnown wellKnown = new $RecrashWellKnown(this);
    private final $RecrashPieces out = new $RecrashPieces(1 << 14);
    /** Open addressing by identity of the class. */
    private $RecrashLayout[] slots = new $RecrashLayout[512];
    private int known;
    private int rows;
    private boolean usualAdded;

    $RecrashLayout of(Class<?> type) {
        $RecrashLayout found = find(type);
        if (found == null || found.tag == $RecrashTag.CUT) {
            found = describe(type);
        }
        return found;
    }

    /** For an object beyond the budget: its class is named, but nothing is looked up. */
    $RecrashLayout ofCut(Class<?> type) {
        $RecrashLayout found = find(type);
        if (found == null) {
            found = new $RecrashLayout(type);
            found.describeAsCut();
            addRow(found);
            insert(found);
        }
        return found;
    }

    void mayBeWellKnown(Class<?> kind) {
        $RecrashLayout layout = find(kind);
        if (layout != null) {
            layout.maybeWellKnown = true;
        }
    }

    private $RecrashLayout describe(Class<?> type) {
        if (!usualAdded) {
            usualAdded = true;
            wellKnown.addUsual();
        }
        $RecrashLayout layout = new $RecrashLayout(type);
        layout.describe(this);
        layout.maybeWellKnown = wellKnown.hasKind(type);
        addRow(layout);
        insert(layout);
        if (!type.isArray() && $RecrashOpaque.isJdk(type)) {
            wellKnown.add(type);
            Class<?> host = type.getNestHost();
            if (host != type && find(host) == null) {
                wellKnown.add(host);
            }
        }
        return layout;
    }

    /** Null for a class that was not met. */
    $RecrashLayout find(Class<?> type) {
        int mask = slots.length - 1;
        int slot = System.identityHashCode(type) & mask;
        $RecrashLayout layout;
        while ((layout = slots[slot]) != null) {
            if (layout.type == type) {
                return layout;
            }
            slot = slot + 1 & mask;
        }
        return null;
    }

    private void insert($RecrashLayout layout) {
        if (known * 2 >= slots.length) {
            $RecrashLayout[] old = slots;
            slots = new $RecrashLayout[old.length * 2];
            for (int i = 0; i < old.length; i++) {
                if (old[i] != null) {
                    place(old[i]);
                }
            }
        }
        place(layout);
        known++;
    }

    private void place($RecrashLayout layout) {
        int mask = slots.length - 1;
        int slot = System.identityHashCode(layout.type) & mask;
        while (slots[slot] != null && slots[slot].type != layout.type) {
            slot = slot + 1 & mask;
        }
        slots[slot] = layout;
    }

    private void addRow($RecrashLayout layout) {
        layout.index = rows++;
        String name = layout.type.getName();
        out.reserve(16 + $RecrashPieces.textBytes(name));
        out.put1(layout.classKind);
        out.putText(name);
        out.put4(layout.above == null ? 0 : layout.above.index + 1);
        out.put2(layout.own.length);
        for (int i = 0; i < layout.own.length; i++) {
            putText(layout.own[i].getName());
            putText(layout.own[i].getType().descriptorString());
        }
        if (layout.classKind == $RecrashTag.LAMBDA_CLASS) {
            addLambda(layout.lambda);
        } else if (layout.classKind == $RecrashTag.PROXY_CLASS) {
            Class<?>[] interfaces = layout.type.getInterfaces();
            out.reserve(2);
            out.put2(interfaces.length);
            for (int i = 0; i < interfaces.length; i++) {
                putText(interfaces[i].getName());
            }
        }
    }

    private void addLambda($RecrashLambda lambda) {
        putText(lambda.host);
        out.reserve(1);
        out.put1(lambda.interfaces.length);
        for (int i = 0; i < lambda.interfaces.length; i++) {
            putText(lambda.interfaces[i]);
        }
        putText(lambda.method);
        putText(lambda.methodDescriptor);
        out.reserve(1);
        out.put1(lambda.kind);
        putText(lambda.owner);
        putText(lambda.name);
        putText(lambda.descriptor);
    }

    private void putText(String text) {
        out.reserve($RecrashPieces.textBytes(text));
        out.putText(text);
    }

    /** The whole heap part: header, this table, and the records in {@code objects}. */
    byte[][] finish($RecrashPieces objects, int count) {
        byte[][] table = out.finish(1);
        long bytes = 0;
        for (int i = 1; i < table.length; i++) {
            bytes += table[i].length;
        }
        $RecrashPieces header = new $RecrashPieces($RecrashTag.HEADER);
        header.put4($RecrashTag.MAGIC);
        header.put4($RecrashTag.VERSION);
        header.put4(rows);
        header.put4(count);
        header.put4((int) bytes);
        header.put4(0);
        table[0] = header.finish(0)[0];
        byte[][] result = objects.finish(table.length);
        System.arraycopy(table, 0, result, 0, table.length);
        return result;
    }
}
