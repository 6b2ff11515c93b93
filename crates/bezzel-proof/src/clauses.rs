//! Clauses by number, in one flat array.
//!
//! A record consists of three words, which contain the length with two marks and the number, and of the literals. The
//! index from numbers to records is a table of positions alone, since the numbers are in the records, which are read
//! anyway. Deleted records are marked, and the array is compacted once they are half of it. Memory therefore depends on
//! the live clauses, not on the length of the proof.

use crate::limits::Budget;
use crate::refusal::Cause;

/// Words before a record's literals.
const HEADER: usize = 3;
/// Marks a record that was deleted.
const DELETED: u32 = 1 << 31;
/// Marks a clause that contains a literal and its negation.
const TAUTOLOGY: u32 = 1 << 30;
const LENGTH: u32 = TAUTOLOGY - 1;
/// The number of deleted words up to which the array is not compacted.
const MIN_GARBAGE: usize = 1 << 14;

/// The live clauses.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    /// Positions of records, by the hash of their numbers; 0 where there is none. A power of two.
    slots: Vec<u32>,
    /// The number of slots in use.
    numbered: usize,
    live: u64,
    peak: u64,
    garbage: usize,
    /// The position of the first clause without a number, and the number of such clauses. They are consecutive.
    unnumbered: (usize, u64),
}

/// The position of a clause. Deletions and additions may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClauseIndex(u32);

impl Clauses {
    /// The largest number of clauses at one time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// The number of clauses without a number.
    pub(crate) fn unnumbered(&self) -> u64 {
        self.unnumbered.1
    }

    /// Adds a clause under a new number, or under 0, which means that it is numbered later.
    pub(crate) fn add(
        &mut self,
        id: u64,
        literals: &[u32],
        tautology: bool,
        budget: &mut Budget,
    ) -> Result<ClauseIndex, Cause> {
        self.reserve(HEADER + literals.len(), budget)?;
        if self.words.is_empty() {
            // Position 0 means that there is no record.
            self.words.push(0);
        }
        let position = self.words.len();
        if literals.len() >= LENGTH as usize
            || position + HEADER + literals.len() > u32::MAX as usize
        {
            return Err(Cause::Addresses);
        }
        let mark = if tautology { TAUTOLOGY } else { 0 };
        self.words.extend([literals.len() as u32 | mark, id as u32, (id >> 32) as u32]);
        self.words.extend_from_slice(literals);
        self.live += 1;
        self.peak = self.peak.max(self.live);
        if id != 0 {
            self.enter(position, budget)?;
        } else {
            if self.unnumbered.1 == 0 {
                self.unnumbered.0 = position;
            }
            self.unnumbered.1 += 1;
        }
        Ok(ClauseIndex(position as u32))
    }

    /// Gives the first clause without a number this new one.
    pub(crate) fn number(&mut self, id: u64, budget: &mut Budget) -> Result<(), Cause> {
        let position = self.unnumbered.0;
        self.words[position + 1] = id as u32;
        self.words[position + 2] = (id >> 32) as u32;
        self.unnumbered = (self.after(position), self.unnumbered.1 - 1);
        self.enter(position, budget)
    }

    /// The clause of this number.
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<ClauseIndex> {
        self.slot(id).map(|slot| ClauseIndex(self.slots[slot]))
    }

    #[inline]
    fn slot(&self, id: u64) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = self.home(id);
        loop {
            match self.slots[slot] {
                0 => return None,
                position if self.id_at(position as usize) == id => return Some(slot),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The literals of a clause, each once.
    #[inline]
    pub(crate) fn literals(&self, position: ClauseIndex) -> &[u32] {
        let position = position.0 as usize;
        let length = self.words[position] & LENGTH;
        &self.words[position + HEADER..][..length as usize]
    }

    /// The number of a clause; 0 if it has none yet.
    pub(crate) fn id(&self, position: ClauseIndex) -> u64 {
        self.id_at(position.0 as usize)
    }

    /// True if a clause contains a literal and its negation.
    pub(crate) fn is_tautology(&self, position: ClauseIndex) -> bool {
        self.words[position.0 as usize] & TAUTOLOGY != 0
    }

    /// Deletes a clause.
    pub(crate) fn remove(&mut self, position: ClauseIndex) {
        let slot = self.slot(self.id(position));
        let position = position.0 as usize;
        self.words[position] |= DELETED;
        self.garbage += self.after(position) - position;
        self.live -= 1;
        if let Some(slot) = slot {
            self.empty(slot);
            self.numbered -= 1;
        }
    }

    /// Compacts the array if enough of it is deleted.
    pub(crate) fn tidy(&mut self) {
        if self.garbage > MIN_GARBAGE.max(self.words.len() / 2) {
            self.compact();
        }
    }

    /// Every live clause.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ClauseIndex> {
        let mut next = 1;
        std::iter::from_fn(move || {
            while next < self.words.len() {
                let position = next;
                next = self.after(position);
                if self.words[position] & DELETED == 0 {
                    return Some(ClauseIndex(position as u32));
                }
            }
            None
        })
    }

    fn id_at(&self, position: usize) -> u64 {
        u64::from(self.words[position + 1]) | u64::from(self.words[position + 2]) << 32
    }

    fn after(&self, position: usize) -> usize {
        position + HEADER + (self.words[position] & LENGTH) as usize
    }

    fn reserve(&mut self, words: usize, budget: &mut Budget) -> Result<(), Cause> {
        // One more for position 0.
        let grown = budget.grow(&mut self.words, words + 1);
        if grown.is_ok() || self.garbage == 0 {
            return grown;
        }
        self.compact();
        budget.grow(&mut self.words, words + 1)
    }

    fn compact(&mut self) {
        let (mut from, mut to) = (1, 1);
        let first_unnumbered = self.unnumbered.0;
        while from < self.words.len() {
            let next = self.after(from);
            if from == first_unnumbered {
                self.unnumbered.0 = to;
            }
            if self.words[from] & DELETED == 0 {
                self.words.copy_within(from..next, to);
                to += next - from;
            }
            from = next;
        }
        self.words.truncate(to);
        self.garbage = 0;
        self.slots.fill(0);
        let mut position = 1;
        while position < self.words.len() {
            if self.id_at(position) != 0 {
                self.place(position);
            }
            position = self.after(position);
        }
    }

    /// The slot where the search for a number begins: the upper bits of its product with 2^64 / φ.
    #[inline]
    fn home(&self, id: u64) -> usize {
        let hash = id.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn enter(&mut self, position: usize, budget: &mut Budget) -> Result<(), Cause> {
        if 2 * (self.numbered + 1) > self.slots.len() {
            let slots = budget.zeros((2 * self.slots.len()).max(16))?;
            let old = std::mem::replace(&mut self.slots, slots);
            for &position in old.iter().filter(|position| **position != 0) {
                self.place(position as usize);
            }
            budget.give_back(&old);
        }
        self.place(position);
        self.numbered += 1;
        Ok(())
    }

    fn place(&mut self, position: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(self.id_at(position));
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = position as u32;
    }

    /// Empties a slot, and moves later entries up that would no longer be found.
    fn empty(&mut self, mut hole: usize) {
        let mask = self.slots.len() - 1;
        let mut next = hole;
        loop {
            next = (next + 1) & mask;
            let position = self.slots[next];
            if position == 0 {
                break;
            }
            let home = self.home(self.id_at(position as usize));
            if next.wrapping_sub(home) & mask >= next.wrapping_sub(hole) & mask {
                self.slots[hole] = position;
                hole = next;
            }
        }
        self.slots[hole] = 0;
    }
}
