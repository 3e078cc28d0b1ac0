//! Crashes as the XML that JUnit's runners write and every CI server reads: a suite per crash, a test case per captured
//! frame. A frame that reproduces the crash is a failure, as its test is; one that does not is skipped, with the reason.

use crate::crash::{Crash, method};
use crate::printable;
use crate::table::{Row, Standing};
use crate::wording::timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// The whole document.
pub fn junit_xml(crashes: &[Crash]) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let total = |count: fn(&Crash) -> usize| crashes.iter().map(count).sum::<usize>().to_string();
    writer
        .create_element("testsuites")
        .with_attribute(("name", "recrash"))
        .with_attribute(("tests", total(tests).as_str()))
        .with_attribute(("failures", total(failures).as_str()))
        .with_attribute(("errors", "0"))
        .write_inner_content(|writer| {
            for crash in crashes {
                suite(writer, crash)?;
            }
            Ok(())
        })?;
    let mut bytes = writer.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

fn tests(crash: &Crash) -> usize {
    crash.findings.rows.len()
}

fn failures(crash: &Crash) -> usize {
    crash.reproduced().count()
}

fn suite(writer: &mut Writer<Vec<u8>>, crash: &Crash) -> io::Result<()> {
    let skipped = tests(crash) - failures(crash);
    let captured = timestamp(crash.manifest.captured_at);
    let captured = captured.trim_end_matches(" UTC").replace(' ', "T");
    writer
        .create_element("testsuite")
        .with_attribute(("name", shown(&crash.title()).as_str()))
        .with_attribute(("tests", tests(crash).to_string().as_str()))
        .with_attribute(("failures", failures(crash).to_string().as_str()))
        .with_attribute(("errors", "0"))
        .with_attribute(("skipped", skipped.to_string().as_str()))
        .with_attribute(("timestamp", captured.as_str()))
        .write_inner_content(|writer| {
            properties(writer, crash)?;
            for row in &crash.findings.rows {
                case(writer, crash, row)?;
            }
            Ok(())
        })?;
    Ok(())
}

fn properties(writer: &mut Writer<Vec<u8>>, crash: &Crash) -> io::Result<()> {
    let mut known = vec![
        ("snapshot", crash.snapshot.as_str()),
        ("fingerprint", crash.manifest.fingerprint.as_str()),
        (
            "java.version",
            crash.manifest.environment.java_version.as_str(),
        ),
    ];
    known.extend(
        crash
            .manifest
            .label
            .as_deref()
            .map(|label| ("label", label)),
    );
    writer
        .create_element("properties")
        .write_inner_content(|writer| {
            for (name, value) in known {
                writer
                    .create_element("property")
                    .with_attribute(("name", name))
                    .with_attribute(("value", shown(value).as_str()))
                    .write_empty()?;
            }
            Ok(())
        })?;
    Ok(())
}

fn case(writer: &mut Writer<Vec<u8>>, crash: &Crash, row: &Row) -> io::Result<()> {
    let frame = crash.manifest.frames.get(row.frame);
    // Servers group by class: the test's own where there is one, else the one that was on the stack.
    let class = match (&crash.test_class, &row.test, frame) {
        (Some(class), Some(_), _) => class.clone(),
        (_, _, Some(frame)) => frame.element.class.clone(),
        _ => String::new(),
    };
    let name = match &row.test {
        Some(test) => test.clone(),
        None => format!(
            "frame {}: {}",
            row.frame,
            frame.map_or_else(String::new, method)
        ),
    };
    let mut element = writer
        .create_element("testcase")
        .with_attribute(("classname", shown(&class).as_str()))
        .with_attribute(("name", shown(&name).as_str()));
    let source = crash.findings.excerpt(row.frame);
    if let Some(source) = source {
        element = element
            .with_attribute(("file", shown(&source.path).as_str()))
            .with_attribute(("line", source.line.to_string().as_str()));
    }
    element.write_inner_content(|writer| {
        if row.standing == Standing::Reproduced {
            writer
                .create_element("failure")
                .with_attribute(("message", shown(&crash.headline()).as_str()))
                .with_attribute(("type", shown(crash.exception()).as_str()))
                .write_text_content(BytesText::new(&allowed(&crash.trace())))?;
        } else {
            let reason = match row.reason.as_str() {
                "" => row.verdict.clone(),
                reason => format!("{}: {reason}", row.verdict),
            };
            writer
                .create_element("skipped")
                .with_attribute(("message", shown(&reason).as_str()))
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

/// For an attribute, where line breaks would become blanks.
fn shown(text: &str) -> String {
    allowed(&printable(text))
}

/// XML 1.0 has no way to write these two; control characters are visible text already.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
