//! Names of parameters: debug information first, because MethodParameters is rarely there.

use recrash_classfile::{Attribute, Error, local_variables_from, method_parameters};

use crate::find::method::Method;

/// What a method says of the names of its parameters.
pub(crate) enum Names<'a> {
    None,
    /// A LocalVariableTable.
    Locals(Attribute<'a>),
    /// Utf8 indexes, 0 for no name.
    Listed(Vec<u16>),
}

impl<'a> Names<'a> {
    pub(crate) fn of(method: &Method<'a>) -> Result<Self, Error> {
        let pool = &method.class.pool;
        if method.parameters() == 0 {
            return Ok(Names::None);
        }
        if let Some(table) = method.code.attributes.find(pool, b"LocalVariableTable")? {
            return Ok(Names::Locals(table));
        }
        let Some(table) = method.member.attributes.find(pool, b"MethodParameters")? else {
            return Ok(Names::None);
        };
        let listed = method_parameters(&table)?;
        // Some compilers list only the declared ones; then the numbers do not fit and mean nothing.
        Ok(if listed.len() == method.parameters() {
            Names::Listed(listed)
        } else {
            Names::None
        })
    }

    /// The name of a parameter, the receiver not counted; empty where there is none.
    pub(crate) fn name(&self, parameter: usize, method: &Method<'a>) -> &'a [u8] {
        let index = match self {
            Names::None => None,
            Names::Listed(listed) => listed.get(parameter).copied().filter(|&index| index != 0),
            Names::Locals(table) => {
                let slot = method
                    .inputs
                    .get(parameter + usize::from(method.has_receiver))
                    .map(|input| input.slot);
                let mut variables = local_variables_from(0, table);
                variables
                    .find(|variable| Some(variable.local) == slot)
                    .map(|variable| variable.name)
            }
        };
        index
            .and_then(|index| method.class.pool.utf8(index).ok())
            .unwrap_or_default()
    }
}
