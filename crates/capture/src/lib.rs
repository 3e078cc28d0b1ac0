//! The capture engine: run a program, then turn its snapshots into verified tests
