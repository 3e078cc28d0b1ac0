//! The verdict table.

use crate::style::{Style, printable};

/// How a verdict stands: decides only the colour and what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Reproduced,
    Near,
    /// No test of it could show that the bug is repaired, so it is not counted.
    Aside,
    Failed,
}

/// One line of the verdict table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub frame: usize,
    pub method: String,
    pub standing: Standing,
    pub verdict: String,
    /// Why, or under which test name.
    pub reason: String,
    /// Name of the test method.
    pub test: Option<String>,
}

/// The rows, aligned; the reason is wrapped below its own column when the line is too long.
pub fn table(rows: &[Row], style: Style) -> String {
    let methods: Vec<String> = rows.iter().map(|row| printable(&row.method)).collect();
    let column = |texts: &mut dyn Iterator<Item = usize>, title: &str| {
        texts.max().unwrap_or(0).max(title.len())
    };
    let method_width = column(
        &mut methods.iter().map(|text| text.chars().count()),
        "method",
    )
    .min(60);
    let verdict_width = column(
        &mut rows.iter().map(|row| row.verdict.chars().count()),
        "verdict",
    );
    let mut out = style.bold(&format!(
        "frame  {:method_width$}  {:verdict_width$}  reason",
        "method", "verdict"
    ));
    out.push('\n');
    let indent = 7 + method_width + 2 + verdict_width + 2;
    for (row, method) in rows.iter().zip(&methods) {
        let verdict = format!("{:verdict_width$}", row.verdict);
        let verdict = match row.standing {
            Standing::Reproduced => style.green(&verdict),
            Standing::Near | Standing::Aside => style.yellow(&verdict),
            Standing::Failed => style.red(&verdict),
        };
        let reason = wrapped(
            &printable(&row.reason),
            style.width.saturating_sub(indent).max(30),
            indent,
        );
        let line = format!(
            "{:>5}  {method:method_width$}  {verdict}  {reason}",
            row.frame
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A cell has so many lines at most; the whole reason stands in `verdicts.json`.
const MOST_LINES: usize = 3;

fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    let mut lines = 1;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            if lines == MOST_LINES {
                out.push_str(" …");
                return out;
            }
            lines += 1;
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned_and_long_reasons_wrapped() {
        let rows = [
            Row {
                frame: 0,
                method: "RandomCrash.toUpperCase".into(),
                standing: Standing::Reproduced,
                verdict: "reproduced".into(),
                reason: "toUpperCase".into(),
                test: Some("toUpperCase".into()),
            },
            Row {
                frame: 12,
                method: "Main.main".into(),
                standing: Standing::Failed,
                verdict: "not runnable".into(),
                reason: "app.jar does not contain Main; pass the jar that ran with --classpath"
                    .into(),
                test: None,
            },
        ];
        insta::assert_snapshot!(table(
            &rows,
            Style {
                color: false,
                width: 90
            }
        ));
    }
}
