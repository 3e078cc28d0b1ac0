//! Descriptors of methods, piece by piece (JVMS 4.3.3).

/// The parameters' descriptors.
pub(crate) fn parameters(descriptor: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = descriptor.get(1..).unwrap_or(&[]);
    std::iter::from_fn(move || {
        let dimensions = rest.iter().take_while(|&&byte| byte == b'[').count();
        let length = match rest.get(dimensions)? {
            b')' => return None,
            b'L' => rest.iter().position(|&byte| byte == b';')? + 1,
            _ => dimensions + 1,
        };
        let (first, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(first)
    })
}

/// What stands behind the parameters.
pub(crate) fn result(descriptor: &[u8]) -> &[u8] {
    let end = descriptor.iter().position(|&byte| byte == b')');
    end.and_then(|end| descriptor.get(end + 1..))
        .unwrap_or(b"V")
}

/// `int` of `I`.
pub(crate) fn primitive(descriptor: &[u8]) -> &'static str {
    match descriptor {
        b"Z" => "boolean",
        b"B" => "byte",
        b"C" => "char",
        b"S" => "short",
        b"I" => "int",
        b"J" => "long",
        b"F" => "float",
        b"D" => "double",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_apart() {
        let all: Vec<&[u8]> = parameters(b"(I[[JLa/B;[La/C;Z)V").collect();
        assert_eq!(all, [b"I".as_slice(), b"[[J", b"La/B;", b"[La/C;", b"Z"]);
        assert_eq!(result(b"()La/B;"), b"La/B;");
    }
}
