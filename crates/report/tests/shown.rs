//! The report as a reader sees it.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
use crate::support;

use recrash_heap::Snapshot;
use recrash_report::{
    Error, Findings, Graph, ShowOptions, Style, TestSource, describe, excerpts, json, page,
};
use support::{findings, redacted, snapshot};

fn show(snapshot: &Snapshot, options: &ShowOptions<'_>) -> String {
    recrash_report::show(snapshot, &Findings::default(), options).unwrap()
}

#[test]
fn a_snapshot_reads_as_a_tree() {
    insta::assert_snapshot!(show(&snapshot(), &ShowOptions::default()));
}

#[test]
fn one_frame_stands_alone_and_deeper_levels_are_one_line() {
    let options = ShowOptions {
        frame: Some(0),
        depth: 1,
        items: 2,
        ..ShowOptions::default()
    };
    insta::assert_snapshot!(show(&snapshot(), &options));
}

#[test]
fn verbose_lists_what_is_only_counted_otherwise() {
    let text = show(
        &snapshot(),
        &ShowOptions {
            verbose: true,
            ..ShowOptions::default()
        },
    );
    for expected in [
        "  Shop.RATE = 0.25",
        "  a.Big: its code is near 64 KB",
        "app.jar",
        "user.country=CH",
    ] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
}

#[test]
fn colours_are_only_there_when_told() {
    let colored = ShowOptions {
        style: Style {
            color: true,
            width: 80,
        },
        ..ShowOptions::default()
    };
    assert!(!show(&snapshot(), &ShowOptions::default()).contains('\x1b'));
    assert!(show(&snapshot(), &colored).contains("\x1b[31m"));
}

#[test]
fn json_has_every_object() {
    let mut out = Vec::new();
    json(&snapshot(), &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let objects = value["objects"].as_array().unwrap();
    assert_eq!(objects.len() as u32, snapshot().heap.len());
    assert!(objects.iter().any(|object| object["kind"] == "stand-in"));
    assert!(objects.iter().any(|object| object["text"] == "tea"));
    assert_eq!(value["manifest"]["frames"][0]["element"]["method"], "total");
}

#[test]
fn a_line_shows_contents_one_level_deep() {
    let snapshot = snapshot();
    let receiver = snapshot.manifest.frames[0]
        .captured
        .as_ref()
        .unwrap()
        .receiver;
    let graph = Graph::at_failure(&snapshot.heap);
    assert_eq!(
        describe(graph, receiver, 40),
        "Order{id=8, lines=ArrayList[2], self=Or…"
    );
}

fn at_path(path: &str) -> Result<String, Error> {
    let options = ShowOptions {
        path: Some(path),
        ..ShowOptions::default()
    };
    recrash_report::show(&snapshot(), &Findings::default(), &options)
}

#[test]
fn a_path_leads_to_a_value_as_it_was_on_entry() {
    for (path, expected) in [
        ("receiver.id", "  receiver.id = 7\n"),
        (
            "this.prices[\"tea\"].lines[0]",
            "  this.prices[\"tea\"].lines[0] = \"tea\"\n",
        ),
        ("this.prices[key 0]", "  this.prices[key 0] = \"tea\"\n"),
        ("this.codes[2]", "  this.codes[2] = 3\n"),
        ("this.lines.size", "  this.lines.size = 2\n"),
        ("other.id", "  other.id = 9\n"),
        ("argument 1", "  argument 1 = -1\n"),
        ("#8.id", "  #8.id = 9\n"),
    ] {
        let text = at_path(path).unwrap();
        let head = "frame 0  com.acme.Order.total(Order, long, String[][])\n";
        assert_eq!(text, format!("{head}{expected}"));
    }
}

#[test]
fn a_path_that_leads_nowhere_names_what_is_there() {
    for (path, expected) in [
        (
            "thsi.id",
            "frame 0 has no `thsi`; it has receiver, other, argument 1, rows",
        ),
        (
            "this.idd",
            "`this`, of class Order, has no field `idd`; it has id, lines, self, worker, prices, rest, codes",
        ),
        (
            "this.lines[2]",
            "`this.lines` has no element [2]; it has [0] to [1]",
        ),
        (
            "this.prices[\"milk\"]",
            "`this.prices` has no element [\"milk\"]; it has [\"tea\"]",
        ),
        ("this.id.x", "`this.id` is 7, and nothing is inside of it"),
        (
            "this.worker[0]",
            "`this.worker` is Thread <another thread \"pool-1\">, and nothing is inside of it",
        ),
        (
            "#13",
            "there is no object #13; the snapshot's are #1 to #12",
        ),
    ] {
        assert_eq!(at_path(path).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_frame_that_is_not_there_names_those_that_are() {
    let shown = |frame, path| {
        let options = ShowOptions {
            frame: Some(frame),
            path,
            ..ShowOptions::default()
        };
        recrash_report::show(&snapshot(), &Findings::default(), &options)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        shown(2, None),
        "there is no frame 2; captured are 0 Order.total"
    );
    assert_eq!(
        shown(1, Some("this")),
        "frame 1, Thread.run, was not captured (JDK, trivial or excluded method); captured are 0 Order.total"
    );
}

#[test]
fn what_lies_beside_the_snapshot_is_shown_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let sources = folder.path().join("src/com/acme");
    std::fs::create_dir_all(&sources).unwrap();
    // A file of the same name in another package is not meant.
    std::fs::create_dir_all(folder.path().join("aaa")).unwrap();
    std::fs::write(folder.path().join("aaa/Order.java"), "\n".repeat(900)).unwrap();
    let lines: Vec<String> = (1..=30).map(|n| format!("\tline {n};")).collect();
    std::fs::write(sources.join("Order.java"), lines.join("\n")).unwrap();
    let manifest = snapshot().manifest;
    let found = excerpts(&manifest, &[folder.path().to_owned()]).unwrap();
    let findings = Findings {
        excerpts: found,
        ..findings()
    };
    let text = recrash_report::show(&snapshot(), &findings, &ShowOptions::default()).unwrap();
    for expected in [
        "\n     7 |     line 7;\n",
        ">   12 |     line 12;\n",
        "\n    17 |     line 17;\n  this = Order",
        "    0  Order.total  reproduced  total()\nnote: verified with another JDK\ntests: out/OrderTest.java\n",
    ] {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    assert!(!text.contains("line 18;"), "{text}");
    let nowhere = excerpts(&manifest, &["/nowhere".into()]).unwrap_err();
    assert!(nowhere.to_string().starts_with("/nowhere cannot be read: "));
}

#[test]
fn a_page_has_everything_and_none_of_it_as_markup() {
    let mut snapshot = snapshot();
    let hostile = "</script><script>alert(1)</script><!-- \u{202e}\"'&";
    snapshot.manifest.throwables[0].message = Some(hostile.into());
    snapshot.manifest.throwables[0].class = format!("evil.{hostile}");
    snapshot.manifest.thread.name = hostile.into();
    snapshot.manifest.frames[0].element.method = hostile.into();
    let findings = Findings {
        tests: vec![TestSource {
            path: hostile.into(),
            text: hostile.into(),
        }],
        ..findings()
    };
    let text = page(&snapshot, &findings, None).unwrap();
    // Three of the page's own: the facts, the objects, the script.
    assert_eq!(text.matches("<script").count(), 3);
    assert_eq!(text.matches("</script").count(), 3);
    assert!(!text.contains("<!--"));
    assert!(text.contains("<title>evil.&lt;/script&gt;"));
    assert!(!text.contains("http://") && !text.contains("https://"));
}

#[test]
fn a_shrunk_snapshot_says_so_and_shows_no_nulls_that_never_were() {
    let mut small = snapshot();
    small.manifest.shrunk = Some(recrash_heap::manifest::Shrunk {
        objects_before: 1200,
        objects: small.heap.len(),
        trials: 345,
        milliseconds: 6789,
        frames: vec![0],
        minimal: true,
    });
    let text = show(&small, &ShowOptions::default());
    let expected = "shrunk from 1200 objects in 345 trials, 6.7 s, so that frame 0 reproduces the crash as before; \
                    nothing more can go\n";
    assert!(text.contains(expected), "{text}");
    let others = small.manifest.frames.iter().skip(1);
    let others = others.filter(|frame| frame.captured.is_some()).count();
    let emptied = text.matches("what it saw was left out by recrash shrink");
    assert_eq!(emptied.count(), others, "{text}");
    let html = page(&small, &Findings::default(), None).unwrap();
    assert!(html.contains("shrunk from 1200 objects"));
}

#[test]
fn redacted_values_are_marked_and_listed_by_rule() {
    let text = show(&redacted(), &ShowOptions::default());
    for expected in [
        "id = 7  (redacted: drop field id)",
        "#4  (redacted: mask field tea)",
        "3 places were redacted (--redactions lists them)",
    ] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    let listed = recrash_report::redactions(&redacted(), Style::default());
    for expected in [
        "rule of the user: mask field tea",
        "mask field tea: 1 place masked\n  the exception[0..2]  String #1\n",
        "drop field id: 1 place dropped\n  frame 0 this.id  Order #12\n",
        "hash type Order: 1 place hashed\n  frames[0].other\n",
    ] {
        assert!(listed.contains(expected), "{expected} in\n{listed}");
    }
    let untouched = recrash_report::redactions(&snapshot(), Style::default());
    assert!(
        untouched.contains("no privacy rules were applied"),
        "{untouched}"
    );
}
