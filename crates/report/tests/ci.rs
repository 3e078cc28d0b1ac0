//! What CI servers get, read as they read it.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
// Each test target uses its own part of it.
#[allow(dead_code)]
use crate::support;

use quick_xml::Reader;
use quick_xml::events::Event;
use recrash_report::{Crash, Excerpt, Row, Standing, github, junit_xml, sarif};
use std::collections::BTreeMap;
use support::{findings, snapshot};

/// A crash whose frame 0 reproduces and whose outer frame, added here, does not.
fn crash() -> Crash {
    let mut manifest = snapshot().manifest;
    let mut outer = manifest.frames[0].clone();
    outer.element.method = "main".into();
    outer.element.line = 30;
    manifest.frames.push(outer);
    let mut findings = findings();
    findings.rows.push(Row {
        frame: 2,
        method: "Order.main".into(),
        standing: Standing::Failed,
        verdict: "passes".into(),
        reason: "a file has changed, <maybe> & \"so\"\u{1b}\u{ffff}".into(),
        test: None,
    });
    findings.excerpts.push(Excerpt {
        frame: 0,
        path: "src/main, java/com/acme/Order.java".into(),
        first: 12,
        line: 12,
        lines: vec!["return 1;".into()],
    });
    Crash {
        snapshot: "out/Failed-1a2b3c4d-7.recrash".into(),
        manifest,
        findings,
        test_class: Some("com.acme.OrderTest".into()),
    }
}

/// The same where neither tests nor sources are at hand.
fn bare() -> Crash {
    let mut crash = crash();
    crash.findings = recrash_report::Findings::default();
    crash.test_class = None;
    crash
}

#[test]
fn an_annotation_stands_at_the_line_and_names_the_test() {
    assert_eq!(
        github(&[crash(), bare()]),
        "::error file=src/main%2C java/com/acme/Order.java,line=12,title=Failed in Order.total::\
         com.acme.Failed%0A1 of 2 frames reproduce it; tests: out/OrderTest.java%0A\
         com.acme.OrderTest.total() reproduces frame 0\n\
         ::error title=Failed in Order.total::com.acme.Failed%0Acaptured in out/Failed-1a2b3c4d-7.recrash\n"
    );
}

#[test]
fn a_sarif_log_has_a_rule_a_place_a_stack_and_a_fingerprint() {
    let log = sarif(&[crash(), bare()]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "recrash");
    assert_eq!(driver["rules"].as_array().unwrap().len(), 1);
    assert_eq!(driver["rules"][0]["id"], "com.acme.Failed");
    let result = &run["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["ruleIndex"], &result["level"]),
        (&"com.acme.Failed".into(), &0.into(), &"error".into())
    );
    assert!(
        result["message"]["text"]
            .as_str()
            .unwrap()
            .contains("1 of 2 frames reproduce it")
    );
    let physical = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        physical["artifactLocation"]["uri"],
        "src/main%2C%20java/com/acme/Order.java"
    );
    assert_eq!(physical["region"]["startLine"], 12);
    assert_eq!(result["partialFingerprints"]["recrash/v1"], "1a2b3c4d");
    // The frames are those of the cause, and only there the source is known.
    let stacks = result["stacks"].as_array().unwrap();
    assert_eq!(
        stacks[0]["message"]["text"],
        "com.acme.Failed on daemon thread \"pool-1-thread-1\""
    );
    let innermost = &stacks[1]["frames"][0]["location"];
    assert_eq!(
        innermost["logicalLocations"][0]["fullyQualifiedName"],
        "com.acme.Order.total"
    );
    assert_eq!(innermost["physicalLocation"]["region"]["startLine"], 12);
    assert_eq!(result["properties"]["verdicts"][1]["verdict"], "passes");
    let bare = &run["results"][1];
    assert!(bare["locations"][0]["physicalLocation"].is_null());
    assert_eq!(bare["locations"][0]["logicalLocations"][0]["name"], "total");
}

#[test]
fn no_crash_is_a_log_without_results() {
    let log = sarif(&[]);
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    let xml = String::from_utf8(junit_xml(&[]).unwrap()).unwrap();
    assert!(xml.contains("tests=\"0\" failures=\"0\""), "{xml}");
    assert_eq!(github(&[]), "");
}

type Attributes = BTreeMap<String, String>;

/// Every element with its attributes, and the texts.
fn read(xml: &[u8]) -> (Vec<(String, Attributes)>, Vec<String>) {
    let text = std::str::from_utf8(xml).unwrap();
    let mut reader = Reader::from_str(text);
    let (mut elements, mut texts) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(element) | Event::Empty(element) => {
                let attributes = element.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let name = String::from_utf8(attribute.key.as_ref().to_vec()).unwrap();
                    (name, attribute.unescape_value().unwrap().into_owned())
                });
                let name = String::from_utf8(element.name().as_ref().to_vec()).unwrap();
                elements.push((name, attributes.collect()));
            }
            Event::Text(text) => {
                let text = text.decode().unwrap().trim().to_owned();
                texts.extend((!text.is_empty()).then_some(text));
            }
            Event::Eof => return (elements, texts),
            _ => {}
        }
    }
}

#[test]
fn a_frame_that_reproduces_is_a_failure_and_one_that_does_not_is_skipped_with_its_reason() {
    let (elements, texts) = read(&junit_xml(&[crash()]).unwrap());
    let of = |name: &str| -> Vec<&Attributes> {
        let found = elements.iter().filter(|(element, _)| element == name);
        found.map(|(_, attributes)| attributes).collect()
    };
    let suite = of("testsuite")[0];
    for (name, value) in [
        ("name", "Failed in Order.total"),
        ("tests", "2"),
        ("failures", "1"),
        ("errors", "0"),
        ("skipped", "1"),
        ("timestamp", "2025-11-15T04:20:31"),
    ] {
        assert_eq!(suite[name], value, "{name}");
    }
    let cases = of("testcase");
    assert_eq!(cases[0]["classname"], "com.acme.OrderTest");
    assert_eq!(cases[0]["name"], "total");
    assert_eq!(cases[0]["line"], "12");
    assert_eq!(cases[1]["classname"], "com.acme.Order");
    assert_eq!(cases[1]["name"], "frame 2: Order.main");
    assert_eq!(of("failure")[0]["type"], "com.acme.Failed");
    // What XML cannot hold is visible text or replaced; the rest comes back as it was.
    assert_eq!(
        of("skipped")[0]["message"],
        "passes: a file has changed, <maybe> & \"so\"\\u001b\u{fffd}"
    );
    assert!(
        texts[0].starts_with("com.acme.Failed\n\tat com.acme.Order.total(Order.java:12)"),
        "{texts:?}"
    );
    assert!(
        texts[0].contains("Caused by: java.lang.IllegalStateException: two\\nlines"),
        "{texts:?}"
    );
    let properties: Vec<(&str, &str)> = of("property")
        .iter()
        .map(|property| (property["name"].as_str(), property["value"].as_str()))
        .collect();
    assert!(properties.contains(&("label", "1.4")), "{properties:?}");
}
