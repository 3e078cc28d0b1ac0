//! What the arithmetic instructions of the JVM give for constants (JVMS 6.5).

use recrash_classfile::opcode;

use crate::term::Node;

/// The result for constants; `None` where the instruction throws or is not known.
pub(crate) fn fold(code: u8, left: &Node, right: Option<&Node>) -> Option<Node> {
    match (left, right) {
        (Node::Int(left), Some(Node::Int(right))) => int(code, *left, *right).map(Node::Int),
        (Node::Long(left), Some(Node::Long(right))) => match code {
            opcode::LCMP => Some(Node::Int(left.cmp(right) as i32)),
            _ => long(code, *left, *right).map(Node::Long),
        },
        (Node::Long(left), Some(Node::Int(right))) => match code {
            121 => Some(Node::Long(left.wrapping_shl(*right as u32))),
            123 => Some(Node::Long(left.wrapping_shr(*right as u32))),
            125 => Some(Node::Long((*left as u64).wrapping_shr(*right as u32) as i64)),
            _ => None,
        },
        (Node::Float(left), Some(Node::Float(right))) => {
            let (left, right) = (f32::from_bits(*left), f32::from_bits(*right));
            match code {
                98 => Some(left + right),
                102 => Some(left - right),
                106 => Some(left * right),
                110 => Some(left / right),
                _ => {
                    return compared(code, 149, left.partial_cmp(&right));
                }
            }
            .map(|value| Node::Float(value.to_bits()))
        }
        (Node::Double(left), Some(Node::Double(right))) => {
            let (left, right) = (f64::from_bits(*left), f64::from_bits(*right));
            match code {
                99 => Some(left + right),
                103 => Some(left - right),
                107 => Some(left * right),
                111 => Some(left / right),
                _ => {
                    return compared(code, 151, left.partial_cmp(&right));
                }
            }
            .map(|value| Node::Double(value.to_bits()))
        }
        (left, None) => convert(code, left),
        _ => None,
    }
}

/// `fcmpl` and its like: `low` is the opcode that takes NaN for less.
fn compared(code: u8, low: u8, order: Option<std::cmp::Ordering>) -> Option<Node> {
    let unordered = match code {
        _ if code == low => -1,
        _ if code == low + 1 => 1,
        _ => return None,
    };
    Some(Node::Int(order.map_or(unordered, |order| order as i32)))
}

fn int(code: u8, left: i32, right: i32) -> Option<i32> {
    Some(match code {
        96 => left.wrapping_add(right),
        100 => left.wrapping_sub(right),
        104 => left.wrapping_mul(right),
        108 if right != 0 => left.wrapping_div(right),
        112 if right != 0 => left.wrapping_rem(right),
        120 => left.wrapping_shl(right as u32),
        122 => left.wrapping_shr(right as u32),
        124 => (left as u32).wrapping_shr(right as u32) as i32,
        126 => left & right,
        128 => left | right,
        130 => left ^ right,
        _ => return None,
    })
}

fn long(code: u8, left: i64, right: i64) -> Option<i64> {
    Some(match code {
        97 => left.wrapping_add(right),
        101 => left.wrapping_sub(right),
        105 => left.wrapping_mul(right),
        109 if right != 0 => left.wrapping_div(right),
        113 if right != 0 => left.wrapping_rem(right),
        127 => left & right,
        129 => left | right,
        131 => left ^ right,
        _ => return None,
    })
}

#[allow(clippy::cast_precision_loss, reason = "so does the JVM")]
fn convert(code: u8, value: &Node) -> Option<Node> {
    Some(match (code, value) {
        (116, Node::Int(value)) => Node::Int(value.wrapping_neg()),
        (117, Node::Long(value)) => Node::Long(value.wrapping_neg()),
        (118, Node::Float(value)) => Node::Float((-f32::from_bits(*value)).to_bits()),
        (119, Node::Double(value)) => Node::Double((-f64::from_bits(*value)).to_bits()),
        (133, Node::Int(value)) => Node::Long(i64::from(*value)),
        (134, Node::Int(value)) => Node::Float((*value as f32).to_bits()),
        (135, Node::Int(value)) => Node::Double(f64::from(*value).to_bits()),
        (136, Node::Long(value)) => Node::Int(*value as i32),
        (137, Node::Long(value)) => Node::Float((*value as f32).to_bits()),
        (138, Node::Long(value)) => Node::Double((*value as f64).to_bits()),
        // Rust's casts of floats are those of Java: towards zero, with limits, NaN to 0.
        (139, Node::Float(value)) => Node::Int(f32::from_bits(*value) as i32),
        (140, Node::Float(value)) => Node::Long(f32::from_bits(*value) as i64),
        (141, Node::Float(value)) => Node::Double(f64::from(f32::from_bits(*value)).to_bits()),
        (142, Node::Double(value)) => Node::Int(f64::from_bits(*value) as i32),
        (143, Node::Double(value)) => Node::Long(f64::from_bits(*value) as i64),
        (144, Node::Double(value)) => Node::Float((f64::from_bits(*value) as f32).to_bits()),
        (145, Node::Int(value)) => Node::Int(i32::from(*value as i8)),
        (146, Node::Int(value)) => Node::Int(i32::from(*value as u16)),
        (147, Node::Int(value)) => Node::Int(i32::from(*value as i16)),
        _ => return None,
    })
}
