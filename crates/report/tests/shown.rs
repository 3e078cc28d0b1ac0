//! The report as a reader sees it.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
#![allow(clippy::unwrap_used, clippy::too_many_lines)]

use recrash_heap::manifest::{
    Argument, CapturedFrame, Environment, FrameInfo, FramePlace, Manifest, ObjectId, Patch,
    StaticField, ThreadInfo, ThrowableInfo, TraceElement, Unwoven, Value,
};
use recrash_heap::{ClassIndex, ClassSpec, Heap, HeapBuilder, Snapshot, StandInReason};
use recrash_report::{Graph, ShowOptions, Style, describe, json, show};

#[test]
fn a_snapshot_reads_as_a_tree() {
    insta::assert_snapshot!(show(&snapshot(), &ShowOptions::default()));
}

#[test]
fn one_frame_stands_alone_and_deeper_levels_are_one_line() {
    let options = ShowOptions {
        frame: Some(0),
        depth: 1,
        items: 2,
        ..ShowOptions::default()
    };
    insta::assert_snapshot!(show(&snapshot(), &options));
}

#[test]
fn verbose_lists_what_is_only_counted_otherwise() {
    let text = show(
        &snapshot(),
        &ShowOptions {
            verbose: true,
            ..ShowOptions::default()
        },
    );
    for expected in [
        "  Shop.RATE = 0.25",
        "  a.Big: its code is near 64 KB",
        "app.jar",
        "user.country=CH",
    ] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
}

#[test]
fn colours_are_only_there_when_told() {
    let colored = ShowOptions {
        style: Style {
            color: true,
            width: 80,
        },
        ..ShowOptions::default()
    };
    assert!(!show(&snapshot(), &ShowOptions::default()).contains('\x1b'));
    assert!(show(&snapshot(), &colored).contains("\x1b[31m"));
}

#[test]
fn json_has_every_object() {
    let mut out = Vec::new();
    json(&snapshot(), &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let objects = value["objects"].as_array().unwrap();
    assert_eq!(objects.len() as u32, snapshot().heap.len());
    assert!(objects.iter().any(|object| object["kind"] == "stand-in"));
    assert!(objects.iter().any(|object| object["text"] == "tea"));
    assert_eq!(value["manifest"]["frames"][0]["element"]["method"], "total");
}

#[test]
fn a_line_shows_contents_one_level_deep() {
    let snapshot = snapshot();
    let receiver = snapshot.manifest.frames[0]
        .captured
        .as_ref()
        .unwrap()
        .receiver;
    let graph = Graph::at_failure(&snapshot.heap);
    assert_eq!(
        describe(graph, receiver, 40),
        "Order{id=8, lines=ArrayList[2], self=Or…"
    );
}

struct Classes {
    string: ClassIndex,
    objects: ClassIndex,
    list: ClassIndex,
    order: ClassIndex,
    thread: ClassIndex,
    map: ClassIndex,
    node: ClassIndex,
    nodes: ClassIndex,
    ints: ClassIndex,
}

fn classes(builder: &mut HeapBuilder) -> Classes {
    let mut class = |name: &'static str, fields: &'static [(&'static str, &'static str)]| {
        builder.class(&ClassSpec {
            name,
            fields,
            ..ClassSpec::default()
        })
    };
    Classes {
        string: class("java.lang.String", &[]),
        objects: class("[Ljava.lang.Object;", &[]),
        list: class(
            "java.util.ArrayList",
            &[("elementData", "[Ljava/lang/Object;"), ("size", "I")],
        ),
        order: class(
            "com.acme.Order",
            &[
                ("id", "I"),
                ("lines", "Ljava/util/List;"),
                ("self", "Lcom/acme/Order;"),
                ("worker", "Ljava/lang/Thread;"),
                ("prices", "Ljava/util/Map;"),
                ("rest", "Ljava/lang/Object;"),
                ("codes", "[I"),
            ],
        ),
        thread: class("java.lang.Thread", &[]),
        map: class(
            "java.util.HashMap",
            &[("table", "[Ljava/util/HashMap$Node;"), ("size", "I")],
        ),
        node: class(
            "java.util.HashMap$Node",
            &[
                ("hash", "I"),
                ("key", "Ljava/lang/Object;"),
                ("value", "Ljava/lang/Object;"),
                ("next", "Ljava/util/HashMap$Node;"),
            ],
        ),
        nodes: class("[Ljava.util.HashMap$Node;", &[]),
        ints: class("[I", &[]),
    }
}

/// An order that refers to itself, to a thread, to something beyond the budget.
fn snapshot() -> Snapshot {
    let mut builder = HeapBuilder::new();
    let classes = classes(&mut builder);
    let tea = Value::Ref(builder.string(classes.string, "tea"));
    let escape = Value::Ref(builder.string(classes.string, "\x1b[2J\u{202e}"));
    let data = Value::Ref(builder.array(
        classes.objects,
        true,
        &[tea, escape, Value::Null, Value::Null],
    ));
    let lines = Value::Ref(builder.instance(classes.list, &[data, Value::Int(2)]));
    let worker = Value::Ref(builder.stand_in(classes.thread, StandInReason::OtherThread, "pool-1"));
    let cut = Value::Ref(builder.cut(classes.order));
    let codes = Value::Ref(builder.array(classes.ints, false, &[1, 2, 3].map(Value::Int)));
    let inner = Value::Ref(builder.instance(
        classes.order,
        &[
            Value::Int(9),
            lines,
            Value::Null,
            Value::Null,
            Value::Null,
            Value::Null,
            Value::Null,
        ],
    ));
    let node =
        Value::Ref(builder.instance(classes.node, &[Value::Int(1), tea, inner, Value::Null]));
    let table = Value::Ref(builder.array(classes.nodes, true, &[Value::Null, node]));
    let map = Value::Ref(builder.instance(classes.map, &[table, Value::Int(1)]));
    // The order's id is the next one: it refers to itself.
    let itself = Value::Ref(ObjectId(12));
    let order = builder.instance(
        classes.order,
        &[Value::Int(8), lines, itself, worker, map, cut, codes],
    );
    assert_eq!(order, ObjectId(12));
    let heap = Heap::parse(builder.finish(), u32::MAX).unwrap();
    Snapshot {
        manifest: manifest(order, inner),
        heap,
        classes: Vec::new(),
    }
}

fn manifest(order: ObjectId, other: Value) -> Manifest {
    let element = |class: &str, method: &str, line| TraceElement {
        class: class.into(),
        method: method.into(),
        file: Some("Order.java".into()),
        line,
        module: None,
    };
    let captured = CapturedFrame {
        descriptor: "(Lcom/acme/Order;J[[Ljava/lang/String;)V".into(),
        access: 1,
        place: FramePlace::Body,
        receiver: Value::Ref(order),
        arguments: vec![
            Argument {
                name: Some("other".into()),
                descriptor: "Lcom/acme/Order;".into(),
                value: other,
            },
            Argument {
                name: None,
                descriptor: "J".into(),
                value: Value::Long(-1),
            },
            Argument {
                name: Some("rows".into()),
                descriptor: "[[Ljava/lang/String;".into(),
                value: Value::Null,
            },
        ],
        patches: vec![Patch {
            object: order,
            class: "com.acme.Order".into(),
            field: "id".into(),
            descriptor: "I".into(),
            value: Value::Int(7),
        }],
        reads: vec!["com.acme.Shop.NAME".into()],
        class_hash: None,
        entry: None,
        source: None,
    };
    let trace = vec![
        element("com.acme.Order", "total", 12),
        element("java.lang.Thread", "run", 840),
    ];
    let throwable = |class: &str, message: Option<&str>| ThrowableInfo {
        class: class.into(),
        message: message.map(String::from),
        object: ObjectId(1),
        trace: trace.clone(),
    };
    let statics = |field: &str, value| StaticField {
        class: "com.acme.Shop".into(),
        field: field.into(),
        descriptor: "D".into(),
        value,
        is_final: false,
    };
    Manifest {
        format: 1,
        recrash: "0.1.0".into(),
        label: Some("1.4".into()),
        session: None,
        strategy: "auto".into(),
        captured_at: 1_763_180_431_000,
        fingerprint: "1a2b3c4d".into(),
        throwables: vec![
            throwable("com.acme.Failed", None),
            throwable("java.lang.IllegalStateException", Some("two\nlines")),
        ],
        thread: ThreadInfo {
            name: "pool-1-thread-1".into(),
            id: 12,
            daemon: true,
            is_virtual: false,
        },
        frames: vec![
            FrameInfo {
                throwable: 1,
                element: element("com.acme.Order", "total", 12),
                captured: Some(captured),
            },
            FrameInfo {
                throwable: 1,
                element: element("java.lang.Thread", "run", 840),
                captured: None,
            },
        ],
        frames_total: 2,
        statics: vec![
            statics("NAME", Value::Null),
            statics("RATE", Value::DoubleBits(0.25f64.to_bits())),
        ],
        thread_locals: vec![],
        environment: Environment {
            java_home: "/opt/jdk".into(),
            java_version: "17.0.15".into(),
            class_path: vec!["app.jar".into()],
            module_path: vec![],
            jvm_arguments: vec!["-Xmx64m".into()],
            working_directory: "/srv/shop".into(),
            locale: "de-CH".into(),
            time_zone: "Europe/Zurich".into(),
            charset: "UTF-8".into(),
            system_properties: vec![("user.country".into(), "CH".into())],
        },
        limits: vec!["1 object beyond 10 was cut".into()],
        unwoven: vec![Unwoven {
            class: "a.Big".into(),
            reason: "its code is near 64 KB".into(),
        }],
    }
}
