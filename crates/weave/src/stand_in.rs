//! Stand-ins: classes made from nothing, for what an interface or an abstract class leaves open. Their methods tell that they
//! were called and give back what a field of the object holds.

use recrash_classfile::{
    Assembler, Error, Kind, MadeClass, MadeMethod, MethodType, PoolAppender, access, empty_pool,
    opcode,
};

use crate::tell::Told;

/// What a stand-in is to be. Names are in internal form (slashes).
#[derive(Debug, Clone)]
pub struct Template<'a> {
    pub class: &'a [u8],
    pub super_class: &'a [u8],
    pub interfaces: &'a [&'a [u8]],
    /// Descriptor of the constructor of `super_class` that the stand-in's own hands everything on to.
    pub constructor: &'a [u8],
    pub open: Vec<OpenMethod<'a>>,
    /// Is called by each open method with its number.
    pub told: Told,
}

/// A method that the stand-in implements.
#[derive(Debug, Clone)]
pub struct OpenMethod<'a> {
    pub name: &'a [u8],
    pub descriptor: &'a [u8],
    pub access: u16,
    pub number: u16,
    /// The public field that holds what it gives back, if it gives back anything.
    pub answer: &'a [u8],
}

impl Template<'_> {
    /// The class file.
    pub fn class_file(&self) -> Result<Vec<u8>, Error> {
        let empty = empty_pool()?;
        let mut pool = PoolAppender::new(&empty);
        let mut methods = vec![forwarding(self.super_class, self.constructor, &mut pool)?];
        let mut fields = Vec::new();
        for open in &self.open {
            let types = MethodType::read(open.descriptor)?;
            let mut code = Assembler::new();
            self.told.call(open.number, &mut code, &mut pool)?;
            let result = types.result.descriptor;
            if result == b"V" {
                code.op(opcode::RETURN);
            } else {
                let answer = pool.field(self.class, open.answer, result)?;
                fields.push((open.answer.to_vec(), result));
                code.load(Kind::Reference, 0);
                code.op_index(opcode::GETFIELD, answer);
                code.op(returning(types.result.kind()));
            }
            methods.push(MadeMethod {
                access: open.access & (access::PUBLIC | access::PROTECTED),
                name: open.name,
                descriptor: open.descriptor,
                code: code.into_bytes(),
                max_stack: 2,
                max_locals: 1 + types.slots(),
            });
        }
        let made = MadeClass {
            name: self.class,
            super_class: self.super_class,
            interfaces: self.interfaces,
            fields,
            methods,
        };
        made.finish(pool)
    }
}

/// A constructor that hands everything on.
fn forwarding<'a>(
    super_class: &[u8],
    descriptor: &'a [u8],
    pool: &mut PoolAppender<'_>,
) -> Result<MadeMethod<'a>, Error> {
    let types = MethodType::read(descriptor)?;
    let mut code = Assembler::new();
    code.load(Kind::Reference, 0);
    let mut local = 1;
    for parameter in &types.parameters {
        code.load(parameter.kind(), local);
        local += parameter.kind().slots();
    }
    let target = pool.method(super_class, b"<init>", descriptor)?;
    code.op_index(opcode::INVOKESPECIAL, target);
    code.op(opcode::RETURN);
    Ok(MadeMethod {
        access: access::PUBLIC,
        name: b"<init>",
        descriptor,
        code: code.into_bytes(),
        max_stack: local,
        max_locals: local,
    })
}

fn returning(kind: Kind) -> u8 {
    opcode::IRETURN
        + match kind {
            Kind::Int => 0,
            Kind::Long => 1,
            Kind::Float => 2,
            Kind::Double => 3,
            Kind::Reference => 4,
        }
}
