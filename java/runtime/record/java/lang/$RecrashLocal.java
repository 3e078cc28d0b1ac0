package java.lang;

/** The thread local behind {@link $RecrashThread}; a class of its own so that capture can leave it out. */
final class $RecrashLocal extends ThreadLocal<$RecrashThread> {
    @Override
    protected $RecrashThread initialValue() {
        return new $RecrashThread();
    }
}
