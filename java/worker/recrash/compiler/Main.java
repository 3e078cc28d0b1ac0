package recrash.compiler;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import recrash.wire.Compile;
import recrash.wire.Compiled;
import recrash.wire.Compilers;

/**
 * A JVM that keeps its compiler warm: one run of {@code javac} for each message, until its input ends. The second run
 * takes a fraction of the first.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        byte[] token = arguments[0].getBytes(StandardCharsets.US_ASCII);
        OutputStream out = System.out;
        System.setOut(System.err);
        DataInputStream in = new DataInputStream(System.in);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        while (true) {
            Compile compile;
            try {
                byte[] message = new byte[in.readInt()];
                in.readFully(message);
                compile = Compile.read(new DataInputStream(new ByteArrayInputStream(message)));
            } catch (EOFException e) {
                return;
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            run(compiler, compile).write(new DataOutputStream(answer));
            DataOutputStream data = new DataOutputStream(out);
            data.write(token);
            data.writeInt(answer.size());
            answer.writeTo(data);
            data.flush();
        }
    }

    private static Compiled run(JavaCompiler compiler, Compile compile) throws IOException {
        if (compile.version != Compilers.VERSION) {
            return new Compiled(Compilers.VERSION, -1, "");
        }
        if (compiler == null) {
            return new Compiled(Compilers.VERSION, -1, "this Java has no compiler");
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = compiler.run(null, said, said, compile.arguments);
        return new Compiled(Compilers.VERSION, status, said.toString());
    }
}
