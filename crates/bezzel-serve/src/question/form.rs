//! Decoding of the query of an address.

/// Decodes `+` as a blank and `%` with two hexadecimal digits as a byte; returns `None` if the result is not UTF-8.
/// (URL Standard, section 5.1: `application/x-www-form-urlencoded` parsing, but strict.)
pub(super) fn decode(text: &str) -> Option<String> {
    decoded(text, b' ')
}

/// Decodes the path of an address in the same way, but keeps `+`.
pub(crate) fn decode_path(text: &str) -> Option<String> {
    decoded(text, b'+')
}

fn decoded(text: &str, plus: u8) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => plus,
            b'%' => digit(bytes.next()?)? << 4 | digit(bytes.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

fn digit(byte: u8) -> Option<u8> {
    Some(char::from(byte).to_digit(16)? as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_and_plus_signs_are_decoded() {
        for (text, decoded) in [
            ("", ""),
            ("1.1_2.5", "1.1_2.5"),
            ("a+b%2Bc", "a b+c"),
            ("%7Brows%3A%20x%7d", "{rows: x}"),
            ("%c3%A9é", "éé"),
            ("%00", "\0"),
        ] {
            assert_eq!(decode(text).as_deref(), Some(decoded), "{text}");
        }
        assert_eq!(decode_path("a+b%2B%20").as_deref(), Some("a+b+ "));
        for text in ["%", "%2", "%2g", "%+1", "%ff", "%é"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
