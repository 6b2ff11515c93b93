//! The values of a model, digit by digit.

use super::quote::is_blank;

/// Two bits for each variable: the first is set if it has a value, the second if that value is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    variables: u32,
    known: Vec<u64>,
    true_ones: Vec<u64>,
    ended: bool,
    number: Option<PartialLiteral>,
}

/// A literal that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PartialLiteral {
    negative: bool,
    digits: u32,
    value: u64,
}

impl Values {
    pub(super) fn new(variables: u32) -> Self {
        let words = vec![0; variables.div_ceil(64) as usize];
        Self { variables, known: words.clone(), true_ones: words, ended: false, number: None }
    }

    /// Returns true if a 0 has ended the model.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    pub(super) fn is_true(&self, variable: usize) -> bool {
        bit(&self.true_ones, variable)
    }

    /// Takes a byte of the model: a digit, a sign, or the end of a number.
    pub(super) fn take(&mut self, byte: u8) -> Result<(), String> {
        match byte {
            byte if is_blank(byte) => self.end_number(),
            b'-' | b'0'..=b'9' if self.ended => Err("the model goes on after its 0".into()),
            b'-' if self.number.is_none() => {
                self.number = Some(PartialLiteral { negative: true, digits: 0, value: 0 });
                Ok(())
            }
            b'0'..=b'9' => {
                let number = self.number.get_or_insert(PartialLiteral {
                    negative: false,
                    digits: 0,
                    value: 0,
                });
                number.digits += 1;
                number.value = number.value.saturating_mul(10).saturating_add((byte - b'0').into());
                if number.digits > 10 {
                    Err("a literal has more than 10 digits".into())
                } else {
                    Ok(())
                }
            }
            byte if byte.is_ascii_graphic() => {
                Err(format!("`{}` in a model, which holds numbers only", char::from(byte)))
            }
            byte => Err(format!("the byte {byte:#04x} in a model, which holds numbers only")),
        }
    }

    /// Ends a number, if one is being read.
    pub(super) fn end_number(&mut self) -> Result<(), String> {
        match self.number.take() {
            None => Ok(()),
            Some(PartialLiteral { digits: 0, .. }) => Err("`-` without a number in a model".into()),
            Some(PartialLiteral { negative, value: 0, .. }) => {
                self.ended = true;
                if negative { Err("`-0` in a model".into()) } else { Ok(()) }
            }
            Some(PartialLiteral { negative, value, .. }) => self.set(value, negative),
        }
    }

    fn set(&mut self, variable: u64, negative: bool) -> Result<(), String> {
        if variable > self.variables.into() {
            return Err(format!(
                "a value of variable {variable} in a model of a formula that has {}",
                self.variables
            ));
        }
        let index = variable as usize - 1;
        if bit(&self.known, index) {
            return Err(if bit(&self.true_ones, index) == negative {
                format!("the model gives two values to variable {variable}")
            } else {
                format!("the model gives its value to variable {variable} twice")
            });
        }
        self.known[index / 64] |= 1 << (index % 64);
        if !negative {
            self.true_ones[index / 64] |= 1 << (index % 64);
        }
        Ok(())
    }
}

fn bit(words: &[u64], index: usize) -> bool {
    words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}
