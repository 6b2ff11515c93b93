//! The choice of the next decision.
//!
//! A clause of projected literals only states that one of them is true: a value in this row, a value in that
//! column. Of those without a true literal, the search branches on the one with the fewest open literals, as
//! constraint solvers do. Ties are broken by the number of literals that the literals of a clause exclude at the
//! beginning: this prefers the rows and columns in the middle of a grid.
//!
//! On pairwise at N = 13, squares row by row take 429,000 conflicts; the row with the fewest open literals takes
//! 319,000; with ties broken towards the middle 178,000; with columns beside rows 161,000. The order of the
//! literals of a choice makes little difference, but deciding false first doubles the time, since that leaves more
//! decisions to exclude.

use std::cmp::Reverse;

use cadical_sys::{CaDiCal, State};

/// Clauses to branch on, with their counts of literals.
#[derive(Default)]
pub(super) struct Choices {
    /// Per variable, the sign of its projected literal, or 0 for none.
    signs: Vec<i8>,
    /// True if clauses are taken as choices.
    open: bool,
    /// The literals of all choices, one choice after the other.
    lits: Vec<i32>,
    /// The end of each choice among the literals.
    ends: Vec<u32>,
    /// Per choice, the number of its true literals in the highest bits, the number of its open literals below that,
    /// and its rank in the lowest bits. The choice with the smallest key is taken.
    keys: Vec<u64>,
    /// Per variable, the start of its choices in `members`; one more entry for the end of the last.
    starts: Vec<u32>,
    /// The choices of each variable, one variable after the other.
    members: Vec<u32>,
}

/// The amount of one open literal in a key.
const OPEN: u64 = 1 << 24;
/// The amount of one true literal in a key.
const HOLDS: u64 = 1 << 48;

/// The number of literals that are propagated to rank the choices: all of them up to 45 rows and columns.
const MAX_PROPAGATED: usize = 4096;

impl Choices {
    /// Returns an empty set of choices among the projected literals.
    ///
    /// If the true literals do not identify a model, for example if a row has a number in binary, a clause of them
    /// is no choice, and none is taken.
    pub(super) fn among(lits: impl Iterator<Item = i32>, open: bool) -> Self {
        let mut signs = Vec::new();
        for lit in lits {
            let variable = lit.unsigned_abs() as usize;
            if signs.len() <= variable {
                signs.resize(variable + 1, 0);
            }
            signs[variable] = lit.signum() as i8;
        }
        Self { signs, open, ..Self::default() }
    }

    /// Adds the clause as a choice if it is one.
    pub(super) fn offer(&mut self, clause: &[i32]) {
        let is_projected = |&lit: &i32| {
            let sign = self.signs.get(lit.unsigned_abs() as usize);
            sign.is_some_and(|&sign| i32::from(sign) == lit.signum())
        };
        if self.open && clause.len() > 1 && clause.iter().all(is_projected) {
            self.lits.extend_from_slice(clause);
            self.ends.push(self.lits.len() as u32);
        }
    }

    /// Returns the literals of a choice.
    fn of(&self, choice: usize) -> &[i32] {
        let start = choice.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start as usize..self.ends[choice] as usize]
    }

    /// Ranks the choices by the average number of literals that their literals exclude, after the last clause.
    pub(super) fn rank(&mut self, solver: &mut CaDiCal) {
        // Per variable, computed once for all its choices.
        let mut excluded = vec![None; self.signs.len()];
        let each = MAX_PROPAGATED / self.ends.len().max(1);
        let mut order: Vec<(Reverse<u64>, usize)> = Vec::with_capacity(self.ends.len());
        for choice in 0..self.ends.len() {
            let lits = self.of(choice);
            // `tried` literals, evenly spaced.
            let tried = each.clamp(1, lits.len());
            let mut sum = 0;
            for index in 0..tried {
                let lit = lits[index * lits.len() / tried];
                let excluded = &mut excluded[lit.unsigned_abs() as usize];
                sum += *excluded.get_or_insert_with(|| self.excludes(lit, solver));
            }
            order.push((Reverse(sum * (1 << 16) / tried as u64), choice));
        }
        solver.reset_assumptions();
        order.sort_unstable();
        self.keys = vec![0; order.len()];
        for (rank, &(_, choice)) in (0..).zip(&order) {
            self.keys[choice] = OPEN * self.of(choice).len() as u64 + rank;
        }
        self.index();
    }

    /// Ranks the choices at random, and orders the literals of each at random. It may be called at any time.
    /// `state` is the state of the generator.
    pub(super) fn shuffle(&mut self, state: &mut u64) {
        // xorshift64: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), 14.
        let mut below = |bound: usize| {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            (*state % bound as u64) as usize
        };
        let mut start = 0;
        for (key, &end) in self.keys.iter_mut().zip(&self.ends) {
            *key = *key / OPEN * OPEN + below(OPEN as usize) as u64;
            let lits = &mut self.lits[start..end as usize];
            for last in (1..lits.len()).rev() {
                lits.swap(last, below(last + 1));
            }
            start = end as usize;
        }
    }

    /// Returns the number of projected literals that are assigned when `lit` is.
    fn excludes(&self, lit: i32, solver: &mut CaDiCal) -> u64 {
        solver.assume(lit);
        solver.propagate();
        if !matches!(solver.state(), State::INCONCLUSIVE | State::SATISFIED) {
            return 0;
        }
        let sign = |lit: i32| self.signs.get(lit.unsigned_abs() as usize).copied();
        solver.implied().iter().filter(|&&lit| sign(lit).unwrap_or(0) != 0).count() as u64
    }

    /// Builds the lists of the choices of each variable.
    fn index(&mut self) {
        let mut starts = vec![0; self.signs.len() + 1];
        for lit in &self.lits {
            starts[lit.unsigned_abs() as usize + 1] += 1;
        }
        for variable in 1..starts.len() {
            starts[variable] += starts[variable - 1];
        }
        let mut next = starts.clone();
        self.members = vec![0; self.lits.len()];
        for choice in 0..self.ends.len() {
            for index in 0..self.of(choice).len() {
                let next = &mut next[self.of(choice)[index].unsigned_abs() as usize];
                self.members[*next as usize] = choice as u32;
                *next += 1;
            }
        }
        self.starts = starts;
    }

    /// Returns the change of the keys of a variable's choices by the assignment of a literal.
    #[inline]
    fn change(&self, lit: i32) -> u64 {
        let holds = i32::from(self.signs[lit.unsigned_abs() as usize]) == lit.signum();
        if holds { HOLDS - OPEN } else { OPEN.wrapping_neg() }
    }

    /// Returns the range of the choices of the literal's variable.
    #[inline]
    fn range(&self, lit: i32) -> std::ops::Range<usize> {
        let variable = lit.unsigned_abs() as usize;
        self.starts[variable] as usize..self.starts[variable + 1] as usize
    }

    /// Updates the keys after the literal became true.
    #[inline]
    pub(super) fn assign(&mut self, lit: i32) {
        let change = self.change(lit);
        for member in self.range(lit) {
            let key = &mut self.keys[self.members[member] as usize];
            *key = key.wrapping_add(change);
        }
    }

    /// Updates the keys after the literal, which was true, became open.
    #[inline]
    pub(super) fn undo(&mut self, lit: i32) {
        let change = self.change(lit);
        for member in self.range(lit) {
            let key = &mut self.keys[self.members[member] as usize];
            *key = key.wrapping_sub(change);
        }
    }

    /// Returns the literals of the choice to branch on, if a choice without a true literal is left.
    #[inline]
    pub(super) fn next(&self) -> Option<&[i32]> {
        let (choice, &key) = self.keys.iter().enumerate().min_by_key(|&(_, key)| key)?;
        (key < HOLDS).then(|| self.of(choice))
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{ClauseSink, Constraints, Lit, Registry, VarRange};
    use bezzel_queens::Board;

    use super::*;

    /// Adds clauses to a solver and to choices.
    struct Both(CaDiCal, Choices, u32);

    impl ClauseSink for Both {
        fn fresh(&mut self, count: u32) -> VarRange {
            self.0.declare_more_variables(count as i32);
            VarRange::next(&mut self.2, count)
        }

        fn clause(&mut self, lits: &[Lit]) {
            let clause: Vec<i32> = lits.iter().map(|lit| lit.to_ipasir()).collect();
            self.0.clause6(&clause);
            self.1.offer(&clause);
        }
    }

    fn board(side: u32, encoding: &str) -> Choices {
        let squares = side * side;
        let mut both = Both(CaDiCal::new(), Choices::among(1..=squares as i32, true), 0);
        let encoding = bezzel_queens::register(Registry::standard())
            .find(encoding)
            .unwrap()
            .with_settings(Constraints::Full);
        encoding.encode(&Board::new(side).unwrap().problem(), &mut both);
        let Both(mut solver, mut choices, _) = both;
        choices.rank(&mut solver);
        choices
    }

    #[test]
    fn rows_and_columns_are_the_choices_and_the_middle_is_the_first() {
        for encoding in ["pairwise", "sequential-counter"] {
            let choices = board(5, encoding);
            assert_eq!(choices.ends.len(), 10, "{encoding}");
            assert_eq!(choices.next().unwrap(), [11, 12, 13, 14, 15], "{encoding}");
        }
    }

    #[test]
    fn the_choice_with_the_fewest_left_is_next_until_one_holds() {
        let mut choices = board(4, "pairwise");
        choices.assign(-1);
        choices.assign(-2);
        assert_eq!(choices.next().unwrap(), [1, 2, 3, 4]);
        choices.assign(3);
        assert_ne!(choices.next().unwrap(), [1, 2, 3, 4]);
        choices.undo(3);
        assert_eq!(choices.next().unwrap(), [1, 2, 3, 4]);
        for queen in [2, 8, 9, 15] {
            choices.assign(queen);
        }
        assert_eq!(choices.next(), None);
    }

    #[test]
    fn shuffled_choices_have_the_same_literals_left() {
        let mut choices = board(4, "pairwise");
        choices.assign(-1);
        choices.assign(-2);
        choices.shuffle(&mut 1);
        let mut next = choices.next().unwrap().to_vec();
        assert_ne!(next, [1, 2, 3, 4], "the same in another order");
        next.sort_unstable();
        assert_eq!(next, [1, 2, 3, 4]);
        for queen in [3, 5, 12, 14] {
            choices.assign(queen);
        }
        assert_eq!(choices.next(), None);
    }

    #[test]
    fn where_what_holds_does_not_tell_a_model_nothing_is_a_choice() {
        let mut choices = Choices::among([1, -2, 3].into_iter(), false);
        choices.offer(&[1, 3]);
        choices.rank(&mut CaDiCal::new());
        assert_eq!(choices.next(), None);
    }
}
