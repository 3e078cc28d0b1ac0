//! One test method: restore the frame, name what the call needs, call.

use crate::call::{Call, Callee, callee};
use crate::header;
use crate::names::{self, Unique};
use crate::oracle::TypeOracle;
use crate::scope::{self, Scope};
use crate::test_class::{Candidate, Form, JUnit, Options, TestMethod};
use crate::value::{Aliases, Values};
use recrash_heap::manifest::{Argument, CapturedFrame, FrameInfo, Value};
use recrash_heap::{EntryState, Kind, Snapshot};
use recrash_report::{Graph, describe};

/// Longest line the generated source aims at.
pub(crate) const WIDTH: usize = 110;

/// What all methods of a class share.
pub(crate) struct Shared<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) oracle: &'a dyn TypeOracle,
    pub(crate) options: &'a Options,
    pub(crate) scope: Scope<'a>,
    pub(crate) aliases: &'a Aliases,
    /// Raw types are used somewhere.
    pub(crate) generic: bool,
    /// `assertThrownAt` is called somewhere.
    pub(crate) asserts_place: bool,
}

/// The lines of one test, indented from the class's own level.
pub(crate) fn write<'a>(
    shared: &mut Shared<'a>,
    candidate: &Candidate,
    (info, captured): (&'a FrameInfo, &'a CapturedFrame),
    method: &TestMethod,
) -> Vec<String> {
    let heap = &shared.snapshot.heap;
    let mut callee = callee(heap, info, captured, shared.oracle, &mut shared.scope);
    if candidate.form == Form::Loaded && !matches!(callee.call, Call::Invoke(_)) {
        callee.call = Call::Invoke("a plain call did not reproduce the crash");
    }
    let entry = if candidate.restore.patches {
        EntryState::of(&shared.snapshot.manifest.frames, candidate.frame)
    } else {
        EntryState::default()
    };
    let mut unique = Unique::default();
    for taken in ["crash", "frame", "thrown"] {
        unique.reserve(taken);
    }
    let graph = Graph::on_entry(heap, &entry);
    let mut body = Body {
        shared,
        candidate,
        info,
        captured,
        graph,
        lines: Vec::new(),
        unique,
        uses_frame: false,
    };
    let call = match &callee.call {
        Call::Invoke(reason) => body.invoke(reason),
        _ => body.by_name(&callee),
    };
    let restore = body.restore_line();
    let ending = body.ending(&call);
    let between = std::mem::take(&mut body.lines);

    let mut lines = vec![format!(
        "// frame {}: {}",
        method.frame,
        header::place(&info.element)
    )];
    if method.trivial {
        lines.push(
            "// Trivial: it fails on its own null argument; the frames that called it say more."
                .to_owned(),
        );
    }
    let junit = shared.options.junit;
    let annotation = match junit {
        JUnit::Four => "org.junit.Test",
        JUnit::Five => "org.junit.jupiter.api.Test",
    };
    lines.push(format!("@{}", shared.scope.library(annotation)));
    lines.push(format!(
        "{}void {}() throws Throwable {{",
        junit.visibility(),
        method.name
    ));
    lines.push(restore);
    lines.extend(between);
    lines.extend(ending);
    lines.push("}".to_owned());
    lines
}

struct Body<'s, 'a> {
    shared: &'s mut Shared<'a>,
    candidate: &'s Candidate,
    info: &'a FrameInfo,
    captured: &'a CapturedFrame,
    /// The objects as the test will see them.
    graph: Graph<'s>,
    lines: Vec<String>,
    unique: Unique,
    uses_frame: bool,
}

impl<'s, 'a> Body<'s, 'a> {
    fn restore_line(&mut self) -> String {
        let restore = self.candidate.restore;
        let without_statics = if restore.statics {
            ""
        } else {
            ".withoutStatics()"
        };
        // Nothing to leave out, nothing to say.
        let entry = EntryState::of(&self.shared.snapshot.manifest.frames, self.candidate.frame);
        let leaves_patches = !restore.patches && !entry.is_empty();
        let without_patches = if leaves_patches {
            ".withoutPatches()"
        } else {
            ""
        };
        let frame = format!(
            "crash.frame({}){without_statics}{without_patches}",
            self.candidate.frame
        );
        if self.uses_frame {
            format!(
                "    {} frame = {frame};",
                self.shared.scope.library("recrash.Frame")
            )
        } else {
            format!("    {frame}.restore();   // static fields and environment")
        }
    }

    /// Everything loaded; the values stand in comments.
    fn invoke(&mut self, reason: &str) -> String {
        self.uses_frame = true;
        let place = format!("{}.{}", self.info.element.class, self.info.element.method);
        self.lines
            .push(format!("    // {}: {reason}.", header::text(&place)));
        if self.captured.receiver != Value::Null {
            let text = self.comment(self.captured.receiver, 13);
            self.lines.push(format!("    //   this = {text}"));
        }
        for (index, argument) in self.captured.arguments.iter().enumerate() {
            let name = argument
                .name
                .as_deref()
                .map_or_else(|| format!("argument {index}"), header::text);
            let text = self.comment(argument.value, 12 + name.len());
            self.lines.push(format!("    //   {name} = {text}"));
        }
        "frame.invoke()".to_owned()
    }

    fn by_name(&mut self, callee: &Callee) -> String {
        let method = &self.info.element.method;
        let target = match &callee.call {
            Call::Static(class) => format!("{class}.{method}"),
            Call::Constructor(class) => format!("new {class}"),
            Call::Virtual(class) => format!("{}.{method}", self.receiver(class)),
            Call::Invoke(_) => return "frame.invoke()".to_owned(),
        };
        let captured = self.captured;
        let arguments: Vec<String> = callee
            .parameter_types
            .iter()
            .zip(&captured.arguments)
            .enumerate()
            .map(|(index, (written, argument))| {
                self.argument(index, argument, written, callee.is_only_one)
            })
            .collect();
        format!("{target}({})", arguments.join(", "))
    }

    fn values(&self) -> Values<'s> {
        Values {
            graph: self.graph,
            frame: self.captured,
            aliases: self.shared.aliases,
        }
    }

    fn receiver(&mut self, class: &str) -> String {
        /// Longer names do not help the reader.
        const LONGEST_NAME: usize = 24;
        let receiver = self.captured.receiver;
        if let Value::Ref(id) = receiver
            && let Some(object) = self.graph.object(id)
            && matches!(object.kind, Kind::Enum { .. })
            && let Some(constant) =
                self.values()
                    .expression(&mut self.shared.scope, "Ljava/lang/Object;", receiver)
        {
            return constant.text;
        }
        self.shared.generic |= self.shared.scope.is_generic(&self.info.element.class);
        let simple = class.rsplit('.').next().unwrap_or(class);
        let wanted = names::decapitalized(simple);
        let usable = names::is_identifier(&wanted) && wanted.len() <= LONGEST_NAME;
        let name = self.unique.take(if usable { &wanted } else { "receiver" });
        self.load(class, &name, "frame.receiver()", receiver);
        name
    }

    fn argument(
        &mut self,
        index: usize,
        argument: &Argument,
        written_type: &str,
        is_only_one: bool,
    ) -> String {
        /// Longer expressions get a name and a line of their own.
        const LONGEST_INLINE: usize = 60;
        let by_literal =
            self.candidate.form == Form::Plain || !matches!(argument.value, Value::Ref(_));
        let expression = if by_literal {
            self.values()
                .expression(&mut self.shared.scope, &argument.descriptor, argument.value)
        } else {
            None
        };
        let inline = expression
            .as_ref()
            .filter(|expression| expression.text.len() <= LONGEST_INLINE);
        if let Some(expression) = inline {
            let is_exact = expression.descriptor.as_deref() == Some(argument.descriptor.as_str());
            if is_exact || is_only_one {
                return expression.text.clone();
            }
        }
        let class = argument
            .descriptor
            .trim_start_matches(['[', 'L'])
            .trim_end_matches(';')
            .replace('/', ".");
        self.shared.generic |= self.shared.scope.is_generic(&class);
        if let Some(expression) = inline {
            return format!("({written_type}) {}", expression.text);
        }
        let name = self
            .unique
            .take(&argument_name(argument.name.as_deref(), index));
        match expression {
            Some(expression) => self
                .lines
                .push(format!("    {written_type} {name} = {};", expression.text)),
            None => self.load(
                written_type,
                &name,
                &format!("frame.argument({index})"),
                argument.value,
            ),
        }
        name
    }

    /// `Order order = frame.argument(0);   // Order{id=7, …}`
    fn load(&mut self, class: &str, name: &str, from: &str, value: Value) {
        self.uses_frame = true;
        let line = format!("    {class} {name} = {from};");
        let comment = self.comment(value, 12);
        if line.len() + comment.len() + 10 <= WIDTH {
            self.lines.push(format!("{line}   // {comment}"));
        } else {
            self.lines.push(format!("    // {comment}"));
            self.lines.push(line);
        }
    }

    fn comment(&self, value: Value, used: usize) -> String {
        let described = describe(self.graph, value, WIDTH.saturating_sub(used));
        header::text(&described.replace('…', "..."))
    }

    fn ending(&mut self, call: &str) -> Vec<String> {
        if self.shared.options.expect_crash {
            self.expecting(call)
        } else {
            vec![format!("    {call};")]
        }
    }

    /// `assertThrows` around the call, and a check of the place.
    fn expecting(&mut self, call: &str) -> Vec<String> {
        let class = self.expected();
        let nameable = class.starts_with("java.") || self.shared.oracle.facts(class).is_some();
        let written = if nameable {
            self.shared.scope.class(class)
        } else {
            None
        };
        let asserts = self.shared.scope.library(match self.shared.options.junit {
            JUnit::Four => "org.junit.Assert",
            JUnit::Five => "org.junit.jupiter.api.Assertions",
        });
        let throwable = written
            .clone()
            .unwrap_or_else(|| self.shared.scope.library("java.lang.Throwable"));
        let mut lines = vec![format!(
            "    {throwable} thrown = {asserts}.assertThrows({throwable}.class, () -> {call});"
        )];
        if written.is_none() {
            let name = header::text(class);
            lines.push(format!(
                "    {asserts}.assertEquals(\"{name}\", thrown.getClass().getName());"
            ));
        }
        if let Some(place) = self.place() {
            self.shared.asserts_place = true;
            lines.push(format!("    assertThrownAt(\"{place}\", thrown);"));
        }
        lines
    }

    /// The class of what the call throws. What leaves a class initialiser, the JVM has wrapped.
    fn expected(&self) -> &'a str {
        let manifest = &self.shared.snapshot.manifest;
        let class = |index: usize| Some(manifest.throwables.get(index)?.class.as_str());
        let own = self.info.throwable as usize;
        let wrapper = own
            .checked_sub(1)
            .and_then(class)
            .filter(|class| *class == "java.lang.ExceptionInInitializerError")
            .filter(|_| manifest.initialises_its_class(self.candidate.frame));
        wrapper
            .or_else(|| class(own))
            .unwrap_or("java.lang.Throwable")
    }

    /// The innermost line of the program itself; none for a stack overflow, which may end anywhere.
    fn place(&self) -> Option<String> {
        let root = self.shared.snapshot.manifest.throwables.last()?;
        if root.class == "java.lang.StackOverflowError" {
            return None;
        }
        let element = root
            .trace
            .iter()
            .find(|element| !scope::is_jdk(&element.class) && element.line > 0)?;
        // Hidden classes are named anew in every run.
        if element.class.contains('/') {
            return None;
        }
        Some(header::text(&format!(
            "{}.{}:{}",
            element.class, element.method, element.line
        )))
    }
}

fn argument_name(name: Option<&str>, index: usize) -> String {
    match name {
        Some(name) if names::is_identifier(name) => name.to_owned(),
        _ => format!("argument{index}"),
    }
}
