//! What a thread had bound: thread locals are set around the call, scoped values bound for the length of it.

use super::made::{Blocked, Result};
use super::planner::Planner;
use super::statics::Assigned;
use crate::names;
use recrash_heap::manifest::{StaticField, ThreadLocalEntry, Value};

const SCOPED_VALUE: &str = "java.lang.ScopedValue";

impl Planner<'_, '_> {
    /// By the name of the static field that holds the local.
    pub(crate) fn bound(
        &mut self,
        local: &ThreadLocalEntry,
        holder: &StaticField,
    ) -> Result<Assigned> {
        let (class, name) = (holder.class.as_str(), holder.field.as_str());
        let unreachable = || {
            let class = recrash_report::class_name(class);
            Blocked::because(format!(
                "the thread's value of {class}.{name}, which is not accessible here"
            ))
        };
        let shape = self.world.classes.shape(class).ok_or_else(unreachable)?;
        let known = shape.fields.iter().find(|known| known.name == name);
        let access = known.ok_or_else(unreachable)?.access;
        if !names::is_identifier(name) || !self.scope.admits_member(class, access) {
            return Err(unreachable());
        }
        let written = self.scope.class(class).ok_or_else(unreachable)?;
        let made = self
            .value("Ljava/lang/Object;", local.value, &names::variable(name))?
            .text;
        let key = format!("{written}.{name}");
        let held = format!("{key}.get()");
        let of_scope = self.target(Value::Ref(local.key));
        if of_scope.is_some_and(|key| key.class == SCOPED_VALUE) {
            return Ok(Assigned {
                before: Vec::new(),
                after: None,
                scope: Some(format!("{key}, {made}")),
                made,
                held,
            });
        }
        Ok(Assigned {
            before: vec![format!("{key}.set({made});")],
            after: Some(format!("{key}.remove();")),
            scope: None,
            made,
            held,
        })
    }

    /// The call in the scope of what was bound.
    pub(crate) fn in_scope(&mut self, call: String, returns: bool, bound: &[Assigned]) -> String {
        let scopes = bound.iter().filter_map(|assigned| assigned.scope.as_ref());
        let scopes: Vec<&str> = scopes.map(String::as_str).collect();
        if scopes.is_empty() {
            return call;
        }
        let value = self.scope.library(SCOPED_VALUE);
        let body = if returns {
            call
        } else {
            format!("{{ {call}; return null; }}")
        };
        let scopes = scopes.join(").where(");
        format!("{value}.where({scopes}).call(() -> {body})")
    }
}
