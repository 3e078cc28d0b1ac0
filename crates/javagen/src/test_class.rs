//! The class: header, imports, one method per frame.

use crate::Error;
use crate::call::{Call, Callee, callee};
use crate::header;
use crate::names::{self, Unique};
use crate::oracle::TypeOracle;
use crate::rank;
use crate::scope::{self, Scope};
use crate::value::{Aliases, Values};
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest, Value};
use recrash_heap::{PlanOptions, Snapshot};
use recrash_report::describe;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JUnit {
    Four,
    Five,
}

/// How far a frame is written in plain Java.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// By name, with literals, as far as the language allows.
    Plain,
    /// By name, every object loaded.
    Objects,
    /// Everything loaded, called through `frame.invoke()`.
    Loaded,
}

/// A frame to make a test of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub frame: usize,
    /// What is restored with the frame: the variant that reproduced.
    pub restore: PlanOptions,
    pub form: Form,
}

#[derive(Debug, Clone)]
pub struct Options {
    pub junit: JUnit,
    /// `None`: the package of the most useful frame's class.
    pub package: Option<String>,
    /// Tests pass while the bug exists.
    pub expect_crash: bool,
    /// File name of the snapshot beside the test.
    pub snapshot: String,
    /// The version of recrash.
    pub version: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestClass {
    /// Empty for the default package.
    pub package: String,
    pub name: String,
    pub source: String,
    /// In the order of the source: most useful first.
    pub methods: Vec<TestMethod>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestMethod {
    pub name: String,
    pub frame: usize,
    pub trivial: bool,
}

impl TestClass {
    /// Binary name, which is also the name in source.
    pub fn qualified(&self) -> String {
        if self.package.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.package, self.name)
        }
    }
}

/// Longest line the generated source aims at.
const WIDTH: usize = 110;

/// One class with a test for each candidate.
pub fn generate(
    snapshot: &Snapshot,
    candidates: &[Candidate],
    oracle: &dyn TypeOracle,
    options: &Options,
) -> Result<TestClass, Error> {
    let manifest = &snapshot.manifest;
    for candidate in candidates {
        captured(manifest, candidate.frame)?;
    }
    let ranked = rank::ranked(manifest, candidates, |candidate| candidate.frame);
    let best = ranked.first().ok_or(Error::NoCandidates)?;
    let (best_frame, _) = captured(manifest, best.frame)?;
    let package = package(options, &best_frame.element.class)?;
    let name = class_name(&best_frame.element.class, &package, oracle);
    let mut scope = Scope::new(&package, oracle);
    scope.declare(&name);
    let aliases = Aliases::count(&snapshot.heap, manifest);

    // The program's own types take their short names before the libraries'.
    for candidate in &ranked {
        let (info, frame) = captured(manifest, candidate.frame)?;
        callee(&snapshot.heap, info, frame, oracle, &mut scope);
    }
    let mut writer = Writer {
        snapshot,
        oracle,
        options,
        scope,
        aliases: &aliases,
        generic: false,
        asserts_place: false,
    };
    let mut unique = Unique::default();
    let mut methods = Vec::new();
    let mut bodies = Vec::new();
    for candidate in ranked {
        let (info, frame) = captured(manifest, candidate.frame)?;
        let method = TestMethod {
            name: unique.take(&names::test_name(&info.element.class, &info.element.method)),
            frame: candidate.frame,
            trivial: rank::is_trivial(manifest, candidate.frame),
        };
        bodies.push(writer.test(candidate, info, frame, &method));
        methods.push(method);
    }
    let mut test = TestClass {
        package,
        name,
        source: String::new(),
        methods,
    };
    test.source = writer.class(&test, &bodies);
    Ok(test)
}

fn captured(manifest: &Manifest, frame: usize) -> Result<(&FrameInfo, &CapturedFrame), Error> {
    let info = manifest
        .frames
        .get(frame)
        .ok_or(Error::NoSuchFrame(frame))?;
    info.captured
        .as_ref()
        .map(|captured| (info, captured))
        .ok_or(Error::NoSuchFrame(frame))
}

fn package(options: &Options, class: &str) -> Result<String, Error> {
    /// Where tests go when the class's own package is closed to them.
    const ELSEWHERE: &str = "crashes";
    if let Some(package) = &options.package {
        return if names::is_package(package) {
            Ok(package.clone())
        } else {
            Err(Error::BadPackage(package.clone()))
        };
    }
    let own = names::package_of(class);
    let open = names::is_package(own) && !scope::is_jdk(class);
    Ok(if open {
        own.to_owned()
    } else {
        ELSEWHERE.to_owned()
    })
}

/// `OrderCrashTest`, or the next free number where the program has such a class already.
fn class_name(class: &str, package: &str, oracle: &dyn TypeOracle) -> String {
    let simple = names::capitalized(&names::top_level_simple(class));
    let base = if simple.ends_with("Crash") {
        format!("{simple}Test")
    } else {
        format!("{simple}CrashTest")
    };
    let mut name = base.clone();
    let mut number = 2u32;
    let taken = |name: &str| {
        let qualified = if package.is_empty() {
            name.to_owned()
        } else {
            format!("{package}.{name}")
        };
        oracle.facts(&qualified).is_some()
    };
    while taken(&name) && number < 100 {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    oracle: &'a dyn TypeOracle,
    options: &'a Options,
    scope: Scope<'a>,
    aliases: &'a Aliases,
    /// Raw types are used somewhere.
    generic: bool,
    asserts_place: bool,
}

impl Writer<'_> {
    fn test(
        &mut self,
        candidate: &Candidate,
        info: &FrameInfo,
        captured: &CapturedFrame,
        method: &TestMethod,
    ) -> Vec<String> {
        let mut callee = callee(
            &self.snapshot.heap,
            info,
            captured,
            self.oracle,
            &mut self.scope,
        );
        if candidate.form == Form::Loaded && !matches!(callee.call, Call::Invoke(_)) {
            callee.call = Call::Invoke("a plain call did not reproduce the crash");
        }
        let mut lines = vec![format!(
            "// frame {}: {}",
            method.frame,
            header::place(&info.element)
        )];
        if method.trivial {
            lines.push("// Trivial: it fails on its own null argument; the frames that called it say more.".to_owned());
        }
        let visibility = if self.options.junit == JUnit::Four {
            "public "
        } else {
            ""
        };
        lines.push(format!("@{}", self.scope.library(self.test_annotation())));
        lines.push(format!(
            "{visibility}void {}() throws Throwable {{",
            method.name
        ));
        let mut body = Body {
            lines: Vec::new(),
            unique: Unique::default(),
            uses_frame: false,
        };
        for taken in ["crash", "frame", "thrown"] {
            body.unique.reserve(taken);
        }
        let call = match &callee.call {
            Call::Invoke(reason) => self.invoke(&mut body, info, captured, reason),
            _ => self.by_name(&mut body, candidate, info, captured, &callee),
        };
        lines.push(self.restore_line(candidate, captured, body.uses_frame));
        lines.append(&mut body.lines);
        if self.options.expect_crash {
            lines.extend(self.expecting(info, &call));
        } else {
            lines.push(format!("    {call};"));
        }
        lines.push("}".to_owned());
        lines
    }

    fn test_annotation(&self) -> &'static str {
        match self.options.junit {
            JUnit::Four => "org.junit.Test",
            JUnit::Five => "org.junit.jupiter.api.Test",
        }
    }

    fn restore_line(
        &mut self,
        candidate: &Candidate,
        captured: &CapturedFrame,
        uses_frame: bool,
    ) -> String {
        let without_statics = if candidate.restore.statics {
            ""
        } else {
            ".withoutStatics()"
        };
        // Nothing to leave out, nothing to say.
        let leaves_patches = !candidate.restore.patches && !captured.patches.is_empty();
        let without_patches = if leaves_patches {
            ".withoutPatches()"
        } else {
            ""
        };
        let restore = format!(
            "crash.frame({}){without_statics}{without_patches}",
            candidate.frame
        );
        if uses_frame {
            let frame = self.scope.library("recrash.Frame");
            format!("    {frame} frame = {restore};")
        } else {
            format!("    {restore}.restore();   // static fields and environment")
        }
    }

    /// Everything loaded; the values stand in comments.
    fn invoke(
        &self,
        body: &mut Body,
        info: &FrameInfo,
        captured: &CapturedFrame,
        reason: &str,
    ) -> String {
        body.uses_frame = true;
        let place = format!("{}.{}", info.element.class, info.element.method);
        body.lines
            .push(format!("    // {}: {reason}.", header::text(&place)));
        if captured.receiver != Value::Null {
            body.lines.push(format!(
                "    //   this = {}",
                self.comment(captured.receiver, 13)
            ));
        }
        for (index, argument) in captured.arguments.iter().enumerate() {
            let name = argument
                .name
                .as_deref()
                .map_or_else(|| format!("argument {index}"), header::text);
            body.lines.push(format!(
                "    //   {name} = {}",
                self.comment(argument.value, 12 + name.len())
            ));
        }
        "frame.invoke()".to_owned()
    }

    fn by_name(
        &mut self,
        body: &mut Body,
        candidate: &Candidate,
        info: &FrameInfo,
        captured: &CapturedFrame,
        callee: &Callee,
    ) -> String {
        let target = match &callee.call {
            Call::Static(class) => format!("{class}.{}", info.element.method),
            Call::Constructor(class) => format!("new {class}"),
            Call::Virtual(class) => format!(
                "{}.{}",
                self.receiver(body, info, captured, class),
                info.element.method
            ),
            Call::Invoke(_) => return "frame.invoke()".to_owned(),
        };
        let arguments: Vec<String> = callee
            .parameter_types
            .iter()
            .enumerate()
            .map(|(index, written)| {
                self.argument(body, candidate, captured, callee, index, written)
            })
            .collect();
        format!("{target}({})", arguments.join(", "))
    }

    fn receiver(
        &mut self,
        body: &mut Body,
        info: &FrameInfo,
        captured: &CapturedFrame,
        class: &str,
    ) -> String {
        let snapshot = self.snapshot;
        let values = Values {
            heap: &snapshot.heap,
            frame: captured,
            aliases: self.aliases,
        };
        if let Value::Ref(id) = captured.receiver
            && let Some(object) = snapshot.heap.object(id)
            && matches!(object.kind, recrash_heap::Kind::Enum { .. })
            && let Some(constant) =
                values.expression(&mut self.scope, "Ljava/lang/Object;", captured.receiver)
        {
            return constant.text;
        }
        self.generic |= self.scope.is_generic(&info.element.class);
        let simple = class.rsplit('.').next().unwrap_or(class);
        let wanted = names::decapitalized(simple);
        let wanted = if names::is_identifier(&wanted) && wanted.len() <= 24 {
            wanted
        } else {
            "receiver".to_owned()
        };
        let name = body.unique.take(&wanted);
        body.uses_frame = true;
        self.load(body, class, &name, "frame.receiver()", captured.receiver);
        name
    }

    fn argument(
        &mut self,
        body: &mut Body,
        candidate: &Candidate,
        captured: &CapturedFrame,
        callee: &Callee,
        index: usize,
        written_type: &str,
    ) -> String {
        /// Longer expressions get a name and a line of their own.
        const LONGEST_INLINE: usize = 60;
        let Some(argument) = captured.arguments.get(index) else {
            return "null".to_owned();
        };
        let snapshot = self.snapshot;
        let values = Values {
            heap: &snapshot.heap,
            frame: captured,
            aliases: self.aliases,
        };
        let by_literal = candidate.form == Form::Plain || !matches!(argument.value, Value::Ref(_));
        let expression = if by_literal {
            values.expression(&mut self.scope, &argument.descriptor, argument.value)
        } else {
            None
        };
        let is_generic = self.scope.is_generic(
            argument
                .descriptor
                .trim_start_matches('L')
                .trim_end_matches(';')
                .replace('/', ".")
                .as_str(),
        );
        if let Some(expression) = expression {
            if expression.text.len() <= LONGEST_INLINE {
                let is_exact =
                    expression.descriptor.as_deref() == Some(argument.descriptor.as_str());
                if is_exact || callee.is_only_one {
                    return expression.text;
                }
                self.generic |= is_generic;
                return format!("({written_type}) {}", expression.text);
            }
            self.generic |= is_generic;
            let name = body
                .unique
                .take(&argument_name(argument.name.as_deref(), index));
            body.lines
                .push(format!("    {written_type} {name} = {};", expression.text));
            return name;
        }
        self.generic |= is_generic;
        let name = body
            .unique
            .take(&argument_name(argument.name.as_deref(), index));
        body.uses_frame = true;
        self.load(
            body,
            written_type,
            &name,
            &format!("frame.argument({index})"),
            argument.value,
        );
        name
    }

    /// `Order order = frame.argument(0);   // Order{id=7, …}`
    fn load(&self, body: &mut Body, class: &str, name: &str, from: &str, value: Value) {
        let line = format!("    {class} {name} = {from};");
        let room = WIDTH.saturating_sub(line.len() + 10);
        let comment = self.comment(value, 12);
        if comment.len() <= room {
            body.lines.push(format!("{line}   // {comment}"));
        } else {
            body.lines.push(format!("    // {comment}"));
            body.lines.push(line);
        }
    }

    fn comment(&self, value: Value, used: usize) -> String {
        let described = describe(&self.snapshot.heap, value, WIDTH.saturating_sub(used));
        header::text(&described.replace('…', "..."))
    }

    /// `assertThrows` around the call, and a check of the place.
    fn expecting(&mut self, info: &FrameInfo, call: &str) -> Vec<String> {
        let manifest = &self.snapshot.manifest;
        let class = manifest
            .throwables
            .get(info.throwable as usize)
            .map_or("java.lang.Throwable", |t| &t.class);
        let nameable = class.starts_with("java.") || self.oracle.facts(class).is_some();
        let written = if nameable {
            self.scope.class(class)
        } else {
            None
        };
        let asserts = match self.options.junit {
            JUnit::Four => "org.junit.Assert",
            JUnit::Five => "org.junit.jupiter.api.Assertions",
        };
        let asserts = self.scope.library(asserts);
        let throwable = written
            .clone()
            .unwrap_or_else(|| self.scope.library("java.lang.Throwable"));
        let mut lines = vec![format!(
            "    {throwable} thrown = {asserts}.assertThrows({throwable}.class, () -> {call});"
        )];
        if written.is_none() {
            lines.push(format!(
                "    {asserts}.assertEquals(\"{}\", thrown.getClass().getName());",
                header::text(class)
            ));
        }
        if let Some(place) = self.place() {
            self.asserts_place = true;
            lines.push(format!("    assertThrownAt(\"{place}\", thrown);"));
        }
        lines
    }

    /// The innermost line of the program itself; none for a stack overflow, which may end anywhere.
    fn place(&self) -> Option<String> {
        let root = self.snapshot.manifest.throwables.last()?;
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

    fn class(&mut self, test: &TestClass, bodies: &[Vec<String>]) -> String {
        let snapshot_type = self.scope.library("recrash.Snapshot");
        let mut out = String::new();
        for line in header::lines(
            &self.snapshot.manifest,
            &test.methods,
            self.options,
            &test.qualified(),
        ) {
            out.push_str(format!("// {line}").trim_end());
            out.push('\n');
        }
        if !self.scope.package().is_empty() {
            out.push_str(&format!("\npackage {};\n", self.scope.package()));
        }
        out.push('\n');
        for import in self.scope.imports() {
            out.push_str(&import);
            out.push('\n');
        }
        out.push('\n');
        if self.generic {
            out.push_str("@SuppressWarnings({\"rawtypes\", \"unchecked\"})\n");
        }
        let visibility = if self.options.junit == JUnit::Four {
            "public "
        } else {
            ""
        };
        out.push_str(&format!("{visibility}class {} {{\n", test.name));
        let file =
            crate::literal::string(&self.options.snapshot.encode_utf16().collect::<Vec<_>>());
        out.push_str(&format!(
            "    private final {snapshot_type} crash = {snapshot_type}.load({}.class, {file});\n",
            test.name
        ));
        for body in bodies {
            out.push('\n');
            for line in body {
                out.push_str(&format!("    {line}\n"));
            }
        }
        if self.asserts_place {
            out.push('\n');
            out.push_str(ASSERT_THROWN_AT);
        }
        out.push_str("}\n");
        out
    }
}

const ASSERT_THROWN_AT: &str = r#"    /** The same exception from another line is another failure. */
    private static void assertThrownAt(String place, Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        for (StackTraceElement element : root.getStackTrace()) {
            String found = element.getClassName() + "." + element.getMethodName() + ":" + element.getLineNumber();
            if (found.equals(place)) {
                return;
            }
        }
        throw new AssertionError("not thrown at " + place, thrown);
    }
"#;

struct Body {
    lines: Vec<String>,
    unique: Unique,
    uses_frame: bool,
}

fn argument_name(name: Option<&str>, index: usize) -> String {
    match name {
        Some(name) if names::is_identifier(name) => name.to_owned(),
        _ => format!("argument{index}"),
    }
}
