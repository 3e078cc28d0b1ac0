//! What of a program is its own code, found out at the desk for snapshots that do not say it, and the order that frames
//! are tried in because of it.

use std::path::Path;

use recrash_application::{Application, MainJar, Started};
use recrash_classfile::{Budget, Manifest as JarManifest, entry_names, read_entry};
use recrash_heap::Manifest;
use recrash_heap::manifest::{FrameInfo, OwnCode, Whose};

/// As the agent would have said it, from how the program was started and where the frames' classes came from.
pub fn own_code(manifest: &Manifest) -> OwnCode {
    let environment = &manifest.environment;
    let command = environment
        .system_properties
        .iter()
        .find(|(name, _)| name == "sun.java.command");
    let started = Started::of(command.map_or("", |(_, value)| value));
    let jar = match &started {
        Started::Jar(path) => Some(main_jar(
            &Path::new(&environment.working_directory).join(path),
        )),
        _ => None,
    };
    let mut start = Application::started(&started, jar.as_ref());
    let sourced = |frame: &FrameInfo| {
        let source = frame.captured.as_ref()?.source.clone()?;
        Some((frame.element.class.clone(), source))
    };
    let places: Vec<(String, String)> = manifest.frames.iter().filter_map(sourced).collect();
    // The outermost first: the main class says where the others belong.
    for (class, source) in places.iter().rev() {
        start.loaded(class, Some(source));
    }
    let own = places
        .iter()
        .filter(|(class, source)| start.whose(class, Some(source)) == Whose::Application);
    let mut classes: Vec<String> = own.map(|(class, _)| class.clone()).collect();
    classes.sort();
    classes.dedup();
    OwnCode { start, classes }
}

fn main_jar(path: &Path) -> MainJar {
    let manifest = read_entry(path, JarManifest::NAME, Budget::default());
    let manifest = JarManifest::read(&manifest.ok().flatten().unwrap_or_default());
    let names = entry_names(path, Budget::default()).unwrap_or_default();
    MainJar::of(
        manifest.attribute("Main-Class"),
        manifest.attribute("Start-Class"),
        names.iter().map(String::as_str),
    )
}

/// The captured frames of a crash, in the order to try them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The application's own, from the innermost outward, then those of libraries that it called.
    pub first: Vec<usize>,
    /// What called the application: dispatchers, proxies, reflection, servers. Worth a try where none of the
    /// application's own reproduces.
    pub aside: Vec<usize>,
}

impl Order {
    pub fn of(manifest: &Manifest) -> Order {
        Self::by(&manifest.frames, &manifest.own_frames())
    }

    fn by(frames: &[FrameInfo], own: &[usize]) -> Order {
        let is_captured = |number: &usize| {
            let frame = frames.get(*number);
            frame.is_some_and(|frame| frame.captured.is_some())
        };
        let mut first: Vec<usize> = own.iter().copied().filter(is_captured).collect();
        let foreign = (0..frames.len()).filter(|number| !own.contains(number));
        let (inside, mut aside): (Vec<usize>, Vec<usize>) = foreign
            .filter(is_captured)
            .partition(|number| first.first().is_some_and(|innermost| number < innermost));
        if first.is_empty() {
            return Order {
                first: aside,
                aside: Vec::new(),
            };
        }
        first.extend(inside);
        aside.sort_unstable();
        Order { first, aside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrash_heap::manifest::{CapturedFrame, FramePlace, TraceElement, Value};

    fn frame(class: &str) -> FrameInfo {
        FrameInfo {
            throwable: 0,
            element: TraceElement {
                class: class.to_owned(),
                method: "m".to_owned(),
                file: None,
                line: 1,
                module: None,
            },
            captured: Some(CapturedFrame {
                descriptor: "()V".to_owned(),
                access: 0,
                place: FramePlace::Body,
                receiver: Value::Null,
                arguments: Vec::new(),
                patches: Vec::new(),
                back_to: None,
                reads: Vec::new(),
                class_hash: None,
                source: None,
                entry: None,
            }),
        }
    }

    fn order(classes: &[&str]) -> (Vec<usize>, Vec<usize>) {
        let frames: Vec<FrameInfo> = classes.iter().map(|class| frame(class)).collect();
        let own: Vec<usize> = (0..classes.len())
            .filter(|number| {
                classes
                    .get(*number)
                    .is_some_and(|it| it.starts_with("app."))
            })
            .collect();
        let Order { first, aside } = Order::by(&frames, &own);
        (first, aside)
    }

    #[test]
    fn the_applications_frames_come_first_and_what_called_them_stands_aside() {
        let stack = [
            "lib.List",
            "app.Policy",
            "spring.Proxy",
            "app.Service",
            "tomcat.Chain",
        ];
        assert_eq!(order(&stack), (vec![1, 3, 0], vec![2, 4]));
    }

    #[test]
    fn a_library_that_main_calls_is_tried_whole() {
        assert_eq!(
            order(&["lib.A", "lib.B", "app.Main"]),
            (vec![2, 0, 1], vec![])
        );
        assert_eq!(order(&["lib.A", "lib.B"]), (vec![0, 1], vec![]));
    }
}
