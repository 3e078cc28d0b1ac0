//! The JVMTI agent: weaves at load, records failures, restores objects
