package java.lang;

import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;

/** Where classes come from. */
final class $RecrashPlaces {
    private $RecrashPlaces() {}

    /** The path or URL a class was loaded from; null when nobody knows. */
    static String of(Class<?> type) {
        if (type == null || System.getSecurityManager() != null) {
            // A security manager would be asked, and that is the program's code.
            return null;
        }
        ProtectionDomain domain = type.getProtectionDomain();
        CodeSource code = domain == null ? null : domain.getCodeSource();
        URL location = code == null ? null : code.getLocation();
        if (location == null) {
            return null;
        }
        // Not URL.toString(), which asks the protocol's handler: the program's code in an OSGi container.
        return location.getProtocol() + ":" + location.getFile();
    }
}
