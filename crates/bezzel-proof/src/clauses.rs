//! Clauses by number, in one flat array.
//!
//! A record is three words, which say the length with two marks and the number, and then the
//! literals. The index from numbers to records is a table of positions alone, since the numbers
//! stand in the records, which are looked at anyway. What is deleted is marked, and the array is
//! moved together once half of it is of that kind: memory follows the clauses that live, whatever
//! the length of the proof.

use crate::limits::Budget;
use crate::refusal::Cause;

/// Words before a record's literals.
const HEADER: usize = 3;
/// Marks a record that was deleted.
const DELETED: u32 = 1 << 31;
/// Marks a clause that holds a literal and its negation.
const TAUTOLOGY: u32 = 1 << 30;
const LENGTH: u32 = TAUTOLOGY - 1;
/// Less than so many deleted words are left where they are.
const LEAST_GARBAGE: usize = 1 << 14;

/// The clauses that are there.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    /// Positions of records, by the hash of their numbers; 0 where there is none. A power of two.
    slots: Vec<u32>,
    /// How many slots are taken.
    numbered: usize,
    live: u64,
    most: u64,
    garbage: usize,
    /// The first clause that has no number yet, and how many there are. They stand one after another.
    unnumbered: (usize, u64),
}

/// A clause's place. What is deleted or added may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(u32);

impl Clauses {
    /// The most clauses that were there at once.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// How many clauses have no number yet.
    pub(crate) fn unnumbered(&self) -> u64 {
        self.unnumbered.1
    }

    /// Adds a clause under a number that none has, or under 0, which means that it is numbered later.
    pub(crate) fn add(
        &mut self,
        id: u64,
        literals: &[u32],
        tautology: bool,
        budget: &mut Budget,
    ) -> Result<Position, Cause> {
        self.make_room(HEADER + literals.len(), budget)?;
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
        self.most = self.most.max(self.live);
        if id != 0 {
            self.enter(position, budget)?;
        } else {
            if self.unnumbered.1 == 0 {
                self.unnumbered.0 = position;
            }
            self.unnumbered.1 += 1;
        }
        Ok(Position(position as u32))
    }

    /// Gives the first clause that has no number this one, which none has.
    pub(crate) fn number(&mut self, id: u64, budget: &mut Budget) -> Result<(), Cause> {
        let position = self.unnumbered.0;
        self.words[position + 1] = id as u32;
        self.words[position + 2] = (id >> 32) as u32;
        self.unnumbered = (self.after(position), self.unnumbered.1 - 1);
        self.enter(position, budget)
    }

    /// The clause of this number.
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<Position> {
        self.slot(id).map(|slot| Position(self.slots[slot]))
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
    pub(crate) fn literals(&self, position: Position) -> &[u32] {
        let position = position.0 as usize;
        let length = self.words[position] & LENGTH;
        &self.words[position + HEADER..][..length as usize]
    }

    /// The number of a clause; 0 if it has none yet.
    pub(crate) fn id(&self, position: Position) -> u64 {
        self.id_at(position.0 as usize)
    }

    /// Whether a clause holds a literal and its negation.
    pub(crate) fn is_tautology(&self, position: Position) -> bool {
        self.words[position.0 as usize] & TAUTOLOGY != 0
    }

    /// Deletes a clause.
    pub(crate) fn remove(&mut self, position: Position) {
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

    /// Moves together what is left, where that is worth it.
    pub(crate) fn tidy(&mut self) {
        if self.garbage > LEAST_GARBAGE.max(self.words.len() / 2) {
            self.compact();
        }
    }

    /// Every clause that is there.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Position> {
        let mut next = 1;
        std::iter::from_fn(move || {
            while next < self.words.len() {
                let position = next;
                next = self.after(position);
                if self.words[position] & DELETED == 0 {
                    return Some(Position(position as u32));
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

    fn make_room(&mut self, words: usize, budget: &mut Budget) -> Result<(), Cause> {
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

    /// The slot where a number is looked for first: the upper bits of its product with 2^64 / φ.
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

    /// Empties a slot, and moves up what would no longer be found behind it.
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
