//! Stack traces as people paste them: out of logs, mails, bug reports and terminals.
//!
//! [`parse`] finds every trace in a text, with causes, suppressed exceptions and the frames that a cause shares with
//! what it caused. What a message gives away (the index, the null, the text that is no number) is [`Evidence`].
//! [`frames_in`] is for those who only want the frames, line by line.
//!
//! [`FailureKey`] tells whether two traces are of the same failure.
//!
//! Start reading at `parse.rs`; `line.rs` knows what single lines look like.
//!
//! Never uses: `std::fs`, `std::process::Command`, `std::net`.

mod evidence;
mod foreign;
mod frame;
mod key;
mod line;
mod parse;
mod stable;

pub use evidence::{Evidence, Limits, NullUse};
pub use foreign::foreign_language;
pub use frame::TraceLine;
pub use key::{CAPTURE_POINT, Failed, FailureKey};
pub use line::frames_in;
pub use parse::{Thrown, Trace, parse};
