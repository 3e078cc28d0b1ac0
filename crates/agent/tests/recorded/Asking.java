// exit 0
// flags -Dgreeting=hello
// event answer java.lang.System.getProperty(Ljava/lang/String;)Ljava/lang/String; ("greeting") = "hello"
// event answer java.lang.System.currentTimeMillis()J () =
// event answer java.util.Locale.getDefault()Ljava/util/Locale; () = Locale(

import java.util.Locale;

/** The inside asks the environment, in a static initialiser, too, which is no call. */
public class Asking {
    public static void main(String[] args) {
        System.out.println(Clock.GREETING);
        System.out.println(new Clock().read() > 0);
    }
}

class Clock {
    static final String GREETING = System.getProperty("greeting") + new Word("!").hashCode();

    long read() {
        long now = System.currentTimeMillis();
        return Locale.getDefault() == null ? 0 : now;
    }
}

class Word {
    private final String text;

    Word(String text) {
        this.text = text;
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
