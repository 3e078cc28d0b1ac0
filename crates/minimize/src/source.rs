//! What is left, as a JUnit test that a developer can read.

use std::collections::HashMap;
use std::fmt::Write as _;

use recrash_classfile::dotted;
use recrash_javagen::names::{self, Unique};
use recrash_javagen::{Hierarchy, Scope, TypeOracle, comment, literal};
use recrash_wire::retrace::{Member, Operand, Step, Steps};

use crate::failure::Thrown;
use crate::script::{gives, is_static, kind, member, object, used};
use recrash_javagen::ProgramFacts;

/// JVMS 4.6.
const ABSTRACT: u16 = 0x0400;

/// A test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// With dots, package included.
    pub class: String,
    pub text: String,
}

/// What the test says at its end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    /// The last call throws.
    Throws,
    /// What the last call gives has to be this.
    Gives(Operand),
}

/// What the source is made of.
pub(crate) struct Writing<'a> {
    pub(crate) facts: &'a ProgramFacts<'a>,
    /// With dots: where everything can be named that the driver named.
    pub(crate) package: &'a str,
    /// With dots.
    pub(crate) driver: &'a str,
    pub(crate) steps: &'a Steps,
    pub(crate) failure: &'a Thrown,
    pub(crate) ending: &'a Ending,
    /// For the comment: how many calls there were.
    pub(crate) before: usize,
}

/// Writes it; an error says what has no source.
pub(crate) fn write(writing: &Writing<'_>) -> Result<Source, String> {
    let steps = writing.steps;
    let last = steps.steps.last().ok_or("nothing is left")?;
    let failing = member(steps, last).ok_or("a member is missing")?;
    let subject = match writing.failure.place() {
        Some(place) if *writing.ending == Ending::Throws => place.class.clone(),
        _ => failing.owner.replace('/', "."),
    };
    let class = format!("{}MinimizedTest", names::top_level_simple(&subject));
    let mut writer = Writer {
        writing,
        scope: Scope::new(writing.package, writing.facts),
        names: HashMap::new(),
        types: HashMap::new(),
        unique: Unique::default(),
        places: places(steps),
    };
    writer.scope.declare(&class);
    let annotation = writer.scope.library("org.junit.jupiter.api.Test");
    let body = writer.body()?;
    let method = names::test_name(&failing.owner.replace('/', "."), &failing.name);
    let mut declaration = format!(
        "@SuppressWarnings({{\"rawtypes\", \"unchecked\", \"deprecation\"}})\nclass {class} {{\n    @{annotation}\n    void {method}() throws Exception {{\n"
    );
    for line in body {
        let _ = writeln!(declaration, "        {line}");
    }
    declaration.push_str("    }\n}\n");
    let mut text = header(writing);
    if !writing.package.is_empty() {
        let _ = writeln!(text, "package {};\n", writing.package);
    }
    if *writing.ending != Ending::Throws {
        text.push_str("import static org.junit.jupiter.api.Assertions.*;\n\n");
    }
    for line in writer.scope.imports_in(&declaration) {
        let _ = writeln!(text, "{line}");
    }
    let _ = write!(text, "\n{declaration}");
    let class = match writing.package {
        "" => class,
        package => format!("{package}.{class}"),
    };
    Ok(Source { class, text })
}

fn header(writing: &Writing<'_>) -> String {
    let failure = writing.failure;
    let mut text = format!(
        "// {} calls of one failing run, reduced by recrash to those without which it does not fail:\n//\n",
        writing.before
    );
    let message = failure
        .message
        .as_deref()
        .map_or_else(String::new, |message| format!(": {message}"));
    let _ = writeln!(text, "// {}{}", failure.class, comment(&message));
    if *writing.ending == Ending::Throws {
        for place in failure.trace.iter().take(8) {
            let _ = writeln!(
                text,
                "//     at {}.{}:{}",
                comment(&place.class),
                comment(&place.method),
                place.line
            );
        }
    }
    text.push_str("//\n// The test fails while the bug exists and passes once it is fixed.\n\n");
    text
}

/// By object: how often it is used, and as what.
#[derive(Default)]
struct Place {
    uses: usize,
    /// Internal names of the types that those who use it want.
    wanted: Vec<String>,
}

fn places(steps: &Steps) -> HashMap<u32, Place> {
    let mut places: HashMap<u32, Place> = HashMap::new();
    for step in &steps.steps {
        let Some(member) = member(steps, step) else {
            continue;
        };
        for number in used(step) {
            places.entry(number).or_default().uses += 1;
        }
        let mut want = |operand: &Operand, ty: &str| {
            let name = ty.strip_prefix('L').and_then(|ty| ty.strip_suffix(';'));
            if let (Some(number), Some(name)) = (object(operand), name) {
                let place = places.entry(number).or_default();
                if !place.wanted.iter().any(|wanted| wanted == name) {
                    place.wanted.push(name.to_owned());
                }
            }
        };
        if matches!(step.kind, kind::CALL | kind::FIELD | kind::PUT) {
            want(&step.receiver, &format!("L{};", member.owner));
        }
        for (argument, parameter) in step.arguments.iter().zip(parameters(step, member)) {
            want(argument, &parameter);
        }
    }
    places
}

/// Descriptors of what an event takes.
fn parameters(step: &Step, member: &Member) -> Vec<String> {
    match step.kind {
        kind::NEW | kind::CALL => descriptors(&member.descriptor),
        kind::PUT => vec![member.descriptor.clone()],
        kind::ARRAY => {
            let component = component(&member.owner);
            vec![component; step.arguments.len()]
        }
        _ => Vec::new(),
    }
}

/// Of the parameters of a method's descriptor.
pub(crate) fn descriptors(method: &str) -> Vec<String> {
    let inside = method
        .strip_prefix('(')
        .and_then(|rest| rest.split(')').next());
    let mut found = Vec::new();
    let mut rest = inside.unwrap_or_default();
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let length = match element.strip_prefix('L') {
            Some(name) => name.find(';').map_or(element.len(), |at| at + 2),
            None => 1,
        };
        let (one, behind) = rest
            .split_at_checked(rest.len() - element.len() + length)
            .unwrap_or((rest, ""));
        found.push(one.to_owned());
        rest = behind;
    }
    found
}

/// `I` of `[I`, `Ljava/lang/String;` of `[Ljava.lang.String;`.
fn component(array: &str) -> String {
    array.strip_prefix('[').unwrap_or(array).replace('.', "/")
}

struct Writer<'a> {
    writing: &'a Writing<'a>,
    scope: Scope<'a>,
    /// By object: what stands for it.
    names: HashMap<u32, String>,
    /// By object: the internal name of the type it is declared with.
    types: HashMap<u32, String>,
    unique: Unique,
    places: HashMap<u32, Place>,
}

impl Writer<'_> {
    fn body(&mut self) -> Result<Vec<String>, String> {
        let steps = self.writing.steps;
        let mut lines = Vec::new();
        let count = steps.steps.len();
        for (at, step) in steps.steps.iter().enumerate() {
            let member = member(steps, step).ok_or("a member is missing")?;
            if at + 1 == count && *self.writing.ending != Ending::Throws {
                lines.push(self.assertion(step, member)?);
                continue;
            }
            if let Some(line) = self.line(step, member)? {
                if step.threw && at + 1 < count {
                    let exception = self.scope.library("org.junit.jupiter.api.Assertions");
                    let call = line.trim_end_matches(';');
                    lines.push(format!(
                        "{exception}.assertThrows(Throwable.class, () -> {call});"
                    ));
                } else {
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }

    fn assertion(&mut self, step: &Step, member: &Member) -> Result<String, String> {
        let Ending::Gives(expected) = self.writing.ending else {
            return Err("there is nothing to assert".to_owned());
        };
        let call = self.expression(step, member)?;
        let result = member.descriptor.rsplit(')').next().unwrap_or_default();
        Ok(match expected {
            Operand::Number { kind, value } if *kind == u16::from(b'Z') || result == "Z" => {
                let word = if *value == 0 {
                    "assertFalse"
                } else {
                    "assertTrue"
                };
                format!("{word}({call});")
            }
            Operand::Nothing {} => format!("assertNull({call});"),
            expected => {
                let expected = self.operand(expected, result, false)?;
                format!("assertEquals({expected}, {call});")
            }
        })
    }

    /// `None` for what is written where it is used.
    fn line(&mut self, step: &Step, member: &Member) -> Result<Option<String>, String> {
        let of_driver = step.kind == kind::NEW && self.is_of_driver(&member.owner);
        let stood_for = of_driver.then(|| self.stood_for(step).map(str::to_owned));
        let expression = self.expression(step, member)?;
        let Some(number) = gives(step) else {
            return Ok(Some(format!("{expression};")));
        };
        if self.names.contains_key(&number) {
            // It gave what there is already: a builder itself.
            return Ok(match step.kind {
                kind::FIELD => None,
                _ => Some(format!("{expression};")),
            });
        }
        let place = self.places.remove(&number).unwrap_or_default();
        if place.uses == 0 {
            return Ok(Some(format!("{expression};")));
        }
        let is_constant = step.kind == kind::FIELD && is_static(step);
        let once = place.uses == 1;
        let (declared, cast) = match stood_for.flatten() {
            Some(ty) => (ty, false),
            None => self.declared(step, member, &place)?,
        };
        if is_constant || (once && (of_driver || matches!(step.kind, kind::ARRAY | kind::LAMBDA))) {
            self.names.insert(number, expression);
            self.types.insert(number, declared);
            return Ok(None);
        }
        let descriptor = if declared.starts_with('[') {
            declared.clone()
        } else {
            format!("L{declared};")
        };
        let written = self
            .scope
            .descriptor(&descriptor)
            .ok_or_else(|| format!("{} cannot be named", dotted(declared.as_bytes())))?;
        let name = self.fresh_name(&declared);
        let cast = if cast {
            format!("({written}) ")
        } else {
            String::new()
        };
        let line = format!("{written} {name} = {cast}{expression};");
        self.names.insert(number, name);
        self.types.insert(number, declared);
        Ok(Some(line))
    }

    /// The type to declare a variable with, and whether that takes a cast.
    fn declared(
        &self,
        step: &Step,
        member: &Member,
        place: &Place,
    ) -> Result<(String, bool), String> {
        let given = match step.kind {
            kind::NEW | kind::LAMBDA => member.owner.clone(),
            kind::ARRAY => member.owner.replace('.', "/"),
            kind::FIELD => internal(&member.descriptor),
            _ => internal(member.descriptor.rsplit(')').next().unwrap_or_default()),
        };
        if given.starts_with('[') {
            return Ok((given, false));
        }
        let facts = self.writing.facts;
        let unmet: Vec<&String> = place
            .wanted
            .iter()
            .filter(|wanted| !facts.is_subtype(&given, wanted))
            .collect();
        // The one that is all the others, too.
        let narrow = unmet
            .iter()
            .find(|one| unmet.iter().all(|other| facts.is_subtype(one, other)));
        match narrow {
            Some(narrow) => Ok(((*narrow).clone(), true)),
            None if unmet.is_empty() => Ok((given, false)),
            None => Err(format!(
                "an object is used as {} and as other types",
                unmet.first().map_or("", |name| name.as_str())
            )),
        }
    }

    fn expression(&mut self, step: &Step, member: &Member) -> Result<String, String> {
        let parameters = parameters(step, member);
        match step.kind {
            kind::ARRAY => {
                let component = component(&member.owner);
                let depth = component.chars().take_while(|c| *c == '[').count();
                let element = self.named(component.trim_start_matches('['))?;
                let more = "[]".repeat(depth);
                if step.arguments.is_empty() {
                    return Ok(format!("new {element}[0]{more}"));
                }
                let elements = self.operands(step, &parameters, false)?;
                Ok(format!("new {element}[]{more} {{{elements}}}"))
            }
            kind::NEW => {
                if self.is_of_driver(&member.owner) {
                    return self.stand_in(step, member);
                }
                let cast = self.is_overloaded(member, parameters.len());
                let written = self.operands(step, &parameters, cast)?;
                let owner = self.named(&format!("L{};", member.owner))?;
                Ok(format!("new {owner}({written})"))
            }
            kind::CALL => {
                let cast = self.is_overloaded(member, parameters.len());
                let written = self.operands(step, &parameters, cast)?;
                let on = self.on(step, member)?;
                Ok(format!("{on}.{}({written})", member.name))
            }
            kind::FIELD => Ok(format!("{}.{}", self.on(step, member)?, member.name)),
            kind::PUT => {
                let on = self.on(step, member)?;
                let value = self.operands(step, &parameters, false)?;
                Ok(format!("{on}.{} = {value}", member.name))
            }
            _ => self.lambda(step, member),
        }
    }

    /// For an object of the driver's own that only listens.
    fn stand_in(&self, step: &Step, member: &Member) -> Result<String, String> {
        let class = dotted(member.owner.as_bytes());
        let ty = self.stood_for(step);
        let facts = ty.and_then(|ty| self.writing.facts.facts(&dotted(ty.as_bytes())));
        let open: Vec<_> = facts
            .iter()
            .flat_map(|facts| &facts.methods)
            .filter(|method| method.access & ABSTRACT != 0)
            .collect();
        match &open[..] {
            [method] if method.descriptor.ends_with(")V") => {
                let count = descriptors(&method.descriptor).len();
                let names: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
                Ok(format!("({}) -> {{}}", names.join(", ")))
            }
            _ => Err(format!(
                "an object of {class}, which is part of the driver, is used"
            )),
        }
    }

    /// The type that an object of the driver is used as; internal name.
    fn stood_for(&self, step: &Step) -> Option<&str> {
        let place = self.places.get(&gives(step)?)?;
        place.wanted.first().map(String::as_str)
    }

    /// A reference to a method that is not the driver's.
    fn lambda(&mut self, step: &Step, member: &Member) -> Result<String, String> {
        let mut parts = member.descriptor.split(' ');
        let (Some(kind), Some(owner), Some(name)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("a lambda cannot be read".to_owned());
        };
        if self.is_of_driver(owner) {
            return Err("a lambda of the driver is used".to_owned());
        }
        let name = if kind == "8" { "new" } else { name };
        match step.arguments.first() {
            Some(captured) => {
                let on = self.operand(captured, &format!("L{owner};"), false)?;
                Ok(format!("{on}::{name}"))
            }
            None => Ok(format!("{}::{name}", self.named(&format!("L{owner};"))?)),
        }
    }

    fn is_of_driver(&self, class: &str) -> bool {
        let class = class.replace('/', ".");
        let nested = class.strip_prefix(self.writing.driver);
        nested.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    fn on(&mut self, step: &Step, member: &Member) -> Result<String, String> {
        match object(&step.receiver) {
            None if matches!(step.receiver, Operand::Nothing {}) => {
                self.named(&format!("L{};", member.owner))
            }
            None => {
                let receiver = self.operand(&step.receiver, "", false)?;
                Ok(format!("({receiver})"))
            }
            Some(number) => {
                let name = self.name_of(number)?;
                Ok(if name.starts_with("new ") {
                    format!("({name})")
                } else {
                    name
                })
            }
        }
    }

    fn named(&mut self, descriptor: &str) -> Result<String, String> {
        self.scope
            .descriptor(descriptor)
            .ok_or_else(|| format!("{descriptor} cannot be named from the test's package"))
    }

    fn name_of(&self, number: u32) -> Result<String, String> {
        self.names
            .get(&number)
            .cloned()
            .ok_or_else(|| "an object is used that no call of the driver gave".to_owned())
    }

    fn is_overloaded(&self, member: &Member, arity: usize) -> bool {
        let class = member.owner.replace('/', ".");
        let hierarchy = Hierarchy {
            oracle: self.writing.facts,
        };
        if member.name == "<init>" {
            let facts = self.writing.facts.facts(&class);
            let same = facts.map_or(2, |facts| {
                let constructors = facts.methods.iter().filter(|method| {
                    method.name == "<init>" && descriptors(&method.descriptor).len() == arity
                });
                constructors.count()
            });
            return same > 1;
        }
        !hierarchy.is_only_one(&class, &member.name, arity)
    }

    fn operands(
        &mut self,
        step: &Step,
        parameters: &[String],
        cast: bool,
    ) -> Result<String, String> {
        let mut written = Vec::with_capacity(parameters.len());
        for (argument, parameter) in step.arguments.iter().zip(parameters) {
            written.push(self.operand(argument, parameter, cast)?);
        }
        Ok(written.join(", "))
    }

    /// A value as it is given where `parameter` is wanted; with `cast` its type decides which of several methods is called.
    fn operand(
        &mut self,
        operand: &Operand,
        parameter: &str,
        cast: bool,
    ) -> Result<String, String> {
        let primitive = parameter.len() == 1;
        Ok(match operand {
            Operand::Nothing {} if cast => format!("({}) null", self.named(parameter)?),
            Operand::Nothing {} => "null".to_owned(),
            Operand::Number { kind, value } => number(*kind, *value, primitive, parameter, cast),
            Operand::LongNumber { value } if primitive || !cast => literal::long(*value),
            Operand::LongNumber { value } => format!("Long.valueOf({})", literal::long(*value)),
            Operand::FloatNumber { value } => literal::float(value.to_bits()),
            Operand::DoubleNumber { value } => literal::double(value.to_bits()),
            Operand::Text { value } => {
                let text = literal::string(&value.encode_utf16().collect::<Vec<_>>());
                if cast && parameter != "Ljava/lang/String;" {
                    format!("({}) {text}", self.named(parameter)?)
                } else {
                    text
                }
            }
            Operand::Type { name } => {
                let descriptor = if name.starts_with('[') {
                    name.replace('.', "/")
                } else {
                    format!("L{};", name.replace('.', "/"))
                };
                format!("{}.class", self.named(&descriptor)?)
            }
            Operand::Object { number } => {
                let name = self.name_of(*number)?;
                let declared = self.types.get(number);
                let exact = declared.is_some_and(|declared| internal(parameter) == *declared);
                if cast && !exact && !parameter.is_empty() {
                    format!("({}) {name}", self.named(parameter)?)
                } else {
                    name
                }
            }
            Operand::Other { name } => {
                return Err(format!("an object of {name} is used that no call gave"));
            }
        })
    }

    fn fresh_name(&mut self, internal: &str) -> String {
        let element = internal.trim_start_matches('[');
        let class = if element == internal {
            element
        } else {
            element
                .strip_prefix('L')
                .unwrap_or("value")
                .trim_end_matches(';')
        };
        let mut name = names::variable(&dotted(class.as_bytes()));
        if element != internal {
            name.push('s');
        }
        self.unique.take(&name)
    }
}

fn number(kind: u16, value: i32, primitive: bool, parameter: &str, cast: bool) -> String {
    let written = match (kind as u8, parameter) {
        (b'Z', _) | (_, "Z") => (value != 0).to_string(),
        (b'C', _) | (_, "C") => literal::char(value as u16),
        (b'B', _) => format!("(byte) {value}"),
        (b'S', _) => format!("(short) {value}"),
        _ => literal::int(value),
    };
    if primitive || !cast || kind as u8 != b'I' {
        written
    } else {
        format!("Integer.valueOf({written})")
    }
}

/// `java/lang/String` of `Ljava/lang/String;`; arrays stay descriptors.
fn internal(descriptor: &str) -> String {
    descriptor
        .strip_prefix('L')
        .and_then(|name| name.strip_suffix(';'))
        .unwrap_or(descriptor)
        .to_owned()
}
