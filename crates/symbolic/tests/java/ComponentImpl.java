/** The motivating example of the STAR paper (figure 2). */
public class ComponentImpl {
    interface IComponent {
        boolean isValid();

        int getID();
    }

    static class Color {
        private final int id;

        Color(int id) {
            this.id = id;
        }

        void initialize() {
            System.out.println(id);
        }
    }

    static class Logger {
        void log(Object what) {
            System.out.println(what);
        }
    }

    public void checkValidity() {
        for (IComponent comp : subComponents) {
            if (!comp.isValid()) {
                System.out.println("Warning: ...");
            }
        }
        if (length != width) {
            throw new RuntimeException(); // crash a
        }
    }

    public Color createColor(int colorID) {
        Color color = new Color(colorID);
        if (doLogging) {
            logger.log(color);
        }
        Color createdColor = null;
        if (colorID > 0) {
            createdColor = color;
        } else {
            createdColor = defaultColor;
        }
        createdColor.initialize(); // crash b
        return createdColor;
    }

    public void add(IComponent comp1, IComponent comp2) {
        if (doLogging) {
            logger.log(comp1);
        }
        if (comp1 != comp2) {
            if (doLogging) {
                logger.log(comp2);
            }
        }
        int id1 = comp1.getID();
        int id2 = comp2.getID(); // crash c
        System.out.println(id1 + id2);
    }

    private int width;
    private int length;
    private Logger logger;
    private boolean doLogging;
    private Color defaultColor;
    private IComponent[] subComponents;
}
