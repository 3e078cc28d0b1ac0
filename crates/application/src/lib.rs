//! What is the application's own code, and what is a library's.
//!
//! An [`Application`] is what is known of a program's start: its main class, the jar of that class, and the packages that
//! its own places hold. It tells of a class and of the place it came from whose it is ([`Whose`]). The agent asks while
//! classes load, the desk asks the one that a snapshot holds. It errs towards the application, because what it says puts
//! frames in an order and takes none away.
//!
//! Pure: no file, no JVM, no clock. What has to be read for it (the manifest of the main jar) is handed in.
//!
//! Start reading at `application.rs`; `place.rs` reads the places that class loaders name, `package.rs` relates packages.
//!
//! Never uses: `std::fs`, `std::process::Command`, `std::net`.

mod application;
mod launch;
mod package;
mod place;
mod whose;

pub use application::Application;
pub use launch::{MainJar, Started};
pub use package::{is_of_a_runtime, package_of};
pub use place::{Module, Place, module_of};
pub use whose::Whose;
