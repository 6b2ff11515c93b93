//! The clauses during elimination, kept free of redundant clauses.
//!
//! A clause that contains another one is redundant and is removed: it is *subsumed*. A clause that contains another
//! one except for one literal, which it contains negated, loses that literal: it is *strengthened*. With unit
//! clauses this is unit propagation.
//!
//! Eén, Biere: Effective Preprocessing in SAT Through Variable and Clause Elimination. SAT 2005,
//! LNCS 3569, 61-75; sections 4.2 and 4.3.

use std::collections::HashSet;

use super::clauses::Clauses;
use super::code::Code;

/// Clauses with the occurrences of each literal.
#[derive(Debug)]
pub(super) struct Pool {
    /// Sorted sets of literals; an empty set is a removed clause.
    clauses: Vec<Vec<Code>>,
    occurrences: Vec<Vec<u32>>,
    /// The binary clauses that are or were in the pool: none is added again.
    pairs: HashSet<[Code; 2]>,
    /// Clauses that have not been compared with the others yet.
    fresh: Vec<u32>,
    /// Per literal, true if it is in the marked clause.
    is_marked: Vec<bool>,
    /// True if there was an empty clause.
    is_refuted: bool,
    /// The number of literals that may still be read.
    remaining_reads: u64,
}

/// The effect of a clause on another one.
enum Effect {
    None,
    Subsumed,
    /// The literal can be removed from the other clause.
    Strengthened(Code),
}

impl Pool {
    /// Returns an empty pool that reads at most `remaining_reads` literals to find redundant clauses and literals.
    pub(super) fn new(variables: usize, remaining_reads: u64) -> Self {
        Self {
            clauses: Vec::new(),
            occurrences: vec![Vec::new(); 2 * variables],
            pairs: HashSet::new(),
            fresh: Vec::new(),
            is_marked: vec![false; 2 * variables],
            is_refuted: false,
            remaining_reads,
        }
    }

    /// Returns the clauses in which a literal occurs.
    pub(super) fn with(&self, code: Code) -> impl ExactSizeIterator<Item = &[Code]> + Clone {
        self.occurrences[code.index()].iter().map(|&clause| &*self.clauses[clause as usize])
    }

    /// Returns true if the clause has two literals and is or was in the pool.
    pub(super) fn has_pair(&self, clause: &[Code]) -> bool {
        matches!(*clause, [first, second] if self.pairs.contains(&[first, second]))
    }

    /// Returns the number of binary clauses that are or were in the pool.
    pub(super) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Adds a clause, a sorted set, unless it is redundant.
    pub(super) fn add(&mut self, mut clause: Vec<Code>) {
        if clause.len() > 2 && self.is_superfluous(&mut clause) || self.has_pair(&clause) {
            return;
        }
        if let [first, second] = *clause {
            self.pairs.insert([first, second]);
        }
        self.is_refuted |= clause.is_empty();
        let number = self.clauses.len() as u32;
        for code in &clause {
            self.occurrences[code.index()].push(number);
        }
        self.fresh.push(number);
        self.clauses.push(clause);
    }

    /// Removes and returns all clauses that contain a variable.
    pub(super) fn take(&mut self, variable: usize) -> Vec<Vec<Code>> {
        let mut taken = Vec::new();
        for code in [Code::positive(variable), !Code::positive(variable)] {
            while let Some(&clause) = self.occurrences[code.index()].last() {
                taken.push(self.remove(clause));
            }
        }
        taken
    }

    /// Compares the clauses that were added since the last call with all others, until no literal may be read any more.
    pub(super) fn tidy(&mut self, is_interrupted: &mut dyn FnMut() -> bool) {
        let mut strengthened = Vec::new();
        while self.remaining_reads > 0
            && !is_interrupted()
            && let Some(clause) = self.fresh.pop()
        {
            let Some(rarest) = self.clauses[clause as usize]
                .iter()
                .map(|code| Code::positive(code.variable()))
                .min_by_key(|&code| self.with(code).len() + self.with(!code).len())
            else {
                continue;
            };
            let codes = self.clauses[clause as usize].clone();
            self.mark(&codes, true);
            for other in
                [rarest, !rarest].map(|code| self.occurrences[code.index()].clone()).concat()
            {
                if other == clause || self.clauses[other as usize].len() < codes.len() {
                    continue;
                }
                match self.effect_of_marked(codes.len(), other) {
                    Effect::None => {}
                    Effect::Subsumed => drop(self.remove(other)),
                    Effect::Strengthened(code) => strengthened.push((other, code)),
                }
            }
            self.mark(&codes, false);
            for (other, without) in strengthened.drain(..) {
                let mut codes = self.remove(other);
                codes.retain(|&code| code != without);
                self.add(codes);
            }
        }
    }

    /// Returns the remaining clauses.
    pub(super) fn into_clauses(self) -> Clauses {
        let mut clauses = Clauses::default();
        clauses.refuted = self.is_refuted;
        for clause in self.clauses.iter().filter(|clause| !clause.is_empty()) {
            clauses.add(clause.iter().copied());
        }
        clauses
    }

    fn mark(&mut self, clause: &[Code], is_marked: bool) {
        for code in clause {
            self.is_marked[code.index()] = is_marked;
        }
    }

    /// Returns the effect of the marked clause, which has `length` literals, on another one.
    fn effect_of_marked(&mut self, length: usize, other: u32) -> Effect {
        let other = &self.clauses[other as usize];
        self.remaining_reads = self.remaining_reads.saturating_sub(other.len() as u64);
        let (mut same, mut negated) = (0, None);
        for &code in other {
            if self.is_marked[code.index()] {
                same += 1;
            } else if self.is_marked[(!code).index()] && negated.replace(code).is_some() {
                return Effect::None;
            }
        }
        match negated {
            None if same == length => Effect::Subsumed,
            Some(code) if same + 1 == length => Effect::Strengthened(code),
            _ => Effect::None,
        }
    }

    /// Returns true if a clause of the pool subsumes this one, after the pool has strengthened it.
    fn is_superfluous(&mut self, clause: &mut Vec<Code>) -> bool {
        loop {
            self.mark(clause, true);
            let effect = self.effect_on_marked(clause);
            self.mark(clause, false);
            match effect {
                Effect::None => return false,
                Effect::Subsumed => return true,
                Effect::Strengthened(without) => clause.retain(|&code| code != without),
            }
        }
    }

    /// Returns the effect of some clause of the pool on this one, which is marked.
    fn effect_on_marked(&mut self, clause: &[Code]) -> Effect {
        for code in clause.iter().flat_map(|&code| [code, !code]) {
            for &other in &self.occurrences[code.index()] {
                let other = &self.clauses[other as usize];
                if other.len() > clause.len() || self.remaining_reads == 0 {
                    continue;
                }
                self.remaining_reads = self.remaining_reads.saturating_sub(other.len() as u64);
                let mut unmarked =
                    other.iter().copied().filter(|code| !self.is_marked[code.index()]);
                match (unmarked.next(), unmarked.next()) {
                    (None, _) => return Effect::Subsumed,
                    (Some(code), None) if self.is_marked[(!code).index()] => {
                        return Effect::Strengthened(!code);
                    }
                    _ => {}
                }
            }
        }
        Effect::None
    }

    fn remove(&mut self, clause: u32) -> Vec<Code> {
        let codes = std::mem::take(&mut self.clauses[clause as usize]);
        for code in &codes {
            self.occurrences[code.index()].retain(|&other| other != clause);
        }
        codes
    }
}
