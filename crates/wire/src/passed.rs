//! Exceptions of the program that something caught without a word: what the agent says of them when its JVM ends, a line for
//! each, and the sentence that is made of the lines of all JVMs.

/// Exceptions of one type that left one method of the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// Binary name, with dots.
    pub class: String,
    /// The method of the application that they left first.
    pub method: String,
    pub is_unchecked: bool,
    pub times: u64,
    /// When the last one did, in nanoseconds of a clock of the JVM's own.
    pub latest: i64,
}

/// So many are named.
const NAMED: usize = 3;
const MARK: &str = "passed";

impl Passed {
    /// One line, as it stands in the file of messages.
    pub fn line(&self) -> String {
        let unchecked = u8::from(self.is_unchecked);
        let Self {
            class,
            method,
            times,
            latest,
            ..
        } = self;
        format!("{MARK}\t{class}\t{method}\t{unchecked}\t{times}\t{latest}")
    }

    /// The line's meaning; nothing where it is any other message.
    pub fn read(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        if parts.next() != Some(MARK) {
            return None;
        }
        let (class, method) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        Some(Self {
            class,
            method,
            is_unchecked: parts.next()? == "1",
            times: parts.next()?.parse().ok()?,
            latest: parts.next()?.parse().ok()?,
        })
    }
}

/// What is said where nothing else was: the likeliest first, which are mistakes rather than results, rare ones, late ones.
pub fn sentence(mut passed: Vec<Passed>) -> Option<String> {
    passed.sort_by_key(|one| (!one.is_unchecked, one.times, std::cmp::Reverse(one.latest)));
    let times: u64 = passed.iter().map(|one| one.times).sum();
    let mut named: Vec<(&str, &str)> = Vec::new();
    for one in &passed {
        if named.len() < NAMED && !named.iter().any(|(class, _)| *class == one.class) {
            named.push((&one.class, &one.method));
        }
    }
    let options: Vec<String> = named
        .iter()
        .map(|(class, method)| format!("--on {class} (in {method})"))
        .collect();
    let (what, gets) = match times {
        0 => return None,
        1 => ("exception of the program was", "gets it"),
        _ if options.len() == 1 => ("exceptions of the program were", "gets them"),
        _ => ("exceptions of the program were", "get the likeliest"),
    };
    let listed = options.join(", ");
    Some(format!(
        "{times} {what} caught without a word; {listed} {gets}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(class: &str, is_unchecked: bool, times: u64, latest: i64) -> Passed {
        Passed {
            class: class.to_owned(),
            method: "com.acme.Order.total".to_owned(),
            is_unchecked,
            times,
            latest,
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written_and_no_other_is() {
        let one = passed("a.B", true, 3, -7);
        assert_eq!(Passed::read(&one.line()), Some(one));
        assert_eq!(Passed::read("captured a.B with 3 frames"), None);
        assert_eq!(Passed::read("passed by"), None);
    }

    #[test]
    fn mistakes_rare_and_late_ones_are_named_first() {
        let all = vec![
            passed("a.Often", true, 100, 9),
            passed("a.Checked", false, 1, 9),
            passed("a.Early", true, 1, 1),
            passed("a.Late", true, 1, 2),
        ];
        assert_eq!(
            sentence(all).unwrap(),
            "103 exceptions of the program were caught without a word; --on a.Late (in com.acme.Order.total), \
             --on a.Early (in com.acme.Order.total), --on a.Often (in com.acme.Order.total) get the likeliest"
        );
    }

    #[test]
    fn one_is_spoken_of_as_one_and_none_not_at_all() {
        assert_eq!(
            sentence(vec![passed("a.B", true, 1, 0)]).unwrap(),
            "1 exception of the program was caught without a word; --on a.B (in com.acme.Order.total) gets it"
        );
        assert_eq!(sentence(Vec::new()), None);
    }
}
