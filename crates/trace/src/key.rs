//! Which failure it is, as far as a stack trace tells.

use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::parse::Trace;
use crate::stable;

/// The class of the API jar that stands for a capture point where an exception would; its message is the label.
pub const CAPTURE_POINT: &str = "recrash.CapturePoint";

/// Names of the JDK's classes begin so. Modules are not asked: traces of old JDKs and shortened ones have none.
const OF_JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// The same for the same failure, whether it is read from a snapshot or from a trace that was printed by another run, another
/// build with other numbers for its lambdas, or another JDK: the types of the chain and the program's own methods under
/// names that do not change from run to run, without lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailureKey(u64);

/// An exception of a chain as the key sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed<'a> {
    pub class: &'a str,
    pub message: Option<&'a str>,
    /// Class and method of each frame, innermost first, those included that it shares with what it caused.
    pub frames: Vec<(&'a str, &'a str)>,
}

impl FailureKey {
    /// The key of a chain, outermost first.
    pub fn of<'a>(chain: impl IntoIterator<Item = Failed<'a>>) -> Self {
        let mut parts: Vec<String> = Vec::new();
        for failed in chain {
            parts.push(stable::class(failed.class));
            if failed.class == CAPTURE_POINT {
                parts.extend(failed.message.map(str::to_owned));
            }
            let of_program = failed
                .frames
                .iter()
                .filter(|(class, _)| !OF_JDK.iter().any(|start| class.starts_with(start)));
            let mut methods: Vec<String> = of_program
                .filter_map(|(class, method)| {
                    let method = stable::method(method)?;
                    Some(format!("{}.{method}", stable::class(class)))
                })
                .collect();
            // A stack overflow is the same at every depth.
            methods.dedup();
            parts.append(&mut methods);
        }
        FailureKey(xxh3_64(parts.join("\n").as_bytes()))
    }
}

impl fmt::Display for FailureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Trace {
    /// The key of what was printed.
    pub fn key(&self) -> FailureKey {
        let chain = self.chain();
        FailureKey::of(chain.iter().map(|thrown| {
            let frames = thrown.frames.iter();
            Failed {
                class: thrown.class.as_deref().unwrap_or_default(),
                message: thrown.message.as_deref(),
                frames: frames
                    .map(|frame| (frame.class.as_str(), frame.method.as_str()))
                    .collect(),
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn key(text: &str) -> FailureKey {
        parse(text).first().unwrap().key()
    }

    const FIRST: &str = "\
Exception in thread \"main\" java.lang.IllegalStateException: order 7
\tat app.Order.lambda$total$0(Order.java:12)
\tat app.Order$$Lambda/0x00007f2a.apply(Unknown Source)
\tat java.base/java.util.Optional.map(Optional.java:260)
\tat app.Order.total(Order.java:11)
\tat app.Main.main(Main.java:5)
Caused by: java.lang.NullPointerException: item is null
\tat app.Item.price(Item.java:3)
\t... 5 more
";

    #[test]
    fn lines_messages_lambdas_and_frames_of_the_jdk_do_not_count() {
        let again = "\
java.lang.IllegalStateException: order 8
\tat app//app.Order.lambda$total$3(Order.java:40)
\tat app.Order$$Lambda$17/1234567.apply(Unknown Source)
\tat java.util.Optional.map(Optional.java:215)
\tat app.Order.total(Order.java:39)
\tat app.Order.access$000(Order.java:1)
\tat app.Main.main(Main.java:6)
Caused by: java.lang.NullPointerException
\tat app.Item.price(Item.java:9)
\tat app.Order.lambda$total$3(Order.java:40)
\t... 5 more
";
        assert_eq!(key(FIRST), key(again));
    }

    #[test]
    fn another_type_method_or_label_is_another_failure() {
        assert_ne!(key(FIRST), key(&FIRST.replace("NullPointer", "Arithmetic")));
        assert_ne!(
            key(FIRST),
            key(&FIRST.replace("app.Item.price", "app.Item.name"))
        );
        let point =
            |label| format!("recrash.CapturePoint: {label}\n\tat app.Main.main(Main.java:1)\n");
        assert_ne!(key(&point("a")), key(&point("b")));
    }

    #[test]
    fn the_depth_of_a_recursion_does_not_count() {
        let deep = |frames| {
            let frames = "\tat app.Tree.depth(Tree.java:3)\n".repeat(frames);
            key(&format!("java.lang.StackOverflowError\n{frames}"))
        };
        assert_eq!(deep(1024), deep(3));
    }

    #[test]
    fn a_key_is_sixteen_digits() {
        assert_eq!(FailureKey(1).to_string(), "0000000000000001");
    }
}
