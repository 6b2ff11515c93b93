//! The formula as propagation reads it: what each literal implies, and the longer clauses it is in.
//!
//! Everything is in a few flat buffers that nothing changes any more.

use std::cmp::Reverse;

use super::clauses::{Clauses, Lists};
use super::code::Code;

/// A formula, ready to be propagated.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub(super) variables: usize,
    /// Of the variables, so many come first and tell models apart.
    pub(super) projected: usize,
    /// What a literal implies by a clause of two.
    implied: Table<Code>,
    /// The longer clauses in which a literal occurs.
    occurrences: Table<u32>,
    /// The literals of the longer clauses: the [`choices`](Self::choices) first.
    clauses: Table<Code>,
    /// So many of the longer clauses come first: those among whose literals it is worth choosing.
    pub(super) choices: usize,
}

/// Lists, one for each index from 0, one after the other in one buffer.
#[derive(Clone, Debug, Default)]
struct Table<T> {
    entries: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy + Default> Table<T> {
    /// The table of `lists` lists that has the entries which `visit` tells, each with the index of
    /// its list. It is asked twice, and tells the same.
    fn new(lists: usize, visit: impl Fn(&mut dyn FnMut(usize, T))) -> Self {
        let mut starts = vec![0; lists + 1];
        visit(&mut |list, _| starts[list + 1] += 1);
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut entries = vec![T::default(); starts[lists] as usize];
        visit(&mut |list, entry| {
            entries[next[list] as usize] = entry;
            next[list] += 1;
        });
        Self { entries, starts }
    }

    #[inline]
    fn list(&self, index: usize) -> &[T] {
        &self.entries[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

impl Table<Code> {
    /// The table with every entry once in its list: some encodings say everything twice.
    fn distinct(mut self, literals: usize) -> Self {
        // Per literal, the last list that has it.
        let mut met = vec![u32::MAX; literals];
        let (mut kept, mut start) = (0, 0);
        for list in 0..self.starts.len() - 1 {
            let end = self.starts[list + 1] as usize;
            for index in start..end {
                let code = self.entries[index];
                if std::mem::replace(&mut met[code.index()], list as u32) != list as u32 {
                    self.entries[kept] = code;
                    kept += 1;
                }
            }
            start = end;
            self.starts[list + 1] = kept as u32;
        }
        self.entries.truncate(kept);
        self
    }
}

impl Network {
    /// The network of these clauses but those of one literal. The first `projected` variables tell
    /// models apart.
    pub(super) fn new(clauses: &Clauses, variables: usize, projected: usize) -> Self {
        let implied = |tell: &mut dyn FnMut(usize, Code)| {
            for &[first, second] in &clauses.binary {
                tell((!first).index(), second);
                tell((!second).index(), first);
            }
        };
        let implied = Table::new(2 * variables, implied).distinct(2 * variables);
        let (long, choices) = sorted(clauses, projected, &mut Reach::new(&implied));
        let occurrences = |tell: &mut dyn FnMut(usize, u32)| {
            for (clause, codes) in (0..).zip(long.iter()) {
                for code in codes {
                    tell(code.index(), clause);
                }
            }
        };
        let literals = |tell: &mut dyn FnMut(usize, Code)| {
            for (clause, codes) in long.iter().enumerate() {
                for &code in codes {
                    tell(clause, code);
                }
            }
        };
        Self {
            variables,
            projected,
            implied,
            occurrences: Table::new(2 * variables, occurrences),
            clauses: Table::new(long.len(), literals),
            choices,
        }
    }

    /// What the literal implies by clauses of two.
    #[inline]
    pub(super) fn implied(&self, code: Code) -> &[Code] {
        self.implied.list(code.index())
    }

    /// The longer clauses in which the literal occurs.
    #[inline]
    pub(super) fn occurrences(&self, code: Code) -> &[u32] {
        self.occurrences.list(code.index())
    }

    /// The literals of a longer clause.
    #[inline]
    pub(super) fn clause(&self, clause: usize) -> &[Code] {
        self.clauses.list(clause)
    }

    /// The number of longer clauses.
    pub(super) fn clauses(&self) -> usize {
        self.clauses.starts.len() - 1
    }
}

/// How much follows from a literal by clauses of two, one after the other.
struct Reach<'a> {
    implied: &'a Table<Code>,
    is_met: Vec<bool>,
    found: Vec<Code>,
}

impl<'a> Reach<'a> {
    /// More than on any board that is ever searched.
    const MOST: usize = 1 << 14;

    fn new(implied: &'a Table<Code>) -> Self {
        Self { implied, is_met: vec![false; implied.starts.len() - 1], found: Vec::new() }
    }

    /// How many literals follow from this one of the clause; `None` if the negation of another one of
    /// it does not.
    fn of(&mut self, code: Code, clause: &[Code]) -> Option<usize> {
        self.found.clear();
        self.found.push(code);
        self.is_met[code.index()] = true;
        let mut looked = 0;
        while looked < self.found.len() && self.found.len() <= Self::MOST {
            for &then in self.implied.list(self.found[looked].index()) {
                if !std::mem::replace(&mut self.is_met[then.index()], true) {
                    self.found.push(then);
                }
            }
            looked += 1;
        }
        let excludes = |other: &Code| *other == code || self.is_met[(!*other).index()];
        let excludes_all = clause.iter().all(excludes);
        for code in &self.found {
            self.is_met[code.index()] = false;
        }
        excludes_all.then_some(self.found.len() - 1)
    }
}

/// The longer clauses, the choices first, and how many these are.
///
/// A choice is a clause about projected variables of which any literal excludes all others: exactly
/// one of them holds. Among clauses of other kinds the shortest one is not worth looking for. Of two
/// choices with as many open literals, a search decides the one whose literals imply more, and so
/// does what comes first in order: on boards that halves the leaves of the tree. Of a choice's
/// literals it decides the one first that implies least and leaves most to others. That changes
/// nothing in the end, but the first models come sooner, and on large boards they come at all.
fn sorted(clauses: &Clauses, projected: usize, reach: &mut Reach) -> (Lists, usize) {
    let mut choices = Vec::new();
    let mut others = Vec::new();
    for clause in clauses.long.iter() {
        let is_projected = clause.iter().all(|code| code.variable() < projected);
        let reaches: Option<Vec<usize>> = is_projected
            .then(|| clause.iter().map(|&code| reach.of(code, clause)).collect())
            .flatten();
        let Some(reaches) = reaches else {
            others.push(clause);
            continue;
        };
        let mean = (reaches.iter().sum::<usize>() << 16) / clause.len();
        let mut codes: Vec<_> = reaches.into_iter().zip(clause.iter().copied()).collect();
        codes.sort_unstable();
        choices.push((Reverse(mean), codes));
    }
    choices.sort_by_key(|&(key, _)| key);
    let mut long = Lists::default();
    for (_, codes) in &choices {
        long.push(&codes.iter().map(|&(_, code)| code).collect::<Vec<_>>());
    }
    for clause in others {
        long.push(clause);
    }
    (long, choices.len())
}
