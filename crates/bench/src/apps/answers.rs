//! What a run of an application printed: answers with their times, output, its exit status, and recrash's own lines.

use recrash_jvm::Jdk;

pub struct Printed {
    /// Milliseconds of each answer, in order.
    times: Vec<f64>,
    /// Lines without what differs from run to run.
    lines: Vec<String>,
    /// As in `exit 1`; absent where the application was not even started.
    pub status: Option<String>,
    /// What recrash said.
    messages: Vec<String>,
}

const OURS: &str = "recrash: ";

impl Printed {
    pub fn of(output: &str, errors: &str) -> Printed {
        let of_program = output.lines().filter(|line| !line.starts_with(OURS));
        let status = output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("exit "));
        let ours = output.lines().chain(errors.lines());
        Printed {
            times: output.lines().filter_map(time).collect(),
            lines: of_program.map(without_chance).collect(),
            status: status.map(str::to_owned),
            messages: ours
                .filter_map(|line| line.strip_prefix(OURS).map(str::to_owned))
                .collect(),
        }
    }

    /// The milliseconds that the capture of a file took, as recrash tells them.
    pub fn capture_of(&self, file: &str) -> Option<u64> {
        let line = self
            .messages
            .iter()
            .find(|line| line.starts_with("captured ") && line.contains(file))?;
        let (before, _) = line.split_once(" ms: ")?;
        before.rsplit(' ').next()?.parse().ok()
    }

    /// The options that get what was only seen in passing, as a closing line names them: `--on java.lang.X`.
    pub fn named_options(&self) -> Vec<String> {
        let mut options = Vec::new();
        for line in self.messages.iter().filter(|line| line.contains(" gets ")) {
            for (at, _) in line.match_indices("--on ") {
                let type_name = line.get(at + "--on ".len()..).unwrap_or_default();
                let end = type_name.find(|c: char| !(c.is_alphanumeric() || "._$*".contains(c)));
                let type_name = type_name
                    .get(..end.unwrap_or(type_name.len()))
                    .unwrap_or_default();
                let option = format!("--on {}", type_name.trim_end_matches('.'));
                if !options.contains(&option) {
                    options.push(option);
                }
            }
        }
        options
    }

    /// A row that tells how this run differs from the plain one.
    pub fn beside(&self, id: &str, jdk: &Jdk, plain: &Printed) -> Vec<String> {
        let pairs = || self.times.iter().zip(&plain.times);
        let worst = pairs().max_by(|one, other| (one.0 - one.1).total_cmp(&(other.0 - other.1)));
        let cell =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.0}"));
        let differing = self
            .lines
            .iter()
            .zip(&plain.lines)
            .find(|(one, other)| one != other);
        let output = match differing {
            _ if self.lines == plain.lines => "the same".to_owned(),
            Some((line, _)) => format!("differs: {}", line.chars().take(60).collect::<String>()),
            None => format!("{} lines, plain {}", self.lines.len(), plain.lines.len()),
        };
        let exit = if self.status == plain.status {
            "the same".to_owned()
        } else {
            format!("{:?}, plain {:?}", self.status, plain.status)
        };
        vec![
            id.to_owned(),
            jdk.version.feature.to_string(),
            cell(worst.map(|(_, plain)| *plain)),
            cell(worst.map(|(watched, _)| *watched)),
            cell(worst.map(|(watched, plain)| watched - plain)),
            output,
            exit,
        ]
    }
}

/// The milliseconds of `… [500 0.031 s]`.
fn time(line: &str) -> Option<f64> {
    let (_, last) = line.trim_end().strip_suffix(" s]")?.rsplit_once('[')?;
    let (_, seconds) = last.split_once(' ')?;
    seconds.parse::<f64>().ok().map(|seconds| seconds * 1000.0)
}

/// Times, dates, ports, ids: words with digits in them are as good as one another.
fn without_chance(line: &str) -> String {
    let line = match (time(line), line.rfind(" [")) {
        (Some(_), Some(at)) => {
            let (answer, timed) = line.split_at(at);
            let status = timed.split_whitespace().next().unwrap_or_default();
            return format!("{} {status}", without_chance(answer));
        }
        _ => line,
    };
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, word) = rest.split_at(at);
        out.push_str(before);
        let end =
            word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.' || c == ':'));
        let (word, after) = word.split_at(end.unwrap_or(word.len()));
        let chance = word.len() > 4 && word.contains(|c: char| c.is_ascii_digit());
        out.push_str(if chance { "#" } else { word });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_chance_are_taken_out_of_what_is_compared() {
        let one = Printed::of(
            "{\"at\":\"2026-11-19T23:53:07.9\"} [500 0.5 s]\nexit 143\n",
            "",
        );
        let other = Printed::of(
            "{\"at\":\"2026-11-20T01:02:03.4\"} [500 0.25 s]\nexit 143\n",
            "",
        );
        assert_eq!(one.lines, other.lines);
        assert_eq!(one.times, [500.0]);
        assert_eq!(one.status.as_deref(), Some("143"));
        assert_ne!(without_chance("total 12"), without_chance("total 13"));
    }

    #[test]
    fn recrashs_lines_tell_the_time_of_a_capture_and_the_options() {
        let said = "recrash: captured java.lang.E with 1 frame in 12 ms: /o/E-1.recrash\n\
                    recrash: 2 exceptions were caught without a word; --on java.lang.A gets them, --on b.C gets it\n";
        let printed = Printed::of("exit 0\n", said);
        assert_eq!(printed.capture_of("E-1.recrash"), Some(12));
        assert_eq!(printed.named_options(), ["--on java.lang.A", "--on b.C"]);
    }
}
