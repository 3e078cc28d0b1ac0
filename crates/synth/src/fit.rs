//! Does the class path fit the trace? Every frame is looked up by class, method and line, before anything is searched for.

use std::fmt;

use recrash_classfile::{is_of_jdk, text};
use recrash_program::{Class, MethodId, Origin, Program};
use recrash_trace::{Thrown, TraceLine};

/// What is to be thrown, and where.
#[derive(Debug, Clone)]
pub struct Goal {
    /// With dots; `None` where the text begins with frames.
    pub exception: Option<String>,
    pub message: Option<String>,
    /// Innermost first. Frames of the JDK and of reflection stay in: a trace must match as it is.
    pub frames: Vec<GoalFrame>,
}

#[derive(Debug, Clone)]
pub struct GoalFrame {
    pub printed: TraceLine,
    pub fit: Fit,
}

/// How a frame was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// The methods of that name that have code on that line.
    Lines(Vec<Place>),
    /// The class has no line table, or the trace no line: any of these.
    Methods(Vec<MethodId>),
    /// The JDK of today is not the one that printed the trace: its lines tell nothing, its methods do.
    Jdk,
    /// Accessors of reflection, lambdas' hidden classes: made at run time.
    MadeAtRunTime,
    Misfit(Misfit),
}

/// Code of a method that belongs to the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub method: MethodId,
    /// Where instructions of the line begin and end.
    pub ranges: Vec<(u16, u16)>,
}

/// Why a frame is not in the class path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    NoClass,
    /// It is there, but nothing can be read of it.
    Unreadable(String),
    NoMethod,
    /// The lines that the methods of this name have.
    NoLine {
        existing: Vec<(u16, u16)>,
    },
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::NoClass => f.write_str("the class is not on the class path"),
            Misfit::Unreadable(defect) => write!(f, "the class cannot be read: {defect}"),
            Misfit::NoMethod => f.write_str("the class has no such method"),
            Misfit::NoLine { existing } => {
                f.write_str("the method has no code on that line, but on ")?;
                for (number, (first, last)) in existing.iter().enumerate() {
                    let comma = if number == 0 { "" } else { ", " };
                    write!(f, "{comma}{first}-{last}")?;
                }
                Ok(())
            }
        }
    }
}

impl Goal {
    pub fn of(program: &Program, thrown: &Thrown) -> Goal {
        Goal {
            exception: thrown.class.clone(),
            message: thrown.message.clone(),
            frames: thrown
                .frames
                .iter()
                .map(|printed| GoalFrame {
                    printed: printed.clone(),
                    fit: fit(program, printed),
                })
                .collect(),
        }
    }
}

impl GoalFrame {
    /// The methods it may be.
    pub fn methods(&self) -> Vec<MethodId> {
        match &self.fit {
            Fit::Lines(places) => places.iter().map(|place| place.method).collect(),
            Fit::Methods(methods) => methods.clone(),
            _ => Vec::new(),
        }
    }

    /// Whether a frame that was seen is this one.
    pub fn is(&self, class: &str, method: &str, line: i32) -> bool {
        if self.printed.class != class || self.printed.method != method {
            return false;
        }
        match &self.fit {
            Fit::Lines(_) => self.printed.line == line,
            // Whatever ran there, it was not what printed the trace.
            Fit::Misfit(_) => false,
            _ => true,
        }
    }
}

fn fit(program: &Program, frame: &TraceLine) -> Fit {
    if is_made_at_run_time(&frame.class) {
        return Fit::MadeAtRunTime;
    }
    let name = frame.class.replace('.', "/");
    let Some(class) = program.find(&name) else {
        // Methods of the JDK move and vanish with versions.
        return if is_of_jdk(&frame.class) {
            Fit::Jdk
        } else if program.class_path().origin(name.as_bytes()).is_some() {
            Fit::Misfit(Misfit::Unreadable(defect_of(program, &frame.class)))
        } else {
            Fit::Misfit(Misfit::NoClass)
        };
    };
    if class.origin == Origin::Jdk {
        return Fit::Jdk;
    }
    in_class(program, &class, frame)
}

fn defect_of(program: &Program, class: &str) -> String {
    let problems = program.problems();
    let own = problems.iter().find_map(|problem| {
        let defect = problem.strip_prefix(class)?;
        defect.strip_prefix(": ")
    });
    own.unwrap_or("it is damaged").to_owned()
}

fn in_class(program: &Program, class: &Class, frame: &TraceLine) -> Fit {
    let named: Vec<(MethodId, Vec<Line>)> = methods_named(program, class, &frame.method);
    if named.is_empty() {
        return Fit::Misfit(Misfit::NoMethod);
    }
    let without_lines = named.iter().all(|(_, lines)| lines.is_empty());
    let Some(wanted) = u16::try_from(frame.line).ok().filter(|_| !without_lines) else {
        return Fit::Methods(named.into_iter().map(|(method, _)| method).collect());
    };
    let places: Vec<Place> = named
        .iter()
        .filter_map(|(method, lines)| {
            let ranges: Vec<(u16, u16)> = lines
                .iter()
                .filter(|line| line.number == wanted)
                .map(|line| (line.start, line.end))
                .collect();
            (!ranges.is_empty()).then_some(Place {
                method: *method,
                ranges,
            })
        })
        .collect();
    if !places.is_empty() {
        return Fit::Lines(places);
    }
    let mut existing: Vec<(u16, u16)> = named
        .iter()
        .filter_map(|(_, lines)| {
            let numbers = lines.iter().map(|line| line.number);
            Some((numbers.clone().min()?, numbers.max()?))
        })
        .collect();
    existing.sort_unstable();
    Fit::Misfit(Misfit::NoLine { existing })
}

/// A stretch of code of one line.
struct Line {
    number: u16,
    start: u16,
    end: u16,
}

fn methods_named(program: &Program, class: &Class, name: &str) -> Vec<(MethodId, Vec<Line>)> {
    let Ok(file) = class.file() else {
        return Vec::new();
    };
    class
        .methods
        .iter()
        .zip(&file.methods)
        .filter(|(method, member)| {
            text(member.name) == name && method.has_code() && program.method(method.id).is_some()
        })
        .map(|(method, member)| {
            let code = file.code(member).ok().flatten();
            let lines = code.map(|code| lines_of(&file, &code)).unwrap_or_default();
            (method.id, lines)
        })
        .collect()
}

fn lines_of(
    file: &recrash_classfile::ClassFile<'_>,
    code: &recrash_classfile::Code<'_>,
) -> Vec<Line> {
    let mut starts: Vec<(u16, u16)> = Vec::new();
    for attribute in code.attributes.iter(&file.pool).flatten() {
        if attribute.name == b"LineNumberTable" {
            let entries = attribute.info.get(2..).unwrap_or_default().chunks_exact(4);
            starts.extend(entries.filter_map(|entry| match entry {
                [a, b, c, d] => Some((u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]))),
                _ => None,
            }));
        }
    }
    starts.sort_by_key(|(start, _)| *start);
    let ends = starts.iter().skip(1).map(|(start, _)| *start);
    let ends: Vec<u16> = ends.chain([code.bytes.len() as u16]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|((start, number), end)| Line { number, start, end })
        .collect()
}

fn is_made_at_run_time(class: &str) -> bool {
    class.contains("/0x")
        || class.contains("$$Lambda")
        || class.contains("GeneratedMethodAccessor")
        || class.contains("GeneratedConstructorAccessor")
        || class.starts_with("jdk.proxy")
        || class.starts_with("com.sun.proxy.$Proxy")
        || class.starts_with("$Proxy")
}
