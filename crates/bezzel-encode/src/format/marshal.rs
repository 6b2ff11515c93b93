//! Lists of clauses in [the format of Python's module `marshal`](super::binary::ClauseFormat::Marshal).

use rustsat::types::Lit;

/// The types of elements: a list, a literal without a number, one that gets the next number, and a numbered one.
const LIST: u8 = b'[';
const INTEGER: u8 = b'i';
const NUMBERED: u8 = b'i' | 0x80;
const REFERENCE: u8 = b'r';

/// Literals of further variables get no number, so that a large variable needs no large table.
const NUMBERED_VARIABLES: u32 = 1 << 22;

/// Writes lists, and numbers their literals.
///
/// A literal gets a number at its first occurrence, and is a reference afterwards. Python then makes one object for all
/// occurrences: less time, and less memory.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The literals of the list in the order of their numbers.
    numbered: Vec<Lit>,
    /// A number for each literal, by its index. It is valid if `numbered` has the literal there; other numbers are left
    /// from earlier lists.
    numbers: Vec<u32>,
}

impl Lists {
    /// Begins a list of this number of clauses.
    pub(super) fn begin(&mut self, clauses: i32, out: &mut Vec<u8>) {
        self.numbered.clear();
        element(LIST, clauses, out);
    }

    #[inline]
    pub(super) fn clause(&mut self, lits: &[Lit], out: &mut Vec<u8>) {
        element(LIST, lits.len() as i32, out);
        for &lit in lits {
            let (kind, value) = self.literal(lit);
            element(kind, value, out);
        }
    }

    /// The type and the value of a literal.
    #[inline]
    fn literal(&mut self, lit: Lit) -> (u8, i32) {
        if lit.vidx32() >= NUMBERED_VARIABLES {
            return (INTEGER, lit.to_ipasir());
        }
        let index = lit.lidx();
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, 0);
        }
        let number = self.numbers[index];
        if self.numbered.get(number as usize) == Some(&lit) {
            return (REFERENCE, number as i32);
        }
        self.numbers[index] = self.numbered.len() as u32;
        self.numbered.push(lit);
        (NUMBERED, lit.to_ipasir())
    }
}

#[inline]
fn element(kind: u8, value: i32, out: &mut Vec<u8>) {
    let [first, second, third, fourth] = value.to_le_bytes();
    out.extend_from_slice(&[kind, first, second, third, fourth]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(lists: &mut Lists, clauses: &[&[i32]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        lists.begin(clauses.len() as i32, &mut bytes);
        for clause in clauses {
            let lits: Vec<Lit> = clause.iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect();
            lists.clause(&lits, &mut bytes);
        }
        bytes
    }

    #[test]
    fn bytes_are_those_of_the_format() {
        let expected = [
            &b"[\x03\0\0\0"[..],
            b"[\x03\0\0\0\xe9\x01\0\0\0\xe9\xfd\xff\xff\xff\xe9\x02\x01\0\0",
            b"[\0\0\0\0",
            b"[\x02\0\0\0r\x01\0\0\0\xe9\x03\0\0\0",
        ];
        let clauses: [&[i32]; 3] = [&[1, -3, 258], &[], &[-3, 3]];
        let mut lists = Lists::default();
        assert_eq!(written(&mut lists, &clauses), expected.concat());
        // The numbers begin at 0 in each list.
        let expected = b"[\x01\0\0\0[\x03\0\0\0\xe9\xfd\xff\xff\xffr\0\0\0\0\xe9\x01\0\0\0";
        assert_eq!(written(&mut lists, &[&[-3, -3, 1]]), expected);
    }

    #[test]
    fn a_large_variable_gets_no_number_and_no_table() {
        let mut lists = Lists::default();
        let expected = b"[\x01\0\0\0[\x03\0\0\0i\xff\xff\xff\x7f\xe9\x05\0\0\0i\xff\xff\xff\x7f";
        assert_eq!(written(&mut lists, &[&[i32::MAX, 5, i32::MAX]]), expected);
        assert_eq!(lists.numbers.len(), 9);
    }
}
