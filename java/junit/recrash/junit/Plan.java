package recrash.junit;

import java.nio.file.Path;

/** Where a frame's restore plan comes from. */
interface Plan {
    byte[] bytes();

    /** The same without static fields and thread locals, where there is a choice. */
    default Plan withoutStatics() {
        return this;
    }

    /** The same with objects as they were at the failure, where there is a choice. */
    default Plan withoutPatches() {
        return this;
    }

    /** The plan that the native library makes of a snapshot's file. */
    final class OfFile implements Plan {
        private static final int NO_STATICS = 1;
        private static final int NO_PATCHES = 2;

        private final Path file;
        private final int frame;
        private final int flags;

        OfFile(Path file, int frame, int flags) {
            this.file = file;
            this.frame = frame;
            this.flags = flags;
        }

        @Override
        public byte[] bytes() {
            return Native.plan(file.toString(), frame, flags);
        }

        @Override
        public Plan withoutStatics() {
            return new OfFile(file, frame, flags | NO_STATICS);
        }

        @Override
        public Plan withoutPatches() {
            return new OfFile(file, frame, flags | NO_PATCHES);
        }
    }
}
