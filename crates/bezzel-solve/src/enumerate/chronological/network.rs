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
    /// So many of the longer clauses come first and are about projected variables alone.
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
        let (long, choices) = sorted(clauses, variables, projected);
        let implied = |tell: &mut dyn FnMut(usize, Code)| {
            for &[first, second] in &clauses.binary {
                tell((!first).index(), second);
                tell((!second).index(), first);
            }
        };
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
            implied: Table::new(2 * variables, implied).distinct(2 * variables),
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

/// The longer clauses, those about projected variables first, and how many these are.
///
/// Of two clauses with as many open literals, a search decides the one whose literals imply more,
/// and so does what comes first in order: there the tree has half as many leaves.
fn sorted(clauses: &Clauses, variables: usize, projected: usize) -> (Lists, usize) {
    let mut implied = vec![0_u64; 2 * variables];
    for code in clauses.binary.iter().flatten() {
        implied[(!*code).index()] += 1;
    }
    let mean = |clause: &[Code]| {
        let sum: u64 = clause.iter().map(|code| implied[code.index()]).sum();
        (sum << 16) / clause.len() as u64
    };
    let is_choice = |clause: &&[Code]| clause.iter().all(|code| code.variable() < projected);
    let mut choices: Vec<_> = clauses.long.iter().filter(is_choice).collect();
    choices.sort_by_cached_key(|clause| Reverse(mean(clause)));
    let mut long = Lists::default();
    for clause in
        choices.iter().copied().chain(clauses.long.iter().filter(|clause| !is_choice(clause)))
    {
        long.push(clause);
    }
    (long, choices.len())
}
