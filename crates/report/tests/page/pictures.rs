//! The pictures in `docs/`, by `./x pictures`, which captures the examples first.

use crate::browser::{Browser, Scheme};
use std::path::PathBuf;

#[test]
#[ignore = "makes the pictures of the documentation; run by ./x pictures"]
fn pictures_of_the_documentation() {
    let folder = |name| PathBuf::from(std::env::var_os(name).expect("run ./x pictures"));
    let (pages, pictures) = (folder("PAGES"), folder("PICTURES"));
    let mut browser = Browser::start();
    browser.window(1280, 860, Scheme::Light);
    browser.open(&pages.join("modern.html"));
    browser.picture(&pictures.join("report-light.png"));

    browser.window(1280, 860, Scheme::Dark);
    browser.open(&pages.join("modern.html"));
    browser.run("document.getElementById('search').focus()");
    browser.type_text("cake");
    browser.settle();
    browser.press("Enter");
    browser.run("document.getElementById('values').scrollIntoView({ block: 'start' })");
    browser.settle();
    browser.picture(&pictures.join("report-dark.png"));

    browser.window(360, 740, Scheme::Light);
    browser.open(&pages.join("mutation.html"));
    browser.run("document.getElementById('frame').scrollIntoView({ block: 'start' })");
    browser.settle();
    browser.picture(&pictures.join("report-phone.png"));
}
