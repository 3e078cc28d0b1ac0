//! The page of `recrash show --html`, used in a real Chromium as a reader would use it.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
mod browser;
mod crashes;
mod pictures;
use crate::support;

use browser::{Browser, Scheme};
use recrash_heap::Snapshot;
use recrash_report::{Findings, page};
use support::{findings, redacted, snapshot};
use tempfile::TempDir;

/// A page in a browser.
struct Opened {
    browser: Browser,
    _folder: TempDir,
}

fn open(snapshot: &Snapshot, findings: &Findings) -> Opened {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crash page.html");
    std::fs::write(&file, page(snapshot, findings, None).unwrap()).unwrap();
    let mut browser = Browser::start();
    browser.open(&file);
    Opened {
        browser,
        _folder: folder,
    }
}

impl Opened {
    fn run(&mut self, script: &str) -> serde_json::Value {
        self.browser.run(script)
    }

    fn text(&mut self, selector: &str) -> String {
        let script = format!("document.querySelector({selector:?})?.innerText ?? 'nothing'");
        self.run(&script).as_str().unwrap().to_owned()
    }

    /// The line of the tree that has the focus, without its fold mark and number.
    fn focused(&mut self) -> String {
        let script = "document.activeElement.node ? document.activeElement.node.path : \
                      document.activeElement.id || document.activeElement.tagName";
        self.run(script).as_str().unwrap().to_owned()
    }

    fn lines(&mut self) -> Vec<String> {
        let script = "[...document.querySelectorAll('#values .row')].filter(row => row.offsetParent) \
                      .map(row => row.innerText.replace(/\\s+/g, ' ').trim())";
        let lines = self.run(script);
        let text = |line: &serde_json::Value| line.as_str().unwrap().to_owned();
        lines.as_array().unwrap().iter().map(text).collect()
    }

    fn search(&mut self, query: &str) -> String {
        self.run("document.getElementById('search').focus()");
        self.run("document.getElementById('search').select()");
        self.browser.type_text(query);
        self.browser.wait_for(
            "!document.querySelector('.results').hidden && document.querySelector('.results p')",
        );
        // The first letters may have been answered before the last were typed.
        self.browser.settle();
        self.text(".results").replace("\n\n", "\n")
    }

    /// Nothing went wrong, nothing was fetched.
    fn finish(mut self) {
        assert_eq!(self.browser.troubles(), Vec::<String>::new());
    }
}

#[test]
fn the_page_fits_every_window_in_light_and_dark() {
    let mut page = open(&snapshot(), &findings());
    let mut backgrounds = Vec::new();
    for scheme in [Scheme::Light, Scheme::Dark] {
        for width in [360, 768, 1280, 1920] {
            page.browser.window(width, 900, scheme);
            let sideways = "document.documentElement.scrollWidth - innerWidth";
            assert_eq!(page.run(sideways), 0, "{width}");
            let title = page.run("document.querySelector('h1').textContent");
            assert_eq!(title, "com.acme.Failed");
        }
        backgrounds.push(page.run("getComputedStyle(document.body).backgroundColor"));
    }
    assert_ne!(backgrounds[0], backgrounds[1]);
    page.run("document.getElementById('theme').click()");
    let switched = page.run("getComputedStyle(document.body).backgroundColor");
    assert_eq!(switched, backgrounds[0]);
    page.finish();
}

#[test]
fn it_tells_what_happened_and_what_came_of_it() {
    let mut page = open(&snapshot(), &findings());
    let happened = page.text("#happened");
    for expected in [
        "java.lang.IllegalStateException",
        "two\nlines",
        "daemon thread \"pool-1-thread-1\"",
        "2025-11-15 04:20:31 UTC",
        "1.4",
        "1a2b3c4d",
        "1 of 1 frame reproduces the crash",
    ] {
        assert!(happened.contains(expected), "{expected} in\n{happened}");
    }
    assert!(page.text(".verdict").contains("reproduced"));
    assert!(page.text("#tests").contains("class OrderTest {}"));
    assert!(page.text("#tests").contains("verified with another JDK"));
    assert!(page.text("#missing").contains("1 object beyond 10 was cut"));
    assert!(page.text("#environment").contains("Europe/Zurich"));
    page.finish();
}

#[test]
fn values_are_those_on_entry_beside_what_became_of_them() {
    let mut page = open(&snapshot(), &findings());
    let lines = page.lines();
    let expected = [
        "this = Order #12",
        "id = 7 then 8",
        "lines = ArrayList[2] {\"tea\", \"\\u001b[2J\\u202e\"} #4",
        "self = Order {id=7, lines=ArrayList[2], self=Order, worker=Thread <another thread \"pool-1\">, prices=HashMap[1], rest=Order <cut by t… ↑ this #12",
        "worker = Thread another thread \"pool-1\"",
    ];
    assert_eq!(lines[..expected.len()], expected);
    page.run("document.querySelector('.moment [aria-pressed=false]').click()");
    assert_eq!(page.lines()[1], "id = 8");
    page.finish();
}

#[test]
fn the_tree_is_walked_with_the_keyboard() {
    let mut page = open(&snapshot(), &findings());
    page.run("document.querySelector('#values [role=treeitem]').focus()");
    for (key, expected) in [
        ("ArrowDown", "this.id"),
        ("ArrowDown", "this.lines"),
        ("ArrowRight", "this.lines"),
        ("ArrowRight", "this.lines[0]"),
        ("ArrowLeft", "this.lines"),
        ("ArrowLeft", "this.lines"),
        ("ArrowDown", "this.self"),
        ("=", "this"),
        ("ArrowUp", "this"),
        ("End", "rows"),
        ("Home", "this"),
        ("Enter", "this"),
        ("ArrowDown", "other"),
    ] {
        page.browser.press(key);
        assert_eq!(page.focused(), expected, "{key}");
    }
    // One stop of the Tab key, and roles that say what is what.
    let stops = "document.querySelectorAll('#values [role=treeitem][tabindex=\"0\"]').length";
    assert_eq!(page.run(stops), 1);
    let item = "(item => [item.ariaLevel, item.ariaExpanded, item.ariaSetSize, item.ariaSelected].join())\
                (document.activeElement)";
    assert_eq!(page.run(item), "1,false,4,true");
    page.browser.press("/");
    assert_eq!(page.focused(), "search");
    page.finish();
}

#[test]
fn search_finds_objects_by_class_text_field_and_state() {
    let mut page = open(&snapshot(), &findings());
    for (query, expected) in [
        ("tea", "1 object\nthis.lines[0]"),
        ("id=9", "1 object\nother\n"),
        ("java.util.HashMap", "1 object\nthis.prices\n"),
        ("is:standin", "1 object\nthis.worker\n"),
        ("is:cut", "1 object\nthis.rest\n"),
        ("is:changed", "1 object\nthis\n"),
        ("#7", "1 object\nthis.codes\n"),
        ("nowhere", "Nothing found"),
    ] {
        let found = page.search(query);
        assert!(found.starts_with(expected), "{query}: {found}");
    }
    page.search("tea");
    page.browser.press("Enter");
    assert_eq!(page.focused(), "this.lines[0]");
    page.finish();
}

#[test]
fn redacted_values_are_marked_and_found() {
    let mut page = open(&redacted(), &findings());
    let lines = page.lines();
    let marked = |start: &str| {
        lines
            .iter()
            .any(|line| line.starts_with(start) && line.contains("redacted"))
    };
    assert!(marked("other"), "{lines:?}");
    assert!(page.search("is:redacted").contains("2 objects"));
    let listed = page.run("document.getElementById('missing').textContent");
    let listed = listed.as_str().unwrap();
    assert!(
        listed.contains("3 places were redacted") && listed.contains("drop field id"),
        "{listed}"
    );
    page.finish();
}

#[test]
fn the_same_object_elsewhere_is_one_step_away() {
    let mut page = open(&snapshot(), &findings());
    page.run("document.querySelector('#values .alias').click()");
    assert_eq!(page.focused(), "this");
    page.browser
        .wait_for("document.querySelector('#values .referrers button')");
    let referrers = page.text("#values .referrers");
    assert!(
        referrers.contains("2 places refer to it") && referrers.contains("this.self"),
        "{referrers}"
    );
    page.run("document.querySelector('#values .referrers button:last-of-type').click()");
    assert_eq!(page.focused(), "this.self");
    page.finish();
}

#[test]
fn frames_are_chosen_by_hand_by_address_and_by_search() {
    let mut snapshot = snapshot();
    let mut outer = snapshot.manifest.frames[0].captured.clone().unwrap();
    outer.receiver = outer.arguments[0].value;
    outer.arguments.clear();
    snapshot.manifest.frames[1].captured = Some(outer);
    let mut page = open(&snapshot, &findings());
    assert_eq!(page.lines()[0], "this = Order #12");
    page.run("document.querySelector('.frame[data-frame=\"1\"]').click()");
    assert_eq!(page.lines()[0], "this = Order #8");
    assert_eq!(page.run("location.hash"), "#frame-1");
    assert_eq!(page.text(".frame[aria-current] .method"), "Thread.run");
    page.run("location.hash = '#frame-0'");
    page.browser
        .wait_for("document.querySelector('.frame[aria-current]').dataset.frame === '0'");
    page.run("document.querySelector('.frame[data-frame=\"1\"]').click()");
    // Only the other frame comes to it.
    let found = page.search("java.util.HashMap");
    assert!(
        found.starts_with("1 object\nframe 0: this.prices\n"),
        "{found}"
    );
    page.browser.press("Enter");
    assert_eq!(page.focused(), "this.prices");
    assert_eq!(page.lines()[0], "this = Order #12");
    page.finish();
}

#[test]
fn tests_paths_and_texts_are_copied() {
    let mut page = open(&snapshot(), &findings());
    page.run("navigator.clipboard.writeText = async text => { window.copied = text }");
    page.run("document.querySelector('#tests .copy').click()");
    page.browser
        .wait_for("document.querySelector('#tests .copy').textContent === 'Copied'");
    assert_eq!(page.run("window.copied"), "class OrderTest {}\n");
    page.search("tea");
    page.browser.press("Enter");
    page.run("document.querySelector('#values .way .copy').click()");
    assert_eq!(page.run("window.copied"), "this.lines[0]");
    page.finish();
}

#[test]
fn a_hostile_snapshot_is_text_and_nothing_else() {
    let (snapshot, findings) = crashes::hostile();
    let mut page = open(&snapshot, &findings);
    assert_eq!(page.run("typeof window.owned"), "undefined");
    assert_eq!(
        page.run("document.querySelectorAll('img, iframe, object').length"),
        0
    );
    assert!(page.text("h1").contains(crashes::MARKUP));
    let lines = page.lines().join("\n");
    assert!(lines.contains("<img src=x onerror="), "{lines}");
    assert!(lines.contains("\\u0000\\u001b[2J\\u202e"), "{lines}");
    assert!(lines.contains("\\ud800"), "{lines}");
    // Every tree opened, every section unfolded.
    page.run("document.querySelectorAll('details').forEach(details => details.open = true)");
    for _ in 0..4 {
        page.run(
            "document.querySelectorAll('[aria-expanded=false] > .row').forEach(row => row.click())",
        );
    }
    page.search("<img");
    page.browser.settle();
    assert_eq!(page.run("typeof window.owned"), "undefined");
    page.finish();
}

#[test]
fn a_snapshot_of_a_hundred_thousand_objects_opens_in_two_seconds() {
    let snapshot = crashes::large(100_000);
    assert!(snapshot.heap.len() >= 100_000);
    let mut page = open(&snapshot, &Findings::default());
    // From the first byte to the page that answers its reader.
    let opened = page.run("performance.getEntriesByType('navigation')[0].loadEventEnd");
    let opened = opened.as_f64().unwrap();
    println!("opened in {opened} ms");
    assert!(opened > 0.0 && opened < 2_000.0, "{opened} ms");
    // Nothing is shown that nobody asked for.
    let elements = page.run("document.querySelectorAll('*').length");
    assert!(elements.as_u64().unwrap() < 3_000, "{elements}");
    // The last of five thousand in a list that is shown a hundred at a time.
    let found = page.search("item-4999-7");
    assert!(found.starts_with("1 object\n"), "{found}");
    page.browser.press("Enter");
    assert_eq!(page.focused(), "this.customers[4999].orders[7].item");
    page.finish();
}
