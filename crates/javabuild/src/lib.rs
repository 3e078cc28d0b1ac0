//! Compiles the Java parts from build scripts
