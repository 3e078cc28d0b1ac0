//! Finds JDKs and drives JVM processes
