//! The constants that name `java.lang.$Recrash` and its friends, added to a class's pool when first needed.

use recrash_classfile::{Assembler, Error, Kind, PoolAppender, opcode};

use crate::constants::remember;

const RECRASH: &[u8] = b"java/lang/$Recrash";
const FRAMES: &[u8] = b"java/lang/$RecrashFrames";
const LOOK: &[u8] = b"java/lang/$RecrashLook";
const COPY: &[u8] = b"java/lang/$RecrashCopy";
const JOURNAL: &[u8] = b"java/lang/$RecrashJournal";
const CURSOR: &[u8] = b"java/lang/$RecrashCursor";
const FAR: &[u8] = b"java/lang/$RecrashDistantReads";
const CONSUMED: &[u8] = b"java/lang/$RecrashConsumed";

/// By the number that a [`Call`] knows its class by.
const CLASSES: [&[u8]; 8] = [RECRASH, FRAMES, LOOK, COPY, JOURNAL, CURSOR, FAR, CONSUMED];

/// A method of the runtime that woven code calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// With so many values at once.
    Enter {
        references: u8,
        ints: u8,
    },
    Inside,
    Arrive,
    Arriving,
    Arrived,
    BeginCopy,
    AddToCopy,
    EndCopy,
    Put(Kind),
    Journal(JournalCall),
    Cursor(Cursor),
    /// By the first character of the field's descriptor.
    Far(u8),
    Consumed,
}

/// What kind of cursor something is by its declared type: the runtime looks for the classes that it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    Stream,
    Reader,
    Iterator,
    Buffer,
    Position,
    Tokens,
    Characters,
}

impl Cursor {
    pub(crate) fn of(descriptor: &[u8]) -> Option<Cursor> {
        Some(match descriptor {
            b"Ljava/io/InputStream;" | b"Ljava/io/ByteArrayInputStream;" => Cursor::Stream,
            b"Ljava/io/Reader;" | b"Ljava/io/StringReader;" | b"Ljava/io/CharArrayReader;" => {
                Cursor::Reader
            }
            b"Ljava/util/Iterator;" | b"Ljava/util/ListIterator;" => Cursor::Iterator,
            b"Ljava/nio/Buffer;" | b"Ljava/nio/ByteBuffer;" | b"Ljava/nio/CharBuffer;" => {
                Cursor::Buffer
            }
            b"Ljava/text/ParsePosition;" => Cursor::Position,
            b"Ljava/util/StringTokenizer;" => Cursor::Tokens,
            b"Ljava/text/CharacterIterator;" => Cursor::Characters,
            _ => return None,
        })
    }

    /// The method of `$RecrashCursor` that tells where it is.
    fn method(self) -> &'static [u8] {
        match self {
            Cursor::Stream => b"stream",
            Cursor::Reader => b"reader",
            Cursor::Iterator => b"iterator",
            Cursor::Buffer => b"buffer",
            Cursor::Position => b"position",
            Cursor::Tokens => b"tokens",
            Cursor::Characters => b"characters",
        }
    }
}

/// A method of `$RecrashJournal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JournalCall {
    /// How far the thread's journal is.
    Now,
    /// With the old value, of this kind.
    Put(Kind),
    /// By the first character of the field's descriptor.
    Field(u8),
    /// By the instruction that stores it.
    Element(u8),
    ArrayCopy,
    Whole,
}

impl JournalCall {
    fn name_and_descriptor(self) -> (&'static [u8], &'static [u8]) {
        const FIELD: &[u8] = b"(Ljava/lang/Object;I)V";
        match self {
            Self::Now => (b"now", b"()I"),
            Self::Put(kind) => (
                b"put",
                match kind {
                    Kind::Int => b"(Ljava/lang/Object;II)V",
                    Kind::Long => b"(Ljava/lang/Object;JI)V",
                    Kind::Float => b"(Ljava/lang/Object;FI)V",
                    Kind::Double => b"(Ljava/lang/Object;DI)V",
                    Kind::Reference => b"(Ljava/lang/Object;Ljava/lang/Object;I)V",
                },
            ),
            Self::Field(b'Z' | b'B') => (b"field8", FIELD),
            Self::Field(b'S' | b'C') => (b"field16", FIELD),
            Self::Field(b'I' | b'F') => (b"field32", FIELD),
            Self::Field(b'J' | b'D') => (b"field64", FIELD),
            Self::Field(_) => (b"field", FIELD),
            Self::Element(store) => (
                b"element",
                match store {
                    opcode::IASTORE => b"([II)V",
                    opcode::LASTORE => b"([JI)V",
                    opcode::FASTORE => b"([FI)V",
                    opcode::DASTORE => b"([DI)V",
                    opcode::AASTORE => b"([Ljava/lang/Object;I)V",
                    // Of bytes or booleans.
                    opcode::BASTORE => FIELD,
                    opcode::CASTORE => b"([CI)V",
                    _ => b"([SI)V",
                },
            ),
            Self::ArrayCopy => (b"arraycopy", b"(Ljava/lang/Object;ILjava/lang/Object;II)V"),
            Self::Whole => (b"whole", b"(Ljava/lang/Object;)V"),
        }
    }
}

/// Indexes of what was asked for so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runtime {
    calls: Vec<(Call, u16)>,
    classes: [Option<u16>; CLASSES.len()],
    enter: Option<u16>,
    put: Option<u16>,
    /// Integer constants that were added, and where.
    integers: Vec<(i32, u16)>,
}

impl Runtime {
    /// Whether a class was woven already; weaving twice would record every frame twice.
    pub(crate) fn is_used_by(pool: &PoolAppender<'_>) -> bool {
        pool.mentions_class(RECRASH) || pool.mentions_class(JOURNAL)
    }

    pub(crate) fn call(&mut self, call: Call, pool: &mut PoolAppender<'_>) -> Result<u16, Error> {
        if let Some((_, index)) = self.calls.iter().find(|(known, _)| *known == call) {
            return Ok(*index);
        }
        let enter;
        let (class, name, descriptor): (usize, &[u8], &[u8]) = match call {
            Call::Enter { references, ints } => {
                enter = enter_descriptor(references, ints);
                (0, b"enter", &enter)
            }
            Call::Inside => (1, b"inside", b"()V"),
            Call::Arrive => (2, b"arrive", b"(I)I"),
            Call::Arriving => (2, b"arriving", b"(I)Ljava/lang/$RecrashFrames;"),
            Call::Arrived => (2, b"arrived", b"()V"),
            Call::BeginCopy => (
                3,
                b"begin",
                b"(ILjava/lang/String;)Ljava/lang/$RecrashCopy;",
            ),
            Call::AddToCopy => (3, b"add", b"(Ljava/lang/Object;)V"),
            Call::EndCopy => (3, b"end", b"()Ljava/lang/$RecrashCopy;"),
            Call::Journal(call) => {
                let (name, descriptor) = call.name_and_descriptor();
                (4, name, descriptor)
            }
            Call::Cursor(cursor) => (5, cursor.method(), b"(Ljava/lang/Object;)J"),
            Call::Far(kind) => {
                let (name, descriptor) = far_name_and_descriptor(kind);
                (6, name, descriptor)
            }
            Call::Consumed => (
                7,
                b"keep",
                b"(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;",
            ),
            Call::Put(Kind::Int) => (1, b"put", b"(I)V"),
            Call::Put(Kind::Long) => (1, b"put", b"(J)V"),
            Call::Put(Kind::Float) => (1, b"put", b"(F)V"),
            Call::Put(Kind::Double) => (1, b"put", b"(D)V"),
            Call::Put(Kind::Reference) => (1, b"put", b"(Ljava/lang/Object;)V"),
        };
        let class = match self.classes.get_mut(class).zip(CLASSES.get(class)) {
            Some((known, class)) => remember(known, class, pool)?,
            None => 0,
        };
        // Names are asked for once, all but two of them.
        let known = match call {
            Call::Enter { .. } => &mut self.enter,
            Call::Put(_) => &mut self.put,
            _ => &mut None,
        };
        let name = match *known {
            Some(index) => index,
            None => *known.insert(pool.new_utf8(name)?),
        };
        let index = pool.new_method(class, name, descriptor)?;
        self.calls.push((call, index));
        Ok(index)
    }

    /// Pushes a number that is needed more than once.
    pub(crate) fn push_number(
        &mut self,
        number: u32,
        code: &mut Assembler,
        pool: &mut PoolAppender<'_>,
    ) -> Result<(), Error> {
        let number = number as i32;
        if i16::try_from(number).is_ok() {
            return code.push_int(number, pool);
        }
        let known = self.integers.iter().find(|(known, _)| *known == number);
        let index = if let Some((_, index)) = known {
            *index
        } else {
            let index = pool.new_integer(number)?;
            self.integers.push((number, index));
            index
        };
        code.op_index(opcode::LDC_W, index);
        Ok(())
    }
}

fn far_name_and_descriptor(kind: u8) -> (&'static [u8], &'static [u8]) {
    match kind {
        b'Z' => (b"getBoolean", b"(Ljava/lang/Object;I)Z"),
        b'B' => (b"getByte", b"(Ljava/lang/Object;I)B"),
        b'C' => (b"getChar", b"(Ljava/lang/Object;I)C"),
        b'S' => (b"getShort", b"(Ljava/lang/Object;I)S"),
        b'I' => (b"getInt", b"(Ljava/lang/Object;I)I"),
        b'J' => (b"getLong", b"(Ljava/lang/Object;I)J"),
        b'F' => (b"getFloat", b"(Ljava/lang/Object;I)F"),
        b'D' => (b"getDouble", b"(Ljava/lang/Object;I)D"),
        _ => (b"reference", b"(Ljava/lang/Object;I)Ljava/lang/Object;"),
    }
}

fn enter_descriptor(references: u8, ints: u8) -> Vec<u8> {
    let mut descriptor = b"(Ljava/lang/Throwable;I".to_vec();
    for _ in 0..references {
        descriptor.extend_from_slice(b"Ljava/lang/Object;");
    }
    descriptor.extend(std::iter::repeat_n(b'I', usize::from(ints)));
    descriptor.extend_from_slice(b")Ljava/lang/$RecrashFrames;");
    descriptor
}
