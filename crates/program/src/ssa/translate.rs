//! One block of byte code to values: the operand stack is played through and is gone.

use recrash_classfile::{ClassFile, Constant as Loaded, Instruction, MethodType, opcode};

use super::dynamic::call_site;
use super::liveness::{Access, access};
use super::phis::element;
use super::{
    CallSite, Constant, ElementKind, End, InvokeKind, MemberRef, Op, Ssa, SsaBlock, Type, Value,
    ValueId,
};
use crate::cfg::{Block, BlockId};
use crate::program::Program;

/// Local variables and operand stack. A long or double is one value, in the first of its two variables.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) locals: Vec<Option<ValueId>>,
    pub(super) stack: Vec<ValueId>,
}

pub(super) struct Translator<'a> {
    program: &'a Program,
    file: &'a ClassFile<'a>,
    pub(super) ssa: Ssa,
    block: BlockId,
    pc: u16,
    state: State,
}

/// The stack is too short, a constant is of the wrong kind: no verifier accepts it.
struct Bad;

impl From<recrash_classfile::Error> for Bad {
    fn from(_: recrash_classfile::Error) -> Bad {
        Bad
    }
}

impl<'a> Translator<'a> {
    /// `blocks` have nothing in them yet.
    pub(super) fn new(
        program: &'a Program,
        file: &'a ClassFile<'a>,
        blocks: Vec<SsaBlock>,
    ) -> Translator<'a> {
        Translator {
            program,
            file,
            ssa: Ssa {
                values: Vec::new(),
                blocks,
            },
            block: BlockId(0),
            pc: 0,
            state: State {
                locals: Vec::new(),
                stack: Vec::new(),
            },
        }
    }

    pub(super) fn type_of(&self, value: ValueId) -> Type {
        self.ssa
            .value(value)
            .map_or(Type::Conflict, |value| value.ty)
    }

    fn add(&mut self, block: BlockId, pc: u16, op: Op, ty: Type) -> ValueId {
        let id = ValueId(self.ssa.values.len() as u32);
        self.ssa.values.push(Value { op, ty, block, pc });
        id
    }

    pub(super) fn emit_at(&mut self, block: BlockId, pc: u16, op: Op, ty: Type) -> ValueId {
        let id = self.add(block, pc, op, ty);
        if let Some(block) = self.ssa.blocks.get_mut(block.0 as usize) {
            block.instructions.push(id);
        }
        id
    }

    fn emit(&mut self, op: Op, ty: Type) -> ValueId {
        self.emit_at(self.block, self.pc, op, ty)
    }

    pub(super) fn phi(&mut self, block: BlockId, ty: Type) -> ValueId {
        let id = self.add(block, 0, Op::Phi(Vec::new()), ty);
        if let Some(block) = self.ssa.blocks.get_mut(block.0 as usize) {
            block.phis.push(id);
        }
        id
    }

    /// What a handler block finds on the stack: the nearest class above all it catches.
    pub(super) fn caught(&mut self, block: BlockId) -> ValueId {
        let throwable = self.program.class_id(b"java/lang/Throwable");
        let hierarchy = self.program.hierarchy();
        let class = self
            .ssa
            .blocks
            .iter()
            .flat_map(|from| &from.handlers)
            .filter(|(to, _)| *to == block)
            .map(|(_, class)| class.unwrap_or(throwable))
            .reduce(|one, other| hierarchy.common_superclass(one, other))
            .unwrap_or(throwable);
        self.emit_at(block, 0, Op::Caught, Type::Reference(class))
    }

    /// Translates a block from the state it starts with; gives the state it ends with, or the pc of nonsense.
    pub(super) fn block(
        &mut self,
        id: BlockId,
        block: &Block<'_>,
        state: State,
    ) -> Result<State, u16> {
        self.block = id;
        self.state = state;
        for instruction in &block.instructions {
            self.pc = instruction.pc as u16;
            self.instruction(instruction).map_err(|Bad| self.pc)?;
        }
        Ok(std::mem::replace(
            &mut self.state,
            State {
                locals: Vec::new(),
                stack: Vec::new(),
            },
        ))
    }

    fn pop(&mut self) -> Result<ValueId, Bad> {
        self.state.stack.pop().ok_or(Bad)
    }

    fn push(&mut self, op: Op, ty: Type) {
        let value = self.emit(op, ty);
        self.state.stack.push(value);
    }

    fn constant(&mut self, constant: Constant, ty: Type) {
        self.push(Op::Constant(constant), ty);
    }

    fn end(&mut self, end: End) {
        if let Some(block) = self.ssa.blocks.get_mut(self.block.0 as usize) {
            block.end = end;
        }
    }

    fn member(&self, index: u16) -> Result<(MemberRef, &'a [u8]), Bad> {
        let member = self.file.pool.member(index)?;
        let named = MemberRef {
            class: self.program.class_id(member.class),
            selector: self.program.selector_id(member.name, member.descriptor),
        };
        Ok((named, member.descriptor))
    }

    fn instruction(&mut self, instruction: &Instruction<'_>) -> Result<(), Bad> {
        match access(instruction) {
            Access::Read(local) => {
                let value = self.state.locals.get(usize::from(local)).copied().flatten();
                self.state.stack.push(value.ok_or(Bad)?);
                return Ok(());
            }
            Access::Write(local) => {
                let value = self.pop()?;
                return self.store(local, value);
            }
            Access::Both(local) => {
                let old = self.state.locals.get(usize::from(local)).copied().flatten();
                let left = old.ok_or(Bad)?;
                let step = Constant::Int(instruction.immediate());
                let right = Some(self.emit(Op::Constant(step), Type::Int));
                let opcode = opcode::IADD;
                let sum = Op::Arithmetic {
                    opcode,
                    left,
                    right,
                };
                let sum = self.emit(sum, Type::Int);
                return self.store(local, sum);
            }
            Access::None => {}
        }
        match instruction.opcode {
            opcode::NOP..=opcode::LDC2_W => self.load_constant(instruction),
            opcode::POP..=opcode::SWAP => self.shuffle(instruction.opcode),
            opcode::IADD..=opcode::LXOR | opcode::I2L..=opcode::DCMPG => {
                self.arithmetic(instruction.opcode)
            }
            opcode::IFEQ..=opcode::RETURN | opcode::ATHROW | opcode::IFNULL..=opcode::JSR_W => {
                self.leave(instruction)
            }
            opcode::GETSTATIC..=opcode::PUTFIELD => self.field(instruction),
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => self.invoke(instruction),
            _ => self.object(instruction),
        }
    }

    fn store(&mut self, local: u16, value: ValueId) -> Result<(), Bad> {
        let place = usize::from(local);
        *self.state.locals.get_mut(place).ok_or(Bad)? = Some(value);
        if self.type_of(value).is_wide()
            && let Some(second) = self.state.locals.get_mut(place + 1)
        {
            *second = None;
        }
        Ok(())
    }

    fn load_constant(&mut self, instruction: &Instruction<'_>) -> Result<(), Bad> {
        let from = |zero: u8| i32::from(instruction.opcode) - i32::from(zero);
        match instruction.opcode {
            opcode::NOP => {}
            opcode::ACONST_NULL => self.constant(Constant::Null, Type::Null),
            opcode::LCONST_0..=10 => {
                self.constant(Constant::Long(from(opcode::LCONST_0).into()), Type::Long);
            }
            opcode::FCONST_0..=13 => {
                let value = f32::from(instruction.opcode - opcode::FCONST_0);
                self.constant(Constant::Float(value), Type::Float);
            }
            opcode::DCONST_0..=15 => {
                let value = from(opcode::DCONST_0).into();
                self.constant(Constant::Double(value), Type::Double);
            }
            opcode::BIPUSH | opcode::SIPUSH => {
                self.constant(Constant::Int(instruction.immediate()), Type::Int);
            }
            opcode::LDC..=opcode::LDC2_W => {
                let index = if instruction.opcode == opcode::LDC {
                    u16::from(*instruction.bytes.get(1).ok_or(Bad)?)
                } else {
                    instruction.index()
                };
                let of = |name: &[u8]| Type::Reference(self.program.class_id(name));
                let (constant, ty) = match self.file.pool.constant(index)? {
                    Loaded::Integer(value) => (Constant::Int(value), Type::Int),
                    Loaded::Float(value) => (Constant::Float(value), Type::Float),
                    Loaded::Long(value) => (Constant::Long(value), Type::Long),
                    Loaded::Double(value) => (Constant::Double(value), Type::Double),
                    Loaded::String(value) => {
                        (Constant::String(value.into()), of(b"java/lang/String"))
                    }
                    Loaded::Class(name) => (
                        Constant::Class(self.program.class_id(name)),
                        of(b"java/lang/Class"),
                    ),
                    Loaded::MethodType(_) => (Constant::Method, of(b"java/lang/invoke/MethodType")),
                    Loaded::MethodHandle(_) => {
                        (Constant::Method, of(b"java/lang/invoke/MethodHandle"))
                    }
                    Loaded::Dynamic(dynamic) => (
                        Constant::Dynamic,
                        Type::of(self.program, dynamic.descriptor),
                    ),
                };
                self.constant(constant, ty);
            }
            // iconst_m1 to iconst_5
            _ => self.constant(Constant::Int(from(opcode::ICONST_0)), Type::Int),
        }
        Ok(())
    }

    /// `pop`, `dup` and their relatives (JVMS 6.5): how many slots are copied, and below how many they go.
    fn shuffle(&mut self, code: u8) -> Result<(), Bad> {
        let (copied, below) = match code {
            opcode::POP => return self.take(1).map(|_| ()),
            opcode::POP2 => return self.take(2).map(|_| ()),
            opcode::SWAP => {
                let (top, under) = (self.pop()?, self.pop()?);
                self.state.stack.extend([top, under]);
                return Ok(());
            }
            opcode::DUP => (1, 0),
            opcode::DUP_X1 => (1, 1),
            opcode::DUP_X2 => (1, 2),
            opcode::DUP2 => (2, 0),
            opcode::DUP2_X1 => (2, 1),
            _ => (2, 2),
        };
        let top = self.take(copied)?;
        let under = self.take(below)?;
        self.state
            .stack
            .extend(top.iter().chain(&under).chain(&top));
        Ok(())
    }

    /// The topmost values that fill so many slots, lowest first.
    fn take(&mut self, slots: usize) -> Result<Vec<ValueId>, Bad> {
        let mut taken = Vec::new();
        let mut filled = 0;
        while filled < slots {
            let value = self.pop()?;
            filled += if self.type_of(value).is_wide() { 2 } else { 1 };
            taken.push(value);
        }
        taken.reverse();
        if filled == slots { Ok(taken) } else { Err(Bad) }
    }

    fn arithmetic(&mut self, code: u8) -> Result<(), Bad> {
        const BY_FOUR: [Type; 4] = [Type::Int, Type::Long, Type::Float, Type::Double];
        // i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f, then to byte, char, short
        const CONVERTED: [Type; 12] = [
            Type::Long,
            Type::Float,
            Type::Double,
            Type::Int,
            Type::Float,
            Type::Double,
            Type::Int,
            Type::Long,
            Type::Double,
            Type::Int,
            Type::Long,
            Type::Float,
        ];
        let (operands, ty) = match code {
            opcode::IADD..=opcode::DREM => (2, BY_FOUR.get(usize::from(code & 3))),
            opcode::INEG..=opcode::DNEG => (1, BY_FOUR.get(usize::from(code & 3))),
            opcode::ISHL..=opcode::LXOR => (2, BY_FOUR.get(usize::from(code & 1))),
            opcode::I2L..=opcode::I2S => (1, CONVERTED.get(usize::from(code - opcode::I2L))),
            _ => (2, None),
        };
        let right = if operands == 2 {
            Some(self.pop()?)
        } else {
            None
        };
        let left = self.pop()?;
        let op = Op::Arithmetic {
            opcode: code,
            left,
            right,
        };
        self.push(op, ty.copied().unwrap_or(Type::Int));
        Ok(())
    }

    fn leave(&mut self, instruction: &Instruction<'_>) -> Result<(), Bad> {
        let end = match instruction.opcode {
            opcode::GOTO | opcode::GOTO_W | opcode::RET => End::Jump,
            opcode::JSR | opcode::JSR_W => {
                self.constant(Constant::ReturnAddress, Type::ReturnAddress);
                End::Jump
            }
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => End::Switch {
                key: self.pop()?,
                keys: instruction.switch_keys(),
            },
            opcode::RETURN => End::Return(None),
            opcode::IRETURN..opcode::RETURN => End::Return(Some(self.pop()?)),
            opcode::ATHROW => End::Throw(self.pop()?),
            comparison => {
                let two = (opcode::IF_ICMPEQ..=opcode::IF_ACMPNE).contains(&comparison);
                let right = if two { Some(self.pop()?) } else { None };
                End::If {
                    opcode: comparison,
                    left: self.pop()?,
                    right,
                }
            }
        };
        self.end(end);
        Ok(())
    }

    fn field(&mut self, instruction: &Instruction<'_>) -> Result<(), Bad> {
        let (field, descriptor) = self.member(instruction.index())?;
        let ty = Type::of(self.program, descriptor);
        match instruction.opcode {
            opcode::GETSTATIC => self.push(Op::GetStatic { field }, ty),
            opcode::PUTSTATIC => {
                let value = self.pop()?;
                self.emit(Op::PutStatic { field, value }, Type::Void);
            }
            opcode::GETFIELD => {
                let object = self.pop()?;
                self.push(Op::GetField { field, object }, ty);
            }
            _ => {
                let value = self.pop()?;
                let object = self.pop()?;
                let op = Op::PutField {
                    field,
                    object,
                    value,
                };
                self.emit(op, Type::Void);
            }
        }
        Ok(())
    }

    fn invoke(&mut self, instruction: &Instruction<'_>) -> Result<(), Bad> {
        let index = instruction.index();
        let descriptor = self.file.pool.descriptor_of(index)?;
        let method_type = MethodType::read(descriptor)?;
        let is_static = matches!(
            instruction.opcode,
            opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
        );
        let count = method_type.parameters.len() + usize::from(!is_static);
        let start = self.state.stack.len().checked_sub(count).ok_or(Bad)?;
        let arguments = self.state.stack.split_off(start);
        let ty = Type::of(self.program, method_type.result.descriptor);
        let op = if instruction.opcode == opcode::INVOKEDYNAMIC {
            let site = call_site(self.program, self.file, index).unwrap_or(CallSite::Unknown);
            Op::InvokeDynamic { site, arguments }
        } else {
            let kind = match instruction.opcode {
                opcode::INVOKEVIRTUAL => InvokeKind::Virtual,
                opcode::INVOKESPECIAL => InvokeKind::Special,
                opcode::INVOKESTATIC => InvokeKind::Static,
                _ => InvokeKind::Interface,
            };
            Op::Invoke {
                kind,
                method: self.member(index)?.0,
                arguments,
            }
        };
        if ty == Type::Void {
            self.emit(op, ty);
        } else {
            self.push(op, ty);
        }
        Ok(())
    }

    /// Arrays, allocation, casts, monitors.
    fn object(&mut self, instruction: &Instruction<'_>) -> Result<(), Bad> {
        let class = |translator: &Self| -> Result<&'a [u8], Bad> {
            Ok(translator.file.pool.class_name(instruction.index())?)
        };
        match instruction.opcode {
            opcode::IALOAD..=opcode::SALOAD => {
                let index = self.pop()?;
                let array = self.pop()?;
                let kind = ElementKind::of(instruction.opcode - opcode::IALOAD);
                let ty = match kind {
                    ElementKind::Long => Type::Long,
                    ElementKind::Float => Type::Float,
                    ElementKind::Double => Type::Double,
                    ElementKind::Reference => element(self.program, self.type_of(array)),
                    _ => Type::Int,
                };
                self.push(Op::ArrayLoad { kind, array, index }, ty);
            }
            opcode::IASTORE..=opcode::SASTORE => {
                let value = self.pop()?;
                let index = self.pop()?;
                let array = self.pop()?;
                let op = Op::ArrayStore {
                    kind: ElementKind::of(instruction.opcode - opcode::IASTORE),
                    array,
                    index,
                    value,
                };
                self.emit(op, Type::Void);
            }
            opcode::NEW => {
                let class = self.program.class_id(class(self)?);
                self.push(Op::New(class), Type::Reference(class));
            }
            opcode::NEWARRAY => {
                let name: &[u8] = match instruction.bytes.get(1) {
                    Some(4) => b"[Z",
                    Some(5) => b"[C",
                    Some(6) => b"[F",
                    Some(7) => b"[D",
                    Some(8) => b"[B",
                    Some(9) => b"[S",
                    Some(10) => b"[I",
                    Some(11) => b"[J",
                    _ => return Err(Bad),
                };
                self.new_array(name, 1)?;
            }
            opcode::ANEWARRAY => {
                let element = class(self)?;
                let name = if element.first() == Some(&b'[') {
                    [b"[", element].concat()
                } else {
                    [b"[L", element, b";"].concat()
                };
                self.new_array(&name, 1)?;
            }
            opcode::MULTIANEWARRAY => {
                let dimensions = *instruction.bytes.get(3).ok_or(Bad)?;
                self.new_array(class(self)?, usize::from(dimensions))?;
            }
            opcode::ARRAYLENGTH => {
                let array = self.pop()?;
                self.push(Op::ArrayLength(array), Type::Int);
            }
            opcode::CHECKCAST => {
                let class = self.program.class_id(class(self)?);
                let value = self.pop()?;
                self.push(Op::Cast { class, value }, Type::Reference(class));
            }
            opcode::INSTANCEOF => {
                let class = self.program.class_id(class(self)?);
                let value = self.pop()?;
                self.push(Op::InstanceOf { class, value }, Type::Int);
            }
            opcode::MONITORENTER | opcode::MONITOREXIT => {
                let value = self.pop()?;
                let enter = instruction.opcode == opcode::MONITORENTER;
                self.emit(Op::Monitor { value, enter }, Type::Void);
            }
            _ => return Err(Bad),
        }
        Ok(())
    }

    fn new_array(&mut self, name: &[u8], dimensions: usize) -> Result<(), Bad> {
        let class = self.program.class_id(name);
        let start = self.state.stack.len().checked_sub(dimensions).ok_or(Bad)?;
        let lengths = self.state.stack.split_off(start);
        self.push(Op::NewArray { class, lengths }, Type::Reference(class));
        Ok(())
    }
}
