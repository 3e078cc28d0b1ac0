//! Parsers, lexers, streams and the like: what is used up by being read, piece by piece, mostly in other classes.
//!
//! No code of one class shows how they change, and more than a number tells where they were. Long methods, among whose work
//! it is lost, keep the fields of those they are given and of what these read from in turn, see `$RecrashConsumed`. What
//! they are is told by the names of their types: the types themselves may not be loaded when a method is woven.

use xxhash_rust::xxh3::xxh3_64;

use crate::find::method::Method;

/// How the names of such types end.
const NAMES: [&str; 17] = [
    "Buf",
    "Buffer",
    "Cursor",
    "Decoder",
    "Input",
    "Iterator",
    "Lexer",
    "Parser",
    "Queue",
    "Reader",
    "Scanner",
    "Source",
    "Stack",
    "Stream",
    "Tokener",
    "Tokeniser",
    "Tokenizer",
];

/// How the names of what they keep their own state in end.
const STATES: [&str; 5] = ["Context", "Deque", "List", "State", "Vector"];

/// What is written to has no end that is reached.
const EXCEPT: [&str; 2] = ["OutputStream", "PrintStream"];

/// The JDK's own: followed by a number, see `cursor.rs`, or of no interest, but for these two, which the program extends.
const OF_JDK: [&[u8]; 2] = [b"Ljava/io/InputStream;", b"Ljava/io/Reader;"];
const JDK: &[u8] = b"Ljava/";

/// How the descriptors of fields end that lead from one of them to what it consists of and what it reads from.
pub fn sources() -> Vec<String> {
    ends_of_descriptors(NAMES.iter().chain(&STATES))
}

/// Those among them that lead nowhere all the same.
pub fn no_sources() -> Vec<String> {
    ends_of_descriptors(EXCEPT.iter())
}

fn ends_of_descriptors<'a>(names: impl Iterator<Item = &'a &'a str>) -> Vec<String> {
    names.map(|name| format!("{name};")).collect()
}

/// Methods with fewer instructions keep none.
const LONG: usize = 24;

/// Whether a type of the program is one of them by its name.
pub(crate) fn is_named(descriptor: &[u8]) -> bool {
    let Some(class) = descriptor
        .strip_prefix(b"L")
        .and_then(|class| class.strip_suffix(b";"))
    else {
        return false;
    };
    !descriptor.starts_with(JDK) && ends_alike(class)
}

fn ends_alike(class: &[u8]) -> bool {
    let ends = |names: &[&str]| names.iter().any(|name| class.ends_with(name.as_bytes()));
    ends(&NAMES) && !ends(&EXCEPT)
}

/// Whether the method keeps what it is given as this type.
pub(crate) fn is_kept(method: &Method<'_>, descriptor: &[u8]) -> bool {
    is_long(method) && (is_named(descriptor) || OF_JDK.contains(&descriptor))
}

/// Whether the method keeps its receiver: what its own class declares is kept by what the class's code shows, what a class
/// above it does is not known here.
pub(crate) fn is_receiver(method: &Method<'_>) -> bool {
    let class = method.class;
    let extends = class
        .super_name
        .is_some_and(|above| above != b"java/lang/Object" && ends_alike(above));
    extends
        && is_long(method)
        && method.has_receiver
        && !method.is_constructor
        && method.is_readable(0)
}

/// By which the runtime knows how often the method has kept something lately; others may have the same.
pub(crate) fn slot(method: &Method<'_>) -> i32 {
    let name = [
        method.class.name,
        method.member.name,
        method.member.descriptor,
    ]
    .concat();
    // It fits a short.
    (xxh3_64(&name) & 0x3ff) as i32
}

fn is_long(method: &Method<'_>) -> bool {
    method.scan.instructions >= LONG
}
