//! JVM descriptors (JVMS 4.3) taken apart as far as source needs it.

/// The parameter descriptors of a method descriptor; empty when it is malformed.
pub(crate) fn parameters(method: &str) -> Vec<&str> {
    let Some((mut rest, _)) = method
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    while let Some(length) = field_length(rest) {
        let Some((descriptor, tail)) = rest.split_at_checked(length) else {
            break;
        };
        found.push(descriptor);
        rest = tail;
    }
    found
}

fn field_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&b| b == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'L' => text.find(';').map(|end| end + 1),
        _ => Some(dimensions + 1),
    }
}

/// The binary name of the class that a field descriptor names; `None` for primitives and arrays.
pub(crate) fn class(descriptor: &str) -> Option<String> {
    let name = descriptor.strip_prefix('L')?.strip_suffix(';')?;
    Some(name.replace('/', "."))
}

/// The same for what a method answers with.
pub(crate) fn result_class(method: &str) -> Option<String> {
    class(method.split_once(')')?.1)
}

/// A field descriptor: how many array dimensions of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type<'a> {
    pub(crate) dimensions: usize,
    pub(crate) element: Element<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element<'a> {
    /// The keyword of a primitive type.
    Primitive(&'static str),
    /// An internal name with slashes.
    Class(&'a str),
}

pub(crate) fn field(descriptor: &str) -> Option<Type<'_>> {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let element = match element {
        "Z" => Element::Primitive("boolean"),
        "B" => Element::Primitive("byte"),
        "C" => Element::Primitive("char"),
        "S" => Element::Primitive("short"),
        "I" => Element::Primitive("int"),
        "J" => Element::Primitive("long"),
        "F" => Element::Primitive("float"),
        "D" => Element::Primitive("double"),
        _ => Element::Class(element.strip_prefix('L')?.strip_suffix(';')?),
    };
    Some(Type {
        dimensions,
        element,
    })
}

/// The type as `Class.getSimpleName` has it.
pub fn simple_name(descriptor: &str) -> String {
    let Some(parsed) = field(descriptor) else {
        return descriptor.to_owned();
    };
    let element = match parsed.element {
        Element::Primitive(keyword) => keyword,
        Element::Class(internal) => internal.rsplit(['/', '$']).next().unwrap_or(internal),
    };
    format!("{element}{}", "[]".repeat(parsed.dimensions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_split_at_their_own_ends() {
        assert_eq!(
            parameters("(I[[JLjava/lang/String;[La/B;Z)V"),
            ["I", "[[J", "Ljava/lang/String;", "[La/B;", "Z"]
        );
        assert!(parameters("()V").is_empty());
        assert!(parameters("nonsense").is_empty());
        assert!(parameters("(Lbroken)V").is_empty());
    }

    #[test]
    fn fields_count_their_dimensions() {
        assert_eq!(
            field("[[J"),
            Some(Type {
                dimensions: 2,
                element: Element::Primitive("long")
            })
        );
        assert_eq!(
            field("La/B;"),
            Some(Type {
                dimensions: 0,
                element: Element::Class("a/B")
            })
        );
        assert_eq!(field("Q"), None);
    }
}
