//! Which annotations a class, its members and its parameters bear (JVMS 4.7.16 to 4.7.19): the types only, not what they say.

use crate::bytes::Bytes;
use crate::{Attribute, Attributes, ClassFile, ConstantPool, Error};

/// Deeper nests of annotations within annotations are nobody's.
const DEEPEST: usize = 16;

const VISIBLE: [&[u8]; 2] = [b"RuntimeVisibleAnnotations", b"RuntimeInvisibleAnnotations"];
const OF_PARAMETERS: [&[u8]; 2] = [
    b"RuntimeVisibleParameterAnnotations",
    b"RuntimeInvisibleParameterAnnotations",
];

/// The name of a record's component, and the descriptors of its annotations' types.
pub type Component<'a> = (&'a [u8], Vec<&'a [u8]>);

impl<'a> ClassFile<'a> {
    /// The descriptors of the annotations' types, `Lcom/acme/Pii;`, whatever their retention is in the class file.
    pub fn annotations(&self, attributes: &Attributes<'a>) -> Result<Vec<&'a [u8]>, Error> {
        let mut types = Vec::new();
        for attribute in attributes.iter(&self.pool) {
            let attribute = attribute?;
            if VISIBLE.contains(&attribute.name) {
                list(&mut start(&attribute), &self.pool, &mut types)?;
            }
        }
        Ok(types)
    }

    /// The same of a method's parameters. A compiler may leave out those that it added itself, which are the first ones.
    pub fn parameter_annotations(
        &self,
        attributes: &Attributes<'a>,
    ) -> Result<Vec<Vec<&'a [u8]>>, Error> {
        let mut parameters: Vec<Vec<&'a [u8]>> = Vec::new();
        for attribute in attributes.iter(&self.pool) {
            let attribute = attribute?;
            if !OF_PARAMETERS.contains(&attribute.name) {
                continue;
            }
            let mut bytes = start(&attribute);
            for index in 0..usize::from(bytes.u1()?) {
                let mut types = Vec::new();
                list(&mut bytes, &self.pool, &mut types)?;
                match parameters.get_mut(index) {
                    Some(known) => known.extend(types),
                    None => parameters.push(types),
                }
            }
        }
        Ok(parameters)
    }

    /// The components of a record with their annotations; none for other classes.
    pub fn record_annotations(&self) -> Result<Vec<Component<'a>>, Error> {
        let Some(record) = self.attributes.find(&self.pool, b"Record")? else {
            return Ok(Vec::new());
        };
        let mut bytes = start(&record);
        let mut components = Vec::new();
        for _ in 0..bytes.u2()? {
            let name = self.pool.utf8(bytes.u2()?)?;
            bytes.u2()?;
            let attributes = Attributes::read(&mut bytes)?;
            components.push((name, self.annotations(&attributes)?));
        }
        Ok(components)
    }
}

fn start<'a>(attribute: &Attribute<'a>) -> Bytes<'a> {
    Bytes::new(attribute.info, attribute.offset)
}

fn list<'a>(
    bytes: &mut Bytes<'a>,
    pool: &ConstantPool<'a>,
    types: &mut Vec<&'a [u8]>,
) -> Result<(), Error> {
    for _ in 0..bytes.u2()? {
        types.push(pool.utf8(bytes.u2()?)?);
        skip_pairs(bytes, 0)?;
    }
    Ok(())
}

fn skip_pairs(bytes: &mut Bytes<'_>, depth: usize) -> Result<(), Error> {
    for _ in 0..bytes.u2()? {
        bytes.u2()?;
        skip_value(bytes, depth)?;
    }
    Ok(())
}

/// Steps over an `element_value` (JVMS 4.7.16.1).
fn skip_value(bytes: &mut Bytes<'_>, depth: usize) -> Result<(), Error> {
    if depth > DEEPEST {
        return Err(Error::Truncated {
            offset: bytes.offset(),
        });
    }
    match bytes.u1()? {
        b'e' => {
            bytes.u4()?;
        }
        b'@' => {
            bytes.u2()?;
            skip_pairs(bytes, depth + 1)?;
        }
        b'[' => {
            for _ in 0..bytes.u2()? {
                skip_value(bytes, depth + 1)?;
            }
        }
        _ => {
            bytes.u2()?;
        }
    }
    Ok(())
}
