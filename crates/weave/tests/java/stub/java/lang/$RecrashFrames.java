package java.lang;

/** Takes values and drops them. */
public final class $RecrashFrames {
    public void put(Object value) {}

    public void put(int value) {}

    public void put(long value) {}

    public void put(float value) {}

    public void put(double value) {}
}
