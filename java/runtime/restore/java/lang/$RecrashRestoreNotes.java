package java.lang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Notes on what a restore could not bring back as it was, one sentence each, with a count where it happened often. */
final class $RecrashRestoreNotes {
    private static final int MOST = 200;

    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /** By class: why one that travels with the snapshot is not here. */
    private final Map<String, String> refusals = new HashMap<>();

    void refuse(String type, String sentence) {
        refusals.put(type, sentence);
        add(sentence);
    }

    /** Null when no class of this name was refused. */
    String refusal(String type) {
        return refusals.get(type);
    }

    void add(String sentence) {
        Integer count = counts.get(sentence);
        if (count != null || counts.size() < MOST) {
            counts.put(sentence, count == null ? 1 : count + 1);
        }
    }

    String[] sentences() {
        List<String> sentences = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            sentences.add(entry.getValue() == 1 ? entry.getKey() : entry.getKey() + " (" + entry.getValue() + " times)");
        }
        return sentences.toArray(new String[0]);
    }
}
