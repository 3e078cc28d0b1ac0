//! States that take more than a constructor or a setter.

use std::rc::Rc;

use super::*;
use crate::compiled::Compiled;
use crate::experience::Experience;
use crate::index::Index;
use crate::random::Random;
use crate::seeds::Seeds;
use crate::summaries::Summaries;
use crate::world::{Uses, World};
use recrash_javagen::ProgramFacts;

const SOURCE: &str = r#"
public class Parcel {
    private final int grams;
    private final String note;

    private Parcel(int grams, String note) { this.grams = grams; this.note = note; }
    public static Parcel blank() { return new Parcel(3, "blank"); }
    public static Parcel of(String note, int grams) { Parcel parcel = new Parcel(grams, note); return parcel; }
    public int send() { return grams; }

    public static class Shelf {
        private int code;
        public Shelf label(Label label) { return code(label.code()); }
        private Shelf code(int code) { this.code = code; return this; }
        public int find() { return code; }
    }

    public static class Label {
        private final int code;
        public Label(int code) { this(code, null); }
        private Label(int code, String text) { this.code = code; }
        int code() { return code; }
    }

    public static final class Stamp {
        private final int value;
        private final int year;
        public Stamp() { this(1, 2); }
        private Stamp(int value, int year) { this.value = value; this.year = year; }
        public Stamp value(int value) { return new Stamp(value, year); }
        public Stamp year(int year) { return new Stamp(value, year); }
        public Stamp other(int year) { return new Stamp(8, year); }
        public int print() { return value; }
    }
}
"#;

/// The program that is planned for a call of `method` on an object whose fields hold these numbers and texts.
fn planned(compiled: &Compiled, class: &str, method: &str, fields: &[(&str, Input)]) -> String {
    let program = &compiled.program;
    let facts = ProgramFacts::of(program);
    let index = Rc::new(Index::of(program, 0));
    let world = World::new(program, &facts, b"", index);
    let class = program.find(class).unwrap();
    let callables = world.callables(&class);
    let callable = callables.iter().find(|callable| &*callable.name == method);
    let field = |name: &str| {
        let named = class.fields.iter().find(|field| {
            let selector = program.selector(field.selector).unwrap();
            *selector.name == *name.as_bytes()
        });
        named.unwrap().id
    };
    let object = Object {
        id: 1,
        class: class.id,
        not: Vec::new(),
        fields: fields
            .iter()
            .map(|(name, input)| (field(name), input.clone()))
            .collect(),
        results: Vec::new(),
    };
    let callable = callable.unwrap();
    let state = Precondition {
        method: callable.method,
        text: String::new(),
        arguments: vec![Input::Object(object)],
        statics: Vec::new(),
        assumed: false,
    };
    let mut grower = Grower {
        world: &world,
        seeds: Seeds::of(program, std::iter::empty(), None, None),
        experience: Experience::default(),
        static_uses: Uses::default(),
        random: Random::new(1),
        nulls: 0,
    };
    let summaries = Summaries::default();
    let setters = Setters::new(&summaries);
    let sequence = Planner::new(&mut grower, &setters).plan(callable, &state);
    printed(&sequence.unwrap())
}

/// Its calls in order, each with what it works on written out.
fn printed(sequence: &Sequence) -> String {
    let mut texts: Vec<String> = Vec::new();
    for statement in &sequence.statements {
        let text = |var: &Var| texts.get(usize::from(*var)).cloned().unwrap_or_default();
        texts.push(match statement {
            Statement::Literal(Literal::Int(_, number)) => number.to_string(),
            Statement::Literal(Literal::String(text)) => format!("{text:?}"),
            Statement::Call {
                callable,
                receiver,
                arguments,
            } => {
                let arguments: Vec<String> = arguments.iter().map(text).collect();
                let on = receiver
                    .as_ref()
                    .map(|on| text(on) + ".")
                    .unwrap_or_default();
                format!("{on}{}({})", callable.name, arguments.join(", "))
            }
            other => format!("{other:?}"),
        });
    }
    let calls = sequence.statements.iter().zip(texts);
    let is_call = |statement: &Statement| matches!(statement, Statement::Call { .. });
    let calls = calls.filter(|(statement, _)| is_call(statement));
    calls.map(|(_, text)| text).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_factory_is_given_what_its_object_is_to_hold() {
    let compiled = Compiled::new("Parcel", SOURCE);
    let fields = [
        ("grams", Input::Int(48_213)),
        ("note", Input::Text("urgent".to_owned())),
    ];
    let program = planned(&compiled, "Parcel", "send", &fields);
    let of = "of(\"urgent\", 48213)";
    assert_eq!(program, format!("{of}; {of}.send()"));
    let fields = [("note", Input::Text("blank".to_owned()))];
    let program = planned(&compiled, "Parcel", "send", &fields);
    assert!(
        program.starts_with("blank()") || program.starts_with("of(\"blank\""),
        "{program}"
    );
}

#[test]
fn a_setter_that_copies_is_given_an_object_that_holds_it() {
    let compiled = Compiled::new("Parcel", SOURCE);
    let fields = [("code", Input::Int(63_397))];
    let program = planned(&compiled, "Parcel$Shelf", "find", &fields);
    assert_eq!(
        program,
        "<init>(); <init>(63397); <init>().label(<init>(63397)); <init>().find()"
    );
}

#[test]
fn what_gives_a_changed_object_is_called_on_the_one_before() {
    let compiled = Compiled::new("Parcel", SOURCE);
    let fields = [("value", Input::Int(57_797)), ("year", Input::Int(84_001))];
    let program = planned(&compiled, "Parcel$Stamp", "print", &fields);
    assert!(
        program.ends_with("; <init>().value(57797).year(84001).print()"),
        "{program}"
    );
}
