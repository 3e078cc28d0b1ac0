//! Objects of the JDK's classes: by what they hold, not by how they hold it.

use super::agreement::integer;
use super::arrays::singular;
use super::made::{Blocked, Made, Result};
use super::planner::{LONGEST_TEXT, Planner};
use crate::literal;
use recrash_classfile::access;
use recrash_heap::manifest::Value;
use recrash_heap::{Kind, Object};
use recrash_report::{View, view};

/// Elements of a collection that are written out.
const MOST_ELEMENTS: usize = 64;

impl<'s> Planner<'s, '_> {
    pub(super) fn library(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        let class = object.class;
        if let Some(made) = self.scalar(object) {
            return Ok(self.maybe_named(object.id, made, hint));
        }
        if let Some(made) = self.stream(object, hint)? {
            return Ok(made);
        }
        match class {
            "java.util.ArrayList"
            | "java.util.LinkedList"
            | "java.util.Vector"
            | "java.util.Stack"
            | "java.util.ArrayDeque"
            | "java.util.HashSet"
            | "java.util.LinkedHashSet"
            | "java.util.TreeSet"
            | "java.util.PriorityQueue" => self.collection(object, hint),
            "java.util.HashMap"
            | "java.util.LinkedHashMap"
            | "java.util.TreeMap"
            | "java.util.Hashtable"
            | "java.util.concurrent.ConcurrentHashMap" => self.map(object, hint),
            _ => match self.wrapper(object, hint)? {
                Some(made) => Ok(made),
                None => self.by_public_constructor(object, hint),
            },
        }
    }

    /// What has a short text of its own.
    fn scalar(&mut self, object: &Object<'s>) -> Option<Made> {
        let class = object.class;
        let text = match class {
            "java.lang.Object" => "new Object()".to_owned(),
            "java.lang.StringBuilder" | "java.lang.StringBuffer" => {
                let units = self.builder_text(object)?;
                let simple = self.scope.library(class);
                if units.is_empty() {
                    format!("new {simple}()")
                } else {
                    format!("new {simple}({})", self.text(&units, "text")?)
                }
            }
            "java.util.concurrent.atomic.AtomicInteger"
            | "java.util.concurrent.atomic.AtomicLong"
            | "java.util.concurrent.atomic.AtomicBoolean"
            | "java.util.Date"
            | "java.util.Random" => {
                let number = self.number_in(object)?;
                format!("new {}({number})", self.scope.library(class))
            }
            "java.io.File" => {
                let path = self.text_in(object, "path")?;
                format!(
                    "new {}({})",
                    self.scope.library(class),
                    literal::string(&path)
                )
            }
            "java.util.BitSet" => {
                let words = elements(&self.object_in(object, "words")?);
                let words: Vec<String> = words
                    .iter()
                    .filter_map(|word| integer(*word))
                    .map(literal::long)
                    .collect();
                let simple = self.scope.library(class);
                format!("{simple}.valueOf(new long[] {{{}}})", words.join(", "))
            }
            "java.util.Locale" => {
                let base = self.object_in(object, "baseLocale")?;
                let language = literal::string(&self.text_in(&base, "language")?);
                let region = literal::string(&self.text_in(&base, "region")?);
                format!("new {}({language}, {region})", self.scope.library(class))
            }
            "java.time.LocalTime"
            | "java.time.LocalDateTime"
            | "java.time.Instant"
            | "java.time.Duration" => self.time(object)?,
            "java.util.regex.Pattern" => {
                let pattern = literal::string(&self.text_in(object, "pattern")?);
                let flags = field_of(object, "flags0").or(field_of(object, "flags"));
                let flags = match integer(flags?)? {
                    0 => String::new(),
                    flags => format!(", {flags}"),
                };
                let simple = self.scope.library(class);
                format!("{simple}.compile({pattern}{flags})")
            }
            _ => return None,
        };
        Some(Made::of(text, class))
    }

    /// The one number that makes the object, as its constructor takes it.
    fn number_in(&self, object: &Object<'s>) -> Option<String> {
        let value = |name: &str| integer(field_of(object, name)?);
        match object.class {
            "java.util.concurrent.atomic.AtomicInteger" => Some(value("value")?.to_string()),
            "java.util.concurrent.atomic.AtomicLong" => Some(literal::long(value("value")?)),
            "java.util.concurrent.atomic.AtomicBoolean" => Some((value("value")? != 0).to_string()),
            "java.util.Date" => Some(literal::long(value("fastTime")?)),
            _ => {
                /// `Random` scrambles what it is given with this number.
                const SCRAMBLE: i64 = 0x5_DEEC_E66D;
                let seed = self.object_in(object, "seed")?;
                Some(literal::long(
                    integer(field_of(&seed, "value")?)? ^ SCRAMBLE,
                ))
            }
        }
    }

    fn time(&mut self, object: &Object<'s>) -> Option<String> {
        let class = self.scope.library(object.class);
        let number = |object: &Object<'_>, name: &str| integer(field_of(object, name)?);
        let clock = |time: &Object<'_>| {
            let parts = ["hour", "minute", "second", "nano"].map(|name| number(time, name));
            let [Some(hour), Some(minute), Some(second), Some(nano)] = parts else {
                return None;
            };
            Some(format!("{hour}, {minute}, {second}, {nano}"))
        };
        match object.class {
            "java.time.LocalTime" => Some(format!("{class}.of({})", clock(object)?)),
            "java.time.LocalDateTime" => {
                let date = self.object_in(object, "date")?;
                let time = self.object_in(object, "time")?;
                let (year, month, day) = (
                    number(&date, "year")?,
                    number(&date, "month")?,
                    number(&date, "day")?,
                );
                Some(format!(
                    "{class}.of({year}, {month}, {day}, {})",
                    clock(&time)?
                ))
            }
            "java.time.Instant" => Some(format!(
                "{class}.ofEpochSecond({}, {}L)",
                literal::long(number(object, "seconds")?),
                number(object, "nanos")?
            )),
            _ => Some(format!(
                "{class}.ofSeconds({}, {}L)",
                literal::long(number(object, "seconds")?),
                number(object, "nanos")?
            )),
        }
    }

    /// Readers, writers and streams over memory, and writers to standard output.
    fn stream(&mut self, object: &Object<'s>, hint: &str) -> Result<Option<Made>> {
        let number = |name: &str| field_of(object, name).and_then(integer);
        let class = object.class;
        match class {
            "java.io.ByteArrayInputStream" => {
                let (Some(buffer), Some(position), Some(count)) =
                    (field_of(object, "buf"), number("pos"), number("count"))
                else {
                    return Ok(None);
                };
                let bytes = self.fitting("[B", buffer, "bytes")?;
                let length = self
                    .target(buffer)
                    .map_or(0, |array| elements(&array).len() as i64);
                let simple = self.scope.library(class);
                let made = if count == length {
                    Made::of(format!("new {simple}({bytes})"), class)
                } else {
                    Made::of(format!("new {simple}({bytes}, 0, {count})"), class)
                };
                if position == 0 {
                    return Ok(Some(self.maybe_named(object.id, made, hint)));
                }
                let variable = self.named(object.id, &made, hint);
                self.statement(&format!("{}.skip({position});", variable.text));
                Ok(Some(variable))
            }
            "java.io.StringReader" => {
                let (Some(text), Some(next)) = (field_of(object, "str"), number("next")) else {
                    return Ok(None);
                };
                if text == Value::Null {
                    return Ok(None);
                }
                let text = self.fitting("Ljava/lang/String;", text, "text")?;
                let made = Made::of(format!("new {}({text})", self.scope.library(class)), class);
                if next == 0 {
                    return Ok(Some(self.maybe_named(object.id, made, hint)));
                }
                let variable = self.named(object.id, &made, hint);
                self.statement(&format!("{}.skip({next});", variable.text));
                Ok(Some(variable))
            }
            "java.io.StringWriter" => {
                let text = self
                    .object_in(object, "buf")
                    .and_then(|buffer| self.builder_text(&buffer));
                let Some(text) = text else {
                    return Ok(None);
                };
                let made = Made::of(format!("new {}()", self.scope.library(class)), class);
                if text.is_empty() {
                    return Ok(Some(self.maybe_named(object.id, made, hint)));
                }
                let Some(text) = self.text(&text, "text") else {
                    return Ok(None);
                };
                let variable = self.named(object.id, &made, hint);
                self.statement(&format!("{}.write({text});", variable.text));
                Ok(Some(variable))
            }
            "java.io.ByteArrayOutputStream" => {
                let (Some(buffer), Some(count)) = (field_of(object, "buf"), number("count")) else {
                    return Ok(None);
                };
                let made = Made::of(format!("new {}()", self.scope.library(class)), class);
                if count == 0 {
                    return Ok(Some(self.maybe_named(object.id, made, hint)));
                }
                let bytes = self.fitting("[B", buffer, "bytes")?;
                let variable = self.named(object.id, &made, hint);
                self.statement(&format!("{}.write({bytes}, 0, {count});", variable.text));
                Ok(Some(variable))
            }
            "java.io.OutputStreamWriter" => {
                let Some(out) = self
                    .object_in(object, "se")
                    .and_then(|encoder| field_of(&encoder, "out"))
                else {
                    return Ok(None);
                };
                if out == Value::Null {
                    return Ok(None);
                }
                let out = self.fitting("Ljava/io/OutputStream;", out, "out")?;
                let made = Made::of(format!("new {}({out})", self.scope.library(class)), class);
                Ok(Some(self.maybe_named(object.id, made, hint)))
            }
            _ => Ok(None),
        }
    }

    fn collection(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        let View::Sequence { elements, size } = view(self.world.graph, object) else {
            return Err(Blocked::because(object.class));
        };
        if size > MOST_ELEMENTS {
            return Err(Blocked::because(format!("a collection of {size} elements")));
        }
        self.refuse_made_up_order(object, elements.iter().copied())?;
        let sorted = object.class == "java.util.TreeSet";
        let comparator = if sorted {
            let map = self.object_in(object, "m");
            map.and_then(|map| field_of(&map, "comparator"))
        } else {
            field_of(object, "comparator")
        };
        let order = match comparator {
            Some(Value::Ref(_)) => self.fitting(
                "Ljava/util/Comparator;",
                comparator.unwrap_or(Value::Null),
                "order",
            )?,
            _ => self.capacity(object),
        };
        self.generic = true;
        let simple = self.scope.library(object.class);
        let made = Made::of(format!("new {simple}({order})"), object.class);
        if elements.is_empty() {
            return Ok(self.maybe_named(object.id, made, hint));
        }
        if object.class == "java.util.ArrayList" && self.are_literals(&elements) {
            let parts: Result<Vec<String>> = elements
                .iter()
                .map(|element| self.fitting("Ljava/lang/Object;", *element, ""))
                .collect();
            let arrays = self.scope.library("java.util.Arrays");
            let text = format!("new {simple}({arrays}.asList({}))", parts?.join(", "));
            return Ok(self.maybe_named(object.id, Made::of(text, object.class), hint));
        }
        let variable = self.named(object.id, &made, hint);
        for element in elements {
            let text = self.fitting("Ljava/lang/Object;", element, &singular(hint))?;
            self.statement(&format!("{}.add({text});", variable.text));
        }
        Ok(variable)
    }

    fn map(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        let entries = match view(self.world.graph, object) {
            View::Table { entries, .. } => entries,
            _ => self
                .hashtable(object)
                .ok_or_else(|| Blocked::because(object.class))?,
        };
        if entries.len() > MOST_ELEMENTS {
            return Err(Blocked::because(format!(
                "a map of {} entries",
                entries.len()
            )));
        }
        self.refuse_made_up_order(object, entries.iter().map(|(key, _)| *key))?;
        let order = match field_of(object, "comparator") {
            Some(value @ Value::Ref(_)) => {
                self.fitting("Ljava/util/Comparator;", value, "order")?
            }
            _ => self.capacity(object),
        };
        self.generic = true;
        let simple = self.scope.library(object.class);
        let made = Made::of(format!("new {simple}({order})"), object.class);
        if entries.is_empty() {
            return Ok(self.maybe_named(object.id, made, hint));
        }
        let variable = self.named(object.id, &made, hint);
        for (key, value) in entries {
            let key = self.fitting("Ljava/lang/Object;", key, "key")?;
            let value = self.fitting("Ljava/lang/Object;", value, &singular(hint))?;
            self.statement(&format!("{}.put({key}, {value});", variable.text));
        }
        Ok(variable)
    }

    /// The order of a hash table depends on its size, which is only written where it is not the usual one.
    fn capacity(&self, object: &Object<'s>) -> String {
        let table = match object.class {
            "java.util.HashMap" => self.object_in(object, "table"),
            "java.util.HashSet" => {
                let map = self.object_in(object, "map");
                map.and_then(|map| self.object_in(&map, "table"))
            }
            _ => None,
        };
        let Some(table) = table else {
            return String::new();
        };
        let length = elements(&table).len();
        let size = match view(self.world.graph, object) {
            View::Sequence { size, .. } | View::Table { size, .. } => size,
            _ => 0,
        };
        let mut usual = 16;
        while size * 4 > usual * 3 {
            usual *= 2;
        }
        // A capacity that is no power of two is rounded up to the next.
        if length == usual || length == 0 {
            String::new()
        } else {
            length.to_string()
        }
    }

    /// The entries of a `Hashtable` such that adding them gives the same chains: each puts itself in front.
    fn hashtable(&self, object: &Object<'s>) -> Option<Vec<(Value, Value)>> {
        let table = self.object_in(object, "table")?;
        let mut entries = Vec::new();
        for bucket in elements(&table) {
            let mut node = bucket;
            while let Some(entry) = self.target(node) {
                if entries.len() > MOST_ELEMENTS {
                    return Some(entries);
                }
                entries.push((field_of(&entry, "key")?, field_of(&entry, "value")?));
                node = field_of(&entry, "next")?;
            }
        }
        entries.reverse();
        Some(entries)
    }

    /// Views and wrappers of `Collections`, immutable collections, single holders.
    fn wrapper(&mut self, object: &Object<'s>, hint: &str) -> Result<Option<Made>> {
        let class = object.class;
        let (method, inner, kind) = match class.strip_prefix("java.util.Collections$") {
            Some("UnmodifiableList" | "UnmodifiableRandomAccessList") => {
                ("unmodifiableList", "list", "java.util.List")
            }
            Some("UnmodifiableCollection") => {
                ("unmodifiableCollection", "c", "java.util.Collection")
            }
            Some("UnmodifiableSet") => ("unmodifiableSet", "c", "java.util.Set"),
            Some("UnmodifiableMap") => ("unmodifiableMap", "m", "java.util.Map"),
            Some("SynchronizedList" | "SynchronizedRandomAccessList") => {
                ("synchronizedList", "list", "java.util.List")
            }
            Some("SynchronizedSet") => ("synchronizedSet", "c", "java.util.Set"),
            Some("SynchronizedMap") => ("synchronizedMap", "m", "java.util.Map"),
            Some("SingletonList") => ("singletonList", "element", "java.util.List"),
            Some("SingletonSet") => ("singleton", "element", "java.util.Set"),
            Some("EmptyList") => ("emptyList", "", "java.util.List"),
            Some("EmptySet") => ("emptySet", "", "java.util.Set"),
            Some("EmptyMap") => ("emptyMap", "", "java.util.Map"),
            _ => return self.holder(object, hint),
        };
        self.generic = true;
        let inner = match field_of(object, inner) {
            Some(value) => {
                let declared = if inner == "element" {
                    "java.lang.Object"
                } else {
                    kind
                };
                self.fitting(&crate::value::descriptor_of(declared), value, hint)?
            }
            None => String::new(),
        };
        let collections = self.scope.library("java.util.Collections");
        let made = Made::of(format!("{collections}.{method}({inner})"), kind);
        Ok(Some(self.maybe_named(object.id, made, hint)))
    }

    fn holder(&mut self, object: &Object<'s>, hint: &str) -> Result<Option<Made>> {
        let class = object.class;
        let made = match class {
            "java.util.Arrays$ArrayList" => {
                let array = field_of(object, "a").unwrap_or(Value::Null);
                let Some(elements) = self.target(array).map(|array| elements(&array)) else {
                    return Ok(None);
                };
                self.generic = true;
                let arrays = self.scope.library("java.util.Arrays");
                let text = if self.are_literals(&elements) {
                    let parts: Result<Vec<String>> = elements
                        .iter()
                        .map(|element| self.fitting("Ljava/lang/Object;", *element, ""))
                        .collect();
                    parts?.join(", ")
                } else {
                    self.fitting("[Ljava/lang/Object;", array, hint)?
                };
                Made::of(format!("{arrays}.asList({text})"), "java.util.List")
            }
            "java.util.ImmutableCollections$ListN"
            | "java.util.ImmutableCollections$List12"
            | "java.util.ImmutableCollections$SetN"
            | "java.util.ImmutableCollections$Set12" => {
                let View::Sequence { elements, size } = view(self.world.graph, object) else {
                    return Ok(None);
                };
                if size > MOST_ELEMENTS {
                    return Ok(None);
                }
                let kind = if class.contains("List") {
                    "java.util.List"
                } else {
                    "java.util.Set"
                };
                let parts: Result<Vec<String>> = elements
                    .iter()
                    .map(|element| self.fitting("Ljava/lang/Object;", *element, &singular(hint)))
                    .collect();
                self.generic = true;
                let simple = self.scope.library(kind);
                Made::of(format!("{simple}.of({})", parts?.join(", ")), kind)
            }
            "java.util.ImmutableCollections$Map1" | "java.util.ImmutableCollections$MapN" => {
                let View::Table { entries, .. } = view(self.world.graph, object) else {
                    return Ok(None);
                };
                // `Map.of` takes ten entries.
                if entries.len() > 10 {
                    return Ok(None);
                }
                let mut parts = Vec::new();
                for (key, value) in entries {
                    parts.push(self.fitting("Ljava/lang/Object;", key, "key")?);
                    parts.push(self.fitting("Ljava/lang/Object;", value, &singular(hint))?);
                }
                self.generic = true;
                let simple = self.scope.library("java.util.Map");
                Made::of(
                    format!("{simple}.of({})", parts.join(", ")),
                    "java.util.Map",
                )
            }
            "java.util.Optional" => {
                self.generic = true;
                let simple = self.scope.library(class);
                match field_of(object, "value") {
                    Some(value @ Value::Ref(_)) => {
                        let held = self.fitting("Ljava/lang/Object;", value, hint)?;
                        Made::of(format!("{simple}.of({held})"), class)
                    }
                    _ => Made::of(format!("{simple}.empty()"), class),
                }
            }
            "java.util.concurrent.atomic.AtomicReference" => {
                self.generic = true;
                let held = self.fitting(
                    "Ljava/lang/Object;",
                    field_of(object, "value").unwrap_or(Value::Null),
                    hint,
                )?;
                Made::of(format!("new {}({held})", self.scope.library(class)), class)
            }
            _ => return Ok(None),
        };
        Ok(Some(self.maybe_named(object.id, made, hint)))
    }

    /// Public classes of the JDK whose constructors, setters and public fields give the captured state.
    fn by_public_constructor(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        let class = object.class;
        let is_public = self
            .world
            .classes
            .shape(class)
            .is_some_and(|shape| shape.access & access::PUBLIC != 0);
        let is_exported = class.starts_with("java.") || class.starts_with("javax.");
        if !is_public || !is_exported || class.contains('$') {
            return Err(Blocked::because(format!("a {class}")));
        }
        self.generic |= self.scope.is_generic(class);
        self.built(object, hint).map_err(|blocked| match blocked {
            Blocked::TooMuch(_) => blocked,
            _ => Blocked::because(format!("a {class}")),
        })
    }

    fn are_literals(&self, elements: &[Value]) -> bool {
        !matches!(elements, [] | [Value::Null])
            && elements.iter().all(|element| match self.target(*element) {
                Some(object) => matches!(
                    object.kind,
                    Kind::String(_) | Kind::Boxed(_) | Kind::Enum { .. }
                ),
                None => *element == Value::Null,
            })
    }

    fn object_in(&self, object: &Object<'s>, name: &str) -> Option<Object<'s>> {
        self.target(field_of(object, name)?)
    }

    fn text_in(&self, object: &Object<'s>, name: &str) -> Option<Vec<u16>> {
        match self.object_in(object, name)?.kind {
            Kind::String(text) if text.len() <= literal::LONGEST_STRING => {
                Some(text.units().collect())
            }
            _ => None,
        }
    }

    /// The characters in a `StringBuilder`.
    fn builder_text(&self, builder: &Object<'s>) -> Option<Vec<u16>> {
        let count = usize::try_from(integer(field_of(builder, "count")?)?).ok()?;
        let wide = integer(field_of(builder, "coder")?)? == 1;
        let bytes: Vec<u8> = elements(&self.object_in(builder, "value")?)
            .iter()
            .filter_map(|byte| integer(*byte))
            .map(|byte| byte as u8)
            .collect();
        let units: Vec<u16> = if wide {
            let pairs = bytes.chunks_exact(2);
            pairs
                .map(|pair| u16::from_le_bytes(pair.try_into().unwrap_or_default()))
                .collect()
        } else {
            bytes.into_iter().map(u16::from).collect()
        };
        (count <= LONGEST_TEXT).then(|| units.into_iter().take(count).collect())
    }
}

/// The nearest field of that name, looking at the most derived class first.
fn field_of(object: &Object<'_>, name: &str) -> Option<Value> {
    let mut fields = object.kind.fields().iter().rev();
    fields
        .find(|field| field.name == name)
        .map(|field| field.value)
}

fn elements(array: &Object<'_>) -> Vec<Value> {
    match &array.kind {
        Kind::Array { elements, .. } => elements.clone(),
        _ => Vec::new(),
    }
}
