//! Whether a captured frame can be called by name from the test, and how.

use crate::descriptor;
use crate::names;
use crate::oracle::{Hierarchy, Nesting, TypeOracle, flags};
use crate::scope::Scope;
use recrash_heap::manifest::{CapturedFrame, FrameInfo, Value};
use recrash_heap::{Heap, Kind};

pub(crate) const OVERRIDDEN: &str = "the receiver's class overrides it";
pub(crate) const NO_RECEIVER: &str = "its receiver is not known";

/// How the test reaches the captured code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    /// `Order.parse(…)`; the class as written.
    Static(String),
    /// `order.total(…)`; the class of the receiver as written.
    Virtual(String),
    /// `new Order(…)`.
    Constructor(String),
    /// `frame.invoke()`, and why nothing better.
    Invoke(&'static str),
}

/// What a parameter is declared as, written; present for every parameter of a call by name.
pub(crate) struct Callee {
    pub(crate) call: Call,
    pub(crate) parameter_types: Vec<String>,
    /// Nothing else of that name and number of parameters, so that no argument needs a cast.
    pub(crate) is_only_one: bool,
}

pub(crate) fn callee(
    heap: &Heap,
    frame: &FrameInfo,
    captured: &CapturedFrame,
    oracle: &dyn TypeOracle,
    scope: &mut Scope<'_>,
) -> Callee {
    let parameters = descriptor::parameters(&captured.descriptor);
    let types: Option<Vec<String>> = parameters
        .iter()
        .map(|parameter| scope.descriptor(parameter))
        .collect();
    let hierarchy = Hierarchy { oracle };
    let call = match &types {
        None => Call::Invoke("a parameter's type is not accessible here"),
        Some(types) if types.len() != captured.arguments.len() => {
            Call::Invoke("its parameters are not known")
        }
        Some(_) => by_name(heap, frame, captured, &hierarchy, scope),
    };
    Callee {
        call,
        parameter_types: types.unwrap_or_default(),
        is_only_one: hierarchy.is_only_one(
            &frame.element.class,
            &frame.element.method,
            parameters.len(),
        ),
    }
}

fn by_name(
    heap: &Heap,
    frame: &FrameInfo,
    captured: &CapturedFrame,
    hierarchy: &Hierarchy<'_>,
    scope: &mut Scope<'_>,
) -> Call {
    let class = frame.element.class.as_str();
    let method = frame.element.method.as_str();
    if method == "<clinit>" {
        return Call::Invoke("a static initialiser has no name");
    }
    if captured.access & (flags::SYNTHETIC | flags::BRIDGE) != 0
        || names::lambda_host(method).is_some()
    {
        return Call::Invoke("the compiler made this method");
    }
    if captured.access & flags::PRIVATE != 0 {
        return Call::Invoke("private");
    }
    let Some(written) = scope
        .class(class)
        .or_else(|| through_supertype(frame, captured, hierarchy, scope))
    else {
        return Call::Invoke("its class is not accessible here");
    };
    if !scope.admits_member(class, captured.access) {
        return Call::Invoke("not accessible from this package");
    }
    if method == "<init>" {
        return constructor(heap, frame, captured, hierarchy, written);
    }
    if !names::is_identifier(method) {
        return Call::Invoke("its name cannot be written in Java");
    }
    if captured.access & flags::STATIC != 0 {
        return Call::Static(written);
    }
    let Value::Ref(receiver) = captured.receiver else {
        return Call::Invoke(NO_RECEIVER);
    };
    let dynamic = heap.class_name(receiver).unwrap_or_default();
    let runs_captured_code = match heap.object(receiver).map(|object| object.kind) {
        Some(Kind::Lambda { .. } | Kind::Proxy { .. }) => false,
        _ => hierarchy.runs_declared(dynamic, class, method, &captured.descriptor),
    };
    if runs_captured_code {
        Call::Virtual(written)
    } else {
        Call::Invoke(OVERRIDDEN)
    }
}

/// An anonymous class, or the body of an enum constant, is reached through what it extends or implements.
fn through_supertype(
    frame: &FrameInfo,
    captured: &CapturedFrame,
    hierarchy: &Hierarchy<'_>,
    scope: &mut Scope<'_>,
) -> Option<String> {
    let (class, method) = (&frame.element.class, &frame.element.method);
    if method == "<init>" || captured.access & flags::STATIC != 0 {
        return None;
    }
    let declaring = hierarchy.supertypes_declaring(class, method, &captured.descriptor);
    declaring.into_iter().find_map(|(supertype, access)| {
        let written = scope.class(&supertype)?;
        scope.admits_member(&supertype, access).then_some(written)
    })
}

fn constructor(
    heap: &Heap,
    frame: &FrameInfo,
    captured: &CapturedFrame,
    hierarchy: &Hierarchy<'_>,
    written: String,
) -> Call {
    let class = frame.element.class.as_str();
    let Some(facts) = hierarchy.oracle.facts(class) else {
        return Call::Invoke("its class is not accessible here");
    };
    if facts.access & flags::ABSTRACT != 0 {
        return Call::Invoke("its class is abstract");
    }
    if facts.access & flags::ENUM != 0 {
        return Call::Invoke("the constructor of an enum");
    }
    let is_inner =
        matches!(facts.nesting, Nesting::Member { .. }) && facts.access & flags::STATIC == 0;
    if is_inner {
        return Call::Invoke("the constructor of an inner class");
    }
    if let Value::Ref(receiver) = captured.receiver
        && heap
            .class_name(receiver)
            .is_some_and(|dynamic| dynamic != class)
    {
        return Call::Invoke("called by the constructor of a subclass");
    }
    Call::Constructor(written)
}
