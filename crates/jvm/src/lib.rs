//! Finds JDKs and drives JVM processes.
//!
//! This crate knows what a JDK, a class path, a compiler run and a worker JVM are, and how the agent's options are
//! written. It carries requests to the worker and brings its answers back; others make them of snapshots and judge them.
//!
//! Start reading at [`Jdk`] (what is installed), then [`run`] (one JVM, one result) [`Worker`] (a warm JVM that
//! answers many requests and may die on any of them) and [`Compilers`].
//!
//! Never uses: `std::net`, `heap`, `judge`.

mod agent_option;
mod channel;
mod class_path;
mod command_line;
mod compile;
mod error;
mod find;
mod jdk;
mod message;
mod nested;
mod process;
mod tools;
mod worker;

pub use agent_option::{AgentSettings, Privacy, agent_option, agent_options, appended};
pub use class_path::{ClassOrigin, ClassPath};
pub use command_line::{Main, Started, class_path_of, is_java, started_by};
pub use compile::{Compilation, Compilers};
pub use error::{Error, Result};
pub use find::{Chosen, choose, find_jdks, jdk_of};
pub use jdk::{Jdk, Version};
pub use message::{Loader, Outcome, Request, Thrown};
pub use nested::unpack_nested;
pub use process::{FOREIGN_OPTIONS, Finished, Launch, SHORT_LIVED, run};
pub use recrash_trace::TraceLine;
pub use recrash_wire::worker::{Property, Subject, Surroundings};
pub use tools::Tools;
pub use worker::{Answer, Worker, WorkerOptions};
