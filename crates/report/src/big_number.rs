//! Numbers of any size, read from the fields in which the JDK keeps their words.

use crate::fields::{field_of, integer};
use crate::graph::Graph;
use recrash_heap::manifest::Value;
use recrash_heap::{Kind, Object};
use std::fmt::Write as _;

/// The decimal digits of a `BigInteger` or `BigDecimal`.
pub(crate) fn big_number(graph: Graph<'_>, object: &Object<'_>) -> Option<String> {
    if object.class == "java.math.BigInteger" {
        return big_integer(graph, object);
    }
    let scale = integer(field_of(object, "scale")?)?;
    let unscaled = match graph.target(field_of(object, "intVal")?) {
        Some(big) => big_integer(graph, &big)?,
        None => integer(field_of(object, "intCompact")?)?.to_string(),
    };
    let Ok(scale) = usize::try_from(scale) else {
        return Some(format!("{unscaled}E{}", -scale));
    };
    if scale == 0 {
        return Some(unscaled);
    }
    if scale > 60 {
        return Some(format!("{unscaled}E-{scale}"));
    }
    let (sign, digits) = unscaled
        .strip_prefix('-')
        .map_or(("", unscaled.as_str()), |digits| ("-", digits));
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at_checked(padded.len() - scale)?;
    Some(format!("{sign}{whole}.{fraction}"))
}

fn big_integer(graph: Graph<'_>, object: &Object<'_>) -> Option<String> {
    /// Longer numbers are shown by their size.
    const MOST_WORDS: usize = 16;
    let signum = integer(field_of(object, "signum")?)?;
    let Kind::Array { elements, .. } = graph.target(field_of(object, "mag")?)?.kind else {
        return None;
    };
    if elements.len() > MOST_WORDS {
        return Some(format!("<{} bits>", elements.len() * 32));
    }
    let mut words: Vec<u32> = elements
        .iter()
        .map(|word| {
            if let Value::Int(word) = word {
                Some(*word as u32)
            } else {
                None
            }
        })
        .collect::<Option<_>>()?;
    let mut groups = Vec::new();
    while words.iter().any(|word| *word != 0) {
        let mut remainder = 0u64;
        for word in &mut words {
            let value = (remainder << 32) | u64::from(*word);
            *word = (value / 1_000_000_000) as u32;
            remainder = value % 1_000_000_000;
        }
        groups.push(remainder);
    }
    let mut text = String::from(if signum < 0 { "-" } else { "" });
    for (index, group) in groups.iter().rev().enumerate() {
        if index == 0 {
            text.push_str(&group.to_string());
        } else {
            let _ = write!(text, "{group:09}");
        }
    }
    if groups.is_empty() {
        text.push('0');
    }
    Some(text)
}
