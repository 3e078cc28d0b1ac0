//! The body of a test that needs no snapshot: objects made by source, then the call.

use crate::build::{Assigned, Blocked, Building, Files, Helper, Helpers, Known, Made, Obstacle};
use crate::build::{Place, Plan, Planner, Result, Style, World, holders};
use crate::call::{Call, Callee};
use crate::descriptor;
use crate::names::Unique;
use crate::oracle::{TypeOracle, flags};
use crate::scope::Scope;
use crate::value::cast;
use recrash_heap::Snapshot;
use recrash_heap::manifest::{CapturedFrame, FrameInfo, StaticField, ThreadLocalEntry, Value};
use recrash_report::Graph;
use std::collections::BTreeSet;

/// The statements before the call, and the call.
pub(crate) struct BuiltBody {
    pub(crate) lines: Vec<String>,
    pub(crate) call: String,
    /// The receiver and the arguments as expressions, for the comparison with the captured ones.
    pub(crate) values: Vec<String>,
    pub(crate) statics: Vec<Assigned>,
    pub(crate) helpers: Helpers,
    pub(crate) generic: bool,
    pub(crate) incomplete: bool,
}

/// Everything the body is made from.
pub(crate) struct Ground<'s, 'a> {
    pub(crate) building: &'s Building<'s>,
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) oracle: &'a dyn TypeOracle,
    pub(crate) graph: Graph<'s>,
    pub(crate) frame: usize,
    pub(crate) info: &'s FrameInfo,
    pub(crate) captured: &'s CapturedFrame,
    pub(crate) callee: &'s Callee,
    /// Where long values go.
    pub(crate) files: &'s Files,
}

pub(crate) fn built<'a>(
    ground: &Ground<'_, 'a>,
    scope: &mut Scope<'a>,
    unique: &mut Unique,
    style: Style,
) -> std::result::Result<BuiltBody, Obstacle> {
    let nothing: BTreeSet<Place> = BTreeSet::new();
    let holders = holders(ground.snapshot, ground.building.classes);
    let left_out = ground
        .building
        .left_out
        .get(&ground.frame)
        .unwrap_or(&nothing);
    let world = World {
        graph: ground.graph,
        classes: ground.building.classes,
        holders: &holders,
        left_out,
        files: Some(ground.files),
    };
    let limits = (style, ground.building.most_lines);
    let planner = Planner::new(world, scope, ground.oracle, unique, limits);
    write(ground, planner).map_err(Blocked::obstacle)
}

fn write(ground: &Ground<'_, '_>, mut planner: Planner<'_, '_>) -> Result<BuiltBody> {
    let captured = ground.captured;
    let constructs = matches!(ground.callee.call, Call::Constructor(_));
    let receiver = if constructs {
        Value::Null
    } else {
        captured.receiver
    };
    let mut roots = vec![receiver];
    roots.extend(captured.arguments.iter().map(|argument| argument.value));
    let statics = statics(ground);
    roots.extend(statics.iter().map(|field| field.value));
    let locals = locals(ground)?;
    roots.extend(locals.iter().map(|(local, _)| local.value));
    planner.look_at(&roots)?;

    let mut values = Vec::new();
    let receiver = if let Value::Ref(id) = receiver {
        let mut made = planner.object(id, &ground.info.element.class)?;
        if !is_simple(&made.text) {
            made = planner.named(id, &made, &ground.info.element.class);
        }
        values.push(made.text.clone());
        let class = crate::value::descriptor_of(&ground.info.element.class);
        let fits = planner.fits(&made, &class);
        match (&ground.callee.call, &made.known) {
            (Call::Virtual(class), Known::ObjectOnly | Known::Declared(_)) if !fits => {
                format!("(({class}) {})", made.text)
            }
            _ => made.text,
        }
    } else {
        values.push("null".to_owned());
        "null".to_owned()
    };
    let mut arguments = Vec::new();
    for (index, argument) in captured.arguments.iter().enumerate() {
        let hint = match &argument.name {
            Some(name) => name.clone(),
            None => type_name(&argument.descriptor),
        };
        let made = planner.value(&argument.descriptor, argument.value, &hint)?;
        values.push(made.text.clone());
        arguments.push(argument_text(ground, &mut planner, index, made)?);
    }
    let joined = arguments.join(", ");
    let method = &ground.info.element.method;
    let call = match &ground.callee.call {
        Call::Static(class) => format!("{class}.{method}({joined})"),
        Call::Constructor(class) => format!("new {class}({joined})"),
        Call::Virtual(_) => format!("{receiver}.{method}({joined})"),
        Call::Invoke(reason) => reflective(ground, &mut planner, reason, &receiver, &arguments)?,
    };
    let mut statics = statics
        .into_iter()
        .map(|field| planner.assigned(field))
        .collect::<Result<Vec<Assigned>>>()?;
    for (local, holder) in locals {
        statics.push(planner.bound(local, holder)?);
    }
    let returns = match ground.callee.call {
        Call::Constructor(_) | Call::Invoke(_) => true,
        Call::Static(_) | Call::Virtual(_) => !captured.descriptor.ends_with('V'),
    };
    let call = planner.in_scope(call, returns, &statics);
    let Plan {
        lines,
        helpers,
        generic,
        incomplete,
    } = planner.finish()?;
    Ok(BuiltBody {
        lines,
        call,
        values,
        statics,
        helpers,
        generic,
        incomplete,
    })
}

/// The static fields that the frame needs.
fn statics<'s>(ground: &Ground<'s, '_>) -> Vec<&'s StaticField> {
    let needed = ground.building.statics.get(&ground.frame).into_iter();
    let all = &ground.snapshot.manifest.statics;
    needed
        .flatten()
        .filter_map(|index| all.get(*index))
        .collect()
}

/// The thread's locals that the frame needs, and the static fields that hold them.
fn locals<'s>(ground: &Ground<'s, '_>) -> Result<Vec<(&'s ThreadLocalEntry, &'s StaticField)>> {
    let manifest = &ground.snapshot.manifest;
    let needed = ground.building.statics.get(&ground.frame).into_iter();
    let numbers = needed
        .flatten()
        .filter_map(|index| index.checked_sub(manifest.statics.len()));
    numbers
        .filter_map(|number| manifest.thread_locals.get(number))
        .map(|local| {
            let mut fields = manifest.statics.iter();
            let holder = fields.find(|field| field.value == Value::Ref(local.key));
            let holder = holder.ok_or_else(|| {
                Blocked::because("a local of the thread that no static field holds")
            })?;
            Ok((local, holder))
        })
        .collect()
}

/// The argument as the call takes it: cast where another overload could be meant, or where its type is not known.
fn argument_text(
    ground: &Ground<'_, '_>,
    planner: &mut Planner<'_, '_>,
    index: usize,
    made: Made,
) -> Result<String> {
    let argument = ground
        .captured
        .arguments
        .get(index)
        .ok_or_else(|| Blocked::because("its parameters are not known"))?;
    if matches!(ground.callee.call, Call::Invoke(_)) {
        return Ok(made.text);
    }
    let fits = planner.fits(&made, &argument.descriptor);
    if made.is_exactly(&argument.descriptor) || (ground.callee.is_only_one && fits) {
        return Ok(made.text);
    }
    let class = type_class(&argument.descriptor);
    planner.note_generic(&class);
    match ground.callee.parameter_types.get(index) {
        Some(written) => Ok(cast(written, &made.text)),
        None => Err(Blocked::because(
            "a parameter's type is not accessible here",
        )),
    }
}

/// `call(Parser.class, "parse(String)", parser, "text")`.
fn reflective(
    ground: &Ground<'_, '_>,
    planner: &mut Planner<'_, '_>,
    reason: &str,
    receiver: &str,
    arguments: &[String],
) -> Result<String> {
    let method = ground.info.element.method.as_str();
    let is_static = ground.captured.access & flags::STATIC != 0;
    let is_private = ground.captured.access & flags::PRIVATE != 0;
    let runs_it = is_static || is_private || !OVERRIDDEN.contains(&reason);
    if method.starts_with('<') || !runs_it {
        return Err(Blocked::because(format!(
            "{reason}, so it cannot be called by name"
        )));
    }
    let parameters = descriptor::parameters(&ground.captured.descriptor);
    let names: Vec<String> = parameters
        .iter()
        .map(|parameter| descriptor::simple_name(parameter))
        .collect();
    planner.need(Helper::Call);
    let owner = planner.type_of(&ground.info.element.class);
    let receiver = if is_static { "null" } else { receiver };
    let mut text = format!(
        "call({owner}, \"{method}({})\", {receiver}",
        names.join(", ")
    );
    for argument in arguments {
        // One array, or one null, would be taken for all arguments.
        let alone = arguments.len() == 1;
        text.push_str(", ");
        text.push_str(&if alone {
            cast("Object", argument)
        } else {
            argument.clone()
        });
    }
    text.push(')');
    Ok(text)
}

/// A reflective call would run the method that overrides the captured one.
const OVERRIDDEN: [&str; 2] = [crate::call::OVERRIDDEN, crate::call::NO_RECEIVER];

fn is_simple(text: &str) -> bool {
    text.chars()
        .all(|c| c == '.' || c == '_' || c.is_ascii_alphanumeric())
}

fn type_class(descriptor: &str) -> String {
    descriptor
        .trim_start_matches(['[', 'L'])
        .trim_end_matches(';')
        .replace('/', ".")
}

/// A name after the type: `order`, `orders` for an array.
fn type_name(descriptor: &str) -> String {
    let simple = crate::names::variable(&type_class(descriptor));
    if descriptor.starts_with('[') {
        format!("{simple}s")
    } else {
        simple
    }
}
