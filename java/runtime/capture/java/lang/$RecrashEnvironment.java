package java.lang;

import java.nio.charset.Charset;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import jdk.internal.misc.VM;

/** What decides behaviour besides objects: the JDK, its options, properties, locale, zone and charset. */
final class $RecrashEnvironment {
    private $RecrashEnvironment() {}

    static void write($RecrashBytes out, Class<?>[] loaded) {
        // Before anything else, because asking for the default time zone sets a property.
        properties(out);
        places(out, loaded);
        String[] arguments = VM.getRuntimeArguments();
        out.number(arguments == null ? 0 : arguments.length);
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            out.text(arguments[i]);
        }
        $RecrashReport.world(
                out,
                VM.getSavedProperty("java.home"),
                VM.getSavedProperty("java.version"),
                VM.getSavedProperty("java.class.path"),
                VM.getSavedProperty("jdk.module.path"),
                VM.getSavedProperty("user.dir"),
                Locale.getDefault().toLanguageTag(),
                zone(),
                Charset.defaultCharset().name());
    }

    private static void properties($RecrashBytes out) {
        Properties properties = System.getProperties();
        $RecrashBytes written = new $RecrashBytes();
        int count = 0;
        // The program's own subclass is left out: reading it would run the program's code.
        if (properties.getClass() == Properties.class) {
            for (Iterator<Map.Entry<Object, Object>> all = properties.entrySet().iterator(); all.hasNext(); ) {
                Map.Entry<Object, Object> property = all.next();
                if (property.getKey() instanceof String && property.getValue() instanceof String) {
                    $RecrashReport.property(written, (String) property.getKey(), (String) property.getValue());
                    count++;
                }
            }
        }
        out.number(count);
        out.append(written);
    }

    private static String zone() {
        TimeZone zone = TimeZone.getDefault();
        return zone.getClass().getClassLoader0() == null ? zone.getID() : null;
    }

    /** Where the program's classes come from: its own loaders find them where no class path tells. */
    private static void places($RecrashBytes out, Class<?>[] loaded) {
        HashSet<String> places = new HashSet<String>();
        IdentityHashMap<ProtectionDomain, Boolean> seen = new IdentityHashMap<ProtectionDomain, Boolean>();
        for (int i = 0; i < loaded.length && System.getSecurityManager() == null; i++) {
            if (loaded[i] != null && seen.put(loaded[i].getProtectionDomain(), Boolean.TRUE) == null) {
                places.add($RecrashPlaces.of(loaded[i]));
            }
        }
        places.remove(null);
        out.number(places.size());
        for (Iterator<String> all = places.iterator(); all.hasNext(); ) {
            out.text(all.next());
        }
    }
}
