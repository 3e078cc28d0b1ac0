//! The arithmetic instructions of the JVM in the language of the solver, exactly: integers wrap, shifts count modulo.

use std::fmt::Write as _;

use recrash_classfile::opcode;

use crate::term::{Node, Term, Terms};

/// The value in the range of an integer with so many bits.
fn wrapped(value: &str, bits: u32) -> String {
    let (half, full) = (1_u128 << (bits - 1), 1_u128 << bits);
    format!("(- (mod (+ {value} {half}) {full}) {half})")
}

/// The same for a value that is at most one turn away.
fn wrapped_once(value: &str, bits: u32) -> String {
    let (half, full) = (1_u128 << (bits - 1), 1_u128 << bits);
    format!(
        "(let ((x {value})) (ite (>= x {half}) (- x {full}) (ite (< x (- {half})) (+ x {full}) x)))"
    )
}

/// An arithmetic instruction; `None` for what the solver has no words for, which then may be anything.
pub(crate) fn arithmetic(terms: &Terms<'_>, code: u8, parts: &[Term]) -> Option<String> {
    let left = *parts.first()?;
    let a = left.name();
    let b = parts.get(1).map_or_else(String::new, |&right| right.name());
    let bits = if code & 1 == 0 { 32 } else { 64 };
    let value = |term: Term| match terms.node(term) {
        Node::Int(value) => Some(i64::from(*value)),
        Node::Long(value) => Some(*value),
        _ => None,
    };
    let constant = parts.get(1).and_then(|&right| value(right));
    let left_constant = value(left);
    let fp = |word: &str| Some(format!("({word} RNE {a} {b})"));
    Some(match code {
        96 | 97 => wrapped_once(&format!("(+ {a} {b})"), bits),
        100 | 101 => wrapped_once(&format!("(- {a} {b})"), bits),
        104 | 105 => wrapped(&format!("(* {a} {b})"), bits),
        108 | 109 => wrapped_once(
            &format!("(ite (>= {a} 0) (div {a} {b}) (- (div (- {a}) {b})))"),
            bits,
        ),
        112 | 113 => format!("(ite (>= {a} 0) (mod {a} {b}) (- (mod (- {a}) {b})))"),
        116 | 117 => wrapped_once(&format!("(- {a})"), bits),
        120..=125 if constant.is_some() => shift(code, &a, constant.unwrap_or(0), bits),
        126..=131 if constant.is_some() => masked(code, &a, constant.unwrap_or(0)),
        126..=131 if left_constant.is_some() => masked(code, &b, left_constant.unwrap_or(0)),
        120..=131 => through_bits(code, &a, &b, bits)?,
        opcode::LCMP => format!("(ite (< {a} {b}) (- 1) (ite (= {a} {b}) 0 1))"),
        149 | 151 => format!("(ite (fp.gt {a} {b}) 1 (ite (fp.eq {a} {b}) 0 (- 1)))"),
        150 | 152 => format!("(ite (fp.lt {a} {b}) (- 1) (ite (fp.eq {a} {b}) 0 1))"),
        98 | 99 => fp("fp.add")?,
        102 | 103 => fp("fp.sub")?,
        106 | 107 => fp("fp.mul")?,
        110 | 111 => fp("fp.div")?,
        118 | 119 => format!("(fp.neg {a})"),
        133 => a,
        136 => wrapped(&a, 32),
        145 => wrapped(&a, 8),
        146 => format!("(mod {a} 65536)"),
        147 => wrapped(&a, 16),
        134 | 137 => format!("((_ to_fp 8 24) RNE ((_ int2bv 64) {a}))"),
        135 | 138 => format!("((_ to_fp 11 53) RNE ((_ int2bv 64) {a}))"),
        141 => format!("((_ to_fp 11 53) RNE {a})"),
        144 => format!("((_ to_fp 8 24) RNE {a})"),
        139 | 140 | 142 | 143 => to_integer(code, &a),
        _ => return None,
    })
}

/// A shift by a constant, of which only the low bits count.
fn shift(code: u8, a: &str, by: i64, bits: u32) -> String {
    let by = by & i64::from(bits - 1);
    let factor = 1_u128 << by;
    match code {
        120 | 121 => wrapped(&format!("(* {a} {factor})"), bits),
        122 | 123 => format!("(div {a} {factor})"),
        _ if by == 0 => a.to_owned(),
        _ => format!(
            "(div (ite (< {a} 0) (+ {a} {}) {a}) {factor})",
            1_u128 << bits
        ),
    }
}

/// `&`, `|` and `^` with a constant, by division and remainder: each run of ones is a part of the number.
fn masked(code: u8, a: &str, mask: i64) -> String {
    match code {
        126 | 127 if mask < 0 => format!("(- {a} {})", masked(code, a, !mask)),
        126 | 127 => {
            let mut parts = String::from("(+ 0");
            let mut rest = mask as u64;
            while rest != 0 {
                let low = rest.trailing_zeros();
                let ones = (rest >> low).trailing_ones();
                let (unit, size) = (1_u128 << low, 1_u128 << ones);
                let _ = write!(parts, " (* {unit} (mod (div {a} {unit}) {size}))");
                rest &= !(((1_u128 << (low + ones)) - 1) as u64);
            }
            parts.push(')');
            parts
        }
        // Of the complements, so that the mask is not negative.
        128 | 129 if mask < 0 => {
            let complement = format!("(- (- 1) {a})");
            format!("(- (- 1) {})", masked(126, &complement, !mask))
        }
        128 | 129 => format!("(- (+ {a} {mask}) {})", masked(126, a, mask)),
        _ if mask < 0 => format!("(- (- 1) {})", masked(code, a, !mask)),
        _ => format!("(- (+ {a} {mask}) (* 2 {}))", masked(126, a, mask)),
    }
}

fn through_bits(code: u8, a: &str, b: &str, bits: u32) -> Option<String> {
    let vector = |value: &str| format!("((_ int2bv {bits}) {value})");
    let word = match code {
        120 | 121 => "bvshl",
        122 | 123 => "bvashr",
        124 | 125 => "bvlshr",
        126 | 127 => "bvand",
        128 | 129 => "bvor",
        130 | 131 => "bvxor",
        _ => return None,
    };
    let right = if code < 126 {
        vector(&format!("(mod {b} {bits})"))
    } else {
        vector(b)
    };
    Some(wrapped_once(
        &format!("(bv2int ({word} {} {right}))", vector(a)),
        bits,
    ))
}

/// Towards zero, within the limits, NaN to 0.
fn to_integer(code: u8, a: &str) -> String {
    let bits: u32 = if matches!(code, 139 | 142) { 32 } else { 64 };
    let format = if code < 142 { "8 24" } else { "11 53" };
    let limit = 1_u128 << (bits - 1);
    let above = format!("(fp.geq {a} ((_ to_fp {format}) RNE {limit}.0))");
    let below = format!("(fp.leq {a} ((_ to_fp {format}) RNE (- {limit}.0)))");
    let inside = wrapped_once(&format!("(bv2int ((_ fp.to_sbv {bits}) RTZ {a}))"), bits);
    format!(
        "(ite (fp.isNaN {a}) 0 (ite {above} {} (ite {below} (- {limit}) {inside})))",
        limit - 1
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use recrash_program::{ClassPath, Program};

    use super::*;
    use crate::arithmetic::fold;
    use crate::smt::Script;
    use crate::solver::{Answer, Solver};
    use crate::term::{Function, Kind};

    const INTS: [i32; 9] = [0, 1, -1, 7, -13, 100_000, 0x5a5a_5a5a, i32::MAX, i32::MIN];
    const LONGS: [i64; 7] = [0, 1, -1, 77, -3_000_000_000, i64::MAX, i64::MIN];

    /// What the solver says an instruction gives must be what the JVM gives, where both arguments are unknown to the script
    /// and where the second is a constant.
    fn agrees(
        terms: &mut Terms<'_>,
        solver: &mut Solver,
        code: u8,
        left: &Node,
        right: Option<&Node>,
    ) {
        let Some(expected) = fold(code, left, right) else {
            return;
        };
        let (given, kind) = (terms.leaf(left.clone()), kind_of(left));
        let unknown = terms.leaf(Node::Argument(0, kind));
        let is_left = terms.same(unknown, given);
        let mut forms = vec![(vec![unknown], vec![is_left])];
        if let Some(right) = right {
            let constant = terms.leaf(right.clone());
            let other = terms.leaf(Node::Argument(1, kind_of(right)));
            let is_right = terms.same(other, constant);
            // Through bit vectors the solver takes seconds for each; shifts by what is no constant are rare.
            forms = vec![(vec![unknown, constant], vec![is_left])];
            if !(120..=131).contains(&code) {
                forms.push((vec![unknown, other], vec![is_left, is_right]));
            }
        }
        for (arguments, mut conditions) in forms {
            let result = terms.apply(Function::Java(code), &arguments);
            let value = terms.leaf(expected.clone());
            let same = terms.same(result, value);
            conditions.push(terms.not(same));
            let script = Script::of(terms, &conditions);
            solver.push().unwrap();
            solver.tell(&script.text).unwrap();
            let answer = solver.check(Duration::from_secs(20)).unwrap();
            solver.pop().unwrap();
            let case = format!("{code} {left:?} {right:?} {expected:?}");
            assert_eq!(answer, Answer::Unsatisfiable, "{case}\n{}", script.text);
        }
    }

    fn kind_of(node: &Node) -> Kind {
        match node {
            Node::Long(_) => Kind::Long,
            _ => Kind::Int,
        }
    }

    #[test]
    fn integers_of_the_solver_are_those_of_the_jvm() {
        let program = Program::new(ClassPath::open([] as [&Path; 0], None, 17).unwrap());
        let mut terms = Terms::new(&program);
        let mut solver = Solver::start().unwrap();
        for left in INTS {
            let left = Node::Int(left);
            for code in [116, 133, 145, 146, 147] {
                agrees(&mut terms, &mut solver, code, &left, None);
            }
            for right in INTS {
                let right = Node::Int(right);
                for code in [96, 100, 104, 108, 112, 120, 122, 124, 126, 128, 130] {
                    agrees(&mut terms, &mut solver, code, &left, Some(&right));
                }
            }
        }
        for left in LONGS {
            let left = Node::Long(left);
            for code in [117, 136] {
                agrees(&mut terms, &mut solver, code, &left, None);
            }
            for right in LONGS {
                let right = Node::Long(right);
                for code in [97, 101, 105, 109, 113, 127, 129, 131, opcode::LCMP] {
                    agrees(&mut terms, &mut solver, code, &left, Some(&right));
                }
            }
            for by in [0, 1, 33, -1] {
                for code in [121, 123, 125] {
                    agrees(&mut terms, &mut solver, code, &left, Some(&Node::Int(by)));
                }
            }
        }
    }
}
