//! Which types the test may name from its package, and under which names.

use crate::descriptor::{self, Element};
use crate::names;
use crate::oracle::{Nesting, TypeOracle, flags};
use std::collections::BTreeMap;

/// The names visible in one generated class.
pub struct Scope<'a> {
    package: String,
    /// The simple name of the test.
    test: String,
    oracle: &'a dyn TypeOracle,
    /// Simple name → qualified name of the top-level type it stands for in this file.
    bound: BTreeMap<String, String>,
}

impl<'a> Scope<'a> {
    pub fn new(package: &str, oracle: &'a dyn TypeOracle) -> Self {
        Scope {
            package: package.to_owned(),
            test: String::new(),
            oracle,
            bound: BTreeMap::new(),
        }
    }

    pub(crate) fn package(&self) -> &str {
        &self.package
    }

    pub(crate) fn test(&self) -> &str {
        &self.test
    }

    /// The class itself takes its name before anything is imported.
    pub fn declare(&mut self, simple: &str) {
        simple.clone_into(&mut self.test);
        let qualified = qualify(&self.package, simple);
        self.bound.insert(simple.to_owned(), qualified);
    }

    /// How to write a binary class name, or `None` where source in this package cannot name it.
    pub(crate) fn class(&mut self, class: &str) -> Option<String> {
        let path = self.path(class, 0)?;
        let (top, nested) = path.split_first()?;
        let mut text = self.top_level(top);
        if text.is_empty() {
            return None;
        }
        for part in nested {
            text.push('.');
            text.push_str(part);
        }
        Some(text)
    }

    /// Whether source in this package can name the class.
    pub fn can_name(&self, class: &str) -> bool {
        self.path(class, 0).is_some()
    }

    /// A type of the test runtime or of JUnit; always public.
    pub fn library(&mut self, qualified: &str) -> String {
        self.top_level(qualified)
    }

    /// How to write a field descriptor, or `None` where it names an inaccessible class.
    pub fn descriptor(&mut self, descriptor: &str) -> Option<String> {
        let parsed = descriptor::field(descriptor)?;
        let element = match parsed.element {
            Element::Primitive(keyword) => keyword.to_owned(),
            Element::Class(internal) => self.class(&internal.replace('/', "."))?,
        };
        Some(element + &"[]".repeat(parsed.dimensions))
    }

    /// Whether a member with `access` of `class` can be used by name; the class itself is checked apart.
    pub(crate) fn admits_member(&self, class: &str, access: u16) -> bool {
        access & flags::PUBLIC != 0
            || (access & flags::PRIVATE == 0 && names::package_of(class) == self.package)
    }

    pub(crate) fn is_generic(&self, class: &str) -> bool {
        match self.oracle.facts(class) {
            Some(facts) => facts.generic,
            None => GENERIC_OF_JDK.contains(&class),
        }
    }

    /// The `import` lines that the source of a class needs, sorted.
    pub fn imports_in(&self, class: &str) -> Vec<String> {
        let mut words = std::collections::BTreeSet::new();
        words.extend(class.split(|c: char| c != '_' && c != '$' && !c.is_ascii_alphanumeric()));
        let mut lines: Vec<String> = self
            .bound
            .iter()
            .filter(|(simple, qualified)| {
                let package = names::package_of(qualified);
                package != self.package && package != "java.lang" && words.contains(simple.as_str())
            })
            .map(|(_, qualified)| qualified)
            .map(|qualified| format!("import {qualified};"))
            .collect();
        lines.sort();
        lines
    }

    /// Top-level qualified name followed by the simple names of the member classes on the way in.
    fn path(&self, class: &str, depth: usize) -> Option<Vec<String>> {
        const DEEPEST_NESTING: usize = 32;
        if depth > DEEPEST_NESTING {
            return None;
        }
        let Some(facts) = self.oracle.facts(class) else {
            return path_in_jdk(class);
        };
        let accessible = facts.access & flags::PUBLIC != 0
            || (facts.access & flags::PRIVATE == 0 && names::package_of(class) == self.package);
        if !accessible || facts.access & flags::SYNTHETIC != 0 {
            return None;
        }
        match facts.nesting {
            Nesting::TopLevel => {
                let writable = names::is_package(names::package_of(class))
                    && names::is_identifier(names::simple_binary(class))
                    // The default package cannot be imported from (JLS 7.5).
                    && (!names::package_of(class).is_empty() || self.package.is_empty());
                writable.then(|| vec![class.to_owned()])
            }
            Nesting::Member { outer, name } => {
                let mut path = self.path(&outer, depth + 1)?;
                names::is_identifier(&name).then(|| path.push(name))?;
                Some(path)
            }
            Nesting::Unnameable => None,
        }
    }

    /// The shortest name for a top-level type; empty when no name reaches it.
    fn top_level(&mut self, qualified: &str) -> String {
        let simple = names::simple_binary(qualified).to_owned();
        if let Some(bound) = self.bound.get(&simple) {
            if bound == qualified {
                return simple;
            }
            // A type of the default package has no other name.
            return if names::package_of(qualified).is_empty() {
                String::new()
            } else {
                qualified.to_owned()
            };
        }
        let package = names::package_of(qualified);
        let shadows_language =
            package != "java.lang" && NAMES_OF_JAVA_LANG.contains(&simple.as_str());
        let shadowed_here = package != self.package
            && package == "java.lang"
            && self
                .oracle
                .facts(&qualify(&self.package, &simple))
                .is_some();
        if (shadows_language || shadowed_here) && !package.is_empty() {
            return qualified.to_owned();
        }
        self.bound.insert(simple.clone(), qualified.to_owned());
        simple
    }
}

fn qualify(package: &str, simple: &str) -> String {
    if package.is_empty() {
        simple.to_owned()
    } else {
        format!("{package}.{simple}")
    }
}

/// The exported packages of the JDK are not on the class path. A declared parameter of an application method
/// can only be of a public type; for anything else the caller knows the class by name.
fn path_in_jdk(class: &str) -> Option<Vec<String>> {
    if !is_jdk(class) {
        return None;
    }
    let (package, simple) = class.rsplit_once('.')?;
    let mut parts = simple.split('$');
    let mut path = vec![format!("{package}.{}", parts.next()?)];
    for part in parts {
        names::is_identifier(part).then(|| path.push(part.to_owned()))?;
    }
    Some(path)
}

/// Packages of the JDK that applications compile against.
pub(crate) fn is_jdk(class: &str) -> bool {
    ["java.", "javax.", "org.w3c.dom.", "org.xml.sax."]
        .iter()
        .any(|prefix| class.starts_with(prefix))
}

/// Names the generated code uses unqualified, or that a reader takes for those of the language.
const NAMES_OF_JAVA_LANG: &[&str] = &[
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "Double",
    "Enum",
    "Error",
    "Exception",
    "Float",
    "Integer",
    "Iterable",
    "Long",
    "Math",
    "Number",
    "Object",
    "Override",
    "Record",
    "Runnable",
    "RuntimeException",
    "Short",
    "StackTraceElement",
    "String",
    "StringBuilder",
    "SuppressWarnings",
    "System",
    "Thread",
    "Throwable",
    "Void",
];

/// Raw uses of these give "rawtypes" warnings.
const GENERIC_OF_JDK: &[&str] = &[
    "java.lang.Class",
    "java.lang.Comparable",
    "java.lang.Iterable",
    "java.lang.ThreadLocal",
    "java.lang.ref.Reference",
    "java.lang.ref.WeakReference",
    "java.util.ArrayDeque",
    "java.util.ArrayList",
    "java.util.Collection",
    "java.util.Comparator",
    "java.util.Deque",
    "java.util.EnumMap",
    "java.util.EnumSet",
    "java.util.Enumeration",
    "java.util.HashMap",
    "java.util.HashSet",
    "java.util.Iterator",
    "java.util.LinkedHashMap",
    "java.util.LinkedHashSet",
    "java.util.LinkedList",
    "java.util.List",
    "java.util.Map",
    "java.util.Map$Entry",
    "java.util.NavigableMap",
    "java.util.NavigableSet",
    "java.util.Optional",
    "java.util.PriorityQueue",
    "java.util.Queue",
    "java.util.Set",
    "java.util.SortedMap",
    "java.util.SortedSet",
    "java.util.Stack",
    "java.util.TreeMap",
    "java.util.TreeSet",
    "java.util.Vector",
    "java.util.concurrent.Callable",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.concurrent.ConcurrentMap",
    "java.util.concurrent.Future",
    "java.util.concurrent.atomic.AtomicReference",
    "java.util.function.BiConsumer",
    "java.util.function.BiFunction",
    "java.util.function.Consumer",
    "java.util.function.Function",
    "java.util.function.Predicate",
    "java.util.function.Supplier",
    "java.util.function.UnaryOperator",
    "java.util.stream.Stream",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::ClassFacts;

    fn facts(access: u16, nesting: Nesting) -> ClassFacts {
        ClassFacts {
            access,
            nesting,
            ..ClassFacts::default()
        }
    }

    fn member(outer: &str, name: &str) -> Nesting {
        Nesting::Member {
            outer: outer.into(),
            name: name.into(),
        }
    }

    fn oracle() -> BTreeMap<String, ClassFacts> {
        BTreeMap::from([
            (
                "a.Order".to_owned(),
                facts(flags::PUBLIC, Nesting::TopLevel),
            ),
            (
                "a.Order$Line".to_owned(),
                facts(flags::PUBLIC | flags::STATIC, member("a.Order", "Line")),
            ),
            (
                "a.Order$Secret".to_owned(),
                facts(flags::PRIVATE, member("a.Order", "Secret")),
            ),
            ("a.Order$1".to_owned(), facts(0, Nesting::Unnameable)),
            ("a.Hidden".to_owned(), facts(0, Nesting::TopLevel)),
            (
                "b.Order".to_owned(),
                facts(flags::PUBLIC, Nesting::TopLevel),
            ),
            (
                "b.String".to_owned(),
                facts(flags::PUBLIC, Nesting::TopLevel),
            ),
            ("Bare".to_owned(), facts(flags::PUBLIC, Nesting::TopLevel)),
            ("a.new".to_owned(), facts(flags::PUBLIC, Nesting::TopLevel)),
        ])
    }

    #[test]
    fn accessible_types_are_imported_and_nested_ones_reached_through_their_outer_class() {
        let oracle = oracle();
        let mut scope = Scope::new("b", &oracle);
        assert_eq!(scope.class("a.Order$Line").as_deref(), Some("Order.Line"));
        assert_eq!(scope.class("b.Order").as_deref(), Some("b.Order"));
        assert_eq!(
            scope.descriptor("[[Ljava/util/Map$Entry;").as_deref(),
            Some("Map.Entry[][]")
        );
        assert_eq!(
            scope.imports_in("Order.Line line; Map.Entry[][] entries; Ordering other;"),
            ["import a.Order;", "import java.util.Map;"]
        );
    }

    #[test]
    fn what_the_package_cannot_see_has_no_name() {
        let oracle = oracle();
        let mut scope = Scope::new("b", &oracle);
        for class in [
            "a.Order$Secret",
            "a.Order$1",
            "a.Hidden",
            "Bare",
            "a.new",
            "missing.Class",
        ] {
            assert_eq!(scope.class(class), None, "{class}");
        }
        let mut same_package = Scope::new("a", &oracle);
        assert_eq!(same_package.class("a.Hidden").as_deref(), Some("Hidden"));
    }

    #[test]
    fn a_class_named_like_one_of_the_language_is_qualified() {
        let oracle = oracle();
        let mut scope = Scope::new("b", &oracle);
        assert_eq!(scope.class("b.String").as_deref(), Some("b.String"));
        assert_eq!(
            scope.class("java.lang.String").as_deref(),
            Some("java.lang.String")
        );
    }
}
