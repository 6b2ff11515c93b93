//! The number of models of a diagram and of each of its nodes, and the `k`-th model.

use bezzel_encode::Var;
use num_bigint::BigUint;

use super::Diagram;
use super::number::Number;

/// The exact number of models of a diagram, and below each of its nodes.
///
/// The numbers have 8 bytes if all of them fit, else 16, else any size.
#[derive(Clone, Debug)]
pub struct Counts<'a> {
    diagram: &'a Diagram,
    below: Below,
}

#[derive(Clone, Debug)]
enum Below {
    Words(Vec<u64>),
    Wide(Vec<u128>),
    Big(Vec<BigUint>),
}

impl Diagram {
    /// The number of its models.
    pub fn count(&self) -> BigUint {
        self.counts().total()
    }

    /// Counts the models below every node, once for all queries.
    pub fn counts(&self) -> Counts<'_> {
        let words = self.fitting().map(Below::Words);
        let below = words
            .or_else(|| self.fitting().map(Below::Wide))
            .unwrap_or_else(|| Below::Big(self.fitting().expect("a number of any size fits")));
        Counts { diagram: self, below }
    }

    /// For each node, the number of models over the variables from its level on. `None` if one of these
    /// numbers, or the number of all models, does not fit.
    fn fitting<N: Number>(&self) -> Option<Vec<N>> {
        self.below().filter(|below| self.total(below).is_some())
    }

    /// The number of paths from the root to true. In a binary decision diagram a path that skips k variables
    /// stands for 2ᵏ models. In a zero-suppressed diagram every path is one model.
    pub fn paths(&self) -> BigUint {
        let mut below = vec![BigUint::ZERO, BigUint::from(1_u32)];
        for node in &self.nodes {
            below.push(&below[node.low.0 as usize] + &below[node.high.0 as usize]);
        }
        below.swap_remove(self.root.0 as usize)
    }
}

impl Counts<'_> {
    /// The number of models.
    pub fn total(&self) -> BigUint {
        match &self.below {
            Below::Words(below) => self.diagram.total(below).map(BigUint::from),
            Below::Wide(below) => self.diagram.total(below).map(BigUint::from),
            Below::Big(below) => self.diagram.total(below),
        }
        .expect("the numbers were chosen so that it fits")
    }

    /// The true variables of model number `k`, counted from 0 in the order of
    /// [`Models`](super::Models); `None` if there are at most `k` models.
    pub fn kth(&self, k: &BigUint) -> Option<Vec<Var>> {
        // A `k` that does not fit is larger than the number of all models, which fits.
        match &self.below {
            Below::Words(below) => self.diagram.pick(below, k.try_into().ok()?),
            Below::Wide(below) => self.diagram.pick(below, k.try_into().ok()?),
            Below::Big(below) => self.diagram.pick(below, k.clone()),
        }
    }
}
