//! Objects of the program's own classes: by constructor where one gives the captured state, completed by setters and
//! fields; else without constructor, field by field.

use super::Style;
use super::agreement::{Agreement, is_bookkeeping};
use super::helpers::Helper;
use super::made::{Blocked, Known, Made, Result};
use super::planner::Planner;
use super::shape::Constructor;
use super::stores::Source;
use super::way::{Construction, How, Origin, Way};
use crate::descriptor;
use crate::names;
use crate::oracle::{Hierarchy, Nesting, flags};
use crate::value::{cast, descriptor_of};
use recrash_classfile::access;
use recrash_heap::manifest::{ObjectId, Value};
use recrash_heap::{Field, Object};

/// Constructors that are tried before giving up on them.
const MOST_WAYS: usize = 3;

impl<'s> Planner<'s, '_> {
    pub(super) fn built(&mut self, object: &Object<'s>, hint: &str) -> Result<Made> {
        let ways = self.ways(object);
        let mut blocked = None;
        for way in ways {
            let mark = self.mark();
            match self.follow(&way, object, hint) {
                Ok(made) => return Ok(made),
                Err(reason) => {
                    self.back_to(mark);
                    blocked = blocked.or(Some(reason));
                }
            }
        }
        Err(blocked.unwrap_or_else(|| {
            Blocked::because(format!(
                "no constructor, setter or field gives {} its state",
                recrash_report::class_name(object.class)
            ))
        }))
    }

    /// The ways that could work, the most readable first.
    fn ways<'o>(&mut self, object: &'o Object<'s>) -> Vec<Way<'o>> {
        let fields: Vec<&'o Field<'o>> = object
            .kind
            .fields()
            .iter()
            .filter(|field| !self.is_left_out(object.id, field.declared_in, field.name))
            .collect();
        let line = self.world.classes.line(object.class);
        let Some((_, shape)) = line.first() else {
            return Vec::new();
        };
        let is_record = shape.superclass.as_deref() == Some("java.lang.Record");
        let mut ways = Vec::new();
        // Fields of the JDK's classes are set by nothing but their constructors.
        let inherits_state = shape.of_jdk
            || fields.iter().any(|field| {
                let declaring = line.iter().find(|(class, _)| class == field.declared_in);
                declaring.is_some_and(|(_, above)| above.of_jdk)
                    && !field.value.is_zero()
                    && !is_bookkeeping(field)
            });
        let by_constructor = self.style == Style::Constructors || is_record || inherits_state;
        if by_constructor && shape.access & access::ABSTRACT == 0 {
            for constructor in self.world.classes.constructors(shape) {
                ways.extend(self.construct(object, &fields, constructor));
            }
            for builder in self.world.classes.builders(object.class, shape) {
                ways.extend(self.gather(object, &fields, builder));
            }
            ways.sort_by_key(|way: &Way<'_>| way.cost);
            ways.truncate(MOST_WAYS);
        }
        if !is_record && !shape.of_jdk {
            let wanted = fields
                .iter()
                .filter(|field| !field.value.is_zero() && !is_bookkeeping(field));
            let rest: Option<Vec<(&Field<'_>, How)>> = wanted
                .map(|field| Some((*field, self.how(object, field)?)))
                .collect();
            if let Some(rest) = rest {
                let cost = 6 + rest.iter().map(|(_, how)| how.cost()).sum::<usize>();
                ways.push(Way {
                    origin: Origin::Nothing,
                    rest,
                    cost,
                });
                ways.sort_by_key(|way| way.cost);
            }
        }
        ways
    }

    fn construct<'o>(
        &mut self,
        object: &'o Object<'s>,
        fields: &[&'o Field<'o>],
        constructor: &Constructor,
    ) -> Option<Way<'o>> {
        let named = constructor
            .factory
            .as_deref()
            .is_none_or(names::is_identifier);
        let is_nameable = self.scope.class(object.class).is_some()
            && self.scope.admits_member(object.class, constructor.access);
        let by_reflection = !is_nameable && constructor.factory.is_none();
        let of_jdk = self
            .world
            .classes
            .shape(object.class)
            .is_some_and(|shape| shape.of_jdk);
        if constructor.access & access::SYNTHETIC != 0
            || !named
            || (!is_nameable && (!by_reflection || of_jdk))
        {
            return None;
        }
        let parameters: Vec<String> = descriptor::parameters(&constructor.descriptor)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let mut arguments = Vec::new();
        for (number, parameter) in parameters.iter().enumerate() {
            arguments.push(self.argument(object, constructor, number, parameter)?);
        }
        let mut rest = Vec::new();
        let mut cost = if by_reflection { 5 } else { 1 };
        for field in fields {
            let place = (field.declared_in.to_owned(), field.name.to_owned());
            let source = constructor.stores.get(&place);
            match self.agreement(source, field, &arguments) {
                Agreement::Same => {}
                Agreement::Unknown => cost += 1,
                Agreement::Other if is_bookkeeping(field) => {}
                Agreement::Other => {
                    let how = self.how(object, field)?;
                    cost += how.cost();
                    rest.push((*field, how));
                }
            }
        }
        Some(Way {
            origin: Origin::Constructor(Construction {
                factory: constructor.factory.clone(),
                by_reflection,
                parameters,
                arguments,
            }),
            rest,
            cost,
        })
    }

    /// The captured value that must have been the argument, and the name of the field that tells.
    fn argument(
        &self,
        object: &Object<'s>,
        constructor: &Constructor,
        number: usize,
        parameter: &str,
    ) -> Option<(Value, String)> {
        let from = |wanted: Source| {
            let stored = constructor.stores.iter();
            let found = stored.filter(move |(_, source)| **source == wanted);
            found.filter_map(|((class, name), _)| {
                let mut fields = object.kind.fields().iter();
                fields.find(|field| field.declared_in == class && field.name == name)
            })
        };
        let mut candidates: Vec<&Field<'_>> = from(Source::Parameter(number)).collect();
        candidates.sort_by_key(|field| field.descriptor != parameter);
        for field in candidates {
            if self.is_left_out(object.id, field.declared_in, field.name)
                && !self.is_literal(field.value)
            {
                return Some((Value::zero_of(parameter), field.name.to_owned()));
            }
            if let Some(value) = self.as_parameter(field, parameter) {
                return Some((value, field.name.to_owned()));
            }
        }
        if parameter == "I"
            && let Some(field) = from(Source::Length(number)).next()
            && let Value::Ref(array) = field.value
        {
            // The JDK's own empty array stands for no elements.
            let length = self.world.graph.heap().array_length(array).unwrap_or(0);
            return Some((Value::Int(length as i32), field.name.to_owned()));
        }
        None
    }

    /// How a field can be set from the test; `None` when it cannot.
    pub(super) fn how(&mut self, object: &Object<'s>, field: &Field<'_>) -> Option<How> {
        let line = self.world.classes.line(object.class);
        let nearest = line
            .iter()
            .find(|(_, shape)| shape.fields.iter().any(|known| known.name == field.name));
        if nearest.is_some_and(|(class, _)| class != field.declared_in) {
            let (_, shape) = line.iter().find(|(class, _)| class == field.declared_in)?;
            return (!shape.of_jdk).then(|| How::ReflectionIn(field.declared_in.to_owned()));
        }
        let (declaring, shape) = nearest?;
        let known = shape.fields.iter().find(|known| known.name == field.name)?;
        let nameable = self.scope.class(object.class).is_some();
        let admits =
            |planner: &Self, access| nameable && planner.scope.admits_member(declaring, access);
        if admits(self, known.access)
            && known.access & access::FINAL == 0
            && names::is_identifier(field.name)
        {
            return Some(How::Named);
        }
        if self.style == Style::Constructors || shape.of_jdk {
            let classes = self.world.classes;
            let setters = line.iter().flat_map(|(_, shape)| classes.setters(shape));
            let wanted = (field.declared_in, field.name);
            let mut fitting = setters.filter(|setter| {
                (setter.field.0.as_str(), setter.field.1.as_str()) == wanted
                    && nameable
                    && self.scope.admits_member(declaring, setter.access)
                    && names::is_identifier(&setter.name)
            });
            if let Some(setter) = fitting.next() {
                return Some(How::Setter(setter.name.clone()));
            }
        }
        // Fields of the JDK's classes and of records are closed to reflection.
        let closed = shape.of_jdk || shape.superclass.as_deref() == Some("java.lang.Record");
        (!closed).then_some(How::Reflection)
    }

    fn follow(&mut self, way: &Way<'_>, object: &Object<'s>, hint: &str) -> Result<Made> {
        let made = match &way.origin {
            Origin::Constructor(construction) => self.constructed(construction, object)?,
            Origin::Builder(gathering) => self.gathered(gathering, object)?,
            Origin::Nothing => {
                self.helpers.need(Helper::Make);
                let class = self.type_of(object.class);
                let known = match self.scope.class(object.class) {
                    Some(_) => Known::Exactly(descriptor_of(object.class)),
                    None => Known::ObjectOnly,
                };
                Made {
                    text: format!("make({class})"),
                    known,
                }
            }
        };
        if way.rest.is_empty() {
            return Ok(self.maybe_named(object.id, made, hint_for(hint, object)));
        }
        let variable = self.named(object.id, &made, hint_for(hint, object));
        for (field, how) in &way.rest {
            self.set(&variable, object.id, field, how)?;
        }
        Ok(variable)
    }

    /// `construct(Order.class, "int, String", 7, "A-1")`.
    fn constructed_by_reflection(
        &mut self,
        construction: &Construction,
        object: &Object<'s>,
    ) -> Result<Made> {
        let mut text = String::new();
        for (parameter, (value, name)) in
            construction.parameters.iter().zip(&construction.arguments)
        {
            let made = self.value(parameter, *value, name)?;
            // One array, or one null, would be taken for all arguments.
            let alone = construction.parameters.len() == 1;
            text.push_str(", ");
            text.push_str(&if alone {
                cast("Object", &made.text)
            } else {
                made.text
            });
        }
        self.helpers.need(Helper::Construct);
        let types: Vec<String> = construction
            .parameters
            .iter()
            .map(|parameter| descriptor::simple_name(parameter))
            .collect();
        let class = self.type_of(object.class);
        let known = match self.scope.class(object.class) {
            Some(_) => Known::Exactly(descriptor_of(object.class)),
            None => Known::ObjectOnly,
        };
        Ok(Made {
            text: format!("construct({class}, \"{}\"{text})", types.join(", ")),
            known,
        })
    }

    fn constructed(&mut self, construction: &Construction, object: &Object<'s>) -> Result<Made> {
        if construction.by_reflection {
            return self.constructed_by_reflection(construction, object);
        }
        let class = object.class;
        let written = self
            .scope
            .class(class)
            .ok_or_else(|| Blocked::because(format!("{class} cannot be named here")))?;
        let name = construction.factory.as_deref().unwrap_or("<init>");
        let arguments = construction.parameters.iter().zip(&construction.arguments);
        let arguments = self.arguments((class, name), arguments)?;
        let facts = self.oracle.facts(class);
        let inner = facts.and_then(|facts| match facts.nesting {
            Nesting::Member { name, .. }
                if facts.access & (flags::STATIC | flags::INTERFACE) == 0 =>
            {
                Some(name)
            }
            _ => None,
        });
        let text = match (inner, arguments.split_first()) {
            _ if construction.factory.is_some() => {
                format!("{written}.{name}({})", arguments.join(", "))
            }
            (Some(name), Some((outer, others))) => {
                format!("{outer}.new {name}({})", others.join(", "))
            }
            _ => format!("new {written}({})", arguments.join(", ")),
        };
        Ok(Made::of(text, class))
    }

    /// The arguments of a call, cast where another overload could be meant.
    pub(super) fn arguments<'v>(
        &mut self,
        (class, name): (&str, &str),
        values: impl ExactSizeIterator<Item = (&'v String, &'v (Value, String))>,
    ) -> Result<Vec<String>> {
        let hierarchy = Hierarchy {
            oracle: self.oracle,
        };
        let is_only_one = hierarchy.is_only_one(class, name, values.len());
        let mut arguments = Vec::new();
        for (parameter, (value, name)) in values {
            let made = self.value(parameter, *value, name)?;
            if made.is_exactly(parameter) || (is_only_one && self.fits(&made, parameter)) {
                arguments.push(made.text);
                continue;
            }
            let written = self
                .scope
                .descriptor(parameter)
                .ok_or_else(|| Blocked::because("a parameter's type cannot be named here"))?;
            arguments.push(cast(&written, &made.text));
        }
        Ok(arguments)
    }

    fn set(&mut self, variable: &Made, id: ObjectId, field: &Field<'_>, how: &How) -> Result<()> {
        let target = match field.value {
            Value::Ref(target) => Some(target),
            _ => None,
        };
        let name = &variable.text;
        let written = match how {
            How::Reflection | How::ReflectionIn(_) => self
                .value(field.descriptor, field.value, field.name)
                .map(|made| made.text),
            How::Named | How::Setter(_) => self.fitting(field.descriptor, field.value, field.name),
        };
        let (value, waits_for) = match (written, target) {
            (Ok(text), _) => (text, None),
            // Set once the other object is there; it cannot wait for itself.
            (Err(Blocked::Cycle), Some(target)) if target != id => ("{}".to_owned(), Some(target)),
            (Err(blocked), _) => return Err(blocked),
        };
        let statement = match how {
            How::Named => format!("{name}.{} = {value};", field.name),
            How::Setter(setter) => format!("{name}.{setter}({value});"),
            How::Reflection => {
                self.helpers.need(Helper::Set);
                format!("set({name}, \"{}\", {value});", field.name)
            }
            How::ReflectionIn(class) => {
                self.helpers.need(Helper::SetIn);
                let owner = self.type_of(class);
                format!("setIn({owner}, {name}, \"{}\", {value});", field.name)
            }
        };
        match waits_for {
            Some(target) => self.when_named(target, &statement),
            None => self.statement(&statement),
        }
        Ok(())
    }
}

fn hint_for<'h>(hint: &'h str, object: &Object<'h>) -> &'h str {
    // The outer object of an inner class has no name of its own.
    if hint.is_empty() || hint.starts_with("this$") {
        object.class
    } else {
        hint
    }
}
