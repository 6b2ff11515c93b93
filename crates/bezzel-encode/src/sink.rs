//! The narrow waist: where clauses go.
//!
//! An encoder knows nothing of what happens to its clauses; a sink knows nothing of where they
//! come from. Solvers, files, counters and stores are all sinks, so a formula is made as often as
//! it is needed and stored only where somebody wants it stored.

use rustsat::types::{Lit, Var};

/// The largest number of variables that a formula can have.
///
/// DIMACS tools and solvers number variables by positive 32-bit integers.
pub const MAX_VARIABLES: u32 = i32::MAX as u32;

/// Something that takes clauses.
pub trait ClauseSink {
    /// Makes `count` new variables, numbered on from the last ones made, and returns their range.
    ///
    /// The first call of an encoding makes the primary variables, the ones that say where the
    /// queens are; later calls make auxiliary ones. There is no other way to get a variable, so no
    /// two parts of a formula can use the same one by accident.
    fn fresh(&mut self, count: u32) -> VarRange;

    /// Takes one clause, a disjunction of `lits`.
    ///
    /// Cannot fail: a sink that can (a full disk, a solver out of memory) keeps its first error
    /// and reports it when it is finished.
    fn clause(&mut self, lits: &[Lit]);

    /// Says that the variables and clauses from here on belong to the part `name` of the formula.
    fn section(&mut self, _name: &'static str) {}
}

/// A contiguous range of variables, as made by one call of [`ClauseSink::fresh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarRange {
    start: u32,
    count: u32,
}

impl VarRange {
    /// The `count` variables that come after the first `made` ones.
    ///
    /// # Panics
    ///
    /// When the formula would have more than [`MAX_VARIABLES`]. Planners refuse such a formula
    /// by its [`Size`](crate::Size) long before it is made.
    pub fn after(made: u32, count: u32) -> Self {
        assert!(
            made.checked_add(count).is_some_and(|end| end <= MAX_VARIABLES),
            "a formula has at most {MAX_VARIABLES} variables"
        );
        Self { start: made, count }
    }

    /// The number of variables in the range.
    #[inline]
    pub fn len(self) -> u32 {
        self.count
    }

    /// Whether the range holds no variable.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The number of the first variable of the range; variables are numbered from 0.
    #[inline]
    pub fn start(self) -> u32 {
        self.start
    }

    /// The positive literal of the range's variable number `index`, counted from 0.
    #[inline]
    pub fn lit(self, index: u32) -> Lit {
        assert!(index < self.count, "variable {index} of a range of {}", self.count);
        Lit::positive(self.start + index)
    }

    /// The positive literals of the range, in order.
    pub fn lits(self) -> impl ExactSizeIterator<Item = Lit> + Clone {
        (self.start..self.start + self.count).map(Lit::positive)
    }

    /// The variables of the range, in order.
    pub fn vars(self) -> impl ExactSizeIterator<Item = Var> + Clone {
        (self.start..self.start + self.count).map(Var::new)
    }
}

/// Hands every clause to two sinks.
///
/// Both number variables on from 0, so that a range made by one is a range of the other too.
#[derive(Debug)]
pub struct Tee<A, B>(pub A, pub B);

impl<A: ClauseSink, B: ClauseSink> ClauseSink for Tee<A, B> {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = self.0.fresh(count);
        let twin = self.1.fresh(count);
        assert_eq!(range, twin, "both sinks of a tee start empty");
        range
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.0.clause(lits);
        self.1.clause(lits);
    }

    fn section(&mut self, name: &'static str) {
        self.0.section(name);
        self.1.section(name);
    }
}

impl<S: ClauseSink + ?Sized> ClauseSink for &mut S {
    fn fresh(&mut self, count: u32) -> VarRange {
        (**self).fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        (**self).clause(lits);
    }

    fn section(&mut self, name: &'static str) {
        (**self).section(name);
    }
}
