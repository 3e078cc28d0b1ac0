// exit 1
// libraries junit4.jar hamcrest-core.jar
// main org.junit.runner.JUnitCore ShelfTest
// event call Shelf.<init>()V () at ShelfTest.
// event call Shelf#0 Shelf.put(Ljava/lang/String;)I ("one") at ShelfTest.putsTwo
// event return 1
// event call Shelf#0 Shelf.put(Ljava/lang/String;)I ("two") at ShelfTest.putsTwo
// event return 3
// failure java.lang.AssertionError: expected:<2> but was:<3>

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** A test drives, and its assertion is the failure. */
public class ShelfTest {
    private final Shelf shelf = new Shelf();

    @Test
    public void putsTwo() {
        assertEquals(1, shelf.put("one"));
        assertEquals(2, shelf.put("two"));
    }
}

class Shelf {
    private int count;

    int put(String book) {
        count += count + 1;
        return count;
    }
}
