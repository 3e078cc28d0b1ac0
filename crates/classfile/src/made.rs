//! Small classes made from nothing: straight-line methods, fields, no attributes but code.

use crate::{ConstantPool, Error, PoolAppender, access};

/// Version 49: straight-line code needs no stack maps, and every JVM takes it.
const HEAD: [u8; 8] = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49];

/// A method of a [`MadeClass`].
#[derive(Debug)]
pub struct MadeMethod<'a> {
    pub access: u16,
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
    pub code: Vec<u8>,
    pub max_stack: u16,
    pub max_locals: u16,
}

/// A public class; its pool is filled by whoever assembles the methods.
#[derive(Debug)]
pub struct MadeClass<'a> {
    pub name: &'a [u8],
    pub super_class: &'a [u8],
    pub interfaces: &'a [&'a [u8]],
    /// Public instance fields: name and descriptor.
    pub fields: Vec<(Vec<u8>, &'a [u8])>,
    pub methods: Vec<MadeMethod<'a>>,
}

impl MadeClass<'_> {
    /// The class file; `pool` continues [`empty_pool`].
    pub fn finish(&self, mut pool: PoolAppender<'_>) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        // `super` calls the way they are called today (JVMS 4.1).
        let flags = access::PUBLIC | 0x0020;
        put(&mut body, flags);
        put(&mut body, pool.class(self.name)?);
        put(&mut body, pool.class(self.super_class)?);
        put(&mut body, self.interfaces.len() as u16);
        for interface in self.interfaces {
            put(&mut body, pool.class(interface)?);
        }
        put(&mut body, self.fields.len() as u16);
        for (name, descriptor) in &self.fields {
            put(&mut body, access::PUBLIC);
            put(&mut body, pool.utf8(name)?);
            put(&mut body, pool.utf8(descriptor)?);
            put(&mut body, 0);
        }
        put(&mut body, self.methods.len() as u16);
        let attribute = pool.utf8(b"Code")?;
        for method in &self.methods {
            put(&mut body, method.access);
            put(&mut body, pool.utf8(method.name)?);
            put(&mut body, pool.utf8(method.descriptor)?);
            put(&mut body, 1);
            put(&mut body, attribute);
            // Stack, locals, code with its length, no handlers, no attributes.
            body.extend((method.code.len() as u32 + 12).to_be_bytes());
            put(&mut body, method.max_stack);
            put(&mut body, method.max_locals);
            body.extend((method.code.len() as u32).to_be_bytes());
            body.extend_from_slice(&method.code);
            put(&mut body, 0);
            put(&mut body, 0);
        }
        put(&mut body, 0);
        let mut file = HEAD.to_vec();
        put(&mut file, pool.count());
        file.extend_from_slice(pool.bytes());
        file.extend(body);
        Ok(file)
    }
}

/// A pool with nothing in it, to append to.
pub fn empty_pool() -> Result<ConstantPool<'static>, Error> {
    ConstantPool::from_bytes(&[0, 1])
}

fn put(out: &mut Vec<u8>, number: u16) {
    out.extend(number.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClassFile, opcode};

    #[test]
    fn a_made_class_reads_back() -> Result<(), Error> {
        let empty = empty_pool()?;
        let mut pool = PoolAppender::new(&empty);
        let field = pool.field(b"acme/Made", b"size", b"I")?;
        let [high, low] = field.to_be_bytes();
        let made = MadeClass {
            name: b"acme/Made",
            super_class: b"java/lang/Object",
            interfaces: &[b"acme/Sized"],
            fields: vec![(b"size".to_vec(), b"I")],
            methods: vec![MadeMethod {
                access: access::PUBLIC,
                name: b"size",
                descriptor: b"()I",
                code: vec![42, opcode::GETFIELD, high, low, opcode::IRETURN],
                max_stack: 1,
                max_locals: 1,
            }],
        };
        let bytes = made.finish(pool)?;
        let file = ClassFile::read(&bytes)?;
        assert_eq!(file.name, b"acme/Made");
        assert_eq!(file.interfaces.len(), 1);
        assert_eq!(
            file.fields.first().map(|field| field.name),
            Some(&b"size"[..])
        );
        let method = file.methods.first().ok_or(Error::TooManyConstants)?;
        let code = file.code(method)?.ok_or(Error::TooManyConstants)?;
        assert_eq!(code.max_stack, 1);
        Ok(())
    }
}
