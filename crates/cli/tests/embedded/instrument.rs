//! `recrash instrument`: programs of every layout run with plain `java`, as before, and capture their crashes.

use crate::embedded::support::{
    Layout, captured, classes, entries, instrument, java, jdks, program, recrash, said, snapshot,
    subject, text, verdicts,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::tempdir;

#[test]
fn a_jar_runs_as_before_and_both_jars_verify_its_crash() {
    let folder = tempdir().unwrap();
    let original = program("shop.Main").write(&folder.path().join("app.jar"));
    let monitored = folder.path().join("monitored.jar");
    let report = instrument(&original, &monitored);
    assert!(report.contains("classes woven"), "{report}");
    // Verifying takes seconds: one jar per JDK.
    let mut is_first = true;
    for jdk in jdks() {
        let here = tempdir().unwrap();
        let plain = java(
            &jdk,
            here.path(),
            &["-jar", &original.display().to_string()],
        );
        let watched = java(
            &jdk,
            here.path(),
            &[
                "-Xverify:all",
                "-Xcheck:jni",
                "-jar",
                &monitored.display().to_string(),
            ],
        );
        assert_eq!(text(&watched.stdout), text(&plain.stdout));
        assert_eq!(watched.status.code(), Some(1));
        let (stack_trace, ours) = said(&watched);
        assert_eq!(stack_trace, said(&plain).0, "JDK {}", jdk.version.text);
        assert_eq!(ours.len(), 1, "{ours:?}");
        let file = snapshot(here.path(), &watched);
        assert_eq!(captured(&file), ["shop.Order.total", "shop.Main.main"]);
        let jar = if is_first { &original } else { &monitored };
        let table = verdicts(&file, &jdk, jar, &[]);
        assert!(
            table.contains("2 of 2 frames reproduce the crash"),
            "{table}"
        );
        assert!(!table.contains("differs"), "{table}");
        is_first = false;
    }
}

#[test]
fn the_agent_adopts_what_was_woven_before() {
    let folder = tempdir().unwrap();
    let original = program("shop.Main").write(&folder.path().join("app.jar"));
    let monitored = folder.path().join("monitored.jar");
    instrument(&original, &monitored);
    let ran = recrash()
        .args(["run", "--no-tests", "--"])
        .arg(jdks()[0].java())
        .arg("-jar")
        .arg(&monitored)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let file = snapshot(folder.path(), &ran);
    assert_eq!(captured(&file), ["shop.Order.total", "shop.Main.main"]);
}

#[test]
fn without_its_library_the_program_runs_unchanged_and_says_so_once() {
    let folder = tempdir().unwrap();
    let original = program("shop.Main").write(&folder.path().join("app.jar"));
    let monitored = folder.path().join("monitored.jar");
    instrument(&original, &monitored);
    Layout {
        entries: entries(&monitored)
            .into_iter()
            .filter(|(name, _)| !name.contains("librecrash"))
            .collect(),
    }
    .write(&folder.path().join("bare.jar"));
    Layout {
        entries: entries(&monitored)
            .into_iter()
            .map(|(name, bytes)| {
                let kept = if name.contains("librecrash") {
                    1000
                } else {
                    bytes.len()
                };
                (name, bytes[..kept].to_vec())
            })
            .collect(),
    }
    .write(&folder.path().join("torn.jar"));
    for jdk in jdks() {
        let plain = java(
            &jdk,
            folder.path(),
            &["-jar", &original.display().to_string()],
        );
        let mut ways = vec![
            (vec!["-jar", "bare.jar"], "there is no library for linux-"),
            (vec!["-jar", "torn.jar"], "the library in it is damaged"),
            (
                vec!["-Dos.arch=mips", "-jar", "monitored.jar"],
                "there is no library for linux-mips",
            ),
        ];
        if jdk.version.feature >= 24 {
            // A class path has no manifest that asks for the permission.
            let denied = vec![
                "--illegal-native-access=deny",
                "-cp",
                "monitored.jar",
                "shop.Main",
            ];
            ways.push((denied, "allow it with --enable-native-access=ALL-UNNAMED"));
        }
        for (arguments, reason) in ways {
            let ran = java(&jdk, folder.path(), &arguments);
            let (theirs, ours) = said(&ran);
            assert_eq!(ran.status.code(), plain.status.code());
            assert_eq!(text(&ran.stdout), text(&plain.stdout), "{arguments:?}");
            assert_eq!(theirs, said(&plain).0, "{arguments:?}");
            assert_eq!(ours.len(), 1, "{ours:?}");
            assert!(
                ours[0].contains("runs unwatched") && ours[0].contains(reason),
                "{ours:?}"
            );
        }
        let off = java(
            &jdk,
            folder.path(),
            &["-Drecrash.options=off", "-jar", "monitored.jar"],
        );
        assert_eq!(text(&off.stderr), text(&plain.stderr));
    }
    assert!(!folder.path().join("recrash-out").exists());
}

#[test]
fn a_loader_that_knows_nothing_but_the_jdk_gets_on_with_woven_classes() {
    let folder = tempdir().unwrap();
    let original = program("shop.Isolated").write(&folder.path().join("app.jar"));
    instrument(&original, &folder.path().join("monitored.jar"));
    for jdk in jdks() {
        let here = tempdir().unwrap();
        let jar = folder.path().join("monitored.jar").display().to_string();
        let plain = java(
            &jdk,
            here.path(),
            &["-jar", &original.display().to_string()],
        );
        let off = java(&jdk, here.path(), &["-Drecrash.options=off", "-jar", &jar]);
        assert_eq!(text(&off.stdout), text(&plain.stdout));
        assert_eq!(text(&off.stderr), text(&plain.stderr));
        let on = java(&jdk, here.path(), &["-jar", &jar]);
        assert_eq!(text(&on.stdout), text(&plain.stdout));
        assert_eq!(said(&on).0, said(&plain).0);
        let frames = captured(&snapshot(here.path(), &on));
        assert_eq!(frames, ["shop.Order.total", "shop.Isolated.main"]);
    }
}

#[test]
fn a_spring_boot_jar_is_woven_with_the_jars_inside_it() {
    let folder = tempdir().unwrap();
    let inner = Layout::default()
        .with_manifest("")
        .with_classes("", &["Order"])
        .write(&folder.path().join("inner.jar"));
    let original = Layout::default()
        .with_manifest(
            "Main-Class: org.springframework.boot.loader.launch.JarLauncher\r\nStart-Class: shop.Main\r\n\
             Spring-Boot-Classes: BOOT-INF/classes/\r\nSpring-Boot-Lib: BOOT-INF/lib/\r\n",
        )
        .with_unpacked(&subject("spring-boot-loader.jar"))
        .with("BOOT-INF/", b"")
        .with("BOOT-INF/classes/", b"")
        .with_classes("BOOT-INF/classes/", &["Main", "Main$Base", "Main$Special"])
        .with("BOOT-INF/lib/", b"")
        .with("BOOT-INF/lib/order.jar", &fs::read(inner).unwrap())
        .write(&folder.path().join("boot.jar"));
    let monitored = folder.path().join("monitored.jar");
    instrument(&original, &monitored);
    for jdk in jdks() {
        let here = tempdir().unwrap();
        let plain = java(
            &jdk,
            here.path(),
            &["-jar", &original.display().to_string()],
        );
        let watched = java(
            &jdk,
            here.path(),
            &["-jar", &monitored.display().to_string()],
        );
        assert_eq!(text(&watched.stdout), text(&plain.stdout));
        assert!(text(&watched.stdout).contains("to standard output"));
        assert_eq!(said(&watched).0, said(&plain).0);
        let frames = captured(&snapshot(here.path(), &watched));
        assert_eq!(frames[..2], ["shop.Order.total", "shop.Main.main"]);
        // It is small, and what `java` starts all the same.
        let launcher = "org.springframework.boot.loader.launch.JarLauncher.main";
        assert_eq!(frames.last().unwrap(), launcher, "{frames:?}");
        if jdk != jdks()[0] {
            continue;
        }
        let verdicts = |more| verdicts(&snapshot(here.path(), &watched), &jdk, &monitored, more);
        let table = verdicts(&[]);
        assert!(table.contains("Order.total"), "{table}");
        assert!(table.contains("2 of 2 frames reproduce"), "{table}");
        let left_out = "3 frames of libraries that called the application were not tried";
        assert!(table.contains(left_out), "{table}");
        let table = verdicts(&["--all-frames"]);
        // The launcher's classes are in no build of the application's.
        let outside = table.matches("needs classes outside the build").count();
        assert_eq!(outside, 3, "{table}");
        assert!(table.contains("2 of 2 frames reproduce"), "{table}");
    }
}

#[test]
fn web_applications_start_the_recorder_when_their_container_enters_them() {
    let folder = tempdir().unwrap();
    let war = Layout::default()
        .with_manifest("")
        .with("index.html", b"<p>")
        .with_classes("WEB-INF/classes/", &["Page", "Order"])
        .write(&folder.path().join("shop.war"));
    let monitored = folder.path().join("monitored.war");
    instrument(&war, &monitored);
    // Alone, because the application's classes must not be found beside it.
    let container = folder.path().join("container");
    fs::create_dir(&container).unwrap();
    fs::copy(
        classes().join("Container.class"),
        container.join("Container.class"),
    )
    .unwrap();
    for unpacked in ["one", "two", "three"] {
        for (name, bytes) in entries(&monitored) {
            let path = folder.path().join(unpacked).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
    for jdk in jdks() {
        let here = tempdir().unwrap();
        let applications =
            ["one", "two", "three"].map(|name| folder.path().join(name).display().to_string());
        let mut arguments = vec!["-cp", container.to_str().unwrap(), "Container"];
        if jdk.version.feature >= 24 {
            arguments.insert(0, "--enable-native-access=ALL-UNNAMED");
        }
        arguments.extend(applications.iter().map(String::as_str));
        let ran = java(&jdk, here.path(), &arguments);
        assert_eq!(text(&ran.stdout), "carl pays 32\ncarl pays 64\n");
        let (_, ours) = said(&ran);
        assert_eq!(ours.len(), 1, "{ours:?}");
        let frames = captured(&snapshot(here.path(), &ran));
        assert_eq!(frames[..2], ["shop.Order.total", "shop.Page.doGet"]);
    }
}

#[test]
fn a_folder_stays_a_folder_with_its_scripts_and_jars() {
    let folder = tempdir().unwrap();
    let input = folder.path().join("dist");
    fs::create_dir_all(input.join("lib")).unwrap();
    fs::create_dir_all(input.join("classes/shop")).unwrap();
    fs::write(input.join("start.sh"), "exec java").unwrap();
    fs::set_permissions(input.join("start.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    program("shop.Main").write(&input.join("lib/app.jar"));
    let output = folder.path().join("monitored");
    instrument(&input, &output);
    let mode = fs::metadata(output.join("start.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
    let jdk = &jdks()[0];
    let ran = java(jdk, folder.path(), &["-jar", "monitored/lib/app.jar"]);
    assert_eq!(captured(&snapshot(folder.path(), &ran)).len(), 2);

    let classes_only = folder.path().join("classes-monitored");
    instrument(classes(), &classes_only);
    fs::remove_dir_all(folder.path().join("recrash-out")).unwrap();
    let native = if jdk.version.feature >= 24 {
        "--enable-native-access=ALL-UNNAMED"
    } else {
        "-ea"
    };
    let ran = java(
        jdk,
        folder.path(),
        &[native, "-cp", "classes-monitored", "shop.Main"],
    );
    assert_eq!(captured(&snapshot(folder.path(), &ran)).len(), 2);
}

#[test]
fn a_signed_compiler_compiles_the_same_without_its_signature() {
    let folder = tempdir().unwrap();
    let monitored = folder.path().join("ecj.jar");
    let report = instrument(&subject("ecj.jar"), &monitored);
    assert!(
        report.contains("ecj.jar was signed; its classes change, so the signature was taken out"),
        "{report}"
    );
    let names: Vec<String> = entries(&monitored)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert!(!names.iter().any(|name| name.contains("ECLIPSE_")));
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/embedded/programs/shop/Main.java");
    for jdk in jdks() {
        let mut compiled = Vec::new();
        for (jar, out) in [(&subject("ecj.jar"), "plain"), (&monitored, "watched")] {
            let arguments = [
                "-jar",
                &jar.display().to_string(),
                "-17",
                "-proc:none",
                "-d",
                out,
                &source.display().to_string(),
                &source.with_file_name("Order.java").display().to_string(),
            ];
            let ran = java(&jdk, folder.path(), &arguments);
            assert!(ran.status.success(), "{}", text(&ran.stderr));
            compiled.push(fs::read(folder.path().join(out).join("shop/Main.class")).unwrap());
        }
        assert_eq!(compiled[0], compiled[1]);
    }
}

#[test]
fn what_cannot_be_instrumented_is_refused_in_one_line() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let app = program("shop.Main").write(&at("app.jar"));
    instrument(&app, &at("monitored.jar"));
    fs::write(at("text.jar"), "no archive").unwrap();
    fs::write(at("torn.jar"), &fs::read(&app).unwrap()[..900]).unwrap();
    Layout::default()
        .with("readme", b"")
        .write(&at("empty.jar"));
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("folder/A.class"), "no class").unwrap();
    for (input, output, reason) in [
        ("missing.jar", "x.jar", "missing.jar cannot be read"),
        (
            "text.jar",
            "x.jar",
            "text.jar is not a jar that can be read",
        ),
        (
            "torn.jar",
            "x.jar",
            "torn.jar is not a jar that can be read",
        ),
        ("empty.jar", "x.jar", "empty.jar contains no class file"),
        ("app.jar", "app.jar", "app.jar is the input itself"),
        (
            "monitored.jar",
            "x.jar",
            "monitored.jar is instrumented already",
        ),
        (
            "app.jar",
            "nowhere/x.jar",
            "nowhere/x.jar cannot be written",
        ),
        ("folder", "app.jar", "app.jar exists already"),
    ] {
        let ran = recrash()
            .arg("instrument")
            .arg(at(input))
            .arg("-o")
            .arg(at(output))
            .output()
            .unwrap();
        let said = text(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.starts_with("recrash: ") && said.contains(reason),
            "{said}"
        );
        assert!(!at("x.jar").exists());
    }
}
