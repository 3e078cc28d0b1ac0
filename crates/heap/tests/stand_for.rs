//! Proxies and what they stand for.

use crate::support::manifest::manifest;
use recrash_heap::{
    ClassIndex, ClassSpec, Heap, HeapBuilder, Kind, ObjectId, Snapshot, Value, in_their_places,
    targets,
};

const ENTITY: &str = "shop.Customer";
const PROXY: &str = "shop.Customer$$Late";
const REFERENCE: &str = "Ljava/lang/Object;";

struct World {
    heap: HeapBuilder,
    entity: ClassIndex,
    proxy: ClassIndex,
    loader: ClassIndex,
    list: ClassIndex,
}

impl World {
    fn new() -> Self {
        let mut heap = HeapBuilder::new();
        let mut class = |name, super_class, fields: &[(&str, &str)]| {
            heap.class(&ClassSpec {
                name,
                super_class,
                fields,
                ..ClassSpec::default()
            })
        };
        let entity = class(ENTITY, None, &[("id", "I")]);
        let proxy = class(PROXY, Some(entity), &[("loader", REFERENCE)]);
        let loader = class(
            "orm.Loader",
            None,
            &[("target", REFERENCE), ("others", REFERENCE)],
        );
        let list = class("java.util.Box", None, &[("one", REFERENCE)]);
        Self {
            heap,
            entity,
            proxy,
            loader,
            list,
        }
    }

    /// A proxy that leads to these two by way of its loader.
    fn proxy(&mut self, target: Value, others: Value) -> ObjectId {
        let loader = self.heap.instance(self.loader, &[target, others]);
        self.heap
            .instance(self.proxy, &[Value::Int(0), Value::Ref(loader)])
    }

    fn snapshot(self, values: &[Value]) -> Snapshot {
        Snapshot {
            manifest: manifest(values),
            heap: Heap::parse(self.heap.finish(), 1000).unwrap(),
            classes: Vec::new(),
        }
    }
}

#[test]
fn a_proxy_stands_for_the_one_entity_that_its_loader_has() {
    let mut world = World::new();
    let entity = world.heap.instance(world.entity, &[Value::Int(7)]);
    let proxy = world.proxy(Value::Ref(entity), Value::Null);
    let holder = world.heap.instance(world.list, &[Value::Ref(proxy)]);
    let snapshot = world.snapshot(&[Value::Ref(proxy), Value::Ref(holder)]);
    let targets = targets(&snapshot);
    assert_eq!(targets.into_iter().collect::<Vec<_>>(), [(proxy, entity)]);

    let changed = in_their_places(&snapshot, &recrash_heap::targets(&snapshot));
    let captured = changed.manifest.frames[0].captured.as_ref().unwrap();
    assert_eq!(captured.arguments[0].value, Value::Ref(entity));
    let Kind::Instance { fields } = changed.heap.object(holder).unwrap().kind else {
        panic!("the holder is an instance");
    };
    assert_eq!(fields[0].value, Value::Ref(entity));
}

#[test]
fn a_proxy_that_has_loaded_nothing_stands_for_nothing() {
    let mut world = World::new();
    // Another entity, which the session knows.
    let other = world.heap.instance(world.entity, &[Value::Int(8)]);
    let known = world.heap.instance(world.list, &[Value::Ref(other)]);
    let proxy = world.proxy(Value::Null, Value::Ref(known));
    let snapshot = world.snapshot(&[Value::Ref(proxy)]);
    assert!(targets(&snapshot).is_empty());
}

#[test]
fn of_two_entities_neither_is_taken() {
    let mut world = World::new();
    let one = world.heap.instance(world.entity, &[Value::Int(7)]);
    let other = world.heap.instance(world.entity, &[Value::Int(8)]);
    let proxy = world.proxy(Value::Ref(one), Value::Ref(other));
    let snapshot = world.snapshot(&[Value::Ref(proxy)]);
    assert!(targets(&snapshot).is_empty());
}
