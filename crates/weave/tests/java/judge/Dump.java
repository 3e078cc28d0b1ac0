package judge;

import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes the classes of a module of this JDK to a jar. */
public final class Dump {
    public static void main(String[] args) throws Exception {
        Path module = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", args[0]);
        List<Path> files;
        try (Stream<Path> walk = Files.walk(module)) {
            files = walk.filter(path -> path.toString().endsWith(".class")).collect(Collectors.toList());
        }
        try (OutputStream out = Files.newOutputStream(Paths.get(args[1])); ZipOutputStream jar = new ZipOutputStream(out)) {
            jar.setLevel(1);
            for (Path file : files) {
                String name = module.relativize(file).toString();
                if (!name.equals("module-info.class")) {
                    jar.putNextEntry(new ZipEntry(name));
                    Files.copy(file, jar);
                    jar.closeEntry();
                }
            }
        }
    }
}
