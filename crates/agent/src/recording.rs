//! The log of a run: which classes tell what, and the file that it goes to. It is begun and ended in `recorder.rs`.

use crate::log;
use crate::privacy::Privacy;
use crate::sides::Sides;
use recrash_classfile::{dotted, text};
use recrash_recording::{CodeTables, Field, Flags, Method, Named, Operation, chunk};
use recrash_weave::{
    Border, BorderDeed, BorderMember, BorderSite, MethodName, Policy, Role, Woven,
    border_references, weave_with,
};
use recrash_wire::recording::{chunk as kinds, flag};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// See the top of the file.
pub struct Recording {
    pub sides: Sides,
    pub path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: Option<File>,
    tables: CodeTables,
    /// Names and descriptors of methods that drivers refer to by handles, as far as these are loaded.
    referred: HashSet<MethodName>,
    written: u64,
    most: u64,
}

impl Recording {
    /// `file` holds so many bytes already, and may take `most`.
    pub fn new(sides: Sides, path: PathBuf, file: File, written: u64, most: u64) -> Self {
        Recording {
            sides,
            path,
            state: Mutex::new(State {
                file: Some(file),
                tables: CodeTables::default(),
                referred: HashSet::new(),
                written,
                most,
            }),
        }
    }

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
        bytes: &[u8],
        rewrite: impl FnOnce(&ClassAtBorder<'_>) -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let class = name.replace('/', ".");
        let mut state = self.state();
        if self.sides.is_outside(&class) {
            let outside = |class: &str| self.sides.is_outside(class);
            let referred = border_references(bytes, &outside);
            state.referred.extend(referred.unwrap_or_default());
        }
        let at_border = ClassAtBorder {
            sides: &self.sides,
            role: if self.sides.is_outside(&class) {
                Role::Outside
            } else {
                Role::Inside
            },
            first: state.tables.next_site(),
            referred: &state.referred,
            sites: RefCell::default(),
        };
        let rewritten = rewrite(&at_border)?;
        let sites = at_border.sites.take();
        for site in sites {
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
    let fixed = if member.is_static { flag::STATIC } else { 0 };
    let special = if member.is_special { flag::SPECIAL } else { 0 };
    Flags(fixed | special)
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
    referred: &'r HashSet<MethodName>,
    sites: RefCell<Vec<BorderSite>>,
}

impl ClassAtBorder<'_> {
    /// Weaves the class with the recorder's handlers and what it is to tell.
    pub fn weave(&self, bytes: &[u8], first: u32, policy: &Policy, privacy: &Privacy) -> Woven {
        let outside = |class: &str| self.sides.is_outside(class);
        let secret = |name: &str| privacy.is_secret_name(name);
        let referred = |name: &[u8], descriptor: &[u8]| {
            !self.referred.is_empty()
                && self
                    .referred
                    .contains(&(name.to_vec(), descriptor.to_vec()))
        };
        let mut border = Border::new(self.role, self.first, &outside, &secret, &referred);
        let woven = weave_with(bytes, first, policy, &mut [&mut border]);
        *self.sites.borrow_mut() = match woven {
            Woven::Changed { .. } => border.into_sites(),
            Woven::Untouched(_) => Vec::new(),
        };
        woven
    }
}
