//! From SSA to bodies.

use recrash_classfile::{ClassFile, access};

use super::{Body, Dispatch, Step, Target, Var};
use crate::class::{Class, Method};
use crate::class_path::Origin;
use crate::error::Result;
use crate::ids::{ClassId, MethodId, SelectorId};
use crate::program::Program;
use crate::slots::{SlotId, Slots};
use crate::ssa::{
    CallSite, Constant, ElementKind, End, InvokeKind, MemberRef, Op, Ssa, Type, ValueId,
};

/// Sites beyond this many share one: no method that makes more objects keeps them apart.
const MOST_SITES: u32 = 8;

/// What the JDK's own code writes by address: its fields, and elements of arrays of numbers and references.
pub(super) const JDK_CELLS: [SlotId; 5] = [
    SlotId::PLATFORM,
    SlotId::elements(ElementKind::Reference),
    SlotId::elements(ElementKind::Byte),
    SlotId::elements(ElementKind::Int),
    SlotId::elements(ElementKind::Long),
];

/// Makes bodies; knows the few classes by name that need it.
#[derive(Debug)]
pub(crate) struct Extractor<'p> {
    pub(super) program: &'p Program,
    slots: &'p Slots,
    object: ClassId,
    string: ClassId,
    method_handle: ClassId,
    var_handle: ClassId,
    /// Fields that cache what can be computed anew; writing them changes nothing that can be seen.
    unseen: Vec<SlotId>,
}

impl<'p> Extractor<'p> {
    pub(crate) fn new(program: &'p Program, slots: &'p Slots) -> Extractor<'p> {
        let string = program.class_id(b"java/lang/String");
        let unseen = [(&b"hash"[..], &b"I"[..]), (b"hashIsZero", b"Z")]
            .iter()
            .filter_map(|(name, descriptor)| {
                let selector = program.selector_id(name, descriptor);
                program.hierarchy().resolve_field(string, selector)
            })
            .map(|field| slots.field(field))
            .collect();
        Extractor {
            program,
            slots,
            object: program.class_id(b"java/lang/Object"),
            string,
            method_handle: program.class_id(b"java/lang/invoke/MethodHandle"),
            var_handle: program.class_id(b"java/lang/invoke/VarHandle"),
            unseen,
        }
    }

    /// The bodies of methods of one class.
    pub(crate) fn bodies(&self, class: &Class, methods: &[MethodId]) -> Vec<(MethodId, Body)> {
        let file = class.file();
        methods
            .iter()
            .filter_map(|&id| {
                let method = class.methods.get(usize::from(id.index))?;
                let body = match &file {
                    Ok(file) => self.body(class, file, method),
                    Err(_) => self.unknown(method),
                };
                Some((id, body))
            })
            .collect()
    }

    fn body(&self, class: &Class, file: &ClassFile<'_>, method: &Method) -> Body {
        if class.origin == Origin::Jdk
            && let Some(known) = self.known(class, method)
        {
            return known;
        }
        if !method.has_code() {
            return self.unknown(method);
        }
        match self.translated(class, file, method) {
            Ok(Some(body)) => body,
            Ok(None) => self.unknown(method),
            Err(defect) => {
                self.program.report(defect.to_string());
                self.unknown(method)
            }
        }
    }

    /// Parameters of a method, the receiver included.
    pub(super) fn parameters(&self, method: &Method) -> u16 {
        self.parameter_count(method.selector) + u16::from(!method.is_static())
    }

    /// Parameters that a descriptor lists.
    pub(crate) fn parameter_count(&self, selector: SelectorId) -> u16 {
        let selector = self.program.selector(selector);
        selector.map_or(0, |selector| {
            recrash_classfile::Parameters::of(&selector.descriptor).count() as u16
        })
    }

    fn unknown(&self, method: &Method) -> Body {
        let mut body = Body::with_parameters(self.parameters(method));
        body.call_unknown();
        body
    }

    fn translated(
        &self,
        class: &Class,
        file: &ClassFile<'_>,
        method: &Method,
    ) -> Result<Option<Body>> {
        let Some(ssa) = Ssa::of_file(self.program, file, method.id)? else {
            return Ok(None);
        };
        let mut translation = Translation {
            extractor: self,
            class,
            throws_after: throws_after(&ssa, class.id, method),
            ssa: &ssa,
            sites: 0,
            body: Body {
                vars: ssa.values.len() as u32,
                parameters: self.parameters(method),
                ..Body::default()
            },
        };
        for block in &ssa.blocks {
            for &value in block.phis.iter().chain(&block.instructions) {
                translation.value(value);
            }
            translation.end(&block.end);
        }
        Ok(Some(translation.body))
    }
}

/// By value: whether the method can still throw after it was made.
fn throws_after(ssa: &Ssa, class: ClassId, method: &Method) -> Vec<bool> {
    let throws = |id: ValueId| {
        ssa.value(id)
            .is_some_and(|value| may_throw(ssa, &value.op, class, method))
    };
    let mut at_start: Vec<bool> = ssa
        .blocks
        .iter()
        .map(|block| {
            matches!(block.end, End::Throw(_)) || block.instructions.iter().any(|&id| throws(id))
        })
        .collect();
    let leads_to_throw = |at_start: &[bool], block: &crate::ssa::SsaBlock| {
        block
            .successors
            .iter()
            .chain(block.handlers.iter().map(|(block, _)| block))
            .any(|next| at_start.get(next.0 as usize) == Some(&true))
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (number, block) in ssa.blocks.iter().enumerate().rev() {
            let reaches = leads_to_throw(&at_start, block);
            if let Some(place) = at_start.get_mut(number).filter(|known| reaches && !**known) {
                *place = true;
                changed = true;
            }
        }
    }
    let mut after = vec![true; ssa.values.len()];
    for block in &ssa.blocks {
        let mut later = matches!(block.end, End::Throw(_)) || leads_to_throw(&at_start, block);
        for &id in block.instructions.iter().rev() {
            if let Some(place) = after.get_mut(id.0 as usize) {
                *place = later;
            }
            later |= throws(id);
        }
    }
    after
}

fn may_throw(ssa: &Ssa, op: &Op, class: ClassId, method: &Method) -> bool {
    // The receiver and what was just made are not null.
    let certain = |object: &ValueId| match ssa.value(*object).map(|value| &value.op) {
        Some(Op::Parameter(0)) => !method.is_static(),
        Some(Op::New(_)) => true,
        _ => false,
    };
    match op {
        Op::Parameter(_) | Op::Caught | Op::Phi(_) | Op::InstanceOf { .. } => false,
        Op::Constant(constant) => matches!(
            constant,
            Constant::Class(_) | Constant::Method | Constant::Dynamic
        ),
        Op::Arithmetic { opcode, .. } => crate::cfg::may_throw(*opcode),
        Op::GetField { object, .. } | Op::PutField { object, .. } => !certain(object),
        Op::GetStatic { field } | Op::PutStatic { field, .. } => field.class != class,
        _ => true,
    }
}

struct Translation<'a, 'p> {
    extractor: &'a Extractor<'p>,
    class: &'a Class,
    ssa: &'a Ssa,
    throws_after: Vec<bool>,
    sites: u32,
    body: Body,
}

impl Translation<'_, '_> {
    fn reference(&self, id: ValueId) -> Option<Var> {
        let ty = self.ssa.value(id)?.ty;
        matches!(ty, Type::Reference(_)).then_some(Var(id.0))
    }

    fn site(&mut self) -> u32 {
        self.sites += 1;
        (self.sites - 1).min(MOST_SITES - 1)
    }

    fn push(&mut self, step: Step) {
        self.body.steps.push(step);
    }

    fn fresh(&mut self, to: Var) {
        let site = self.site();
        self.push(Step::Fresh { to, site });
    }

    fn initializes(&mut self, class: ClassId) {
        // The method's own class is at least being initialized.
        if class != self.class.id {
            self.body.initializes.insert(class);
        }
    }

    /// The slot of a field; a field that cannot be found may be any.
    fn slot(&self, field: MemberRef) -> SlotId {
        let hierarchy = self.extractor.program.hierarchy();
        hierarchy
            .resolve_field(field.class, field.selector)
            .map_or(SlotId::ANY, |field| self.extractor.slots.field(field))
    }

    fn value(&mut self, id: ValueId) {
        let ssa = self.ssa;
        let Some(value) = ssa.value(id) else {
            return;
        };
        let result = self.reference(id);
        let then_throws = self.throws_after.get(id.0 as usize) != Some(&false);
        match &value.op {
            Op::Parameter(number) => {
                if let Some(to) = result {
                    let number = *number;
                    self.push(Step::Parameter { to, number });
                }
            }
            Op::Caught => self.push(Step::Caught { to: Var(id.0) }),
            Op::Phi(operands) => {
                let from = operands.iter().filter_map(|&from| self.reference(from));
                let copies: Vec<Step> = result
                    .into_iter()
                    .flat_map(|to| from.clone().map(move |from| Step::Copy { to, from }))
                    .collect();
                self.body.steps.extend(copies);
            }
            Op::Constant(constant) => self.constant(constant, result, then_throws),
            Op::GetField { field, object } => self.load(self.slot(*field), *object, result),
            Op::ArrayLoad { kind, array, .. } => {
                self.load(SlotId::elements(*kind), *array, result);
            }
            Op::PutField {
                field,
                object,
                value,
            } => self.store(self.slot(*field), *object, *value, then_throws),
            Op::ArrayStore {
                kind, array, value, ..
            } => self.store(SlotId::elements(*kind), *array, *value, then_throws),
            Op::GetStatic { field } => {
                let slot = self.slot(*field);
                self.body.reads.insert(slot);
                self.initializes(field.class);
                if let Some(to) = result {
                    self.push(Step::LoadStatic { to, slot });
                }
            }
            Op::PutStatic { field, value } => {
                self.initializes(field.class);
                self.push(Step::StoreStatic {
                    slot: self.slot(*field),
                    value: self.reference(*value),
                    then_throws,
                });
            }
            Op::New(class) => {
                self.body.allocates.insert(*class);
                self.initializes(*class);
                self.fresh(Var(id.0));
            }
            Op::NewArray { lengths, .. } => {
                let to = Var(id.0);
                self.fresh(to);
                if lengths.len() > 1 {
                    self.push(Step::Store {
                        base: to,
                        slot: SlotId::elements(ElementKind::Reference),
                        value: Some(to),
                        then_throws,
                    });
                }
            }
            Op::Cast { value, .. } => {
                if let (Some(to), Some(from)) = (result, self.reference(*value)) {
                    self.push(Step::Copy { to, from });
                }
            }
            Op::Invoke {
                kind,
                method,
                arguments,
            } => self.invoke(*kind, *method, arguments, result, then_throws),
            Op::InvokeDynamic { site, arguments } => {
                self.dynamic(site, arguments, result, then_throws);
            }
            Op::Arithmetic { .. }
            | Op::ArrayLength(_)
            | Op::InstanceOf { .. }
            | Op::Monitor { .. } => {}
        }
    }

    fn constant(&mut self, constant: &Constant, result: Option<Var>, then_throws: bool) {
        let program = self.extractor.program;
        match constant {
            Constant::Class(class) if *class != self.class.id => {
                self.body.names.insert(*class);
            }
            // `Class.forName("a.b.C")`: a name with a dot that is a class.
            Constant::String(text) if text.contains(&b'.') && text.len() < 200 => {
                let slashed = |&byte: &u8| if byte == b'.' { b'/' } else { byte };
                let name: Vec<u8> = text.iter().map(slashed).collect();
                if program.class_path().origin(&name).is_some() {
                    self.body.names.insert(program.class_id(&name));
                }
            }
            Constant::Dynamic => self.call(Target::Unknown, Vec::new(), None, then_throws),
            _ => {}
        }
        if let Some(to) = result {
            self.push(Step::Anywhere { to });
        }
    }

    fn load(&mut self, slot: SlotId, object: ValueId, result: Option<Var>) {
        self.body.reads.insert(slot);
        if let (Some(to), Some(base)) = (result, self.reference(object)) {
            self.push(Step::Load { to, base, slot });
        }
    }

    fn store(&mut self, slot: SlotId, object: ValueId, value: ValueId, then_throws: bool) {
        let value = self.reference(value);
        if let Some(base) = self.reference(object)
            && !self.extractor.unseen.contains(&slot)
        {
            self.push(Step::Store {
                base,
                slot,
                value,
                then_throws,
            });
        }
    }

    fn call(
        &mut self,
        target: Target,
        arguments: Vec<Option<Var>>,
        result: Option<Var>,
        then_throws: bool,
    ) {
        let site = self.site();
        self.push(Step::Call {
            target,
            arguments,
            result,
            site,
            then_throws,
        });
    }

    fn invoke(
        &mut self,
        kind: InvokeKind,
        method: MemberRef,
        arguments: &[ValueId],
        result: Option<Var>,
        then_throws: bool,
    ) {
        let passed: Vec<Option<Var>> = arguments
            .iter()
            .map(|&value| self.reference(value))
            .collect();
        if method.class == self.extractor.var_handle && self.var_handle(method, &passed, result) {
            return;
        }
        let hierarchy = self.extractor.program.hierarchy();
        let resolved = hierarchy.resolve_method(method.class, method.selector);
        if kind == InvokeKind::Static {
            let class = resolved.map_or(method.class, |method| method.id.class);
            self.initializes(class);
        }
        let unknown = if self.class.origin == Origin::Jdk {
            Target::Platform
        } else {
            Target::Unknown
        };
        let target = match (kind, resolved) {
            // Signature-polymorphic: any descriptor, and any code behind it.
            _ if method.class == self.extractor.method_handle => unknown,
            (_, None) => unknown,
            (_, Some(method))
                if self.class.origin == Origin::Jdk && self.extractor.reflects(&method) =>
            {
                Target::Platform
            }
            (InvokeKind::Static, Some(method)) => Target::Exactly(method.id),
            (InvokeKind::Special, Some(method)) => self.special(&method),
            (_, Some(resolved)) => {
                let receiver = arguments.first().and_then(|&value| self.ssa.value(value));
                self.virtual_target(
                    method,
                    &resolved,
                    receiver.map(|value| (&value.op, value.ty)),
                )
            }
        };
        self.call(target, passed, result, then_throws);
    }

    /// `super.method()` starts looking in the superclass (JVMS 6.5, invokespecial).
    fn special(&self, resolved: &Method) -> Target {
        let program = self.extractor.program;
        let is_constructor = program
            .selector(resolved.selector)
            .is_some_and(|selector| selector.name.first() == Some(&b'<'));
        let of_interface = program
            .class(resolved.id.class)
            .is_some_and(|class| class.is_interface());
        let from_above = !is_constructor && !of_interface && resolved.id.class != self.class.id;
        match self.class.super_class {
            Some(above) if from_above => program
                .hierarchy()
                .select_method(above, resolved)
                .map_or(Target::Unknown, |method| Target::Exactly(method.id)),
            _ => Target::Exactly(resolved.id),
        }
    }

    fn virtual_target(
        &self,
        method: MemberRef,
        resolved: &Method,
        receiver: Option<(&Op, Type)>,
    ) -> Target {
        let program = self.extractor.program;
        let hierarchy = program.hierarchy();
        if resolved.is(access::PRIVATE | access::FINAL) {
            return Target::Exactly(resolved.id);
        }
        match receiver {
            Some((Op::New(class), _)) => hierarchy
                .select_method(*class, resolved)
                .map_or(Target::Unknown, |method| Target::Exactly(method.id)),
            Some((_, Type::Reference(class))) => {
                // The verifier takes interfaces for `Object`, so only classes are to be trusted.
                let narrower = class != method.class
                    && program
                        .class(class)
                        .is_some_and(|class| !class.is_interface())
                    && hierarchy.is_subtype(class, method.class);
                Target::Virtual(Dispatch {
                    class: if narrower { class } else { method.class },
                    selector: method.selector,
                })
            }
            _ => Target::Virtual(method.into()),
        }
    }

    /// Accesses through a `VarHandle` touch the object that is their first coordinate; with none, a static field.
    fn var_handle(
        &mut self,
        method: MemberRef,
        passed: &[Option<Var>],
        result: Option<Var>,
    ) -> bool {
        let Some(selector) = self.extractor.program.selector(method.selector) else {
            return false;
        };
        let name = &*selector.name;
        let values = if name.starts_with(b"compareAnd") || name.starts_with(b"weakCompareAnd") {
            2
        } else if name.starts_with(b"getAnd") || name.starts_with(b"set") {
            1
        } else if name.starts_with(b"get") {
            0
        } else {
            return false;
        };
        // The handle itself comes first.
        let coordinate = passed.get(1).copied().flatten();
        let base = coordinate.filter(|_| passed.len() > values + 1);
        let base = base.unwrap_or_else(|| {
            let to = self.body.var();
            self.body.steps.push(Step::Anywhere { to });
            to
        });
        if values > 0 {
            let written: &[SlotId] = if self.class.origin == Origin::Jdk {
                &JDK_CELLS
            } else {
                &[SlotId::ANY]
            };
            for &slot in written {
                self.push(Step::Store {
                    base,
                    slot,
                    value: passed.last().copied().flatten(),
                    then_throws: true,
                });
            }
        }
        let slot = SlotId::ANY;
        self.body.reads.insert(slot);
        if let Some(to) = result {
            self.push(Step::Load { to, base, slot });
        }
        true
    }

    fn dynamic(
        &mut self,
        site: &CallSite,
        arguments: &[ValueId],
        result: Option<Var>,
        then_throws: bool,
    ) {
        let passed: Vec<Var> = arguments
            .iter()
            .filter_map(|&value| self.reference(value))
            .collect();
        if !matches!(site, CallSite::Unknown | CallSite::Switch)
            && let Some(to) = result
        {
            self.fresh(to);
        }
        match site {
            CallSite::Lambda { .. } => {
                self.body.lambdas.push(site.clone());
                let Some(base) = result else {
                    return;
                };
                for value in passed {
                    self.push(Step::Store {
                        base,
                        slot: SlotId::CAPTURED,
                        value: Some(value),
                        then_throws,
                    });
                }
            }
            CallSite::Concatenation => {
                for &argument in arguments {
                    if let Some(Type::Reference(class)) = self.ssa.value(argument).map(|v| v.ty)
                        && class != self.extractor.string
                    {
                        let to_string = (&b"toString"[..], &b"()Ljava/lang/String;"[..]);
                        self.call_by_jvm(to_string, class, Var(argument.0));
                    }
                }
            }
            CallSite::RecordMethod => {
                let object = self.extractor.object;
                for base in passed {
                    let to = self.body.var();
                    let slot = SlotId::ANY;
                    self.body.reads.insert(slot);
                    self.push(Step::Load { to, base, slot });
                    self.call_by_jvm((b"toString", b"()Ljava/lang/String;"), object, to);
                    self.call_by_jvm((b"hashCode", b"()I"), object, to);
                    self.call_by_jvm((b"equals", b"(Ljava/lang/Object;)Z"), object, to);
                }
            }
            CallSite::Switch => {}
            CallSite::Unknown => {
                let arguments = passed.into_iter().map(Some).collect();
                self.call(Target::Unknown, arguments, result, then_throws);
            }
        }
    }

    /// A call of a method of `Object` that the code behind a call site makes; an argument is of the receiver's kind.
    fn call_by_jvm(&mut self, method: (&[u8], &[u8]), class: ClassId, receiver: Var) {
        let selector = self.extractor.program.selector_id(method.0, method.1);
        let target = Target::Virtual(Dispatch { class, selector });
        let result = self.body.var();
        self.call(target, vec![Some(receiver); 2], Some(result), true);
    }

    fn end(&mut self, end: &End) {
        match end {
            End::Return(Some(value)) => {
                if let Some(value) = self.reference(*value) {
                    self.push(Step::Return { value });
                }
            }
            End::Throw(value) => {
                if let Some(value) = self.reference(*value) {
                    self.push(Step::Throw { value });
                }
            }
            _ => {}
        }
    }
}
