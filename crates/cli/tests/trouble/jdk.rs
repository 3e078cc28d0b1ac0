//! No JDK, the wrong one, or half of one.

use crate::trouble::support::{assert_one_line, crash, jdk, recrash, run, stderr, stdout};
use std::ffi::OsStr;
use std::os::unix::fs::symlink;

#[test]
fn a_folder_that_is_no_jdk_is_named_before_anything_runs() {
    let (folder, snapshot) = crash().copy();
    for command in ["tests", "doctor"] {
        let mut arguments = vec![
            OsStr::new(command),
            OsStr::new("--jdk"),
            folder.path().as_os_str(),
        ];
        if command == "tests" {
            arguments.push(snapshot.as_os_str());
        }
        let output = run(arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.contains("is not a JDK") && text.contains("--jdk"),
            "{text}"
        );
    }
    let output = recrash()
        .args(["run", "--jdk", "/nowhere", "--", "touch"])
        .arg(folder.path().join("started"))
        .output();
    assert_one_line(&output.unwrap(), 1);
    assert!(!folder.path().join("started").exists());
}

#[test]
fn a_runtime_without_javac_still_gives_tests_and_says_so() {
    let (folder, snapshot) = crash().copy();
    let home = folder.path().join("runtime");
    std::fs::create_dir_all(home.join("bin")).unwrap();
    symlink(jdk().java(), home.join("bin/java")).unwrap();
    std::fs::copy(jdk().home.join("release"), home.join("release")).unwrap();
    let output = recrash()
        .arg("tests")
        .arg(snapshot)
        .arg("--jdk")
        .arg(&home)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("has no javac"),
        "{}",
        stdout(&output)
    );
    assert!(folder.path().join("crash/CrashingCrashTest.java").is_file());
}

#[test]
fn the_doctor_tries_the_agent_in_every_jdk() {
    let output = run(["doctor"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for jdk in recrash_jvm::find_jdks()
        .iter()
        .filter(|jdk| jdk.version.feature >= 17)
    {
        let line = format!("{}: the agent loads", jdk.home.display());
        assert!(stdout(&output).contains(&line), "{}", stdout(&output));
    }
}

#[test]
fn the_doctor_says_why_the_agent_does_not_load() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("strange");
    std::fs::create_dir_all(home.join("bin")).unwrap();
    let java = home.join("bin/java");
    std::fs::write(
        &java,
        "#!/bin/sh\necho 'Error: no agents here' >&2\nexit 1\n",
    )
    .unwrap();
    std::fs::set_permissions(&java, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(home.join("release"), "JAVA_VERSION=\"17.0.1\"\n").unwrap();
    let output = recrash()
        .args(["doctor", "--jdk"])
        .arg(&home)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("the agent does not load: Error: no agents here"),
        "{}",
        stdout(&output)
    );
}
