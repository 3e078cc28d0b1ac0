//! Conditions as Java would write them.

use std::collections::HashMap;

use recrash_classfile::{local_variables_from, text};
use recrash_program::{Class, MethodId, Program};

use crate::descriptor;
use crate::term::{Function, Node, Term};
use crate::walk::Walk;

/// Longer conditions are cut: they are for reading.
const LONGEST: usize = 240;

impl Walk<'_, '_> {
    /// All conditions in one line.
    pub(crate) fn show(&self, method: MethodId, conditions: &[Term]) -> String {
        let names = Names {
            walk: self,
            parameters: parameters(self.program, method),
        };
        let mut parts: Vec<String> = conditions
            .iter()
            .filter(|&&term| !self.goes_without_saying(term))
            .map(|&term| names.term(term, 0))
            .filter(|text| text != "this != null")
            .collect();
        parts.sort();
        parts.dedup();
        let all = parts.clone();
        parts.retain(|part| !is_implied(part, &all));
        joined(&parts)
    }
}

impl Walk<'_, '_> {
    /// That a constant is there.
    fn goes_without_saying(&self, term: Term) -> bool {
        let Node::Apply(Function::Not, inner) = self.terms.node(term) else {
            return false;
        };
        let same = inner.first().map(|&it| self.terms.node(it));
        let Some(Node::Apply(Function::Same, sides)) = same else {
            return false;
        };
        sides.contains(&Term::NULL) && sides.iter().any(|&side| self.is_constant_field(side))
    }
}

/// `order != null`, if something else is said of `order.lines`.
fn is_implied(part: &str, all: &[String]) -> bool {
    let object = part.strip_suffix(" != null");
    object.is_some_and(|object| {
        let used = [".", "["].map(|sign| format!("{object}{sign}"));
        let tells = |other: &String| other != part && used.iter().any(|it| other.contains(it));
        all.iter().any(tells)
    })
}

fn joined(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text.push_str(" && ");
            if text.len() + part.len() > LONGEST {
                text.push('…');
                return text;
            }
        }
        text.push_str(part);
    }
    if text.is_empty() {
        return "true".to_owned();
    }
    text
}

struct Names<'w, 'a, 'p> {
    walk: &'w Walk<'a, 'p>,
    /// The receiver is one of them.
    parameters: Vec<String>,
}

impl Names<'_, '_, '_> {
    fn selector_name(&self, id: recrash_program::SelectorId) -> String {
        let selector = self.walk.program.selector(id);
        selector.map_or_else(String::new, |it| text(&it.name))
    }

    fn field(&self, field: recrash_program::FieldId) -> String {
        let known = self.walk.program.field(field);
        known.map_or_else(String::new, |it| self.selector_name(it.selector))
    }

    fn simple(&self, class: recrash_program::ClassId) -> String {
        let name = recrash_classfile::dotted(&self.walk.program.class_name(class));
        let component = name.trim_start_matches('[');
        let dimensions = name.len() - component.len();
        let component = match component.strip_prefix('L') {
            _ if dimensions == 0 => component,
            Some(class) => class.trim_end_matches(';'),
            None => descriptor::primitive(component.as_bytes()),
        };
        let simple = component.rsplit(['.', '$']).next().unwrap_or(component);
        format!("{simple}{}", "[]".repeat(dimensions))
    }

    /// A comparison: truth is said without a number, and characters are written as such.
    fn compared(&self, sides: &[Term], same: bool, depth: usize) -> String {
        let sign = if same { "==" } else { "!=" };
        let texts: Vec<String> = sides.iter().map(|&it| self.term(it, depth)).collect();
        let number = |side: usize| match sides.get(side).map(|&it| self.walk.terms.node(it)) {
            Some(Node::Int(number)) => Some(*number),
            _ => None,
        };
        for (constant, other) in [(0, 1), (1, 0)] {
            let (Some(number), Some(&term), Some(text)) =
                (number(constant), sides.get(other), texts.get(other))
            else {
                continue;
            };
            if self.is_truth(term) && (number == 0 || number == 1) {
                let not = if (number == 1) == same { "" } else { "!" };
                return format!("{not}{text}");
            }
            let is_char = matches!(self.walk.terms.node(term), Node::Apply(Function::CharAt, _));
            if let (true, Some(c @ ' '..='~')) =
                (is_char, u32::try_from(number).ok().and_then(char::from_u32))
            {
                return format!("{text} {sign} {c:?}");
            }
        }
        ordered(&texts, sign)
    }

    /// Whether it is a field or the result of a method that is true or false.
    fn is_truth(&self, term: Term) -> bool {
        let selector = match self.walk.terms.node(term) {
            Node::Apply(Function::Result(_, method, _), _) => Some(method.selector),
            Node::Apply(Function::Field(field, _), _) | Node::Static(field, _) => {
                let field = self.walk.program.field(*field);
                field.map(|field| field.selector)
            }
            _ => None,
        };
        let selector = selector.and_then(|id| self.walk.program.selector(id));
        selector.is_some_and(|it| it.descriptor.ends_with(b")Z") || *it.descriptor == *b"Z")
    }

    fn term(&self, term: Term, depth: usize) -> String {
        if depth > 30 {
            return "…".to_owned();
        }
        let terms = &self.walk.terms;
        match terms.node(term) {
            Node::Truth(value) => value.to_string(),
            Node::Int(value) => value.to_string(),
            Node::Long(value) => format!("{value}L"),
            Node::Float(bits) => format!("{:?}f", f32::from_bits(*bits)),
            Node::Double(bits) => format!("{:?}", f64::from_bits(*bits)),
            Node::Null => "null".to_owned(),
            Node::Literal(text) | Node::Characters(text) => format!("{text:?}"),
            Node::ClassObject(class) => format!("{}.class", self.simple(*class)),
            Node::Local(_, value, _) => format!("<value {}>", value.0),
            Node::Argument(number, _) => self
                .parameters
                .get(usize::from(*number))
                .cloned()
                .unwrap_or_default(),
            Node::Static(field, _) => {
                format!("{}.{}", self.simple(field.class), self.field(*field))
            }
            Node::Unknown(number, _) => format!("<unknown {number}>"),
            Node::Apply(function, parts) => self.application(*function, parts, depth + 1),
        }
    }

    fn application(&self, function: Function, parts: &[Term], depth: usize) -> String {
        let all: Vec<String> = parts.iter().map(|&part| self.term(part, depth)).collect();
        let part = |place: usize| all.get(place).map_or("", String::as_str);
        let (a, b, c) = (part(0), part(1), part(2));
        let arguments = all.get(1..).unwrap_or(&[]).join(", ");
        match function {
            Function::Not => match parts.first().map(|&it| self.walk.terms.node(it)) {
                Some(Node::Apply(Function::Same, inner)) => self.compared(inner, false, depth),
                _ => format!("!({a})"),
            },
            Function::And => format!("({})", all.join(" && ")),
            Function::Or => format!("({})", all.join(" || ")),
            Function::If => format!("({a} ? {b} : {c})"),
            Function::Same => self.compared(parts, true, depth),
            Function::Less => format!("{a} < {b}"),
            Function::AtMost => format!("{a} <= {b}"),
            Function::Java(code) => java(code, a, b),
            Function::IsA(class) => format!("{a} instanceof {}", self.simple(class)),
            Function::Field(field, _) => format!("{a}.{}", self.field(field)),
            Function::Element(..) => format!("{a}[{b}]"),
            Function::Length => format!("{a}.length"),
            Function::Result(_, method, _) => {
                let name = self.selector_name(method.selector);
                let is_static = crate::resolve::resolve(self.walk.program, method)
                    .is_some_and(|method| method.is_static());
                if is_static {
                    format!("{}.{name}({})", self.simple(method.class), all.join(", "))
                } else {
                    format!("{a}.{name}({arguments})")
                }
            }
            Function::Fresh(_, class) => format!("new {}", self.simple(class)),
            Function::Made | Function::Text | Function::OfChar => a.to_owned(),
            Function::Buffer => format!("{a}.toString()"),
            Function::TextLength => format!("{a}.length()"),
            Function::CharAt => format!("{a}.charAt({b})"),
            Function::Concat => format!("{a} + {b}"),
            Function::Part => format!("{a}.substring({b}, {c})"),
            Function::IndexOf => format!("{a}.indexOf({b}, {c})"),
            Function::Prefix => format!("{a}.startsWith({b})"),
            Function::Suffix => format!("{a}.endsWith({b})"),
            Function::Contains => format!("{a}.contains({b})"),
            Function::OfInt => format!("String.valueOf({a})"),
            Function::IsNumber => format!("{a}.matches(\"[-+]?[0-9]+\")"),
            Function::ToNumber => format!("Integer.parseInt({a})"),
        }
    }
}

/// What the parameters are called: `this`, the names of the source where the class has them, else `arg0` and so on.
fn parameters(program: &Program, method: MethodId) -> Vec<String> {
    let class = program.class(method.class);
    let known = program.method(method);
    let selector = known.and_then(|known| program.selector(known.selector));
    let (Some(class), Some(known), Some(selector)) = (class, known, selector) else {
        return Vec::new();
    };
    let names = local_names(&class, method).unwrap_or_default();
    let mut slot = u16::from(!known.is_static());
    let receiver = (!known.is_static()).then(|| "this".to_owned());
    let parameters: Vec<&[u8]> = descriptor::parameters(&selector.descriptor).collect();
    let declared = parameters
        .into_iter()
        .enumerate()
        .map(|(number, parameter)| {
            let name = names.get(&slot).cloned();
            slot += if matches!(parameter, b"J" | b"D") {
                2
            } else {
                1
            };
            name.unwrap_or_else(|| format!("arg{number}"))
        });
    receiver.into_iter().chain(declared).collect()
}

/// Names of local variables at the start of a method, by slot.
fn local_names(class: &Class, method: MethodId) -> Option<HashMap<u16, String>> {
    let file = class.file().ok()?;
    let member = file.methods.get(usize::from(method.index))?;
    let code = file.code(member).ok()??;
    let table = code
        .attributes
        .find(&file.pool, b"LocalVariableTable")
        .ok()??;
    let names = local_variables_from(0, &table).filter_map(|variable| {
        let name = file.pool.utf8(variable.name).ok()?;
        Some((variable.local, text(name)))
    });
    Some(names.collect())
}

/// Constants stand behind what they are compared with.
fn ordered(parts: &[String], sign: &str) -> String {
    let (a, b) = (
        parts.first().map_or("", String::as_str),
        parts.get(1).map_or("", String::as_str),
    );
    let is_constant = |text: &str| {
        text == "null"
            || text.starts_with(['-', '"'])
            || text.starts_with(|c: char| c.is_ascii_digit())
    };
    if is_constant(a) && !is_constant(b) {
        format!("{b} {sign} {a}")
    } else {
        format!("{a} {sign} {b}")
    }
}

fn java(code: u8, a: &str, b: &str) -> String {
    let sign = match code {
        96..=99 => "+",
        100..=103 => "-",
        104..=107 => "*",
        108..=111 => "/",
        112..=115 => "%",
        116..=119 => return format!("-{a}"),
        120 | 121 => "<<",
        122 | 123 => ">>",
        124 | 125 => ">>>",
        126 | 127 => "&",
        128 | 129 => "|",
        130 | 131 => "^",
        145 => return format!("(byte) {a}"),
        146 => return format!("(char) {a}"),
        147 => return format!("(short) {a}"),
        133..=144 => return a.to_owned(),
        _ => return format!("compare({a}, {b})"),
    };
    format!("({a} {sign} {b})")
}
