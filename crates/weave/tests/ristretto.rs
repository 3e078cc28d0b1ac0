//! A second opinion: the verifier of another JVM, written from the specification, judges woven classes.

mod support;

use recrash_classfile::{Budget, read_classes};
use recrash_weave::{Policy, Woven, weave};
use ristretto_classfile::ClassFile;
use support::subjects;

fn accepts(bytes: &[u8]) -> Result<(), String> {
    let class = ClassFile::from_bytes(bytes).map_err(|defect| format!("{defect:?}"))?;
    class.verify().map_err(|defect| format!("{defect:?}"))
}

#[test]
fn whatever_ristretto_accepted_it_accepts_woven() {
    let mut judged = 0;
    for subject in subjects() {
        for entry in read_classes(&subject, Budget::default()).unwrap() {
            let Woven::Changed { bytes, .. } = weave(&entry.bytes, 40_000, &Policy::everything())
            else {
                continue;
            };
            if accepts(&entry.bytes).is_ok() {
                judged += 1;
                assert_eq!(
                    accepts(&bytes),
                    Ok(()),
                    "{} of {}",
                    entry.name,
                    subject.display()
                );
            }
        }
    }
    println!("{judged} classes judged");
}
