//! Where the frames of a crash are tried.
//!
//! A *candidate* is a captured frame whose method is called again with the receiver and arguments of the snapshot. It
//! *reproduces* when the same exceptions come out, thrown at the same place. This crate makes restore plans, has worker
//! JVMs run them and asks `judge` what it was. It runs jobs for whoever calls: it prints nothing, tells of verdicts by
//! [`Event`]s, and ends early when its [`Stop`] says so. It may not know how test source is written.
//!
//! Start reading at [`Desk`], what all trials have in common, and [`Trials`], one run of a frame. Their clients: [`verify`]
//! climbs the ladder of variants per frame, [`between_states`] and [`second_look`] try other states of those that did not
//! reproduce, [`Needs`] takes state away.
//!
//! Never uses: `println!`, `eprintln!`, `std::net`, `javagen`, `report`.

mod between_states;
mod connection;
mod desk;
mod environment;
mod error;
mod event;
mod ladder;
mod left_to_do;
mod need;
mod own_code;
mod preflight;
mod second_look;
mod stop;
mod trials;
mod verdict;

pub use between_states::between_states;
pub use desk::{Desk, Settings};
pub use error::{Error, Result};
pub use event::{Event, Stage};
pub use ladder::{variants, verify, verify_frames};
pub use need::{Needs, Tried};
pub use own_code::{Order, own_code};
pub use second_look::second_look;
pub use stop::Stop;
pub use trials::{Trial, Trials};
pub use verdict::{FrameVerdict, Variant, Verification};
