//! `manifest.json`: everything about a failure that is not the object graph itself.

pub use recrash_application::{Application, Whose};
pub use recrash_trace::CAPTURE_POINT;
use serde::{Deserialize, Serialize};

/// The version of the `.recrash` format this crate writes; readers refuse newer ones.
pub const FORMAT: u32 = 1;

/// An object of the heap part. `0` is null and never stands for an object; ids count from 1 in capture order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub u32);

/// A value of a field, an element, an argument or a receiver.
///
/// Floating-point values travel as their bits so that NaN payloads and infinities survive JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    Null,
    Ref(ObjectId),
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    FloatBits(u32),
    DoubleBits(u64),
}

impl Value {
    /// What a field of this type holds before anything is written to it; null for references.
    #[must_use]
    pub fn zero(self) -> Value {
        match self {
            Value::Null | Value::Ref(_) => Value::Null,
            Value::Boolean(_) => Value::Boolean(false),
            Value::Byte(_) => Value::Byte(0),
            Value::Char(_) => Value::Char(0),
            Value::Short(_) => Value::Short(0),
            Value::Int(_) => Value::Int(0),
            Value::Long(_) => Value::Long(0),
            Value::FloatBits(_) => Value::FloatBits(0),
            Value::DoubleBits(_) => Value::DoubleBits(0),
        }
    }

    /// The same by descriptor.
    pub fn zero_of(descriptor: &str) -> Value {
        match descriptor {
            "Z" => Value::Boolean(false),
            "B" => Value::Byte(0),
            "C" => Value::Char(0),
            "S" => Value::Short(0),
            "I" => Value::Int(0),
            "J" => Value::Long(0),
            "F" => Value::FloatBits(0),
            "D" => Value::DoubleBits(0),
            _ => Value::Null,
        }
    }

    pub fn is_zero(self) -> bool {
        self == self.zero()
    }
}

/// Why a snapshot was taken. What it holds is the same: roots, the objects behind them, and the world around.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// An exception was thrown.
    #[default]
    Crash,
    /// The program asked for it at a capture point; a [`CAPTURE_POINT`] stands for an exception.
    Point,
    /// A method was entered. Nothing was thrown yet: throwables, where there are any, are what is to be expected.
    Entry,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// Snapshots of before do not say it; [`crate::Snapshot::read`] finds out.
    #[serde(default)]
    pub cause: Cause,
    /// The version of recrash that wrote the file.
    pub recrash: String,
    /// `--label`: the user's own version identifier (paper 3.2.2).
    pub label: Option<String>,
    /// Set by `recrash run` so that it recognises the snapshots of its own child.
    pub session: Option<String>,
    /// How state was kept as it was on entry, as `--strategy` spells it; empty where that is not known.
    #[serde(default)]
    pub strategy: String,
    /// Milliseconds since the epoch.
    pub captured_at: u64,
    /// Exception type and application frames, hashed: equal for occurrences of the same failure. [`Manifest::key`] is equal for
    /// its printed traces, too.
    pub fingerprint: String,
    /// The uncaught throwable first, its causes after it, the root cause last; none where nothing was thrown.
    pub throwables: Vec<ThrowableInfo>,
    pub thread: ThreadInfo,
    /// Innermost first; the frames of the root cause, then those of what wrapped it, outward.
    pub frames: Vec<FrameInfo>,
    /// How many frames unwound in all, where `frames` keeps only the first and the last of them.
    pub frames_total: u32,
    pub statics: Vec<StaticField>,
    pub thread_locals: Vec<ThreadLocalEntry>,
    pub environment: Environment,
    /// What of the program is its own code; snapshots of before do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<OwnCode>,
    /// What the budgets cut, in the user's words; empty when the graph is whole.
    pub limits: Vec<String>,
    /// Classes that were left unwoven, and why.
    pub unwoven: Vec<Unwoven>,
    /// How much of what was captured is left, where `recrash shrink` took some away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<Shrunk>,
    /// What privacy rules were applied, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privacy: Option<Privacy>,
}

/// What the program's own code is, against that of its libraries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCode {
    /// How the program was started, and which packages were seen to be its own.
    #[serde(flatten)]
    pub start: Application,
    /// The application's classes among those of the frames.
    pub classes: Vec<String>,
}

impl OwnCode {
    pub fn owns(&self, class: &str) -> bool {
        self.classes.iter().any(|own| own == class)
    }
}

/// What `recrash shrink` did to a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shrunk {
    /// As captured.
    pub objects_before: u32,
    pub objects: u32,
    /// Runs of a frame that it took.
    pub trials: u64,
    pub milliseconds: u64,
    /// The frames whose state is kept so far that they reproduce the crash; what was captured of others is gone.
    pub frames: Vec<usize>,
    /// Every single simplification that is left was tried, and the crash would change.
    pub minimal: bool,
}

/// What was withheld from a snapshot, and by which rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Privacy {
    /// The user's own rules, as written; those that recrash brings count behind them.
    #[serde(default)]
    pub rules: Vec<String>,
    #[serde(default)]
    pub redactions: Vec<Redaction>,
    /// How many more there are than `redactions` lists.
    #[serde(default)]
    pub unlisted: u64,
}

/// A value that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redaction {
    /// The object whose contents changed; null (0) for what the manifest itself says.
    pub object: ObjectId,
    /// The field, the element (`[3]`), the characters (`[4..11]`), or where in the manifest; empty for the whole object.
    pub place: String,
    /// As in a rules file: `mask field password`.
    pub rule: String,
    /// What was done, which may be more than the rule says.
    pub kind: RedactionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RedactionKind {
    /// Null, or zero.
    Drop,
    /// Characters of the same classes, all alike.
    Mask,
    /// Characters of the same classes, by a salted hash: equal values stay equal.
    Hash,
    /// Another value with which the crash was shown to remain.
    Equivalent,
}

impl Manifest {
    /// The application's frames, innermost first: all there are where nobody knows what is the application's.
    pub fn own_frames(&self) -> Vec<usize> {
        let frames = self.frames.iter().enumerate();
        let own = |frame: &FrameInfo| {
            let application = self.application.as_ref();
            application.is_none_or(|own| own.owns(&frame.element.class))
        };
        frames
            .filter(|(_, frame)| own(frame))
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether the frame ran while its own class was being initialised: calling its method anew initialises the class
    /// first, and fails there.
    pub fn initialises_its_class(&self, frame: usize) -> bool {
        let outward = self.frames.get(frame..).unwrap_or_default();
        outward.first().is_some_and(|inner| {
            outward
                .iter()
                .take_while(|outer| outer.throwable == inner.throwable)
                .any(|outer| {
                    outer.element.method == "<clinit>" && outer.element.class == inner.element.class
                })
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThrowableInfo {
    /// Binary name with dots, `com.acme.Order$Line`.
    pub class: String,
    pub message: Option<String>,
    pub object: ObjectId,
    pub trace: Vec<TraceElement>,
}

impl ThrowableInfo {
    /// The label of the capture point, where it is one.
    pub fn label(&self) -> Option<&str> {
        let message = self.message.as_deref();
        message.filter(|_| self.class == CAPTURE_POINT)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceElement {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    /// As `StackTraceElement.getLineNumber`: negative when unknown, -2 for a native method.
    pub line: i32,
    pub module: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadInfo {
    pub name: String,
    pub id: u64,
    pub daemon: bool,
    #[serde(rename = "virtual")]
    pub is_virtual: bool,
}

/// One stack frame. Frames without `captured` were not monitored (JDK, trivial or excluded methods).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameInfo {
    /// Index into `Manifest::throwables`: the throwable that unwound this frame.
    pub throwable: u32,
    pub element: TraceElement,
    pub captured: Option<CapturedFrame>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedFrame {
    /// JVM descriptor of the method, `(ILjava/lang/String;)V`.
    pub descriptor: String,
    /// `access_flags` of the method.
    pub access: u16,
    pub place: FramePlace,
    /// `Null` for static methods and for constructors whose receiver does not exist yet.
    pub receiver: Value,
    pub arguments: Vec<Argument>,
    /// Values on entry that differ, or may differ, from what the frames inside this one saw; [`crate::EntryState`] puts
    /// them together.
    pub patches: Vec<Patch>,
    /// The frame inside this one as whose entry state its own is taken, where that was shown to lead to the failure and
    /// all patches together were not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
    /// Static fields the method's code reads, as `owner.name` (binary names with dots).
    pub reads: Vec<String>,
    /// xxh3 of the class file as it was loaded; the desk's copy is compared with it.
    pub class_hash: Option<String>,
    /// Where the class was loaded from, a path or URL.
    pub source: Option<String>,
    /// How many times the method had been entered, where a second look counted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FramePlace {
    /// An ordinary method, or a constructor after `super(...)` returned (its receiver is partly built).
    Body,
    /// A constructor that failed while computing the arguments of `super(...)`.
    BeforeSuper,
    /// A constructor that was inside `super(...)` or `this(...)`.
    InsideSuper,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// From the LocalVariableTable or MethodParameters, where the class has them.
    pub name: Option<String>,
    /// JVM type descriptor of the declared parameter type.
    pub descriptor: String,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// Null (0) for a static field.
    pub object: ObjectId,
    /// Declaring class, binary name with dots; of an array its own class, as `Class.getName` spells it.
    pub class: String,
    /// The name, or of an array's element the index: `[3]`.
    pub field: String,
    /// Of the field, or of the element.
    pub descriptor: String,
    pub value: Value,
}

impl Patch {
    /// The index, where the place is an element of an array.
    pub fn element(&self) -> Option<usize> {
        let index = self.field.strip_prefix('[')?.strip_suffix(']')?;
        index.parse().ok()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticField {
    pub class: String,
    pub field: String,
    pub descriptor: String,
    pub value: Value,
    #[serde(rename = "final")]
    pub is_final: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadLocalEntry {
    pub key: ObjectId,
    pub value: Value,
    pub inheritable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    pub java_home: String,
    pub java_version: String,
    /// The JVM's, and behind it where else the program's class loaders found classes.
    pub class_path: Vec<String>,
    pub module_path: Vec<String>,
    /// The JVM's own options (`-X…`, `--add-opens …`), without recrash's.
    pub jvm_arguments: Vec<String>,
    pub working_directory: String,
    /// BCP 47 tag.
    pub locale: String,
    pub time_zone: String,
    pub charset: String,
    pub system_properties: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwoven {
    pub class: String,
    pub reason: String,
}
