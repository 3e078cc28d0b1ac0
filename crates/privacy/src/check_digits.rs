//! Check digits of cards and accounts: whether they are right, and right ones for other digits.

/// The Luhn check of payment cards (ISO/IEC 7812-1, annex B) over the digits of a text.
pub(crate) fn has_luhn_digit(text: &[u8]) -> bool {
    luhn_sum(
        text.iter()
            .rev()
            .filter(|byte| byte.is_ascii_digit())
            .map(|byte| byte - b'0'),
    ) % 10
        == 0
}

fn luhn_sum(from_the_right: impl Iterator<Item = u8>) -> u32 {
    let digit = |(index, digit): (usize, u8)| match (index % 2, u32::from(digit)) {
        (0, digit) => digit,
        (_, digit) if digit > 4 => 2 * digit - 9,
        (_, digit) => 2 * digit,
    };
    from_the_right.enumerate().map(digit).sum()
}

/// The remainder of an IBAN by 97 (ISO 13616), spaces left out; 1 in a valid one. `None` for other characters.
fn iban_remainder(text: &[u8]) -> Option<u32> {
    let bare: Vec<u8> = text.iter().copied().filter(|byte| *byte != b' ').collect();
    let (start, account) = bare.split_at_checked(4)?;
    account.iter().chain(start).try_fold(0, |rest, byte| {
        Some(match byte {
            b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
            b'A'..=b'Z' => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
            _ => return None,
        })
    })
}

/// Country codes with the lengths of their account numbers, from the registry of ISO 13616.
const LENGTHS: &str = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22\
    GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30NL18\
    NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SD18SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20";

/// How many bytes of the text are a valid IBAN, spaces included.
pub(crate) fn iban_bytes(text: &[u8]) -> Option<usize> {
    let country = text.get(..2)?;
    let length = LENGTHS
        .as_bytes()
        .chunks_exact(4)
        .find_map(|entry| entry.strip_prefix(country))
        .and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<usize>().ok())?;
    let (last, _) = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte != b' ')
        .nth(length - 1)?;
    let number = text.get(..=last)?;
    (iban_remainder(number) == Some(1)).then_some(number.len())
}

/// Makes a text that has the length of an IBAN or of a card number a valid one.
pub(crate) fn correct_check_digits(text: &mut [u16]) {
    let narrow: Vec<u8> = text
        .iter()
        .map(|unit| u8::try_from(*unit).unwrap_or(0xff))
        .collect();
    let begins_like_iban = matches!(narrow.as_slice(), [a, b, c, d, ..] if a.is_ascii_uppercase() && b.is_ascii_uppercase()
            && c.is_ascii_digit() && d.is_ascii_digit());
    if begins_like_iban {
        let mut zero = narrow.clone();
        if let Some(digits) = zero.get_mut(2..4) {
            digits.fill(b'0');
        }
        if let Some(rest) = iban_remainder(&zero) {
            let check = format!("{:02}", 98 - rest);
            for (place, digit) in text.iter_mut().skip(2).zip(check.bytes()) {
                *place = digit.into();
            }
        }
        return;
    }
    let digits: Vec<usize> = narrow
        .iter()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_digit())
        .map(|(index, _)| index)
        .collect();
    if let Some(last) = digits.last().and_then(|index| text.get_mut(*index)) {
        let others = narrow.iter().rev().filter(|byte| byte.is_ascii_digit());
        let with_zero = std::iter::once(0).chain(others.skip(1).map(|byte| byte - b'0'));
        *last = u16::from(b'0') + ((10 - luhn_sum(with_zero) % 10) % 10) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_tell_numbers_from_other_digits() {
        assert!(has_luhn_digit(b"4111 1111 1111 1111"));
        assert!(!has_luhn_digit(b"4111 1111 1111 1112"));
        assert_eq!(iban_bytes(b"DE89370400440532013000"), Some(22));
        assert_eq!(iban_bytes(b"DE89 3704 0044 0532 0130 00 THANKS"), Some(27));
        assert_eq!(iban_bytes(b"DE88370400440532013000"), None);
        assert_eq!(iban_bytes(b"ZZ89370400440532013000"), None);
    }
}
