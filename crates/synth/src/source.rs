//! A program as a JUnit test that a developer can read.

use std::fmt::Write as _;

use recrash_classfile::dotted;
use recrash_javagen::names::{self, Unique};
use recrash_javagen::{Helper, Helpers, Scope, comment, literal, simple_name};

use crate::fit::Goal;
use crate::found::Finding;
use crate::sequence::{Literal, Sequence, Statement, Var};
use crate::stand_in::{Open, StandIn};
use crate::world::{CallKind, Callable, Settable, World, binary_name};

const LONGEST_CONDITION: usize = 200;

/// A test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// With dots, package included.
    pub class: String,
    pub text: String,
}

/// Writes what was found as the test of `goal`; `None` if a type of it has no name here.
pub(crate) fn write(
    world: &World<'_>,
    goal: &Goal,
    finding: &Finding,
    condition: Option<&str>,
    number: usize,
) -> Option<Source> {
    let (level, sequence) = (finding.level, &finding.sequence);
    let package = dotted(world.package());
    let innermost = goal
        .frames
        .iter()
        .find(|frame| !frame.methods().is_empty())?;
    let subject = &innermost.printed.class;
    let number = if number > 1 {
        number.to_string()
    } else {
        String::new()
    };
    let class = format!("{}Crash{number}Test", names::top_level_simple(subject));
    let mut writer = Writer {
        world,
        scope: Scope::new(&package, world.facts()),
        sequence,
        names: vec![None; sequence.statements.len()],
        unique: Unique::default(),
        helpers: Helpers::default(),
    };
    writer.scope.declare(&class);
    let annotation = writer.scope.library("org.junit.jupiter.api.Test");
    let method = names::test_name(subject, &innermost.printed.method);
    let mut declaration = String::new();
    let _ = writeln!(
        declaration,
        "@SuppressWarnings({{\"rawtypes\", \"unchecked\", \"deprecation\"}})\nclass {class} {{\n    @{annotation}\n    void {method}() throws Throwable {{"
    );
    for line in writer.body()? {
        let _ = writeln!(declaration, "        {line}");
    }
    declaration.push_str("    }\n");
    for helper in writer.helpers.used_in(&declaration, &mut writer.scope) {
        let _ = write!(declaration, "\n{helper}");
    }
    declaration.push_str("}\n");
    let mut text = header(goal, level, condition);
    if !package.is_empty() {
        let _ = writeln!(text, "package {package};\n");
    }
    for line in writer.scope.imports_in(&declaration) {
        let _ = writeln!(text, "{line}");
    }
    let _ = write!(text, "\n{declaration}");
    let class = if package.is_empty() {
        class
    } else {
        format!("{package}.{class}")
    };
    Some(Source { class, text })
}

/// The trace, with a mark at each frame that the test goes through.
fn header(goal: &Goal, level: usize, condition: Option<&str>) -> String {
    let mut text = String::from(
        "// Crash reproduction, written by recrash from a stack trace alone.\n//\n// ",
    );
    let exception = goal.exception.as_deref().unwrap_or("the exception");
    let _ = writeln!(text, "{}", comment(exception));
    for (number, frame) in goal.frames.iter().enumerate() {
        let mark = if number < level { "-->" } else { "   " };
        let _ = writeln!(text, "// {mark} at {}", comment(&frame.printed.to_string()));
    }
    // Long ones say less than the test itself.
    if let Some(condition) = condition.filter(|condition| condition.len() <= LONGEST_CONDITION) {
        let _ = writeln!(text, "//\n// It happens when {}", comment(condition));
    }
    text.push_str("//\n// The test fails while the bug exists and passes once it is fixed.\n\n");
    text
}

struct Writer<'a, 'p> {
    world: &'a World<'p>,
    scope: Scope<'a>,
    sequence: &'a Sequence,
    names: Vec<Option<String>>,
    unique: Unique,
    /// For what can be done by reflection only.
    helpers: Helpers,
}

impl Writer<'_, '_> {
    fn body(&mut self) -> Option<Vec<String>> {
        let counts = self.sequence.uses();
        let mut lines = Vec::new();
        for (at, (statement, used)) in self.sequence.statements.iter().zip(counts).enumerate() {
            let named = match statement {
                Statement::Literal(_) | Statement::Constant(_) => false,
                Statement::Call { .. } | Statement::StandIn { .. } | Statement::Set { .. } => true,
                Statement::Array { .. } => used > 1,
            };
            if !named {
                continue;
            }
            let expression = self.expression(at as Var)?;
            let ty = statement.ty();
            if let Statement::StandIn { class, .. } = statement {
                let base = binary_name(&class.base);
                lines.push(format!(
                    "// A stand-in for {}, made for this test.",
                    comment(&base)
                ));
            }
            if statement.reflects() {
                lines.push(by_reflection(statement).to_owned());
            }
            if used == 0 || &*ty == "V" {
                lines.push(format!("{expression};"));
                continue;
            }
            let written = self.scope.descriptor(&ty)?;
            let name = self.fresh_name(&ty);
            // The one that calls any method gives any object.
            let cast = match statement {
                Statement::Call { callable, .. } if callable.hidden && !callable.makes() => {
                    format!("({written}) ")
                }
                _ => String::new(),
            };
            lines.push(format!("{written} {name} = {cast}{expression};"));
            if let Some(slot) = self.names.get_mut(at) {
                *slot = Some(name);
            }
        }
        Some(lines)
    }

    fn operand(&mut self, var: Var) -> Option<String> {
        match self.names.get(usize::from(var)).cloned().flatten() {
            Some(name) => Some(name),
            None => self.expression(var),
        }
    }

    fn expression(&mut self, var: Var) -> Option<String> {
        match self.sequence.get(var)? {
            Statement::Literal(literal) => self.literal(literal),
            Statement::Constant(constant) => {
                let owner = self.scope.descriptor(&constant.owner)?;
                Some(format!("{owner}.{}", constant.name))
            }
            Statement::Array {
                component,
                elements,
            } => {
                let depth = component.chars().take_while(|c| *c == '[').count();
                let element = self.scope.descriptor(component.trim_start_matches('['))?;
                let more = "[]".repeat(depth);
                if elements.is_empty() {
                    return Some(format!("new {element}[0]{more}"));
                }
                let parts: Option<Vec<String>> =
                    elements.iter().map(|one| self.operand(*one)).collect();
                Some(format!("new {element}[]{more} {{{}}}", parts?.join(", ")))
            }
            Statement::StandIn {
                class,
                answered,
                operands,
            } => self.stand_in(class, answered, operands),
            Statement::Call {
                callable,
                receiver,
                arguments,
            } => self.call(callable, *receiver, arguments),
            Statement::Set {
                field,
                object,
                value,
            } => self.set(field, *object, *value),
        }
    }

    fn set(&mut self, field: &Settable, object: Option<Var>, value: Var) -> Option<String> {
        if !field.hidden {
            return self.assign(field, object, value);
        }
        let name = &field.name;
        let value = self.typed(value, &field.ty)?;
        let object = match object {
            Some(object) => self.operand(object)?,
            None => "null".to_owned(),
        };
        if !field.needs_owner {
            self.helpers.need(Helper::Set);
            return Some(format!("set({object}, \"{name}\", {value})"));
        }
        self.helpers.need(Helper::SetIn);
        let owner = self.scope.descriptor(&field.owner)?;
        Some(format!(
            "setIn({owner}.class, {object}, \"{name}\", {value})"
        ))
    }

    fn assign(&mut self, field: &Settable, object: Option<Var>, value: Var) -> Option<String> {
        let value = self.typed(value, &field.ty)?;
        let place = match object {
            Some(object) if !field.needs_owner => self.operand(object)?,
            Some(object) => {
                let owner = self.scope.descriptor(&field.owner)?;
                format!("(({owner}) {})", self.operand(object)?)
            }
            None => self.scope.descriptor(&field.owner)?,
        };
        Some(format!("{place}.{} = {value}", field.name))
    }

    /// A call that only reflection can make.
    fn call_hidden(
        &mut self,
        callable: &Callable,
        receiver: Option<Var>,
        arguments: &[Var],
    ) -> Option<String> {
        let mut written = String::new();
        for (argument, parameter) in arguments.iter().zip(&callable.parameters) {
            let argument = self.typed(*argument, parameter)?;
            // Alone, null or an array would be taken for all the arguments.
            let alone = arguments.len() == 1 && parameter.starts_with(['L', '[']);
            let cast = if alone { "(Object) " } else { "" };
            let _ = write!(written, ", {cast}{argument}");
        }
        let types: Vec<String> = callable
            .parameters
            .iter()
            .map(|ty| simple_name(ty))
            .collect();
        let types = types.join(", ");
        let owner = self.scope.descriptor(&callable.owner)?;
        if callable.makes() {
            self.helpers.need(Helper::Construct);
            return Some(format!("construct({owner}.class, \"{types}\"{written})"));
        }
        self.helpers.need(Helper::Call);
        let object = match receiver {
            Some(receiver) => self.operand(receiver)?,
            None => "null".to_owned(),
        };
        let name = &callable.name;
        Some(format!(
            "call({owner}.class, \"{name}({types})\", {object}{written})"
        ))
    }

    /// The value, as an object of exactly the class that boxes of this type have.
    fn typed(&mut self, var: Var, ty: &str) -> Option<String> {
        let expression = self.operand(var)?;
        Some(match ty {
            "B" | "S" => format!("({}) {expression}", self.scope.descriptor(ty)?),
            _ => expression,
        })
    }

    fn call(
        &mut self,
        callable: &Callable,
        receiver: Option<Var>,
        arguments: &[Var],
    ) -> Option<String> {
        if callable.hidden {
            return self.call_hidden(callable, receiver, arguments);
        }
        let cast = self.world.is_overloaded(callable);
        let mut written: Vec<String> = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&callable.parameters) {
            let expression = self.operand(*argument)?;
            let statement = self.sequence.get(*argument)?;
            let differs = statement.ty() != *parameter;
            let narrow = matches!(&**parameter, "B" | "S")
                && matches!(statement, Statement::Literal(Literal::Int(..)));
            if (cast && (differs || statement.is_null())) || narrow {
                let ty = self.scope.descriptor(parameter)?;
                written.push(format!("({ty}) {expression}"));
            } else {
                written.push(expression);
            }
        }
        let owner = self.scope.descriptor(&callable.owner)?;
        Some(match callable.kind {
            CallKind::Constructor => format!("new {owner}({})", written.join(", ")),
            CallKind::InnerConstructor => {
                let simple = owner.rsplit('.').next().unwrap_or(&owner);
                let (outer, rest) = written.split_first()?;
                format!("{outer}.new {simple}({})", rest.join(", "))
            }
            CallKind::Static => format!("{owner}.{}({})", callable.name, written.join(", ")),
            CallKind::Instance => {
                let object = self.operand(receiver?)?;
                let object = if object.starts_with("new ") || object.starts_with('(') {
                    format!("({object})")
                } else {
                    object
                };
                format!("{object}.{}({})", callable.name, written.join(", "))
            }
        })
    }

    /// A lambda where one will do, else a class without a name.
    fn stand_in(&mut self, class: &StandIn, answered: &[u8], operands: &[Var]) -> Option<String> {
        let (arguments, answers) = operands.split_at_checked(class.parameters.len())?;
        let mut bodies = Vec::with_capacity(class.open.len());
        for (number, open) in class.open.iter().enumerate() {
            let answer = answered
                .iter()
                .position(|answered| usize::from(*answered) == number)
                .and_then(|at| answers.get(at));
            bodies.push(match answer {
                Some(var) => self.operand(*var)?,
                None => zero(&open.result).to_owned(),
            });
        }
        if let ([open], [body], true) = (&class.open[..], &bodies[..], class.of_interface) {
            let names: Vec<String> = (0..open.parameters.len()).map(parameter_name).collect();
            let body = if body.is_empty() { "{}" } else { body };
            return Some(format!("({}) -> {body}", names.join(", ")));
        }
        let ty = self.scope.descriptor(&class.base)?;
        let arguments: Option<Vec<String>> =
            arguments.iter().map(|one| self.operand(*one)).collect();
        let mut text = format!("new {ty}({}) {{\n", arguments?.join(", "));
        for (open, body) in class.open.iter().zip(bodies) {
            let _ = writeln!(text, "            {}", self.method(open, &body)?);
        }
        text.push_str("        }");
        Some(text)
    }

    fn method(&mut self, open: &Open, body: &str) -> Option<String> {
        let mut parameters = Vec::with_capacity(open.parameters.len());
        for (number, parameter) in open.parameters.iter().enumerate() {
            let ty = self.scope.descriptor(parameter)?;
            parameters.push(format!("{ty} {}", parameter_name(number)));
        }
        let result = match &*open.result {
            "V" => "void".to_owned(),
            ty => self.scope.descriptor(ty)?,
        };
        let body = if body.is_empty() {
            String::new()
        } else {
            format!(" return {body}; ")
        };
        let (visibility, name) = (open.visibility(), &open.name);
        let parameters = parameters.join(", ");
        Some(format!(
            "@Override {visibility}{result} {name}({parameters}) {{{body}}}"
        ))
    }

    fn literal(&mut self, value: &Literal) -> Option<String> {
        Some(match value {
            Literal::Null(_) => "null".to_owned(),
            Literal::Int('Z', value) => (*value != 0).to_string(),
            Literal::Int('C', value) => literal::char(*value as u16),
            Literal::Int(_, value) => literal::int(*value),
            Literal::Long(value) => literal::long(*value),
            Literal::Float(value) => literal::float(value.to_bits()),
            Literal::Double(value) => literal::double(value.to_bits()),
            Literal::String(text) => literal::string(&text.encode_utf16().collect::<Vec<_>>()),
            Literal::Class(descriptor) => format!("{}.class", self.scope.descriptor(descriptor)?),
        })
    }

    fn fresh_name(&mut self, descriptor: &str) -> String {
        let element = descriptor.trim_start_matches('[');
        let class = element.strip_prefix('L').unwrap_or("value");
        let mut name = names::variable(&dotted(class.trim_end_matches(';').as_bytes()));
        if element != descriptor {
            name.push('s');
        }
        self.unique.take(&name)
    }
}

/// What tells the reader why there is no plain call.
fn by_reflection(statement: &Statement) -> &'static str {
    match statement {
        Statement::Set { .. } => "// By reflection: no call sets this field.",
        _ => "// By reflection: it cannot be called from here.",
    }
}

/// What a method gives back that was told nothing; empty for none.
fn zero(ty: &str) -> &'static str {
    match ty {
        "V" => "",
        "Z" => "false",
        "B" | "C" | "S" | "I" | "J" | "F" | "D" => "0",
        _ => "null",
    }
}

fn parameter_name(number: usize) -> String {
    format!("p{number}")
}
