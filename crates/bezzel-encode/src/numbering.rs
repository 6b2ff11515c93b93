//! Numbering: the numbers of the variables, and the order of clauses and literals.
//!
//! Numbers matter to solvers: they break ties and make first decisions in their order. On satisfiable instances that
//! outweighs the encoding, so numbering is an axis of every experiment. A numbering is applied between the encoder and
//! the solver, and neither depends on it.

use std::ops::Range;

use bezzel_problem::Problem;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustsat::types::Lit;
use serde::{Deserialize, Serialize};

use crate::encoding::Encoding;
use crate::formula::Formula;
use crate::sink::{ClauseSink, VarRange};
use crate::var_map::VarMap;

mod order;

pub use order::{AuxiliaryPlace, SquareOrder};

/// The order in which variables are numbered, and the parts that are shuffled after that, each by its seed; with all
/// parts at their defaults it is `as-generated`.
///
/// Every switch draws from its own ChaCha8 stream, the same on every machine.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Numbering {
    /// The order of the squares.
    #[serde(default, skip_serializing_if = "is_default")]
    pub squares: SquareOrder,
    /// The place of the auxiliary variables.
    #[serde(default, skip_serializing_if = "is_default")]
    pub auxiliaries: AuxiliaryPlace,
    /// Renames the variables at random, from any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<u64>,
    /// Shuffles the literals within each clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literals: Option<u64>,
    /// Shuffles the clauses. This alone needs the whole formula in memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clauses: Option<u64>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The streams of the three switches under one seed.
#[derive(Clone, Copy)]
enum RandomStream {
    Variables = 1,
    Literals = 2,
    Clauses = 4,
}

fn generator(seed: u64, stream: RandomStream) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(stream as u64);
    generator
}

impl Numbering {
    /// Changes no number and no order.
    pub const AS_GENERATED: Self = Self {
        squares: SquareOrder::RowMajor,
        auxiliaries: AuxiliaryPlace::After,
        variables: None,
        literals: None,
        clauses: None,
    };

    /// Variables renamed and literals shuffled by one seed; the order of the clauses kept.
    pub const fn random(seed: u64) -> Self {
        Self { variables: Some(seed), literals: Some(seed), ..Self::AS_GENERATED }
    }

    /// Variables in this order, and nothing shuffled.
    pub const fn ordered(squares: SquareOrder, auxiliaries: AuxiliaryPlace) -> Self {
        Self { squares, auxiliaries, ..Self::AS_GENERATED }
    }

    /// The name of the kind of numbering: its order and its active switches, without seeds.
    pub fn id(&self) -> String {
        let order = match (self.squares, self.auxiliaries) {
            (SquareOrder::RowMajor, AuxiliaryPlace::After) => None,
            (SquareOrder::RowMajor, place) => Some(format!("auxiliaries {place}")),
            (squares, AuxiliaryPlace::After) => Some(squares.to_string()),
            (squares, place) => Some(format!("{squares} with auxiliaries {place}")),
        };
        match (order, self.shuffled()) {
            (None, None) => "as-generated".into(),
            (Some(name), None) | (None, Some(name)) => name,
            (Some(order), Some(shuffled)) => format!("{order}, {shuffled}"),
        }
    }

    /// The active switches; none if there is none.
    fn shuffled(&self) -> Option<String> {
        let switches =
            [(self.variables, "variables"), (self.literals, "literals"), (self.clauses, "clauses")];
        let on = switches.iter().filter(|(seed, _)| seed.is_some());
        let names = on.map(|&(_, name)| name).collect::<Vec<_>>().join("+");
        if names.is_empty() {
            return None;
        }
        Some(match names.strip_prefix("variables+literals") {
            Some(further) => format!("random{further}"),
            None => format!("shuffled {names}"),
        })
    }

    /// True if it depends on a seed.
    pub fn is_shuffled(&self) -> bool {
        let seeds = [self.variables, self.literals, self.clauses];
        seeds.iter().any(Option::is_some)
    }

    /// True if the whole formula must be kept in memory.
    pub fn stores_formula(&self) -> bool {
        self.clauses.is_some()
    }

    /// The literal that each variable becomes in a formula with `variables` variables and this map.
    pub fn images(&self, problem: &Problem, variables: u32, map: &VarMap) -> Images {
        let (squares, auxiliaries) = (self.squares, self.auxiliaries);
        let mut images = order::images(squares, auxiliaries, problem, variables, map);
        if let Some(seed) = self.variables {
            images.shuffle(&mut generator(seed, RandomStream::Variables));
        }
        Images(images)
    }

    /// Brings things of clauses, one for each in the order of the encoder, into the order of this numbering.
    pub fn order_clauses<T>(&self, of_clauses: &mut [T]) {
        if let Some(seed) = self.clauses {
            of_clauses.shuffle(&mut generator(seed, RandomStream::Clauses));
        }
    }

    /// Encodes the problem into `out` under this numbering.
    ///
    /// `images` are those of [`images`](Self::images) for the number of variables that the encoding
    /// makes and their map, which a first pass into a [`FormulaStats`](crate::FormulaStats) gives. The map that is
    /// returned has the encoder's numbers; the images translate them.
    pub fn encode(
        &self,
        encoding: &dyn Encoding,
        problem: &Problem,
        images: &Images,
        out: &mut dyn ClauseSink,
    ) -> VarMap {
        if *self == Self::AS_GENERATED {
            return encoding.encode(problem, out);
        }
        let mut renumbered = RenumberingSink::new(self, images, out);
        if self.clauses.is_none() {
            return encoding.encode(problem, &mut renumbered);
        }
        let mut formula = Formula::new();
        let map = encoding.encode(problem, &mut formula);
        let mut clauses: Vec<&[Lit]> = formula.clauses().collect();
        self.order_clauses(&mut clauses);
        for clause in clauses {
            renumbered.clause(clause);
        }
        map
    }
}

/// The literal that each variable has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images(Vec<Lit>);

impl Images {
    /// The solver's literals for the encoder's variables of these numbers.
    pub fn range(&self, variables: Range<u32>) -> impl Iterator<Item = Lit> + '_ {
        self.0[variables.start as usize..variables.end as usize].iter().copied()
    }

    /// The solver's literal for an encoder's literal.
    #[inline]
    pub fn of(&self, lit: Lit) -> Lit {
        let image = self.0[lit.vidx()];
        if lit.is_neg() { !image } else { image }
    }
}

/// A sink that passes clauses on under other numbers.
struct RenumberingSink<'a> {
    images: &'a Images,
    literals: Option<ChaCha8Rng>,
    clause: Vec<Lit>,
    made: u32,
    out: &'a mut dyn ClauseSink,
}

impl<'a> RenumberingSink<'a> {
    fn new(numbering: &Numbering, images: &'a Images, out: &'a mut dyn ClauseSink) -> Self {
        // Any image may come first, so all variables must exist from the start.
        out.fresh(images.0.len() as u32);
        let literals = numbering.literals.map(|seed| generator(seed, RandomStream::Literals));
        Self { images, literals, clause: Vec::new(), made: 0, out }
    }

    /// Puts the new names of literals, in their order, into `self.clause`.
    #[inline]
    fn rename(&mut self, lits: &[Lit]) {
        self.clause.clear();
        self.clause.extend(lits.iter().map(|&lit| self.images.of(lit)));
        if let Some(generator) = &mut self.literals {
            self.clause.shuffle(generator);
        }
    }
}

impl ClauseSink for RenumberingSink<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.made, count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.rename(lits);
        self.out.clause(&self.clause);
    }

    fn section(&mut self, name: &str) {
        self.out.section(name);
    }

    fn line(&mut self, number: u32) {
        self.out.line(number);
    }

    fn takes_cardinality(&self) -> bool {
        self.out.takes_cardinality()
    }

    fn at_most(&mut self, xs: &[Lit], k: u64) {
        self.rename(xs);
        self.out.at_most(&self.clause, k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amo::pairwise::Pairwise;
    use crate::constraints::Constraints;
    use crate::encoding::direct::Direct;
    use bezzel_problem::Kind;
    use bezzel_problem::kind::pigeonhole::Pigeonhole;
    use std::sync::Arc;

    /// The clauses of four pigeons and four holes under a numbering.
    fn clauses(numbering: Numbering) -> (Vec<Vec<Lit>>, Images) {
        let encoding = Direct::new(&(Arc::new(Pairwise) as _), Constraints::Full);
        let mut formula = Formula::new();
        let problem = Kind::problem(&Pigeonhole::new(4, 4).unwrap());
        let map = encoding.encode(&problem, &mut Formula::new());
        let images = numbering.images(&problem, 16, &map);
        numbering.encode(&encoding, &problem, &images, &mut formula);
        (formula.clauses().map(<[Lit]>::to_vec).collect(), images)
    }

    #[test]
    fn every_numbering_is_the_same_formula_under_other_names() {
        let sorted = |mut clauses: Vec<Vec<Lit>>| {
            for clause in &mut clauses {
                clause.sort_unstable();
            }
            clauses.sort_unstable();
            clauses
        };
        let (plain, _) = clauses(Numbering::AS_GENERATED);
        for seed in 0..5 {
            let all = Numbering { clauses: Some(seed), ..Numbering::random(seed) };
            for numbering in [Numbering::random(seed), all] {
                let (shuffled, images) = clauses(numbering);
                let renamed = plain
                    .iter()
                    .map(|clause| clause.iter().map(|&lit| images.of(lit)).collect())
                    .collect();
                assert_ne!(shuffled, renamed, "literals of some clause change places");
                assert_eq!(sorted(shuffled), sorted(renamed));
            }
        }
    }

    #[test]
    fn a_seed_means_the_same_shuffle_for_ever() {
        let map = VarMap::from_cubes([[]]);
        let problem = Problem::new(1);
        let Images(images) = Numbering::random(1).images(&problem, 8, &map);
        let numbers: Vec<_> = images.iter().map(|lit| lit.vidx()).collect();
        assert_eq!(numbers, [6, 5, 2, 3, 0, 4, 7, 1]);
    }

    #[test]
    fn the_name_of_a_numbering_tells_which_switches_are_on() {
        assert_eq!(Numbering::AS_GENERATED.id(), "as-generated");
        assert_eq!(Numbering::random(3).id(), "random");
        let clauses = Numbering { clauses: Some(3), ..Numbering::random(3) };
        assert_eq!(clauses.id(), "random+clauses");
        let variables = Numbering { variables: Some(3), ..Numbering::AS_GENERATED };
        assert_eq!(variables.id(), "shuffled variables");
    }

    #[test]
    fn the_name_of_a_numbering_tells_its_order() {
        let id = |squares, auxiliaries| Numbering::ordered(squares, auxiliaries).id();
        assert_eq!(id(SquareOrder::RowMajor, AuxiliaryPlace::After), "as-generated");
        assert_eq!(id(SquareOrder::Spiral, AuxiliaryPlace::After), "spiral");
        assert_eq!(id(SquareOrder::RowMajor, AuxiliaryPlace::Before), "auxiliaries before");
        assert_eq!(
            id(SquareOrder::CentreOut, AuxiliaryPlace::Between),
            "centre-out with auxiliaries between"
        );
        let spiral = Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::After);
        let clauses = Numbering { clauses: Some(1), ..spiral };
        assert_eq!(clauses.id(), "spiral, shuffled clauses");
    }
}
