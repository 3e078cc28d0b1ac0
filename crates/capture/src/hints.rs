//! What can be done about frames that do not reproduce.

use crate::verdicts::Verdicts;

/// A frame that runs and does not fail as it did lacks something. What that is cannot be told from here, but what it may be
/// can, and the way out.
pub(crate) fn hint(verdicts: &mut Verdicts, strategy: &str, limits: &[String], second_look: bool) {
    let frames = verdicts.frames.iter();
    let what = match frames.filter(|frame| frame.verdict.ran_otherwise()).count() {
        0 => return,
        1 => "1 frame runs but does not fail as it did".to_owned(),
        count => format!("{count} frames run but do not fail as they did"),
    };
    let outside = "files, time, the network or other threads may be different now";
    let limits = limits.join("; ");
    let note = match (second_look, strategy) {
        (false, _) => format!("{what}: leave out --no-second-look to have them looked at again"),
        (true, strategy) if !strategy.starts_with(UNDO) => format!(
            "{what}: what was passed may have changed before the crash, then --strategy {UNDO} captures it as it was; \
             or {outside}"
        ),
        (true, _) if limits.is_empty() => format!("{what}: {outside}"),
        (true, _) => format!("{what}: not everything was captured ({limits}), or {outside}"),
    };
    verdicts.notes.push(note);
}

const UNDO: &str = "undo";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdicts::FrameReport;
    use recrash_desk::Variant;
    use recrash_judge::Verdict;

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
        limited_note(of, strategy, &[], second_look)
    }

    fn limited_note(
        of: &[Verdict],
        strategy: &str,
        limits: &[String],
        second_look: bool,
    ) -> Option<String> {
        let mut verdicts = verdicts(of);
        hint(&mut verdicts, strategy, limits, second_look);
        verdicts.notes.pop()
    }

    #[test]
    fn frames_that_run_and_do_not_fail_as_they_did_have_a_way_out() {
        let passes = [Verdict::Reproduced, Verdict::Passes];
        let by_default = note(&passes, "auto", true).unwrap();
        assert!(by_default.contains("1 frame runs") && by_default.contains("--strategy undo"));
        assert!(!note(&passes, "undo", true).unwrap().contains("--strategy"));
        let limits = ["C wrote too often; --strategy undo+hot keeps it".to_owned()];
        let limited = limited_note(&passes, "undo", &limits, true).unwrap();
        assert!(limited.contains("--strategy undo+hot"), "{limited}");
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
