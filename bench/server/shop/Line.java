package shop;

record Line(String article, int count, int price) {
    int total() {
        return count * price;
    }
}
