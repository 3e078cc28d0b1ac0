use crate::manifest::ObjectId;
use std::path::PathBuf;
use thiserror::Error;

/// Why a snapshot could not be read, written or planned; one variant per defect, with the offending value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    #[error("{path}: {reason}")]
    Io { path: PathBuf, reason: String },
    #[error("{path} is not a .recrash file: {reason}")]
    NotASnapshot { path: PathBuf, reason: String },
    #[error("{path} is damaged: {part}: {reason}; copy it again from where it was captured")]
    Damaged {
        path: PathBuf,
        part: &'static str,
        reason: String,
    },
    #[error(
        "the snapshot has format {found}, this recrash reads up to {supported}; use a newer recrash"
    )]
    NewerFormat { found: u32, supported: u32 },
    #[error("{part} has {found} {unit}, more than the limit of {limit}")]
    OverLimit {
        part: &'static str,
        unit: &'static str,
        found: u64,
        limit: u64,
    },
    #[error("the heap part does not start with its magic number")]
    NoHeapMagic,
    #[error("the heap part ends at byte {at} in the middle of {what}")]
    Truncated { at: u64, what: &'static str },
    #[error("the heap part has {0} bytes after its last object")]
    TrailingBytes(u64),
    #[error("class {class}: {reason}")]
    BadClass { class: u32, reason: &'static str },
    #[error("object {}: unknown kind {tag}", object.0)]
    UnknownKind { object: ObjectId, tag: u8 },
    #[error("object {}: class {class} of {classes} does not exist", object.0)]
    ClassOutOfRange {
        object: ObjectId,
        class: u32,
        classes: u32,
    },
    #[error("object {}: {reason}", object.0)]
    BadObject {
        object: ObjectId,
        reason: &'static str,
    },
    #[error("object {} refers to object {target}, but there are only {objects}", object.0)]
    DanglingReference {
        object: ObjectId,
        target: u32,
        objects: u32,
    },
    #[error("the manifest's {place} refers to object {target}, but there are only {objects}")]
    DanglingRoot {
        place: &'static str,
        target: u32,
        objects: u32,
    },
    #[error("text at byte {at} of the heap part is not UTF-8")]
    NotUtf8 { at: u64 },
    #[error("the snapshot has no frame {frame}; it has {frames}")]
    NoSuchFrame { frame: usize, frames: usize },
    #[error(
        "frame {frame}, {method}, was not captured: only its place in the stack trace is known"
    )]
    FrameNotCaptured { frame: usize, method: String },
    #[error("object {} cannot be changed so: {reason}", object.0)]
    BadEdit {
        object: ObjectId,
        reason: &'static str,
    },
}
