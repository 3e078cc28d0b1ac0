//! The pictures in `docs/`, by `./x pictures`, which captures the examples first.

use crate::page::browser::{Browser, Scheme};
use std::path::PathBuf;

#[test]
#[ignore = "makes the pictures of the documentation; run by ./x pictures"]
fn pictures_of_the_documentation() {
    let folder = |name| PathBuf::from(std::env::var_os(name).expect("run ./x pictures"));
    let (pages, pictures) = (folder("PAGES"), folder("PICTURES"));
    let mut browser = Browser::start();
    browser.window(1280, 860, Scheme::Light);
    browser.open(&pages.join("modern.html"));
    browser.run("document.querySelector('.frame[data-frame=\"2\"]').click()");
    browser.picture(&pictures.join("report-light.png"));

    browser.window(1280, 860, Scheme::Dark);
    browser.open(&pages.join("modern.html"));
    browser.run("document.querySelector('.frame[data-frame=\"2\"]').click()");
    browser.run("document.getElementById('search').focus()");
    browser.type_text("price");
    browser.settle();
    browser.run("document.querySelectorAll('.results button')[1].click()");
    browser.run("document.querySelector('.source').scrollIntoView({ block: 'start' })");
    browser.settle();
    browser.picture(&pictures.join("report-dark.png"));

    browser.window(360, 740, Scheme::Light);
    browser.open(&pages.join("mutation.html"));
    browser.run("document.querySelector('#values [aria-expanded=false] > .row').click()");
    browser.run("document.querySelector('.source').scrollIntoView({ block: 'start' })");
    browser.settle();
    browser.picture(&pictures.join("report-phone.png"));
}
