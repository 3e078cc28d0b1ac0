// crash: java.lang.IllegalArgumentException

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** `main` depends on a file that its own crash leaves behind, so its test passes; the frame that got the text crashes again. */
public class FirstStart {
    static int port(String text) {
        String[] parts = text.split("=");
        if (parts.length != 2) {
            throw new IllegalArgumentException("not a setting: '" + text + "'"); // frame: reproduced
        }
        return Integer.parseInt(parts[1]);
    }

    public static void main(String[] args) throws IOException {
        Path settings = Paths.get("first-start.settings");
        String text = Files.exists(settings) ? new String(Files.readAllBytes(settings), StandardCharsets.UTF_8) : "";
        Files.write(settings, "port=80".getBytes(StandardCharsets.UTF_8));
        System.out.println(port(text)); // frame: passes
    }
}
