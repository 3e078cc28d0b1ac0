class Bill {
    private final int cents;

    Bill(int cents) {
        this.cents = cents;
    }

    int perGuest(int guests) {
        return cents / guests; // frame: reproduced
    }
}
