//! Which classes and methods are worth a handler.

/// Packages nobody asks tests for: the JDK, and recrash itself.
const NEVER_BY_DEFAULT: [&str; 4] = ["java.*", "jdk.*", "sun.*", "recrash.*"];

/// What to weave. Globs are on binary names with dots; `*` stands for any run of characters, dots included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Where not empty, only these classes are woven, the JDK's among them if they match.
    pub include: Vec<String>,
    /// These are not woven, whatever `include` says.
    pub exclude: Vec<String>,
    /// Methods of so many instructions or fewer are not monitored (paper 2.2.2).
    pub trivial: usize,
    /// At most so many fields are kept per method; the first ones that the code writes win.
    pub saved_fields: usize,
    /// Whether constructors announce themselves before `super(...)` so that a crash inside it still shows them.
    pub inside_super: bool,
    /// The second look: only these methods are woven, and each entry into one of them is counted.
    pub look: Option<Vec<Watched>>,
    /// Weaving ahead of time, see `offline.rs`.
    pub offline: Option<Offline>,
}

/// A method whose entries are counted, known to the runtime by its place in [`Policy::look`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Binary name with dots.
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
            saved_fields: 8,
            inside_super: true,
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
            return watched.iter().any(|watched| watched.class == class);
        }
        if class.starts_with("java.lang.$Recrash")
            || self.exclude.iter().any(|glob| matches(glob, class))
        {
            return false;
        }
        if self.include.is_empty() {
            !NEVER_BY_DEFAULT.iter().any(|glob| matches(glob, class))
        } else {
            self.include.iter().any(|glob| matches(glob, class))
        }
    }

    /// The number of the method among those of the second look.
    pub(crate) fn watched(&self, class: &str, method: &[u8], descriptor: &[u8]) -> Option<usize> {
        self.look.as_ref()?.iter().position(|watched| {
            watched.class == class
                && watched.method.as_bytes() == method
                && watched.descriptor.as_bytes() == descriptor
        })
    }
}

/// Glob match in linear time: on a mismatch only the last `*` takes one more character.
fn matches(glob: &str, name: &str) -> bool {
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
    fn exclude_wins_over_include_and_the_runtime_is_never_woven() {
        let policy = Policy {
            exclude: vec!["com.acme.*".to_owned()],
            ..Policy::everything()
        };
        assert!(!policy.wants("com.acme.Order"));
        assert!(!Policy::everything().wants("java.lang.$RecrashFrames"));
    }
}
