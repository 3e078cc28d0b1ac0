package java.lang;

/**
 * What woven code calls where something may cross the border between the program's driver and the code it uses.
 *
 * <p>Lives in java.lang so that every class loader sees it. Nothing here throws or calls a method of the program. Where
 * memory or the stack is exhausted, or the recording is full, recording ends and the program goes on.
 */
public final class $RecrashBorder {
    private static final $RecrashTalkLocal LOCAL = new $RecrashTalkLocal();

    /** Takes what nobody wants. */
    private static final $RecrashTalk IDLE = new $RecrashTalk();

    private $RecrashBorder() {}

    /** Of the thread that is asked for most: that which runs the driver's main method. */
    private static Thread first;
    private static $RecrashTalk talkOfFirst;

    private static $RecrashTalk talk() {
        return Thread.currentThread() == first ? talkOfFirst : LOCAL.get();
    }

    /** The thread on which this is called first runs the driver; all others come from inside until they reach it. */
    static void begin(long collections) {
        $RecrashKnown.start(collections);
        talkOfFirst = LOCAL.get();
        talkOfFirst.inside = false;
        first = Thread.currentThread();
        $RecrashSecrets.start();
        $RecrashLog.start();
    }

    /** Outside code calls, with the receiver and arguments that are put next. */
    public static $RecrashTalk calling(int site) {
        return talk().gather(site, $RecrashTalk.SURE);
    }

    /** Outside code calls the JDK: an event only where something is passed that has crossed before. */
    public static $RecrashTalk perhaps(int site) {
        return talk().gather(site, $RecrashTalk.PERHAPS);
    }

    /** The same where the JDK's method changes nothing that it is given besides its receiver. */
    public static $RecrashTalk making(int site) {
        return talk().gather(site, $RecrashTalk.MAKING);
    }

    /** The same where the JDK's method changes nothing: an event only where the receiver is of the inside. */
    public static $RecrashTalk reading(int site) {
        return talk().gather(site, $RecrashTalk.READING);
    }

    /** Inside code asks the environment. */
    public static $RecrashTalk asking(int site) {
        return talk().gather(site, $RecrashTalk.QUESTION);
    }

    /** Outside code writes a field, with the receiver and the value that are put next. */
    public static $RecrashTalk writing(int site) {
        return talk().gather(site, $RecrashTalk.FIELD_WRITE);
    }

    /** Outside code has read a field, with the receiver and the value that are put next. */
    public static $RecrashTalk read(int site) {
        return talk().gather(site, $RecrashTalk.FIELD_READ);
    }

    /** Outside code has written an element of an array. */
    public static $RecrashTalk element(int site) {
        return talk().gather(site, $RecrashTalk.ELEMENT);
    }

    /** A static field is about to be read, which may initialise its class. */
    public static void touching(int site) {
        talk().touch(site);
    }

    /** The call, question or touch of that site is over; what it gave is put next. */
    public static $RecrashTalk returning(int site) {
        return talk().returning(site);
    }

    /** The same where it gave nothing. */
    public static void returned(int site) {
        talk().returning(site).nothing();
    }

    /**
     * Outside code is entered. The answer goes to {@link #left} and its kin: negative where the inside calls, which is to
     * put the arguments.
     */
    public static int entered(int site) {
        $RecrashTalk talk = talk();
        return talk.inside ? talk.callback(site) : talk.depth;
    }

    /** Inside code is entered. Negative where outside code, or the JDK for it, calls. */
    public static int arrived(int site) {
        $RecrashTalk talk = talk();
        return talk.inside ? talk.depth : talk.arrival(site);
    }

    /** The thread's own, to put what it was entered with. */
    public static $RecrashTalk entering() {
        return talk();
    }

    /** What was entered is left; what it gives is put next. */
    public static $RecrashTalk leaving(int ticket) {
        return ticket < 0 ? talk().leaving(ticket) : IDLE;
    }

    /** The same where it gives nothing. */
    public static void left(int ticket) {
        if (ticket < 0) {
            talk().leaving(ticket).nothing();
        }
    }

    /** An exception has come to a handler of the method. */
    public static void caught(Throwable t, int ticket) {
        talk().unwind(t, ticket < 0 ? ~ticket + 1 : ticket);
    }

    /** An exception leaves the method. */
    public static void thrown(Throwable t, int ticket) {
        talk().unwind(t, ticket < 0 ? ~ticket : ticket);
    }

    /** The exception that ends the run, a thread of it, or a test. */
    static void failed(Throwable t) {
        if ($RecrashLog.isOn()) {
            talk().failed(t);
        }
    }

    /** The program is over. */
    static void end() {
        $RecrashLog.end();
    }
}
