//! One collection of the JDK, out of which members can be taken so that it stays consistent: an `ArrayList` with a null in
//! it, or a `HashMap` whose size is not the number of its nodes, is a state that no program ever had.

use recrash_heap::{Edits, Heap, Kind, ObjectId, Slot, Value};
use std::collections::{BTreeSet, HashSet};

use crate::known::Known;

/// A collection whose inside is understood.
#[derive(Debug)]
pub(crate) struct Collection {
    id: ObjectId,
    pub(crate) inside: Inside,
}

#[derive(Debug)]
pub(crate) enum Inside {
    /// The first elements of an array; the count is a field of the collection, or the length of the array.
    List {
        array: ObjectId,
        values: Vec<Value>,
        count: Option<Count>,
    },
    /// A table of chains of nodes.
    Chains {
        table: ObjectId,
        buckets: Vec<(u32, Vec<ObjectId>)>,
        next: u32,
        count: Count,
        order: Option<Line>,
    },
    Line(Line, Count),
    Tree {
        /// In order.
        nodes: Vec<ObjectId>,
        root: u32,
        left: u32,
        right: u32,
        parent: u32,
        color: u32,
        count: Count,
    },
}

/// Nodes in a row, linked both ways, with the fields of the collection that hold both ends.
#[derive(Debug)]
pub(crate) struct Line {
    nodes: Vec<ObjectId>,
    first: u32,
    last: u32,
    next: u32,
    previous: u32,
}

/// The field of the collection that counts its members.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    field: u32,
    wide: bool,
}

impl Collection {
    /// `None` for what is not as expected: another JDK, a tree inside a hash table.
    pub(crate) fn read(heap: &Heap, id: ObjectId, kind: Known) -> Option<Self> {
        let inside = Inside::read(heap, id, kind)?;
        Some(Collection { id, inside })
    }

    /// How many members it has.
    pub(crate) fn len(&self) -> usize {
        match &self.inside {
            Inside::List { values, .. } => values.len(),
            Inside::Chains { buckets, .. } => buckets.iter().map(|(_, nodes)| nodes.len()).sum(),
            Inside::Line(line, _) => line.nodes.len(),
            Inside::Tree { nodes, .. } => nodes.len(),
        }
    }

    /// The objects that make it up, beside its members.
    pub(crate) fn parts(&self) -> Vec<ObjectId> {
        match &self.inside {
            Inside::List { array, .. } => vec![*array],
            Inside::Chains { table, buckets, .. } => {
                let nodes = buckets.iter().flat_map(|(_, nodes)| nodes);
                nodes.chain([table]).copied().collect()
            }
            Inside::Line(line, _) => line.nodes.clone(),
            Inside::Tree { nodes, .. } => nodes.clone(),
        }
    }

    /// Takes the members at these positions out.
    pub(crate) fn without(&self, gone: &BTreeSet<usize>, edits: &mut Edits) {
        match &self.inside {
            Inside::List {
                array,
                values,
                count,
            } => {
                let kept = kept(values, gone);
                let moved = kept.iter().zip(values).enumerate();
                for (index, (value, _)) in moved.filter(|(_, (new, old))| new != old) {
                    let slot = Slot::Element {
                        array: *array,
                        index: index as u32,
                    };
                    edits.set(slot, *value);
                }
                edits.cut(*array, kept.len() as u32);
                if let Some(count) = count {
                    self.count(*count, kept.len(), edits);
                }
            }
            Inside::Chains {
                table,
                buckets,
                next,
                count,
                order,
            } => {
                let mut position = 0;
                let mut out = HashSet::new();
                for (index, nodes) in buckets {
                    let mut left: Vec<ObjectId> = Vec::new();
                    for node in nodes {
                        if gone.contains(&position) {
                            out.insert(*node);
                        } else {
                            left.push(*node);
                        }
                        position += 1;
                    }
                    if left.len() == nodes.len() {
                        continue;
                    }
                    let slot = Slot::Element {
                        array: *table,
                        index: *index,
                    };
                    edits.set(slot, reference(left.first()));
                    link(&left, *next, edits);
                }
                if let Some(line) = order {
                    let in_line = line.nodes.iter();
                    let left: Vec<ObjectId> = in_line
                        .filter(|node| !out.contains(node))
                        .copied()
                        .collect();
                    line.make(self.id, &left, edits);
                }
                self.count(*count, position - out.len(), edits);
            }
            Inside::Line(line, count) => {
                let left = kept(&line.nodes, gone);
                line.make(self.id, &left, edits);
                self.count(*count, left.len(), edits);
            }
            Inside::Tree {
                nodes, root, count, ..
            } => {
                let left = kept(nodes, gone);
                let top = self.plant(&left, None, 0, deepest(left.len()), edits);
                self.put(*root, reference(top.as_ref()), edits);
                self.count(*count, left.len(), edits);
            }
        }
    }

    fn put(&self, index: u32, value: Value, edits: &mut Edits) {
        let object = self.id;
        edits.set(Slot::Field { object, index }, value);
    }

    fn count(&self, count: Count, members: usize, edits: &mut Edits) {
        let value = if count.wide {
            Value::Long(members as i64)
        } else {
            Value::Int(members as i32)
        };
        self.put(count.field, value, edits);
    }

    /// A balanced red-black tree of nodes in order: all black but for the last, incomplete level.
    fn plant(
        &self,
        nodes: &[ObjectId],
        above: Option<ObjectId>,
        depth: u32,
        red: u32,
        edits: &mut Edits,
    ) -> Option<ObjectId> {
        let Inside::Tree {
            left,
            right,
            parent,
            color,
            ..
        } = &self.inside
        else {
            return None;
        };
        let middle = nodes.len() / 2;
        let node = *nodes.get(middle)?;
        let (smaller, larger) = nodes.split_at(middle);
        let below = |edits: &mut Edits, nodes: &[ObjectId]| {
            self.plant(nodes, Some(node), depth + 1, red, edits)
        };
        let smaller = below(edits, smaller);
        let larger = below(edits, larger.get(1..).unwrap_or_default());
        let black = depth == 0 || depth != red;
        for (index, value) in [
            (*left, reference(smaller.as_ref())),
            (*right, reference(larger.as_ref())),
            (*parent, reference(above.as_ref())),
            (*color, Value::Boolean(black)),
        ] {
            let object = node;
            edits.set(Slot::Field { object, index }, value);
        }
        Some(node)
    }
}

/// The level that is not full in a balanced tree of so many nodes, the root's being 0.
fn deepest(nodes: usize) -> u32 {
    (nodes + 1).checked_ilog2().unwrap_or(0)
}

impl Line {
    fn make(&self, owner: ObjectId, nodes: &[ObjectId], edits: &mut Edits) {
        for (index, value) in [
            (self.first, reference(nodes.first())),
            (self.last, reference(nodes.last())),
        ] {
            edits.set(
                Slot::Field {
                    object: owner,
                    index,
                },
                value,
            );
        }
        link(nodes, self.next, edits);
        let backwards: Vec<ObjectId> = nodes.iter().rev().copied().collect();
        link(&backwards, self.previous, edits);
    }
}

/// Lets each node's field refer to the node after it.
fn link(nodes: &[ObjectId], index: u32, edits: &mut Edits) {
    let after = nodes.iter().skip(1).map(Some).chain([None]);
    for (object, after) in nodes.iter().zip(after) {
        let object = *object;
        edits.set(Slot::Field { object, index }, reference(after));
    }
}

fn reference(id: Option<&ObjectId>) -> Value {
    id.map_or(Value::Null, |id| Value::Ref(*id))
}

fn kept<T: Copy>(items: &[T], gone: &BTreeSet<usize>) -> Vec<T> {
    let numbered = items.iter().enumerate();
    numbered
        .filter(|(position, _)| !gone.contains(position))
        .map(|(_, item)| *item)
        .collect()
}

impl Inside {
    fn read(heap: &Heap, id: ObjectId, kind: Known) -> Option<Self> {
        match kind {
            Known::List(array, count) => {
                let (_, Value::Ref(array)) = field_of(heap, id, array)? else {
                    return None;
                };
                let mut values = elements(heap, array)?;
                let count = match count {
                    None => None,
                    Some(count) => {
                        let (count, size) = Count::read(heap, id, count)?;
                        if size > values.len() {
                            return None;
                        }
                        values.truncate(size);
                        Some(count)
                    }
                };
                Some(Inside::List {
                    array,
                    values,
                    count,
                })
            }
            Known::HashMap => Self::chains(heap, id, "size", None),
            Known::LinkedHashMap => {
                let ends = ["head", "tail", "after", "before"];
                let line = Line::read(heap, id, ends)?;
                Self::chains(heap, id, "size", Some(line))
            }
            Known::Hashtable => Self::chains(heap, id, "count", None),
            Known::ConcurrentHashMap => Self::chains(heap, id, "baseCount", None),
            Known::LinkedList => {
                let line = Line::read(heap, id, ["first", "last", "next", "prev"])?;
                let (count, size) = Count::read(heap, id, "size")?;
                (size == line.nodes.len()).then_some(Inside::Line(line, count))
            }
            Known::TreeMap => Self::tree(heap, id),
            Known::Around(_) | Known::Value => None,
        }
    }

    fn chains(heap: &Heap, id: ObjectId, count: &str, order: Option<Line>) -> Option<Self> {
        let (_, Value::Ref(table)) = field_of(heap, id, "table")? else {
            return None;
        };
        let (count, size) = Count::read(heap, id, count)?;
        let mut next = None;
        let mut buckets = Vec::new();
        let mut nodes = 0;
        for (index, first) in elements(heap, table)?.into_iter().enumerate() {
            let mut chain = Vec::new();
            let mut at = first;
            while let Value::Ref(node) = at {
                let class = heap.class_name(node)?;
                nodes += 1;
                if class.ends_with("TreeNode") || class.ends_with("TreeBin") || nodes > size {
                    return None;
                }
                chain.push(node);
                let (field, after) = field_of(heap, node, "next")?;
                next = Some(field);
                at = after;
            }
            if !chain.is_empty() {
                buckets.push((index as u32, chain));
            }
        }
        (nodes == size && order.as_ref().is_none_or(|line| line.nodes.len() == nodes)).then_some(
            Inside::Chains {
                table,
                buckets,
                next: next?,
                count,
                order,
            },
        )
    }

    fn tree(heap: &Heap, id: ObjectId) -> Option<Self> {
        let (root, top) = field_of(heap, id, "root")?;
        let Value::Ref(some) = top else {
            return None;
        };
        let (count, size) = Count::read(heap, id, "size")?;
        let index = |name| field_of(heap, some, name).map(|(index, _)| index);
        let mut nodes = Vec::new();
        let mut above: Vec<ObjectId> = Vec::new();
        let mut at = top;
        loop {
            while let Value::Ref(node) = at {
                above.push(node);
                // A damaged tree may be a circle.
                if above.len() > size {
                    return None;
                }
                at = field_of(heap, node, "left")?.1;
            }
            let Some(node) = above.pop() else { break };
            nodes.push(node);
            if nodes.len() > size {
                return None;
            }
            at = field_of(heap, node, "right")?.1;
        }
        (nodes.len() == size).then_some(())?;
        Some(Inside::Tree {
            nodes,
            root,
            left: index("left")?,
            right: index("right")?,
            parent: index("parent")?,
            color: index("color")?,
            count,
        })
    }
}

impl Count {
    fn read(heap: &Heap, id: ObjectId, name: &str) -> Option<(Self, usize)> {
        let (field, value) = field_of(heap, id, name)?;
        let (wide, count) = match value {
            Value::Int(count) => (false, i64::from(count)),
            Value::Long(count) => (true, count),
            _ => return None,
        };
        Some((Count { field, wide }, usize::try_from(count).ok()?))
    }
}

impl Line {
    fn read(heap: &Heap, id: ObjectId, [first, last, next, previous]: [&str; 4]) -> Option<Self> {
        let (first, start) = field_of(heap, id, first)?;
        let (last, _) = field_of(heap, id, last)?;
        let Value::Ref(some) = start else {
            return None;
        };
        let mut nodes = Vec::new();
        let mut at = start;
        while let Value::Ref(node) = at {
            nodes.push(node);
            if nodes.len() > heap.len() as usize {
                return None;
            }
            at = field_of(heap, node, next)?.1;
        }
        Some(Line {
            nodes,
            first,
            last,
            next: field_of(heap, some, next)?.0,
            previous: field_of(heap, some, previous)?.0,
        })
    }
}

/// Number and value of a field that a class of the JDK declares.
pub(crate) fn field_of(heap: &Heap, id: ObjectId, name: &str) -> Option<(u32, Value)> {
    let object = heap.object(id)?;
    let fields = object.kind.fields();
    let index = fields
        .iter()
        .position(|field| field.name == name && field.declared_in.starts_with("java.util."))?;
    Some((index as u32, fields.get(index)?.value))
}

fn elements(heap: &Heap, array: ObjectId) -> Option<Vec<Value>> {
    match heap.object(array)?.kind {
        Kind::Array { elements, .. } => Some(elements),
        _ => None,
    }
}
