//! A small snapshot with one of everything.

use recrash_heap::manifest::{
    Argument, CapturedFrame, Cause, Environment, FrameInfo, FramePlace, Manifest, ObjectId, Patch,
    Privacy, Redaction, RedactionKind, StaticField, ThreadInfo, ThrowableInfo, TraceElement,
    Unwoven, Value,
};
use recrash_heap::{ClassIndex, ClassSpec, Heap, HeapBuilder, Snapshot, StandInReason};
use recrash_report::{Findings, Row, Standing, TestSource};

/// As if `recrash tests` had been run.
pub fn findings() -> Findings {
    Findings {
        rows: vec![Row {
            frame: 0,
            method: "Order.total".into(),
            standing: Standing::Reproduced,
            verdict: "reproduced".into(),
            reason: "total()".into(),
            test: Some("total".into()),
        }],
        notes: vec!["verified with another JDK".into()],
        tests: vec![TestSource {
            path: "out/OrderTest.java".into(),
            text: "class OrderTest {}\n".into(),
        }],
        excerpts: Vec::new(),
    }
}

/// The same with some of it redacted: a text, a field and an argument.
pub fn redacted() -> Snapshot {
    let redaction = |object, place: &str, rule: &str, kind| Redaction {
        object: ObjectId(object),
        place: place.into(),
        rule: rule.into(),
        kind,
    };
    let mut snapshot = snapshot();
    snapshot.manifest.privacy = Some(Privacy {
        rules: vec!["mask field tea".into()],
        redactions: vec![
            redaction(1, "[0..2]", "mask field tea", RedactionKind::Mask),
            redaction(12, "id", "drop field id", RedactionKind::Drop),
            redaction(0, "frames[0].other", "hash type Order", RedactionKind::Hash),
        ],
        unlisted: 0,
    });
    snapshot
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

/// An ordinary class, or an array's.
pub fn class(builder: &mut HeapBuilder, name: &str, fields: &[(&str, &str)]) -> ClassIndex {
    builder.class(&ClassSpec {
        name,
        fields,
        ..ClassSpec::default()
    })
}

fn classes(builder: &mut HeapBuilder) -> Classes {
    let mut class = |name: &str, fields: &[(&str, &str)]| class(builder, name, fields);
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
pub fn snapshot() -> Snapshot {
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
        back_to: None,
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
        cause: Cause::Crash,
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
        thread: thread(),
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
        application: None,
        statics: vec![
            statics("NAME", Value::Null),
            statics("RATE", Value::DoubleBits(0.25f64.to_bits())),
        ],
        thread_locals: vec![],
        environment: environment(),
        limits: vec!["1 object beyond 10 was cut".into()],
        shrunk: None,
        unwoven: vec![unwoven()],
        privacy: None,
    }
}

fn unwoven() -> Unwoven {
    Unwoven {
        class: "a.Big".into(),
        reason: "its code is near 64 KB".into(),
    }
}

fn environment() -> Environment {
    Environment {
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
    }
}

fn thread() -> ThreadInfo {
    ThreadInfo {
        name: "pool-1-thread-1".into(),
        id: 12,
        daemon: true,
        is_virtual: false,
    }
}
