//! Numbers that stand for others.

use crate::replacement::{Shape, replaced};
use recrash_heap::Value;
use std::collections::hash_map::RandomState;

/// The digits that a number is known by, where it has enough of them to tell it from others.
pub(crate) fn digits_of(value: Value) -> Option<String> {
    let number = match value {
        Value::Byte(v) => i64::from(v),
        Value::Short(v) => i64::from(v),
        Value::Int(v) => i64::from(v),
        Value::Long(v) => v,
        Value::FloatBits(v) => return real_digits(f64::from(f32::from_bits(v))),
        Value::DoubleBits(v) => return real_digits(f64::from_bits(v)),
        _ => return None,
    };
    Some(number.unsigned_abs().to_string())
}

fn real_digits(number: f64) -> Option<String> {
    (number.is_finite() && number.abs() < 1e15).then(|| format!("{:.0}", number.abs().trunc()))
}

/// A number of as many digits in the place of another one, or zero.
pub(crate) fn replaced_number(value: Value, shape: Option<Shape>, salt: &RandomState) -> Value {
    let Some(shape) = shape else {
        return value.zero();
    };
    let Some(digits) = digits_of(value) else {
        return match value {
            Value::Char(unit) => {
                Value::Char(replaced(&[unit], shape, salt).first().copied().unwrap_or(0))
            }
            Value::Boolean(_) => value,
            _ => value.zero(),
        };
    };
    let other = if shape == Shape::Mask {
        // A number of ones fits wherever one of as many digits does.
        "1".repeat(digits.len())
    } else {
        let units: Vec<u16> = digits.encode_utf16().collect();
        let other = String::from_utf16_lossy(&replaced(&units, shape, salt));
        let rest = other.get(1..).filter(|_| other.is_ascii()).unwrap_or("");
        // Neither shorter nor too large for the type.
        let rest = rest.replace(|digit: char| !digit.is_ascii_digit(), "7");
        format!("1{rest}")
    };
    let magnitude: i64 = other.parse().unwrap_or(1);
    match value {
        Value::Byte(v) => Value::Byte(signed(magnitude, v < 0) as i8),
        Value::Short(v) => Value::Short(signed(magnitude, v < 0) as i16),
        Value::Int(v) => Value::Int(signed(magnitude, v < 0) as i32),
        Value::Long(v) => Value::Long(signed(magnitude, v < 0)),
        Value::FloatBits(v) => {
            let real: f32 = other.parse().unwrap_or(1.0);
            Value::FloatBits(real.copysign(f32::from_bits(v)).to_bits())
        }
        Value::DoubleBits(v) => {
            let real: f64 = other.parse().unwrap_or(1.0);
            Value::DoubleBits(real.copysign(f64::from_bits(v)).to_bits())
        }
        other => other,
    }
}

fn signed(magnitude: i64, negative: bool) -> i64 {
    if negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_type_sign_and_digits() {
        let salt = RandomState::new();
        let masked = |value| replaced_number(value, Some(Shape::Mask), &salt);
        assert_eq!(masked(Value::Long(-4711)), Value::Long(-1111));
        assert_eq!(masked(Value::Int(i32::MAX)), Value::Int(1_111_111_111));
        assert_eq!(masked(Value::Byte(-128)), Value::Byte(-111));
        assert_eq!(masked(Value::Boolean(true)), Value::Boolean(true));
        assert_eq!(replaced_number(Value::Long(7), None, &salt), Value::Long(0));
        let Value::Long(hashed) =
            replaced_number(Value::Long(i64::MAX), Some(Shape::Classes(0)), &salt)
        else {
            panic!("another type");
        };
        assert_eq!(hashed.to_string().len(), 19);
    }
}
