//! The methods that a call may mean.

use recrash_program::{InvokeKind, MemberRef, Method, Op, Origin, Type, ValueId};

use crate::code::{Code, Codes};
use crate::resolve::{is_exact, resolve};

/// What a call may run.
pub(crate) struct Targets {
    pub(crate) methods: Vec<Method>,
    /// There is nothing else it could be.
    pub(crate) exact: bool,
}

/// More are not followed: a method that everybody overrides says little.
const MOST: usize = 4;

/// By the class of the receiver, as far as it is known where the call is.
pub(crate) fn dispatch(
    codes: &Codes<'_>,
    code: &Code,
    kind: InvokeKind,
    method: MemberRef,
    receiver: Option<ValueId>,
) -> Targets {
    let program = codes.program;
    let Some(resolved) = resolve(program, method) else {
        return Targets {
            methods: Vec::new(),
            exact: false,
        };
    };
    if is_exact(program, kind, &resolved) {
        return Targets {
            methods: vec![resolved],
            exact: true,
        };
    }
    let hierarchy = program.hierarchy();
    let value = receiver.and_then(|receiver| code.value(receiver));
    if let Some(Op::New(class)) = value.map(|value| &value.op)
        && let Some(method) = hierarchy.select_method(*class, &resolved)
    {
        return Targets {
            methods: vec![method],
            exact: true,
        };
    }
    // What is declared may be narrower than what is called.
    let declared = match value.map(|value| value.ty) {
        Some(Type::Reference(class)) if hierarchy.is_subtype(class, method.class) => class,
        _ => method.class,
    };
    let mut methods: Vec<Method> = Vec::new();
    let is_application = program
        .class(resolved.id.class)
        .is_some_and(|class| class.origin != Origin::Jdk);
    if is_application {
        let below = codes.subclasses();
        let mut classes = vec![declared];
        let mut at = 0;
        while let Some(&class) = classes.get(at) {
            at += 1;
            for &class in below.get(&class).into_iter().flatten() {
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        for class in classes {
            let concrete = program.class(class).is_some_and(|it| it.is_concrete());
            let selected = hierarchy.select_method(class, &resolved);
            if let Some(method) = selected.filter(|it| concrete && it.has_code())
                && !methods.iter().any(|known| known.id == method.id)
            {
                methods.push(method);
            }
        }
    }
    if methods.is_empty() || methods.len() > MOST {
        methods = vec![resolved];
    }
    Targets {
        methods,
        exact: false,
    }
}
