//! Clauses by their literals, in one flat array.
//!
//! A record is the length with two marks, the position of the next record with the same hash, and the literals, of
//! which the first two are watched. The array is compacted once half of it is deleted.

use crate::limits::Budget;
use crate::refusal::Cause;

/// Words before a record's literals.
const HEADER: usize = 2;
/// Marks a record that was deleted.
const DELETED: u32 = 1 << 31;
/// Marks a clause that contains a literal and its negation.
const TAUTOLOGY: u32 = 1 << 30;
const LENGTH: u32 = TAUTOLOGY - 1;
/// The number of deleted words up to which the array is not compacted.
const MIN_GARBAGE: usize = 1 << 14;

/// The live clauses.
#[derive(Debug, Default)]
pub(super) struct ClauseStore {
    words: Vec<u32>,
    /// The last record of each hash; 0 where there is none. A power of two.
    chains: Vec<u32>,
    live: u64,
    peak: u64,
    garbage: usize,
    /// The occurrences of each literal, from the first step on that needs them.
    occurrences: Option<Vec<Occurrence>>,
}

/// The occurrences of a literal.
#[derive(Clone, Copy, Debug, Default)]
struct Occurrence {
    /// The number of clauses with it, without tautologies.
    count: u32,
    /// A position before which no clause has it.
    first: u32,
}

/// The position of a clause, until clauses are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseOffset(u32);

impl ClauseStore {
    /// The largest number of clauses at one time.
    pub(super) fn peak(&self) -> u64 {
        self.peak
    }

    /// Adds a clause, whose literals occur once each.
    pub(super) fn add(
        &mut self,
        literals: &[u32],
        tautology: bool,
        budget: &mut Budget,
    ) -> Result<ClauseOffset, Cause> {
        // One more for position 0, which means that there is no record.
        budget.grow(&mut self.words, 1 + HEADER + literals.len())?;
        if self.words.is_empty() {
            self.words.push(0);
        }
        let position = self.words.len();
        if literals.len() >= LENGTH as usize
            || position + HEADER + literals.len() > u32::MAX as usize
        {
            return Err(Cause::Addresses);
        }
        if self.live >= self.chains.len() as u64 {
            let chains = budget.zeros((2 * self.chains.len()).max(16))?;
            budget.give_back(&self.chains);
            self.chains = chains;
            self.chain_all();
        }
        let mark = if tautology { TAUTOLOGY } else { 0 };
        self.words.extend([literals.len() as u32 | mark, 0]);
        self.words.extend_from_slice(literals);
        self.chain(position);
        self.live += 1;
        self.peak = self.peak.max(self.live);
        if let Some(occurrences) = &mut self.occurrences
            && !tautology
        {
            note(occurrences, literals, position, budget)?;
        }
        Ok(ClauseOffset(position as u32))
    }

    /// A clause with these literals, which are sorted.
    pub(super) fn find(&self, literals: &[u32]) -> Option<ClauseOffset> {
        if self.chains.is_empty() {
            return None;
        }
        let mut position = self.chains[self.home(literals)];
        while position != 0 {
            let found = self.literals(ClauseOffset(position));
            let same = found.len() == literals.len()
                && found.iter().all(|code| literals.binary_search(code).is_ok());
            if same {
                return Some(ClauseOffset(position));
            }
            position = self.words[position as usize + 1];
        }
        None
    }

    #[inline]
    pub(super) fn literals(&self, position: ClauseOffset) -> &[u32] {
        let position = position.0 as usize;
        let length = self.words[position] & LENGTH;
        &self.words[position + HEADER..][..length as usize]
    }

    #[inline]
    pub(super) fn literals_mut(&mut self, position: ClauseOffset) -> &mut [u32] {
        let position = position.0 as usize;
        let length = self.words[position] & LENGTH;
        &mut self.words[position + HEADER..][..length as usize]
    }

    #[inline]
    pub(super) fn is_deleted(&self, position: ClauseOffset) -> bool {
        self.words[position.0 as usize] & DELETED != 0
    }

    /// Deletes a clause. Its watches are removed when they are next visited.
    pub(super) fn remove(&mut self, position: ClauseOffset) {
        let home = self.home(self.literals(position));
        let after = self.words[position.0 as usize + 1];
        let mut link = self.chains[home];
        if link == position.0 {
            self.chains[home] = after;
        } else {
            while self.words[link as usize + 1] != position.0 {
                link = self.words[link as usize + 1];
            }
            self.words[link as usize + 1] = after;
        }
        let at = position.0 as usize;
        if let Some(occurrences) = &mut self.occurrences
            && self.words[at] & TAUTOLOGY == 0
        {
            let length = (self.words[at] & LENGTH) as usize;
            for &code in &self.words[at + HEADER..][..length] {
                occurrences[code as usize].count -= 1;
            }
        }
        self.words[at] |= DELETED;
        self.garbage += self.after(at) - at;
        self.live -= 1;
    }

    /// Compacts the array if enough of it is deleted. Returns true if it did.
    pub(super) fn tidy(&mut self) -> bool {
        if self.garbage <= MIN_GARBAGE.max(self.words.len() / 2) {
            return false;
        }
        let (mut from, mut to) = (1, 1);
        while from < self.words.len() {
            let next = self.after(from);
            if self.words[from] & DELETED == 0 {
                self.words.copy_within(from..next, to);
                to += next - from;
            }
            from = next;
        }
        self.words.truncate(to);
        self.garbage = 0;
        self.chain_all();
        if let Some(occurrences) = &mut self.occurrences {
            // The new positions are not computed: a search starts at the beginning.
            for occurrence in occurrences {
                occurrence.first = 1;
            }
        }
        true
    }

    /// Every clause that may be watched.
    pub(super) fn iter(&self) -> impl Iterator<Item = ClauseOffset> {
        let mut next = 1;
        std::iter::from_fn(move || {
            let found = self.at_or_after(next)?;
            next = self.after(found.0 as usize);
            Some(found)
        })
    }

    /// The first clause that contains this literal, without tautologies.
    pub(super) fn first_with(
        &mut self,
        code: u32,
        budget: &mut Budget,
    ) -> Result<Option<ClauseOffset>, Cause> {
        if self.occurrences.is_none() {
            let mut occurrences = Vec::new();
            for position in self.iter() {
                note(&mut occurrences, self.literals(position), position.0 as usize, budget)?;
            }
            self.occurrences = Some(occurrences);
        }
        let found = self.occurrences.as_ref().and_then(|of| of.get(code as usize)).copied();
        Ok(found.filter(|of| of.count > 0).and_then(|of| self.with(code, of.first as usize)))
    }

    /// The first clause after this one that contains the literal.
    pub(super) fn next_with(&self, code: u32, position: ClauseOffset) -> Option<ClauseOffset> {
        self.with(code, self.after(position.0 as usize))
    }

    fn with(&self, code: u32, mut from: usize) -> Option<ClauseOffset> {
        loop {
            let found = self.at_or_after(from)?;
            if self.literals(found).contains(&code) {
                return Some(found);
            }
            from = self.after(found.0 as usize);
        }
    }

    /// The first clause at this position or after it, without tautologies.
    fn at_or_after(&self, mut position: usize) -> Option<ClauseOffset> {
        while position < self.words.len() {
            if self.words[position] & (DELETED | TAUTOLOGY) == 0 {
                return Some(ClauseOffset(position as u32));
            }
            position = self.after(position);
        }
        None
    }

    fn after(&self, position: usize) -> usize {
        position + HEADER + (self.words[position] & LENGTH) as usize
    }

    fn chain_all(&mut self) {
        self.chains.fill(0);
        let mut position = 1;
        while position < self.words.len() {
            if self.words[position] & DELETED == 0 {
                self.chain(position);
            }
            position = self.after(position);
        }
    }

    fn chain(&mut self, position: usize) {
        let home = self.home(self.literals(ClauseOffset(position as u32)));
        self.words[position + 1] = self.chains[home];
        self.chains[home] = position as u32;
    }

    /// The chain of these literals, in any order.
    fn home(&self, literals: &[u32]) -> usize {
        let mix = |code: u32| u64::from(code).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        let sum = literals.iter().fold(literals.len() as u64, |sum, code| {
            sum.wrapping_add(mix(*code) ^ u64::from(*code).wrapping_mul(0xff51_afd7_ed55_8ccd))
        });
        (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.chains.len() - 1)
    }
}

/// Counts the literals of one more clause.
fn note(
    occurrences: &mut Vec<Occurrence>,
    literals: &[u32],
    position: usize,
    budget: &mut Budget,
) -> Result<(), Cause> {
    for &code in literals {
        let code = code as usize;
        if code >= occurrences.len() {
            let more = code + 1 - occurrences.len();
            budget.grow(occurrences, more)?;
            occurrences.resize(code + 1, Occurrence::default());
        }
        let occurrence = &mut occurrences[code];
        if occurrence.count == 0 {
            occurrence.first = position as u32;
        }
        occurrence.count += 1;
    }
    Ok(())
}
