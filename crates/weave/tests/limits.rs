//! Methods and classes at the limits of the format: woven where there is room, left alone where there is not.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::fmt::Write;
use std::path::Path;

use recrash_classfile::{
    Budget, ClassFile, ClassPatch, Error, JarEntry, PoolAppender, read_classes,
};
use recrash_weave::{Policy, SkipReason, Woven, weave};
use support::{compile, java, jdks, run, stub, write_folder};

/// Compiles a class `Limits` with this body.
fn compiled(body: &str, folder: &Path) -> JarEntry {
    let source = folder.join("Limits.java");
    std::fs::write(&source, format!("public class Limits {{\n{body}\n}}\n")).unwrap();
    let classes = compile(&jdks()[0], &folder.join("classes"), &[], &[source]);
    read_classes(&classes, Budget::default()).unwrap().remove(0)
}

/// Runs the class plainly and woven; both must print the same. Returns what was recorded.
fn same_output(entry: &JarEntry, folder: &Path) -> String {
    let Woven::Changed { bytes, .. } = weave(&entry.bytes, 0, &Policy::default()) else {
        panic!("not woven")
    };
    let jdk = &jdks()[0];
    let stub = stub(jdk, &folder.join("stub"));
    let woven = folder.join("woven");
    write_folder(
        &[JarEntry {
            name: entry.name.clone(),
            bytes,
        }],
        &woven,
    );
    let execute = |classes: &Path| run(java(jdk, &stub).arg("-cp").arg(classes).arg("Limits"));
    let (plain, _) = execute(&folder.join("classes"));
    let (output, records) = execute(&woven);
    assert_eq!(output, plain);
    records
}

const MAIN: &str = r#"
    public static void main(String[] args) {
        try {
            System.out.println(method(5, "text"));
        } catch (ArithmeticException e) {
            System.out.println(e + " at " + e.getStackTrace()[0].getMethodName());
        }
    }
"#;

/// A method that overwrites its parameters, with `filler` in it, and divides by zero in the end.
fn method_with(filler: &str) -> String {
    format!(
        "{MAIN} static long method(int a, String b) {{ a++; b = b + a; {filler} return a / (a - a); }}"
    )
}

#[test]
fn more_than_255_local_variables_need_wide_instructions() {
    let folder = tempfile::tempdir().unwrap();
    let mut filler = String::new();
    for number in 0..200 {
        write!(filler, "long l{number} = a + {number}; ").unwrap();
    }
    let entry = compiled(&method_with(&filler), folder.path());
    assert!(same_output(&entry, folder.path()).contains(" text 5"));
}

#[test]
fn a_method_of_nearly_64_kilobytes_is_skipped_and_the_rest_of_its_class_woven() {
    let folder = tempfile::tempdir().unwrap();
    let other = "static int other(int x) { int y = x * 3; int z = y - 2; return z / (y - x); }";
    // `a += 40000` takes five bytes: iload_0, ldc, iadd, istore_0.
    let entry = compiled(
        &format!("{other} {}", method_with(&"a += 40000; ".repeat(13_100))),
        folder.path(),
    );
    let Woven::Changed { skipped, sites, .. } = weave(&entry.bytes, 0, &Policy::default()) else {
        panic!("not woven")
    };
    assert!(
        matches!(
            skipped[0].why,
            SkipReason::CannotPatch(Error::CodeTooLong { .. })
        ),
        "{skipped:?}"
    );
    assert_eq!((skipped.len(), skipped[0].method.as_str()), (1, "method"));
    assert!(sites.iter().any(|site| site.method == "other"));
    same_output(&entry, folder.path());
}

#[test]
fn a_long_method_the_interpreter_runs_anyway_is_woven() {
    let folder = tempfile::tempdir().unwrap();
    let entry = compiled(&method_with(&"a += 40000; ".repeat(12_000)), folder.path());
    assert!(same_output(&entry, folder.path()).contains(" text 5"));
}

#[test]
fn a_method_that_the_jit_would_no_longer_compile_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let entry = compiled(&method_with(&"a += 40000; ".repeat(1_594)), folder.path());
    let Woven::Changed { skipped, .. } = weave(&entry.bytes, 0, &Policy::default()) else {
        panic!("not woven")
    };
    assert_eq!(skipped[0].why, SkipReason::TooLongToCompile);
}

#[test]
fn a_method_without_room_for_what_it_would_keep_is_woven_without_that() {
    let folder = tempfile::tempdir().unwrap();
    let mut body = format!(
        "{MAIN} int count; String last; static long method(int a, String b) {{ return new Limits().change1580(a, b); }}"
    );
    for times in 1_580..1_600 {
        let filler = "a += 40000; ".repeat(times);
        write!(
            body,
            " long change{times}(int a, String b) {{ count += a; last = b; {filler} return a / (count - count); }}"
        )
        .unwrap();
    }
    let entry = compiled(&body, folder.path());
    let Woven::Changed { skipped, sites, .. } = weave(&entry.bytes, 0, &Policy::default()) else {
        panic!("not woven")
    };
    let kept: Vec<(String, usize)> = sites
        .iter()
        .filter(|site| site.method.starts_with("change"))
        .map(|site| (site.method.clone(), site.saved.len()))
        .collect();
    let why = |method: &str| -> Vec<&SkipReason> {
        let of_method = skipped.iter().filter(|skipped| skipped.method == method);
        of_method.map(|skipped| &skipped.why).collect()
    };
    assert_eq!(kept[0], ("change1580".to_owned(), 2));
    assert!(why("change1580").is_empty());
    let without = kept.iter().find(|(_, saved)| *saved == 0);
    let (method, _) = without.expect("one of them has room for the handler alone");
    assert_eq!(why(method), [&SkipReason::TooLongToKeepWrites]);
    let too_long = SkipReason::TooLongToCompile;
    assert!(skipped.iter().any(|skipped| skipped.why == too_long));
    assert!(same_output(&entry, folder.path()).contains("text 5"));
}

#[test]
fn far_branches_over_moved_code_still_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let far = format!(
        "for (int i = 0; i < 3; i++) {{ switch (i) {{ case 0: a++; break; case 7: a--; }} {} }}",
        "a += 40000; ".repeat(8_000)
    );
    let entry = compiled(&method_with(&far), folder.path());
    assert!(same_output(&entry, folder.path()).contains(" text 5"));
}

#[test]
fn a_full_constant_pool_leaves_the_class_alone() {
    let folder = tempfile::tempdir().unwrap();
    let entry = compiled(&method_with(""), folder.path());
    let class = ClassFile::read(&entry.bytes).unwrap();
    for room in [0, 1, 12, 13, 14, 40] {
        let mut pool = PoolAppender::new(&class.pool);
        for number in class.pool.count()..u16::MAX - room {
            pool.new_integer(i32::from(number)).unwrap();
        }
        let crowded = ClassPatch::new(&class).finish(&pool);
        match weave(&crowded, 0, &Policy::default()) {
            Woven::Untouched(reason) => assert!(room < 40, "{reason}"),
            Woven::Changed { bytes, .. } => {
                assert!(room >= 12 && ClassFile::read(&bytes).is_ok(), "{room}");
            }
        }
    }
}
