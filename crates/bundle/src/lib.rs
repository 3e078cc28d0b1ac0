//! The agent library and the Java classes, embedded and unpacked on first use
