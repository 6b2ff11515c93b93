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

/// The most literals that are all tried out to rank the choices.
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

    /// Ranks the choices by what their literals exclude, when all clauses are there.
    pub(super) fn rank(&mut self, solver: &mut CaDiCal) {
        let mut excluded = vec![0_u64; self.signs.len()];
        if self.lits.len() <= TRIED {
            for &lit in &self.lits {
                let excluded = &mut excluded[lit.unsigned_abs() as usize];
                // Once for all choices that a literal is in.
                if *excluded == 0 {
                    solver.assume(lit);
                    solver.propagate();
                    if matches!(solver.state(), State::INCONCLUSIVE | State::SATISFIED) {
                        let tells = |lit: &&i32| {
                            self.signs
                                .get(lit.unsigned_abs() as usize)
                                .is_some_and(|&sign| sign != 0)
                        };
                        *excluded = solver.implied().iter().filter(tells).count() as u64;
                    }
                }
            }
            solver.reset_assumptions();
        }
        let weight = |choice| -> u64 {
            self.of(choice).iter().map(|lit| excluded[lit.unsigned_abs() as usize]).sum()
        };
        let mut order: Vec<usize> = (0..self.ends.len()).collect();
        order.sort_by_cached_key(|&choice| Reverse(weight(choice)));
        self.keys = vec![0; order.len()];
        for (rank, &choice) in (0..).zip(&order) {
            self.keys[choice] = OPEN * self.of(choice).len() as u64 + rank;
        }
        self.index();
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
    use bezzel_encode::{Board, ClauseSink, Constraints, Lit, Registry, VarRange};

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
        encoding.encode(&Board::new(side).unwrap(), &mut both);
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
    fn where_what_holds_does_not_tell_a_model_nothing_is_a_choice() {
        let mut choices = Choices::among([1, -2, 3].into_iter(), false);
        choices.offer(&[1, 3]);
        choices.rank(&mut CaDiCal::new());
        assert_eq!(choices.next(), None);
    }
}
