//! recrash among the tools of its users: JUnit 5, Maven, CI servers, containers, shells. Every test runs the real binary.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
mod ci;
mod containers;
mod gradle;
mod junit_extension;
mod man;
mod maven;
mod support;
