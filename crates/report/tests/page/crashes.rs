//! Snapshots that are too large or too wicked to be captured on purpose.

use super::support::{self, class};
use recrash_heap::manifest::Value;
use recrash_heap::{Heap, HeapBuilder, Snapshot};
use recrash_report::{Findings, TestSource};

/// What would run if any text became markup.
pub const MARKUP: &str = "<img src=x onerror=owned=1></script><script>owned=1</script>";

/// The usual snapshot with other objects; everything in the manifest that referred to the old ones is gone.
fn with_heap(builder: HeapBuilder, receiver: Value) -> Snapshot {
    let mut snapshot = support::snapshot();
    snapshot.heap = Heap::parse(builder.finish(), u32::MAX).unwrap();
    let manifest = &mut snapshot.manifest;
    for throwable in &mut manifest.throwables {
        throwable.object = recrash_heap::ObjectId(1);
    }
    let captured = manifest.frames[0].captured.as_mut().unwrap();
    captured.receiver = receiver;
    captured
        .arguments
        .retain(|argument| !matches!(argument.value, Value::Ref(_)));
    captured.patches.clear();
    snapshot
}

/// A shop with customers who have orders, until there are so many objects.
pub fn large(objects: u32) -> Snapshot {
    /// Of one customer: itself, its name, the list, its array, the orders and their names.
    const ORDERS: u32 = 8;
    const EACH: u32 = 4 + 2 * ORDERS;
    let mut builder = HeapBuilder::new();
    let mut class = |name: &str, fields: &[(&str, &str)]| class(&mut builder, name, fields);
    let string = class("java.lang.String", &[]);
    let array = class("[Ljava.lang.Object;", &[]);
    let list = class(
        "java.util.ArrayList",
        &[("elementData", "[Ljava/lang/Object;"), ("size", "I")],
    );
    let customer = class(
        "com.acme.Customer",
        &[
            ("name", "Ljava/lang/String;"),
            ("orders", "Ljava/util/List;"),
            ("number", "I"),
        ],
    );
    let order = class(
        "com.acme.Order",
        &[
            ("item", "Ljava/lang/String;"),
            ("cents", "J"),
            ("paid", "Z"),
        ],
    );
    let shop = class("com.acme.Shop", &[("customers", "Ljava/util/List;")]);
    let list_of = |builder: &mut HeapBuilder, elements: &[Value]| {
        let data = Value::Ref(builder.array(array, true, elements));
        Value::Ref(builder.instance(list, &[data, Value::Int(elements.len() as i32)]))
    };
    let mut customers = Vec::new();
    for number in 0..objects.div_ceil(EACH) {
        let name = Value::Ref(builder.string(string, &format!("Customer {number}")));
        let orders: Vec<Value> = (0..ORDERS)
            .map(|at| {
                let item = format!("item-{number}-{at}");
                let item = Value::Ref(builder.string(string, &item));
                let cents = Value::Long(i64::from(number * 100 + at));
                Value::Ref(builder.instance(order, &[item, cents, Value::Boolean(at % 2 == 0)]))
            })
            .collect();
        let orders = list_of(&mut builder, &orders);
        let number = Value::Int(number as i32);
        customers.push(Value::Ref(
            builder.instance(customer, &[name, orders, number]),
        ));
    }
    let customers = list_of(&mut builder, &customers);
    let shop = Value::Ref(builder.instance(shop, &[customers]));
    with_heap(builder, shop)
}

/// Names and texts that would like to be more than that.
pub fn hostile() -> (Snapshot, Findings) {
    let mut builder = HeapBuilder::new();
    let string = class(&mut builder, "java.lang.String", &[]);
    let name = format!("evil.{MARKUP}");
    let wicked = class(
        &mut builder,
        &name,
        &[
            (MARKUP, "Ljava/lang/String;"),
            ("__proto__", "Ljava/lang/String;"),
            ("unit", "C"),
        ],
    );
    let markup = Value::Ref(builder.string(string, MARKUP));
    let controls = Value::Ref(builder.string(
        string,
        "\0\u{1b}[2J\u{202e}\r\n\u{2028}\"'\\&amp;{{script}}",
    ));
    let wicked = builder.instance(wicked, &[markup, controls, Value::Char(0xd800)]);
    let mut snapshot = with_heap(builder, Value::Ref(wicked));
    let manifest = &mut snapshot.manifest;
    manifest.thread.name = MARKUP.into();
    manifest.label = Some(MARKUP.into());
    manifest.fingerprint = MARKUP.into();
    manifest.recrash = MARKUP.into();
    manifest.limits = vec![MARKUP.into()];
    manifest.unwoven[0].class = MARKUP.into();
    manifest.environment.java_version = MARKUP.into();
    manifest.environment.class_path = vec![MARKUP.into()];
    manifest.environment.system_properties = vec![(MARKUP.into(), "__proto__".into())];
    for throwable in &mut manifest.throwables {
        throwable.class = format!("evil.{MARKUP}");
        throwable.message = Some(format!("\0\u{202e}{MARKUP}"));
        throwable.trace[0].method = MARKUP.into();
    }
    manifest.frames[0].element.method = MARKUP.into();
    let captured = manifest.frames[0].captured.as_mut().unwrap();
    captured.arguments[0].name = Some(MARKUP.into());
    let mut findings = support::findings();
    findings.rows[0].reason = MARKUP.into();
    findings.rows[0].test = Some(MARKUP.into());
    findings.notes = vec![MARKUP.into()];
    findings.tests = vec![TestSource {
        path: MARKUP.into(),
        text: format!("/* {MARKUP} */\n\u{202e}\"{MARKUP}\"\n"),
    }];
    (snapshot, findings)
}
