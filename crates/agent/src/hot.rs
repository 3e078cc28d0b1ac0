//! Undo gives way where it is hot. A loop that writes tens of millions of times a second fills its thread's journal in a
//! millisecond: its notes cost more than the program itself, and lead back to hardly anything. So each thread says, once in
//! a great many notes, that it writes, and the method that does so stands for all of them. The classes that most of a hot
//! thread's notes come from are woven anew, without notes and with saved fields instead, as `auto` has them. What writes
//! now and then keeps its notes.
//!
//! Half of the writes to an object would lead back to a state that never was. So classes nested in one another give way
//! together; the runtime leaves objects of classes that gave way, or whose fields these write, as they were at the failure
//! ([`Hot::is_late`]), with the arrays they hold; and what was noted before is forgotten, for the sake of other arrays.

use jvmti_bindings::sys::jni::jmethodID;
use recrash_weave::{FieldName, Woven, writes_for_others};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A thread is hot while it makes its 16,384 notes faster than this: at some ten nanoseconds a note, they take two percent
/// of its time.
const HOT: Duration = Duration::from_millis(8);

/// Hot threads were met so often in an interval in which somebody has to give way: about as often as one that is just hot.
const OFTEN: u32 = 120;

/// In an interval in which somebody has to, classes give way until so many of the meets, one in eight, are left to
/// others...
const LEFT: u32 = 8;

/// ...but none that was met less often.
const SELDOM: u32 = 3;

/// So many classes are named where it is told what a snapshot lacks.
const NAMED: usize = 3;

thread_local! {
    /// When the current thread was met last.
    static LATEST: Cell<Option<Instant>> = const { Cell::new(None) };
}

#[derive(Default)]
pub struct Hot {
    state: Mutex<State>,
    followed: OnceLock<()>,
}

#[derive(Default)]
struct State {
    /// By method id, who it belongs to: an index of `nests`, none for recrash's own.
    writers: HashMap<usize, Option<usize>>,
    nests: Vec<Nest>,
    /// Outermost classes.
    gave_way: BTreeSet<String>,
    /// Internal names of the classes whose fields they write.
    written: BTreeSet<String>,
    /// Name and type of those fields.
    fields: BTreeSet<(String, String)>,
}

/// A class with those nested in it.
struct Nest {
    name: String,
    /// In this interval.
    met: u32,
}

impl Hot {
    /// The current thread makes one of many notes: whether it makes them too fast.
    pub fn is_fast() -> bool {
        let now = Instant::now();
        let latest = LATEST.replace(Some(now));
        latest.is_some_and(|latest| now.duration_since(latest) < HOT)
    }

    /// Counts a note of a method, whose class is asked for once, and is `None` for recrash itself: then nothing is counted.
    pub fn count(&self, method: jmethodID, class: impl FnOnce() -> Option<String>) -> bool {
        // Nothing is asked of the JVM with the lock in hand, which classes wait for while they load.
        let known = self.state().writers.get(&(method as usize)).copied();
        let writer = known.unwrap_or_else(|| {
            let class = class();
            self.state().learn(method, class.as_deref())
        });
        self.state().count(writer);
        writer.is_some()
    }

    /// Does `follow` the first time it is asked to.
    pub fn follow_once(&self, follow: impl FnOnce()) {
        self.followed.get_or_init(follow);
    }

    /// Whether a class of this internal name does without notes.
    pub fn gave_way(&self, class: &str) -> bool {
        self.state().gave_way.contains(outermost(class))
    }

    /// A class that gave way passes, and `woven` is what it would be had it not.
    pub fn note_written(&self, woven: &Woven) {
        let Woven::Changed { sites, .. } = woven else {
            return;
        };
        let mut state = self.state();
        for field in sites.fields() {
            state.written.insert(field.class.replace('.', "/"));
            state.fields.insert((field.field, field.descriptor));
        }
    }

    /// Whether the journal knows a part at most of what is written to the fields of the class of this internal name.
    pub fn is_late(&self, class: &str) -> bool {
        let state = self.state();
        state.gave_way.contains(outermost(class)) || state.written.contains(class)
    }

    /// The same of a static field. One that is inherited goes by several classes' names, so its own has to do.
    pub fn is_late_static(&self, field: &FieldName) -> bool {
        let place = (field.field.clone(), field.descriptor.clone());
        self.is_late(&field.class.replace('.', "/")) || self.state().fields.contains(&place)
    }

    /// What that means for a snapshot that is written now.
    pub fn limit(&self) -> Option<String> {
        let state = self.state();
        let mut names = state.gave_way.iter().map(|name| name.replace('/', "."));
        let first: Vec<String> = names.by_ref().take(NAMED).collect();
        let others = match names.count() {
            0 => String::new(),
            1 => " and another class".to_owned(),
            count => format!(" and {count} other classes"),
        };
        (!first.is_empty()).then(|| {
            format!(
                "{}{others} wrote too often for the journal of writes: objects that they write to are as they were at \
                 the failure, except for saved fields; --strategy undo+hot keeps them, whatever it costs",
                first.join(", ")
            )
        })
    }

    /// An interval ends: the outermost classes that have to give way from now on.
    pub fn end_interval(&self) -> BTreeSet<String> {
        self.state().end_interval()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Which nest a method of that class belongs to; `None` for recrash itself.
    fn learn(&mut self, method: jmethodID, class: Option<&str>) -> Option<usize> {
        let writer = class.map(|class| self.nest(outermost(class)));
        self.writers.insert(method as usize, writer);
        writer
    }

    fn count(&mut self, writer: Option<usize>) {
        if let Some(nest) = writer.and_then(|nest| self.nests.get_mut(nest)) {
            nest.met += 1;
        }
    }

    fn nest(&mut self, name: &str) -> usize {
        let known = self.nests.iter().position(|nest| nest.name == name);
        known.unwrap_or_else(|| {
            self.nests.push(Nest {
                name: name.to_owned(),
                met: 0,
            });
            self.nests.len() - 1
        })
    }

    /// Who has to give way from now on.
    fn end_interval(&mut self) -> BTreeSet<String> {
        let mut met: Vec<(u32, &str)> = Vec::new();
        for nest in &self.nests {
            // Where it has given way already, what is running since then still notes, and nothing can be done.
            if !self.gave_way.contains(&nest.name) && !writes_for_others(&nest.name) {
                met.push((nest.met, &nest.name));
            }
        }
        met.sort_by_key(|&(met, name)| (Reverse(met), name));
        let total: u32 = met.iter().map(|(met, _)| met).sum();
        let mut due = BTreeSet::new();
        if total >= OFTEN {
            let mut left = total;
            for (met, name) in met {
                if met < SELDOM || left <= total / LEFT {
                    break;
                }
                left -= met;
                due.insert(name.to_owned());
            }
        }
        self.gave_way.extend(due.iter().cloned());
        for nest in &mut self.nests {
            nest.met = 0;
        }
        due
    }
}

/// The internal name of the class that others are nested in, as far as their names tell.
pub fn outermost(class: &str) -> &str {
    let simple = class.rfind('/').map_or(0, |slash| slash + 1);
    let dollars = class.match_indices('$').map(|(at, _)| at);
    let nested = dollars.into_iter().find(|&at| at > simple);
    nested.and_then(|end| class.get(..end)).unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_classes_belong_to_the_outermost() {
        assert_eq!(outermost("java/util/HashMap$Node"), "java/util/HashMap");
        assert_eq!(outermost("java/util/HashMap"), "java/util/HashMap");
        assert_eq!(outermost("a/$Odd$Inner"), "a/$Odd");
        assert_eq!(outermost("Main$1$2"), "Main");
        assert_eq!(outermost("$"), "$");
        assert_eq!(outermost("a/Äpfel$Kern"), "a/Äpfel");
    }

    /// Who gives way after the classes were met so many times.
    fn interval(state: &mut State, met: &[(&str, u32)]) -> Vec<String> {
        for (number, (class, times)) in met.iter().enumerate() {
            let writer = state.learn(number as jmethodID, Some(class));
            for _ in 0..*times {
                state.count(writer);
            }
        }
        state.end_interval().into_iter().collect()
    }

    #[test]
    fn a_class_gives_way_with_its_nest_and_once() {
        let mut state = State::default();
        let hot = [
            ("a/Often$Inner", OFTEN),
            ("a/Often", OFTEN),
            ("a/Seldom", 10),
        ];
        assert_eq!(interval(&mut state, &hot), ["a/Often"]);
        assert!(interval(&mut state, &hot).is_empty());
    }

    #[test]
    fn nobody_gives_way_to_a_short_burst() {
        let mut state = State::default();
        let burst = [("a/Often", OFTEN - 1)];
        assert!(interval(&mut state, &burst).is_empty());
        assert!(interval(&mut state, &burst).is_empty());
    }

    #[test]
    fn of_many_the_most_frequent_give_way_until_little_is_left() {
        let mut state = State::default();
        let met = [("a/A", OFTEN), ("a/B", 40), ("a/C", 21), ("a/D", 20)];
        assert_eq!(interval(&mut state, &met), ["a/A", "a/B", "a/C"]);
        let names: Vec<String> = (0..OFTEN).map(|number| format!("b/B{number}")).collect();
        let scattered: Vec<(&str, u32)> = names
            .iter()
            .map(|name| (name.as_str(), SELDOM - 1))
            .collect();
        assert!(interval(&mut state, &scattered).is_empty());
    }

    #[test]
    fn who_writes_what_belongs_to_others_never_gives_way() {
        let mut state = State::default();
        let met = [("java/util/Arrays", OFTEN), ("java/util/ArrayList", OFTEN)];
        assert_eq!(interval(&mut state, &met), ["java/util/ArrayList"]);
    }
}
