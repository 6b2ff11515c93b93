//! LRAT proofs as values, with a writer and a reader that are independent of the library.

use std::fmt::Write;

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Add { id: i64, literals: Vec<i64>, hints: Vec<i64> },
    Delete { id: i64, ids: Vec<i64> },
}

/// The proof in text.
pub(crate) fn text(steps: &[Step]) -> Vec<u8> {
    let mut text = String::new();
    let list = |text: &mut String, numbers: &[i64]| {
        for number in numbers {
            write!(text, "{number} ").unwrap();
        }
        text.push('0');
    };
    for step in steps {
        match step {
            Step::Add { id, literals, hints } => {
                write!(text, "{id} ").unwrap();
                list(&mut text, literals);
                text.push(' ');
                list(&mut text, hints);
            }
            Step::Delete { id, ids } => {
                write!(text, "{id} d ").unwrap();
                list(&mut text, ids);
            }
        }
        text.push('\n');
    }
    text.into_bytes()
}

/// The proof in binary.
pub(crate) fn binary(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: i64| {
        let mut rest = u128::from(number.unsigned_abs()) * 2 + u128::from(number < 0);
        while rest >= 128 {
            bytes.push((rest % 128) as u8 + 128);
            rest /= 128;
        }
        bytes.push(rest as u8);
    };
    for step in steps {
        match step {
            Step::Add { id, literals, hints } => {
                bytes.push(b'a');
                number(&mut bytes, *id);
                for literal in literals {
                    number(&mut bytes, *literal);
                }
                bytes.push(0);
                for hint in hints {
                    number(&mut bytes, *hint);
                }
            }
            Step::Delete { ids, .. } => {
                bytes.push(b'd');
                for id in ids {
                    number(&mut bytes, *id);
                }
            }
        }
        bytes.push(0);
    }
    bytes
}

/// The steps of a proof in text, up to the first line that is none.
pub(crate) fn read<'a>(text: &'a [u8]) -> Vec<Step> {
    let words = |line: &'a [u8]| {
        let line = std::str::from_utf8(line).unwrap_or("broken");
        line.split([' ', '\t', '\r']).filter(|word| !word.is_empty()).collect()
    };
    let lines = text.split(|byte| *byte == b'\n').map(words);
    let says = |words: &Vec<&str>| words.first().is_some_and(|word| !word.starts_with('c'));
    lines.filter(says).map_while(|words| step(&words)).collect()
}

/// The step on a line; `None` if the line is broken.
fn step(words: &[&str]) -> Option<Step> {
    let number = |word: &&str| {
        let plain = word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        let leads = word.trim_start_matches('-').starts_with('0') && *word != "0";
        word.parse::<i64>().ok().filter(|_| plain && !leads)
    };
    let id = number(&words[0])?;
    let deletion = words.get(1).is_some_and(|word| word.starts_with('d'));
    if deletion && words[1] != "d" {
        return None;
    }
    let numbers: Option<Vec<i64>> = words[1 + usize::from(deletion)..].iter().map(number).collect();
    let numbers = numbers?;
    let mut parts = numbers.split(|number| *number == 0).map(<[i64]>::to_vec);
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next());
    if deletion {
        let whole = second.is_empty() && third.is_none();
        return whole.then_some(Step::Delete { id, ids: first });
    }
    let whole = third.is_some_and(|rest| rest.is_empty()) && parts.next().is_none();
    whole.then_some(Step::Add { id, literals: first, hints: second })
}
