//! What can be done about frames that do not reproduce.

use crate::verdicts::Verdicts;

/// A frame that runs and does not fail as it did lacks something. What that is cannot be told from here, but what it may be
/// can, and the way out.
pub(crate) fn hint(verdicts: &mut Verdicts, strategy: &str, second_look: bool) {
    let frames = verdicts.frames.iter();
    let what = match frames.filter(|frame| frame.verdict.ran_otherwise()).count() {
        0 => return,
        1 => "1 frame runs but does not fail as it did".to_owned(),
        count => format!("{count} frames run but do not fail as they did"),
    };
    let outside = "files, time, the network or other threads may be different now";
    let note = match (second_look, strategy) {
        (false, _) => format!("{what}: leave out --no-second-look to have them looked at again"),
        (true, strategy) if strategy.starts_with(UNDO) => format!("{what}: {outside}"),
        (true, _) => format!(
            "{what}: what was passed may have changed before the crash, then --strategy {UNDO} captures it as it was; \
             or {outside}"
        ),
    };
    verdicts.notes.push(note);
}

const UNDO: &str = "undo";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdicts::FrameReport;
    use recrash_verify::{Variant, Verdict};

    fn verdicts(of: &[Verdict]) -> Verdicts {
        let frame = |(number, verdict): (usize, &Verdict)| FrameReport {
            frame: number,
            class: "A".into(),
            method: "m".into(),
            line: 1,
            verdict: *verdict,
            variant: Variant::AsCaptured,
            reason: None,
            notes: Vec::new(),
            test: None,
            trivial: false,
            self_contained: false,
            obstacle: None,
        };
        Verdicts {
            schema: 1,
            snapshot: "a.recrash".into(),
            exception: "E".into(),
            fingerprint: String::new(),
            java_home: String::new(),
            java_version: String::new(),
            test_class: None,
            notes: Vec::new(),
            frames: of.iter().enumerate().map(frame).collect(),
        }
    }

    fn note(of: &[Verdict], strategy: &str, second_look: bool) -> Option<String> {
        let mut verdicts = verdicts(of);
        hint(&mut verdicts, strategy, second_look);
        verdicts.notes.pop()
    }

    #[test]
    fn frames_that_run_and_do_not_fail_as_they_did_have_a_way_out() {
        let passes = [Verdict::Reproduced, Verdict::Passes];
        let by_default = note(&passes, "auto", true).unwrap();
        assert!(by_default.contains("1 frame runs") && by_default.contains("--strategy undo"));
        assert!(!note(&passes, "undo", true).unwrap().contains("--strategy"));
        assert!(
            note(&passes, "auto", false)
                .unwrap()
                .contains("leave out --no-second-look")
        );
    }

    #[test]
    fn nothing_is_said_of_frames_that_reproduce_or_cannot_run() {
        assert_eq!(
            note(&[Verdict::Reproduced, Verdict::NotRunnable], "auto", true),
            None
        );
    }
}
