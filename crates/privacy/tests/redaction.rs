//! Rules applied to small snapshots: what goes, what stays, and what the remarks say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends at the first surprise"
)]

use recrash_heap::manifest::{Manifest, RedactionKind};
use recrash_heap::{ClassIndex, ClassSpec, Heap, HeapBuilder, Kind, ObjectId, Value};
use recrash_privacy::{ClassNotes, Outcome, ProgramNotes, Redactor, Rules};
use serde_json::json;

/// A heap under construction, with the classes that every test needs.
struct World {
    builder: HeapBuilder,
    string: ClassIndex,
    chars: ClassIndex,
    bytes: ClassIndex,
}

impl World {
    fn new() -> Self {
        let mut builder = HeapBuilder::new();
        let mut class = |name| {
            builder.class(&ClassSpec {
                name,
                ..ClassSpec::default()
            })
        };
        Self {
            string: class("java.lang.String"),
            chars: class("[C"),
            bytes: class("[B"),
            builder,
        }
    }

    fn class(&mut self, name: &str, fields: &[(&str, &str)]) -> ClassIndex {
        self.builder.class(&ClassSpec {
            name,
            fields,
            ..ClassSpec::default()
        })
    }

    fn text(&mut self, text: &str) -> Value {
        Value::Ref(self.builder.string(self.string, text))
    }

    fn char_array(&mut self, text: &str) -> Value {
        let units: Vec<Value> = text.encode_utf16().map(Value::Char).collect();
        Value::Ref(self.builder.array(self.chars, false, &units))
    }

    fn byte_array(&mut self, bytes: &[u8]) -> Value {
        let bytes: Vec<Value> = bytes.iter().map(|byte| Value::Byte(*byte as i8)).collect();
        Value::Ref(self.builder.array(self.bytes, false, &bytes))
    }

    fn object(&mut self, class: ClassIndex, values: &[Value]) -> Value {
        Value::Ref(self.builder.instance(class, values))
    }

    /// Redacts with `this` as the receiver of the only frame.
    fn redact(self, this: Value, rules: &str) -> Redacted {
        self.redact_knowing(this, rules, &ProgramNotes::new())
    }

    fn redact_knowing(self, this: Value, rules: &str, program: &ProgramNotes) -> Redacted {
        let mut heap = Heap::parse(self.builder.finish(), u32::MAX).unwrap();
        let mut manifest = manifest(this);
        let redactor = Redactor::new(Rules::parse(rules).unwrap());
        let outcome = redactor.redact(&mut manifest, &mut heap, program).unwrap();
        // What was written can be read.
        let heap = Heap::parse(heap.into_bytes(), u32::MAX).unwrap();
        Redacted {
            heap,
            manifest,
            outcome,
        }
    }
}

struct Redacted {
    heap: Heap,
    manifest: Manifest,
    outcome: Outcome,
}

impl Redacted {
    fn text(&self, value: Value) -> String {
        let Value::Ref(id) = value else {
            panic!("no reference");
        };
        match self.heap.object(id).unwrap().kind {
            Kind::String(text) => text.to_string(),
            Kind::Array { elements, .. } => elements
                .iter()
                .map(|element| match element {
                    Value::Char(unit) => char::from_u32((*unit).into()).unwrap(),
                    Value::Byte(byte) => char::from(*byte as u8),
                    other => panic!("{other:?}"),
                })
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    fn field(&self, value: Value, name: &str) -> Value {
        let Value::Ref(id) = value else {
            panic!("no reference");
        };
        let object = self.heap.object(id).unwrap();
        let field = object.kind.fields().iter().find(|field| field.name == name);
        field.unwrap().value
    }

    fn remarks(&self) -> Vec<(u32, &str, &str, RedactionKind)> {
        let privacy = self.manifest.privacy.as_ref().unwrap();
        privacy
            .redactions
            .iter()
            .map(|r| (r.object.0, r.place.as_str(), r.rule.as_str(), r.kind))
            .collect()
    }
}

fn manifest(this: Value) -> Manifest {
    let element =
        json!({"class": "shop.Order", "method": "pay", "file": null, "line": 1, "module": null});
    let captured = json!({
        "descriptor": "(J)V", "access": 1, "place": "body", "receiver": this,
        "arguments": [{"name": "cardNumber", "descriptor": "J", "value": {"long": 4_111_111_111_111_111_i64}}],
        "patches": [], "reads": [], "class_hash": null, "source": null,
    });
    serde_json::from_value(json!({
        "format": 1, "recrash": "", "label": null, "session": null, "captured_at": 0, "fingerprint": "",
        "throwables": [{"class": "E", "message": "bob@example.org said hunter2-hunter2", "object": 0, "trace": []}],
        "thread": {"name": "pay-hunter2-hunter2", "id": 1, "daemon": false, "virtual": false},
        "frames": [{"throwable": 0, "element": element, "captured": captured}], "frames_total": 1,
        "statics": [], "thread_locals": [], "limits": [], "unwoven": [],
        "environment": {
            "java_home": "", "java_version": "", "class_path": [], "module_path": [],
            "jvm_arguments": ["-Ddb.password=s3cretValue", "-Xmx1g"], "working_directory": "", "locale": "",
            "time_zone": "", "charset": "", "system_properties": [["db.password", "s3cretValue"], ["a", "b"]],
        },
    }))
    .unwrap()
}

const STRING: &str = "Ljava/lang/String;";
const OBJECT: &str = "Ljava/lang/Object;";

#[test]
fn a_sensitive_name_redacts_its_value_and_every_copy_of_it() {
    let mut world = World::new();
    let class = world.class(
        "shop.Order",
        &[
            ("password", STRING),
            ("note", STRING),
            ("chars", "[C"),
            ("bytes", "[B"),
            ("token", STRING),
        ],
    );
    let password = world.text("hunter2-hunter2");
    let note = world.text("ask for hunter2-hunter2, then go");
    let chars = world.char_array("hunter2-hunter2");
    let bytes = world.byte_array("é hunter2-hunter2".as_bytes());
    let token = world.text("identifier");
    let this = world.object(class, &[password, note, chars, bytes, token]);
    let done = world.redact(this, "");
    assert_eq!(done.text(password), "xxxxxx0-xxxxxx0");
    assert_eq!(done.text(note), "ask for xxxxxx0-xxxxxx0, then go");
    assert_eq!(done.text(chars), "xxxxxx0-xxxxxx0");
    assert!(done.text(bytes).ends_with(" xxxxxx0-xxxxxx0"));
    assert_eq!(
        done.text(token),
        "identifier",
        "a parser's token is no secret"
    );
    assert_eq!(done.manifest.thread.name, "pay-xxxxxx0-xxxxxx0");
    let message = done.manifest.throwables[0].message.as_deref().unwrap();
    assert!(
        message.ends_with(" said xxxxxx0-xxxxxx0") && !message.contains("bob@"),
        "{message}"
    );
    let environment = &done.manifest.environment;
    assert_eq!(environment.jvm_arguments[0], "-Ddb.password=x0xxxxXxxxx");
    assert_eq!(environment.system_properties[0].1, "x0xxxxXxxxx");
    let argument = &done.manifest.frames[0].captured.as_ref().unwrap().arguments[0];
    assert_eq!(argument.value, Value::Long(1_111_111_111_111_111));
    let Value::Ref(ObjectId(id)) = password else {
        panic!()
    };
    assert!(
        done.remarks()
            .contains(&(id, "", "mask field password", RedactionKind::Mask))
    );
    assert_eq!(
        done.outcome.without_secrets("is hunter2-hunter2"),
        "is xxxxxx0-xxxxxx0"
    );
}

#[test]
fn a_dropped_value_is_null_or_zero_and_what_was_below_it_is_gone() {
    let mut world = World::new();
    let inner = world.class("shop.Customer", &[("name", STRING), ("age", "I")]);
    let class = world.class(
        "shop.Order",
        &[
            ("customer", "Lshop/Customer;"),
            ("pin", "J"),
            ("total", "J"),
        ],
    );
    let name = world.text("Alice Cooper");
    let customer = world.object(inner, &[name, Value::Int(42)]);
    let this = world.object(class, &[customer, Value::Long(1234), Value::Long(99)]);
    let done = world.redact(this, "drop field customer\ndrop field pin");
    assert_eq!(done.field(this, "customer"), Value::Null);
    assert_eq!(done.field(this, "pin"), Value::Long(0));
    assert_eq!(done.field(this, "total"), Value::Long(99));
    for gone in [name, customer] {
        let Value::Ref(id) = gone else { panic!() };
        assert!(matches!(done.heap.object(id).unwrap().kind, Kind::Cut));
    }
    assert!(!contains(done.heap.bytes(), b"Alice"));
}

#[test]
fn objects_of_a_type_or_package_are_redacted_with_their_numbers() {
    let mut world = World::new();
    let inner = world.class(
        "shop.Customer",
        &[("name", STRING), ("id", "J"), ("vip", "Z")],
    );
    let secret = world.class("shop.secret.Plan", &[("text", STRING)]);
    let class = world.class("shop.Order", &[("who", OBJECT), ("plan", OBJECT)]);
    let name = world.text("Alice");
    let who = world.object(inner, &[name, Value::Long(4711), Value::Boolean(true)]);
    let text = world.text("conquer the world");
    let plan = world.object(secret, &[text]);
    let this = world.object(class, &[who, plan]);
    let done = world.redact(this, "mask type shop.Customer\ndrop package shop.secret.*");
    assert_eq!(done.text(name), "Xxxxx");
    assert_eq!(done.field(who, "id"), Value::Long(1111));
    assert_eq!(done.field(who, "vip"), Value::Boolean(true));
    assert_eq!(done.field(this, "plan"), Value::Null);
    assert!(!contains(done.heap.bytes(), b"conquer"));
}

#[test]
fn an_entry_goes_by_its_key_and_a_table_finds_changed_keys_again() {
    let mut world = World::new();
    let node = world.class(
        "java.util.HashMap$Node",
        &[
            ("hash", "I"),
            ("key", OBJECT),
            ("value", OBJECT),
            ("next", "Ljava/util/HashMap$Node;"),
        ],
    );
    let table = world.class("[Ljava.util.HashMap$Node;", &[]);
    let map = world.class(
        "java.util.HashMap",
        &[("table", "[Ljava/util/HashMap$Node;"), ("size", "I")],
    );
    let class = world.class("shop.Order", &[("settings", OBJECT)]);
    let entry = |world: &mut World, key: &str, value: &str| {
        let (key, value) = (world.text(key), world.text(value));
        let hash = spread(key_hash("x"));
        (
            key,
            value,
            world.object(node, &[Value::Int(hash), key, value, Value::Null]),
        )
    };
    let (_, secret, first) = entry(&mut world, "db.password", "tops3cret");
    let (mail, _, second) = entry(&mut world, "bob@example.org", "customer");
    let slots = [Value::Null, first, second, Value::Null];
    let slots = Value::Ref(world.builder.array(table, true, &slots));
    let map = world.object(map, &[slots, Value::Int(2)]);
    let this = world.object(class, &[map]);
    let done = world.redact(this, "");
    assert_eq!(done.text(secret), "xxxx0xxxx");
    let key = done.text(mail);
    assert!(!key.contains("bob") && key.contains('@'), "{key}");
    let hash = spread(key_hash(&key));
    assert_eq!(done.field(second, "hash"), Value::Int(hash));
    let Value::Ref(id) = slots else { panic!() };
    let Kind::Array { elements, .. } = done.heap.object(id).unwrap().kind else {
        panic!()
    };
    let place = (hash & 3) as usize;
    let chain = [
        elements[place],
        match elements[place] {
            Value::Ref(_) => done.field(elements[place], "next"),
            _ => Value::Null,
        },
    ];
    assert!(chain.contains(&second), "{elements:?}");
}

fn key_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(unit.into())
    })
}

fn spread(hash: i32) -> i32 {
    hash ^ ((hash as u32) >> 16) as i32
}

#[test]
fn values_are_recognised_inside_longer_texts_and_stay_equal_under_a_hash() {
    let mut world = World::new();
    let class = world.class(
        "shop.Order",
        &[("a", STRING), ("b", STRING), ("wide", STRING)],
    );
    let a = world.text("from bob@example.org to eve@example.org");
    let b = world.text("bob@example.org");
    let wide = world.text("почта: bob@example.org!");
    let this = world.object(class, &[a, b, wide]);
    let done = world.redact(this, "");
    let mail = done.text(b);
    assert_ne!(mail, "bob@example.org");
    assert!(
        done.text(a).starts_with(&format!("from {mail} to ")),
        "{}",
        done.text(a)
    );
    assert_eq!(done.text(wide), format!("почта: {mail}!"));
    let Value::Ref(ObjectId(id)) = a else {
        panic!()
    };
    assert!(
        done.remarks()
            .contains(&(id, "[5..20]", "hash value email", RedactionKind::Hash))
    );
}

#[test]
fn an_annotation_marks_fields_whatever_their_names() {
    let mut world = World::new();
    let class = world.class(
        "shop.Order",
        &[("harmless", STRING), ("weight", "D"), ("other", STRING)],
    );
    let harmless = world.text("Alice");
    let other = world.text("Bob");
    let this = world.object(
        class,
        &[harmless, Value::DoubleBits(81.5_f64.to_bits()), other],
    );
    let annotation = || "recrash.Sensitive".to_owned();
    let notes = ClassNotes {
        fields: vec![
            ("harmless".to_owned(), annotation()),
            ("weight".to_owned(), annotation()),
        ],
        ..ClassNotes::default()
    };
    let program = ProgramNotes::from([("shop.Order".to_owned(), notes)]);
    let done = world.redact_knowing(this, "", &program);
    assert_eq!(done.text(harmless), "Xxxxx");
    assert_eq!(
        done.field(this, "weight"),
        Value::DoubleBits(11_f64.to_bits())
    );
    assert_eq!(done.text(other), "Bob");
}

#[test]
fn dates_and_big_numbers_are_numbers() {
    let mut world = World::new();
    let ints = world.class("[I", &[]);
    let integer = world.class(
        "java.math.BigInteger",
        &[("signum", "I"), ("mag", "[I"), ("bitCountPlusOne", "I")],
    );
    let decimal = world.class(
        "java.math.BigDecimal",
        &[
            ("intVal", OBJECT),
            ("scale", "I"),
            ("precision", "I"),
            ("stringCache", STRING),
            ("intCompact", "J"),
        ],
    );
    let date = world.class(
        "java.time.LocalDate",
        &[("year", "I"), ("month", "S"), ("day", "S")],
    );
    let uuid = world.class(
        "java.util.UUID",
        &[("mostSigBits", "J"), ("leastSigBits", "J")],
    );
    let class = world.class(
        "shop.Person",
        &[
            ("privateKey", OBJECT),
            ("salary", OBJECT),
            ("birthday", OBJECT),
            ("id", OBJECT),
            ("since", OBJECT),
        ],
    );
    let digits = [123_456_789, 987_654_321].map(Value::Int);
    let mag = Value::Ref(world.builder.array(ints, false, &digits));
    let key = world.object(integer, &[Value::Int(1), mag, Value::Int(33)]);
    let cached = world.text("1234.56");
    let salary = world.object(
        decimal,
        &[
            Value::Null,
            Value::Int(2),
            Value::Int(6),
            cached,
            Value::Long(123_456),
        ],
    );
    let birthday = world.object(
        date,
        &[Value::Int(1984), Value::Short(12), Value::Short(31)],
    );
    let since = world.object(date, &[Value::Int(2020), Value::Short(5), Value::Short(6)]);
    let id = world.object(uuid, &[Value::Long(0x1234_5678_9abc), Value::Long(-77)]);
    let this = world.object(class, &[key, salary, birthday, id, since]);
    let done = world.redact(
        this,
        "mask field salary\nmask field birthday\nmask field id",
    );
    let Value::Ref(array) = mag else { panic!() };
    let Kind::Array { elements, .. } = done.heap.object(array).unwrap().kind else {
        panic!()
    };
    assert_eq!(elements, [Value::Int(111_111_111); 2]);
    assert_eq!(done.field(key, "bitCountPlusOne"), Value::Int(0));
    assert_eq!(done.field(key, "signum"), Value::Int(1));
    assert_eq!(done.field(salary, "intCompact"), Value::Long(111_111));
    assert_eq!(done.field(salary, "scale"), Value::Int(2));
    assert_eq!(done.field(salary, "stringCache"), Value::Null);
    assert_eq!(done.field(birthday, "year"), Value::Int(1111));
    assert_eq!(done.field(birthday, "month"), Value::Short(11));
    assert_eq!(done.field(id, "leastSigBits"), Value::Long(-11));
    assert_eq!(done.field(since, "year"), Value::Int(2020));
}

#[test]
fn what_is_kept_stays_and_nothing_changes_without_rules() {
    let mut world = World::new();
    let class = world.class("shop.Order", &[("password", STRING), ("mail", STRING)]);
    let password = world.text("hunter2-hunter2");
    let mail = world.text("eve@example.org");
    let this = world.object(class, &[password, mail]);
    let done = world.redact(
        this,
        "keep field password\nkeep value email\nkeep value assignment",
    );
    assert_eq!(done.text(password), "hunter2-hunter2");
    assert_eq!(done.text(mail), "eve@example.org");
}

#[test]
fn what_was_redacted_is_not_redacted_again() {
    let mut world = World::new();
    let class = world.class("shop.Order", &[("iban", STRING), ("note", STRING)]);
    let iban = world.text("DE89370400440532013000");
    let note = world.text("mail bob@example.org");
    let this = world.object(class, &[iban, note]);
    let mut heap = Heap::parse(world.builder.finish(), u32::MAX).unwrap();
    let mut manifest = manifest(this);
    Redactor::new(Rules::defaults())
        .redact(&mut manifest, &mut heap, &ProgramNotes::new())
        .unwrap();
    let snapshot = recrash_heap::Snapshot {
        manifest: manifest.clone(),
        heap: heap.clone(),
        classes: Vec::new(),
    };
    let mut again = Redactor::new(Rules::defaults());
    again.know(&snapshot);
    let (before, mut heap) = (heap.clone(), heap);
    again
        .redact(&mut manifest, &mut heap, &ProgramNotes::new())
        .unwrap();
    assert_eq!(before, heap);
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
