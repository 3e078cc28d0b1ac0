package shop;

public class Main {
    static class Base {
        Base(int size) {
            int[] all = new int[size];
            System.out.println(all.length);
        }
    }

    static class Special extends Base {
        Special(int size) {
            super(size);
        }
    }

    public static void main(String[] args) {
        System.out.println("to standard output");
        System.err.println("to standard error");
        try {
            new Special(-1);
        } catch (NegativeArraySizeException caught) {
            System.out.println("caught at line " + caught.getStackTrace()[0].getLineNumber());
        }
        System.out.println(new Order().total("anna", 3));
        System.out.println(new Order().total("anna", 4));
    }
}
