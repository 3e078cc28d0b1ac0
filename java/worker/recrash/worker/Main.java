package recrash.worker;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A warm JVM that runs candidates for recrash: one request in, one answer out, until its input ends.
 *
 * <p>Whatever a candidate prints goes to a buffer, never to the stream of answers. What it leaves behind (properties,
 * locale, threads) is undone before the next request, and where that fails the answer asks for a new JVM.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        InputStream requests = System.in;
        Printed printed = new Printed();
        Answers answers = new Answers(arguments[0], printed);
        Surroundings surroundings = new Surroundings(printed);
        Exit exit = new Exit(answers);
        Held held = new Held();
        Runtime.getRuntime().addShutdownHook(exit);
        surroundings.reset();
        answers.ready();
        DataInputStream in = new DataInputStream(requests);
        while (true) {
            Request request = Request.read(in);
            if (request == null) {
                // Not exit: hooks and threads of candidates must not keep a JVM that nobody waits for.
                Runtime.getRuntime().halt(0);
                return;
            }
            printed.clear();
            answers.expectOne();
            Outcome outcome = new Candidate(request, held, exit).run();
            boolean clean = surroundings.reset();
            answers.done(outcome, outcome.restart || !clean);
        }
    }
}
