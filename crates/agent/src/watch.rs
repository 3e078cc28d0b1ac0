//! The methods on the watch list that are watched in this process.

use crate::description::Description;
use crate::log;
use recrash_classfile::{ClassFile, text};
use recrash_watchlist::{Method, Stamp, WatchFile};
use recrash_weave::Policy;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// A program whose stack traces name ever new classes must not fill the disk.
const MOST_METHODS: usize = 10_000;

/// The names of methods by the internal name of their class.
type Armed = HashMap<String, BTreeSet<String>>;

pub struct Watch {
    file: WatchFile,
    /// Read while classes load, so nothing happens while it is locked.
    armed: RwLock<Arc<Armed>>,
    /// Held while the list is changed and what follows from it is done.
    turn: Mutex<Turn>,
    said: Mutex<HashSet<String>>,
}

/// What came of a look at the list.
pub struct Change<'a> {
    /// The internal names of the classes in which other methods are watched now.
    pub classes: HashSet<&'a str>,
    /// How many methods are watched.
    pub watched: usize,
}

#[derive(Default)]
struct Turn {
    /// Of the file as it was read last.
    stamp: Option<Stamp>,
    listed: Vec<Method>,
    /// What could not be written to the file.
    unwritten: Vec<Method>,
}

impl Watch {
    pub fn of(file: &Path) -> Self {
        Self {
            file: WatchFile::at(file),
            armed: RwLock::default(),
            turn: Mutex::default(),
            said: Mutex::default(),
        }
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The methods to weave in a class of this internal name.
    pub fn methods_of(&self, class: &str) -> Option<Vec<String>> {
        let methods = self.armed().get(class)?.iter().cloned().collect();
        Some(methods)
    }

    /// A class on the list is there: says which of its methods on the list it does not have.
    pub fn compare(&self, class: &str, bytes: &[u8]) {
        // What is wrong with a class that cannot be read, the weaver says.
        let (Some(watched), Ok(read)) = (self.armed().get(class).cloned(), ClassFile::read(bytes))
        else {
            return;
        };
        let there: HashSet<String> = read
            .methods
            .iter()
            .map(|member| text(member.name))
            .collect();
        for method in watched.iter().filter(|method| !there.contains(*method)) {
            let class = read.binary_name();
            self.say_once(format!(
                "{class}.{method} is on the watch list {}, but {class} has no such method",
                self.path().display()
            ));
        }
    }

    /// Puts the methods of a failure's stack on the list, and has `follow_up` weave them. How many are watched from now on.
    pub fn note(
        &self,
        policy: &Policy,
        failure: &Description,
        follow_up: impl FnOnce(&Change<'_>),
    ) -> usize {
        let mut turn = self.turn();
        let armed = self.armed();
        let mut new: Vec<Method> = Vec::new();
        for element in failure.throwables.iter().flat_map(|thrown| &thrown.trace) {
            let method =
                Method::of_frame(element.module.as_deref(), &element.class, &element.method);
            new.extend(method.filter(|method| {
                is_wanted(policy, method) && !is_armed(&armed, method) && !new.contains(method)
            }));
        }
        if new.is_empty() {
            return 0;
        }
        if armed.values().map(BTreeSet::len).sum::<usize>() + new.len() > MOST_METHODS {
            self.say_once(format!(
                "more than {MOST_METHODS} methods are watched; no more are put on the watch list {}",
                self.path().display()
            ));
            return 0;
        }
        let why = failure
            .throwables
            .first()
            .map_or("", |thrown| thrown.class.as_str());
        if let Err(error) = self.file.add(&new, why) {
            self.say_once(format!(
                "{error}; what fails is watched in this process only"
            ));
            turn.unwritten.extend(new.iter().cloned());
        }
        self.arm(policy, &mut turn, follow_up);
        let armed = self.armed();
        new.iter().filter(|method| is_armed(&armed, method)).count()
    }

    /// Reads the list, and has `follow_up` weave what it says.
    pub fn read(&self, policy: &Policy, follow_up: impl FnOnce(&Change<'_>)) {
        self.arm(policy, &mut self.turn(), follow_up);
    }

    fn arm(&self, policy: &Policy, turn: &mut Turn, follow_up: impl FnOnce(&Change<'_>)) {
        // Taken first: what is written while we read is seen the next time.
        turn.stamp = self.file.stamp();
        match self.file.read() {
            Ok(list) => {
                for defect in list.defects {
                    let place = format!("{}:{}", self.path().display(), defect.line);
                    self.say_once(format!("{place}: {}; the line is skipped", defect.reason));
                }
                turn.listed = list.methods;
            }
            Err(error) => self.say_once(format!("{error}; what is watched stays as it is")),
        }
        let mut armed = Armed::new();
        for method in turn.listed.iter().chain(&turn.unwritten) {
            if is_wanted(policy, method) {
                armed
                    .entry(method.class.replace('.', "/"))
                    .or_default()
                    .insert(method.method.clone());
            } else {
                self.say_once(format!(
                    "{method} on the watch list {} is not watched: it is the JDK's or left out by --include or --exclude",
                    self.path().display()
                ));
            }
        }
        let before = self.armed();
        let classes: HashSet<&str> = armed
            .keys()
            .chain(before.keys())
            .filter(|class| armed.get(*class) != before.get(*class))
            .map(String::as_str)
            .collect();
        *self.armed.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(armed.clone());
        let watched = armed.values().map(BTreeSet::len).sum();
        follow_up(&Change { classes, watched });
    }

    pub fn has_changed(&self) -> bool {
        self.file.stamp() != self.turn().stamp
    }

    fn armed(&self) -> Arc<Armed> {
        self.armed
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn say_once(&self, sentence: String) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if !said.contains(&sentence) {
            log::say(&sentence);
            said.insert(sentence);
        }
    }
}

/// The filters hold for the list, too.
fn is_wanted(policy: &Policy, method: &Method) -> bool {
    policy.wants(&method.class) && policy.wants_method(&method.class, &method.method)
}

fn is_armed(armed: &Armed, method: &Method) -> bool {
    armed
        .get(&method.class.replace('.', "/"))
        .is_some_and(|methods| methods.contains(&method.method))
}
