//! Encodings of whole problems.
//!
//! Variants of an encoding share a file. [`direct`] lifts any at-most-one encoding to problems. To add an encoding:
//! write its file, and add its line to `register`.

use std::collections::BTreeMap;
use std::sync::Arc;

use bezzel_problem::Problem;

use crate::amo::AtMostOne;
use crate::circuit::Circuit;
use crate::constraints::Unsupported;
use crate::info::EncodingInfo;
use crate::shape::Shape;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::sums::SumLimit;
use crate::var_map::VarMap;

pub mod binary;
pub mod binary_selectors;
pub mod direct;
mod domains;
pub mod implication;
pub mod mixture;
pub mod order;
mod pairs;
pub mod recorded;
mod rest;
pub mod support;

pub use rest::MAX_WEIGHT;

/// The encoders of groups by their ids, each with the shapes of constraints that it is asked for.
pub type EncoderShapes = BTreeMap<String, BTreeMap<Shape, Arc<dyn AtMostOne>>>;

/// The encoders of groups by their ids, each with the sums that it is asked for.
pub type EncoderSums = BTreeMap<String, BTreeMap<SumLimit, Arc<dyn AtMostOne>>>;

/// A way to state the constraints of a problem in clauses.
pub trait Encoding: Send + Sync {
    /// The information on the encoding: name, source and declared properties.
    fn info(&self) -> EncodingInfo;

    /// The kind of problem that the encoding is for; none if it takes problems of several kinds.
    fn kind(&self) -> Option<&'static str> {
        None
    }

    /// Refuses problems whose constraints the encoding cannot state, with the reason. The other methods are called only
    /// for problems that fit. The default refuses problems that are not of its [kind](Self::kind).
    ///
    /// # Errors
    ///
    /// The reason, and a setting or an encoding that fits.
    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        match self.kind() {
            Some(kind) => Unsupported::check_kind(format!("`{}`", self.info().id), problem, kind),
            None => Ok(()),
        }
    }

    /// The exact size of the clauses that [`rules`](Self::rules) writes, without writing them. `None` if it is unknown.
    fn size(&self, problem: &Problem) -> Option<Size>;

    /// Writes the constraints of the problem to `out`, without the clauses for its given and excluded candidates, and
    /// returns the cube of each candidate. The first call of [`fresh`](ClauseSink::fresh) makes the primary variables, which
    /// the cubes have; later calls make auxiliary ones.
    ///
    /// The same problem gives the same stream of clauses every time.
    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap;

    /// The encoders of groups that encode the problem, with the shapes of its groups. Empty for encodings that state
    /// the constraints in another way.
    fn shapes(&self, _problem: &Problem) -> EncoderShapes {
        EncoderShapes::new()
    }

    /// The encoders of groups that encode the problem, with the weighted sums of its groups. Empty for encodings that
    /// take no sums.
    fn sums(&self, _problem: &Problem) -> EncoderSums {
        EncoderSums::new()
    }

    /// The circuit from which the clauses are generated, for engines that read circuits. It states the same constraints
    /// as [`rules`](Self::rules). Input i is variable i, a primary one. `None` for encodings without a circuit.
    fn circuit(&self, _problem: &Problem) -> Option<Circuit> {
        None
    }

    /// Writes the constraints, then the given candidates as one clause for each literal of their cubes (section
    /// [`given_section`](Problem::given_section)), and the excluded ones as one clause each (section
    /// [`excluded_section`](Problem::excluded_section)).
    fn encode(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let map = self.rules(problem, out);
        if !problem.given().is_empty() {
            out.section(problem.given_section());
            for &candidate in problem.given() {
                for &lit in map.cube(candidate) {
                    out.clause(&[lit]);
                }
            }
        }
        if !problem.excluded().is_empty() {
            out.section(problem.excluded_section());
            let mut clause = Vec::with_capacity(map.width());
            for &candidate in problem.excluded() {
                clause.clear();
                clause.extend(map.cube(candidate).iter().map(|&lit| !lit));
                out.clause(&clause);
            }
        }
        map
    }
}

/// A list to which encodings of whole problems are added.
pub(crate) trait EncodingList: Sized {
    /// The list and one more encoding.
    fn with(self, encoding: impl Encoding + 'static) -> Self {
        self.with_all([encoding])
    }

    /// The list and more encodings of one kind.
    fn with_all<E: Encoding + 'static>(self, encodings: impl IntoIterator<Item = E>) -> Self;
}

/// Registers Bezzel's encodings of whole problems, in the order in which they are listed.
pub(crate) fn register<L: EncodingList>(list: L) -> L {
    list.with(implication::Implication { later: false })
        .with(implication::Implication { later: true })
        .with(implication::Auxiliary { plaisted_greenbaum: false })
        .with(implication::Auxiliary { plaisted_greenbaum: true })
        .with(binary::Binary)
        .with(binary_selectors::BinarySelectors { bits: false })
        .with(binary_selectors::BinarySelectors { bits: true })
        .with(order::Order)
        .with(support::Support { columns: false })
        .with(support::Support { columns: true })
}
