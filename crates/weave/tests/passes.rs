//! Passes of a new kind, each in a place of its own: one counts entries, exits and calls, one jumps from the entry into the
//! middle of an expression. Alone or on top of the handlers, JVMs accept what comes of them, and programs do what they did.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use std::path::Path;

use recrash_classfile::{
    Assembler, Budget, Error, Frame, JarEntry, Kind, VerificationType, opcode, read_classes, text,
};
use recrash_javabuild::Jdk;
use recrash_weave::{Method, Pass, Plan, Policy, SkipReason, Woven, rewrite, weave_with};
use support::{compile, java, jdks, read_jar, run, sources, stub, write_folder, write_jar};

/// Counts how often each method is entered, left and thrown out of, and how often it calls and is returned to.
#[derive(Default)]
struct Counting {
    methods: Vec<String>,
}

const TALLY: &[u8] = b"Tally";

/// Calls a method of `Tally` with the number of the method as the last argument.
fn tell(
    name: &[u8],
    descriptor: &[u8],
    number: i32,
    code: &mut Assembler,
    plan: &mut recrash_weave::Constants<'_>,
) -> Result<(), Error> {
    code.push_int(number, &mut plan.pool)?;
    let target = plan.pool.method(TALLY, name, descriptor)?;
    code.op_index(opcode::INVOKESTATIC, target);
    Ok(())
}

impl Pass for Counting {
    fn wants(&mut self, _method: &Method<'_>) -> bool {
        true
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        let number = self.methods.len() as i32;
        self.methods.push(text(method.member.name));
        let ticket = plan.entry.new_local(Kind::Int)?;
        let Plan {
            entry, constants, ..
        } = plan;
        tell(b"entered", b"(I)I", number, &mut entry.code, constants)?;
        plan.entry.code.store(Kind::Int, ticket);

        let mut left = Assembler::new();
        left.load(Kind::Int, ticket);
        tell(b"left", b"(II)V", number, &mut left, &mut plan.constants)?;
        plan.before_returns(method, &left)?;

        let caught = plan.before_throwing(method, |code, thrown, constants| {
            code.load(Kind::Reference, thrown);
            code.load(Kind::Int, ticket);
            let descriptor = b"(Ljava/lang/Throwable;II)V";
            tell(b"thrown", descriptor, number, code, constants)
        });
        match caught {
            // Some constructors compute arguments behind the call in the file.
            Ok(()) | Err(SkipReason::UnclearSuperCall) => {}
            Err(other) => return Err(other),
        }

        let (mut calls, mut returns) = (Assembler::new(), Assembler::new());
        tell(b"calls", b"(I)V", number, &mut calls, &mut plan.constants)?;
        tell(
            b"returns",
            b"(I)V",
            number,
            &mut returns,
            &mut plan.constants,
        )?;
        for instruction in method.code.instructions() {
            let instruction = instruction?;
            if matches!(
                instruction.opcode,
                opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC
            ) {
                plan.before(instruction.pc, calls.clone());
                plan.after(&instruction, returns.clone());
            }
        }
        plan.needs_stack_on_top(method, 3);
        Ok(())
    }

    fn undo(&mut self, _method: &Method<'_>, _why: &SkipReason) -> Option<SkipReason> {
        self.methods.pop();
        None
    }
}

/// Where `Tally` says so, `weigh` goes on at its call of `measure`, as if it had come there with other values.
struct Resuming;

impl Pass for Resuming {
    fn wants(&mut self, method: &Method<'_>) -> bool {
        method.member.name == b"weigh"
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        let is_call = |index| method.class.pool.name_of(index) == Ok(b"measure");
        let call = method
            .code
            .instructions()
            .map(Result::unwrap)
            .find(|it| it.opcode == opcode::INVOKESTATIC && is_call(it.index()))
            .unwrap();
        let pool = &mut plan.constants.pool;
        let text = VerificationType::Object(pool.class(b"java/lang/String")?);
        let number = VerificationType::Integer;
        let frame = Frame {
            locals: vec![number, text, number],
            stack: vec![number, text],
        };
        let resumes = pool.method(TALLY, b"resumes", b"()Z")?;
        let leaps = &mut plan.leaps;
        leaps.code.op_index(opcode::INVOKESTATIC, resumes);
        let plainly = leaps.code.jump(opcode::IFEQ);
        leaps.code.zero(Kind::Int);
        leaps.code.store(Kind::Int, 2);
        leaps.code.push_int(70_000, pool)?;
        leaps.code.push_string(b"resumed", pool)?;
        leaps.leap(opcode::GOTO, call.pc, frame);
        leaps.land(&plainly)?;
        plan.needs_stack(2);
        Ok(())
    }
}

/// By which passes the classes of a test are rewritten.
#[derive(Clone, Copy, Debug)]
enum With {
    /// No others.
    Alone,
    /// Handlers, and what else this strategy brings.
    Strategy(&'static str),
}

fn rewritten(entries: &mut [JarEntry], with: With) -> Counting {
    let mut counting = Counting::default();
    for entry in entries.iter_mut().filter(|entry| entry.is_class()) {
        if entry.name == "Tally.class" {
            continue;
        }
        let passes: &mut [&mut dyn Pass] = &mut [&mut counting, &mut Resuming];
        let bytes = match with {
            With::Alone => rewrite(&entry.bytes, passes).ok().map(|done| done.bytes),
            With::Strategy(strategy) => {
                let policy = Policy {
                    strategy: strategy.parse().unwrap(),
                    ..Policy::everything()
                };
                match weave_with(&entry.bytes, 0, &policy, passes) {
                    Woven::Changed { bytes, .. } => Some(bytes),
                    Woven::Untouched(_) => None,
                }
            }
        };
        if let Some(bytes) = bytes {
            entry.bytes = bytes;
        }
    }
    counting
}

const ALL: [With; 4] = [
    With::Alone,
    With::Strategy("auto"),
    With::Strategy("undo"),
    With::Strategy("deep"),
];

/// The numbers behind `// tally: `, by method.
fn expected() -> Vec<String> {
    let source = std::fs::read_to_string(sources().join("Passes.java")).unwrap();
    let lines = source.lines();
    let mut expected: Vec<String> = lines
        .filter_map(|line| line.trim().strip_prefix("// tally: "))
        .map(str::to_owned)
        .collect();
    expected.sort();
    expected
}

/// The same, as `Tally` told it.
fn counted(told: &str, counting: &Counting) -> Vec<String> {
    let mut counted = Vec::new();
    for line in told.lines().filter_map(|line| line.strip_prefix("tally ")) {
        let numbers: Vec<&str> = line.split(' ').collect();
        let method = &counting.methods[numbers[0].parse::<usize>().unwrap()];
        counted.push(format!("{method} {}", numbers[1..5].join(" ")));
    }
    counted.sort();
    counted
}

fn classes(jdk: &Jdk, into: &Path, options: &[&str]) -> Vec<JarEntry> {
    let files = ["Passes.java", "Tally.java"].map(|file| sources().join(file));
    let classes = compile(jdk, into, options, &files);
    read_classes(&classes, Budget::default()).unwrap()
}

#[test]
fn entries_exits_and_calls_are_counted_whatever_else_is_woven() {
    for jdk in jdks() {
        for options in [&["-g"][..], &["--release", "8"]] {
            let folder = tempfile::tempdir().unwrap();
            let plain = folder.path().join("plain");
            let original = classes(&jdk, &plain, options);
            let stub = stub(&jdk, &folder.path().join("stub"));
            let execute =
                |classes: &Path| run(java(&jdk, &stub).arg("-cp").arg(classes).arg("Passes"));
            let (output, _) = execute(&plain);
            for with in ALL {
                let mut entries = original.clone();
                let counting = rewritten(&mut entries, with);
                let woven = folder.path().join(format!("{with:?}"));
                write_folder(&entries, &woven);
                let (counted_output, told) = execute(&woven);
                assert_eq!(counted_output, output, "{with:?} {options:?}");
                assert!(
                    !told.contains("lost") && !told.contains("nothing"),
                    "{told}"
                );
                let found = counted(&told, &counting);
                for line in expected() {
                    assert!(
                        found.contains(&line),
                        "{with:?} {options:?}: {line}\n{found:#?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_method_goes_on_in_the_middle_of_an_expression() {
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let original = classes(&jdk, &folder.path().join("plain"), &["-g"]);
        let stub = stub(&jdk, &folder.path().join("stub"));
        for with in ALL {
            let mut entries = original.clone();
            rewritten(&mut entries, with);
            let woven = folder.path().join(format!("{with:?}"));
            write_folder(&entries, &woven);
            let mut command = java(&jdk, &stub);
            command.arg("-Dresume=true").arg("-cp").arg(&woven);
            let (output, _) = run(command.arg("Passes"));
            let weighed: Vec<&str> = output.lines().skip(8).collect();
            // 70,000, the length of "resumed", and the `most` that was given.
            assert_eq!(weighed, ["70010", "70009", "70011"], "{with:?}");
        }
    }
}

#[test]
fn a_real_program_is_counted_and_does_what_it_did() {
    let jar = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../.deps/junit-platform-console-standalone.jar");
    if !jar.exists() {
        return;
    }
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let stub = stub(&jdk, &folder.path().join("stub"));
        let tally = classes(&jdk, &folder.path().join("plain"), &["--release", "8"]);
        let execute = |jar: &Path| {
            let mut command = java(&jdk, &stub);
            command.arg("-Drecrash.silent=true").arg("-cp").arg(jar);
            command.args(["org.junit.platform.console.ConsoleLauncher", "engines"]);
            run(&mut command)
        };
        let (output, _) = execute(&jar);
        for with in [With::Alone, With::Strategy("undo")] {
            let mut entries = read_jar(&jar);
            let counting = rewritten(&mut entries, with);
            entries.extend(
                tally
                    .iter()
                    .filter(|entry| entry.name == "Tally.class")
                    .cloned(),
            );
            let woven = folder.path().join("woven.jar");
            write_jar(&entries, &woven);
            let (counted_output, told) = execute(&woven);
            assert_eq!(counted_output, output, "{with:?}");
            assert!(
                !told.contains("lost") && !told.contains("nothing"),
                "{told}"
            );
            assert!(counted(&told, &counting).len() > 200, "{with:?}\n{told}");
        }
    }
}
