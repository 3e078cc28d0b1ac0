//! The list of a second look: which methods' entries are counted, and which of those entries are captured.
//!
//! One method per line, `class` (or a glob for it), `method`, `descriptor` and the numbers of the entries (apart by `,`, possibly none), apart
//! by tabs.

use recrash_weave::Watched;
use std::fs;
use std::path::Path;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    pub methods: Vec<Watched>,
    /// As `$RecrashLook.plan` takes it: methods apart by `;`.
    pub due: String,
}

impl Look {
    /// `Err` is a sentence for the user.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}; no second look is taken", path.display()))?;
        Self::parse(&text).ok_or_else(|| {
            format!(
                "{} is not a list of methods; no second look is taken",
                path.display()
            )
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut methods = Vec::new();
        let mut due = Vec::new();
        for line in text.lines() {
            let mut parts = line.split('\t').map(str::to_owned);
            methods.push(Watched {
                class: parts.next()?,
                method: parts.next()?,
                descriptor: parts.next()?,
            });
            let numbers = parts.next()?;
            let whole = numbers
                .split(',')
                .filter(|number| !number.is_empty())
                .all(|number| number.parse::<u32>().is_ok());
            if !whole {
                return None;
            }
            due.push(numbers);
        }
        Some(Self {
            methods,
            due: due.join(";"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_a_method_and_the_entries_to_capture() {
        let look = Look::parse("com.acme.A\tf\t(I)V\t3,7\ncom.acme.B\tg\t()V\t\n").unwrap();
        assert_eq!(look.methods.len(), 2);
        assert_eq!(look.due, "3,7;");
    }

    #[test]
    fn anything_else_is_refused() {
        assert_eq!(Look::parse("com.acme.A\tf\n"), None);
        assert_eq!(Look::parse("A\tf\t()V\tseven\n"), None);
    }
}
