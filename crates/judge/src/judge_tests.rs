//! The judge against recorded and replayed stack traces, written as `Class.method:line` from the top.

use crate::judge::{Expected, judge};
use crate::verdict::Verdict;
use recrash_heap::Value;
use recrash_heap::manifest::{
    CapturedFrame, Cause, Environment, FORMAT, FrameInfo, FramePlace, Manifest, ObjectId,
    ThreadInfo, ThrowableInfo, TraceElement,
};
use recrash_jvm::{Outcome, Thrown, TraceLine};

const NPE: &str = "java.lang.NullPointerException";
const STATE: &str = "java.lang.IllegalStateException";
const INITIALIZER: &str = "java.lang.ExceptionInInitializerError";
const OVERFLOW: &str = "java.lang.StackOverflowError";

type Trace<'a> = &'a [&'a str];

/// `java.util.List.of:3` is a place of java.base, `app.Main.run:5` one of the program.
fn place(text: &str) -> (String, String, i32, Option<String>) {
    let (name, line) = text.rsplit_once(':').unwrap();
    let (class, method) = name.rsplit_once('.').unwrap();
    let module = class.starts_with("java.").then(|| "java.base".to_owned());
    (
        class.to_owned(),
        method.to_owned(),
        line.parse().unwrap(),
        module,
    )
}

fn element(text: &str) -> TraceElement {
    let (class, method, line, module) = place(text);
    TraceElement {
        class,
        method,
        file: None,
        line,
        module,
    }
}

fn recorded(chain: &[(&str, Trace<'_>)], frame: &str, throwable: u32) -> Manifest {
    let captured = CapturedFrame {
        descriptor: "()V".into(),
        access: 0,
        place: FramePlace::Body,
        receiver: Value::Null,
        arguments: vec![],
        patches: vec![],
        back_to: None,
        reads: vec![],
        class_hash: None,
        source: None,
        entry: None,
    };
    Manifest {
        format: FORMAT,
        cause: Cause::Crash,
        recrash: "0".into(),
        label: None,
        session: None,
        strategy: "auto".into(),
        captured_at: 0,
        fingerprint: String::new(),
        throwables: chain
            .iter()
            .map(|(class, trace)| ThrowableInfo {
                class: (*class).into(),
                message: None,
                object: ObjectId(1),
                trace: trace.iter().map(|text| element(text)).collect(),
            })
            .collect(),
        thread: ThreadInfo {
            name: "main".into(),
            id: 1,
            daemon: false,
            is_virtual: false,
        },
        frames: vec![FrameInfo {
            throwable,
            element: element(frame),
            captured: Some(captured),
        }],
        frames_total: 1,
        application: None,
        statics: vec![],
        thread_locals: vec![],
        environment: Environment {
            java_home: String::new(),
            java_version: "17".into(),
            class_path: vec![],
            module_path: vec![],
            jvm_arguments: vec![],
            working_directory: "/".into(),
            locale: "en".into(),
            time_zone: "UTC".into(),
            charset: "UTF-8".into(),
            system_properties: vec![],
        },
        limits: vec![],
        unwoven: vec![],
        shrunk: None,
        privacy: None,
    }
}

fn replayed(chain: &[(&str, Trace<'_>)]) -> Outcome {
    let line = |text: &&str| {
        let (class, method, line, module) = place(text);
        TraceLine {
            class,
            method,
            file: None,
            line,
            module,
        }
    };
    let thrown = |(class, trace): &(&str, Trace<'_>)| Thrown {
        class: (*class).into(),
        printed: false,
        message: None,
        unprintable: false,
        restored: 0,
        trace: trace.iter().map(line).collect(),
    };
    Outcome::Threw(chain.iter().map(thrown).collect())
}

fn verdict(manifest: &Manifest, outcome: &Outcome) -> (Verdict, String) {
    let expected = Expected {
        manifest,
        frame: 0,
        same_jdk: true,
    };
    let (verdict, reason) = judge(&expected, outcome);
    (verdict, reason.unwrap_or_default())
}

#[test]
fn the_same_exception_at_the_same_line_is_reproduced() {
    let manifest = recorded(
        &[(NPE, &["app.Main.run:5", "app.Main.main:2"])],
        "app.Main.run:5",
        0,
    );
    let outcome = replayed(&[(NPE, &["app.Main.run:5", "recrash.Frame.invoke:9"])]);
    assert_eq!(
        verdict(&manifest, &outcome),
        (Verdict::Reproduced, String::new())
    );
}

#[test]
fn another_line_of_the_same_method_is_elsewhere() {
    let manifest = recorded(&[(NPE, &["app.Main.run:5"])], "app.Main.run:5", 0);
    let (verdict, reason) = verdict(&manifest, &replayed(&[(NPE, &["app.Main.run:6"])]));
    assert_eq!(verdict, Verdict::SameExceptionElsewhere);
    assert_eq!(
        reason,
        format!("{NPE} was thrown at app.Main.run(line 6) instead of app.Main.run(line 5)")
    );
}

#[test]
fn another_type_is_another_exception_and_says_where() {
    let manifest = recorded(&[(NPE, &["app.Main.run:5"])], "app.Main.run:5", 0);
    let (verdict, reason) = verdict(&manifest, &replayed(&[(STATE, &["app.Main.run:4"])]));
    assert_eq!(verdict, Verdict::OtherException);
    assert_eq!(
        reason,
        format!("it threw {STATE} at app.Main.run(line 4) instead of {NPE}")
    );
}

#[test]
fn a_wrapped_exception_is_judged_by_the_place_of_its_root_cause() {
    let chain: &[(&str, Trace<'_>)] = &[
        (STATE, &["app.Main.run:9"]),
        (NPE, &["app.Dao.load:3", "app.Main.run:7"]),
    ];
    let manifest = recorded(chain, "app.Main.run:9", 0);
    assert_eq!(verdict(&manifest, &replayed(chain)).0, Verdict::Reproduced);
    let elsewhere = replayed(&[(STATE, &["app.Main.run:9"]), (NPE, &["app.Dao.load:4"])]);
    assert_eq!(
        verdict(&manifest, &elsewhere).0,
        Verdict::SameExceptionElsewhere
    );
}

#[test]
fn a_frame_inside_the_wrapper_expects_the_cause_alone() {
    let manifest = recorded(
        &[(STATE, &["app.Main.run:9"]), (NPE, &["app.Dao.load:3"])],
        "app.Dao.load:3",
        1,
    );
    assert_eq!(
        verdict(&manifest, &replayed(&[(NPE, &["app.Dao.load:3"])])).0,
        Verdict::Reproduced
    );
}

#[test]
fn a_missing_or_different_cause_is_another_exception() {
    let manifest = recorded(
        &[(STATE, &["app.Main.run:9"]), (NPE, &["app.Dao.load:3"])],
        "app.Main.run:9",
        0,
    );
    let (without, reason) = verdict(&manifest, &replayed(&[(STATE, &["app.Main.run:9"])]));
    assert_eq!(
        (without, reason),
        (
            Verdict::OtherException,
            format!("{STATE} had no cause {NPE}")
        )
    );
    let outcome = replayed(&[(STATE, &["app.Main.run:9"]), (STATE, &["app.Dao.load:3"])]);
    let (different, reason) = verdict(&manifest, &outcome);
    assert_eq!(different, Verdict::OtherException);
    assert_eq!(
        reason,
        format!("{STATE} was caused by {STATE} instead of {NPE}")
    );
}

#[test]
fn a_throw_inside_the_jdk_needs_the_same_caller_and_on_the_same_jdk_the_same_line() {
    let manifest = recorded(
        &[(NPE, &["java.util.Objects.check:233", "app.Main.run:5"])],
        "app.Main.run:5",
        0,
    );
    let other_jdk = replayed(&[(NPE, &["java.util.Objects.check:240", "app.Main.run:5"])]);
    let judged = |same_jdk, outcome: &Outcome| {
        judge(
            &Expected {
                manifest: &manifest,
                frame: 0,
                same_jdk,
            },
            outcome,
        )
        .0
    };
    assert_eq!(judged(false, &other_jdk), Verdict::Reproduced);
    assert_eq!(judged(true, &other_jdk), Verdict::SameExceptionElsewhere);
    let other_way = replayed(&[(
        NPE,
        &[
            "java.util.Preconditions.fail:1",
            "java.util.Objects.check:9",
            "app.Main.run:5",
        ],
    )]);
    assert_eq!(judged(false, &other_way), Verdict::Reproduced);
    let other_caller = replayed(&[(NPE, &["java.util.Objects.check:233", "app.Main.run:6"])]);
    assert_eq!(judged(true, &other_caller), Verdict::SameExceptionElsewhere);
}

#[test]
fn hidden_classes_are_the_same_whatever_their_address() {
    let manifest = recorded(
        &[(NPE, &["app.Main$$Lambda/0x1.run:1", "app.Main.run:5"])],
        "app.Main.run:5",
        0,
    );
    let outcome = replayed(&[(NPE, &["app.Main$$Lambda/0x2.run:1", "app.Main.run:5"])]);
    assert_eq!(verdict(&manifest, &outcome).0, Verdict::Reproduced);
}

#[test]
fn a_stack_overflow_is_the_same_when_the_same_methods_recur() {
    let wanted: Trace<'_> = &[
        "java.util.List.hash:3",
        "app.Tree.down:7",
        "app.Tree.left:4",
        "app.Tree.down:7",
        "app.Tree.left:4",
    ];
    let manifest = recorded(&[(OVERFLOW, wanted)], "app.Tree.down:7", 0);
    let same = replayed(&[(
        OVERFLOW,
        &[
            "app.Leaf.size:1",
            "app.Tree.left:5",
            "app.Tree.down:7",
            "app.Tree.left:4",
            "app.Tree.down:7",
        ],
    )]);
    assert_eq!(verdict(&manifest, &same).0, Verdict::Reproduced);
    let other = replayed(&[(OVERFLOW, &["app.Graph.walk:1", "app.Graph.walk:1"])]);
    let (other, reason) = verdict(&manifest, &other);
    assert_eq!(other, Verdict::SameExceptionElsewhere);
    assert_eq!(
        reason,
        "the recursion is in app.Graph.walk instead of app.Tree.left"
    );
}

#[test]
fn recursion_inside_the_jdk_alone_is_recursion_too() {
    let manifest = recorded(
        &[(OVERFLOW, &["java.util.A.h:3", "java.util.A.h:3"])],
        "app.Main.run:5",
        0,
    );
    let same = replayed(&[(OVERFLOW, &["java.util.A.h:4", "java.util.A.h:3"])]);
    assert_eq!(verdict(&manifest, &same).0, Verdict::Reproduced);
}

#[test]
fn a_class_initialiser_is_judged_without_the_wrapper_of_the_jvm() {
    let chain: &[(&str, Trace<'_>)] = &[
        (INITIALIZER, &["app.Main.main:2"]),
        (NPE, &["app.Config.<clinit>:3"]),
    ];
    let manifest = recorded(chain, "app.Config.<clinit>:3", 1);
    let outcome = replayed(&[
        (INITIALIZER, &["java.lang.Class.forName:1"]),
        (NPE, &["app.Config.<clinit>:3"]),
    ]);
    assert_eq!(verdict(&manifest, &outcome).0, Verdict::Reproduced);
}

#[test]
fn a_method_called_by_the_initialiser_of_its_own_class_is_judged_without_the_wrapper_too() {
    let cause: (&str, Trace<'_>) = (NPE, &["app.Config.load:5", "app.Config.<clinit>:3"]);
    let chain = [(INITIALIZER, &["app.Main.main:2"] as Trace<'_>), cause];
    let mut manifest = recorded(&chain, "app.Config.load:5", 1);
    let outcome = replayed(&[
        (INITIALIZER, &["java.lang.Unsafe.initialize:-2"]),
        (cause.0, cause.1),
    ]);
    assert_eq!(verdict(&manifest, &outcome).0, Verdict::OtherException);
    manifest.frames.push(FrameInfo {
        throwable: 1,
        element: element("app.Config.<clinit>:3"),
        captured: None,
    });
    assert_eq!(verdict(&manifest, &outcome).0, Verdict::Reproduced);
}

#[test]
fn junit_shows_what_an_invocation_wraps() {
    const INVOCATION: &str = "java.lang.reflect.InvocationTargetException";
    let wrapper: (&str, Trace<'_>) = (INVOCATION, &["java.lang.Method.invoke:5"]);
    let cause: (&str, Trace<'_>) = (NPE, &["app.Item.cost:3"]);
    let manifest = recorded(&[wrapper, cause], "app.Main.call:9", 0);
    for outcome in [replayed(&[wrapper, cause]), replayed(&[cause])] {
        assert_eq!(verdict(&manifest, &outcome).0, Verdict::Reproduced);
    }
    let other = replayed(&[wrapper, (STATE, &["app.Item.cost:3"])]);
    assert_eq!(verdict(&manifest, &other).0, Verdict::OtherException);
}

#[test]
fn whether_a_parallel_task_failed_in_another_thread_is_chance() {
    let original: (&str, Trace<'_>) = (NPE, &["app.Main.up:3", "java.util.List.each:1"]);
    let copy: Trace<'_> = &[
        "java.lang.reflect.Constructor.newInstance:480",
        "java.util.concurrent.ForkJoinTask.getException:564",
        "app.Main.all:9",
    ];
    let manifest = recorded(&[(NPE, copy), original], "app.Main.all:9", 0);
    for outcome in [replayed(&[(NPE, copy), original]), replayed(&[original])] {
        assert_eq!(verdict(&manifest, &outcome).0, Verdict::Reproduced);
    }
    let wrapper: Trace<'_> = &["app.Main.all:9"];
    let outcome = replayed(&[(NPE, wrapper), original]);
    assert_eq!(verdict(&manifest, &outcome).0, Verdict::OtherException);
}

#[test]
fn an_error_in_a_class_initialiser_is_not_wrapped_and_still_reproduced() {
    let manifest = recorded(
        &[("app.Fatal", &["app.Config.<clinit>:3"])],
        "app.Config.<clinit>:3",
        0,
    );
    assert_eq!(
        verdict(
            &manifest,
            &replayed(&[("app.Fatal", &["app.Config.<clinit>:3"])])
        )
        .0,
        Verdict::Reproduced
    );
}

#[test]
fn the_caller_of_a_failing_initialiser_expects_the_wrapper() {
    let chain: &[(&str, Trace<'_>)] = &[
        (INITIALIZER, &["app.Main.main:2"]),
        (NPE, &["app.Config.<clinit>:3"]),
    ];
    let manifest = recorded(chain, "app.Main.main:2", 0);
    assert_eq!(verdict(&manifest, &replayed(chain)).0, Verdict::Reproduced);
    let spoilt = replayed(&[
        ("java.lang.NoClassDefFoundError", &["app.Main.main:2"]),
        (INITIALIZER, &["app.Config.<clinit>:3"]),
    ]);
    assert_eq!(verdict(&manifest, &spoilt).0, Verdict::OtherException);
}

#[test]
fn an_exception_without_a_trace_is_judged_by_the_frames_it_unwound() {
    let manifest = recorded(&[(NPE, &[])], "app.Main.run:5", 0);
    assert_eq!(
        verdict(&manifest, &replayed(&[(NPE, &["app.Main.run:8"])])).0,
        Verdict::Reproduced
    );
    assert_eq!(
        verdict(&manifest, &replayed(&[(NPE, &[])])).0,
        Verdict::Reproduced
    );
    assert_eq!(
        verdict(&manifest, &replayed(&[(NPE, &["app.Other.run:8"])])).0,
        Verdict::SameExceptionElsewhere
    );
}

#[test]
fn a_missing_class_is_told_with_the_way_out() {
    let manifest = recorded(&[(NPE, &["app.Main.run:5"])], "app.Main.run:5", 0);
    let Outcome::Threw(mut thrown) =
        replayed(&[("java.lang.NoClassDefFoundError", &["app.Main.run:4"])])
    else {
        panic!()
    };
    thrown[0].message = Some("com/acme/Order".into());
    let (_, reason) = verdict(&manifest, &Outcome::Threw(thrown));
    assert_eq!(
        reason,
        "com.acme.Order is not on the class path at app.Main.run(line 4); pass the jar that ran with --classpath"
    );
}

#[test]
fn whatever_else_happens_has_a_verdict_and_a_sentence() {
    let manifest = recorded(&[(NPE, &["app.Main.run:5"])], "app.Main.run:5", 0);
    let at = Some("app.Main.wait(Main.java:3)".to_owned());
    for (outcome, wanted) in [
        (Outcome::Returned, Verdict::Passes),
        (Outcome::NotRestored("no".into()), Verdict::NotRunnable),
        (Outcome::TimedOut { at: at.clone() }, Verdict::TimedOut),
        (Outcome::Exited { by: at }, Verdict::NotRunnable),
        (
            Outcome::Died("it ended with status 134".into()),
            Verdict::NotRunnable,
        ),
    ] {
        let (verdict, reason) = verdict(&manifest, &outcome);
        assert_eq!(verdict, wanted);
        assert!(!reason.is_empty());
    }
}

#[test]
fn a_printed_exception_is_known_by_its_place_when_its_text_hides_its_class() {
    let manifest = recorded(
        &[
            ("app.BuildFailure", &["app.Main.run:9"]),
            (NPE, &["app.Dao.load:3"]),
        ],
        "app.Main.run:9",
        0,
    );
    let outcome = replayed(&[
        ("build.xml:1", &["app.Main.run:9"]),
        (NPE, &["app.Dao.load:3"]),
    ]);
    assert_eq!(verdict(&manifest, &outcome).0, Verdict::OtherException);
    let Outcome::Threw(mut thrown) = outcome else {
        panic!()
    };
    thrown[0].printed = true;
    let judged = |thrown: &[Thrown]| verdict(&manifest, &Outcome::Threw(thrown.to_vec())).0;
    assert_eq!(judged(&thrown), Verdict::Reproduced);
    thrown[0].trace[0].line = 10;
    assert_eq!(judged(&thrown), Verdict::OtherException);
}

#[test]
fn a_capture_point_is_reached_when_the_label_is_the_same() {
    let point = "recrash.CapturePoint";
    let mut manifest = recorded(&[(point, &["app.Main.run:5"])], "app.Main.run:5", 0);
    manifest.throwables[0].message = Some("total differs".into());
    let reached = |label: &str| match replayed(&[(point, &["app.Main.run:5"])]) {
        Outcome::Threw(mut thrown) => {
            thrown[0].message = Some(label.into());
            Outcome::Threw(thrown)
        }
        other => other,
    };
    let same = verdict(&manifest, &reached("total differs"));
    assert_eq!(same.0, Verdict::Reproduced);
    let other = verdict(&manifest, &reached("another"));
    assert_eq!(other.0, Verdict::OtherException);
    assert_eq!(
        verdict(&manifest, &Outcome::Returned),
        (
            Verdict::Passes,
            "the method returned without reaching the capture point \"total differs\"".to_owned()
        )
    );
}
