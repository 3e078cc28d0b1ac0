//! The one error of this crate: each variant is a defect and carries the value that offends.

/// Why a class file or a jar cannot be read or patched. `offset` counts from the start of the class file, `pc` from the
/// start of a method's code. A caller that meant to patch leaves the class as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("not a class file: it starts with {magic:#010x} instead of 0xcafebabe")]
    BadMagic { magic: u32 },
    #[error("class file version {major} is not one of 45 to 69")]
    UnsupportedVersion { major: u16 },
    #[error("the data ends at offset {offset}, where more must follow")]
    Truncated { offset: usize },
    #[error("{surplus} bytes follow the end at offset {offset}")]
    Surplus { offset: usize, surplus: usize },
    #[error("constant tag {tag} at offset {offset} does not exist")]
    BadConstantTag { tag: u8, offset: usize },
    #[error("constant {index} is not a {expected}")]
    WrongConstant { index: u16, expected: &'static str },
    #[error("`{descriptor}` is not a descriptor")]
    BadDescriptor { descriptor: String },
    #[error("opcode {opcode:#04x} at pc {pc} does not exist")]
    BadOpcode { opcode: u8, pc: usize },
    #[error("the instruction at pc {pc} is cut off or has impossible operands")]
    BadInstruction { pc: usize },
    #[error("pc {pc} is not the start of an instruction")]
    NotAnInstruction { pc: usize },
    #[error("stack map frame {frame} is malformed")]
    BadFrame { frame: usize },
    #[error("a type annotation has the unknown target {target:#04x}")]
    BadTypeAnnotation { target: u8 },
    #[error("the constant pool would have more than 65535 entries")]
    TooManyConstants,
    #[error("the code would be {length} bytes long, 65535 are possible")]
    CodeTooLong { length: usize },
    #[error("the method would need more than 65535 local variables or stack slots")]
    TooManySlots,
    #[error("the branch at pc {pc} would no longer reach its target")]
    BranchTooFar { pc: usize },
    #[error("{what} would have more than 65535 entries")]
    TableTooLong { what: &'static str },
    #[error("the class has no method {method}")]
    NoSuchMethod { method: String },
    #[error("{class}.{member}: {defect}")]
    InMember {
        class: String,
        member: String,
        defect: Box<Error>,
    },
    #[error("{path}: {detail}")]
    Unreadable { path: String, detail: String },
    #[error("{path}: {what} is larger than the {limit} bytes allowed")]
    OverBudget {
        path: String,
        what: String,
        limit: u64,
    },
}

impl Error {
    /// Says in which class and member the defect is.
    #[must_use]
    pub fn in_member(self, class: &str, member: &str) -> Error {
        Error::InMember {
            class: class.to_owned(),
            member: member.to_owned(),
            defect: Box::new(self),
        }
    }
}
