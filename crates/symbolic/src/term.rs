//! Terms: what is known of values, as a graph in which equal terms are one. Making a term simplifies it.

use std::collections::HashMap;
use std::sync::Arc;

use recrash_classfile::{opcode, text};
use recrash_program::{ClassId, Constant, ElementKind, FieldId, MemberRef, Program, Type, ValueId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(pub(crate) u32);

impl Term {
    /// The first that [`Terms::new`] makes.
    pub(crate) const NEVER: Term = Term(0);
    pub(crate) const ALWAYS: Term = Term(1);
    pub(crate) const NULL: Term = Term(2);

    pub(crate) fn truth(value: bool) -> Term {
        if value { Term::ALWAYS } else { Term::NEVER }
    }

    /// What the solver knows it by.
    pub(crate) fn name(self) -> String {
        format!("t{}", self.0)
    }
}

/// What a term is. The small integers of Java are told apart where a field or parameter says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A condition.
    Truth,
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Reference(ClassId),
    /// The characters of a string, not the object.
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Not,
    And,
    Or,
    /// condition, then, else
    If,
    Same,
    /// Of integers.
    Less,
    AtMost,
    /// An arithmetic instruction.
    Java(u8),
    IsA(ClassId),
    Field(FieldId, Kind),
    Element(ElementKind, Kind),
    Length,
    /// What a call gave. The number is 0 if it would give the same again.
    Result(u32, MemberRef, Kind),
    /// An object made on the way: an array's length is its argument.
    Fresh(u32, ClassId),
    /// A string made on the way, with these characters.
    Made,
    /// The characters of a string.
    Text,
    /// The characters in a builder, which change.
    Buffer,
    TextLength,
    CharAt,
    Concat,
    /// text, begin, end
    Part,
    /// text, part, from
    IndexOf,
    Prefix,
    Suffix,
    Contains,
    OfInt,
    OfChar,
    /// Decimal digits with an optional sign.
    IsNumber,
    ToNumber,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Truth(bool),
    Int(i32),
    Long(i64),
    /// By their bits, so that terms can be compared.
    Float(u32),
    Double(u64),
    Null,
    /// A string constant: the object, and its characters.
    Literal(Arc<str>),
    Characters(Arc<str>),
    ClassObject(ClassId),
    Local(u32, ValueId, Kind),
    /// Of the method at whose entry the walk is.
    Argument(u16, Kind),
    Static(FieldId, Kind),
    Unknown(u32, Kind),
    Apply(Function, Box<[Term]>),
}

/// All terms of one search.
pub(crate) struct Terms<'p> {
    pub(crate) program: &'p Program,
    nodes: Vec<Node>,
    known: HashMap<Node, Term>,
    /// By term: mentions something that a call made which was not looked into, and which could hold any object.
    opaque: Vec<bool>,
    unknowns: u32,
    pub(crate) string: ClassId,
    pub(crate) object: ClassId,
}

impl Kind {
    pub(crate) fn of_descriptor(program: &Program, descriptor: &[u8]) -> Kind {
        match descriptor.first() {
            Some(b'Z') => Kind::Boolean,
            Some(b'B') => Kind::Byte,
            Some(b'C') => Kind::Char,
            Some(b'S') => Kind::Short,
            _ => Kind::of_type(program, Type::of(program, descriptor)),
        }
    }

    pub(crate) fn of_type(program: &Program, ty: Type) -> Kind {
        match ty {
            Type::Long => Kind::Long,
            Type::Float => Kind::Float,
            Type::Double => Kind::Double,
            Type::Reference(class) => Kind::Reference(class),
            Type::Null => Kind::Reference(program.class_id(b"java/lang/Object")),
            _ => Kind::Int,
        }
    }

    /// Of what an arithmetic instruction gives.
    pub(crate) fn of_arithmetic(code: u8) -> Kind {
        const BY_FOUR: [Kind; 4] = [Kind::Int, Kind::Long, Kind::Float, Kind::Double];
        let of = |number: u8| BY_FOUR.get(usize::from(number)).copied();
        let kind = match code {
            opcode::IADD..=opcode::DNEG => of(code & 3),
            opcode::ISHL..=opcode::LXOR => of(code & 1),
            133 | 140 | 143 => Some(Kind::Long),
            134 | 137 | 144 => Some(Kind::Float),
            135 | 138 | 141 => Some(Kind::Double),
            145 => Some(Kind::Byte),
            146 => Some(Kind::Char),
            147 => Some(Kind::Short),
            _ => Some(Kind::Int),
        };
        kind.unwrap_or(Kind::Int)
    }

    pub(crate) fn is_reference(self) -> bool {
        matches!(self, Kind::Reference(_))
    }

    /// The smallest and largest value of an integer.
    pub(crate) fn range(self) -> Option<(i64, i64)> {
        Some(match self {
            Kind::Boolean => (0, 1),
            Kind::Byte => (-128, 127),
            Kind::Char => (0, 0xffff),
            Kind::Short => (-0x8000, 0x7fff),
            Kind::Int => (i32::MIN.into(), i32::MAX.into()),
            Kind::Long => (i64::MIN, i64::MAX),
            _ => return None,
        })
    }
}

impl<'p> Terms<'p> {
    pub(crate) fn new(program: &'p Program) -> Terms<'p> {
        let mut terms = Terms {
            program,
            nodes: Vec::new(),
            known: HashMap::new(),
            opaque: Vec::new(),
            unknowns: 0,
            string: program.class_id(b"java/lang/String"),
            object: program.class_id(b"java/lang/Object"),
        };
        terms.leaf(Node::Truth(false));
        terms.leaf(Node::Truth(true));
        terms.leaf(Node::Null);
        terms
    }

    pub(crate) fn leaf(&mut self, node: Node) -> Term {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let term = Term(self.nodes.len() as u32);
        let opaque = match &node {
            Node::Unknown(..) | Node::Apply(Function::Result(..), _) => true,
            Node::Apply(_, arguments) => arguments.iter().any(|&term| self.is_opaque(term)),
            _ => false,
        };
        self.known.insert(node.clone(), term);
        self.nodes.push(node);
        self.opaque.push(opaque);
        term
    }

    pub(crate) fn node(&self, term: Term) -> &Node {
        self.nodes
            .get(term.0 as usize)
            .unwrap_or(&Node::Truth(false))
    }

    pub(crate) fn is_opaque(&self, term: Term) -> bool {
        self.opaque.get(term.0 as usize).copied().unwrap_or(true)
    }

    pub(crate) fn arguments(&self, term: Term) -> &[Term] {
        match self.node(term) {
            Node::Apply(_, arguments) => arguments,
            _ => &[],
        }
    }

    pub(crate) fn int(&mut self, value: i32) -> Term {
        self.leaf(Node::Int(value))
    }

    /// `None` for what is made at run time.
    pub(crate) fn constant(&mut self, constant: &Constant) -> Option<Term> {
        Some(match constant {
            Constant::Null => Term::NULL,
            Constant::Int(value) => self.int(*value),
            Constant::Long(value) => self.leaf(Node::Long(*value)),
            Constant::Float(value) => self.leaf(Node::Float(value.to_bits())),
            Constant::Double(value) => self.leaf(Node::Double(value.to_bits())),
            Constant::String(bytes) => self.leaf(Node::Literal(text(bytes).into())),
            Constant::Class(class) => self.leaf(Node::ClassObject(*class)),
            Constant::Method | Constant::Dynamic | Constant::ReturnAddress => return None,
        })
    }

    pub(crate) fn characters(&mut self, text: &str) -> Term {
        self.leaf(Node::Characters(text.into()))
    }

    pub(crate) fn unknown(&mut self, kind: Kind) -> Term {
        self.unknowns += 1;
        self.leaf(Node::Unknown(self.unknowns, kind))
    }

    /// A number that no other object or call of this search has.
    pub(crate) fn number(&mut self) -> u32 {
        self.unknowns += 1;
        self.unknowns
    }

    /// What a field, element or static holds before anybody writes to it.
    pub(crate) fn default_of(&mut self, kind: Kind) -> Term {
        match kind {
            Kind::Long => self.leaf(Node::Long(0)),
            Kind::Float => self.leaf(Node::Float(0)),
            Kind::Double => self.leaf(Node::Double(0)),
            Kind::Reference(_) => Term::NULL,
            Kind::Text => self.characters(""),
            Kind::Truth => Term::NEVER,
            _ => self.int(0),
        }
    }

    pub(crate) fn kind(&self, term: Term) -> Kind {
        match self.node(term) {
            Node::Truth(_) => Kind::Truth,
            Node::Int(_) => Kind::Int,
            Node::Long(_) => Kind::Long,
            Node::Float(_) => Kind::Float,
            Node::Double(_) => Kind::Double,
            Node::Null => Kind::Reference(self.object),
            Node::Literal(_) => Kind::Reference(self.string),
            Node::ClassObject(_) => Kind::Reference(self.program.class_id(b"java/lang/Class")),
            Node::Characters(_) => Kind::Text,
            Node::Local(_, _, kind)
            | Node::Argument(_, kind)
            | Node::Static(_, kind)
            | Node::Unknown(_, kind) => *kind,
            Node::Apply(function, arguments) => self.kind_of(*function, arguments),
        }
    }

    fn kind_of(&self, function: Function, arguments: &[Term]) -> Kind {
        match function {
            Function::If => arguments.get(1).map_or(Kind::Int, |&term| self.kind(term)),
            Function::Not
            | Function::And
            | Function::Or
            | Function::Same
            | Function::Less
            | Function::AtMost
            | Function::IsA(_)
            | Function::Prefix
            | Function::Suffix
            | Function::Contains
            | Function::IsNumber => Kind::Truth,
            Function::Java(opcode) => Kind::of_arithmetic(opcode),
            Function::Field(_, kind)
            | Function::Element(_, kind)
            | Function::Result(_, _, kind) => kind,
            Function::Fresh(_, class) => Kind::Reference(class),
            Function::Made => Kind::Reference(self.string),
            Function::Length | Function::TextLength | Function::IndexOf | Function::ToNumber => {
                Kind::Int
            }
            Function::CharAt => Kind::Char,
            Function::Text
            | Function::Buffer
            | Function::Concat
            | Function::Part
            | Function::OfInt
            | Function::OfChar => Kind::Text,
        }
    }

    /// Calls `visit` for the term and all below it, each once.
    pub(crate) fn each(&self, roots: &[Term], visit: &mut dyn FnMut(Term, &Node)) {
        let mut seen = std::collections::HashSet::new();
        let mut stack: Vec<Term> = roots.to_vec();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                visit(term, self.node(term));
                stack.extend(self.arguments(term));
            }
        }
    }
}
