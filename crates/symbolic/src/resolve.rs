//! Which member a name in the code means.

use recrash_classfile::access;
use recrash_program::{FieldId, InvokeKind, MemberRef, Method, Program};

pub(crate) fn resolve_field(program: &Program, field: MemberRef) -> Option<FieldId> {
    program
        .hierarchy()
        .resolve_field(field.class, field.selector)
}

pub(crate) fn resolve(program: &Program, method: MemberRef) -> Option<Method> {
    program
        .hierarchy()
        .resolve_method(method.class, method.selector)
}

/// Whether a call can only mean the method it was resolved to.
pub(crate) fn is_exact(program: &Program, kind: InvokeKind, method: &Method) -> bool {
    let is_final = |class| {
        program
            .class(class)
            .is_some_and(|class| class.access & access::FINAL != 0)
    };
    matches!(kind, InvokeKind::Static | InvokeKind::Special)
        || method.is(access::FINAL | access::PRIVATE | access::STATIC)
        || is_final(method.id.class)
}
