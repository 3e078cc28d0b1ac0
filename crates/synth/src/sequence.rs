//! Straight-line programs: what is searched for, run in the JVM and written as a test in the end.

use std::sync::Arc;

use crate::stand_in::StandIn;
use crate::world::{Callable, Constant, Settable};

/// The value that the statement of this number makes.
pub(crate) type Var = u16;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    Literal(Literal),
    /// A constructor, a static method, or a method of `receiver`.
    Call {
        callable: Arc<Callable>,
        receiver: Option<Var>,
        arguments: Vec<Var>,
    },
    /// A static field or enum constant.
    Constant(Arc<Constant>),
    Array {
        /// Descriptor of the elements.
        component: Arc<str>,
        elements: Vec<Var>,
    },
    /// An object of a class made for it.
    StandIn {
        class: Arc<StandIn>,
        /// Open methods that give back something, by number; the others give back null or zero.
        answered: Vec<u8>,
        /// First what the constructor takes, then what the answered methods give back.
        operands: Vec<Var>,
    },
    /// Puts a value into a field that no call sets.
    Set {
        field: Arc<Settable>,
        /// Static fields have none.
        object: Option<Var>,
        value: Var,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    /// A null of this type.
    Null(Arc<str>),
    /// boolean, byte, char, short, int, by descriptor.
    Int(char, i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Arc<str>),
    /// `X.class`, by descriptor.
    Class(Arc<str>),
}

impl Literal {
    /// Zero or null of this type.
    pub(crate) fn zero(ty: &Arc<str>) -> Literal {
        match &**ty {
            "Z" | "B" | "C" | "S" | "I" => Literal::Int(ty.chars().next().unwrap_or('I'), 0),
            "J" => Literal::Long(0),
            "F" => Literal::Float(0.0),
            "D" => Literal::Double(0.0),
            _ => Literal::Null(Arc::clone(ty)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Sequence {
    pub(crate) statements: Vec<Statement>,
}

impl Statement {
    /// Descriptor of the value; `V` for none.
    pub(crate) fn ty(&self) -> Arc<str> {
        match self {
            Statement::Literal(Literal::Null(ty)) => Arc::clone(ty),
            Statement::Literal(Literal::Int(kind, _)) => kind.to_string().into(),
            Statement::Literal(Literal::Long(_)) => "J".into(),
            Statement::Literal(Literal::Float(_)) => "F".into(),
            Statement::Literal(Literal::Double(_)) => "D".into(),
            Statement::Literal(Literal::String(_)) => "Ljava/lang/String;".into(),
            Statement::Literal(Literal::Class(_)) => "Ljava/lang/Class;".into(),
            Statement::Call { callable, .. } => Arc::clone(&callable.result),
            Statement::Constant(constant) => Arc::clone(&constant.ty),
            Statement::Array { component, .. } => format!("[{component}").into(),
            Statement::StandIn { class, .. } => Arc::clone(&class.base),
            Statement::Set { .. } => "V".into(),
        }
    }

    pub(crate) fn operands(&self) -> impl Iterator<Item = Var> {
        let (first, rest): (Option<Var>, &[Var]) = match self {
            Statement::Literal(_) | Statement::Constant(_) => (None, &[]),
            Statement::Call {
                receiver,
                arguments,
                ..
            } => (*receiver, arguments),
            Statement::Array { elements, .. } => (None, elements),
            Statement::StandIn { operands, .. } => (None, operands),
            Statement::Set { object, value, .. } => (*object, std::slice::from_ref(value)),
        };
        first.into_iter().chain(rest.iter().copied())
    }

    pub(crate) fn operands_mut(&mut self) -> impl Iterator<Item = &mut Var> {
        let (first, rest): (Option<&mut Var>, &mut [Var]) = match self {
            Statement::Literal(_) | Statement::Constant(_) => (None, &mut []),
            Statement::Call {
                receiver,
                arguments,
                ..
            } => (receiver.as_mut(), arguments),
            Statement::Array { elements, .. } => (None, elements),
            Statement::StandIn { operands, .. } => (None, operands),
            Statement::Set { object, value, .. } => (object.as_mut(), std::slice::from_mut(value)),
        };
        first.into_iter().chain(rest.iter_mut())
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Statement::Literal(Literal::Null(_)))
    }

    /// Whether it does something, rather than only makes a value.
    fn acts(&self) -> bool {
        matches!(self, Statement::Call { .. } | Statement::Set { .. })
    }

    /// Whether source can write it by reflection only.
    pub(crate) fn reflects(&self) -> bool {
        match self {
            Statement::Call { callable, .. } => callable.hidden,
            Statement::Set { field, .. } => field.hidden,
            _ => false,
        }
    }
}

impl Sequence {
    pub(crate) fn push(&mut self, statement: Statement) -> Var {
        self.statements.push(statement);
        (self.statements.len() - 1) as Var
    }

    pub(crate) fn get(&self, var: Var) -> Option<&Statement> {
        self.statements.get(usize::from(var))
    }

    /// Puts `other` in front of statement `at`; whoever was there or behind moves. Gives how far they moved. Variables of
    /// `other` below `at` mean the statements that stay.
    pub(crate) fn insert(&mut self, at: usize, other: Vec<Statement>) -> usize {
        let by = other.len();
        for statement in self.statements.iter_mut().skip(at) {
            for operand in statement.operands_mut() {
                if usize::from(*operand) >= at {
                    *operand += by as Var;
                }
            }
        }
        self.statements.splice(at..at, other);
        by
    }

    /// Without statements whose values nobody uses and which only make values: literals, constants, arrays, stand-ins.
    pub(crate) fn swept(&self) -> Sequence {
        self.needed_by(|_, statement| statement.acts())
    }

    /// What statement `at` needs, and it.
    pub(crate) fn up_to(&self, at: usize) -> Sequence {
        self.needed_by(|number, _| number == at)
    }

    /// The statements that are wanted, and all that they use.
    fn needed_by(&self, wanted: impl Fn(usize, &Statement) -> bool) -> Sequence {
        let mut needed = vec![false; self.statements.len()];
        for (at, statement) in self.statements.iter().enumerate().rev() {
            let here = needed.get(at) == Some(&true) || wanted(at, statement);
            if let Some(slot) = needed.get_mut(at) {
                *slot = here;
            }
            for operand in statement.operands().filter(|_| here) {
                if let Some(slot) = needed.get_mut(usize::from(operand)) {
                    *slot = true;
                }
            }
        }
        // Operands come before those who use them, so nothing is missing.
        self.keep(&needed).unwrap_or_default()
    }

    /// Puts all of `other` behind; gives the value of its last statement.
    pub(crate) fn append(&mut self, other: &Sequence) -> Option<Var> {
        let by = self.statements.len() as Var;
        for statement in &other.statements {
            let mut statement = statement.clone();
            for operand in statement.operands_mut() {
                *operand += by;
            }
            self.statements.push(statement);
        }
        (self.statements.len() as Var).checked_sub(1)
    }

    /// Only the statements marked; `None` if one of them needs another that is not.
    pub(crate) fn keep(&self, marked: &[bool]) -> Option<Sequence> {
        let mut numbers: Vec<Option<Var>> = Vec::with_capacity(self.statements.len());
        let mut kept = Sequence::default();
        for (statement, keep) in self.statements.iter().zip(marked) {
            if !keep {
                numbers.push(None);
                continue;
            }
            let mut statement = statement.clone();
            for operand in statement.operands_mut() {
                *operand = numbers.get(usize::from(*operand)).copied().flatten()?;
            }
            numbers.push(Some(kept.push(statement)));
        }
        Some(kept)
    }

    /// Without what comes after the first `count` statements.
    pub(crate) fn first(&self, count: usize) -> Sequence {
        Sequence {
            statements: self.statements.iter().take(count).cloned().collect(),
        }
    }

    /// How often each value is used.
    pub(crate) fn uses(&self) -> Vec<usize> {
        let mut counts = vec![0; self.statements.len()];
        for operand in self.statements.iter().flat_map(Statement::operands) {
            if let Some(count) = counts.get_mut(usize::from(operand)) {
                *count += 1;
            }
        }
        counts
    }

    /// How many calls it has: what a reader counts.
    pub(crate) fn calls(&self) -> usize {
        let acts = |statement: &&Statement| statement.acts();
        self.statements.iter().filter(acts).count()
    }
}
