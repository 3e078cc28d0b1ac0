//! What each site id in woven code stands for.

pub(crate) mod packed;
pub(crate) mod table;

/// One handler: what was on entry to which method. It hands over the receiver (instance methods only; null where it does
/// not exist yet), every parameter, every saved field and cursor, what leads to fields farther away and those, the past (see
/// [`Site::past`]), and in a second look (`Policy::look`) the number of the entry: references in this order, and primitives
/// in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub id: u32,
    /// Binary name with dots, `com.acme.Order$Line`.
    pub class: String,
    pub method: String,
    /// JVM descriptor, `(ILjava/lang/String;)V`.
    pub descriptor: String,
    /// `access_flags` of the method.
    pub access: u16,
    pub place: Place,
    pub parameters: Vec<Parameter>,
    pub saved: Vec<SavedField>,
    /// Whose places on entry follow the saved fields, as the runtime's `$RecrashCursor` tells them: numbers of 64 bits.
    pub cursors: Vec<Owner>,
    /// So many references follow, which fields farther away are fields of.
    pub holders: u16,
    /// Fields that callees may overwrite, see `far.rs`; they follow in their turn.
    pub far: Vec<SavedField>,
    /// What follows them.
    pub past: Past,
    /// The local variable that holds each value while the method runs, in the order of `put`; `None` where there is none.
    /// A [`Past::Journal`] has the journal, which is in no variable, in front of them, and the place in it behind them.
    pub slots: Vec<Option<u16>>,
    /// Static fields the method's code reads, each once, in order of appearance.
    pub reads: Vec<FieldName>,
}

/// The `java.lang.$RecrashEntryState` of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Past {
    #[default]
    None,
    /// A copy, or null for want of memory, behind the references.
    Copy,
    /// The thread's journal in front of the references, and the place in it behind the primitives.
    Journal,
}

/// Which part of a method the site records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// An ordinary method, or a constructor after `super(...)` returned.
    Body,
    /// A constructor while it computes the arguments of `super(...)` or `this(...)`.
    BeforeSuper,
    /// A constructor while it is inside `super(...)` or `this(...)`: no handler, only the name of what is on the stack.
    InsideSuper,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// From MethodParameters or the LocalVariableTable, where the class has them.
    pub name: Option<String>,
    pub descriptor: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    Receiver,
    /// Counts from 0, the receiver not included.
    Argument(u16),
    /// What the value refers to that is kept at this place, counted from the first saved field.
    Kept(u16),
}

/// A field whose value on entry is recorded because the method, or what it calls, may overwrite it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedField {
    pub owner: Owner,
    pub field: FieldName,
}

/// A field as code names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FieldName {
    /// The class the code names, binary name with dots; the field may be inherited from further up.
    pub class: String,
    pub field: String,
    pub descriptor: String,
}
