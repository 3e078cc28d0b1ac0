//! Emits JUnit source for captured frames
