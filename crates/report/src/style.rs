//! Colours and widths, and the door through which untrusted text reaches a terminal.

use std::fmt::Write as _;

/// How to print. Colours only when told: the caller knows whether there is a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// Columns to stay within where text can be shortened.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            color: false,
            width: 100,
        }
    }
}

impl Style {
    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint("31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.paint("33", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.color && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Text that can be sent to a terminal: control characters, escapes and direction marks become visible.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_printable(&mut out, c);
    }
    out
}

pub(crate) fn push_printable(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ if c.is_control() || reorders(c) => {
            let _ = write!(out, "\\u{:04x}", c as u32);
        }
        _ => out.push(c),
    }
}

/// Characters that change how their neighbours are shown (bidirectional controls, invisible joiners, tags).
fn reorders(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// `text` cut to `width` columns, with an ellipsis where something is missing.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_of_a_snapshot_become_visible_text() {
        assert_eq!(
            printable("a\x1b]0;owned\x07b\n\u{202e}ü"),
            "a\\u001b]0;owned\\u0007b\\n\\u202eü"
        );
    }

    #[test]
    fn no_colour_unless_told() {
        assert_eq!(Style::default().red("x"), "x");
        assert_eq!(
            Style {
                color: true,
                ..Style::default()
            }
            .red("x"),
            "\x1b[31mx\x1b[0m"
        );
    }

    #[test]
    fn long_text_ends_in_an_ellipsis() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("abcd", 4), "abcd");
    }
}
