//! The source itself, as snapshots to read, and under the real compiler of every JDK found.

// Helpers of a test may fail loudly; clippy's own exemption covers only the tests themselves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::too_many_lines
)]

use recrash_heap::manifest::{
    Argument, CapturedFrame, Cause, Environment, FrameInfo, FramePlace, Manifest, ObjectId,
    ThreadInfo, ThrowableInfo, TraceElement, Value,
};
use recrash_heap::{ClassIndex, ClassSpec, Heap, HeapBuilder, PlanOptions, Snapshot};
use recrash_javagen::{
    Candidate, ClassFacts, Form, JUnit, Options, TestClass, TypeOracle, generate,
};
use recrash_jvm::{ClassPath, Compilation, Compilers, Jdk, find_jdks};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

const PUBLIC: u16 = 1;
const PRIVATE: u16 = 2;
const STATIC: u16 = 8;
const SYNTHETIC: u16 = 0x1000;

#[test]
fn a_class_in_a_package_reads_well_in_junit_5() {
    let program = Program::compiled();
    insta::assert_snapshot!(program.generate(&shop(), &options()).source);
}

#[test]
fn junit_4_is_public_and_imports_its_own_annotation() {
    let program = Program::compiled();
    let options = Options {
        junit: JUnit::Four,
        ..options()
    };
    let test = program.generate(&shop(), &options);
    assert!(test.source.contains("import org.junit.Test;"));
    assert!(test.source.contains("public class OrderCrashTest {"));
    assert!(
        test.source
            .contains("    public void newLine() throws Throwable {")
    );
}

#[test]
fn an_expected_crash_is_asserted_with_its_place() {
    let program = Program::compiled();
    let options = Options {
        expect_crash: true,
        ..options()
    };
    insta::assert_snapshot!(program.generate(&shop(), &options).source);
}

#[test]
fn from_another_package_everything_package_private_goes_through_invoke() {
    let program = Program::compiled();
    let options = Options {
        package: Some("crashes.of.today".into()),
        ..options()
    };
    insta::assert_snapshot!(program.generate(&shop(), &options).source);
}

#[test]
fn classes_named_like_the_runtime_in_the_default_package_are_not_confused() {
    let program = Program::compiled();
    insta::assert_snapshot!(program.generate(&default_package(), &options()).source);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let program = Program::compiled();
    assert_eq!(
        program.generate(&shop(), &options()),
        program.generate(&shop(), &options())
    );
}

#[test]
fn every_form_compiles_without_warnings_on_every_jdk() {
    for jdk in compilers() {
        let program = Program::compiled_by(&jdk);
        let elsewhere = || Some("elsewhere".to_owned());
        for (form, junit, expect_crash, package) in [
            (Form::Plain, JUnit::Five, false, None),
            (Form::Plain, JUnit::Four, true, elsewhere()),
            (Form::Objects, JUnit::Five, true, None),
            (Form::Loaded, JUnit::Four, false, elsewhere()),
        ] {
            for crash in [shop(), default_package()] {
                let options = Options {
                    junit,
                    expect_crash,
                    package: package.clone(),
                    ..options()
                };
                program.compile(&jdk, &program.generate_as(&crash, &options, form));
            }
        }
    }
}

#[test]
fn a_package_that_is_none_is_refused() {
    let program = Program::compiled();
    let crash = shop();
    let options = Options {
        package: Some("com.acme.new".into()),
        ..options()
    };
    let error = generate(
        &crash,
        &BTreeMap::new(),
        &candidates(&crash, Form::Plain),
        &program,
        &options,
        None,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`com.acme.new` is not a package name; pass one like com.acme.crashes with --package"
    );
}

fn options() -> Options {
    Options {
        junit: JUnit::Five,
        package: None,
        expect_crash: false,
        snapshot: "NullPointerException-1a2b3c4d-77.recrash".into(),
        version: "0.1.0".into(),
        taken: std::collections::BTreeSet::new(),
        proof: false,
    }
}

/// JUnit 5 and 4, fetched by `./x`.
fn junit() -> impl Iterator<Item = PathBuf> {
    let deps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps");
    ["junit-platform-console-standalone.jar", "junit4.jar"]
        .into_iter()
        .map(move |name| deps.join(name))
}

fn compilers() -> Vec<Jdk> {
    find_jdks()
        .into_iter()
        .filter(|jdk| jdk.javac.is_some() && jdk.version.feature >= 17)
        .collect()
}

/// The program under `tests/program` and what its tests are compiled against.
struct Program {
    folder: tempfile::TempDir,
}

impl Program {
    fn compiled() -> Self {
        let jdk = compilers().into_iter().next().expect("a JDK with javac");
        Self::compiled_by(&jdk)
    }

    fn compiled_by(jdk: &Jdk) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Vec::new();
        for root in [here.join("tests/program"), here.join("../../java/junit")] {
            java_files(&root, &mut sources);
        }
        let program = Program { folder };
        let class_path = ClassPath::new(junit(), Path::new("/"));
        javac(jdk, &sources, &class_path, &program.classes(), &[]);
        program
    }

    fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    fn generate(&self, crash: &Snapshot, options: &Options) -> TestClass {
        self.generate_as(crash, options, Form::Plain)
    }

    fn generate_as(&self, crash: &Snapshot, options: &Options, form: Form) -> TestClass {
        generate(
            crash,
            &BTreeMap::new(),
            &candidates(crash, form),
            self,
            options,
            None,
        )
        .unwrap()
    }

    fn compile(&self, jdk: &Jdk, test: &TestClass) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{}.java", test.name));
        std::fs::write(&file, &test.source).unwrap();
        let class_path = ClassPath::new(junit().chain([self.classes()]), Path::new("/"));
        let strict = ["-Xlint:all,-processing,-options", "-Werror"].map(str::to_owned);
        javac(
            jdk,
            &[file],
            &class_path,
            &folder.path().join("out"),
            &strict,
        );
    }
}

impl TypeOracle for Program {
    fn facts(&self, class: &str) -> Option<ClassFacts> {
        let path = self
            .classes()
            .join(format!("{}.class", class.replace('.', "/")));
        ClassFacts::read(&std::fs::read(path).ok()?).ok()
    }
}

/// Warm after the first test.
static COMPILERS: LazyLock<Compilers> =
    LazyLock::new(|| Compilers::new(recrash_bundle::unpack().unwrap().worker));

fn javac(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &ClassPath,
    output: &Path,
    options: &[String],
) {
    let limit = Duration::from_secs(300);
    let result = COMPILERS.compile(
        jdk,
        &Compilation {
            sources,
            class_path,
            output,
            options,
            limit,
        },
    );
    if let Err(error) = result {
        let shown: Vec<String> = sources
            .iter()
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .collect();
        panic!("{error}\n{}", shown.last().unwrap());
    }
}

fn java_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            java_files(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            found.push(path);
        }
    }
}

fn candidates(crash: &Snapshot, form: Form) -> Vec<Candidate> {
    let restore = PlanOptions {
        statics: true,
        patches: true,
    };
    (0..crash.manifest.frames.len())
        .map(|frame| Candidate {
            frame,
            restore,
            form,
        })
        .collect()
}

fn named(name: &str, descriptor: &str, value: Value) -> Argument {
    Argument {
        name: Some(name.into()),
        descriptor: descriptor.into(),
        value,
    }
}

fn unnamed(descriptor: &str, value: Value) -> Argument {
    Argument {
        name: None,
        descriptor: descriptor.into(),
        value,
    }
}

fn frame(
    class: &str,
    method: &str,
    access: u16,
    receiver: Value,
    arguments: Vec<Argument>,
) -> FrameInfo {
    let types: String = arguments
        .iter()
        .map(|argument| argument.descriptor.as_str())
        .collect();
    FrameInfo {
        throwable: 0,
        element: TraceElement {
            class: class.into(),
            method: method.into(),
            file: Some("Order.java".into()),
            line: 7,
            module: None,
        },
        captured: Some(CapturedFrame {
            descriptor: format!("({types})V"),
            access,
            place: FramePlace::Body,
            receiver,
            arguments,
            patches: vec![],
            back_to: None,
            reads: vec![],
            class_hash: None,
            source: None,
            entry: None,
        }),
    }
}

/// Adds classes and objects in one go; heap parts want all classes first.
struct Objects {
    builder: HeapBuilder,
    string: ClassIndex,
    array: ClassIndex,
    ints: ClassIndex,
    strings: ClassIndex,
    list: ClassIndex,
    integer: ClassIndex,
    order: ClassIndex,
    rush: ClassIndex,
    line: ClassIndex,
    secret: ClassIndex,
    color: ClassIndex,
    class: ClassIndex,
    bare: ClassIndex,
}

impl Objects {
    fn new() -> Self {
        let mut builder = HeapBuilder::new();
        let mut class = |name: &'static str, fields: &'static [(&'static str, &'static str)]| {
            builder.class(&ClassSpec {
                name,
                fields,
                ..ClassSpec::default()
            })
        };
        let string = class("java.lang.String", &[]);
        let array = class("[Ljava.lang.Object;", &[]);
        let ints = class("[I", &[]);
        let strings = class("[Ljava.lang.String;", &[]);
        let list = class(
            "java.util.ArrayList",
            &[("elementData", "[Ljava/lang/Object;"), ("size", "I")],
        );
        let integer = class("java.lang.Integer", &[]);
        let order = class(
            "shop.Order",
            &[
                ("id", "I"),
                ("lines", "Ljava/util/List;"),
                ("note", "Ljava/lang/String;"),
            ],
        );
        let line = class("shop.Order$Line", &[("sku", "Ljava/lang/String;")]);
        let secret = class("shop.Order$Secret", &[]);
        let color = class("shop.Order$Color$1", &[]);
        let class_class = class("java.lang.Class", &[]);
        let bare = class("Frame", &[]);
        let rush = builder.class(&ClassSpec {
            name: "shop.Rush",
            super_class: Some(order),
            ..ClassSpec::default()
        });
        Objects {
            builder,
            string,
            array,
            ints,
            strings,
            list,
            integer,
            order,
            rush,
            line,
            secret,
            color,
            class: class_class,
            bare,
        }
    }

    fn string(&mut self, text: &str) -> Value {
        Value::Ref(self.builder.string(self.string, text))
    }

    fn list(&mut self, elements: &[Value]) -> Value {
        let data = Value::Ref(self.builder.array(self.array, true, elements));
        Value::Ref(
            self.builder
                .instance(self.list, &[data, Value::Int(elements.len() as i32)]),
        )
    }
}

/// A crash with a frame for each way a method can be out of reach, or within.
fn shop() -> Snapshot {
    let mut objects = Objects::new();
    let sku = objects.string("A-1");
    let line = Value::Ref(objects.builder.instance(objects.line, &[sku]));
    let lines = objects.list(&[line]);
    let note = objects.string("evil \u{202e} \\u000a class Broken {\n");
    let order = Value::Ref(
        objects
            .builder
            .instance(objects.order, &[Value::Int(7), lines, note]),
    );
    let rush = Value::Ref(
        objects
            .builder
            .instance(objects.rush, &[Value::Int(8), Value::Null, Value::Null]),
    );
    let secret = Value::Ref(objects.builder.instance(objects.secret, &[]));
    let green = Value::Ref(objects.builder.enum_constant(objects.color, "GREEN", &[]));
    let exception = Value::Ref(
        objects
            .builder
            .class_object(objects.class, "java.lang.Object"),
    );
    let (a, b) = (objects.string("a \"quoted\" ü"), objects.string("b"));
    let names = Value::Ref(
        objects
            .builder
            .array(objects.strings, true, &[a, Value::Null, b]),
    );
    let numbers = Value::Ref(objects.builder.array(
        objects.ints,
        false,
        &[Value::Int(1), Value::Int(i32::MIN)],
    ));
    let five = Value::Ref(objects.builder.boxed(objects.integer, 5));
    let words = objects.list(&[b, five, Value::Null]);
    let builder = Value::Null;
    let object = "Ljava/lang/Object;";
    let text = "Ljava/lang/String;";
    let color = "Lshop/Order$Color;";
    let mut frames = vec![
        frame(
            "shop.Order",
            "total",
            PUBLIC,
            order,
            vec![named("text", text, Value::Null)],
        ),
        frame(
            "shop.Order",
            "total",
            PUBLIC,
            order,
            vec![named("anything", object, words)],
        ),
        frame(
            "shop.Order",
            "total",
            PUBLIC,
            order,
            vec![
                named("lines", "Ljava/util/List;", lines),
                named("color", color, green),
            ],
        ),
        frame(
            "shop.Order",
            "hidden",
            PRIVATE,
            order,
            vec![named("secret", "Lshop/Order$Secret;", secret)],
        ),
        frame(
            "shop.Order",
            "secretly",
            STATIC,
            Value::Null,
            vec![unnamed("Lshop/Order$Secret;", Value::Null)],
        ),
        frame(
            "shop.Order",
            "all",
            PUBLIC | STATIC,
            Value::Null,
            vec![
                named("type", "Ljava/lang/Class;", exception),
                named("names", "[Ljava/lang/String;", names),
            ],
        ),
        frame(
            "shop.Order",
            "count",
            PUBLIC | STATIC,
            Value::Null,
            vec![
                named("numbers", "[I", numbers),
                named("boxed", "Ljava/lang/Integer;", five),
                named("any", object, a),
            ],
        ),
        frame(
            "shop.Order$Line",
            "<init>",
            PUBLIC,
            line,
            vec![named("sku", text, sku), named("count", "I", Value::Int(2))],
        ),
        frame(
            "shop.Order$Line",
            "ship",
            0,
            line,
            vec![
                unnamed("B", Value::Int(-1)),
                unnamed("S", Value::Short(3)),
                unnamed("C", Value::Int(39)),
                unnamed("Z", Value::Int(1)),
                unnamed("J", Value::Long(i64::MIN)),
                unnamed("F", Value::FloatBits(f32::NAN.to_bits())),
                unnamed("D", Value::DoubleBits(1e-300f64.to_bits())),
            ],
        ),
        frame(
            "shop.Order$Inner",
            "<init>",
            PUBLIC,
            Value::Null,
            vec![
                named("this$0", "Lshop/Order;", order),
                named("n", "I", Value::Int(1)),
            ],
        ),
        frame("shop.Order", "throwing", PUBLIC, rush, vec![]),
        frame("shop.Rush", "throwing", PUBLIC, rush, vec![]),
        frame(
            "shop.Rush",
            "hurry",
            4,
            rush,
            vec![
                named("other", "Lshop/Rush;", rush),
                named("builder", "Ljava/lang/StringBuilder;", builder),
            ],
        ),
        frame(
            "shop.Order",
            "lambda$throwing$0",
            PRIVATE | STATIC | SYNTHETIC,
            Value::Null,
            vec![],
        ),
        frame("shop.Order", "toString", PUBLIC, order, vec![]),
        frame("shop.Order$Color", "weight", 0, green, vec![]),
        frame("shop.Order", "<clinit>", STATIC, Value::Null, vec![]),
    ];
    for (index, frame) in frames.iter_mut().enumerate() {
        frame.element.line = 10 + index as i32;
    }
    snapshot(objects, frames)
}

fn default_package() -> Snapshot {
    let mut objects = Objects::new();
    let bare = Value::Ref(objects.builder.instance(objects.bare, &[]));
    let text = objects.string("x".repeat(80).as_str());
    let args = Value::Ref(objects.builder.array(objects.strings, true, &[]));
    let frames = vec![
        frame(
            "Frame",
            "test",
            PUBLIC,
            bare,
            vec![
                named("frame", "LFrame;", bare),
                named("crash", "Ljava/lang/String;", text),
            ],
        ),
        frame(
            "Frame",
            "main",
            PUBLIC | STATIC,
            Value::Null,
            vec![named("args", "[Ljava/lang/String;", args)],
        ),
    ];
    snapshot(objects, frames)
}

fn snapshot(objects: Objects, frames: Vec<FrameInfo>) -> Snapshot {
    let trace = frames.iter().map(|frame| frame.element.clone()).collect();
    let manifest = Manifest {
        format: 1,
        cause: Cause::Crash,
        recrash: "0.1.0".into(),
        label: Some("1.4-rc2".into()),
        session: None,
        strategy: "auto".into(),
        captured_at: 0,
        fingerprint: "1a2b3c4d".into(),
        throwables: vec![ThrowableInfo {
            class: "java.lang.NullPointerException".into(),
            message: Some("Cannot \\u000a invoke\n\"x\"".into()),
            object: ObjectId(1),
            trace,
        }],
        thread: ThreadInfo {
            name: "main".into(),
            id: 1,
            daemon: false,
            is_virtual: false,
        },
        frames_total: frames.len() as u32,
        application: None,
        frames,
        statics: vec![],
        thread_locals: vec![],
        environment: Environment {
            java_home: "/jdk".into(),
            java_version: "17.0.15".into(),
            class_path: vec!["app.jar".into()],
            module_path: vec![],
            jvm_arguments: vec![],
            working_directory: "/".into(),
            locale: "en-US".into(),
            time_zone: "UTC".into(),
            charset: "UTF-8".into(),
            system_properties: vec![],
        },
        limits: vec![],
        unwoven: vec![],
        shrunk: None,
        privacy: None,
    };
    Snapshot {
        manifest,
        heap: Heap::parse(objects.builder.finish(), u32::MAX).unwrap(),
        classes: Vec::new(),
    }
}
