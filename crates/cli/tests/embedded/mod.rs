//! recrash inside programs: `recrash instrument`, and capture points from the API jar.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

mod capture_points;
mod instrument;
mod support;
