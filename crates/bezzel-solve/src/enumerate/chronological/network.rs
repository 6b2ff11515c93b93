//! The formula in the form for propagation: the implications of each literal and its longer clauses.
//!
//! The data are in a few flat buffers that do not change during the search.

use std::cmp::Reverse;

use super::clauses::{Clauses, Lists};
use super::code::Code;

/// A formula, ready to be propagated.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub(super) variables: usize,
    /// The number of projected variables. They come before the other variables.
    pub(super) projected: usize,
    /// The implications of each literal by binary clauses.
    implied: Table<Code>,
    /// The longer clauses in which a literal occurs.
    occurrences: Table<u32>,
    /// The literals of the longer clauses, beginning with the [`choices`](Self::choices).
    clauses: Table<Code>,
    /// The number of clauses to branch on. They come before the other longer clauses.
    pub(super) choices: usize,
}

/// Lists, one for each index from 0, stored one after the other in one buffer.
#[derive(Clone, Debug, Default)]
struct Table<T> {
    entries: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy + Default> Table<T> {
    /// Returns a table of `lists` lists. `visit` reports each entry with the index of its list. It is called twice
    /// and must report the same entries.
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
    /// Returns the table without repeated entries in a list: some encodings write every clause twice.
    fn distinct(mut self, literals: usize) -> Self {
        // Per literal, the last list that contains it.
        let mut last_list = vec![u32::MAX; literals];
        let (mut kept, mut start) = (0, 0);
        for list in 0..self.starts.len() - 1 {
            let end = self.starts[list + 1] as usize;
            for index in start..end {
                let code = self.entries[index];
                if std::mem::replace(&mut last_list[code.index()], list as u32) != list as u32 {
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
    /// Returns the network of these clauses without the unit clauses. The first `projected` variables are the
    /// projected ones.
    pub(super) fn new(clauses: &Clauses, variables: usize, projected: usize) -> Self {
        let implied = |emit: &mut dyn FnMut(usize, Code)| {
            for &[first, second] in &clauses.binary {
                emit((!first).index(), second);
                emit((!second).index(), first);
            }
        };
        let implied = Table::new(2 * variables, implied).distinct(2 * variables);
        let (long, choices) = choices_first(clauses, projected, &mut Reachability::new(&implied));
        let occurrences = |emit: &mut dyn FnMut(usize, u32)| {
            for (clause, codes) in (0..).zip(long.iter()) {
                for code in codes {
                    emit(code.index(), clause);
                }
            }
        };
        let literals = |emit: &mut dyn FnMut(usize, Code)| {
            for (clause, codes) in long.iter().enumerate() {
                for &code in codes {
                    emit(clause, code);
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

    /// Returns the implications of the literal by binary clauses.
    #[inline]
    pub(super) fn implied(&self, code: Code) -> &[Code] {
        self.implied.list(code.index())
    }

    /// Returns the longer clauses in which the literal occurs.
    #[inline]
    pub(super) fn occurrences(&self, code: Code) -> &[u32] {
        self.occurrences.list(code.index())
    }

    /// Returns the literals of a longer clause.
    #[inline]
    pub(super) fn clause(&self, clause: usize) -> &[Code] {
        self.clauses.list(clause)
    }

    /// Returns the number of longer clauses.
    pub(super) fn clauses(&self) -> usize {
        self.clauses.starts.len() - 1
    }
}

/// Counts the literals that follow from a literal by chains of binary clauses.
struct Reachability<'a> {
    implied: &'a Table<Code>,
    is_found: Vec<bool>,
    found: Vec<Code>,
}

impl<'a> Reachability<'a> {
    /// The number of literals at which counting stops, larger than on any board that is searched.
    const MAX_LITERALS: usize = 1 << 14;

    fn new(implied: &'a Table<Code>) -> Self {
        Self { implied, is_found: vec![false; implied.starts.len() - 1], found: Vec::new() }
    }

    /// Returns the number of literals that follow from `code`; `None` if the negation of another literal of
    /// `clause` does not follow.
    fn of(&mut self, code: Code, clause: &[Code]) -> Option<usize> {
        self.found.clear();
        self.found.push(code);
        self.is_found[code.index()] = true;
        let mut visited = 0;
        while visited < self.found.len() && self.found.len() <= Self::MAX_LITERALS {
            for &then in self.implied.list(self.found[visited].index()) {
                if !std::mem::replace(&mut self.is_found[then.index()], true) {
                    self.found.push(then);
                }
            }
            visited += 1;
        }
        let excludes = |other: &Code| *other == code || self.is_found[(!*other).index()];
        let excludes_all = clause.iter().all(excludes);
        for code in &self.found {
            self.is_found[code.index()] = false;
        }
        excludes_all.then_some(self.found.len() - 1)
    }
}

/// Returns the longer clauses, choices first, and the number of choices.
///
/// A choice is a clause of projected variables in which any literal excludes all others: exactly one of them is
/// true. Branching on the shortest of the other clauses does not help. Of two choices with equally many open
/// literals, the search branches on the one whose literals imply more; that one comes first in the order. On boards
/// this halves the leaves of the tree. Of the literals of a choice the search decides first the one that implies
/// least. That does not change the total, but the first models come sooner, and some large boards are solved only
/// with it.
fn choices_first(
    clauses: &Clauses,
    projected: usize,
    reachability: &mut Reachability,
) -> (Lists, usize) {
    let mut choices = Vec::new();
    let mut others = Vec::new();
    for clause in clauses.long.iter() {
        let is_projected = clause.iter().all(|code| code.variable() < projected);
        let counts: Option<Vec<usize>> = is_projected
            .then(|| clause.iter().map(|&code| reachability.of(code, clause)).collect())
            .flatten();
        let Some(counts) = counts else {
            others.push(clause);
            continue;
        };
        let mean = (counts.iter().sum::<usize>() << 16) / clause.len();
        let mut codes: Vec<_> = counts.into_iter().zip(clause.iter().copied()).collect();
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
