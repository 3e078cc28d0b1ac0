//! On which side of the border of a recording the program's classes are: outside are those that drive.

use crate::jvm::Jni;
use jvmti_bindings::sys::jni::jvalue;
use recrash_classfile::{Budget, Manifest, read_entry};
use recrash_weave::matches;
use std::path::Path;

/// Programs that run what others wrote: the tests are the drivers, and the runners are outside, too.
const RUNNERS: [&str; 12] = [
    "org.junit.",
    "junit.",
    "org.testng.",
    "org.apache.maven.",
    "org.codehaus.plexus.",
    "org.gradle.",
    "worker.org.gradle.",
    "org.hamcrest.",
    "org.opentest4j.",
    "org.apiguardian.",
    "org.assertj.",
    "com.intellij.rt.",
];

/// Starters that start other JVMs for what is of interest.
const STARTERS: [&str; 4] = [
    "org.codehaus.plexus.classworlds.",
    "org.gradle.wrapper.",
    "org.gradle.launcher.",
    "com.sun.tools.",
];

/// See the top of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// The class with `main`, by binary name.
    main: String,
    inside: Vec<String>,
}

impl Sides {
    pub fn new(main: String, inside: Vec<String>) -> Self {
        Sides { main, inside }
    }

    /// Whether nothing in this JVM is worth a recording.
    pub fn is_starter(&self) -> bool {
        starts(&STARTERS, &self.main)
    }

    /// Whether a class only runs the drivers: it is outside and has nothing to tell.
    pub fn is_runner(&self, class: &str) -> bool {
        starts(&RUNNERS, &self.main) && starts(&RUNNERS, class)
    }

    /// Of a class of the program, by its binary name.
    pub fn is_outside(&self, class: &str) -> bool {
        if nests(&self.main, class) || self.is_runner(class) {
            return true;
        }
        if !self.inside.is_empty() {
            return !self.inside.iter().any(|glob| matches(glob, class));
        }
        starts(&RUNNERS, &self.main) && is_test(class)
    }
}

fn starts(beginnings: &[&str], name: &str) -> bool {
    beginnings.iter().any(|start| name.starts_with(start))
}

/// Whether a class is the other one or in it.
fn nests(outer: &str, class: &str) -> bool {
    class
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}

/// By its name, as test runners take classes for tests.
fn is_test(class: &str) -> bool {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let top = simple.split('$').next().unwrap_or(simple);
    top.starts_with("Test")
        || ["Test", "Tests", "TestCase", "IT", "ITCase", "Spec"]
            .iter()
            .any(|end| top.ends_with(end))
}

/// The class with `main`, as the JVM was started.
pub fn main_class(jni: Jni) -> Option<String> {
    let command = property(jni, "sun.java.command")?;
    let first = command.split(' ').next().unwrap_or_default();
    // A jar's path may have spaces in it.
    let jar = command
        .match_indices(".jar")
        .filter_map(|(at, end)| command.get(..at + end.len()))
        .find(|path| Path::new(path).is_file());
    let named = match jar {
        Some(jar) => {
            let manifest = read_entry(Path::new(jar), "META-INF/MANIFEST.MF", Budget::default());
            let manifest = Manifest::read(&manifest.ok()??);
            // What starts an application from a jar of jars names it.
            let started = manifest.attribute("Start-Class");
            started.or(manifest.attribute("Main-Class"))?.to_owned()
        }
        // The module comes first.
        None => first.rsplit('/').next().unwrap_or(first).to_owned(),
    };
    let named = named.trim().to_owned();
    (!named.is_empty()).then_some(named)
}

pub fn property(jni: Jni, name: &str) -> Option<String> {
    let argument = jvalue {
        l: jni.new_text(name)?,
    };
    let descriptor = c"(Ljava/lang/String;)Ljava/lang/String;";
    let class = jni.find_class("java/lang/System")?;
    let value = jni.call_static(class, c"getProperty", descriptor, &[argument])?;
    jni.text(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_is_the_main_class_with_what_is_in_it() {
        let sides = Sides::new("com.acme.Main".into(), Vec::new());
        assert!(sides.is_outside("com.acme.Main"));
        assert!(sides.is_outside("com.acme.Main$Listener$1"));
        assert!(!sides.is_outside("com.acme.MainFrame"));
        assert!(!sides.is_outside("com.acme.ATest"));
    }

    #[test]
    fn under_a_test_runner_the_tests_drive() {
        let main = "org.apache.maven.surefire.booter.ForkedBooter".to_owned();
        let sides = Sides::new(main, Vec::new());
        assert!(sides.is_outside("com.acme.CartTest$Nested"));
        assert!(sides.is_outside("org.junit.jupiter.engine.Constants"));
        assert!(!sides.is_outside("com.acme.Cart"));
        assert!(sides.is_runner("org.junit.jupiter.engine.Constants"));
        assert!(!sides.is_runner("com.acme.CartTest"));
    }

    #[test]
    fn what_is_named_is_inside_and_nothing_else() {
        let sides = Sides::new("com.acme.Main".into(), vec!["com.acme.cart.*".into()]);
        assert!(!sides.is_outside("com.acme.cart.Cart"));
        assert!(sides.is_outside("com.acme.Shop"));
    }
}
