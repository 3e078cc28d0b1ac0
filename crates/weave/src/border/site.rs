//! What a place in code does that a recording tells of.

/// A place that woven code names by a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BorderSite {
    /// Name and descriptor of the method that it is in, in modified UTF-8.
    pub method: (Vec<u8>, Vec<u8>),
    pub is_static: bool,
    /// Zero where there is none.
    pub line: u16,
    pub does: BorderDeed,
}

/// What happens there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BorderDeed {
    Call(BorderMember),
    /// Outside code is entered.
    Entry,
    /// Inside code is entered.
    Arrival,
    Read(BorderMember),
    Write(BorderMember),
    ElementWrite,
    Question(BorderMember),
}

/// What code names: the owner with slashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BorderMember {
    pub owner: Vec<u8>,
    pub name: Vec<u8>,
    pub descriptor: Vec<u8>,
    pub is_static: bool,
    /// Called without dispatch: by `super` or as a constructor.
    pub is_special: bool,
}
