//! One object, made readable: what a person would call its contents.

use crate::big_number::big_number;
use crate::class_name::class_name;
use crate::fields::{field_of, integer};
use crate::graph::Graph;
use crate::literal::{primitive, quoted};
use recrash_heap::manifest::Value;
use recrash_heap::{Kind, Object, Text};

/// At most this many elements of a collection are collected; nobody reads more, and a hostile linked list is cyclic.
const MOST_ELEMENTS: usize = 10_000;

/// The contents of an object in the user's words.
#[derive(Debug, Clone, PartialEq)]
pub enum View<'a> {
    String(Text<'a>),
    /// A value with a short text of its own: a boxed number, an enum constant, a date.
    Scalar(String),
    /// The elements of an array, list, set or queue. `size` may exceed `elements.len()`.
    Sequence {
        elements: Vec<Value>,
        size: usize,
    },
    /// The entries of a map.
    Table {
        entries: Vec<(Value, Value)>,
        size: usize,
    },
    Fields(Vec<(&'a str, Value)>),
    /// Not in the snapshot, and why.
    Absent(String),
}

/// How `object` reads.
pub fn view<'a>(graph: Graph<'a>, object: &Object<'a>) -> View<'a> {
    match &object.kind {
        Kind::String(text) => View::String(*text),
        Kind::Boxed(value) => View::Scalar(primitive(*value)),
        Kind::Enum { constant, .. } => View::Scalar((*constant).to_owned()),
        Kind::Class { name } => View::Scalar(format!("{name}.class")),
        Kind::WellKnown { class, field } => View::Scalar(format!("{}.{field}", class_name(class))),
        Kind::Member { owner, name, .. } => View::Scalar(format!("{}.{name}", class_name(owner))),
        Kind::StandIn { reason, text: "" } => View::Absent(reason.as_str().to_owned()),
        Kind::StandIn { reason, text } => View::Absent(format!("{} \"{text}\"", reason.as_str())),
        Kind::Cut => View::Absent("cut by the capture budget".to_owned()),
        Kind::Array { elements, .. } => sequence(elements.clone()),
        Kind::Lambda { lambda, fields } if fields.is_empty() => {
            View::Scalar(format!("{}::{}", class_name(&lambda.owner), lambda.name))
        }
        Kind::Instance { .. } => Instance { graph, object }.view(),
        Kind::Lambda { fields, .. } | Kind::Proxy { fields, .. } => View::Fields(
            fields
                .iter()
                .map(|field| (field.name, field.value))
                .collect(),
        ),
    }
}

fn sequence<'a>(mut elements: Vec<Value>) -> View<'a> {
    let size = elements.len();
    elements.truncate(MOST_ELEMENTS);
    View::Sequence { elements, size }
}

/// An ordinary object, with the shapes of well-known JDK classes recognised by name. A shape that does not fit
/// (another JDK, a hostile snapshot) falls back to the plain fields.
struct Instance<'a, 'o> {
    graph: Graph<'a>,
    object: &'o Object<'a>,
}

impl<'a> Instance<'a, '_> {
    fn view(&self) -> View<'a> {
        self.known_shape().unwrap_or_else(|| {
            View::Fields(
                self.object
                    .kind
                    .fields()
                    .iter()
                    .map(|field| (field.name, field.value))
                    .collect(),
            )
        })
    }

    fn known_shape(&self) -> Option<View<'a>> {
        let class = self.object.class;
        match class {
            "java.util.ArrayList" => self.counted(self.field("elementData")?, self.field("size")?),
            "java.util.Vector" | "java.util.Stack" => {
                self.counted(self.field("elementData")?, self.field("elementCount")?)
            }
            "java.util.Arrays$ArrayList" => self.array(self.field("a")?).map(sequence),
            "java.util.ImmutableCollections$ListN" => {
                self.array(self.field("elements")?).map(sequence)
            }
            "java.util.ImmutableCollections$List12" | "java.util.ImmutableCollections$Set12" => {
                let mut elements = vec![self.field("e0")?];
                // The second place of a one-element list holds a marker of the JDK.
                let second = self.field("e1")?;
                let marker = self.heap_object(second).is_some_and(|o| {
                    matches!(o.kind, Kind::WellKnown { .. }) || o.class == "java.lang.Object"
                });
                if second != Value::Null && !marker {
                    elements.push(second);
                }
                Some(sequence(elements))
            }
            "java.util.ImmutableCollections$SetN" => {
                let elements = self.array(self.field("elements")?)?;
                Some(sequence(
                    elements
                        .into_iter()
                        .filter(|element| *element != Value::Null)
                        .collect(),
                ))
            }
            "java.util.LinkedList" => self.chain(self.field("first")?, "item"),
            "java.util.ArrayDeque" => self.ring(),
            "java.util.PriorityQueue" => self.counted(self.field("queue")?, self.field("size")?),
            "java.util.HashMap" => self.hash_map(),
            "java.util.concurrent.ConcurrentHashMap" => self.buckets("val"),
            "java.util.LinkedHashMap" => self.linked_map(),
            "java.util.TreeMap" => self.tree_map(),
            "java.util.HashSet" | "java.util.LinkedHashSet" => self.keys_of(self.field("map")?),
            "java.util.TreeSet" => self.keys_of(self.field("m")?),
            "java.util.Collections$UnmodifiableCollection"
            | "java.util.Collections$UnmodifiableList"
            | "java.util.Collections$UnmodifiableRandomAccessList"
            | "java.util.Collections$UnmodifiableSet" => self.inner_view("c"),
            "java.util.Collections$UnmodifiableMap" => self.inner_view("m"),
            "java.util.ImmutableCollections$MapN" => {
                let table = self.array(self.field("table")?)?;
                let entries = table.chunks_exact(2).filter_map(|pair| match pair {
                    [key, value] if *key != Value::Null => Some((*key, *value)),
                    _ => None,
                });
                Some(entries_view(entries.collect()))
            }
            "java.util.ImmutableCollections$Map1" => {
                Some(entries_view(vec![(self.field("k0")?, self.field("v0")?)]))
            }
            "java.lang.StringBuilder" | "java.lang.StringBuffer" => self.builder(),
            "java.math.BigInteger" | "java.math.BigDecimal" => self.number(),
            "java.time.LocalDate" => {
                let (year, month, day) = (self.int("year")?, self.int("month")?, self.int("day")?);
                Some(View::Scalar(format!("{year:04}-{month:02}-{day:02}")))
            }
            "java.time.LocalTime" => {
                let (hour, minute, second) =
                    (self.int("hour")?, self.int("minute")?, self.int("second")?);
                Some(View::Scalar(format!("{hour:02}:{minute:02}:{second:02}")))
            }
            "java.util.UUID" => {
                let (high, low) = (
                    self.int("mostSigBits")? as u64,
                    self.int("leastSigBits")? as u64,
                );
                Some(View::Scalar(format!(
                    "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                    high >> 32,
                    (high >> 16) & 0xffff,
                    high & 0xffff,
                    low >> 48,
                    low & 0xffff_ffff_ffff
                )))
            }
            "java.io.File" => match self.heap_object(self.field("path")?)?.kind {
                Kind::String(text) => Some(View::String(text)),
                _ => None,
            },
            "java.lang.Object" => Some(View::Fields(Vec::new())),
            _ if is_boxed(class) => Some(View::Scalar(primitive(self.field("value")?))),
            _ => None,
        }
    }

    fn field(&self, name: &str) -> Option<Value> {
        field_of(self.object, name)
    }

    fn int(&self, name: &str) -> Option<i64> {
        integer(self.field(name)?)
    }

    fn heap_object(&self, value: Value) -> Option<Object<'a>> {
        self.graph.target(value)
    }

    fn array(&self, value: Value) -> Option<Vec<Value>> {
        match self.heap_object(value)?.kind {
            Kind::Array { elements, .. } => Some(elements),
            _ => None,
        }
    }

    fn counted(&self, array: Value, size: Value) -> Option<View<'a>> {
        let size = usize::try_from(integer(size)?).ok()?;
        let mut elements = self.array(array).unwrap_or_default();
        if elements.len() < size {
            return None;
        }
        elements.truncate(size);
        Some(sequence(elements))
    }

    fn chain(&self, first: Value, item: &str) -> Option<View<'a>> {
        let mut elements = Vec::new();
        let mut node = first;
        while node != Value::Null && elements.len() < MOST_ELEMENTS {
            let object = self.heap_object(node)?;
            elements.push(field_of(&object, item)?);
            node = field_of(&object, "next")?;
        }
        Some(sequence(elements))
    }

    fn ring(&self) -> Option<View<'a>> {
        let elements = self.array(self.field("elements")?)?;
        let head = usize::try_from(self.int("head")?).ok()?;
        let tail = usize::try_from(self.int("tail")?).ok()?;
        let found = if head <= tail {
            elements.get(head..tail)?.to_vec()
        } else {
            [elements.get(head..)?, elements.get(..tail)?].concat()
        };
        Some(sequence(found))
    }

    fn hash_map(&self) -> Option<View<'a>> {
        self.buckets("value")
    }

    fn buckets(&self, value_field: &str) -> Option<View<'a>> {
        let table = self.field("table")?;
        if table == Value::Null {
            return Some(entries_view(Vec::new()));
        }
        let mut entries = Vec::new();
        for bucket in self.array(table)? {
            let mut node = bucket;
            while node != Value::Null {
                if entries.len() >= MOST_ELEMENTS {
                    return Some(entries_view(entries));
                }
                let object = self.heap_object(node)?;
                entries.push((field_of(&object, "key")?, field_of(&object, value_field)?));
                node = field_of(&object, "next")?;
            }
        }
        Some(entries_view(entries))
    }

    fn linked_map(&self) -> Option<View<'a>> {
        let mut entries = Vec::new();
        let mut node = self.field("head")?;
        while node != Value::Null && entries.len() < MOST_ELEMENTS {
            let object = self.heap_object(node)?;
            entries.push((field_of(&object, "key")?, field_of(&object, "value")?));
            node = field_of(&object, "after")?;
        }
        Some(entries_view(entries))
    }

    /// In order, without recursion: the depth of a hostile tree is its size.
    fn tree_map(&self) -> Option<View<'a>> {
        let mut entries = Vec::new();
        let mut open: Vec<Object<'a>> = Vec::new();
        let mut node = self.field("root")?;
        let mut steps = 0;
        loop {
            steps += 1;
            if steps > 4 * MOST_ELEMENTS {
                return Some(entries_view(entries));
            }
            if node == Value::Null {
                let Some(object) = open.pop() else {
                    return Some(entries_view(entries));
                };
                entries.push((field_of(&object, "key")?, field_of(&object, "value")?));
                node = field_of(&object, "right")?;
            } else {
                let object = self.heap_object(node)?;
                node = field_of(&object, "left")?;
                open.push(object);
            }
        }
    }

    fn keys_of(&self, map: Value) -> Option<View<'a>> {
        let object = self.heap_object(map)?;
        match view(self.graph, &object) {
            View::Table { entries, .. } if object.class.ends_with("Map") => {
                Some(sequence(entries.into_iter().map(|(key, _)| key).collect()))
            }
            _ => None,
        }
    }

    /// A wrapper reads as what it wraps; only one level, because wrappers of a hostile snapshot may form a cycle.
    fn inner_view(&self, field: &str) -> Option<View<'a>> {
        let object = self.heap_object(self.field(field)?)?;
        if object
            .class
            .starts_with("java.util.Collections$Unmodifiable")
        {
            return None;
        }
        Some(view(self.graph, &object))
    }

    fn builder(&self) -> Option<View<'a>> {
        let count = usize::try_from(self.int("count")?).ok()?;
        let wide = self.int("coder").unwrap_or(0) == 1;
        let bytes: Option<Vec<u8>> = self
            .array(self.field("value")?)?
            .into_iter()
            .map(|value| {
                if let Value::Byte(byte) = value {
                    Some(byte as u8)
                } else {
                    None
                }
            })
            .take(MOST_ELEMENTS)
            .collect();
        let bytes = bytes?;
        let units: Vec<u16> = if wide {
            bytes
                .chunks_exact(2)
                .map(|pair| {
                    u16::from_le_bytes([
                        pair.first().copied().unwrap_or(0),
                        pair.get(1).copied().unwrap_or(0),
                    ])
                })
                .take(count)
                .collect()
        } else {
            bytes.into_iter().map(u16::from).take(count).collect()
        };
        Some(View::Scalar(quoted(units.into_iter(), count)))
    }

    fn number(&self) -> Option<View<'a>> {
        big_number(self.graph, self.object).map(View::Scalar)
    }
}

fn entries_view<'a>(mut entries: Vec<(Value, Value)>) -> View<'a> {
    let size = entries.len();
    entries.truncate(MOST_ELEMENTS);
    View::Table { entries, size }
}

fn is_boxed(class: &str) -> bool {
    matches!(
        class,
        "java.lang.Boolean"
            | "java.lang.Byte"
            | "java.lang.Character"
            | "java.lang.Short"
            | "java.lang.Integer"
            | "java.lang.Long"
            | "java.lang.Float"
            | "java.lang.Double"
            | "java.util.concurrent.atomic.AtomicInteger"
            | "java.util.concurrent.atomic.AtomicLong"
    )
}
