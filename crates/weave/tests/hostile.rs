//! Broken and hostile class files and jars: never a panic, never a hang, never half a class. Replays the seeds of `fuzz/`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use recrash_classfile::{Budget, ClassFile, Error, read_entries};
use recrash_weave::{Policy, Reason, Woven, weave};

fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(kind);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

/// Whatever the bytes are: an answer, and if it says so, a class file with no worse methods than before.
fn survives(bytes: &[u8]) {
    if let Woven::Changed { bytes: woven, .. } = weave(bytes, 40_000, &Policy::everything()) {
        let (before, after) = (
            ClassFile::read(bytes).unwrap(),
            ClassFile::read(&woven).unwrap(),
        );
        for (old, new) in before.methods.iter().zip(&after.methods) {
            assert_eq!(before.code(old).is_ok(), after.code(new).is_ok());
        }
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

#[test]
fn every_seed_is_woven_or_has_nothing_to_weave() {
    for seed in seeds("class") {
        let woven = weave(&seed, 0, &Policy::everything());
        let fine = matches!(
            woven,
            Woven::Changed { .. } | Woven::Untouched(Reason::NothingToMonitor)
        );
        assert!(fine, "{woven:?}");
    }
}

#[test]
fn a_class_cut_off_anywhere_is_left_alone() {
    for seed in seeds("class") {
        for length in 0..seed.len() {
            let woven = weave(&seed[..length], 0, &Policy::everything());
            assert!(
                matches!(woven, Woven::Untouched(Reason::Malformed(_))),
                "{length} bytes: {woven:?}"
            );
        }
    }
}

#[test]
fn surplus_bytes_are_an_error() {
    let mut seed = seeds("class").remove(0);
    let offset = seed.len();
    seed.push(0);
    let reason = Reason::Malformed(Error::Surplus { offset, surplus: 1 });
    assert_eq!(
        weave(&seed, 0, &Policy::everything()),
        Woven::Untouched(reason)
    );
}

#[test]
fn flipped_bits_and_lying_lengths_are_survived() {
    let mut dice = Dice(7);
    for seed in seeds("class") {
        for _ in 0..4000 {
            let mut bytes = seed.clone();
            for _ in 0..=dice.roll(4) {
                let at = dice.roll(bytes.len());
                bytes[at] = match dice.roll(4) {
                    0 => bytes[at] ^ (1 << dice.roll(8)),
                    1 => 0xff,
                    2 => 0,
                    _ => dice.roll(256) as u8,
                };
            }
            survives(&bytes);
        }
    }
}

#[test]
fn spliced_classes_are_survived() {
    let (seeds, mut dice) = (seeds("class"), Dice(11));
    for _ in 0..10_000 {
        let (one, other) = (
            &seeds[dice.roll(seeds.len())],
            &seeds[dice.roll(seeds.len())],
        );
        let (cut, resume) = (dice.roll(one.len()), dice.roll(other.len()));
        survives(&[&one[..cut], &other[resume..]].concat());
    }
}

#[test]
fn broken_jars_are_errors_and_big_ones_are_over_budget() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.jar");
    let small = Budget {
        entries: 1,
        entry_bytes: 100,
        total_bytes: 100,
    };
    let mut dice = Dice(13);
    for seed in seeds("jar") {
        for length in (0..seed.len()).step_by(7) {
            std::fs::write(&path, &seed[..length]).unwrap();
            let read = read_entries(&path, Budget::default(), |_| true);
            assert!(
                matches!(read, Err(Error::Unreadable { .. })),
                "{length}: {read:?}"
            );
        }
        for _ in 0..300 {
            let mut bytes = seed.clone();
            let at = dice.roll(bytes.len());
            bytes[at] ^= 1 << dice.roll(8);
            std::fs::write(&path, &bytes).unwrap();
            let _ = read_entries(&path, Budget::default(), |_| true);
        }
        std::fs::write(&path, &seed).unwrap();
        if read_entries(&path, Budget::default(), |_| true).is_ok() {
            let read = read_entries(&path, small, |_| true);
            assert!(matches!(read, Err(Error::OverBudget { .. })), "{read:?}");
        }
    }
}

#[test]
fn a_jar_that_is_not_there_is_named() {
    let read = read_entries(Path::new("no/such.jar"), Budget::default(), |_| true);
    assert!(matches!(read, Err(Error::Unreadable { path, .. }) if path == "no/such.jar"));
}
