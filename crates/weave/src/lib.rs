//! Adds unwind capture to class files, in place
