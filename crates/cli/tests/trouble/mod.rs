//! What goes wrong outside recrash gets one clear line, a documented exit status and nothing half-written; and the
//! program under `recrash run` never notices. Every test runs the real binary.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
mod analyze;
mod child;
mod class_path;
mod command_line;
mod disk;
mod jdk;
mod recording;
mod snapshot_file;
mod support;
mod watch_list;
