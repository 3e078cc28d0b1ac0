//! Arrays of anything: written out while short, as text where they are text, and without the zeros at their end.

use super::made::{Blocked, Known, Made, Result};
use super::planner::{LONGEST_TEXT, Planner, written};
use crate::value::primitive;
use recrash_heap::Object;
use recrash_heap::manifest::Value;
use std::ops::Range;

/// Elements that are written out.
const MOST_ELEMENTS: usize = 256;

/// Pieces of a long array between its zeros, and how many zeros part two of them.
const MOST_PIECES: usize = 24;
const ZEROS_BETWEEN: usize = 12;

/// So many zeros at the end are not written.
const MANY_ZEROS: usize = 4;

impl<'s> Planner<'s, '_> {
    pub(super) fn array(
        &mut self,
        object: &Object<'s>,
        component: &str,
        elements: &[Value],
        hint: &str,
    ) -> Result<Made> {
        let component = component.replace('.', "/");
        let descriptor = object.class.replace('.', "/");
        let Some(component_written) = self.scope.descriptor(&component) else {
            return self.unnameable(object, &component, elements, hint);
        };
        let used = elements.len()
            - elements
                .iter()
                .rev()
                .take_while(|element| element.is_zero())
                .count();
        let kept = elements.get(..used).unwrap_or_default();
        let known = Known::Exactly(descriptor);
        if kept.is_empty() {
            let text = new_array(&component_written, elements.len());
            return Ok(self.maybe_named(object.id, Made { text, known }, hint));
        }
        if component.len() != 1 {
            return self.references(
                object,
                (&component, &component_written),
                kept,
                elements.len(),
                hint,
            );
        }
        let cut = elements.len() - used >= MANY_ZEROS;
        let kept = if cut { kept } else { elements };
        // In a file zeros disturb nobody, as long as they are few.
        let (cut, kept) = if self.is_read(&component, kept) && elements.len() < used * 2 {
            (false, elements)
        } else {
            (cut, kept)
        };
        let read = self.array_read(&component, kept, hint);
        let is_read = read.is_some();
        let text = match (read, text_of(&component, kept)) {
            (Some(read), _) => read,
            (None, Some(units)) => self.text_array(&component, &units),
            (None, None) if kept.len() > MOST_ELEMENTS => {
                return self.sparse(object, &component, &component_written, elements, hint);
            }
            (None, None) => {
                let parts: Option<Vec<String>> = kept
                    .iter()
                    .map(|value| element(&component, *value))
                    .collect();
                let parts = parts.ok_or_else(|| Blocked::because("an array of mixed values"))?;
                format!("new {component_written}[] {{{}}}", wrapped(&parts))
            }
        };
        let text = if cut {
            let arrays = self.scope.library("java.util.Arrays");
            format!("{arrays}.copyOf({text}, {})", elements.len())
        } else {
            text
        };
        let made = Made { text, known };
        // The comment that says what is read stands above.
        Ok(if is_read {
            self.named(object.id, &made, hint)
        } else {
            self.maybe_named(object.id, made, hint)
        })
    }

    /// A long array that is mostly zeros: what is between them is filled in piece by piece.
    fn sparse(
        &mut self,
        object: &Object<'s>,
        component: &str,
        component_written: &str,
        elements: &[Value],
        hint: &str,
    ) -> Result<Made> {
        let pieces = pieces(elements);
        let filled: usize = pieces.iter().map(ExactSizeIterator::len).sum();
        if pieces.len() > MOST_PIECES || filled > MOST_ELEMENTS * 4 {
            return Err(Blocked::because(format!(
                "an array of {} numbers",
                elements.len()
            )));
        }
        let made = Made {
            text: new_array(component_written, elements.len()),
            known: Known::Exactly(object.class.replace('.', "/")),
        };
        let variable = self.named(object.id, &made, hint);
        for piece in pieces {
            let start = piece.start;
            let values = elements.get(piece).unwrap_or_default();
            let source = if let Some(units) = text_of(component, values) {
                self.text_array(component, &units)
            } else {
                let numbers = values.iter().map(|value| element(component, *value));
                let numbers: Option<Vec<String>> = numbers.collect();
                let numbers =
                    numbers.ok_or_else(|| Blocked::because("an array of mixed values"))?;
                format!("new {component_written}[] {{{}}}", wrapped(&numbers))
            };
            let (name, length) = (&variable.text, values.len());
            self.statement(&format!(
                "System.arraycopy({source}, 0, {name}, {start}, {length});"
            ));
        }
        Ok(variable)
    }

    /// `"abc".toCharArray()`.
    fn text_array(&mut self, component: &str, units: &[u16]) -> String {
        let literal = written(units);
        let whole = if literal.contains('\n') {
            format!("({literal})")
        } else {
            literal
        };
        if component == "C" {
            format!("{whole}.toCharArray()")
        } else {
            let charsets = self.scope.library("java.nio.charset.StandardCharsets");
            format!("{whole}.getBytes({charsets}.ISO_8859_1)")
        }
    }

    /// The array comes first, because what it holds may refer to it.
    fn references(
        &mut self,
        object: &Object<'s>,
        (component, component_written): (&str, &str),
        kept: &[Value],
        length: usize,
        hint: &str,
    ) -> Result<Made> {
        if kept.iter().filter(|value| !value.is_zero()).count() > MOST_ELEMENTS {
            return Err(Blocked::because(format!("an array of {length} objects")));
        }
        let known = Known::Exactly(object.class.replace('.', "/"));
        let mark = self.mark();
        let parts: Result<Vec<String>> = kept
            .iter()
            .map(|value| self.fitting(component, *value, &singular(hint)))
            .collect();
        let few_nulls = length - kept.len() < MANY_ZEROS;
        if let Ok(mut parts) = parts
            && few_nulls
        {
            parts.resize(length, "null".to_owned());
            let text = format!("new {component_written}[] {{{}}}", wrapped(&parts));
            return Ok(self.maybe_named(object.id, Made { text, known }, hint));
        }
        self.back_to(mark);
        let text = new_array(component_written, length);
        let variable = self.named(object.id, &Made { text, known }, hint);
        self.assign(&variable, component, kept, hint)?;
        Ok(variable)
    }

    /// An array whose component type cannot be named here.
    fn unnameable(
        &mut self,
        object: &Object<'s>,
        component: &str,
        elements: &[Value],
        hint: &str,
    ) -> Result<Made> {
        let class = component
            .strip_prefix('L')
            .and_then(|name| name.strip_suffix(';'));
        let class = class
            .ok_or_else(|| Blocked::because("an array of arrays that cannot be named here"))?;
        let component_class = self.type_of(&class.replace('/', "."));
        let array = self.scope.library("java.lang.reflect.Array");
        let text = format!(
            "(Object[]) {array}.newInstance({component_class}, {})",
            elements.len()
        );
        let made = Made {
            text,
            known: Known::Exactly("[Ljava/lang/Object;".to_owned()),
        };
        let named = self.named(object.id, &made, hint);
        self.assign(&named, "Ljava/lang/Object;", elements, hint)?;
        self.forget_type(object.id);
        Ok(Made {
            text: named.text,
            known: Known::ObjectOnly,
        })
    }

    fn assign(
        &mut self,
        array: &Made,
        component: &str,
        elements: &[Value],
        hint: &str,
    ) -> Result<()> {
        for (index, value) in elements.iter().enumerate() {
            if !value.is_zero() {
                let text = self.fitting(component, *value, &singular(hint))?;
                self.statement(&format!("{}[{index}] = {text};", array.text));
            }
        }
        Ok(())
    }
}

/// Where an array is not zero; few zeros in between do not part two pieces.
pub(super) fn pieces(elements: &[Value]) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        if element.is_zero() {
            continue;
        }
        match pieces.last_mut() {
            Some(last) if index - last.end < ZEROS_BETWEEN => last.end = index + 1,
            _ => pieces.push(index..index + 1),
        }
    }
    pieces
}

fn new_array(component: &str, length: usize) -> String {
    // `new int[3][]`: the length stands in the first brackets.
    match component.split_once("[]") {
        Some((element, others)) => format!("new {element}[{length}][]{others}"),
        None => format!("new {component}[{length}]"),
    }
}

/// Joined by commas, with a line break where a line would be too long.
fn wrapped(parts: &[String]) -> String {
    const LONGEST_LINE: usize = 90;
    let mut text = String::new();
    let mut line = 0;
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            let breaks = line + part.len() > LONGEST_LINE;
            text.push_str(if breaks { ",\n                " } else { ", " });
            line = if breaks { 0 } else { line + 2 };
        }
        text.push_str(part);
        line += part.len();
    }
    text
}

/// In an initialiser the array's own type converts: `new byte[] {1, 2}`.
fn element(component: &str, value: Value) -> Option<String> {
    let text = primitive(component, value)?;
    Some(match text.rsplit_once(") ") {
        Some((_, number)) => number.to_owned(),
        None => text,
    })
}

/// The characters of an array that reads as text.
pub(super) fn text_of(component: &str, elements: &[Value]) -> Option<Vec<u16>> {
    let units: Vec<u16> = elements
        .iter()
        .map(|element| match (component, element) {
            ("C", Value::Char(unit)) => Some(*unit),
            ("B", Value::Byte(byte)) => Some(u16::from(*byte as u8)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let readable = units
        .iter()
        .filter(|unit| matches!(**unit, 0x20..=0x7e | 0x09 | 0x0a | 0x0d))
        .count();
    let is_text = units.len() <= LONGEST_TEXT && readable * 10 >= units.len() * 7;
    let worth_it = component == "C" || units.len() > 8;
    (is_text && worth_it).then_some(units)
}

/// `order` of `orders`.
pub(super) fn singular(hint: &str) -> String {
    if let Some(stem) = hint.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let without_es = ["sses", "xes", "ches", "shes"]
        .iter()
        .any(|end| hint.ends_with(end));
    if without_es {
        return hint.strip_suffix("es").unwrap_or(hint).to_owned();
    }
    match hint.strip_suffix('s') {
        Some(one) if one.len() > 1 && !one.ends_with('s') => one.to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_an_array_of_arrays_stands_in_its_first_brackets() {
        assert_eq!(new_array("int", 3), "new int[3]");
        assert_eq!(new_array("String[]", 3), "new String[3][]");
        assert_eq!(new_array("int[][]", 3), "new int[3][][]");
    }

    #[test]
    fn characters_are_written_as_text_and_few_or_unreadable_bytes_as_numbers() {
        let bytes = |text: &str| {
            text.bytes()
                .map(|b| Value::Byte(b as i8))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            text_of("B", &bytes("plain text")).map(|units| units.len()),
            Some(10)
        );
        assert_eq!(text_of("B", &bytes("short")), None);
        assert_eq!(text_of("B", &[Value::Byte(-1); 20]), None);
        assert_eq!(text_of("C", &[Value::Char(65)]), Some(vec![65]));
        assert_eq!(text_of("I", &[Value::Int(65)]), None);
    }

    #[test]
    fn a_long_array_falls_into_the_pieces_between_its_zeros() {
        let mut elements = vec![Value::Byte(0); 1000];
        for index in [10, 12, 500] {
            if let Some(element) = elements.get_mut(index) {
                *element = Value::Byte(7);
            }
        }
        assert_eq!(pieces(&elements), [10..13, 500..501]);
    }

    #[test]
    fn long_lists_are_broken_into_lines() {
        let parts = vec!["1234567890".to_owned(); 12];
        let text = wrapped(&parts);
        assert!(text.lines().all(|line| line.trim().len() < 110), "{text}");
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn elements_are_named_after_their_collection() {
        assert_eq!(singular("orders"), "order");
        assert_eq!(singular("address"), "");
        assert_eq!(singular("items"), "item");
        assert_eq!(singular("deliveries"), "delivery");
        assert_eq!(singular("addresses"), "address");
        assert_eq!(singular("boxes"), "box");
    }
}
