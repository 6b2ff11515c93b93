//! The clauses of the formula, each a set of literals.
//!
//! Repeated literals of a clause are merged and tautologies are dropped, so that all later steps can count
//! literals.

use super::code::Code;

/// A formula in flat buffers: clauses of one and of two literals apart from the longer ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    /// True if the formula has an empty clause.
    pub(super) refuted: bool,
    pub(super) units: Vec<Code>,
    pub(super) binary: Vec<[Code; 2]>,
    pub(super) long: Lists,
    /// A buffer for one clause while it is sorted, reused for every clause.
    sorted: Vec<Code>,
}

/// Lists of literals, one after the other in one buffer.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    codes: Vec<Code>,
    ends: Vec<usize>,
}

impl Lists {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, list: &[Code]) {
        self.codes.extend_from_slice(list);
        self.ends.push(self.codes.len());
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Code]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.codes[std::mem::replace(&mut start, end)..end])
    }

    fn codes_mut(&mut self) -> &mut [Code] {
        &mut self.codes
    }
}

impl Clauses {
    /// Adds a clause.
    #[inline]
    pub(super) fn add(&mut self, codes: impl ExactSizeIterator<Item = Code>) {
        self.sorted.clear();
        self.sorted.extend(codes);
        match *self.sorted {
            [first, second] if first != second => {
                if first != !second {
                    self.binary.push([first, second]);
                }
            }
            _ => self.add_set(),
        }
    }

    /// Adds the clause in `sorted`, of any length, after sorting its literals.
    fn add_set(&mut self) {
        self.sorted.sort_unstable();
        self.sorted.dedup();
        // Both literals of a variable are adjacent now.
        if self.sorted.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        match *self.sorted {
            [] => self.refuted = true,
            [unit] => self.units.push(unit),
            [first, second] => self.binary.push([first, second]),
            _ => self.long.push(&self.sorted),
        }
    }

    /// Renames the literals.
    pub(super) fn rename(&mut self, mut name: impl FnMut(Code) -> Code) {
        let binary = self.binary.iter_mut().flatten();
        for code in self.units.iter_mut().chain(binary).chain(self.long.codes_mut()) {
            *code = name(*code);
        }
    }

    /// Iterates over all clauses except empty ones.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[Code]> {
        let units = self.units.iter().map(std::slice::from_ref);
        units.chain(self.binary.iter().map(<[Code; 2]>::as_slice)).chain(self.long.iter())
    }
}
