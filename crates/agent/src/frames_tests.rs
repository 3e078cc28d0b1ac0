use super::*;
use crate::description::Recognised;
use recrash_heap::manifest::ThreadInfo;

/// Sites are positions in this list of `Class.method`.
struct Table(Vec<&'static str>);

impl Names for Table {
    fn name(&self, site: u32) -> Option<MethodName> {
        let (class, method) = self.0.get(site as usize)?.split_once('.')?;
        Some(MethodName {
            class: class.to_owned(),
            method: method.to_owned(),
        })
    }
}

fn element(text: &str) -> TraceElement {
    let (name, line) = text.split_once(':').unwrap_or((text, "-1"));
    let (class, method) = name.split_once('.').unwrap();
    TraceElement {
        class: class.to_owned(),
        method: method.to_owned(),
        file: None,
        line: line.parse().unwrap(),
        module: None,
    }
}

fn thrown(trace: &[&str], recorded: &[u32]) -> Thrown {
    Thrown {
        class: "E".to_owned(),
        message: None,
        trace: trace.iter().map(|text| element(text)).collect(),
        total: recorded.len(),
        recorded: recorded.to_vec(),
        constructors: Vec::new(),
    }
}

/// Each frame as `throwable Class.method:line record`, uncaught throwable last.
fn check(throwables: Vec<Thrown>, names: &[&'static str], expected: &[&str]) {
    let description = Description {
        recognised: Recognised::default(),
        thread: ThreadInfo {
            name: "main".to_owned(),
            id: 1,
            daemon: false,
            is_virtual: false,
        },
        throwables,
    };
    let found: Vec<String> = frames(&description, &Table(names.to_vec()))
        .iter()
        .map(|frame| {
            let record = match frame.record {
                None => "-".to_owned(),
                Some(Record::Frame(index)) => format!("f{index}"),
                Some(Record::Constructor(index)) => format!("c{index}"),
            };
            let element = &frame.element;
            format!(
                "{} {}.{}:{} {record}",
                frame.throwable, element.class, element.method, element.line
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn unmonitored_elements_become_frames_without_a_record() {
    check(
        vec![thrown(
            &["J.get:1", "A.f:2", "J.call:3", "A.main:4"],
            &[0, 1],
        )],
        &["A.f", "A.main"],
        &["0 J.get:1 -", "0 A.f:2 f0", "0 J.call:3 -", "0 A.main:4 f1"],
    );
}

#[test]
fn the_method_that_wraps_belongs_to_the_wrapper_only() {
    check(
        vec![
            thrown(&["A.c:9", "A.main:4"], &[1, 2]),
            thrown(&["A.b:1", "A.c:8", "A.main:4"], &[0]),
        ],
        &["A.b", "A.c", "A.main"],
        &["1 A.b:1 f0", "0 A.c:9 f0", "0 A.main:4 f1"],
    );
}

#[test]
fn a_cause_from_another_thread_keeps_its_whole_trace() {
    check(
        vec![
            thrown(&["Future.get:1", "A.main:2"], &[1]),
            thrown(&["A.task:1", "Thread.run:2"], &[0]),
        ],
        &["A.task", "A.main"],
        &[
            "1 A.task:1 f0",
            "1 Thread.run:2 -",
            "0 Future.get:1 -",
            "0 A.main:2 f0",
        ],
    );
}

#[test]
fn recursion_is_aligned_one_by_one() {
    check(
        vec![thrown(
            &["A.f:3", "A.f:2", "A.f:1", "A.main:9"],
            &[0, 0, 0, 1],
        )],
        &["A.f", "A.main"],
        &["0 A.f:3 f0", "0 A.f:2 f1", "0 A.f:1 f2", "0 A.main:9 f3"],
    );
}

#[test]
fn without_a_trace_the_records_speak_alone() {
    check(
        vec![thrown(&[], &[0, 1])],
        &["A.f", "A.main"],
        &["0 A.f:-1 f0", "0 A.main:-1 f1"],
    );
}

#[test]
fn a_record_that_no_trace_explains_does_not_disturb_the_others() {
    check(
        vec![thrown(
            &["A.f:1", "A.g:2", "A.main:3", "X.k:4"],
            &[3, 0, 1, 2],
        )],
        &["A.f", "A.g", "A.main", "X.k"],
        &[
            "0 X.k:-1 f0",
            "0 A.f:1 f1",
            "0 A.g:2 f2",
            "0 A.main:3 f3",
            "0 X.k:4 -",
        ],
    );
}

#[test]
fn of_a_shared_exception_only_the_last_throw_counts() {
    check(
        vec![thrown(&["A.<clinit>:1"], &[0, 0, 1, 0, 1, 2])],
        &["A.inner", "A.outer", "A.main"],
        &["0 A.inner:-1 f3", "0 A.outer:-1 f4", "0 A.main:-1 f5"],
    );
}

#[test]
fn frames_that_threw_it_again_and_again_do_not_hide_where_it_came_from() {
    check(
        vec![thrown(&["A.f:2", "A.main:4"], &[0, 2, 1, 2])],
        &["A.f", "A.main", "B.rethrow"],
        &[
            "0 A.f:2 f0",
            "0 B.rethrow:-1 f1",
            "0 A.main:4 f2",
            "0 B.rethrow:-1 f3",
        ],
    );
}

#[test]
fn constructors_inside_super_take_the_newest_entry_of_their_class() {
    let mut failure = thrown(
        &["Base.<init>:1", "Mid.<init>:2", "Top.<init>:3", "A.main:4"],
        &[0, 1],
    );
    // Top called Mid by super(...), and so did a Mid whose own frame a handler saw.
    failure.constructors = vec![3, 2, 2];
    check(
        vec![failure],
        &["Base.<init>", "A.main", "Mid.<init>", "Top.<init>"],
        &[
            "0 Base.<init>:1 f0",
            "0 Mid.<init>:2 c2",
            "0 Top.<init>:3 c0",
            "0 A.main:4 f1",
        ],
    );
}

#[test]
fn where_the_recorder_left_a_gap_the_last_frames_stand_at_the_end() {
    let mut names = vec!["A.f"; 256];
    names.push("A.main");
    let recorded: Vec<u32> = (0..=256).collect();
    let mut failure = thrown(&[], &recorded);
    failure.trace = (0..1024)
        .map(|line| element(&format!("A.f:{line}")))
        .collect();
    failure.total = 100_000;
    let description = Description {
        recognised: Recognised::default(),
        thread: ThreadInfo {
            name: "main".to_owned(),
            id: 1,
            daemon: false,
            is_virtual: false,
        },
        throwables: vec![failure],
    };
    let frames = frames(&description, &Table(names));
    assert_eq!(frames.len(), 1025);
    assert_eq!(frames[255].record, Some(Record::Frame(255)));
    assert_eq!(frames[256].record, None);
    assert_eq!(frames[1024].element.method, "main");
    assert_eq!(frames[1024].record, Some(Record::Frame(256)));
}
