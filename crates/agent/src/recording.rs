//! The log of a failing run: which classes tell what, and the file that it goes to.

use crate::agent::{Agent, Start};
use crate::jvm::Jni;
use crate::log;
use crate::sides::{Sides, main_class, property};
use jvmti_bindings::sys::jni::jvalue;
use jvmti_bindings::sys::jvmti::{JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, jvmtiEnv};
use recrash_classfile::{dotted, text};
use recrash_recording::{CodeTables, Field, Flags, Method, Named, Operation, beginning, chunk};
use recrash_weave::{
    Border, BorderDeed, BorderMember, BorderSite, Policy, Role, Woven, weave_with,
};
use recrash_wire::recording::{chunk as kinds, flag};
use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often objects may have been moved. The runtime reads it where it is.
static COLLECTIONS: AtomicU64 = AtomicU64::new(0);

pub unsafe extern "system" fn collected(_: *mut jvmtiEnv) {
    COLLECTIONS.fetch_add(1, Ordering::SeqCst);
}

/// See the top of the file.
pub struct Recording {
    pub sides: Sides,
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: Option<File>,
    tables: CodeTables,
    written: u64,
    most: u64,
}

impl Recording {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a chunk; false when there is no room, and nothing more is to come.
    pub fn append(&self, kind: u8, content: &[u8]) -> bool {
        self.state().append(kind, content)
    }

    /// Rewrites a class of this internal name with what it is to tell. The numbers of its sites are taken, and known to the file,
    /// before another class gets any.
    pub fn weave(
        &self,
        name: &str,
        rewrite: impl FnOnce(&ClassAtBorder<'_>) -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let class = name.replace('/', ".");
        let mut state = self.state();
        let at_border = ClassAtBorder {
            sides: &self.sides,
            role: match self.sides.is_outside(&class) {
                true => Role::Outside,
                false => Role::Inside,
            },
            first: state.tables.next_site(),
            sites: RefCell::default(),
        };
        let rewritten = rewrite(&at_border)?;
        for site in at_border.sites.take() {
            state.add(&class, &site);
        }
        if let Some(definitions) = state.tables.take() {
            state.append(kinds::DEFINITIONS, &definitions);
        }
        Some(rewritten)
    }
}

impl State {
    fn append(&mut self, kind: u8, content: &[u8]) -> bool {
        let bytes = chunk(kind, content);
        // The end and the failure are small, and worth their place.
        let is_last = matches!(kind, kinds::END | kinds::FAILURE);
        let fits = is_last || self.written + bytes.len() as u64 <= self.most;
        let Some(file) = self.file.as_mut() else {
            return false;
        };
        if !fits {
            log::say(&format!(
                "the recording is full at {} MB; raise --max-record for more",
                self.most >> 20
            ));
            self.file = None;
            return false;
        }
        if let Err(error) = file.write_all(&bytes) {
            log::say(&format!("the recording ends here: {error}"));
            self.file = None;
            return false;
        }
        self.written += bytes.len() as u64;
        true
    }

    fn add(&mut self, class: &str, site: &BorderSite) {
        let own = Method {
            owner: class.to_owned(),
            name: text(&site.method.0),
            descriptor: text(&site.method.1),
            flags: Flags(if site.is_static { flag::STATIC } else { 0 }),
        };
        let (operation, target) = match &site.does {
            BorderDeed::Call(called) => (Operation::Call, method(called)),
            BorderDeed::Question(asked) => (Operation::Question, method(asked)),
            BorderDeed::Entry => (Operation::Entry, Named::Method(own.clone())),
            BorderDeed::Arrival => (Operation::Arrival, Named::Method(own.clone())),
            BorderDeed::Read(field) => (Operation::Read, self::field(field)),
            BorderDeed::Write(field) => (Operation::Write, self::field(field)),
            BorderDeed::ElementWrite => (Operation::ElementWrite, Named::Element),
        };
        self.tables.add(own, site.line, operation, target);
    }
}

fn flags(member: &BorderMember) -> Flags {
    Flags(if member.is_static { flag::STATIC } else { 0 })
}

fn method(member: &BorderMember) -> Named {
    Named::Method(Method {
        owner: dotted(&member.owner),
        name: text(&member.name),
        descriptor: text(&member.descriptor),
        flags: flags(member),
    })
}

fn field(member: &BorderMember) -> Named {
    Named::Field(Field {
        owner: dotted(&member.owner),
        name: text(&member.name),
        descriptor: text(&member.descriptor),
        flags: flags(member),
    })
}

/// A class under rewriting.
pub struct ClassAtBorder<'r> {
    sides: &'r Sides,
    role: Role,
    first: u32,
    sites: RefCell<Vec<BorderSite>>,
}

impl ClassAtBorder<'_> {
    /// Weaves the class with the recorder's handlers and what it is to tell.
    pub fn weave(&self, bytes: &[u8], first: u32, policy: &Policy) -> Woven {
        let outside = |class: &str| self.sides.is_outside(class);
        let mut border = Border::new(self.role, self.first, &outside);
        let woven = weave_with(bytes, first, policy, &mut [&mut border]);
        *self.sites.borrow_mut() = match woven {
            Woven::Changed { .. } => border.into_sites(),
            Woven::Untouched(_) => Vec::new(),
        };
        woven
    }
}

/// Starts the log, if one is wanted of this JVM.
pub fn begin(agent: &Agent, jni: Jni) {
    let Some(inside) = agent.options.record.clone() else {
        return;
    };
    if agent.start != Start::WithJvm || agent.watch.is_some() || agent.look.is_some() {
        log::say("only a program that recrash run starts without --second-chance is recorded");
        return;
    }
    let Some(main) = main_class(jni) else {
        log::say("nothing is recorded: it is not known which class is the program's main class");
        return;
    };
    let sides = Sides::new(main.clone(), inside);
    if sides.is_starter() {
        return;
    }
    let simple = main.rsplit('.').next().unwrap_or(&main);
    let path = agent
        .options
        .out
        .join(format!("{simple}-{}.recording", std::process::id()));
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)
        .and_then(|mut file| {
            let start = beginning(&header(agent, jni, main));
            file.write_all(&start)?;
            Ok((file, start.len() as u64))
        });
    let (file, written) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            log::say(&format!("nothing is recorded: {}: {error}", path.display()));
            return;
        }
    };
    let recording = Recording {
        sides,
        path,
        state: Mutex::new(State {
            file: Some(file),
            tables: CodeTables::default(),
            written,
            most: agent.options.max_record,
        }),
    };
    let counts = agent.jvmti.enable(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
    let _ = agent.recording.set(recording);
    let counter = jvalue {
        j: if counts {
            COLLECTIONS.as_ptr() as i64
        } else {
            0
        },
    };
    if let Some(class) = jni.find_class("java/lang/$RecrashBorder") {
        for used in [
            "Talk",
            "Log",
            "LogWriter",
            "Known",
            "ContentQueue",
            "Side",
            "Forms",
        ] {
            jni.find_class(&format!("java/lang/$Recrash{used}"));
        }
        jni.call_static(class, c"begin", c"(J)V", &[counter]);
    }
}

/// The program is over: what its threads hold yet is written.
pub fn end(agent: &Agent, jni: Jni) {
    let Some(recording) = agent.recording.get() else {
        return;
    };
    if let Some(class) = jni.find_class("java/lang/$RecrashBorder") {
        jni.call_static(class, c"end", c"()V", &[]);
    }
    log::detail(|| format!("recorded: {}", recording.path.display()));
}

fn header(agent: &Agent, jni: Jni, main: String) -> Vec<(String, String)> {
    let mut header = vec![("main".to_owned(), main)];
    let properties = [
        ("class-path", "java.class.path"),
        ("folder", "user.dir"),
        ("jdk", "java.home"),
        ("java.version", "java.version"),
        ("command", "sun.java.command"),
    ];
    for (name, of) in properties {
        header.extend(property(jni, of).map(|value| (name.to_owned(), value)));
    }
    for argument in arguments(jni).unwrap_or_default() {
        if let Some(set) = argument.strip_prefix("-D") {
            header.push(("property".to_owned(), set.to_owned()));
        }
    }
    for glob in agent.options.record.iter().flatten() {
        header.push(("observe".to_owned(), glob.clone()));
    }
    header
}

/// The options that the JVM was started with.
fn arguments(jni: Jni) -> Option<Vec<String>> {
    let class = jni.find_class("jdk/internal/misc/VM")?;
    let descriptor = c"()[Ljava/lang/String;";
    let array = jni.call_static(class, c"getRuntimeArguments", descriptor, &[])?;
    let all = jni.elements(array);
    Some(all.into_iter().filter_map(|text| jni.text(text)).collect())
}
