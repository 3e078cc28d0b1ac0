//! The loaded classes that are the application's own, decided once for each while it loads.

use crate::jvm::Jni;
use crate::places::{Places, decoded};
use jvmti_bindings::sys::jni::{jobject, jvalue};
use recrash_application::{Application, MainJar, Started, Whose};
use recrash_classfile::{Budget, Manifest, entry_names, read_entry};
use recrash_heap::manifest::{FrameInfo, OwnCode};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

#[derive(Debug, Default)]
pub struct Own {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    application: Application,
    /// Hashes of the names, with dots, of the application's classes.
    classes: HashSet<u64>,
}

impl Own {
    /// The program's start, as the JVM tells it.
    pub fn started(&self, jni: Jni) {
        let command = property(jni, "sun.java.command").unwrap_or_default();
        let started = Started::of(&command);
        let jar = match &started {
            Started::Jar(path) => Some(main_jar(Path::new(path))),
            _ => None,
        };
        self.with(|known| known.application = Application::started(&started, jar.as_ref()));
    }

    /// A class is being loaded, of this internal name and with this domain. Whether it is the application's.
    pub fn note(&self, jni: Jni, places: Option<&Places>, name: &str, domain: jobject) -> bool {
        let place = places.and_then(|places| places.url(jni, domain));
        let place = place.as_deref().map(decoded);
        let class = name.replace('/', ".");
        self.with(|known| {
            let whose = known.application.loaded(&class, place.as_deref());
            let own = whose == Whose::Application;
            if own {
                known.classes.insert(xxh3_64(class.as_bytes()));
            }
            own
        })
    }

    /// Whether a class of this binary name (dots) is the application's.
    pub fn owns(&self, class: &str) -> bool {
        self.with(|known| known.owns(class))
    }

    /// Whether any class was the application's so far.
    pub fn knows_some(&self) -> bool {
        self.with(|known| !known.classes.is_empty())
    }

    /// The part of a manifest about it, for a snapshot with these frames. Classes that were loaded unseen are judged by where they came from.
    pub fn of_frames(&self, frames: &[FrameInfo]) -> OwnCode {
        self.with(|known| {
            let own = |frame: &&FrameInfo| {
                let class = &frame.element.class;
                let source = frame.captured.as_ref().and_then(|it| it.source.as_deref());
                let place = source.map(decoded);
                known.owns(class)
                    || place.is_some_and(|place| {
                        known.application.whose(class, Some(&place)) == Whose::Application
                    })
            };
            let names = frames
                .iter()
                .filter(own)
                .map(|frame| frame.element.class.clone());
            let mut classes: Vec<String> = names.collect();
            classes.sort();
            classes.dedup();
            OwnCode {
                start: known.application.clone(),
                classes,
            }
        })
    }

    fn with<R>(&self, work: impl FnOnce(&mut Known) -> R) -> R {
        work(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Known {
    fn owns(&self, class: &str) -> bool {
        self.classes.contains(&xxh3_64(class.as_bytes()))
    }
}

fn main_jar(path: &Path) -> MainJar {
    let manifest = read_entry(path, Manifest::NAME, Budget::default());
    let manifest = Manifest::read(&manifest.ok().flatten().unwrap_or_default());
    let names = entry_names(path, Budget::default()).unwrap_or_default();
    MainJar::of(
        manifest.attribute("Main-Class"),
        manifest.attribute("Start-Class"),
        names.iter().map(String::as_str),
    )
}

/// A system property of the JVM's own table.
fn property(jni: Jni, name: &str) -> Option<String> {
    let key = jvalue {
        l: jni.new_text(name)?,
    };
    let value = jni.call_static(
        jni.find_class("java/lang/System")?,
        c"getProperty",
        c"(Ljava/lang/String;)Ljava/lang/String;",
        &[key],
    )?;
    jni.text(value)
}
