//! Runs candidate tests in a worker JVM and judges them
