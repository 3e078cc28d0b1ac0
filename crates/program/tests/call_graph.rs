//! Calls lead to what a JVM may run.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::support;

use recrash_program::{CallGraph, Op, Precision, Program, Ssa};
use support::{compile, method, program};

const ZOO: &str = "
public class Zoo {
    interface Animal { void speak(); }
    static class Dog implements Animal { public void speak() { bark(); } void bark() { } }
    static class Puppy extends Dog { void bark() { } }
    static class Cat implements Animal { public void speak() { } }
    static void all(Animal animal) { animal.speak(); }
    static void dog() { new Dog().speak(); }
    static void viaLambda() { Animal a = () -> helper(); a.speak(); }
    static void viaReference(Cat cat) { Animal a = cat::speak; a.speak(); }
    static void helper() { }
    static int loop(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
}";

fn callees(program: &Program, graph: &CallGraph, class: &str, name: &str) -> Vec<String> {
    let callees = graph.callees(method(program, class, name));
    let mut names: Vec<String> = callees
        .into_iter()
        .map(|callee| program.method_text(callee))
        .map(|text| text.split('(').next().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn virtual_calls_and_lambdas_lead_to_every_implementation() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), ZOO);
    let program = program(&[&classes]);
    let graph = CallGraph::of_application(&program);
    let of = |name: &str| callees(&program, &graph, "Zoo", name);
    let everyone = ["Zoo$Cat.speak", "Zoo$Dog.speak", "Zoo.helper"];
    // Lambdas are animals, too; behind the method reference is the cat.
    for caller in ["all", "viaLambda", "viaReference"] {
        let found = of(caller);
        for expected in everyone {
            let lambda = found.iter().any(|name| name.starts_with("Zoo.lambda$"));
            assert!(
                lambda || found.contains(&expected.to_owned()),
                "{caller}: {found:?}"
            );
        }
        assert!(
            found.contains(&"Zoo$Dog.speak".to_owned()),
            "{caller}: {found:?}"
        );
    }
    assert_eq!(of("dog"), ["Zoo$Dog.<init>", "Zoo$Dog.speak"]);
    let speak = callees(&program, &graph, "Zoo$Dog", "speak");
    assert_eq!(speak, ["Zoo$Dog.bark", "Zoo$Puppy.bark"]);
}

#[test]
fn classes_of_the_jdk_that_nobody_makes_answer_no_call() {
    let program = program(&[]);
    let start = method(&program, "java/util/BitSet", "cardinality");
    let graph = CallGraph::of(&program, &[start], Precision::Instantiated);
    let reached: Vec<String> = graph.methods().map(|id| program.method_text(id)).collect();
    let counts = |name: &String| name.starts_with("java.lang.Long.bitCount");
    assert!(reached.iter().any(counts), "{reached:?}");
    assert!(reached.len() < 200, "{}", reached.len());
}

#[test]
fn a_loop_has_one_phi_for_each_variable_that_changes() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compile(folder.path(), ZOO);
    let program = program(&[&classes]);
    let mut ssa = Ssa::of(&program, method(&program, "Zoo", "loop"))
        .unwrap()
        .unwrap();
    assert_eq!(ssa.defects(&program), Vec::<String>::new());
    let phis: usize = ssa.blocks.iter().map(|block| block.phis.len()).sum();
    assert_eq!(phis, 2);
    // The checks that real jars pass do fail.
    let id = ssa
        .blocks
        .iter()
        .find_map(|block| block.phis.first())
        .unwrap()
        .0;
    let phi = &mut ssa.values[id as usize];
    if let Op::Phi(operands) = &mut phi.op {
        operands.pop();
    }
    assert_ne!(ssa.defects(&program), Vec::<String>::new());
}
