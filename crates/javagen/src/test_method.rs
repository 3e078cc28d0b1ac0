//! One test method: restore the frame or make its objects, name what the call needs, call.

use crate::apart::is_apart;
use crate::build::{Assigned, Building, Files, Helpers, Obstacle, Planner, Style, World};
use crate::built_method::{BuiltBody, Ground, built};
use crate::call::{Call, Callee, callee};
use crate::comment;
use crate::names::{self, Unique};
use crate::oracle::TypeOracle;
use crate::request::{Candidate, Form, Options};
use crate::scope::{self, Scope};
use crate::value::{Aliases, Values, cast};
use crate::why::why;
use recrash_heap::manifest::{Argument, CapturedFrame, FrameInfo, Value};
use recrash_heap::{EntryState, Kind, Snapshot};
use recrash_report::{Graph, describe};
use std::collections::{BTreeMap, BTreeSet};

/// Longest line the generated source aims at.
pub(crate) const WIDTH: usize = 110;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestMethod {
    pub name: String,
    pub frame: usize,
    pub trivial: bool,
    /// The form that was asked for.
    pub form: Form,
    /// It needs neither the snapshot nor anything else of recrash.
    pub self_contained: bool,
    /// Why it is not made by source alone, where that was asked for.
    pub blocked: Option<Obstacle>,
}

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
    pub(crate) building: Option<&'a Building<'a>>,
    pub(crate) helpers: Helpers,
    /// Some test needs the snapshot.
    pub(crate) loads: bool,
    /// Where long values go.
    pub(crate) files: Files,
}

/// The lines of one test, indented from the class's own level; `method` hears what became of them.
pub(crate) fn write<'a>(
    shared: &mut Shared<'a>,
    candidate: &Candidate,
    (info, captured): (&'a FrameInfo, &'a CapturedFrame),
    method: &mut TestMethod,
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
    let program = shared.building.map(|building| building.classes.program());
    let because = why(
        &shared.snapshot.manifest,
        heap,
        graph,
        candidate.frame,
        program,
    );
    let source_alone = match (candidate.form, shared.building) {
        (Form::Built(style), Some(building)) => {
            let ground = Ground {
                building,
                snapshot: shared.snapshot,
                oracle: shared.oracle,
                graph,
                frame: candidate.frame,
                info,
                captured,
                callee: &callee,
                files: &shared.files,
            };
            let built = built(&ground, &mut shared.scope, &mut unique, style);
            built
                .map_err(|obstacle| method.blocked = Some(obstacle))
                .ok()
        }
        _ => None,
    };
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
    let body_lines = match source_alone {
        Some(built) => {
            method.self_contained = true;
            body.self_contained(built)
        }
        None => body.loading(&callee),
    };

    let mut lines = vec![format!(
        "// frame {}: {}",
        method.frame,
        comment::place(&info.element)
    )];
    if method.trivial {
        lines.push(
            "// Trivial: it fails on its own null argument; the frames that called it say more."
                .to_owned(),
        );
    }
    lines.extend(because.map(|because| format!("// Why: {}.", comment::text(&because))));
    let junit = shared.options.junit;
    lines.push(format!("@{}", shared.scope.library(junit.annotation())));
    lines.push(format!(
        "{}void {}() throws Throwable {{",
        junit.visibility(),
        method.name
    ));
    lines.extend(body_lines);
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
    /// The frame is restored from the snapshot, whole or in part.
    fn loading(&mut self, callee: &Callee) -> Vec<String> {
        let call = match &callee.call {
            Call::Invoke(reason) => self.invoke(reason),
            _ => self.by_name(callee),
        };
        self.shared.loads = true;
        let mut lines = vec![self.restore_line()];
        let ending = self.ending(&call);
        lines.append(&mut self.lines);
        lines.extend(ending);
        lines
    }

    /// Nothing is loaded.
    fn self_contained(&mut self, built: BuiltBody) -> Vec<String> {
        self.shared.helpers.add(&built.helpers);
        self.shared.generic |= built.generic;
        let mut lines = Vec::new();
        if self.shared.options.proof {
            self.shared.loads = true;
            lines.extend(built.lines);
            lines.extend(self.comparison(&built.values, &built.statics));
            return lines;
        }
        let proven = self
            .shared
            .building
            .is_some_and(|building| building.proven.contains(&self.candidate.frame));
        if built.incomplete || !proven {
            lines.push(
                "    // Not all of the captured state, but what the crash needs of it.".to_owned(),
            );
        }
        lines.extend(built.lines);
        let ending = self.ending(&built.call);
        lines.extend(with_statics(ending, &built.statics));
        lines
    }

    /// Compares what source made with what was captured.
    fn comparison(&mut self, values: &[String], statics: &[Assigned]) -> Vec<String> {
        let same = self.shared.scope.library("recrash.worker.Same");
        let values = values.join(", ");
        if statics.is_empty() {
            let frame = self.frame_expression(".withoutStatics()");
            return vec![format!(
                "    {same}.check({frame}, new Object[] {{{values}}});"
            )];
        }
        let frame = self.frame_expression("");
        let class = self.shared.scope.library("recrash.junit.Frame");
        let made: Vec<&str> = statics.iter().map(|field| field.made.as_str()).collect();
        let held: Vec<&str> = statics.iter().map(|field| field.held.as_str()).collect();
        let (values_name, made_name) = (self.unique.take("values"), self.unique.take("made"));
        // What is made is made before the snapshot fills the fields.
        vec![
            format!("    Object[] {values_name} = {{{values}}};"),
            format!("    Object[] {made_name} = {{{}}};", made.join(", ")),
            format!("    {class} frame = {frame}.restore();"),
            "    try {".to_owned(),
            format!(
                "        {same}.check(frame, {values_name}, {made_name}, new Object[] {{{}}});",
                held.join(", ")
            ),
            "    } finally {".to_owned(),
            "        frame.putBack();".to_owned(),
            "    }".to_owned(),
        ]
    }

    fn restore_line(&mut self) -> String {
        let restore = self.candidate.restore;
        let without_statics = if restore.statics {
            ""
        } else {
            ".withoutStatics()"
        };
        let frame = self.frame_expression(without_statics);
        if self.uses_frame {
            format!(
                "    {} frame = {frame};",
                self.shared.scope.library("recrash.junit.Frame")
            )
        } else {
            format!("    {frame}.restore();   // static fields and environment")
        }
    }

    /// `crash.frame(2).withoutPatches()`.
    fn frame_expression(&self, without_statics: &str) -> String {
        // Nothing to leave out, nothing to say.
        let entry = EntryState::of(&self.shared.snapshot.manifest.frames, self.candidate.frame);
        let leaves_patches = !self.candidate.restore.patches && !entry.is_empty();
        let without_patches = if leaves_patches {
            ".withoutPatches()"
        } else {
            ""
        };
        format!(
            "crash.frame({}){without_statics}{without_patches}",
            self.candidate.frame
        )
    }

    /// Everything loaded; the values stand in comments.
    fn invoke(&mut self, reason: &str) -> String {
        self.uses_frame = true;
        let place = format!("{}.{}", self.info.element.class, self.info.element.method);
        self.lines
            .push(format!("    // {}: {reason}.", comment::text(&place)));
        if self.captured.receiver != Value::Null {
            let text = self.comment(self.captured.receiver, 13);
            self.lines.push(format!("    //   this = {text}"));
        }
        for (index, argument) in self.captured.arguments.iter().enumerate() {
            let name = argument
                .name
                .as_deref()
                .map_or_else(|| format!("argument {index}"), comment::text);
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
        let by_literal = matches!(self.candidate.form, Form::Plain | Form::Built(_))
            || !matches!(argument.value, Value::Ref(_));
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
            return cast(written_type, &expression.text);
        }
        let wanted = argument_name(argument.name.as_deref(), index);
        if expression.is_none()
            && let Some(text) = self.made_apart(argument, &wanted)
        {
            return if is_only_one {
                text
            } else {
                cast(written_type, &text)
            };
        }
        let name = self.unique.take(&wanted);
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

    /// The expression for an argument that shares nothing with what is loaded, if making it takes a few lines.
    fn made_apart(&mut self, argument: &Argument, name: &str) -> Option<String> {
        /// Longer ways to make an object are not worth it where the snapshot is loaded anyway.
        const MOST_LINES: usize = 8;
        let (manifest, heap) = (&self.shared.snapshot.manifest, &self.shared.snapshot.heap);
        let building = self
            .shared
            .building
            .filter(|_| self.candidate.form == Form::Plain)
            .filter(|_| is_apart(heap, manifest, self.captured, argument.value))?;
        let (holders, left_out) = (BTreeMap::new(), BTreeSet::new());
        let world = World {
            graph: self.graph,
            classes: building.classes,
            holders: &holders,
            left_out: &left_out,
            files: None,
        };
        let (scope, oracle) = (&mut self.shared.scope, self.shared.oracle);
        let limits = (Style::Constructors, MOST_LINES);
        let mut planner = Planner::new(world, scope, oracle, &mut self.unique, limits);
        planner.look_at(&[argument.value]).ok()?;
        let text = planner
            .fitting(&argument.descriptor, argument.value, name)
            .ok()?;
        let plan = planner.finish().ok()?;
        self.shared.helpers.add(&plan.helpers);
        self.shared.generic |= plan.generic;
        self.lines.extend(plan.lines);
        Some(text)
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
        comment::text(&described.replace('…', "..."))
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
        let (class_of_asserts, throws) = self.shared.options.junit.assertions();
        let asserts = self.shared.scope.library(class_of_asserts);
        let throwable = written
            .clone()
            .unwrap_or_else(|| self.shared.scope.library("java.lang.Throwable"));
        let mut lines = vec![format!(
            "    {throwable} thrown = {asserts}.{throws}({throwable}.class, () -> {call});"
        )];
        if written.is_none() {
            let name = comment::text(class);
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
        Some(comment::text(&format!(
            "{}.{}:{}",
            element.class, element.method, element.line
        )))
    }
}

/// The call between statements that set static fields and those that put back what they held.
fn with_statics(ending: Vec<String>, statics: &[Assigned]) -> Vec<String> {
    if statics.is_empty() {
        return ending;
    }
    let set = statics.iter().flat_map(|field| &field.before);
    let mut lines: Vec<String> = set.map(|statement| format!("    {statement}")).collect();
    lines.push("    try {".to_owned());
    lines.extend(ending.iter().map(|line| format!("    {line}")));
    lines.push("    } finally {".to_owned());
    let back = statics.iter().rev();
    lines.extend(back.map(|field| format!("        {}", field.after)));
    lines.push("    }".to_owned());
    lines
}

fn argument_name(name: Option<&str>, index: usize) -> String {
    match name {
        Some(name) if names::is_identifier(name) => name.to_owned(),
        _ => format!("argument{index}"),
    }
}
