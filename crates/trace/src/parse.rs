//! From a text to the traces in it.

use crate::frame::TraceLine;
use crate::line::{self, Head, Relation};

/// Lines of a message in front of the frames; more than these are somebody's log.
const LONGEST_MESSAGE: usize = 60;
/// A frame is torn over at most so many lines.
const MOST_PIECES: usize = 3;

/// One trace of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub thread: Option<String>,
    pub thrown: Thrown,
    /// Where its first frame stands, counted from 1.
    pub line: usize,
}

/// An exception as it was printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thrown {
    /// `None` when the text begins with frames.
    pub class: Option<String>,
    pub message: Option<String>,
    pub frames: Vec<TraceLine>,
    /// So many outer frames are those of the exception that this one caused.
    pub in_common: usize,
    pub cause: Option<Box<Thrown>>,
    pub suppressed: Vec<Thrown>,
}

impl Trace {
    /// What was thrown first: where the bug showed.
    pub fn root(&self) -> Thrown {
        self.chain().pop().unwrap_or_default()
    }

    /// The exception and its causes, outermost first, each with all of its frames.
    pub fn chain(&self) -> Vec<Thrown> {
        let mut chain: Vec<Thrown> = Vec::new();
        let mut next = Some(&self.thrown);
        while let Some(thrown) = next {
            let mut whole = thrown.clone();
            if let Some(outer) = chain.last() {
                let shared = outer.frames.len().saturating_sub(thrown.in_common);
                whole
                    .frames
                    .extend(outer.frames.iter().skip(shared).cloned());
            }
            next = thrown.cause.as_deref();
            whole.cause = None;
            chain.push(whole);
        }
        chain
    }
}

/// Every trace in `text`, in order.
pub fn parse(text: &str) -> Vec<Trace> {
    let text = line::unescaped(text);
    let mut reader = Reader::default();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while let Some(first) = lines.get(at) {
        let pieces = pieces_of_frame(lines.get(at..).unwrap_or_default());
        if pieces > 1 {
            let whole = lines
                .iter()
                .skip(at)
                .take(pieces)
                .map(|piece| unquoted(piece).trim());
            reader.line(&joined(whole), at + 1);
        } else {
            reader.line(unquoted(first), at + 1);
        }
        at += pieces;
    }
    reader.end()
}

/// Mail clients put a mark in front of what somebody else wrote.
fn unquoted(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line
}

/// How many lines the first one's frame is torn over: 1 when it is not torn.
fn pieces_of_frame(lines: &[&str]) -> usize {
    let first = lines.first().map_or("", |line| unquoted(line));
    if !line::is_torn_frame(first) {
        return 1;
    }
    let whole = |count: &usize| {
        let pieces = lines.iter().take(*count).map(|line| unquoted(line).trim());
        line::frame(&joined(pieces)).is_some()
    };
    (2..=MOST_PIECES.min(lines.len())).find(whole).unwrap_or(1)
}

/// `at` keeps a blank behind it, names are torn anywhere.
fn joined<'t>(pieces: impl Iterator<Item = &'t str>) -> String {
    pieces.fold(String::new(), |mut whole, piece| {
        whole.push_str(piece);
        if piece == "at" {
            whole.push(' ');
        }
        whole
    })
}

/// An exception while its lines are read.
struct Open {
    thrown: Thrown,
    /// To which earlier one it belongs.
    link: Option<(usize, Relation)>,
    column: usize,
}

#[derive(Default)]
struct Reader {
    done: Vec<Trace>,
    open: Vec<Open>,
    thread: Option<String>,
    first_frame: usize,
    /// Lines since the last frame that told nothing yet: a message, or somebody else's words.
    pending: Vec<String>,
    /// The last `Caused by:` still waits for its frames; `pending` goes on with its message.
    in_head: bool,
}

impl Reader {
    fn line(&mut self, line: &str, number: usize) {
        if let Some(frame) = line::frame(line) {
            self.start_if_new(number);
            self.in_head = false;
            if let Some(last) = self.open.last_mut() {
                last.thrown.frames.push(frame);
            }
        } else if let (Some(count), Some(last)) = (line::left_out(line), self.open.last_mut()) {
            last.thrown.in_common = count;
            self.close_head();
        } else if let Some((relation, column, head)) = line::related(line) {
            self.start_if_new(number);
            self.relate(relation, column, head);
        } else {
            self.pending.push(line.to_owned());
        }
    }

    /// A message that went on over lines until something else came.
    fn close_head(&mut self) {
        if self.in_head
            && let Some(last) = self.open.last_mut()
        {
            append(&mut last.thrown.message, &self.pending);
        }
        self.in_head = false;
        self.pending.clear();
    }

    /// Before a frame or a cause: does what stands in front of it begin a new trace?
    fn start_if_new(&mut self, number: usize) {
        if self.in_head {
            self.close_head();
            return;
        }
        let near = self.pending.len().saturating_sub(LONGEST_MESSAGE);
        let near: Vec<String> = self.pending.drain(..).skip(near).collect();
        let heads: Vec<(usize, Head<'_>)> = near
            .iter()
            .enumerate()
            .rev()
            .filter_map(|(at, line)| Some((at, line::head(line)?)))
            .collect();
        // The nearest line that begins with an exception's name; a logger's line only if there is no such.
        let starts = |head: &&(usize, Head<'_>)| {
            near.get(head.0)
                .is_some_and(|line| line.trim_start().starts_with(head.1.class))
                || head.1.thread.is_some()
        };
        let chosen = heads.iter().find(starts).or(heads.first());
        if chosen.is_none() && !self.open.is_empty() {
            // Another thread's line among the frames.
            return;
        }
        self.finish();
        self.first_frame = number;
        let mut thrown = Thrown::default();
        let mut column = 0;
        if let Some((at, head)) = chosen {
            thrown.class = Some(head.class.to_owned());
            thrown.message = head.message.map(str::to_owned);
            self.thread = head.thread.map(str::to_owned);
            column = head.column;
            append(&mut thrown.message, near.get(at + 1..).unwrap_or_default());
        }
        self.open.push(Open {
            thrown,
            link: None,
            column,
        });
    }

    fn relate(&mut self, relation: Relation, column: usize, head: &str) {
        let (class, message) = match line::head_at_start(head) {
            Some((class, message)) => (Some(class), message),
            None => (None, Some(head.trim())),
        };
        let thrown = Thrown {
            class: class.map(str::to_owned),
            message: message
                .filter(|message| !message.is_empty())
                .map(str::to_owned),
            ..Thrown::default()
        };
        let to = self.related_to(relation, column);
        self.open.push(Open {
            thrown,
            link: Some((to, relation)),
            column,
        });
        self.in_head = true;
    }

    /// Java prints a cause in the column of what it caused, and what was suppressed further in.
    fn related_to(&self, relation: Relation, column: usize) -> usize {
        let last = self.open.len().saturating_sub(1);
        let is_suppressed = |at: usize| {
            let link = self.open.get(at).and_then(|open| open.link);
            link.is_some_and(|(_, relation)| relation == Relation::SuppressedBy)
        };
        let latest = |fits: &dyn Fn(&Open) -> bool| {
            self.open
                .iter()
                .enumerate()
                .rev()
                .find(|(_, open)| fits(open))
                .map(|(at, _)| at)
        };
        match relation {
            Relation::Wraps => last,
            Relation::SuppressedBy => latest(&|open| open.column < column).unwrap_or(0),
            Relation::CauseOf => latest(&|open| open.column == column)
                // The first one stands behind a logger's words, so its column tells nothing.
                .or_else(|| (0..=last).rev().find(|at| !is_suppressed(*at)))
                .unwrap_or(last),
        }
    }

    fn finish(&mut self) {
        self.in_head = false;
        let thread = self.thread.take();
        let mut open: Vec<Option<Open>> = self.open.drain(..).map(Some).collect();
        // Later ones belong to earlier ones, except for those that wrap.
        let mut root = 0;
        for at in (1..open.len()).rev() {
            let Some((to, relation)) = open.get(at).and_then(|one| one.as_ref()?.link) else {
                continue;
            };
            if relation == Relation::Wraps {
                continue;
            }
            let Some(part) = open.get_mut(at).and_then(Option::take) else {
                continue;
            };
            if let Some(Some(whole)) = open.get_mut(to) {
                match relation {
                    Relation::CauseOf => whole.thrown.cause = Some(Box::new(part.thrown)),
                    _ => whole.thrown.suppressed.insert(0, part.thrown),
                }
            }
        }
        for at in 1..open.len() {
            let wraps = matches!(
                open.get(at),
                Some(Some(Open {
                    link: Some((_, Relation::Wraps)),
                    ..
                }))
            );
            if wraps && let Some(inner) = open.get_mut(root).and_then(Option::take) {
                if let Some(Some(outer)) = open.get_mut(at) {
                    outer.thrown.cause = Some(Box::new(inner.thrown));
                }
                root = at;
            }
        }
        let Some(root) = open.get_mut(root).and_then(Option::take) else {
            return;
        };
        let mut thrown = root.thrown;
        // Somebody pasted only the cause.
        while thrown.class.is_none() && thrown.frames.is_empty() {
            match thrown.cause.take() {
                Some(cause) => thrown = *cause,
                None => break,
            }
        }
        let trace = Trace {
            thread,
            thrown,
            line: self.first_frame,
        };
        if trace.chain().iter().any(|thrown| !thrown.frames.is_empty()) {
            self.done.push(trace);
        }
    }

    fn end(mut self) -> Vec<Trace> {
        self.close_head();
        self.finish();
        self.done
    }
}

fn append(message: &mut Option<String>, lines: &[String]) {
    for line in lines {
        let message = message.get_or_insert_default();
        message.push('\n');
        message.push_str(line.trim_end());
    }
    if let Some(text) = message {
        let end = text.trim_end().len();
        text.truncate(end);
    }
    if message.as_deref() == Some("") {
        *message = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Trace {
        let mut traces = parse(text);
        assert_eq!(traces.len(), 1, "{traces:#?}");
        traces.remove(0)
    }

    fn methods(thrown: &Thrown) -> Vec<String> {
        let name = |frame: &TraceLine| format!("{}.{}", frame.class, frame.method);
        thrown.frames.iter().map(name).collect()
    }

    fn heads(trace: &Trace) -> Vec<(Option<String>, Option<String>)> {
        let chain = trace.chain();
        let head = |thrown: Thrown| (thrown.class, thrown.message);
        chain.into_iter().map(head).collect()
    }

    #[test]
    fn causes_have_the_frames_they_share() {
        let trace = only(
            "Exception in thread \"worker-1\" com.acme.Failure: at noon (sharp)\n\
            \tat com.acme.Shop.open(Shop.java:12)\n\tat com.acme.Main.main(Main.java:3)\n\
            Caused by: java.lang.NullPointerException\n\tat com.acme.Key.turn(Key.java:9)\n\
            \tat com.acme.Shop.unlock(Shop.java:30)\n\t... 1 more\n",
        );
        assert_eq!(trace.thread.as_deref(), Some("worker-1"));
        assert_eq!(trace.line, 2);
        let chain = trace.chain();
        let cause = chain.last().unwrap();
        assert_eq!(
            cause.class.as_deref(),
            Some("java.lang.NullPointerException")
        );
        assert_eq!(
            methods(cause),
            [
                "com.acme.Key.turn",
                "com.acme.Shop.unlock",
                "com.acme.Main.main"
            ]
        );
    }

    #[test]
    fn what_was_suppressed_stays_with_its_exception() {
        let trace = only(
            "com.acme.Failure: outer\n\tat com.acme.A.a(A.java:1)\n\
            \tSuppressed: java.io.IOException: closing\n\t\tat com.acme.B.close(B.java:2)\n\t\t... 1 more\n\
            \tCaused by: java.lang.Error: inside of it\n\t\tat com.acme.C.c(C.java:3)\n\
            Caused by: java.lang.IllegalStateException: inner\n\tat com.acme.D.d(D.java:4)\n",
        );
        assert_eq!(
            heads(&trace),
            [
                (
                    Some("com.acme.Failure".to_owned()),
                    Some("outer".to_owned())
                ),
                (
                    Some("java.lang.IllegalStateException".to_owned()),
                    Some("inner".to_owned())
                ),
            ]
        );
        let suppressed = trace.thrown.suppressed.first().unwrap();
        assert_eq!(suppressed.message.as_deref(), Some("closing"));
        let inside = suppressed.cause.as_ref().unwrap();
        assert_eq!(inside.class.as_deref(), Some("java.lang.Error"));
    }

    #[test]
    fn several_traces_between_log_lines_are_told_apart() {
        let traces = parse(
            "2026-11-15 07:00:00,100 INFO  [main] com.acme.Shop - opening\n\
            2026-11-15 07:00:01,200 ERROR [http-1] com.acme.Shop - order failed: java.lang.IllegalStateException: closed\n\
            \tat com.acme.Shop.order(Shop.java:40) ~[shop.jar:1.0]\n\
            \tat com.acme.Main.main(Main.java:3) [shop.jar:1.0]\n\
            2026-11-15 07:00:02,300 ERROR [http-2] com.acme.Shop - order failed\n\
            java.lang.ArithmeticException: / by zero\n\
            \tat com.acme.Price.share(Price.java:8)\n",
        );
        let found: Vec<_> = traces.iter().map(|trace| heads(trace).remove(0)).collect();
        assert_eq!(
            found,
            [
                (
                    Some("java.lang.IllegalStateException".to_owned()),
                    Some("closed".to_owned())
                ),
                (
                    Some("java.lang.ArithmeticException".to_owned()),
                    Some("/ by zero".to_owned())
                ),
            ]
        );
    }

    #[test]
    fn messages_span_lines() {
        let trace = only(
            "com.acme.ParseException: unexpected end\n  of file at line 3\n\n  expected one of: ')'\n\
            \tat com.acme.Parser.next(Parser.java:77)\n\
            Caused by: java.io.EOFException: no more\nbytes\n\tat com.acme.Reader.read(Reader.java:5)\n",
        );
        assert_eq!(
            heads(&trace),
            [
                (
                    Some("com.acme.ParseException".to_owned()),
                    Some(
                        "unexpected end\n  of file at line 3\n\n  expected one of: ')'".to_owned()
                    )
                ),
                (
                    Some("java.io.EOFException".to_owned()),
                    Some("no more\nbytes".to_owned())
                ),
            ]
        );
    }

    #[test]
    fn mail_clients_quote_and_tear() {
        let trace = only(
            "Hello,\n> I get this:\n>> java.lang.NullPointerException\n\
            >>     at\n>> com.acme.very.long.name.Shop.open(Shop.java:12)\n\
            >>     at com.acme.very.long.name.Shop.\n>> unlock(Shop.java:13)\n\
            >>     at com.acme.very.long.name.Shop$Door.&lt;init&gt;(\n>> Shop.java:14)\n\
            > at your service, sir (me)\n",
        );
        assert_eq!(
            methods(&trace.thrown),
            [
                "com.acme.very.long.name.Shop.open",
                "com.acme.very.long.name.Shop.unlock",
                "com.acme.very.long.name.Shop$Door.<init>",
            ]
        );
        assert_eq!(trace.thrown.message, None);
    }

    #[test]
    fn build_tools_write_their_name_in_front() {
        let trace = only(
            "    [junit] java.lang.Error: x\n    [junit] \tat com.acme.A.a(A.java:1)\n\
            [junit] Caused by: java.io.IOException\n    [junit] \tat com.acme.B.b(B.java:2)\n    [junit] \t... 1 more\n",
        );
        assert_eq!(
            heads(&trace),
            [
                (Some("java.lang.Error".to_owned()), Some("x".to_owned())),
                (Some("java.io.IOException".to_owned()), None),
            ]
        );
    }

    #[test]
    fn the_root_cause_may_come_first() {
        let trace = only(
            "java.io.IOException: disk full\n\tat com.acme.B.b(B.java:2)\n\
            Wrapped by: com.acme.Failure: not stored\n\tat com.acme.A.a(A.java:1)\n",
        );
        assert_eq!(
            heads(&trace),
            [
                (
                    Some("com.acme.Failure".to_owned()),
                    Some("not stored".to_owned())
                ),
                (
                    Some("java.io.IOException".to_owned()),
                    Some("disk full".to_owned())
                ),
            ]
        );
    }

    #[test]
    fn a_trace_in_one_line_of_json_is_one() {
        let trace = only(
            r#"{"level":"ERROR","stack":"com.acme.Failure: x\n\tat com.acme.C.h(C.java:3)\n\tat com.acme.D.i(D.java:4)\n"}"#,
        );
        assert_eq!(methods(&trace.thrown), ["com.acme.C.h", "com.acme.D.i"]);
    }

    #[test]
    fn parts_of_traces_are_read_as_far_as_they_go() {
        let trace = only("\tat com.acme.A.a(A.java:1)\n\tat com.acme.B.b(Unknown Source)\n");
        assert_eq!(trace.thrown.class, None);
        let trace =
            only("Caused by: java.io.IOException: x\n\tat com.acme.B.b(B.java:2)\n\t... 3 more\n");
        assert_eq!(trace.thrown.class.as_deref(), Some("java.io.IOException"));
        assert_eq!(trace.thrown.in_common, 3);
    }

    #[test]
    fn texts_without_frames_have_no_trace() {
        assert_eq!(
            parse("java.lang.Error: x\nwe met at home.door (late)\n"),
            []
        );
        let other =
            "System.Exception: x\n   at Acme.Shop.Open(String name) in C:\\Shop.cs:line 3\n";
        assert_eq!(parse(other), []);
    }
}
