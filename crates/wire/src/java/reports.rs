//! The writers of reports, inside `java.lang`.

use super::messages::{camel, lower, ty};
use super::{Source, header, shape};
use crate::record::{Java, Shape};
use crate::report;
use std::fmt::Write as _;

const NAME: &str = "$RecrashReport";

/// A class with a method for each record, which writes what stands before its lists.
pub(super) fn writers() -> Source {
    let mut text = format!(
        "{}/**\n * The records of what the agent is told of a failure. A method writes the numbers and texts of one; the lists that\n \
         * follow are written by who calls it: a count each, then the items.\n */\nfinal class {NAME} {{\n    \
         private static final int VERSION = {};\n\n    private {NAME}() {{}}\n",
        header("java.lang"),
        report::VERSION
    );
    for shape in report::RECORDS.into_iter().filter_map(shape) {
        writer(&mut text, shape);
    }
    text.push_str("}\n");
    (format!("base/java/lang/{NAME}.java"), text)
}

fn writer(text: &mut String, shape: &Shape) {
    let (lists, fields): (Vec<_>, Vec<_>) = shape
        .fields
        .iter()
        .partition(|(_, java)| matches!(java, Java::List(_) | Java::Record(_)));
    let is_version = |name: &str| name == "version";
    let parameters: Vec<String> = fields
        .iter()
        .filter(|(name, _)| !is_version(name))
        .map(|(name, java)| format!(", {} {}", ty(java), camel(name)))
        .collect();
    let following: Vec<String> = lists.iter().map(|(name, _)| camel(name)).collect();
    let about = if following.is_empty() {
        format!("/**{} */", shape.about)
    } else {
        format!(
            "/**{} There follow {}. */",
            shape.about,
            following.join(", ")
        )
    };
    let _ = write!(
        text,
        "\n    {about}\n    static void {}($RecrashBytes out{}) {{\n",
        lower(shape.name),
        parameters.concat()
    );
    for (name, java) in fields {
        let put = match java {
            Java::Boolean => "flag",
            Java::Text => "text",
            _ => "number",
        };
        let value = if is_version(name) {
            "VERSION".to_owned()
        } else {
            camel(name)
        };
        let _ = writeln!(text, "        out.{put}({value});");
    }
    text.push_str("    }\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_has_a_method_that_writes_it_in_order() {
        let (path, text) = writers();
        assert_eq!(path, "base/java/lang/$RecrashReport.java");
        assert!(
            text.contains("static void throwable($RecrashBytes out, String className, String message, int total)"),
            "{text}"
        );
        assert!(
            text.contains("There follow trace, recorded, constructors."),
            "{text}"
        );
        assert!(
            text.contains(
                "static void contents($RecrashBytes out) {\n        out.number(VERSION);"
            ),
            "{text}"
        );
    }
}
