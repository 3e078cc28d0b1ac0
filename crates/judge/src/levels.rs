//! How far two stacks agree, where only a printed trace is known.

use recrash_classfile::is_of_jdk;
use recrash_jvm::TraceLine;

/// How many of the wanted frames, from the innermost on, `trace` agrees with. The JDK's own frames differ between its
/// versions: they are stepped over on both sides, which is what `None` says of a wanted frame.
pub fn agreeing_levels<W>(wanted: impl IntoIterator<Item = Option<W>>, trace: &[TraceLine]) -> usize
where
    W: FnOnce(&TraceLine) -> bool,
{
    let mut seen = trace.iter().filter(|line| !is_of_jdk(&line.class));
    let mut count = 0;
    for (at, wanted) in wanted.into_iter().enumerate() {
        let Some(is_same) = wanted else {
            continue;
        };
        match seen.next() {
            Some(line) if is_same(line) => count = at + 1,
            _ => break,
        }
    }
    count
}
