//! What is decided next.
//!
//! A clause of nothing but literals that tell models apart says that one of them holds: a queen in
//! this row, a queen in that column. Of those that have none yet, the one with the fewest literals
//! left is branched on, as constraint solvers do; where that leaves several, the one whose literals
//! exclude most others at the beginning: those are the rows and columns in the middle of the
//! board, whose diagonals are long.
//!
//! On pairwise at N = 13, squares row by row take 429,000 conflicts; the row with the fewest left
//! 319,000; of these the middle one 178,000; with columns beside rows it is 161,000. Which literal of
//! the choice comes first makes little difference, but saying false first doubles the time, since
//! that leaves more decisions to exclude.

use std::cmp::Reverse;

use cadical_sys::{CaDiCal, State};

/// Clauses to branch on, with what is known of each.
#[derive(Default)]
pub(super) struct Choices {
    /// Per variable, which literal of it tells models apart: the sign, or 0 for none.
    signs: Vec<i8>,
    /// Whether clauses are looked at at all.
    open: bool,
    /// The literals of all choices, one choice after the other.
    lits: Vec<i32>,
    /// Where each choice ends among the literals.
    ends: Vec<u32>,
    /// Per choice, how many of its literals are open, and above that, how many hold; its rank is
    /// the lowest part, so that the least of all keys is the one to take.
    keys: Vec<u64>,
    /// Per variable, where its choices begin in `members`; one more for the end of the last.
    starts: Vec<u32>,
    /// The choices of each variable, one variable after the other.
    members: Vec<u32>,
}

/// One literal that is open.
const OPEN: u64 = 1 << 24;
/// One literal that holds.
const HOLDS: u64 = 1 << 48;

/// So many literals are tried out to rank the choices: all of them up to boards of side 45.
const TRIED: usize = 4096;

impl Choices {
    /// None yet, of the literals that tell models apart.
    ///
    /// If those that hold do not tell a model already, as where a row has a number in binary, a
    /// clause of them says nothing of the kind, and none is taken.
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

    /// Takes the clause for a choice if it is one.
    pub(super) fn offer(&mut self, clause: &[i32]) {
        let tells = |&lit: &i32| {
            let sign = self.signs.get(lit.unsigned_abs() as usize);
            sign.is_some_and(|&sign| i32::from(sign) == lit.signum())
        };
        if self.open && clause.len() > 1 && clause.iter().all(tells) {
            self.lits.extend_from_slice(clause);
            self.ends.push(self.lits.len() as u32);
        }
    }

    /// The literals of a choice.
    fn of(&self, choice: usize) -> &[i32] {
        let start = choice.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lits[start as usize..self.ends[choice] as usize]
    }

    /// Ranks the choices by what their literals exclude on average, when all clauses are there.
    pub(super) fn rank(&mut self, solver: &mut CaDiCal) {
        // Per variable, once for all choices that it is in.
        let mut excluded = vec![None; self.signs.len()];
        let each = TRIED / self.ends.len().max(1);
        let mut order: Vec<(Reverse<u64>, usize)> = Vec::with_capacity(self.ends.len());
        for choice in 0..self.ends.len() {
            let lits = self.of(choice);
            // So many, evenly spread.
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

    /// Ranks the choices at random instead, and orders the literals of each at random, which may be
    /// done at any time. The state is that of the generator.
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

    /// The number of literals that tell models apart and are assigned when this one is.
    fn excludes(&self, lit: i32, solver: &mut CaDiCal) -> u64 {
        solver.assume(lit);
        solver.propagate();
        if !matches!(solver.state(), State::INCONCLUSIVE | State::SATISFIED) {
            return 0;
        }
        let sign = |lit: i32| self.signs.get(lit.unsigned_abs() as usize).copied();
        solver.implied().iter().filter(|&&lit| sign(lit).unwrap_or(0) != 0).count() as u64
    }

    /// Notes the choices of each variable.
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

    /// What a literal's assignment adds to the keys of its variable's choices.
    #[inline]
    fn change(&self, lit: i32) -> u64 {
        let holds = i32::from(self.signs[lit.unsigned_abs() as usize]) == lit.signum();
        if holds { HOLDS - OPEN } else { OPEN.wrapping_neg() }
    }

    /// The choices that the literal's variable is in.
    #[inline]
    fn range(&self, lit: i32) -> std::ops::Range<usize> {
        let variable = lit.unsigned_abs() as usize;
        self.starts[variable] as usize..self.starts[variable + 1] as usize
    }

    /// Hears that the literal holds.
    #[inline]
    pub(super) fn assign(&mut self, lit: i32) {
        let change = self.change(lit);
        for member in self.range(lit) {
            let key = &mut self.keys[self.members[member] as usize];
            *key = key.wrapping_add(change);
        }
    }

    /// Hears that the literal, which held, is open again.
    #[inline]
    pub(super) fn undo(&mut self, lit: i32) {
        let change = self.change(lit);
        for member in self.range(lit) {
            let key = &mut self.keys[self.members[member] as usize];
            *key = key.wrapping_sub(change);
        }
    }

    /// The literals of the choice that is to be branched on, if one is left of which none holds.
    #[inline]
    pub(super) fn next(&self) -> Option<&[i32]> {
        let (choice, &key) = self.keys.iter().enumerate().min_by_key(|&(_, key)| key)?;
        (key < HOLDS).then(|| self.of(choice))
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{ClauseSink, Constraints, Lit, Registry, VarRange};
    use bezzel_problem::Board;

    use super::*;

    /// Hands clauses to a solver and to choices.
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
        let encoding = Registry::standard().find(encoding).unwrap().on_board(Constraints::Full);
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
