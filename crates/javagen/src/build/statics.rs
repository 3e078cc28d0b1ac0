//! Static fields that a test sets before the call and puts back after it.

use super::agreement::is_collection;
use super::helpers::Helper;
use super::made::{Blocked, Made, Result};
use super::planner::Planner;
use crate::names;
use crate::value::cast;
use recrash_heap::manifest::StaticField;

/// How a static field gets the captured value.
pub(crate) struct Assigned {
    /// Statements that remember what was there, and put the captured value in its place.
    pub(crate) before: Vec<String>,
    /// The statement that brings back what was there; none where a scope ends by itself.
    pub(crate) after: Option<String>,
    /// The call is made in the scope of this: `TENANT, "a"`.
    pub(crate) scope: Option<String>,
    /// The captured value as the test makes it.
    pub(crate) made: String,
    /// What the field holds.
    pub(crate) held: String,
}

impl Planner<'_, '_> {
    /// By name, by a static method that does just that, else by reflection. What is final keeps its object, which is filled
    /// anew if it is a collection.
    pub(crate) fn assigned(&mut self, field: &StaticField) -> Result<Assigned> {
        let (class, name) = (field.class.as_str(), field.field.as_str());
        let in_words = format!("{}.{name}", recrash_report::class_name(class));
        let shape = self
            .world
            .classes
            .shape(class)
            .filter(|shape| !shape.of_jdk)
            .ok_or_else(|| Blocked::because(format!("{in_words}, which is not the program's")))?;
        let known = shape.fields.iter().find(|known| known.name == name);
        let Some(known) = known else {
            return Err(Blocked::because(format!("there is no {in_words}")));
        };
        if field.is_final {
            return self.refilled(field, &in_words);
        }
        let before = self
            .unique
            .take(&format!("{}Before", names::variable(name)));
        let written = self.scope.class(class);
        let nameable = names::is_identifier(name) && self.scope.admits_member(class, known.access);
        if let Some(written) = written.as_ref().filter(|_| nameable)
            && let Some(declared) = self.scope.descriptor(&field.descriptor)
        {
            let made = self.fitting(&field.descriptor, field.value, name)?;
            return Ok(Assigned {
                before: vec![
                    format!("{declared} {before} = {written}.{name};"),
                    format!("{written}.{name} = {made};"),
                ],
                after: Some(format!("{written}.{name} = {before};")),
                scope: None,
                made,
                held: format!("{written}.{name}"),
            });
        }
        self.helpers.need(Helper::Constant);
        let owner = self.type_of(class);
        let held = format!("constant({owner}, \"{name}\")");
        let setter = self
            .world
            .classes
            .static_setter(&shape, (class, known), |access| {
                self.scope.admits_member(class, access)
            });
        if let (Some(written), Some(setter), Some(declared)) =
            (written, setter, self.scope.descriptor(&field.descriptor))
        {
            let made = self.fitting(&field.descriptor, field.value, name)?;
            return Ok(Assigned {
                before: vec![
                    format!("{declared} {before} = {};", cast(&declared, &held)),
                    format!("{written}.{setter}({made});"),
                ],
                after: Some(format!("{written}.{setter}({before});")),
                scope: None,
                made,
                held,
            });
        }
        let made = self.value(&field.descriptor, field.value, name)?.text;
        self.helpers.need(Helper::Exchange);
        Ok(Assigned {
            before: vec![format!(
                "Object {before} = exchange({owner}, \"{name}\", {made});"
            )],
            after: Some(format!("exchange({owner}, \"{name}\", {before});")),
            scope: None,
            made,
            held,
        })
    }

    fn refilled(&mut self, field: &StaticField, in_words: &str) -> Result<Assigned> {
        let Some(collection) = self
            .target(field.value)
            .filter(|object| is_collection(self.world.graph, object))
        else {
            return Err(Blocked::because(format!(
                "the object that the static final field {in_words} held"
            )));
        };
        let before = self
            .unique
            .take(&format!("{}Before", names::variable(&field.field)));
        let made: Made = self.library(&collection, &field.field)?;
        let held = self.held(&field.class, &field.field).text;
        self.helpers.need(Helper::Refill);
        self.generic = true;
        Ok(Assigned {
            before: vec![format!("Object {before} = refill({held}, {});", made.text)],
            after: Some(format!("refill({held}, {before});")),
            scope: None,
            made: made.text,
            held,
        })
    }
}
