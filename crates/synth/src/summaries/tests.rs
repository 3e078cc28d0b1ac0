//! Summaries of what javac makes of small classes.

use super::*;
use crate::compiled::Compiled;
use crate::summary::{From, Gives, Into};

const SOURCE: &str = r#"
public class Box {
    int a;
    long b;
    byte c;
    String name;

    Box() { this(7, null); }
    Box(int a, String name) { this.a = a; setName(name); }
    Box(Box other) { this.a = other.a; name = other.getName(); }

    String getName() { return name; }
    void setName(String name) { this.name = name; }
    void rename(String name) { setName(name); }
    void narrow(int c) { this.c = (byte) c; }
    Box with(int a) { this.a = a; return this; }
    Box chained(int a) { return with(a); }
    Box copy(int a) { Box box = new Box(a, name); box.b = b; return box; }
    static Box of(int a) { Box box = new Box(); box.with(a).b = 3L; return box; }
    static Box named(String name) { if (name == null) { return null; } return new Box(1, name); }
    static void fill(Box box, String name) { box.rename(name); }
    static Box filled(String name) { Box box = of(4); fill(box, name); return box; }
    void twice(int a) { this.a = 1; this.a = a; }
    void either(boolean b, int a) { this.a = 1; if (b) { this.a = a; } }
    void down(int n, String name) { if (n > 0) { up(n - 1, name); } }
    void up(int n, String name) { this.name = name; down(n, name); }
    void trimmed(String name) { this.name = name; this.name = name.trim(); }
}

class Knot {
    Object held;

    /// Each variable may hold what any other held.
    void tie(int n, Object a, Object b, Object c, Object d, Object e, Object f) {
        for (int i = 0; i < n; i++) {
            switch (i % 6) {
                case 0: a = b; b = d; break;
                case 1: b = c; c = e; break;
                case 2: c = d; d = f; break;
                case 3: d = e; e = a; break;
                case 4: e = f; f = b; break;
                default: f = a; a = c;
            }
            while (n % 7 == i) {
                Object g = a; a = f; f = g; n--;
            }
        }
        held = a;
    }
}

class Low extends Box {
    Low(int x) { super(x, "low"); }
    void setName(String name) { super.setName(name); c = 9; }
}
"#;

/// A method by class and the beginning of name and descriptor.
fn summary(compiled: &Compiled, summaries: &Summaries, method: &str) -> String {
    let program = &compiled.program;
    let (class, name) = method.split_once('.').unwrap();
    let class = program.find(class).unwrap();
    let found = class.methods.iter().find(|found| {
        let FieldName(found, descriptor) = field_name(program, found.selector).unwrap();
        format!("{found}{descriptor}").starts_with(name)
    });
    printed(program, &summaries.of(program, found.unwrap().id))
}

fn printed(program: &Program, summary: &Summary) -> String {
    let field = |field: &SelectorId| field_name(program, *field).unwrap().0;
    let from = |from: &From| match from {
        From::Parameter(number) => format!("p{number}"),
        From::Field(number, name) => format!("p{number}.{}", field(name)),
        From::Int(number) => number.to_string(),
        From::Long(number) => format!("{number}L"),
        From::Text(text) => format!("{text:?}"),
        From::Null => "null".to_owned(),
    };
    let mut lines: Vec<String> = Vec::new();
    for put in &summary.puts {
        let object = match put.into {
            Into::Parameter(number) => format!("p{number}"),
            Into::Result => "result".to_owned(),
        };
        let value = from(&put.from);
        lines.push(format!("{object}.{} = {value}", field(&put.field)));
    }
    match &summary.gives {
        Some(Gives::Made) => lines.push("gives result".to_owned()),
        Some(Gives::Value(value)) => lines.push(format!("gives {}", from(value))),
        None => {}
    }
    lines.join("; ")
}

const EXPECTED: [(&str, &str); 20] = [
    ("Box.<init>()", "p0.a = 7; p0.name = null"),
    ("Box.<init>(IL", "p0.a = p1; p0.name = p2"),
    ("Box.<init>(LBox", "p0.a = p1.a; p0.name = p1.name"),
    ("Box.getName", "gives p0.name"),
    ("Box.setName", "p0.name = p1"),
    ("Box.rename", "p0.name = p1"),
    ("Box.narrow", "p0.c = p1"),
    ("Box.with", "p0.a = p1; gives p0"),
    ("Box.chained", "p0.a = p1; gives p0"),
    (
        "Box.copy",
        "result.a = p1; result.name = p0.name; result.b = p0.b; gives result",
    ),
    (
        "Box.of",
        "result.name = null; result.a = p0; result.b = 3L; gives result",
    ),
    ("Box.named", "result.a = 1; result.name = p0; gives result"),
    ("Box.fill(", "p0.name = p1"),
    (
        "Box.filled",
        "result.a = 4; result.b = 3L; result.name = p0; gives result",
    ),
    ("Box.twice", "p0.a = p1"),
    ("Box.either", "p0.a = 1; p0.a = p2"),
    ("Box.down", "p0.name = p2"),
    ("Box.up", "p0.name = p2"),
    ("Box.trimmed", ""),
    ("Low.<init>", "p0.a = p1; p0.name = \"low\""),
];

#[test]
fn summaries_are_made_of_those_of_callees() {
    let compiled = Compiled::new("Box", SOURCE);
    let summaries = Summaries::default();
    for (method, expected) in EXPECTED {
        assert_eq!(summary(&compiled, &summaries, method), expected, "{method}");
    }
    // Asked in another order, they are the same.
    let summaries = Summaries::default();
    for (method, expected) in EXPECTED.iter().rev() {
        assert_eq!(
            summary(&compiled, &summaries, method),
            *expected,
            "{method}"
        );
    }
}

#[test]
fn what_was_worked_out_is_read_the_next_time() {
    let compiled = Compiled::new("Box", SOURCE);
    let cache = Cache::at(compiled.folder.path().join("cache"));
    let (first, note) = Summaries::load(&cache, 1);
    assert_eq!(note, None);
    for (method, _) in EXPECTED {
        summary(&compiled, &first, method);
    }
    assert_eq!(first.store(&compiled.program, &cache, 1), None);
    // Numbers of classes and fields differ in another program.
    let compiled = compiled.again();
    let (second, note) = Summaries::load(&cache, 1);
    assert_eq!(note, None);
    for (method, expected) in EXPECTED.iter().rev() {
        assert_eq!(summary(&compiled, &second, method), *expected, "{method}");
    }
    assert!(!second.grown.load(Ordering::Relaxed));
    // Another class path has others.
    let (other, _) = Summaries::load(&cache, 2);
    assert!(other.stored.is_empty());
}

#[test]
fn a_torn_file_is_one_line_and_worked_out_anew() {
    let compiled = Compiled::new("Box", SOURCE);
    let cache = Cache::at(compiled.folder.path().join("cache"));
    let (first, _) = Summaries::load(&cache, 1);
    let (method, expected) = EXPECTED[0];
    summary(&compiled, &first, method);
    assert_eq!(first.store(&compiled.program, &cache, 1), None);
    let file = std::fs::read_dir(cache.folder()).unwrap().next();
    let file = file.unwrap().unwrap().path();
    let whole = std::fs::read(&file).unwrap();
    for length in [0, 10, whole.len() - 1] {
        std::fs::write(&file, &whole[..length]).unwrap();
        let (again, note) = Summaries::load(&cache, 1);
        let note = note.unwrap();
        assert!(
            note.contains("computed anew") && !note.contains('\n'),
            "{note}"
        );
        assert_eq!(summary(&compiled, &again, method), expected);
        assert_eq!(again.store(&compiled.program, &cache, 1), None);
        assert_eq!(std::fs::read(&file).unwrap(), whole);
    }
}

#[test]
fn what_loops_join_is_given_up_soon() {
    let compiled = Compiled::new("Box", SOURCE);
    let begin = std::time::Instant::now();
    let tied = summary(&compiled, &Summaries::default(), "Knot.tie");
    assert_eq!(tied, "");
    // Without a limit it takes years.
    assert!(begin.elapsed().as_secs() < 20);
}
