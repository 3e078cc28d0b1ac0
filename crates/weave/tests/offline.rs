//! Classes woven offline: what they carry comes back, and waking one changes a single constant.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_classfile::ClassFile;
use recrash_weave::{
    Offline, Policy, Reason, Waking, Woven, adopt, adopt_loaded, class_hash, weave,
};
use support::{read_jar, subjects};

fn policy(offline: Offline) -> Policy {
    Policy {
        offline: Some(offline),
        ..Policy::everything()
    }
}

#[test]
fn every_class_of_a_jar_carries_its_sites_and_is_woken_by_one_constant() {
    let jar = subjects()
        .into_iter()
        .find(|jar| jar.ends_with("commons-lang3.jar"))
        .unwrap();
    let mut seen = 0;
    for class in read_jar(&jar) {
        let first = 1 << 30;
        let Woven::Changed { bytes, sites, .. } =
            weave(&class.bytes, first, &policy(Offline::Asleep))
        else {
            continue;
        };
        seen += 1;
        let adopted = adopt(&bytes).unwrap();
        assert_eq!(adopted.sites, sites, "{}", class.name);
        assert_eq!(adopted.hash, class_hash(&class.bytes));
        assert_eq!(class_hash(&bytes), class_hash(&class.bytes));
        let Waking::Bytes(awake) = adopted.waking else {
            panic!("{} sleeps", class.name);
        };
        let changed = bytes.iter().zip(&awake).filter(|(one, other)| one != other);
        assert_eq!(bytes.len(), awake.len());
        assert!((1..=2).contains(&changed.count()), "{}", class.name);
        assert_eq!(
            weave(&bytes, 0, &Policy::everything()),
            Woven::Untouched(Reason::AlreadyWoven)
        );
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_loaded_class_is_known_by_its_constants() {
    let jar = subjects()
        .into_iter()
        .find(|jar| jar.ends_with("commons-lang3.jar"))
        .unwrap();
    let classes = read_jar(&jar);
    let class = classes
        .iter()
        .find(|class| class.name.ends_with("/StringUtils.class"))
        .unwrap();
    for (offline, waking) in [
        (Offline::Asleep, Waking::Needed),
        (Offline::Awake, Waking::Done),
    ] {
        let Woven::Changed { bytes, sites, .. } = weave(&class.bytes, 1 << 30, &policy(offline))
        else {
            panic!("{} is not woven", class.name);
        };
        let name = String::from_utf8_lossy(ClassFile::read(&bytes).unwrap().name).into_owned();
        // Magic and version stand before the constants.
        let adopted = adopt_loaded(&name, &bytes[8..]).unwrap();
        assert_eq!(adopted.sites, sites);
        assert_eq!(adopted.waking, waking);
    }
    assert!(adopt_loaded("A", &class.bytes[8..]).is_none());
    assert!(adopt(&class.bytes).is_none());
}
