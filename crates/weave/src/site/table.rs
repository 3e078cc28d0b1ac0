//! The sites of one class, packed: a process may have a hundred thousand of them and look at a dozen.

use recrash_classfile::{MemberRef, MethodType, dotted, text};

use crate::site::packed::{Pack, Unpacker};
use crate::site::{FieldName, Owner, Parameter, Past, Place, SavedField, Site};

/// Sites in the order of their ids, which count up from the first one. Each is decoded when asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteTable {
    /// Internal name.
    class: Box<[u8]>,
    first: u32,
    /// Where each site starts in `packed`.
    starts: Vec<u32>,
    packed: Vec<u8>,
    /// Fields whose writes are kept; they are numbered like the sites, from the first one on.
    fields: Vec<Box<[u8]>>,
}

/// Stands for a value that is in no local variable; no method has as many as that.
pub(crate) const NO_SLOT: u16 = u16::MAX;

/// Stands for the receiver in place of an argument.
pub(crate) const RECEIVER: u16 = u16::MAX;

impl SiteTable {
    pub(crate) fn new(class: &[u8], first: u32) -> Self {
        SiteTable {
            class: class.into(),
            first,
            starts: Vec::with_capacity(16),
            packed: Vec::with_capacity(1024),
            fields: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Binary name with dots.
    pub fn class(&self) -> String {
        dotted(&self.class)
    }

    /// Whether these are the sites of the class with this binary name (dots).
    pub fn is_of(&self, class: &str) -> bool {
        let dotted = |byte: &u8| if *byte == b'/' { b'.' } else { *byte };
        self.class.len() == class.len() && self.class.iter().map(dotted).eq(class.bytes())
    }

    /// The id of the first site.
    pub fn first_id(&self) -> u32 {
        self.first
    }

    /// How many numbers the sites and the fields take, which share them.
    pub fn numbers(&self) -> usize {
        self.starts.len().max(self.fields.len())
    }

    /// The field of that number, as the code names it.
    pub fn field(&self, number: u32) -> Option<FieldName> {
        let packed = self.fields.get(number.checked_sub(self.first)? as usize)?;
        field_name(&mut Unpacker { rest: packed })
    }

    /// All fields whose writes are kept.
    pub fn fields(&self) -> impl Iterator<Item = FieldName> + '_ {
        let fields = self.fields.iter();
        fields.filter_map(|packed| field_name(&mut Unpacker { rest: packed }))
    }

    /// The number of a field, given once for each.
    pub(crate) fn add_field(&mut self, field: &MemberRef<'_>) -> u32 {
        let mut packed = Vec::new();
        packed.pack_field(field);
        let known = self.fields.iter().position(|known| **known == *packed);
        let number = known.unwrap_or_else(|| {
            self.fields.push(packed.into());
            self.fields.len() - 1
        });
        self.first.wrapping_add(number as u32)
    }

    pub fn get(&self, id: u32) -> Option<Site> {
        let start = *self.starts.get(id.checked_sub(self.first)? as usize)?;
        let mut packed = Unpacker {
            rest: self.packed.get(start as usize..)?,
        };
        let (access, place) = (packed.number()?, place(&mut packed)?);
        let (method, descriptor) = (packed.text()?, packed.bytes()?);
        let mut parameters = Vec::new();
        for parameter in MethodType::read(descriptor).ok()?.parameters {
            parameters.push(Parameter {
                name: Some(packed.text()?).filter(|name| !name.is_empty()),
                descriptor: text(parameter.descriptor),
            });
        }
        let saved = saved_fields(&mut packed)?;
        let mut cursors = Vec::new();
        for _ in 0..packed.number()? {
            cursors.push(owner(&mut packed)?);
        }
        let holders = packed.number()?;
        let far = saved_fields(&mut packed)?;
        let past = match packed.number()? {
            0 => Past::None,
            1 => Past::Copy,
            _ => Past::Journal,
        };
        let mut reads = Vec::new();
        for _ in 0..packed.number()? {
            reads.push(field_name(&mut packed)?);
        }
        let mut slots = Vec::new();
        for _ in 0..packed.number()? {
            slots.push(Some(packed.number()?).filter(|&slot| slot != NO_SLOT));
        }
        let descriptor = text(descriptor);
        Some(Site {
            id,
            class: dotted(&self.class),
            method,
            descriptor,
            access,
            place,
            parameters,
            saved,
            cursors,
            holders,
            far,
            past,
            slots,
            reads,
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = Site> + '_ {
        (0..self.starts.len() as u32).filter_map(|number| self.get(self.first.wrapping_add(number)))
    }

    /// Everything but the name of the class, see [`SiteTable::from_bytes`].
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + 4 * self.starts.len() + self.packed.len());
        let head = [self.first, self.starts.len() as u32];
        for number in head.iter().chain(&self.starts) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.packed);
        bytes
    }

    /// `None` for bytes that are no table.
    pub(crate) fn from_bytes(class: &[u8], bytes: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker { rest: bytes };
        let first = unpacker.long_number()?;
        let length = unpacker.long_number()? as usize;
        if length > unpacker.rest.len() / 4 {
            return None;
        }
        let starts = (0..length)
            .map(|_| unpacker.long_number())
            .collect::<Option<Vec<_>>>()?;
        Some(SiteTable {
            class: class.into(),
            first,
            starts,
            packed: unpacker.rest.to_vec(),
            fields: Vec::new(),
        })
    }

    /// Gives back the memory that was reserved and not used.
    pub(crate) fn shrink(&mut self) {
        self.starts.shrink_to_fit();
        self.packed.shrink_to_fit();
    }

    /// Forgets the sites from `length` on, those of a method that turned out unpatchable.
    pub(crate) fn truncate(&mut self, length: usize) {
        if let Some(&end) = self.starts.get(length) {
            self.packed.truncate(end as usize);
        }
        self.starts.truncate(length);
    }

    /// The id of a new site, and where it is packed.
    pub(crate) fn begin_site(&mut self) -> (u32, &mut Vec<u8>) {
        let id = self.first.wrapping_add(self.starts.len() as u32);
        self.starts.push(self.packed.len() as u32);
        (id, &mut self.packed)
    }
}

fn saved_fields(packed: &mut Unpacker<'_>) -> Option<Vec<SavedField>> {
    (0..packed.number()?)
        .map(|_| {
            Some(SavedField {
                owner: owner(packed)?,
                field: field_name(packed)?,
            })
        })
        .collect()
}

fn owner(packed: &mut Unpacker<'_>) -> Option<Owner> {
    Some(match (packed.number()?, packed.number()?) {
        (0, RECEIVER) => Owner::Receiver,
        (0, argument) => Owner::Argument(argument),
        (_, place) => Owner::Kept(place),
    })
}

fn field_name(packed: &mut Unpacker<'_>) -> Option<FieldName> {
    Some(FieldName {
        class: dotted(packed.bytes()?),
        field: packed.text()?,
        descriptor: packed.text()?,
    })
}

fn place(packed: &mut Unpacker<'_>) -> Option<Place> {
    let places = [Place::Body, Place::BeforeSuper, Place::InsideSuper];
    let &code = packed.take(1)?.first()?;
    places.into_iter().find(|place| *place as u8 == code)
}
