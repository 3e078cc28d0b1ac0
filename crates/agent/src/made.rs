//! Classes that the program makes at run time, kept as they came: when a snapshot is restored, no jar has them.

use crate::log;
use recrash_classfile::{ClassFile, dotted};
use recrash_heap::manifest::Manifest;
use recrash_heap::{CarriedClass, ClassKind, class_table};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// What is kept of all classes together; programs that make more than this make them from templates of their own.
const MOST_BYTES: usize = 32 << 20;

/// A snapshot takes so many along; readers refuse containers of more than 2,000 entries.
const MOST_CARRIED: usize = 1_000;

/// Longer names do not fit into a zip file's directory together with their folder.
const LONGEST_NAME: usize = 8_192;

/// In names that generators give: some of them pass their classes off as coming from the generator's own jar.
const GENERATORS: [&str; 9] = [
    "CGLIB$$",
    "$ByteBuddy$",
    "$MockitoMock$",
    "$$EnhancerBy",
    "$$FastClassBy",
    "$Hibernate",
    "_$$_jvst",
    "_$$_javassist",
    "$$_WeldProxy",
];

/// The JVM makes these itself, and makes them again wherever they are needed.
const OF_THE_JVM: [&str; 7] = [
    "$$Lambda",
    "LambdaForm$",
    "java/",
    "jdk/",
    "sun/",
    "com/sun/proxy/",
    "+",
];

/// Whether a class of this internal name, which comes from the place it names or not, was made at run time.
pub fn is_made(name: &str, has_a_place: bool) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !OF_THE_JVM
            .iter()
            .any(|part| name.starts_with(part) || !part.ends_with('/') && name.contains(part))
        && (!has_a_place || GENERATORS.iter().any(|part| name.contains(part)))
}

#[derive(Debug, Default)]
pub struct MadeClasses {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// By binary name.
    classes: HashMap<String, Arc<[u8]>>,
    bytes: usize,
    full: bool,
}

impl MadeClasses {
    /// Keeps a class as it was given to the hook. A later class of the same name, of another loader, takes its place.
    pub fn keep(&self, internal_name: &str, bytes: &[u8]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let name = internal_name.replace('/', ".");
        let before = kept.classes.get(&name).map_or(0, |old| old.len());
        let total = kept.bytes - before + bytes.len();
        if total <= MOST_BYTES {
            kept.bytes = total;
            kept.classes.insert(name, bytes.into());
        } else if !kept.full {
            kept.full = true;
            log::say(&format!(
                "the program makes more than {} MB of classes at run time; {name} and others will not travel with snapshots",
                MOST_BYTES >> 20
            ));
        }
    }

    pub fn knows(&self, internal_name: &str) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.classes.contains_key(&internal_name.replace('/', "."))
    }

    /// Those that the objects and frames of a failure are of, and what these mention in turn; super classes first.
    pub fn needed(&self, manifest: &Manifest, heap: &[&[u8]]) -> Vec<CarriedClass> {
        let classes = {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.classes.is_empty() {
                return Vec::new();
            }
            kept.classes.clone()
        };
        in_order(&Reached::from(names_in(manifest, heap), &classes).found)
    }

    /// The classes that a failure would need if they were made at run time, which only their own word can tell: they
    /// were loaded before anybody listened.
    pub fn unknown(&self, manifest: &Manifest, heap: &[&[u8]]) -> HashSet<String> {
        let classes = {
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.classes.clone()
        };
        Reached::from(names_in(manifest, heap), &classes).missing
    }
}

fn names_in(manifest: &Manifest, heap: &[&[u8]]) -> Vec<String> {
    let mut names: Vec<String> = manifest
        .frames
        .iter()
        .map(|frame| frame.element.class.clone())
        .collect();
    names.extend(
        manifest
            .throwables
            .iter()
            .map(|thrown| thrown.class.clone()),
    );
    for class in class_table(heap).unwrap_or_default() {
        match class.kind {
            ClassKind::Lambda(lambda) => {
                names.extend([lambda.host, lambda.owner]);
                names.extend(lambda.interfaces);
            }
            ClassKind::Proxy(interfaces) => names.extend(interfaces),
            // `[[Lcom.acme.Order;`
            ClassKind::Array => names.push(
                class
                    .name
                    .trim_start_matches('[')
                    .trim_start_matches('L')
                    .trim_end_matches(';')
                    .to_owned(),
            ),
            ClassKind::Plain | ClassKind::Opaque => names.push(class.name),
        }
    }
    names
}

/// What is mentioned by what is mentioned.
struct Reached<'k> {
    found: BTreeMap<String, (&'k Arc<[u8]>, Mentions)>,
    missing: HashSet<String>,
}

impl<'k> Reached<'k> {
    fn from(mut waiting: Vec<String>, kept: &'k HashMap<String, Arc<[u8]>>) -> Self {
        let mut reached = Self {
            found: BTreeMap::new(),
            missing: HashSet::new(),
        };
        while let Some(name) = waiting.pop() {
            let Some(bytes) = kept.get(&name) else {
                reached.missing.insert(name);
                continue;
            };
            if !reached.found.contains_key(&name) && reached.found.len() < MOST_CARRIED {
                let mut mentions = Mentions::of(bytes);
                waiting.append(&mut mentions.others);
                waiting.extend(mentions.above.iter().cloned());
                reached.found.insert(name, (bytes, mentions));
            }
        }
        reached
    }
}

/// Super classes first.
fn in_order(found: &BTreeMap<String, (&Arc<[u8]>, Mentions)>) -> Vec<CarriedClass> {
    let mut placed = HashSet::new();
    let mut carried = Vec::new();
    while carried.len() < found.len() {
        let before = carried.len();
        for (name, (bytes, mentions)) in found {
            let ready = mentions
                .above
                .iter()
                .all(|above| placed.contains(above) || !found.contains_key(above));
            if ready && placed.insert(name.clone()) {
                carried.push(CarriedClass {
                    name: name.clone(),
                    bytes: bytes.to_vec(),
                });
            }
        }
        if carried.len() == before {
            // A circle: no JVM defines these.
            break;
        }
    }
    carried
}

/// The binary names in a class file; none where it cannot be read.
#[derive(Debug, Default)]
struct Mentions {
    /// The super class and the interfaces.
    above: Vec<String>,
    others: Vec<String>,
}

impl Mentions {
    fn of(bytes: &[u8]) -> Self {
        let Ok(class) = ClassFile::read(bytes) else {
            return Self::default();
        };
        let pool = &class.pool;
        let interfaces = class.interfaces.iter();
        let above = interfaces
            .filter_map(|&index| pool.class_name(index).ok())
            .chain(class.super_name)
            .map(dotted)
            .collect();
        let mut others: Vec<String> = (1..pool.count())
            .filter_map(|index| pool.class_name(index).ok())
            .map(|name| element_of(&dotted(name)))
            .collect();
        for member in class.fields.iter().chain(&class.methods) {
            others.extend(types_in(&dotted(member.descriptor)));
        }
        Self { above, others }
    }
}

/// A Class constant names an array by its descriptor.
fn element_of(name: &str) -> String {
    let element = name.trim_start_matches('[');
    if element.len() == name.len() {
        return name.to_owned();
    }
    types_in(element).pop().unwrap_or_default()
}

/// The class names in a descriptor (with dots).
fn types_in(descriptor: &str) -> Vec<String> {
    descriptor
        .split(';')
        .filter_map(|part| Some(part.split_once('L')?.1.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_without_a_place_or_with_a_generators_name_was_made_at_run_time() {
        assert!(is_made("app/Script1", false));
        assert!(is_made("app/Order$$EnhancerByCGLIB$$1a2b", true));
        assert!(is_made("app/Order$HibernateProxy$x", true));
        assert!(!is_made("app/Order", true));
        assert!(!is_made("app/Main$$anonfun$1", true));
    }

    #[test]
    fn what_every_jvm_makes_itself_is_not_kept() {
        assert!(!is_made("app/Main$$Lambda$14", false));
        assert!(!is_made("app/Hidden+0x0001", false));
        assert!(!is_made(
            "jdk/internal/reflect/GeneratedMethodAccessor1",
            false
        ));
        assert!(!is_made("", false));
        assert!(is_made("app/java/Generated", false));
    }

    #[test]
    fn descriptors_and_array_constants_name_their_classes() {
        assert_eq!(
            types_in("(ILapp.A;[[Lapp.B;J)Lapp.C;"),
            ["app.A", "app.B", "app.C"]
        );
        assert_eq!(types_in("(IJ)V"), Vec::<String>::new());
        assert_eq!(element_of("[[Lapp.A;"), "app.A");
        assert_eq!(element_of("app.L;"), "app.L;");
        assert_eq!(element_of("[I"), "");
    }

    #[test]
    fn only_what_a_failure_involves_travels() {
        let made = MadeClasses::default();
        made.keep("app/A", b"not a class file");
        made.keep("app/B", b"neither");
        let kept = made.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mentioned = vec!["app.A".to_owned(), "app.C".to_owned()];
        let carried = in_order(&Reached::from(mentioned, &kept.classes).found);
        assert_eq!(
            carried,
            [CarriedClass {
                name: "app.A".to_owned(),
                bytes: b"not a class file".to_vec(),
            }]
        );
    }

    #[test]
    fn beyond_the_limit_nothing_more_is_kept() {
        let made = MadeClasses::default();
        let large = vec![0; MOST_BYTES / 2 + 1];
        made.keep("app/A", &large);
        made.keep("app/B", &large);
        made.keep("app/A", &large);
        assert!(made.knows("app/A") && !made.knows("app/B"));
    }
}
