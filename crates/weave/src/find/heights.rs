//! How calls and field accesses change the height of the operand stack.

use recrash_classfile::{ConstantPool, Error, Type, slots_of, text};

/// How many slots the arguments and the result of each call, or a field, take: descriptors are read once per class.
#[derive(Debug, Default)]
pub(crate) struct Heights {
    /// By constant pool index: arguments and result, and whether they are known.
    known: Vec<(u16, u8, bool)>,
}

impl Heights {
    pub(crate) fn of(
        &mut self,
        index: u16,
        pool: &ConstantPool<'_>,
    ) -> Result<(usize, usize), Error> {
        if self.known.is_empty() {
            self.known.resize(usize::from(pool.count()), (0, 0, false));
        }
        if let Some(&(arguments, result, true)) = self.known.get(usize::from(index)) {
            return Ok((usize::from(arguments), usize::from(result)));
        }
        let descriptor = pool.descriptor_of(index)?;
        let bad = || Error::BadDescriptor {
            descriptor: text(descriptor),
        };
        let (arguments, result) = match descriptor.first() {
            Some(b'(') => slots_of(descriptor).ok_or_else(bad)?,
            _ => (0, Type { descriptor }.kind().slots()),
        };
        if let Some(known) = self.known.get_mut(usize::from(index)) {
            *known = (arguments, result as u8, true);
        }
        Ok((usize::from(arguments), usize::from(result)))
    }
}
