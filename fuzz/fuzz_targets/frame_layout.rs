//! `cargo fuzz run frame_layout fuzz/corpus/frame_layout`
//!
//! A layout of a frame that is accepted is written again as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_wire::frame::{read, write};

fuzz_target!(|text: &str| {
    if let Some((site, values)) = read(text) {
        let written = write(site, values.iter().copied());
        assert_eq!(read(&written), Some((site, values)));
    }
});
