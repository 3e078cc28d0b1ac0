package java.lang;

/** The thread local behind {@link $RecrashBorder}. */
final class $RecrashTalkLocal extends ThreadLocal<$RecrashTalk> {
    @Override
    protected $RecrashTalk initialValue() {
        return new $RecrashTalk();
    }
}
