//! What makes values of a type, and how dear each way is.

use std::collections::HashSet;
use std::sync::Arc;

use recrash_classfile::{access, dotted, text};
use recrash_javagen::{Nesting, TypeOracle};
use recrash_program::{Class, ClassId, MethodId, Origin};

use super::{CallKind, Constant, Maker, Makers, World, package_of};
use crate::jdk;
use crate::stand_in::StandIn;

/// More ways to one type than these are not looked at.
const MOST_WAYS: usize = 48;
/// Enums and annotations.
const NEVER_BELOW: u16 = 0x4000 | 0x2000;
/// Costs are added up over so many calls in a row.
const FAR: u8 = 2;
/// What a value that takes more than these costs, at a guess.
const UNSEEN: f64 = 6.0;
/// With fewer ways than these, objects are asked for the value, too.
const FEW_WAYS: usize = 4;
/// What nothing can make.
const OUT_OF_REACH: f64 = 1e6;

impl World<'_> {
    /// The ways to a value of this class or interface.
    pub(crate) fn makers(&self, descriptor: &Arc<str>) -> Arc<Makers> {
        if let Some(known) = self.makers.borrow().get(descriptor) {
            return Arc::clone(known);
        }
        let ways = self.ways(descriptor);
        let mut weighed: Vec<(f64, Maker)> = ways
            .iter()
            .map(|way| (self.cost_of_way(way, descriptor, FAR), way.clone()))
            .filter(|(cost, _)| *cost < OUT_OF_REACH)
            .collect();
        weighed.sort_by(|one, other| one.0.total_cmp(&other.0));
        weighed.truncate(MOST_WAYS);
        let makers = Arc::new(Makers {
            weights: weighed
                .iter()
                .map(|(cost, _)| 1.0 / (cost * cost))
                .collect(),
            ways: weighed.into_iter().map(|(_, way)| way).collect(),
        });
        self.makers
            .borrow_mut()
            .insert(Arc::clone(descriptor), Arc::clone(&makers));
        makers
    }

    /// All of them; what they cost is asked before anything is made.
    fn ways(&self, descriptor: &Arc<str>) -> Arc<Vec<Maker>> {
        if let Some(known) = self.ways.borrow().get(descriptor) {
            return Arc::clone(known);
        }
        let ways = Arc::new(self.find_ways(descriptor));
        self.ways
            .borrow_mut()
            .insert(Arc::clone(descriptor), Arc::clone(&ways));
        ways
    }

    fn find_ways(&self, descriptor: &str) -> Vec<Maker> {
        let Some(id) = self.class_of(descriptor) else {
            return Vec::new();
        };
        let name = self.program.class_name(id);
        let mut classes: Vec<ClassId> = vec![id];
        classes.extend(
            jdk::implementations(&text(&name))
                .iter()
                .map(|name| self.program.class_id(name.as_bytes())),
        );
        // Everything is an Object: what the JDK's list offers is enough.
        if &*name != b"java/lang/Object" {
            let mut below = self.index.implementers(id).to_vec();
            // Classes beside the test first: they are what the author would take.
            below.sort_by_key(|class| {
                (
                    package_of(&self.program.class_name(*class)) != self.package,
                    *class,
                )
            });
            classes.extend(below.into_iter().take(2 * MOST_WAYS));
        }
        let mut seen = HashSet::new();
        let mut ways = Vec::new();
        for made in classes.into_iter().filter(|class| seen.insert(*class)) {
            let Some(class) = self.program.class(made) else {
                continue;
            };
            if !self.can_name(made) {
                continue;
            }
            self.ways_of(&class, &mut ways);
        }
        if ways.len() < FEW_WAYS {
            let getters = self.index.getters.get(&id);
            let getters = getters.into_iter().flatten().take(MOST_WAYS);
            ways.extend(getters.filter_map(|method| self.factory(*method)));
        }
        if let Some(class) = self.program.class(id) {
            ways.extend(self.stand_ins(&class).into_iter().map(Maker::StandIn));
        }
        ways
    }

    /// Classes of our own below an interface or an abstract class: one for each constructor that can be called.
    fn stand_ins(&self, base: &Class) -> Vec<Arc<StandIn>> {
        let Some(facts) = self.facts.facts(&dotted(&base.name)) else {
            return Vec::new();
        };
        let inner = matches!(facts.nesting, Nesting::Member { .. })
            && (facts.access & access::STATIC == 0 && !base.is_interface());
        // Nobody wants to read a map of our own.
        let of_jdk = !jdk::implementations(&text(&base.name)).is_empty();
        if of_jdk
            || base.is_concrete()
            || inner
            || base.access & NEVER_BELOW != 0
            || !self.can_name(base.id)
        {
            return Vec::new();
        }
        let below = |constructor| {
            let package = &self.package;
            self.index
                .stand_ins
                .below(self.program, package, base, constructor)
        };
        let made: Vec<Arc<StandIn>> = if base.is_interface() {
            below(None).into_iter().collect()
        } else {
            base.methods
                .iter()
                .filter(|method| {
                    let selector = self.program.selector(method.selector);
                    selector.is_some_and(|selector| *selector.name == *b"<init>")
                        && (self.admits(base, method.access) || method.is(access::PROTECTED))
                })
                .filter_map(|method| below(Some(method)))
                .collect()
        };
        let can_write = |class: &Arc<StandIn>| {
            let open = class.open.iter();
            let mut types = open
                .flat_map(|open| open.parameters.iter().chain([&open.result]))
                .chain(&class.parameters);
            types.all(|ty| self.can_write(ty))
        };
        made.into_iter().filter(can_write).collect()
    }

    fn ways_of(&self, class: &Class, ways: &mut Vec<Maker>) {
        let own = self.descriptor_of(class.id);
        for callable in self.callables(class).iter() {
            let makes = match callable.kind {
                CallKind::Constructor | CallKind::InnerConstructor => true,
                CallKind::Static => callable.result == own && class.origin == Origin::Jdk,
                CallKind::Instance => false,
            };
            if makes {
                ways.push(Maker::Call(Arc::clone(callable)));
            }
        }
        let factories = self.index.factories.get(&class.id);
        let factories = factories.into_iter().flatten().take(MOST_WAYS);
        ways.extend(factories.filter_map(|method| self.factory(*method)));
        for field in &class.fields {
            let constant =
                field.is_static() && field.is(access::FINAL) && self.admits(class, field.access);
            let Some(selector) = self.program.selector(field.selector).filter(|_| constant) else {
                continue;
            };
            if selector.descriptor[..] == *own.as_bytes() {
                ways.push(Maker::Constant(Arc::new(Constant {
                    owner: Arc::clone(&own),
                    name: text(&selector.name).into(),
                    ty: Arc::clone(&own),
                })));
            }
        }
    }

    fn factory(&self, method: MethodId) -> Option<Maker> {
        let class = self.program.class(method.class)?;
        if !self.can_name(class.id) {
            return None;
        }
        self.callable_of(&class, method).map(Maker::Call)
    }

    /// How many statements a value of the type takes at least, about, as seen `depth` calls ahead.
    fn cost(&self, ty: &Arc<str>, depth: u8) -> f64 {
        if ty.starts_with('[') || ty.len() == 1 || &**ty == "Ljava/lang/String;" {
            return 1.0;
        }
        let Some(depth) = depth.checked_sub(1) else {
            return UNSEEN;
        };
        let key = (Arc::clone(ty), depth);
        if let Some(known) = self.costs.borrow().get(&key) {
            return *known;
        }
        let ways = self.ways(ty);
        let ways = ways.iter().take(2 * MOST_WAYS);
        let cost = ways
            .map(|way| self.cost_of_way(way, ty, depth))
            .fold(OUT_OF_REACH, f64::min);
        self.costs.borrow_mut().insert(key, cost);
        cost
    }

    fn cost_of_way(&self, way: &Maker, wanted: &Arc<str>, depth: u8) -> f64 {
        let of_one = |ty: &Arc<str>| {
            // What wraps one of its own kind does not save making one.
            if ty == wanted {
                2.0 * UNSEEN
            } else {
                self.cost(ty, depth)
            }
        };
        let of_all = |types: &[Arc<str>]| types.iter().map(of_one).sum::<f64>();
        match way {
            Maker::Constant(_) => 1.0,
            Maker::StandIn(class) => {
                // The last thing a reader wants, long ones most of all; but sometimes the only way.
                let open =
                    (f64::from(u32::try_from(class.open.len()).unwrap_or(60)) / 10.0).min(6.0);
                6.0 + open + of_all(&class.parameters)
            }
            Maker::Call(callable) => {
                let receiver = if callable.kind == CallKind::Instance {
                    of_one(&callable.owner)
                } else {
                    0.0
                };
                let hidden = if callable.hidden { UNSEEN } else { 0.0 };
                1.0 + hidden + receiver + of_all(&callable.parameters)
            }
        }
    }
}
