//! Bodies for methods of the JDK that have none, or whose code says less than is known of them.

use recrash_classfile::access;

use super::extract::JDK_CELLS;
use super::{Body, Dispatch, Extractor, Step, Target, Var};
use crate::class::{Class, Method};
use crate::slots::SlotId;
use crate::ssa::ElementKind;

/// Classes whose native methods change no object.
const HARMLESS: [&[u8]; 22] = [
    b"java/lang/Object",
    b"java/lang/Class",
    b"java/lang/String",
    b"java/lang/StringCoding",
    b"java/lang/StringUTF16",
    b"java/lang/Math",
    b"java/lang/StrictMath",
    b"java/lang/Float",
    b"java/lang/Double",
    b"java/lang/System",
    b"java/lang/Runtime",
    b"java/lang/Thread",
    b"java/lang/Module",
    b"java/lang/Package",
    b"java/lang/ProcessHandleImpl",
    b"java/lang/ref/Reference",
    b"java/lang/ref/PhantomReference",
    b"java/lang/reflect/Executable",
    b"java/security/AccessController",
    b"jdk/internal/misc/VM",
    b"jdk/internal/misc/CDS",
    b"jdk/internal/reflect/Reflection",
];

/// Reflection and serialization: the code behind these can be any.
const ANY_CODE: [(&[u8], &[u8]); 13] = [
    (b"java/lang/reflect/Method", b"invoke"),
    (b"java/lang/reflect/Constructor", b"newInstance"),
    (b"java/lang/reflect/Constructor", b"newInstanceWithCaller"),
    (b"java/lang/Class", b"newInstance"),
    (b"java/lang/invoke/MethodHandle", b"invokeWithArguments"),
    (b"java/io/ObjectInputStream", b"readObject"),
    (b"java/io/ObjectInputStream", b"readUnshared"),
    (b"java/io/ObjectInputStream", b"defaultReadObject"),
    (b"java/io/ObjectOutputStream", b"writeObject"),
    (b"java/io/ObjectOutputStream", b"writeUnshared"),
    (b"java/io/ObjectOutputStream", b"defaultWriteObject"),
    (b"java/beans/Statement", b"execute"),
    (b"java/beans/Expression", b"execute"),
];

/// By contract these change nothing but caches and ask nobody but the objects they hold. It is trusted for the JDK's own
/// classes that are no collections; those ask their elements, which may be the application's.
const BY_CONTRACT: [&[u8]; 4] = [b"hashCode", b"equals", b"toString", b"compareTo"];

impl Extractor<'_> {
    /// Whether it can come to the application's code or fields by reflection. Called by the JDK, it comes to the JDK's.
    pub(super) fn reflects(&self, method: &Method) -> bool {
        let class = self.program.class_name(method.id.class);
        let selector = self.program.selector(method.selector);
        is_field_updater(&class)
            || selector.is_some_and(|selector| {
                ANY_CODE.contains(&(&*class, &*selector.name))
                    || is_field_setter(&class, &selector.name)
            })
    }

    /// The body of a JDK method that is known better than from its code.
    pub(super) fn known(&self, class: &Class, method: &Method) -> Option<Body> {
        let selector = self.program.selector(method.selector)?;
        let name = &*selector.name;
        let mut body = Body::with_parameters(self.parameters(method));
        if ANY_CODE.contains(&(&*class.name, name)) {
            body.call_unknown();
            return Some(body);
        }
        let by_contract = BY_CONTRACT.contains(&name) && !method.is_static();
        if by_contract && !self.is_collection(class) {
            self.asks_what_it_holds(&mut body, method);
            return Some(body);
        }
        let class = &*class.name;
        if is_field_setter(class, name) {
            body.stores(Var(1), SlotId::ANY, Some(Var(2)));
            let outside = body.var();
            body.steps.push(Step::Anywhere { to: outside });
            body.stores(outside, SlotId::ANY, Some(Var(2)));
            return Some(body);
        }
        let of_object = !method.is_static() && name != b"<init>";
        if of_object && (is_field_updater(class) || class == b"sun/misc/Unsafe") {
            body.by_address(&[SlotId::ANY]);
            return Some(body);
        }
        if !method.is(access::NATIVE) {
            return None;
        }
        match (class, name) {
            (b"java/lang/System", b"arraycopy") => {
                for kind in 0..8 {
                    let slot = SlotId::elements(ElementKind::of(kind));
                    let value = body.loaded(Var(0), slot);
                    body.stores(Var(2), slot, Some(value));
                }
            }
            (b"java/lang/reflect/Array", name) if name.starts_with(b"set") => {
                for kind in 0..8 {
                    body.stores(
                        Var(0),
                        SlotId::elements(ElementKind::of(kind)),
                        Some(Var(2)),
                    );
                }
            }
            (b"java/lang/Object", b"clone") => {
                let copy = body.var();
                body.steps.push(Step::Fresh { to: copy, site: 0 });
                let content = body.loaded(Var(0), SlotId::ANY);
                body.stores(copy, SlotId::ANY, Some(content));
                body.steps.push(Step::Return { value: copy });
            }
            (b"java/lang/Throwable", b"fillInStackTrace") => {
                body.stores(Var(0), SlotId::PLATFORM, None);
                body.steps.push(Step::Return { value: Var(0) });
            }
            (b"jdk/internal/misc/Unsafe", name) if is_read(name) => body.returns_content(Var(1)),
            (b"jdk/internal/misc/Unsafe", b"allocateInstance") => {
                let to = body.var();
                body.steps.push(Step::Fresh { to, site: 0 });
                body.steps.push(Step::Return { value: to });
            }
            (b"jdk/internal/misc/Unsafe", _) => body.by_address(&JDK_CELLS),
            _ if HARMLESS.contains(&class) => body.returns_anything(),
            _ => body.call_platform(),
        }
        Some(body)
    }

    fn is_collection(&self, class: &Class) -> bool {
        let roots: [&[u8]; 4] = [
            b"java/util/Collection",
            b"java/util/Map",
            b"java/util/Map$Entry",
            b"java/lang/Iterable",
        ];
        let above = self.program.hierarchy().supertypes(class.id);
        roots
            .iter()
            .any(|root| above.contains(&self.program.class_id(root)))
    }

    /// Calls the same method of everything it can reach.
    fn asks_what_it_holds(&self, body: &mut Body, method: &Method) {
        let held = body.loaded(Var(0), SlotId::ANY);
        let mut arguments = vec![Some(held)];
        arguments.extend((1..u32::from(body.parameters)).map(|n| Some(Var(n))));
        body.steps.push(Step::Call {
            target: Target::Virtual(Dispatch {
                class: self.program.class_id(b"java/lang/Object"),
                selector: method.selector,
            }),
            arguments,
            result: None,
            site: 0,
            then_throws: true,
        });
        let fresh = body.var();
        body.steps.push(Step::Fresh { to: fresh, site: 0 });
        body.steps.push(Step::Return { value: fresh });
    }
}

fn is_field_setter(class: &[u8], name: &[u8]) -> bool {
    class == b"java/lang/reflect/Field" && name.starts_with(b"set") && name != b"setAccessible"
}

/// `AtomicIntegerFieldUpdater` and its like, with what implements them.
fn is_field_updater(class: &[u8]) -> bool {
    const UPDATER: &[u8] = b"FieldUpdater";
    class.starts_with(b"java/util/concurrent/atomic/Atomic")
        && class.windows(UPDATER.len()).any(|part| part == UPDATER)
}

fn is_read(name: &[u8]) -> bool {
    name.starts_with(b"get") && !name.starts_with(b"getAnd")
}

impl Body {
    /// Everything it was given goes to code that cannot be seen.
    pub(super) fn call_unknown(&mut self) {
        self.call_all(Target::Unknown);
    }

    fn call_platform(&mut self) {
        self.call_all(Target::Platform);
    }

    fn call_all(&mut self, target: Target) {
        let result = self.var();
        let arguments = (0..u32::from(self.parameters)).map(|n| Some(Var(n)));
        self.steps.push(Step::Call {
            target,
            arguments: arguments.collect(),
            result: Some(result),
            site: 0,
            then_throws: true,
        });
        self.steps.push(Step::Return { value: result });
    }

    fn loaded(&mut self, base: Var, slot: SlotId) -> Var {
        let to = self.var();
        self.reads.insert(slot);
        self.steps.push(Step::Load { to, base, slot });
        to
    }

    fn stores(&mut self, base: Var, slot: SlotId, value: Option<Var>) {
        self.steps.push(Step::Store {
            base,
            slot,
            value,
            then_throws: true,
        });
    }

    fn returns_anything(&mut self) {
        let to = self.var();
        self.steps.push(Step::Anywhere { to });
        self.steps.push(Step::Return { value: to });
    }

    fn returns_content(&mut self, object: Var) {
        self.returns_anything();
        let content = self.loaded(object, SlotId::ANY);
        self.steps.push(Step::Return { value: content });
    }

    /// The object is the first argument after the receiver, another one may follow; the new value is the last.
    fn by_address(&mut self, slots: &[SlotId]) {
        self.returns_anything();
        let last = Var(u32::from(self.parameters).saturating_sub(1));
        for object in 1..u32::from(self.parameters) {
            for &slot in slots {
                self.stores(Var(object), slot, Some(last));
            }
            let content = self.loaded(Var(object), SlotId::ANY);
            self.steps.push(Step::Return { value: content });
        }
    }
}
