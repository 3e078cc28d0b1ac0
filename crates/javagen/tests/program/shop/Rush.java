package shop;

class Rush<T> extends Order<T> {
    Rush() { super(); }
    @Override public void throwing() { }
    protected void hurry(Rush<T> other, StringBuilder builder) { }
}
