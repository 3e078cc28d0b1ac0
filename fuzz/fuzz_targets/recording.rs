//! A recording may come from a stranger.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recrash_recording::{Limits, chunk, read, write};

const LIMITS: Limits = Limits {
    bytes: 1 << 20,
    events: 1 << 16,
};

fuzz_target!(|data: &[u8]| {
    let _ = read(data, LIMITS);
    // Chunks whose checksums fit: each begins with its kind and its length.
    let mut file = b"\x89RCRLOG\n\x01\x00".to_vec();
    let mut rest = data;
    while let Some(([kind, length], tail)) = rest.split_first_chunk::<2>() {
        let content;
        (content, rest) = tail.split_at(tail.len().min(usize::from(*length)));
        file.extend(chunk(kind % 6, content));
    }
    if let Ok(recording) = read(&file, LIMITS) {
        let again = read(&write(&recording), Limits::default());
        assert_eq!(again.ok(), Some(recording));
    }
});
