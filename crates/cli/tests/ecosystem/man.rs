//! Manual pages, completions and the documented exit statuses say the same as the command itself.

use crate::ecosystem::support::{recrash, root, stderr, succeed};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// `recrash [COMMAND…] --help`.
fn help(command: &[String]) -> String {
    succeed(recrash().args(command).arg("--help"))
}

/// The commands below this one, as its help lists them.
fn below(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    list.take_while(|line| !line.is_empty())
        // Longer descriptions go on in further lines, which are indented more.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// Every command, with those below it.
fn commands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        for name in below(&help(&command)) {
            found.push([command.clone(), vec![name]].concat());
        }
        next += 1;
    }
    found
}

/// The long options that a help text lists.
fn options(help: &str) -> BTreeSet<String> {
    // Descriptions are indented more, and may begin with an option, too.
    let near = |line: &&str| line.trim_start().starts_with('-') && line.find('-') <= Some(6);
    help.lines()
        .filter(near)
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        // Without a value that may be left out: `--record[=<GLOB>]`.
        .map(|word| word.split(['[', ',']).next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_command_and_every_option_has_its_place_in_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    succeed(recrash().args(["man", "--output"]).arg(&pages));
    let commands = commands();
    assert!(
        commands.contains(&vec!["watch".to_owned(), "add".to_owned()]),
        "{commands:?}"
    );
    for command in &commands {
        let name = [vec!["recrash".to_owned()], command.clone()]
            .concat()
            .join("-");
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        let help = help(command);
        for option in options(&help) {
            let escaped = option.replace('-', "\\-");
            assert!(page.contains(&escaped), "{option} in {name}.1:\n{page}");
        }
        if help.contains("Examples:") {
            assert!(page.contains(".SH EXAMPLES"), "{page}");
        }
        // Printed one by one, it is the same page.
        assert_eq!(succeed(recrash().arg("man").args(command)), page);
    }
    let written = std::fs::read_dir(&pages).unwrap().count();
    assert_eq!(written, commands.len());
    let main = std::fs::read_to_string(pages.join("recrash.1")).unwrap();
    assert!(
        main.contains(".SH EXIT STATUS") || main.contains(".SH \"EXIT STATUS\""),
        "{main}"
    );
}

#[test]
fn a_page_of_no_command_is_refused() {
    let output = recrash()
        .args(["man", "watch", "nothing"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output),
        "recrash: there is no command `nothing`; there are add, list, remove\n"
    );
}

#[test]
fn completions_of_every_shell_know_every_command_and_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands();
    for (shell, program) in [
        ("bash", "bash"),
        ("zsh", "zsh"),
        ("fish", "fish"),
        ("elvish", ""),
        ("powershell", ""),
    ] {
        let script = succeed(recrash().args(["completions", shell]));
        for command in &commands {
            for name in command {
                assert!(script.contains(name.as_str()), "{name} in {shell}");
            }
            for option in options(&help(command)) {
                // fish names options without their hyphens.
                let option = if shell == "fish" {
                    option.trim_start_matches('-').to_owned()
                } else {
                    option
                };
                assert!(script.contains(&option), "{command:?} {option} in {shell}");
            }
        }
        let file = folder.path().join(shell);
        std::fs::write(&file, script).unwrap();
        if !program.is_empty() && is_there(program) {
            succeed(Command::new(program).arg("-n").arg(&file));
        }
    }
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[test]
fn every_exit_status_is_documented_wherever_somebody_looks() {
    let usage = std::fs::read_to_string(root().join("docs/usage.md")).unwrap();
    let section = usage.split("## Exit status").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let manual = succeed(recrash().arg("man"));
    let help = help(&[]);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/exit.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let statuses: Vec<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split_once(": u8 = "))
        .map(|(_, number)| number.trim_end_matches(';'))
        .collect();
    assert_eq!(statuses.len(), 5, "{statuses:?}");
    for status in statuses {
        for (name, text) in [("usage.md", section), ("man", &manual), ("--help", &help)] {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            assert!(
                words.into_iter().any(|word| word == status),
                "{status} in {name}"
            );
        }
    }
}
