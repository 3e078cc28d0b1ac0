//! What JUnit reports: XML from the console launcher of JUnit 5, text from JUnitCore of JUnit 4.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use recrash_jvm::Thrown;

use crate::error::{Error, Result};
use crate::outcome::{TestOutcome, TestResult};
use crate::stack_trace;

/// `TEST-junit-jupiter.xml`.
pub(crate) fn parse_xml(text: &str) -> Result<Vec<TestResult>> {
    let broken = |error: &dyn std::fmt::Display| Error::Report(error.to_string());
    let mut reader = Reader::from_str(text);
    let mut results: Vec<TestResult> = Vec::new();
    let mut failure: Option<(Option<String>, String)> = None;
    loop {
        match reader.read_event().map_err(|error| broken(&error))? {
            Event::Start(element) | Event::Empty(element)
                if element.name().as_ref() == b"testcase" =>
            {
                let method = attribute(&element, "name")?;
                results.push(TestResult {
                    class: attribute(&element, "classname")?,
                    method: method.split('(').next().unwrap_or(&method).to_owned(),
                    outcome: TestOutcome::Passed,
                });
            }
            Event::Start(element) if matches!(element.name().as_ref(), b"failure" | b"error") => {
                failure = Some((attribute(&element, "type").ok(), String::new()));
            }
            Event::CData(data) => {
                if let Some((_, text)) = &mut failure {
                    text.push_str(&String::from_utf8_lossy(&data));
                }
            }
            Event::End(element) if matches!(element.name().as_ref(), b"failure" | b"error") => {
                if let (Some((class, text)), Some(last)) = (failure.take(), results.last_mut()) {
                    let mut thrown = stack_trace::parse(&text);
                    if let (Some(head), Some(class)) = (thrown.first_mut(), class) {
                        head.class = class;
                        head.printed = false;
                    }
                    last.outcome = TestOutcome::Failed(thrown);
                }
            }
            Event::Start(element) | Event::Empty(element)
                if element.name().as_ref() == b"skipped" =>
            {
                if let Some(last) = results.last_mut() {
                    last.outcome = TestOutcome::Skipped;
                }
            }
            Event::Eof => return Ok(results),
            _ => {}
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<String> {
    let broken = |error: &dyn std::fmt::Display| Error::Report(error.to_string());
    let attribute = element
        .try_get_attribute(name)
        .map_err(|error| broken(&error))?
        .ok_or_else(|| Error::Report(format!("a test without {name}")))?;
    Ok(attribute
        .unescape_value()
        .map_err(|error| broken(&error))?
        .into_owned())
}

/// The first failure in the summary that the console launcher prints: `=> exception` and indented places.
pub(crate) fn parse_console(text: &str) -> Option<Vec<Thrown>> {
    let (_, failure) = text.split_once("\n    => ")?;
    let mut trace = String::new();
    for (number, line) in failure
        .lines()
        .take_while(|line| !line.is_empty())
        .enumerate()
    {
        let inner = line.trim_start();
        match inner {
            "[...]" => continue,
            _ if number > 0 && !inner.starts_with("Caused by: ") => trace.push_str("\tat "),
            _ => {}
        }
        trace.push_str(inner);
        trace.push('\n');
    }
    Some(stack_trace::parse(&trace))
}

/// What ended the launcher itself.
pub(crate) fn parse_fatal(text: &str) -> Option<Vec<Thrown>> {
    let (_, rest) = text.split_once("Exception in thread \"")?;
    let (_, trace) = rest.split_once("\" ")?;
    Some(stack_trace::parse(trace))
}

/// JUnitCore names failed tests only: `2) hexAbs(app.MainTest)` and a stack trace each.
pub(crate) fn parse_text(text: &str) -> Vec<TestResult> {
    let mut results: Vec<TestResult> = Vec::new();
    let mut trace = String::new();
    let finish = |results: &mut Vec<TestResult>, trace: &mut String| {
        if let Some(last) = results.last_mut() {
            last.outcome = TestOutcome::Failed(stack_trace::parse(trace));
        }
        trace.clear();
    };
    for line in text.lines() {
        if let Some((method, class)) = failed_test(line, results.len() + 1) {
            finish(&mut results, &mut trace);
            let (method, class) = (method.to_owned(), class.to_owned());
            results.push(TestResult {
                class,
                method,
                outcome: TestOutcome::Passed,
            });
        } else if line == "FAILURES!!!" {
            break;
        } else {
            trace.push_str(line);
            trace.push('\n');
        }
    }
    finish(&mut results, &mut trace);
    results
}

fn failed_test(line: &str, number: usize) -> Option<(&str, &str)> {
    let test = line.strip_prefix(&format!("{number}) "))?;
    test.strip_suffix(')')?.split_once('(')
}

/// Whether JUnitCore came to its end.
pub(crate) fn is_complete(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("OK (") || line == "FAILURES!!!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_xml_of_the_console_launcher_is_read() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="JUnit Jupiter" tests="3" failures="1">
<properties><property name="a" value="&quot;x&quot;"/></properties>
<testcase name="passes()" classname="app.MainTest" time="0"><system-out><![CDATA[id]]></system-out></testcase>
<testcase name="fails()" classname="app.MainTest" time="0">
<failure message="a &lt;b&gt;" type="java.lang.IllegalStateException"><![CDATA[java.lang.IllegalStateException: x]]]]><![CDATA[>
	at app.Main.run(Main.java:3)
]]></failure>
<system-out><![CDATA[more]]></system-out>
</testcase>
<testcase name="waits()" classname="app.MainTest"><skipped/></testcase>
</testsuite>"#;
        let results = parse_xml(text).unwrap();
        let names: Vec<_> = results
            .iter()
            .map(|result| result.method.as_str())
            .collect();
        assert_eq!(names, ["passes", "fails", "waits"]);
        assert_eq!(results[0].outcome, TestOutcome::Passed);
        assert_eq!(results[2].outcome, TestOutcome::Skipped);
        let TestOutcome::Failed(thrown) = &results[1].outcome else {
            panic!("{results:?}")
        };
        assert_eq!(thrown[0].message.as_deref(), Some("x]]>"));
        assert_eq!(thrown[0].trace[0].line, 3);
    }

    #[test]
    fn the_summary_and_the_last_words_of_the_console_launcher_are_read() {
        let summary = "\nFailures (1):\n  JUnit Jupiter:DT:a()\n    MethodSource [className = 'DT']\n    => oops!\n       \
            app.Main.run(Main.java:8)\n       [...]\n     Caused by: java.lang.IllegalStateException: x\n       \
            app.Main.area(Main.java:5)\n       [...]\n\nTest run finished after 868 ms\n";
        let read = |chain: Vec<Thrown>| -> Vec<(String, i32)> {
            chain
                .into_iter()
                .map(|thrown| (thrown.class, thrown.trace[0].line))
                .collect()
        };
        assert_eq!(
            read(parse_console(summary).unwrap()),
            [
                ("oops!".to_owned(), 8),
                ("java.lang.IllegalStateException".to_owned(), 5)
            ]
        );
        let fatal = "Exception in thread \"main\" java.lang.OutOfMemoryError: heap\n\tat app.Main.run(Main.java:9)\n";
        assert_eq!(
            read(parse_fatal(fatal).unwrap()),
            [("java.lang.OutOfMemoryError".to_owned(), 9)]
        );
        assert_eq!(parse_console("fine"), None);
        assert_eq!(parse_fatal("fine"), None);
    }

    #[test]
    fn the_text_of_junit_core_is_read() {
        let text = "JUnit version 4.13.2\n.E.E\nTime: 0.01\nThere were 2 failures:\n1) one(app.MainTest)\n\
            java.lang.IllegalStateException: 2) two(three)\n\tat app.Main.one(Main.java:3)\n2) two(app.MainTest)\n\
            java.lang.NullPointerException\n\tat app.Main.two(Main.java:7)\n\nFAILURES!!!\nTests run: 3,  Failures: 2\n";
        let results = parse_text(text);
        let read: Vec<_> = results
            .iter()
            .map(|result| match &result.outcome {
                TestOutcome::Failed(thrown) => (result.method.as_str(), thrown[0].trace[0].line),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(read, [("one", 3), ("two", 7)]);
        assert!(is_complete(text));
        assert!(!is_complete("JUnit version 4.13.2\n."));
    }
}
