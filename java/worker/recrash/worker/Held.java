package recrash.worker;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.List;
import recrash.wire.Worker;

/** What is held from one request to the next: a class loader, where that is asked for. */
final class Held {
    private URLClassLoader kept;
    private List<File> keptPath = Collections.emptyList();

    ClassLoader loader(Request request) throws MalformedURLException {
        switch (request.loader) {
            case Worker.SYSTEM_LOADER:
                return ClassLoader.getSystemClassLoader();
            case Worker.KEPT_LOADER:
            case Worker.KEPT_LOADER_ANEW:
                if (kept == null || request.loader == Worker.KEPT_LOADER_ANEW
                        || !keptPath.equals(request.classPath)) {
                    close(kept);
                    kept = make(request.classPath);
                    keptPath = request.classPath;
                }
                return kept;
            default:
                return make(request.classPath);
        }
    }

    /** The candidate is done with the loader. */
    void release(ClassLoader loader) {
        if (loader != kept && loader instanceof URLClassLoader) {
            close((URLClassLoader) loader);
        }
    }

    /** Its parent is the platform class loader, so that a candidate sees neither the worker nor another's classes. */
    private static URLClassLoader make(List<File> classPath) throws MalformedURLException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toURI().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
    }

    private static void close(URLClassLoader loader) {
        if (loader != null) {
            try {
                loader.close();
            } catch (IOException e) {
                // The jar stays open until the loader is collected; nothing depends on it.
            }
        }
    }
}
