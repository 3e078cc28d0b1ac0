//! The same crash has the same key, once in a snapshot, once in a trace that was printed.

use crate::support::manifest;

use recrash_heap::Manifest;
use recrash_heap::manifest::{ObjectId, ThrowableInfo, TraceElement};
use recrash_trace::parse;

fn element(class: &str, method: &str, module: Option<&str>) -> TraceElement {
    TraceElement {
        class: class.to_owned(),
        method: method.to_owned(),
        file: Some("Source.java".to_owned()),
        line: 7,
        module: module.map(str::to_owned),
    }
}

/// A crash in a lambda behind a proxy, with a cause; the numbers differ from run to run.
fn captured(lambda: &str, proxy: &str) -> Manifest {
    let base = Some("java.base");
    let outer = vec![
        element("app.Order", "lambda$total$2", None),
        element(&format!("app.Order$$Lambda{lambda}"), "apply", None),
        element("java.util.Optional", "map", base),
        element("app.Order", "total", None),
        element(proxy, "total", Some("jdk.proxy2")),
        element("app.Main", "main", None),
    ];
    let mut inner = vec![element("app.Item", "price", None)];
    inner.extend(outer.iter().cloned());
    let thrown = |class: &str, trace| ThrowableInfo {
        class: class.to_owned(),
        message: Some("item 5".to_owned()),
        object: ObjectId(0),
        trace,
    };
    let mut manifest = manifest::manifest(&[]);
    manifest.throwables = vec![
        thrown("java.lang.IllegalStateException", outer),
        thrown("java.lang.NullPointerException", inner),
    ];
    manifest
}

const PRINTED: &str = "\
12:00:01 ERROR app.Main - no total
java.lang.IllegalStateException: item 9
\tat app.Order.lambda$total$0(Order.java:12)
\tat app.Order$$Lambda$81/0x0000000800c03000.apply(Unknown Source)
\tat java.base/java.util.Optional.map(Optional.java:260)
\tat app.Order.total(Order.java:11)
\tat jdk.proxy2/jdk.proxy2.$Proxy11.total(Unknown Source)
\tat app.Main.main(Main.java:5)
Caused by: java.lang.NullPointerException: Cannot invoke \"app.Item.price()\" because \"item\" is null
\tat app.Item.price(Item.java:3)
\t... 6 more
";

#[test]
fn a_snapshot_and_a_printed_trace_of_one_failure_have_one_key() {
    let trace = parse(PRINTED).remove(0);
    assert_eq!(captured("/0x1f", "jdk.proxy2.$Proxy3").key(), trace.key());
}

#[test]
fn another_run_with_other_numbers_has_the_same_key() {
    let one = captured("/0x1f", "jdk.proxy2.$Proxy3").key();
    assert_eq!(one, captured("$14/0x00007f01", "jdk.proxy2.$Proxy4").key());
    assert_eq!(one, captured("$14/812", "com.sun.proxy.$Proxy4").key());
}

#[test]
fn another_method_has_another_key() {
    let mut other = captured("/0x1f", "jdk.proxy2.$Proxy3");
    let one = other.key();
    other.throwables[1].trace[0].method = "name".to_owned();
    assert_ne!(one, other.key());
}
