//! A program as a JUnit test that a developer can read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use recrash_javagen::literal;

use crate::fit::{Goal, printed};
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::world::{CallKind, Callable, World};

/// A test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// With dots, package included.
    pub class: String,
    pub text: String,
}

/// Writes `sequence` as the test of `goal` at `level`.
pub(crate) fn write(
    world: &World<'_>,
    package: &str,
    goal: &Goal,
    level: usize,
    sequence: &Sequence,
) -> Source {
    let package = package.replace('/', ".");
    let innermost = goal.frames.first();
    let subject = innermost.map_or("", |frame| frame.printed.class.as_str());
    let subject = subject.rsplit('.').next().unwrap_or(subject);
    let subject = subject.split('$').next().unwrap_or(subject);
    let class = format!("{subject}CrashTest");
    let mut writer = Writer {
        world,
        package: package.clone(),
        imports: BTreeMap::from([
            (class.clone(), String::new()),
            ("Test".to_owned(), "org.junit.jupiter.api.Test".to_owned()),
        ]),
        sequence,
        names: vec![None; sequence.statements.len()],
        taken: Vec::new(),
    };
    let body = writer.body();
    let mut text = String::new();
    let exception = goal.exception.as_deref().unwrap_or("the exception");
    let _ = writeln!(
        text,
        "// Crash reproduction, written by recrash from a stack trace alone.\n//"
    );
    let _ = writeln!(text, "// {exception}");
    for (number, frame) in goal.frames.iter().enumerate() {
        let mark = if number < level { "-->" } else { "   " };
        let _ = writeln!(text, "// {mark} at {}", printed(&frame.printed));
    }
    text.push_str("//\n// The test fails while the bug exists and passes once it is fixed.\n\n");
    if !package.is_empty() {
        let _ = writeln!(text, "package {package};\n");
    }
    let mut imports: Vec<&String> = writer
        .imports
        .values()
        .filter(|name| {
            let of = name.rsplit_once('.').map_or("", |(package, _)| package);
            !name.is_empty() && of != "java.lang" && of != package
        })
        .collect();
    imports.sort();
    for name in imports {
        let _ = writeln!(text, "import {name};");
    }
    let method = innermost.map_or("crash", |frame| frame.printed.method.as_str());
    let method = match method {
        "<init>" => "construction",
        "<clinit>" => "initialization",
        name => name,
    };
    let method: String = method
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let _ = writeln!(
        text,
        "\n@SuppressWarnings({{\"rawtypes\", \"unchecked\", \"deprecation\"}})\nclass {class} {{\n    @Test\n    void {method}() throws Throwable {{"
    );
    for line in body {
        let _ = writeln!(text, "        {line}");
    }
    text.push_str("    }\n}\n");
    Source {
        class: if package.is_empty() {
            class
        } else {
            format!("{package}.{class}")
        },
        text,
    }
}

struct Writer<'a, 'p> {
    world: &'a World<'p>,
    package: String,
    /// Simple name to the top-level class it stands for.
    imports: BTreeMap<String, String>,
    sequence: &'a Sequence,
    names: Vec<Option<String>>,
    taken: Vec<String>,
}

impl Writer<'_, '_> {
    fn body(&mut self) -> Vec<String> {
        let mut counts = vec![0_usize; self.sequence.statements.len()];
        for operand in self
            .sequence
            .statements
            .iter()
            .flat_map(Statement::operands)
        {
            if let Some(count) = counts.get_mut(usize::from(operand)) {
                *count += 1;
            }
        }
        let mut lines = Vec::new();
        for (at, statement) in self.sequence.statements.iter().enumerate() {
            let used = counts.get(at).copied().unwrap_or(0);
            let named = match statement {
                Statement::Literal(_) | Statement::Constant(_) => false,
                Statement::Call { .. } => true,
                Statement::Array { .. } | Statement::Stub { .. } => used > 1,
            };
            if !named {
                continue;
            }
            let expression = self.expression(at as Var);
            let ty = statement.ty();
            if used == 0 || &*ty == "V" {
                lines.push(format!("{expression};"));
                continue;
            }
            let written = self.ty(&ty);
            let name = self.fresh_name(&ty);
            lines.push(format!("{written} {name} = {expression};"));
            if let Some(slot) = self.names.get_mut(at) {
                *slot = Some(name);
            }
        }
        lines
    }

    fn operand(&mut self, var: Var) -> String {
        match self.names.get(usize::from(var)).cloned().flatten() {
            Some(name) => name,
            None => self.expression(var),
        }
    }

    fn expression(&mut self, var: Var) -> String {
        let Some(statement) = self.sequence.get(var).cloned() else {
            return "null".to_owned();
        };
        match &statement {
            Statement::Literal(literal) => self.literal(literal),
            Statement::Constant(constant) => {
                format!("{}.{}", self.ty(&constant.owner), constant.name)
            }
            Statement::Array {
                component,
                elements,
            } => {
                let depth = component.chars().take_while(|c| *c == '[').count();
                let element = self.ty(component.trim_start_matches('['));
                let parts: Vec<String> = elements.iter().map(|one| self.operand(*one)).collect();
                if parts.is_empty() {
                    format!("new {element}[0]{}", "[]".repeat(depth))
                } else {
                    format!(
                        "new {element}[]{} {{{}}}",
                        "[]".repeat(depth),
                        parts.join(", ")
                    )
                }
            }
            Statement::Stub { interface, .. } => self.stub(interface),
            Statement::Call {
                callable,
                receiver,
                arguments,
            } => self.call(callable, *receiver, arguments),
        }
    }

    fn call(&mut self, callable: &Callable, receiver: Option<Var>, arguments: &[Var]) -> String {
        let cast = self.world.is_overloaded(callable);
        let mut written: Vec<String> = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&callable.parameters) {
            let expression = self.operand(*argument);
            let ty = self.sequence.get(*argument).map(Statement::ty);
            let is_null = self.sequence.get(*argument).is_some_and(Statement::is_null);
            let differs = ty.as_deref() != Some(&**parameter);
            let narrow = matches!(&**parameter, "B" | "S") && differs;
            if (cast && (differs || is_null)) || narrow {
                let ty = self.ty(parameter);
                written.push(format!("({ty}) {expression}"));
            } else {
                written.push(expression);
            }
        }
        match callable.kind {
            CallKind::Constructor => {
                let class = self.ty(&callable.owner);
                format!("new {class}({})", written.join(", "))
            }
            CallKind::InnerConstructor => {
                let outer = if written.is_empty() {
                    String::new()
                } else {
                    written.remove(0)
                };
                let class = self.ty(&callable.owner);
                let class = class.rsplit('.').next().unwrap_or(&class).to_owned();
                format!("{outer}.new {class}({})", written.join(", "))
            }
            CallKind::Static => {
                let class = self.ty(&callable.owner);
                format!("{class}.{}({})", callable.name, written.join(", "))
            }
            CallKind::Instance => {
                let object = receiver.map(|receiver| self.operand(receiver));
                let object = object.unwrap_or_default();
                let object = if object.starts_with("new ") {
                    format!("({object})")
                } else {
                    object
                };
                format!("{object}.{}({})", callable.name, written.join(", "))
            }
        }
    }

    /// Nothing implements the interface: one made on the spot, which does nothing.
    fn stub(&mut self, interface: &str) -> String {
        let ty = self.ty(interface);
        let proxy = self.qualified("java.lang.reflect.Proxy");
        format!(
            "({ty}) {proxy}.newProxyInstance({ty}.class.getClassLoader(), new Class[] {{{ty}.class}}, (stub, method, arguments) -> null)"
        )
    }

    fn literal(&mut self, value: &Literal) -> String {
        match value {
            Literal::Null(_) => "null".to_owned(),
            Literal::Int('Z', value) => (*value != 0).to_string(),
            Literal::Int('C', value) => literal::char(*value as u16),
            Literal::Int(_, i32::MAX) => "Integer.MAX_VALUE".to_owned(),
            Literal::Int(_, value) => literal::int(*value),
            Literal::Long(i64::MAX) => "Long.MAX_VALUE".to_owned(),
            Literal::Long(value) => literal::long(*value),
            Literal::Float(value) => literal::float(value.to_bits()),
            Literal::Double(value) => literal::double(value.to_bits()),
            Literal::String(text) => literal::string(&text.encode_utf16().collect::<Vec<_>>()),
            Literal::Class(descriptor) => format!("{}.class", self.ty(descriptor)),
        }
    }

    fn ty(&mut self, descriptor: &str) -> String {
        if let Some(component) = descriptor.strip_prefix('[') {
            return self.ty(component) + "[]";
        }
        let primitive = match descriptor {
            "Z" => "boolean",
            "B" => "byte",
            "C" => "char",
            "S" => "short",
            "I" => "int",
            "J" => "long",
            "F" => "float",
            "D" => "double",
            "V" => "void",
            _ => "",
        };
        if !primitive.is_empty() {
            return primitive.to_owned();
        }
        let path = self
            .world
            .class_of(descriptor)
            .map(|class| self.world.path(class))
            .unwrap_or_default();
        let Some((top, nested)) = path.split_first() else {
            return "Object".to_owned();
        };
        let mut text = self.qualified(top);
        for name in nested {
            text.push('.');
            text.push_str(name);
        }
        text
    }

    /// The simple name where it is free, else the whole.
    fn qualified(&mut self, class: &str) -> String {
        let simple = class.rsplit('.').next().unwrap_or(class).to_owned();
        let bound = self
            .imports
            .entry(simple.clone())
            .or_insert_with(|| class.to_owned());
        let hides = class != format!("java.lang.{simple}")
            && self
                .world
                .program
                .find(&format!("java/lang/{simple}"))
                .is_some()
            && !class.starts_with(&format!("{}.", self.package));
        if bound == class && !hides {
            simple
        } else {
            class.to_owned()
        }
    }

    fn fresh_name(&mut self, descriptor: &str) -> String {
        let array = descriptor.starts_with('[');
        let element = descriptor.trim_start_matches('[').trim_end_matches(';');
        let simple = element.rsplit(['/', '$']).next().unwrap_or(element);
        let simple = if element.len() == 1 {
            "value"
        } else {
            simple.trim_start_matches('L')
        };
        let mut letters = simple.chars();
        let mut name: String = match letters.next() {
            Some(first) if first.is_alphabetic() => first.to_lowercase().chain(letters).collect(),
            _ => "value".to_owned(),
        };
        if array {
            name.push('s');
        }
        if KEYWORDS.contains(&name.as_str()) {
            name.push('_');
        }
        let wanted = name.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        self.taken.push(name.clone());
        name
    }
}

/// Those that a class's name in small letters may be.
const KEYWORDS: [&str; 17] = [
    "boolean",
    "byte",
    "char",
    "class",
    "default",
    "double",
    "enum",
    "float",
    "int",
    "interface",
    "long",
    "package",
    "record",
    "short",
    "switch",
    "this",
    "void",
];
