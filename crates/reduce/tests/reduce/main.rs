//! Reductions over trials that are known beforehand.

mod oracle;
mod simplify;
mod subset;
