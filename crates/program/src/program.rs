//! The program: every class by name, loaded at the first question about it, from any thread.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use recrash_classfile::{ClassFile, dotted, text};

use crate::class::{Class, Field, Method};
use crate::class_path::{ClassPath, Origin};
use crate::error::Result;
use crate::ids::{ClassId, FieldId, MethodId, Selector, SelectorId};

#[derive(Debug)]
pub struct Program {
    class_path: ClassPath,
    classes: RwLock<Table<Arc<[u8]>, Slot>>,
    selectors: RwLock<Table<Selector, Selector>>,
    problems: Mutex<Vec<String>>,
}

#[derive(Debug)]
struct Table<K, V> {
    ids: HashMap<K, u32>,
    values: Vec<V>,
}

#[derive(Debug, Clone)]
struct Slot {
    name: Arc<[u8]>,
    class: Arc<OnceLock<Option<Arc<Class>>>>,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table {
            ids: HashMap::new(),
            values: Vec::new(),
        }
    }
}

impl Program {
    pub fn new(class_path: ClassPath) -> Program {
        Program {
            class_path,
            classes: RwLock::default(),
            selectors: RwLock::default(),
            problems: Mutex::default(),
        }
    }

    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// The id of an internal name, whether or not there is such a class.
    pub fn class_id(&self, name: &[u8]) -> ClassId {
        let known = self.classes.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = known.ids.get(name) {
            return ClassId(id);
        }
        drop(known);
        let mut table = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = table.ids.get(name) {
            return ClassId(id);
        }
        let id = table.values.len() as u32;
        let name: Arc<[u8]> = name.into();
        table.ids.insert(Arc::clone(&name), id);
        table.values.push(Slot {
            name,
            class: Arc::default(),
        });
        ClassId(id)
    }

    fn slot(&self, id: ClassId) -> Option<Slot> {
        let table = self.classes.read().unwrap_or_else(PoisonError::into_inner);
        table.values.get(id.0 as usize).cloned()
    }

    /// The internal name.
    pub fn class_name(&self, id: ClassId) -> Arc<[u8]> {
        self.slot(id).map(|slot| slot.name).unwrap_or_default()
    }

    /// The class, loaded now if it was not; `None` for arrays and for what is missing or unreadable.
    pub fn class(&self, id: ClassId) -> Option<Arc<Class>> {
        let slot = self.slot(id)?;
        slot.class
            .get_or_init(|| self.load(id, &slot.name).map(Arc::new))
            .clone()
    }

    /// The class with this internal name.
    pub fn find(&self, name: &str) -> Option<Arc<Class>> {
        self.class(self.class_id(name.as_bytes()))
    }

    fn load(&self, id: ClassId, name: &Arc<[u8]>) -> Option<Class> {
        let origin = self.class_path.origin(name)?;
        let class = self.class_path.read(name).and_then(|bytes| {
            bytes
                .map(|bytes| self.read(id, Arc::clone(name), origin, bytes))
                .transpose()
        });
        class.unwrap_or_else(|defect| {
            self.report(format!("{}: {defect}", dotted(name)));
            None
        })
    }

    /// A class from its file, with the ids of this program.
    fn read(&self, id: ClassId, name: Arc<[u8]>, origin: Origin, bytes: Vec<u8>) -> Result<Class> {
        let file = ClassFile::read(&bytes)?;
        let interfaces = file
            .interfaces
            .iter()
            .map(|&index| Ok(self.class_id(file.pool.class_name(index)?)))
            .collect::<Result<Vec<_>>>()?;
        let fields = (0..)
            .zip(&file.fields)
            .map(|(index, field)| Field {
                id: FieldId { class: id, index },
                access: field.access,
                selector: self.selector_id(field.name, field.descriptor),
            })
            .collect();
        let methods = (0..)
            .zip(&file.methods)
            .map(|(index, method)| Method {
                id: MethodId { class: id, index },
                access: method.access,
                selector: self.selector_id(method.name, method.descriptor),
            })
            .collect();
        Ok(Class {
            id,
            name,
            origin,
            access: file.access,
            super_class: file.super_name.map(|name| self.class_id(name)),
            interfaces,
            fields,
            methods,
            bytes,
        })
    }

    /// Remembers what could not be understood and was taken for the worst.
    pub(crate) fn report(&self, problem: String) {
        self.problems
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(problem);
    }

    /// Classes and methods that could not be read, with the reason; they count as unknown code.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = self
            .problems
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        problems.sort();
        problems
    }

    pub fn selector_id(&self, name: &[u8], descriptor: &[u8]) -> SelectorId {
        let key = Selector {
            name: name.into(),
            descriptor: descriptor.into(),
        };
        let known = self
            .selectors
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = known.ids.get(&key) {
            return SelectorId(id);
        }
        drop(known);
        let mut table = self
            .selectors
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let next = table.values.len() as u32;
        let id = *table.ids.entry(key.clone()).or_insert(next);
        if id == next {
            table.values.push(key);
        }
        SelectorId(id)
    }

    pub fn selector(&self, id: SelectorId) -> Option<Selector> {
        let table = self
            .selectors
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        table.values.get(id.0 as usize).cloned()
    }

    pub fn method(&self, id: MethodId) -> Option<Method> {
        let class = self.class(id.class)?;
        class.methods.get(usize::from(id.index)).copied()
    }

    pub fn field(&self, id: FieldId) -> Option<Field> {
        let class = self.class(id.class)?;
        class.fields.get(usize::from(id.index)).copied()
    }

    /// `java.util.Map.get(Ljava/lang/Object;)Ljava/lang/Object;`, for messages.
    pub fn method_text(&self, id: MethodId) -> String {
        let class = dotted(&self.class_name(id.class));
        match self
            .method(id)
            .and_then(|method| self.selector(method.selector))
        {
            Some(selector) => format!(
                "{class}.{}{}",
                text(&selector.name),
                text(&selector.descriptor)
            ),
            None => class,
        }
    }

    /// `java.util.ArrayList.size`, for messages.
    pub fn field_text(&self, id: FieldId) -> String {
        let class = dotted(&self.class_name(id.class));
        match self
            .field(id)
            .and_then(|field| self.selector(field.selector))
        {
            Some(selector) => format!("{class}.{}", text(&selector.name)),
            None => class,
        }
    }
}
