//! The text of literals, made once and copied often.

use rustsat::types::Lit;

use crate::sink::VarRange;

/// The text of every literal, with a space after it.
///
/// The text of a variable's literals is made together with the variable. A literal of any length is then written by
/// copying eight bytes: the next one overwrites the surplus. Only the first variables have a text of their own, so that
/// the table stays in the cache. The text of every other number is composed of two of theirs.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// By literals: the text, its first byte lowest, and zeros above.
    texts: Vec<u64>,
    variables: u32,
}

/// The number of variables with a text of their own. With sign and space it takes eight bytes at most, and the leading
/// digits of every possible number are one of these texts.
const READY: u32 = 1 << 18;

/// Larger numbers are composed of leading digits and the last four.
const SPLIT: u32 = 10_000;

impl Tokens {
    /// The number of bytes that must be free where a literal is written.
    pub(super) const MAX_BYTES: usize = 16;

    /// Makes the texts of these variables, which follow those made before.
    pub(super) fn extend(&mut self, range: VarRange) {
        self.variables += range.len();
        for var in range.vars().take_while(|var| var.idx32() < READY) {
            let mut number = var.idx32() + 1;
            let mut text = u64::from(b' ');
            while number > 0 {
                text = text << 8 | u64::from(b'0' + (number % 10) as u8);
                number /= 10;
            }
            self.texts.extend([text, text << 8 | u64::from(b'-')]);
        }
    }

    /// Writes the literal to the front of `out`, and returns the number of its bytes.
    #[inline]
    pub(super) fn write(&self, lit: Lit, out: &mut [u8]) -> usize {
        match self.texts.get(lit.lidx()) {
            Some(&text) => put(text, out),
            None => self.write_large(lit, out),
        }
    }

    fn write_large(&self, lit: Lit, out: &mut [u8]) -> usize {
        assert!(lit.vidx32() < self.variables, "the variable of {lit} was never made");
        let number = lit.vidx32() + 1;
        let leading = Lit::new(number / SPLIT - 1, lit.is_neg());
        // The last four digits, those of 4711 as 14711 without its first.
        let last = Lit::positive(SPLIT + number % SPLIT - 1);
        let end = put(self.texts[leading.lidx()], out) - 1;
        end + put(self.texts[last.lidx()] >> 8, &mut out[end..])
    }
}

/// Copies a text and returns its length: after it come zeros only.
#[inline]
fn put(text: u64, out: &mut [u8]) -> usize {
    out[..8].copy_from_slice(&text.to_le_bytes());
    8 - text.leading_zeros() as usize / 8
}
