//! Phrases that the terminal and the page share: places in code, types, times, numbers of things.

use crate::class_name::class_name;
use recrash_heap::manifest::{
    Argument, CapturedFrame, FrameInfo, FramePlace, Manifest, TraceElement,
};

pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `com.acme.Order.total(Order.java:12)`.
pub(crate) fn trace_line(element: &TraceElement) -> String {
    format!("{}.{}({})", element.class, element.method, source(element))
}

pub(crate) fn source(element: &TraceElement) -> String {
    match (&element.file, element.line) {
        (_, -2) => "native method".to_owned(),
        (Some(file), line) if line >= 0 => format!("{file}:{line}"),
        (Some(file), _) => file.clone(),
        (None, _) => "unknown source".to_owned(),
    }
}

/// `int, String[]`: the declared types of a frame's parameters.
pub(crate) fn parameter_types(captured: &CapturedFrame) -> String {
    let types: Vec<String> = captured.arguments.iter().map(parameter_type).collect();
    types.join(", ")
}

pub(crate) fn parameter_type(argument: &Argument) -> String {
    class_name(&dotted(&argument.descriptor))
}

/// The name of an argument; by number where the class does not tell.
pub(crate) fn argument_name(captured: &CapturedFrame, number: usize) -> String {
    let argument = captured.arguments.get(number);
    argument
        .and_then(|argument| argument.name.clone())
        .unwrap_or_else(|| format!("argument {number}"))
}

/// What is special about the receiver of a constructor's frame.
pub(crate) fn place_note(frame: &FrameInfo, captured: &CapturedFrame) -> &'static str {
    match captured.place {
        FramePlace::Body if frame.element.method == "<init>" => "receiver partly built",
        FramePlace::Body => "",
        FramePlace::BeforeSuper => "before super(...), no receiver yet",
        FramePlace::InsideSuper => "inside super(...) or this(...), no receiver yet",
    }
}

/// `daemon thread "pool-1"`.
pub(crate) fn thread(manifest: &Manifest) -> String {
    let thread = &manifest.thread;
    let kind = match (thread.is_virtual, thread.daemon) {
        (true, _) => "virtual ",
        (false, true) => "daemon ",
        (false, false) => "",
    };
    format!("{kind}thread \"{}\"", crate::printable(&thread.name))
}

/// What `recrash shrink` did to the snapshot.
pub(crate) fn shrunk(manifest: &Manifest) -> Option<String> {
    let shrunk = manifest.shrunk.as_ref()?;
    let numbers: Vec<String> = shrunk.frames.iter().map(ToString::to_string).collect();
    Some(format!(
        "shrunk from {} objects in {} trials, {}.{} s, so that {} {} the crash as before{}",
        shrunk.objects_before,
        shrunk.trials,
        shrunk.milliseconds / 1000,
        shrunk.milliseconds / 100 % 10,
        counted_frames(&numbers),
        if numbers.len() == 1 {
            "reproduces"
        } else {
            "reproduce"
        },
        if shrunk.minimal {
            "; nothing more can go"
        } else {
            ""
        }
    ))
}

fn counted_frames(numbers: &[String]) -> String {
    let word = if numbers.len() == 1 {
        "frame"
    } else {
        "frames"
    };
    format!("{word} {}", numbers.join(", "))
}

/// Whether `recrash shrink` left out what the frame saw.
pub(crate) fn is_emptied(manifest: &Manifest, frame: usize) -> bool {
    let shrunk = manifest.shrunk.as_ref();
    shrunk.is_some_and(|shrunk| !shrunk.frames.contains(&frame))
}

/// The captured frame that a line of a throwable's trace stands for.
pub(crate) fn captured_frame(
    manifest: &Manifest,
    throwable: usize,
    element: &TraceElement,
) -> Option<usize> {
    manifest.frames.iter().position(|frame| {
        frame.captured.is_some()
            && frame.throwable as usize == throwable
            && frame.element == *element
    })
}

/// A field descriptor in the spelling of `Class.getName`, which [`class_name`] reads.
fn dotted(descriptor: &str) -> String {
    let name = descriptor.replace('/', ".");
    if name.starts_with('[') {
        return name;
    }
    let element = class_name(&format!("[{name}"));
    element.trim_end_matches("[]").to_owned()
}

/// `2026-11-15 04:20:31 UTC`.
pub(crate) fn timestamp(millis: u64) -> String {
    let seconds = millis / 1000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Civil date from a day count: years of 365.2425 days, counted from March so that leap days come last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_read_as_dates() {
        assert_eq!(timestamp(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(timestamp(951_782_399_000), "2000-02-28 23:59:59 UTC");
        assert_eq!(timestamp(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(timestamp(u64::MAX / 1000), timestamp(u64::MAX / 1000));
    }

    #[test]
    fn parameter_types_read_as_in_source() {
        let read = |descriptor: &str| class_name(&dotted(descriptor));
        assert_eq!(
            ["I", "[J", "Ljava/lang/String;", "[[La/B$C;"].map(read),
            ["int", "long[]", "String", "B.C[][]"]
        );
    }
}
