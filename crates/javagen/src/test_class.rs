//! The class: header, imports, one method per frame.

use crate::Error;
use crate::build::{Building, Files, Helpers};
use crate::call::callee;
use crate::header;
use crate::names::{self, Unique};
use crate::oracle::TypeOracle;
use crate::rank;
use crate::request::{Candidate, Options};
use crate::scope::{self, Scope};
use crate::test_method::{Shared, TestMethod, WIDTH, write};
use crate::value::Aliases;
use recrash_heap::Snapshot;
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestClass {
    /// Empty for the default package.
    pub package: String,
    pub name: String,
    pub source: String,
    /// What the source reads, by the name of the file beside it.
    pub files: BTreeMap<String, Vec<u8>>,
    /// In the order of the source: most useful first.
    pub methods: Vec<TestMethod>,
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

/// One class with a test for each candidate. `looks` holds the snapshots of frames at which a second look was taken;
/// without `building` everything but literals is loaded. A second test of a frame that would say the same is left out.
pub fn generate(
    snapshot: &Snapshot,
    looks: &BTreeMap<usize, Snapshot>,
    candidates: &[Candidate],
    oracle: &dyn TypeOracle,
    options: &Options,
    building: Option<&Building<'_>>,
) -> Result<TestClass, Error> {
    let manifest = &snapshot.manifest;
    for candidate in candidates {
        captured(manifest, candidate.frame)?;
    }
    let mut ranked = rank::ranked(manifest, candidates, |candidate| candidate.frame);
    rank::entrance_first(manifest, &mut ranked);
    let best = ranked.first().ok_or(Error::NoCandidates)?;
    let (best_frame, _) = captured(manifest, best.frame)?;
    let namesake = rank::namesake(manifest, best.frame).unwrap_or(&best_frame.element.class);
    let package = package(options, namesake, oracle)?;
    let method = &best_frame.element.method;
    let mut name = class_name((namesake, method), &package, oracle, &options.taken);
    if options.proof {
        name.push_str("Proof");
    }
    let mut scope = Scope::new(&package, oracle);
    scope.declare(&name);
    let serving = |frame: usize| looks.get(&frame).unwrap_or(snapshot);

    // The program's own types take their short names before the libraries'.
    for candidate in &ranked {
        let snapshot = serving(candidate.frame);
        let (info, frame) = captured(&snapshot.manifest, candidate.frame)?;
        callee(&snapshot.heap, info, frame, oracle, &mut scope);
    }
    let whole = Aliases::count(&snapshot.heap, manifest);
    let looked: BTreeMap<usize, Aliases> = looks
        .iter()
        .map(|(frame, look)| (*frame, Aliases::count(&look.heap, &look.manifest)))
        .collect();
    let mut shared = Shared {
        snapshot,
        oracle,
        options,
        scope,
        aliases: &whole,
        generic: false,
        asserts_place: false,
        building,
        helpers: Helpers::default(),
        loads: false,
        files: Files::of(&name),
    };
    let mut unique = Unique::default();
    let mut methods: Vec<TestMethod> = Vec::new();
    let mut bodies: Vec<Vec<String>> = Vec::new();
    for candidate in ranked {
        shared.snapshot = serving(candidate.frame);
        shared.aliases = looked.get(&candidate.frame).unwrap_or(&whole);
        let (info, frame) = captured(&shared.snapshot.manifest, candidate.frame)?;
        let mut method = TestMethod {
            name: unique.take(&names::test_name(&info.element.class, &info.element.method)),
            frame: candidate.frame,
            trivial: rank::is_trivial(manifest, candidate.frame),
            form: candidate.form,
            self_contained: false,
            blocked: None,
        };
        let body = write(&mut shared, candidate, (info, frame), &mut method);
        let says_the_same = methods.iter().zip(&bodies).any(|(known, lines)| {
            known.frame == method.frame && without_name(lines).eq(without_name(&body))
        });
        if !says_the_same {
            bodies.push(body);
            methods.push(method);
        }
    }
    let mut test = TestClass {
        package,
        name,
        source: String::new(),
        files: BTreeMap::new(),
        methods,
    };
    shared.snapshot = snapshot;
    test.source = source(&mut shared, &test, &bodies);
    test.files = shared.files.read_in(&test.source);
    Ok(test)
}

/// The lines of a test but for the one with its name.
fn without_name(lines: &[String]) -> impl Iterator<Item = &String> {
    lines
        .iter()
        .filter(|line| !line.contains("() throws Throwable {"))
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

fn package(options: &Options, class: &str, oracle: &dyn TypeOracle) -> Result<String, Error> {
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
    let open = names::is_package(own) && !scope::is_jdk(class) && oracle.opens_package_of(class);
    Ok(if open {
        own.to_owned()
    } else {
        ELSEWHERE.to_owned()
    })
}

/// `OrderCrashTest`; `OrderTotalCrashTest` where the tests of another crash have that name; the next free number where the
/// program has such a class already.
fn class_name(
    (class, method): (&str, &str),
    package: &str,
    oracle: &dyn TypeOracle,
    others: &BTreeSet<String>,
) -> String {
    let simple = names::capitalized(&names::top_level_simple(class));
    let ended = |simple: &str| {
        if simple.ends_with("Crash") {
            format!("{simple}Test")
        } else {
            format!("{simple}CrashTest")
        }
    };
    let qualified = |name: &str| {
        if package.is_empty() {
            name.to_owned()
        } else {
            format!("{package}.{name}")
        }
    };
    let mut base = ended(&simple);
    if others.contains(&qualified(&base)) {
        let method = names::capitalized(&names::test_name(class, method));
        base = ended(&format!("{simple}{method}"));
    }
    let mut name = base.clone();
    let mut number = 2u32;
    let taken = |name: &str| {
        let name = qualified(name);
        others.contains(&name) || oracle.facts(&name).is_some()
    };
    while taken(&name) && number < 100 {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

fn source(shared: &mut Shared<'_>, test: &TestClass, bodies: &[Vec<String>]) -> String {
    let class = class(shared, test, bodies);
    let options = shared.options;
    let mut out = String::new();
    for line in header::lines(
        &shared.snapshot.manifest,
        &test.methods,
        options,
        &test.qualified(),
        shared.loads,
    ) {
        out.push_str(format!("// {line}").trim_end());
        out.push('\n');
    }
    if !shared.scope.package().is_empty() {
        let _ = writeln!(out, "\npackage {};", shared.scope.package());
    }
    out.push('\n');
    // Ways that were tried and given up have left names behind.
    for import in shared.scope.imports_in(&class) {
        out.push_str(&import);
        out.push('\n');
    }
    out.push('\n');
    out.push_str(&class);
    out
}

/// The class itself, from its annotation to its last brace.
fn class(shared: &mut Shared<'_>, test: &TestClass, bodies: &[Vec<String>]) -> String {
    let options = shared.options;
    let mut out = String::new();
    if shared.generic {
        out.push_str("@SuppressWarnings({\"rawtypes\", \"unchecked\"})\n");
    }
    let _ = writeln!(out, "{}class {} {{", options.junit.visibility(), test.name);
    if shared.loads {
        let snapshot_type = shared.scope.library("recrash.junit.Snapshot");
        let file = crate::literal::string(&options.snapshot.encode_utf16().collect::<Vec<_>>());
        let declared = format!("    private final {snapshot_type} crash =");
        let loaded = format!("{snapshot_type}.load({}.class, {file});", test.name);
        if declared.len() + loaded.len() < WIDTH {
            let _ = writeln!(out, "{declared} {loaded}");
        } else {
            let _ = writeln!(out, "{declared}\n            {loaded}");
        }
    }
    for (number, body) in bodies.iter().enumerate() {
        if number > 0 || shared.loads {
            out.push('\n');
        }
        for line in body {
            let _ = writeln!(out, "    {line}");
        }
    }
    if shared.asserts_place {
        out.push('\n');
        out.push_str(ASSERT_THROWN_AT);
    }
    let helpers = std::mem::take(&mut shared.helpers);
    for helper in helpers.used_in(&out, &mut shared.scope) {
        out.push('\n');
        out.push_str(&helper);
    }
    out.push_str("}\n");
    out
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
