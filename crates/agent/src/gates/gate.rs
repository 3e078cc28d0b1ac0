//! A rule and its gates: methods that tell of a failure which passes them.

use crate::kinds::Kind;
use recrash_classfile::{ClassFile, Member, Parameters, access, text};
use recrash_weave::Moment;
use std::fmt::Write as _;

/// One kind of failure, and where it is recognised.
pub struct Rule {
    pub kind: Kind,
    pub known: &'static [Known],
    pub shape: Option<Shape>,
}

/// A gate of a class that is known.
pub struct Known {
    /// With slashes.
    pub class: &'static str,
    pub method: &'static str,
    /// Of the parameters that are handed on, in their order; each is the first one of its type, and [`THIS`] the receiver.
    pub takes: &'static [&'static str],
    pub moment: Moment,
    pub told: Told,
}

/// Gates that are recognised in classes nobody knows.
pub struct Shape {
    /// Asked of every class of the program: whether a closer look is worth it.
    pub concerns: fn(name: &str, bytes: &[u8]) -> bool,
    /// The gate that a method with code is, if it is one.
    pub gate: fn(name: &str, parameters: &[&str]) -> Option<Telling>,
}

/// A call of the runtime.
#[derive(Debug, PartialEq, Eq)]
pub struct Telling {
    pub told: Told,
    /// The places of the parameters that are handed on.
    pub places: Vec<usize>,
}

impl Told {
    pub fn of(self, places: &[usize]) -> Telling {
        Telling {
            told: self,
            places: places.to_vec(),
        }
    }
}

/// A method of the runtime; it takes what the gate hands on, references as plain objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    pub class: &'static str,
    pub method: &'static str,
}

pub const THROWABLE: &str = "Ljava/lang/Throwable;";
pub const OBJECT: &str = "Ljava/lang/Object;";
pub const THIS: &str = "this";

/// A method of `$RecrashGate`.
pub const fn gate(method: &'static str) -> Told {
    Told {
        class: "java/lang/$RecrashGate",
        method,
    }
}

/// A method that begins with telling.
pub const fn known(
    class: &'static str,
    method: &'static str,
    takes: &'static [&'static str],
    told: Told,
) -> Known {
    Known {
        class,
        method,
        takes,
        moment: Moment::Entry,
        told,
    }
}

/// A method of a class at hand that is to tell.
#[derive(Debug, PartialEq, Eq)]
pub struct Gate {
    pub method: String,
    pub descriptor: String,
    pub moment: Moment,
    pub told: Told,
    /// The descriptor of what is told.
    pub told_types: String,
    /// Where the receiver has place 0.
    pub places: Vec<usize>,
}

/// The JDK's classes have gates that are known, and no others.
fn is_of_jdk(class: &str) -> bool {
    const JDK: [&str; 4] = ["java/", "jdk/", "sun/", "com/sun/"];
    JDK.iter().any(|prefix| class.starts_with(prefix))
}

impl Rule {
    pub fn knows(&self, class: &str) -> bool {
        self.known.iter().any(|known| known.class == class)
    }

    pub fn concerns(&self, class: &str, bytes: &[u8]) -> bool {
        self.knows(class)
            || !is_of_jdk(class)
                && self
                    .shape
                    .as_ref()
                    .is_some_and(|shape| (shape.concerns)(class, bytes))
    }

    pub fn gates(&self, name: &str, class: &ClassFile<'_>) -> Vec<Gate> {
        let with_code = class
            .methods
            .iter()
            .filter(|method| !method.is(access::ABSTRACT | access::NATIVE));
        if self.knows(name) {
            let known = || self.known.iter().filter(|known| known.class == name);
            with_code
                .flat_map(|method| known().filter_map(|known| known.gate(method)))
                .collect()
        } else {
            let shape = self.shape.as_ref();
            with_code
                .filter_map(|method| shape.and_then(|shape| shape.of(method)))
                .collect()
        }
    }
}

impl Known {
    fn gate(&self, method: &Member<'_>) -> Option<Gate> {
        if method.name != self.method.as_bytes() {
            return None;
        }
        let parameters = types(method)?;
        let first = usize::from(!method.is(access::STATIC));
        let mut wanted = self.takes.iter().peekable();
        let mut places = Vec::with_capacity(self.takes.len());
        if first == 1 && wanted.next_if(|wanted| **wanted == THIS).is_some() {
            places.push(0);
        }
        for (place, parameter) in parameters.iter().enumerate() {
            if wanted.next_if(|wanted| *wanted == parameter).is_some() {
                places.push(first + place);
            }
        }
        if wanted.peek().is_some() {
            return None;
        }
        Gate::of(method, &parameters, self.told, self.moment, places)
    }
}

impl Shape {
    fn of(&self, method: &Member<'_>) -> Option<Gate> {
        let parameters = types(method)?;
        let of_type: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let Telling { told, mut places } = (self.gate)(&text(method.name), &of_type)?;
        if !method.is(access::STATIC) {
            for place in &mut places {
                *place += 1;
            }
        }
        Gate::of(method, &parameters, told, Moment::Entry, places)
    }
}

impl Gate {
    fn of(
        method: &Member<'_>,
        parameters: &[String],
        told: Told,
        moment: Moment,
        places: Vec<usize>,
    ) -> Option<Self> {
        let first = usize::from(!method.is(access::STATIC));
        let mut told_types = String::from("(");
        for &place in &places {
            let handed = match place.checked_sub(first) {
                None => OBJECT,
                Some(parameter) => match parameters.get(parameter)?.as_str() {
                    primitive if primitive.len() == 1 => primitive,
                    _ => OBJECT,
                },
            };
            let _ = write!(told_types, "{handed}");
        }
        if moment == Moment::Failure {
            told_types.push_str(THROWABLE);
        }
        told_types.push_str(")V");
        Some(Self {
            method: text(method.name),
            descriptor: text(method.descriptor),
            moment,
            told,
            told_types,
            places,
        })
    }
}

/// The descriptors of the parameters; nothing where one is malformed.
fn types(method: &Member<'_>) -> Option<Vec<String>> {
    Parameters::of(method.descriptor)
        .map(|parameter| Some(text(parameter.ok()?.descriptor)))
        .collect()
}

/// Whether a descriptor names a type of exceptions, by the look of it.
pub fn is_throwable(descriptor: &str) -> bool {
    !descriptor.starts_with('[')
        && ["Throwable;", "Exception;", "Error;"]
            .iter()
            .any(|end| descriptor.ends_with(end))
}
