//! A recording in memory: tables, and events in the order in which they happened.

use crate::ids::{EventId, FieldId, MethodId, ObjectId, SiteId, TextId, TypeId};
use crate::value::{Content, Text, Value};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recording {
    /// Names and values about the run, in the order of the file; a name may come more than once. See [`Self::told`].
    pub header: Vec<(String, String)>,
    pub texts: Vec<Text>,
    pub types: Vec<Type>,
    pub methods: Vec<Method>,
    pub fields: Vec<Field>,
    pub sites: Vec<Site>,
    pub objects: Vec<Object>,
    pub threads: Vec<Thread>,
    pub events: Vec<Event>,
    /// The exceptions that ended the run, a thread of it, or a test, as they came.
    pub failures: Vec<Failure>,
    pub end: End,
}

impl Recording {
    /// The values under a name of the header: `main` (with dots), `argument` (each), `class-path`, `folder`, `jdk`
    /// (its home), `java.version`, `property` (`name=value`, each that was set on the command line), `observe` (each glob).
    pub fn told<'r>(&'r self, name: &'r str) -> impl Iterator<Item = &'r str> {
        let named = self.header.iter().filter(move |(key, _)| key == name);
        named.map(|(_, value)| value.as_str())
    }

    pub fn text(&self, id: TextId) -> Option<&Text> {
        self.texts.get(id.index())
    }

    pub fn type_of(&self, id: TypeId) -> Option<&Type> {
        self.types.get(id.index())
    }

    pub fn method(&self, id: MethodId) -> Option<&Method> {
        self.methods.get(id.index())
    }

    pub fn field(&self, id: FieldId) -> Option<&Field> {
        self.fields.get(id.index())
    }

    pub fn site(&self, id: SiteId) -> Option<&Site> {
        self.sites.get(id.index())
    }

    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id.index())
    }

    pub fn event(&self, id: EventId) -> Option<&Event> {
        self.events.get(id.index())
    }

    /// What a site calls or enters.
    pub fn callee(&self, id: SiteId) -> Option<&Method> {
        match self.site(id)?.target {
            Target::Method(method) => self.method(method),
            _ => None,
        }
    }
}

/// On which side of the border the code of a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    Jdk,
    Inside,
    Outside,
}

/// Bits of [`recrash_wire::recording::flag`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(pub u8);

impl Flags {
    pub fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// The run-time class of an object, or one that it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Type {
    /// As `Class.getName` tells it: with dots, arrays as `[I` and `[Ljava.lang.String;`.
    pub name: String,
    pub side: Side,
    pub flags: Flags,
    pub superclass: Option<TypeId>,
    pub interfaces: Vec<TypeId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Method {
    /// The class that the code names, with dots.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    pub flags: Flags,
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.flags.has(recrash_wire::recording::flag::STATIC)
    }

    pub fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The class that the code names, with dots.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    pub flags: Flags,
}

impl Field {
    pub fn is_static(&self) -> bool {
        self.flags.has(recrash_wire::recording::flag::STATIC)
    }
}

/// What the code does at a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Outside code calls.
    Call,
    /// Outside code is entered, called back by the inside; the target is the method itself.
    Entry,
    /// Inside code is entered from outside by way of the JDK or of reflection; the target is the method itself.
    Arrival,
    Read,
    Write,
    ElementRead,
    ElementWrite,
    /// Inside code asks the environment.
    Question,
    /// Outside code makes a lambda.
    Lambda,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    Method(MethodId),
    Field(FieldId),
    /// An element of an array.
    Element,
}

/// A place in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The method that the code is in.
    pub inside_of: MethodId,
    /// Zero where there is none.
    pub line: u16,
    pub operation: Operation,
    pub target: Target,
}

/// How an object is had again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// Of an inside class: by the events that made it. Also an object of the JDK that came out of the inside and has no
    /// content that could be kept.
    Inside,
    /// Of the JDK: real, with the content of its [`EventKind::Content`].
    Neutral,
    /// Of an outside class, or of the JDK with a state that cannot be kept: something stands in for it.
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    pub class: TypeId,
    pub kind: ObjectKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Its number in events.
    pub id: u32,
    pub name: String,
}

/// One thing that happened. Its place among all is its [`EventId`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// See [`Thread::id`].
    pub thread: u32,
    pub kind: EventKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// From outside into the inside, or on an object that the inside knows. Ends with a `Return` or `Throw` that names it; what
    /// the thread did in between happened during it.
    Call(Call),
    /// From the inside to outside code. Ends likewise.
    Callback(Callback),
    /// Of the innermost call or callback of the thread. A constructor returns the new object.
    Return {
        of: EventId,
        value: Option<Value>,
    },
    Throw {
        of: EventId,
        thrown: Value,
    },
    /// Of a field of the inside by outside code.
    Read(FieldAccess),
    Write(FieldAccess),
    /// Of an array that the inside knows by outside code.
    ElementRead(Element),
    ElementWrite(Element),
    /// What an object holds, told before the first event that mentions it. Outside code changes it by events from then on, and
    /// the inside by itself.
    Content {
        object: ObjectId,
        content: Content,
    },
    /// The environment's answer to the inside.
    Answer(Answer),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub site: SiteId,
    /// None for static methods and constructors.
    pub receiver: Option<Value>,
    pub arguments: Vec<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// With [`Operation::Entry`]: what is called. The body of a lambda is found by the [`crate::Lambda`] of an object.
    pub site: SiteId,
    pub receiver: Option<Value>,
    pub arguments: Vec<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldAccess {
    pub site: SiteId,
    pub receiver: Option<Value>,
    pub value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    pub site: SiteId,
    pub array: Value,
    pub index: i32,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// With [`Operation::Question`]: what was asked.
    pub site: SiteId,
    pub receiver: Option<Value>,
    pub arguments: Vec<Value>,
    pub value: Value,
}

/// An exception that ended the run, a thread of it, or a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    pub thread: u32,
    /// An object; its content is the throwable's message and stack.
    pub thrown: Value,
    /// The number of events before it.
    pub at: EventId,
}

/// How the recording ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// The program was gone before it could say so.
    #[default]
    Cut,
    /// The program ended.
    Whole {
        /// Events that there was no room for, all of them last.
        dropped: u64,
    },
}
