//! What a crate's header promises: a line ``Never uses: `std::fs`, `println!`, `jvm`.`` names paths of the standard library,
//! macros, and crates of the workspace that none of its code uses.

use crate::crates::Crate;
use crate::source::File;

const PROMISE: &str = "//! Never uses: ";

pub(crate) fn contradictions(krate: &Crate, files: &[File]) -> Vec<String> {
    let name = &krate.name;
    let root = files.iter().find(|file| file.module.is_empty());
    let Some(promised) = root.and_then(|root| promises(&root.text)) else {
        return vec![format!(
            "the header of {name} has no line \"Never uses: …\" that says what it keeps away from"
        )];
    };
    let mut found = Vec::new();
    for promise in promised {
        let wanted: Vec<&str> = promise.split("::").collect();
        for file in files {
            let uses = file.used.iter().chain(file.handed_on.values());
            let breaks = |path: &Vec<String>| is_below(path, &wanted);
            if uses.clone().any(breaks) {
                let path = file.module.join("::");
                let place = if path.is_empty() { "its root" } else { &path };
                found.push(format!(
                    "the header of {name} says that it never uses {promise}, and {place} does"
                ));
            }
        }
    }
    found
}

/// What is promised; `None` when there is no such line. A line may go on in the next ones.
fn promises(text: &str) -> Option<Vec<String>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(PROMISE));
    let first = lines.next()?;
    let mut sentence = first.to_owned();
    while !sentence.trim_end().ends_with('.') {
        sentence.push_str(lines.next()?.strip_prefix("//!")?);
    }
    let named = sentence.split('`').skip(1).step_by(2);
    Some(named.map(str::to_owned).collect())
}

fn is_below(path: &[String], wanted: &[&str]) -> bool {
    if let [name] = wanted {
        let wanted = match name.strip_suffix('!') {
            Some(_) => (*name).to_owned(),
            None => format!("recrash_{name}"),
        };
        return path.first() == Some(&wanted);
    }
    path.len() >= wanted.len() && path.iter().zip(wanted).all(|(part, wanted)| part == wanted)
}
