//! A class path that does not fit the trace, in words that tell the way out.

use std::collections::HashSet;

use recrash_jvm::Jdk;
use recrash_program::Program;

use crate::fit::{Fit, Goal, GoalFrame, Misfit};
use crate::missing;
use crate::verdict::Verdict;

const OBFUSCATED: &str = "the names look obfuscated (ProGuard, R8): pass the trace as retrace gives it with the mapping file, \
                          or the obfuscated jar";

/// Why there is nothing to search for, if that is so.
pub(crate) fn verdict(program: &Program, jdk: &Jdk, goal: &Goal) -> Option<(Verdict, String)> {
    let of_program = |frame: &&GoalFrame| !matches!(frame.fit, Fit::Jdk | Fit::MadeAtRunTime);
    // A misfit further out only ends the levels; one in the innermost frame of the program ends the search.
    let Some(frame) = goal.frames.iter().find(of_program) else {
        let reason = "no frame is of the program: there is nothing a test could call";
        return Some((Verdict::NothingToCall, reason.to_owned()));
    };
    let reason = match &frame.fit {
        Fit::Misfit(misfit) => {
            let words = words(program, frame, misfit);
            format!("{}: {words}", frame.printed)
        }
        _ => too_new(program, jdk, frame)?,
    };
    Some((Verdict::Misfit, reason))
}

/// With the way out, where something tells it.
pub(crate) fn words(program: &Program, frame: &GoalFrame, misfit: &Misfit) -> String {
    if frame.printed.looks_obfuscated() {
        return format!("{misfit}; {OBFUSCATED}");
    }
    match misfit {
        Misfit::NoClass => {
            let hint = missing::where_to_find(program, &frame.printed.class);
            format!("{misfit}; {hint}")
        }
        _ => misfit.to_string(),
    }
}

/// A JVM does not load classes of later versions of Java (JVMS 4.1).
fn too_new(program: &Program, jdk: &Jdk, frame: &GoalFrame) -> Option<String> {
    let method = *frame.methods().first()?;
    let class = program.class(method.class)?;
    let needed = u32::from(class.file().ok()?.major).saturating_sub(44);
    let feature = jdk.version.feature;
    let home = jdk.home.display();
    (needed > feature).then(|| {
        format!(
            "{} is compiled for Java {needed}, and {home} is Java {feature}; pass a newer one with --jdk",
            frame.printed.class
        )
    })
}

/// Classes of the trace that the class path has in two versions: the wrong one may be in front.
pub(crate) fn copies(program: &Program, goal: &Goal) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut notes = Vec::new();
    for frame in &goal.frames {
        let class = &frame.printed.class;
        if !seen.insert(class) {
            continue;
        }
        let copies = program
            .class_path()
            .copies(class.replace('.', "/").as_bytes());
        let Some(((taken, bytes), others)) = copies.split_first() else {
            continue;
        };
        let different = others.iter().filter(|(_, other)| other != bytes);
        let places: Vec<&str> = different.map(|(place, _)| place.as_str()).collect();
        if !places.is_empty() {
            notes.push(format!(
                "{class} of {taken} is taken; there are other versions of it in {}",
                places.join(", ")
            ));
        }
    }
    notes
}
