//! Names of classes as people say them.

/// A class as people say it: without package, `Outer.Inner` for nested ones, `int[]` for arrays.
pub fn class_name(class: &str) -> String {
    let element = class.trim_start_matches('[');
    let dimensions = class.len() - element.len();
    let element = if dimensions == 0 {
        element
    } else {
        match element {
            "Z" => "boolean",
            "B" => "byte",
            "C" => "char",
            "S" => "short",
            "I" => "int",
            "J" => "long",
            "F" => "float",
            "D" => "double",
            _ => element.trim_start_matches('L').trim_end_matches(';'),
        }
    };
    // A hidden class is `com.acme.Order$$Lambda/0x000…`: the address says nothing.
    let element = element.split_once("/0x").map_or(element, |(name, _)| name);
    let simple = element.rsplit(['.', '/']).next().unwrap_or(element);
    let simple = simple.split_once("$$Lambda").map_or_else(
        || nested(simple),
        |(host, _)| format!("{} lambda", nested(host)),
    );
    crate::printable(&simple) + &"[]".repeat(dimensions)
}

/// `Order$Line` → `Order.Line`; `Order$1` stays, because nobody wrote a name.
fn nested(simple: &str) -> String {
    let mut out = String::with_capacity(simple.len());
    let mut chars = simple.chars().peekable();
    while let Some(c) = chars.next() {
        let separates =
            c == '$' && !out.is_empty() && chars.peek().is_some_and(|next| next.is_alphabetic());
        out.push(if separates { '.' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_read_as_people_say_them() {
        for (binary, expected) in [
            ("com.acme.Order", "Order"),
            ("com.acme.Order$Line", "Order.Line"),
            ("com.acme.Order$1", "Order$1"),
            ("[[I", "int[][]"),
            ("[Ljava.lang.String;", "String[]"),
            ("com.acme.Order$$Lambda/0x0000000800c03000", "Order lambda"),
            ("evil\x1b[2J", "evil\\u001b[2J"),
        ] {
            assert_eq!(class_name(binary), expected);
        }
    }
}
