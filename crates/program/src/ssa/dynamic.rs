//! Call sites that a bootstrap method links: what is known of them without linking.

use recrash_classfile::{ClassFile, Constant, MethodHandle};

use super::MemberRef;
use crate::error::Result;
use crate::ids::{ClassId, SelectorId};
use crate::program::Program;

/// What an `invokedynamic` does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CallSite {
    /// Makes an object of a functional interface; its arguments are what the lambda captures.
    Lambda {
        interface: ClassId,
        /// The method of the interface, as the interface declares it.
        method: SelectorId,
        implementation: Handle,
    },
    /// Joins its arguments to a string.
    Concatenation,
    /// `toString`, `hashCode` and `equals` of a record.
    RecordMethod,
    /// Decides a `switch` over patterns.
    Switch,
    Unknown,
}

/// A method handle that leads to a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle {
    pub kind: HandleKind,
    pub method: MemberRef,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandleKind {
    /// Virtual and interface methods.
    Virtual,
    Static,
    Special,
    Constructor,
}

pub(super) fn call_site(program: &Program, file: &ClassFile<'_>, index: u16) -> Result<CallSite> {
    let dynamic = file.pool.dynamic(index)?;
    let bootstrap = file.bootstrap(dynamic.bootstrap)?;
    let maker = bootstrap.handle.member;
    Ok(match (maker.class, maker.name) {
        (b"java/lang/invoke/LambdaMetafactory", b"metafactory" | b"altMetafactory") => {
            let arguments = (bootstrap.arguments.first(), bootstrap.arguments.get(1));
            let (Some(&erased), Some(&handle)) = arguments else {
                return Ok(CallSite::Unknown);
            };
            let Constant::MethodType(erased) = file.pool.constant(erased)? else {
                return Ok(CallSite::Unknown);
            };
            let Some(implementation) = handle_of(program, &file.pool.method_handle(handle)?) else {
                return Ok(CallSite::Unknown);
            };
            let interface = match dynamic.descriptor.iter().position(|&c| c == b')') {
                Some(end) => match dynamic.descriptor.get(end + 1..) {
                    Some([b'L', name @ .., b';']) => program.class_id(name),
                    _ => return Ok(CallSite::Unknown),
                },
                None => return Ok(CallSite::Unknown),
            };
            CallSite::Lambda {
                interface,
                method: program.selector_id(dynamic.name, erased),
                implementation,
            }
        }
        (b"java/lang/invoke/StringConcatFactory", _) => CallSite::Concatenation,
        (b"java/lang/runtime/ObjectMethods", _) => CallSite::RecordMethod,
        (b"java/lang/runtime/SwitchBootstraps", _) => CallSite::Switch,
        _ => CallSite::Unknown,
    })
}

fn handle_of(program: &Program, handle: &MethodHandle<'_>) -> Option<Handle> {
    let kind = match handle.kind {
        5 | 9 => HandleKind::Virtual,
        6 => HandleKind::Static,
        7 => HandleKind::Special,
        8 => HandleKind::Constructor,
        _ => return None,
    };
    let member = handle.member;
    Some(Handle {
        kind,
        method: MemberRef {
            class: program.class_id(member.class),
            selector: program.selector_id(member.name, member.descriptor),
        },
    })
}
