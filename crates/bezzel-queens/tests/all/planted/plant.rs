//! An encoding of Bezzel with a bug in one place.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::amo::sequential_counter::SequentialCounter;
use bezzel_encode::encoding::direct::Direct;
use bezzel_encode::properties::{self, Property, PropertyViolation};
use bezzel_encode::{
    AtMostOne, ClauseSink, Constraints, Encoding, EncodingInfo, Lit, Size, Unsupported, VarMap,
    VarRange,
};
use bezzel_problem::Problem;
use bezzel_queens::encode::properties::board as board_properties;

/// The change of the clause with this number, counted from 0.
pub(crate) type Tamper = Box<dyn Fn(usize, &[Lit], &mut dyn ClauseSink) + Send + Sync>;

/// The change of the declarations.
pub(crate) type Declaration = fn(&mut EncodingInfo);

/// An encoding with a bug in one place.
pub(crate) struct Planted<E> {
    pub(crate) inner: E,
    pub(crate) info: Declaration,
    pub(crate) size: fn(&mut Size),
    pub(crate) tamper: Tamper,
    pub(crate) map: fn(VarMap) -> VarMap,
}

impl<E> Planted<E> {
    pub(crate) fn new(inner: E) -> Self {
        Self {
            inner,
            info: |_| {},
            size: |_| {},
            tamper: Box::new(|_, clause, out| out.clause(clause)),
            map: |map| map,
        }
    }

    pub(crate) fn with_info(inner: E, info: Declaration) -> Self {
        Self { info, ..Self::new(inner) }
    }

    pub(crate) fn with_size(inner: E, size: fn(&mut Size)) -> Self {
        Self { size, ..Self::new(inner) }
    }

    pub(crate) fn with_clauses(
        inner: E,
        tamper: impl Fn(usize, &[Lit], &mut dyn ClauseSink) + Send + Sync + 'static,
    ) -> Self {
        Self { tamper: Box::new(tamper), ..Self::new(inner) }
    }

    /// One literal negated, which changes no count.
    pub(crate) fn with_negated(inner: E, clause: usize, literal: usize) -> Self {
        Self::with_clauses(inner, move |number, lits, out| {
            let mut lits = lits.to_vec();
            if let Some(lit) = lits.get_mut(literal).filter(|_| number == clause) {
                *lit = !*lit;
            }
            out.clause(&lits);
        })
    }

    /// The literals of every clause reversed in every other run.
    pub(crate) fn with_moods(inner: E) -> Self {
        let good = AtomicBool::new(false);
        Self::with_clauses(inner, move |number, lits, out| {
            if number == 0 {
                good.fetch_xor(true, Ordering::Relaxed);
            }
            if good.load(Ordering::Relaxed) {
                out.clause(lits);
            } else {
                out.clause(&lits.iter().rev().copied().collect::<Vec<_>>());
            }
        })
    }

    pub(crate) fn with_layout(inner: E, map: fn(VarMap) -> VarMap) -> Self {
        Self { map, ..Self::new(inner) }
    }
}

/// The sink that changes clauses and passes them on.
struct Tampering<'a> {
    tamper: &'a Tamper,
    clauses: usize,
    out: &'a mut dyn ClauseSink,
}

impl ClauseSink for Tampering<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.out.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        (self.tamper)(self.clauses, lits, self.out);
        self.clauses += 1;
    }
}

impl AtMostOne for Planted<Arc<dyn AtMostOne>> {
    fn info(&self) -> EncodingInfo {
        let mut info = self.inner.info();
        (self.info)(&mut info);
        info
    }

    fn size(&self, n: u64) -> Option<Size> {
        let mut size = self.inner.size(n)?;
        (self.size)(&mut size);
        Some(size)
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        self.inner.encode(xs, &mut Tampering { tamper: &self.tamper, clauses: 0, out });
    }
}

impl Encoding for Planted<Arc<dyn Encoding>> {
    fn info(&self) -> EncodingInfo {
        let mut info = self.inner.info();
        (self.info)(&mut info);
        info
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        self.inner.fits(problem)
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let mut size = self.inner.size(problem)?;
        (self.size)(&mut size);
        Some(size)
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let mut tampering = Tampering { tamper: &self.tamper, clauses: 0, out };
        (self.map)(self.inner.rules(problem, &mut tampering))
    }
}

pub(crate) fn pairwise() -> Arc<dyn AtMostOne> {
    Arc::new(Pairwise)
}

pub(crate) fn counter() -> Arc<dyn AtMostOne> {
    Arc::new(SequentialCounter)
}

pub(crate) fn on_board(
    at_most_one: &Arc<dyn AtMostOne>,
    constraints: Constraints,
) -> Arc<dyn Encoding> {
    Arc::new(Direct::new(at_most_one, constraints))
}

pub(crate) fn board_of(encoding: impl Encoding + 'static) -> Arc<dyn Encoding> {
    Arc::new(encoding)
}

/// The property that an at-most-one violates, and the message.
#[track_caller]
pub(crate) fn caught_at_most_one(planted: &dyn AtMostOne) -> (Property, String) {
    let PropertyViolation { property, what, .. } =
        properties::at_most_one::check(planted).expect_err("a planted bug");
    (property, what)
}

/// The property that a board encoding violates, and the message.
#[track_caller]
pub(crate) fn caught(planted: &dyn Encoding) -> (Property, String) {
    let PropertyViolation { property, what, .. } =
        board_properties::check(planted).expect_err("a planted bug");
    (property, what)
}
