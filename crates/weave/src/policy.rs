//! Which classes and methods are worth a handler.

use std::sync::Arc;

use recrash_advice::Advice;
use recrash_classfile::text;

use crate::strategy::Strategy;

/// Packages nobody asks tests for: the JDK, and recrash itself.
const NEVER_BY_DEFAULT: [&str; 4] = ["java.*", "jdk.*", "sun.*", "recrash.*"];

/// What to weave. Globs are on binary names with dots, `com.acme.*`, and with a `#` on methods, `com.acme.Order#get*`;
/// `*` stands for any run of characters, dots included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Where not empty, only these classes or methods are woven, the JDK's among them if they match.
    pub include: Vec<String>,
    /// These are not woven, whatever `include` says.
    pub exclude: Vec<String>,
    /// Methods of so many instructions or fewer are not monitored (paper 2.2.2), the `main` that `java` starts aside.
    pub trivial: usize,
    /// The class is the application's own: methods that pass a call on, or throw, are monitored however small they are.
    pub is_own: bool,
    /// How state is kept as it was on entry.
    pub strategy: Strategy,
    /// With [`Strategy::Auto`] at most so many fields are kept per method; the first ones that the code writes win.
    pub saved_fields: usize,
    /// With [`Strategy::Auto`], what else is worth keeping; of a class, the first that knows it counts.
    pub advice: Arc<[Advice]>,
    /// Methods like these (`com.acme.Order#total`) are monitored however small they are.
    pub named: Vec<String>,
    /// Where given, only methods of these names are woven, however small they are.
    pub only: Option<Vec<String>>,
    /// With [`Strategy::Undo`]: the class writes too often for notes. Its methods keep fields instead, as `auto` has them.
    pub gives_way: bool,
    /// The second look: only these methods are woven, and each entry into one of them is counted.
    pub look: Option<Vec<Watched>>,
    /// Weaving ahead of time, see `offline.rs`.
    pub offline: Option<Offline>,
}

/// A method whose entries are counted, known to the runtime by its place in [`Policy::look`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Binary name with dots, or a glob: what generates classes may name them anew in each run.
    pub class: String,
    pub method: String,
    pub descriptor: String,
}

/// How classes are woven that may run without the recorder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offline {
    /// Handlers sleep until [`crate::adopt`] wakes them.
    Asleep,
    /// The class starts the recorder itself, and must not be changed while it runs: its handlers try to find it.
    Awake,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            include: Vec::new(),
            exclude: Vec::new(),
            trivial: 6,
            is_own: false,
            strategy: Strategy::default(),
            saved_fields: 8,
            advice: Arc::default(),
            named: Vec::new(),
            only: None,
            gives_way: false,
            look: None,
            offline: None,
        }
    }
}

impl Policy {
    /// Every class, the JDK's too.
    pub fn everything() -> Self {
        Policy {
            include: vec!["*".to_owned()],
            ..Policy::default()
        }
    }

    /// Whether the class with this binary name (dots) is to be woven.
    pub fn wants(&self, class: &str) -> bool {
        if let Some(watched) = &self.look {
            return watched.iter().any(|watched| matches(&watched.class, class));
        }
        if class.starts_with("java.lang.$Recrash")
            || self
                .exclude
                .iter()
                .any(|glob| !glob.contains('#') && matches(glob, class))
        {
            return false;
        }
        if self.include.is_empty() {
            !NEVER_BY_DEFAULT.iter().any(|glob| matches(glob, class))
        } else {
            let of_class = |glob: &String| matches(glob.split('#').next().unwrap_or(glob), class);
            self.include.iter().any(of_class)
        }
    }

    /// Whether the filters let a method pass whose class they want.
    pub fn wants_method(&self, class: &str, method: &str) -> bool {
        let named = |glob: &String| {
            glob.split_once('#')
                .map(|(of_class, of_method)| matches(of_class, class) && matches(of_method, method))
        };
        let included = |glob: &String| named(glob).unwrap_or_else(|| matches(glob, class));
        !self.exclude.iter().any(|glob| named(glob) == Some(true))
            && (self.include.is_empty() || self.include.iter().any(included))
    }

    /// Whether a method of so many instructions gets a handler, in a class that is wanted.
    pub(crate) fn monitors(
        &self,
        class: impl Fn() -> String,
        method: &[u8],
        instructions: usize,
    ) -> bool {
        let chosen = match &self.only {
            Some(names) => names.iter().any(|name| name.as_bytes() == method),
            None => instructions > self.trivial || self.names(&class, method),
        };
        let mut globs = self.include.iter().chain(&self.exclude);
        chosen
            && (globs.all(|glob| !glob.contains('#')) || self.wants_method(&class(), &text(method)))
    }

    fn names(&self, class: impl Fn() -> String, method: &[u8]) -> bool {
        self.named.iter().any(|glob| {
            glob.split_once('#').is_some_and(|(of_class, of_method)| {
                matches(of_method, &text(method)) && matches(of_class, &class())
            })
        })
    }

    /// The number of the method among those of the second look.
    pub(crate) fn watched(&self, class: &str, method: &[u8], descriptor: &[u8]) -> Option<usize> {
        self.look.as_ref()?.iter().position(|watched| {
            watched.method.as_bytes() == method
                && watched.descriptor.as_bytes() == descriptor
                && matches(&watched.class, class)
        })
    }
}

/// Glob match in linear time: on a mismatch only the last `*` takes one more character.
pub fn matches(glob: &str, name: &str) -> bool {
    let (glob, name) = (glob.as_bytes(), name.as_bytes());
    let (mut g, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&character) = name.get(n) {
        match glob.get(g) {
            Some(b'*') => {
                star = Some((g, n));
                g += 1;
            }
            Some(&expected) if expected == character => {
                g += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    g = at + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    glob.get(g..)
        .is_some_and(|rest| rest.iter().all(|&c| c == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_spans_packages() {
        assert!(matches("com.acme.*", "com.acme.order.Line"));
        assert!(matches("*.Order*", "com.acme.Order$Line"));
        assert!(matches("*", ""));
        assert!(!matches("com.acme.*", "com.acme"));
        assert!(!matches("com.acme", "com.acme.Order"));
    }

    #[test]
    fn the_jdk_is_woven_only_when_asked_for() {
        assert!(!Policy::default().wants("java.util.List"));
        assert!(Policy::default().wants("javax.servlet.Filter"));
        assert!(Policy::everything().wants("java.util.List"));
    }

    #[test]
    fn a_method_that_is_named_is_woven_however_small_and_no_other() {
        let policy = Policy {
            only: Some(vec!["total".to_owned()]),
            ..Policy::default()
        };
        let class = || "com.acme.Order".to_owned();
        assert!(policy.monitors(class, b"total", 1));
        assert!(!policy.monitors(class, b"totals", 100));
        assert!(!Policy::default().monitors(class, b"total", 1));
        assert!(Policy::default().monitors(class, b"total", 100));
    }

    #[test]
    fn a_method_that_exceptions_are_expected_from_is_woven_however_small() {
        let policy = Policy {
            named: vec!["com.acme.*#total".to_owned()],
            ..Policy::default()
        };
        let class = || "com.acme.Order".to_owned();
        assert!(policy.monitors(class, b"total", 1));
        assert!(!policy.monitors(class, b"count", 1));
        assert!(policy.monitors(class, b"count", 100));
    }

    #[test]
    fn methods_are_filtered_with_a_number_sign() {
        let globs = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
        let policy = Policy {
            include: globs(&["com.acme.*", "org.x.Y#run"]),
            exclude: globs(&["*#get*", "com.acme.Order#total"]),
            ..Policy::default()
        };
        assert!(policy.wants("com.acme.Order") && policy.wants("org.x.Y"));
        assert!(policy.wants_method("com.acme.Order", "add"));
        assert!(!policy.wants_method("com.acme.Order", "total"));
        assert!(!policy.wants_method("com.acme.Line", "getPrice"));
        assert!(policy.wants_method("org.x.Y", "run"));
        assert!(!policy.wants_method("org.x.Y", "stop"));
        let monitors = |method| policy.monitors(|| "com.acme.Order".to_owned(), method, 100);
        assert!(monitors(b"add") && !monitors(b"total"));
    }

    #[test]
    fn exclude_wins_over_include_and_the_runtime_is_never_woven() {
        let policy = Policy {
            exclude: vec!["com.acme.*".to_owned()],
            ..Policy::everything()
        };
        assert!(!policy.wants("com.acme.Order"));
        assert!(!Policy::everything().wants("java.lang.$RecrashFrames"));
    }
}
