//! Descriptors (JVMS 4.3): the types of fields, parameters and results.

use crate::{Error, PoolAppender, VerificationType, text};

/// What a type is to the bytecode: which load, store and verification type it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// boolean, byte, char, short and int are all ints on the stack.
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    pub fn slots(self) -> u16 {
        if matches!(self, Kind::Long | Kind::Double) {
            2
        } else {
            1
        }
    }
}

/// A parameter or field type: its descriptor in the class file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type<'a> {
    pub descriptor: &'a [u8],
}

impl<'a> Type<'a> {
    pub fn kind(self) -> Kind {
        match self.descriptor.first() {
            Some(b'J') => Kind::Long,
            Some(b'F') => Kind::Float,
            Some(b'D') => Kind::Double,
            Some(b'L' | b'[') => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// The name a Class entry of this type has: `java/lang/String`, `[I`.
    pub fn class_name(self) -> &'a [u8] {
        match self.descriptor {
            [b'L', name @ .., b';'] => name,
            other => other,
        }
    }

    /// The verification type; reference types need a Class entry.
    pub fn verification_type(self, pool: &mut PoolAppender<'_>) -> Result<VerificationType, Error> {
        Ok(match self.kind() {
            Kind::Int => VerificationType::Integer,
            Kind::Long => VerificationType::Long,
            Kind::Float => VerificationType::Float,
            Kind::Double => VerificationType::Double,
            Kind::Reference => VerificationType::Object(pool.class(self.class_name())?),
        })
    }
}

/// Splits a method descriptor. The result type of `void` methods has the descriptor `V`.
#[derive(Debug, Clone)]
pub struct MethodType<'a> {
    pub parameters: Vec<Type<'a>>,
    pub result: Type<'a>,
}

impl<'a> MethodType<'a> {
    pub fn read(descriptor: &'a [u8]) -> Result<Self, Error> {
        let mut types = Parameters::of(descriptor);
        let parameters = types.by_ref().collect::<Result<Vec<_>, _>>()?;
        match types.rest.strip_prefix(b")") {
            Some(result) if result == b"V" || type_length(result) == Some(result.len()) => {
                Ok(MethodType {
                    parameters,
                    result: Type { descriptor: result },
                })
            }
            _ => Err(types.bad()),
        }
    }

    /// Local variables the parameters take, the receiver not included.
    pub fn slots(&self) -> u16 {
        self.parameters.iter().fold(0, |sum, parameter| {
            sum.saturating_add(parameter.kind().slots())
        })
    }
}

/// The parameter types of a method descriptor, one after the other; ends at the closing parenthesis or a defect.
#[derive(Debug, Clone)]
pub struct Parameters<'a> {
    descriptor: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Parameters<'a> {
    pub fn of(descriptor: &'a [u8]) -> Self {
        // Without the opening parenthesis there is nothing that could be a type.
        Parameters {
            descriptor,
            rest: descriptor.strip_prefix(b"(").unwrap_or(b"?"),
        }
    }

    fn bad(&self) -> Error {
        Error::BadDescriptor {
            descriptor: text(self.descriptor),
        }
    }
}

impl<'a> Iterator for Parameters<'a> {
    type Item = Result<Type<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.rest.starts_with(b")") {
            return None;
        }
        let split = type_length(self.rest).and_then(|length| self.rest.split_at_checked(length));
        let Some((descriptor, rest)) = split else {
            self.rest = &[];
            return Some(Err(self.bad()));
        };
        self.rest = rest;
        Some(Ok(Type { descriptor }))
    }
}

/// Slots taken by the parameters and by the result, without building anything.
pub fn slots_of(descriptor: &[u8]) -> Option<(u16, u16)> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut taken = 0_u16;
    loop {
        if let Some(result) = rest.strip_prefix(b")") {
            return Some((
                taken,
                if result == b"V" {
                    0
                } else {
                    Type { descriptor: result }.kind().slots()
                },
            ));
        }
        let (first, after) = rest.split_at_checked(type_length(rest)?)?;
        taken = taken.saturating_add(Type { descriptor: first }.kind().slots());
        rest = after;
    }
}

/// How many bytes the type at the start of `rest` takes.
fn type_length(rest: &[u8]) -> Option<usize> {
    let dimensions = rest.iter().take_while(|&&c| c == b'[').count();
    match rest.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => rest.iter().position(|&c| c == b';').map(|end| end + 1),
        _ => None,
    }
}

/// The locals a method starts with (JVMS 4.10.1.6).
pub fn initial_locals(
    receiver: Option<VerificationType>,
    method: &MethodType<'_>,
    pool: &mut PoolAppender<'_>,
) -> Result<Vec<VerificationType>, Error> {
    let mut locals = Vec::with_capacity(method.parameters.len() + 1);
    locals.extend(receiver);
    for parameter in &method.parameters {
        locals.push(parameter.verification_type(pool)?);
    }
    Ok(locals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_result_are_told_apart() {
        let method = MethodType::read(b"(I[[JLjava/lang/String;D)[Z").unwrap();
        let descriptors: Vec<_> = method
            .parameters
            .iter()
            .map(|p| text(p.descriptor))
            .collect();
        assert_eq!(descriptors, ["I", "[[J", "Ljava/lang/String;", "D"]);
        assert_eq!(
            (method.slots(), method.result.descriptor),
            (5, b"[Z".as_slice())
        );
        assert_eq!(slots_of(b"(I[[JLjava/lang/String;D)[Z"), Some((5, 1)));
    }

    #[test]
    fn what_is_not_a_descriptor_is_refused() {
        for wrong in [
            "",
            "()",
            "(V)V",
            "(L)V",
            "([)V",
            "()VV",
            "(Ljava/lang/String)V",
        ] {
            assert!(MethodType::read(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
