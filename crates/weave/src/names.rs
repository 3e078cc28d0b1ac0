//! Names of parameters: debug information first, because MethodParameters is rarely there.

use recrash_classfile::{Error, local_variables_from, method_parameters};

use crate::method::Method;

pub(crate) fn of_parameters<'a>(method: &Method<'a>) -> Result<Vec<Option<&'a [u8]>>, Error> {
    let pool = &method.class.pool;
    let mut names = vec![None; method.parameters()];
    let first = usize::from(method.has_receiver);
    if let Some(table) = method.code.attributes.find(pool, b"LocalVariableTable")? {
        for variable in local_variables_from(0, &table) {
            let input = method
                .inputs
                .iter()
                .position(|input| input.slot == variable.local);
            if let Some(place) = input.and_then(|input| names.get_mut(input.checked_sub(first)?)) {
                *place = Some(pool.utf8(variable.name)?);
            }
        }
    } else if let Some(table) = method.member.attributes.find(pool, b"MethodParameters")? {
        let listed = method_parameters(&table)?;
        // Some compilers list only the declared ones; then the numbers do not fit and mean nothing.
        if listed.len() == names.len() {
            for (place, name) in names.iter_mut().zip(listed) {
                *place = if name == 0 {
                    None
                } else {
                    Some(pool.utf8(name)?)
                };
            }
        }
    }
    Ok(names)
}
