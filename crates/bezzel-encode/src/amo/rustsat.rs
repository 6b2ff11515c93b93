//! RustSAT's at-most-one encoders, unchanged, for comparison.
//!
//! *Idea.* [`RustsatAtMostOne`] makes an [`AtMostOne`] of every type that implements RustSAT's [`Encode`]: the encoder gets a
//! clause collector and a variable manager, and both are the same sink. Encoders written for RustSAT by others are
//! adapted in the same way.
//!
//! *Sizes for n ≥ 2 inputs*, with C(k) = k(k − 1)/2; all clauses have two literals:
//!
//! | id | variables | clauses |
//! |---|---|---|
//! | `rustsat-pairwise` | 0 | C(n) |
//! | `rustsat-ladder` | n − 1 | 3n − 4 |
//! | `rustsat-bitwise` | ⌈log₂ n⌉ | n·⌈log₂ n⌉ |
//! | `rustsat-commander` | m = ⌈n/4⌉ | n + C(m) + pairs in groups |
//! | `rustsat-bimander` | b = max(1, ⌈log₂ ⌈n/4⌉⌉) | n·b + pairs in groups |
//! | `rustsat-product` | p = ⌊√n⌋ and q = ⌈n/p⌉ | 2n + C(p) + C(q) |
//!
//! Groups have four inputs, the last one the rest: "pairs in groups" is 6·⌊n/4⌋ + C(n mod 4).
//!
//! *Propagation.* Complete, all of them.
//!
//! *Models.* Pairwise has no auxiliary variable; all others leave theirs free where no input holds, the commander also
//! in groups without a true input.
//!
//! *Source.* RustSAT 0.7.5, module `encodings::am1`, which names Prestwich (pairwise, bitwise), Gent and
//! Nightingale (ladder), Klieber and Kwon (commander), Nguyen and Mai (bimander), Chen (product).
//!
//! *Departures* are RustSAT's: its ladder is the relaxed one; its commander has one level and no clause from a
//! commander to its group; its product has one level, and its grid ⌊√n⌋ rows. For fewer than two inputs the adapter
//! writes nothing and calls no encoder.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::encodings::am1::{Bimander, Bitwise, Commander, Encode, Ladder, Pairwise, TwoProduct};
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Lit, Var};

use super::AtMostOne;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, bits, pairs};

/// The size of groups where RustSAT splits its inputs.
const GROUP: usize = 4;

/// An encoder of RustSAT's kind as an [`AtMostOne`].
pub struct RustsatAtMostOne<E> {
    info: EncodingInfo,
    size: fn(u64) -> Option<Size>,
    encoder: PhantomData<fn() -> E>,
}

impl<E> RustsatAtMostOne<E> {
    /// Adapts the encoder `E`, with this information, and its size in closed form for two inputs or more.
    pub fn new(info: EncodingInfo, size: fn(u64) -> Option<Size>) -> Self {
        Self { info, size, encoder: PhantomData }
    }
}

impl<E: Encode + FromIterator<Lit>> AtMostOne for RustsatAtMostOne<E> {
    fn info(&self) -> EncodingInfo {
        self.info.clone()
    }

    fn size(&self, n: u64) -> Option<Size> {
        if n < 2 { Some(Size::default()) } else { (self.size)(n) }
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        if xs.len() < 2 {
            return;
        }
        let mut encoder: E = xs.iter().copied().collect();
        with_sink(xs, out, |collector, manager| {
            encoder.encode(collector, manager).expect(NEVER_FULL);
        });
    }
}

/// The collector has no limit of its own.
pub(crate) const NEVER_FULL: &str = "the collector has no limit of memory";

/// Calls an encoder of RustSAT over `xs` with a collector and a variable manager that are both the sink.
pub(crate) fn with_sink(
    xs: &[Lit],
    out: &mut dyn ClauseSink,
    encode: impl FnOnce(&mut Collector<'_, '_>, &mut Manager<'_, '_>),
) {
    let highest = xs.iter().map(|lit| lit.var()).max();
    let shared = RefCell::new(Shared { out, clauses: 0, made: 0, highest });
    encode(&mut Collector(&shared), &mut Manager(&shared));
}

/// The sink that collector and variable manager share.
struct Shared<'a> {
    out: &'a mut dyn ClauseSink,
    clauses: usize,
    made: u32,
    highest: Option<Var>,
}

pub(crate) struct Collector<'a, 'b>(&'a RefCell<Shared<'b>>);

impl CollectClauses for Collector<'_, '_> {
    fn n_clauses(&self) -> usize {
        self.0.borrow().clauses
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), OutOfMemory>
    where
        T: IntoIterator<Item = Clause>,
    {
        for clause in clauses {
            // Borrowed anew for each clause: the iterator may itself make variables.
            let shared = &mut *self.0.borrow_mut();
            shared.clauses += 1;
            shared.out.clause(clause.as_ref());
        }
        Ok(())
    }
}

pub(crate) struct Manager<'a, 'b>(&'a RefCell<Shared<'b>>);

impl ManageVars for Manager<'_, '_> {
    fn new_var(&mut self) -> Var {
        let shared = &mut *self.0.borrow_mut();
        let var = Var::new(shared.out.fresh(1).start());
        shared.made += 1;
        shared.highest = Some(var);
        var
    }

    fn max_var(&self) -> Option<Var> {
        self.0.borrow().highest
    }

    fn increase_next_free(&mut self, free: Var) -> bool {
        let shared = &mut *self.0.borrow_mut();
        // An empty range starts where the next variable would.
        let next = shared.out.fresh(0).start();
        let missing = free.idx32().saturating_sub(next);
        if missing > 0 {
            shared.out.fresh(missing);
            shared.made += missing;
            shared.highest = Some(Var::new(free.idx32() - 1));
        }
        missing > 0
    }

    /// Does nothing: managers of one formula all draw from its sink.
    fn combine(&mut self, _other: Self) {}

    fn n_used(&self) -> u32 {
        self.0.borrow().made
    }

    /// Keeps them: a sink takes no variable back, and an unused one does no harm.
    fn forget_from(&mut self, _first: Var) {}
}

/// Pairs within the groups that RustSAT makes of `n` inputs.
fn pairs_in_groups(n: u128) -> u128 {
    let group = GROUP as u128;
    n / group * pairs(group) + pairs(n % group)
}

fn info(name: &str, citation: &str, auxiliaries: Auxiliaries) -> EncodingInfo {
    EncodingInfo {
        id: format!("rustsat-{name}"),
        title: format!("{name} (RustSAT)"),
        idea: "The encoder of the library RustSAT, for comparison.".into(),
        citation: format!("RustSAT 0.7.5, after {citation}"),
        propagation: Propagation::Complete,
        auxiliaries,
        ..EncodingInfo::default()
    }
}

/// The encoders of RustSAT's module `am1`, each under its id.
pub(crate) fn all() -> Vec<Arc<dyn AtMostOne>> {
    use Auxiliaries::{Free, None};
    vec![
        Arc::new(RustsatAtMostOne::<Pairwise>::new(
            info("pairwise", "Prestwich 2021", None),
            |n| Some(Size::binary(0, pairs(n.into()))),
        )),
        Arc::new(RustsatAtMostOne::<Ladder>::new(
            info("ladder", "Gent, Nightingale 2004", Free),
            |n| {
                let n = u128::from(n);
                Some(Size::binary(n - 1, 3 * n - 4))
            },
        )),
        Arc::new(RustsatAtMostOne::<Bitwise>::new(info("bitwise", "Prestwich 2007", Free), |n| {
            let bits = u128::from(bits(n));
            Some(Size::binary(bits, u128::from(n) * bits))
        })),
        Arc::new(RustsatAtMostOne::<Commander<GROUP>>::new(
            info("commander", "Klieber, Kwon 2007", Free),
            |n| {
                let n = u128::from(n);
                let groups = n.div_ceil(GROUP as u128);
                Some(Size::binary(groups, n + pairs(groups) + pairs_in_groups(n)))
            },
        )),
        Arc::new(RustsatAtMostOne::<Bimander<GROUP>>::new(
            info("bimander", "Nguyen, Mai 2015", Free),
            |n| {
                let bits = u128::from(bits(n.div_ceil(GROUP as u64))).max(1);
                Some(Size::binary(bits, u128::from(n) * bits + pairs_in_groups(n.into())))
            },
        )),
        Arc::new(RustsatAtMostOne::<TwoProduct>::new(info("product", "Chen 2010", Free), |n| {
            let rows = u128::from(n.isqrt());
            let columns = u128::from(n).div_ceil(rows);
            Some(Size::binary(rows + columns, 2 * u128::from(n) + pairs(rows) + pairs(columns)))
        })),
    ]
}
