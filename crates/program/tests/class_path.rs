//! Classes are found where a JVM finds them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_program::{ClassPath, Origin, Program};
use support::{compile, jar, jdk, program};

const NOTHING: &[u8] = b"class";

#[test]
fn nested_jars_of_spring_boot_and_wars_are_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (inside, name) in [("BOOT-INF", "app.jar"), ("WEB-INF", "app.war")] {
        jar(&here.join("library.jar"), &[("lib/L.class", b"library")]);
        let library = std::fs::read(here.join("library.jar")).unwrap();
        jar(
            &here.join(name),
            &[
                ("loader/Launcher.class", b"launcher"),
                (&format!("{inside}/classes/app/A.class"), b"application"),
                (&format!("{inside}/lib/library.jar"), &library),
                ("META-INF/notes/N.class", NOTHING),
            ],
        );
        let class_path = ClassPath::open([here.join(name)], None, 17).unwrap();
        let names = class_path.application();
        assert_eq!(names, [&b"app/A"[..], b"lib/L", b"loader/Launcher"]);
        assert_eq!(class_path.read(b"app/A").unwrap().unwrap(), b"application");
        assert_eq!(class_path.read(b"lib/L").unwrap().unwrap(), b"library");
    }
}

#[test]
fn the_release_of_a_multi_release_jar_is_the_newest_the_jdk_can_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.jar");
    jar(
        &path,
        &[
            ("META-INF/MANIFEST.MF", b"Multi-Release: true\n"),
            ("A.class", b"8"),
            ("META-INF/versions/11/A.class", b"11"),
            ("META-INF/versions/21/A.class", b"21"),
        ],
    );
    for (feature, expected) in [(8, b"8".as_slice()), (17, b"11"), (25, b"21")] {
        let class_path = ClassPath::open([&path], None, feature).unwrap();
        assert_eq!(class_path.read(b"A").unwrap().unwrap(), expected);
    }
}

#[test]
fn jars_named_by_a_manifest_are_part_of_the_path_and_circles_end() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    jar(
        &here.join("a.jar"),
        &[("META-INF/MANIFEST.MF", b"Class-Path: gone.jar b.jar\n")],
    );
    jar(
        &here.join("b.jar"),
        &[
            ("META-INF/MANIFEST.MF", b"Class-Path: a.jar\n"),
            ("B.class", NOTHING),
        ],
    );
    let class_path = ClassPath::open([here.join("a.jar")], None, 17).unwrap();
    assert_eq!(class_path.application(), [b"B"]);
}

#[test]
fn the_hash_follows_the_content() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("A.class");
    let hash = |bytes: &[u8]| {
        std::fs::write(&class, bytes).unwrap();
        ClassPath::open([folder.path()], None, 17)
            .unwrap()
            .hash()
            .unwrap()
    };
    let (one, other, again) = (hash(b"one"), hash(b"two"), hash(b"one"));
    assert_ne!(one, other);
    assert_eq!(one, again);
}

#[test]
fn bad_entries_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("app.jar");
    let open = |jdk| ClassPath::open([&broken], jdk, 17).unwrap_err().to_string();
    assert!(open(None).contains("app.jar does not exist"));
    std::fs::write(&broken, "not a zip").unwrap();
    assert!(open(None).contains("app.jar: cannot be read as a jar"));
    assert!(open(Some(folder.path())).contains("has no lib/modules"));
}

#[test]
fn every_class_of_the_jdk_is_read_from_its_image() {
    let program = program(&[]);
    let names = program.class_path().jdk();
    assert!(names.len() > 5000, "{}", names.len());
    for name in names {
        let class = program.class(program.class_id(name)).unwrap();
        assert_eq!((&*class.name, class.origin), (name, Origin::Jdk));
        assert_eq!(class.file().unwrap().name, name);
    }
    assert_eq!(program.problems(), Vec::<String>::new());
}

#[test]
fn a_class_that_cannot_be_read_is_missing_and_said_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.class"), "junk").unwrap();
    let program = Program::new(ClassPath::open([folder.path()], None, 17).unwrap());
    assert!(program.find("A").is_none());
    assert!(program.find("A").is_none());
    let problems = program.problems();
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].starts_with("A: not a class file"),
        "{problems:?}"
    );
}

const FAMILY: &str = "
public class Family {
    interface Speaks { default String say() { return \"default\"; } }
    interface Shouts extends Speaks { default String say() { return \"LOUD\"; } }
    static class Animal { public String say() { return \"animal\"; } int legs; }
    static class Dog extends Animal implements Speaks { }
    static class Puppy extends Dog { public String say() { return \"puppy\"; } }
    static class Robot implements Shouts, Speaks { }
    static class Cat extends Animal { }
}";

#[test]
fn members_are_those_the_jvm_would_take() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), FAMILY);
    let program = program(&[&classes]);
    let hierarchy = program.hierarchy();
    let id = |name: &str| program.class_id(format!("Family${name}").as_bytes());
    let say = program.selector_id(b"say", b"()Ljava/lang/String;");
    let runs = |declared: &str, receiver: &str| {
        let resolved = hierarchy.resolve_method(id(declared), say).unwrap();
        let selected = hierarchy.select_method(id(receiver), &resolved).unwrap();
        program.method_text(selected.id)
    };
    let text = |class: &str| format!("Family${class}.say()Ljava/lang/String;");
    assert_eq!(runs("Speaks", "Puppy"), text("Puppy"));
    assert_eq!(runs("Speaks", "Dog"), text("Animal"));
    assert_eq!(runs("Dog", "Dog"), text("Animal"));
    assert_eq!(runs("Speaks", "Robot"), text("Shouts"));
    let legs = program.selector_id(b"legs", b"I");
    assert_eq!(
        hierarchy.resolve_field(id("Puppy"), legs).unwrap().class,
        id("Animal")
    );
    assert_eq!(
        hierarchy.common_superclass(id("Puppy"), id("Cat")),
        id("Animal")
    );
    let object = program.class_id(b"java/lang/Object");
    assert_eq!(hierarchy.common_superclass(id("Robot"), id("Cat")), object);
    assert!(hierarchy.is_subtype(id("Puppy"), id("Speaks")));
    assert!(!hierarchy.is_subtype(id("Cat"), id("Speaks")));
    assert!(hierarchy.is_subtype(program.class_id(b"[I"), object));
    let to_string = program.selector_id(b"toString", b"()Ljava/lang/String;");
    for class in ["[I", "Family$Speaks"] {
        let class = program.class_id(class.as_bytes());
        let resolved = hierarchy.resolve_method(class, to_string).unwrap();
        assert_eq!(resolved.id.class, object);
    }
}

#[test]
fn the_jdk_hides_what_a_jar_calls_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.jar");
    jar(
        &path,
        &[("java/lang/String.class", NOTHING), ("A.class", NOTHING)],
    );
    let class_path = ClassPath::open([&path], Some(jdk().home()), 17).unwrap();
    assert_eq!(class_path.origin(b"java/lang/String"), Some(Origin::Jdk));
    assert_eq!(class_path.application(), [b"A"]);
}
