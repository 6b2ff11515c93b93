//! The number of models of a diagram, and for each variable the number of those in which it is true.
//!
//! Below each node, bottom-up: the models of the variables from its level on. Above each node, top-down: the paths that
//! lead to it. Their products over the edges to true children add up to the number of models in which a variable is
//! true. Each pass visits each node once.
//!
//! *Source.* A. Darwiche, P. Marquis, "A Knowledge Compilation Map", Journal of Artificial
//! Intelligence Research 17, 2002: counting is polynomial on decision diagrams.

use bezzel_encode::Var;
use num_bigint::BigUint;

use super::number::Number;
use super::{Diagram, DiagramKind, Node, Ref};

/// The number of models, and for each variable the number of those in which it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginals {
    /// The number of models.
    pub total: BigUint,
    /// For each level of the diagram, the number of those in which its variable is true.
    pub each: Vec<BigUint>,
}

impl Diagram {
    /// The number of models, and of those in which each variable is true.
    pub fn marginals(&self) -> Marginals {
        let words = self.counted::<u64>().or_else(|| self.counted::<u128>());
        words.or_else(|| self.counted::<BigUint>()).expect("a number of any size fits")
    }

    fn counted<N: Number + Into<BigUint>>(&self) -> Option<Marginals> {
        let levels = self.order.len();
        let none = N::bit(false);
        let mut descent = MarginalDescent {
            diagram: self,
            below: self.below::<N>()?,
            above: vec![none.clone(); self.nodes.len()],
            begins: vec![none.clone(); levels + 1],
            ends: vec![none.clone(); levels + 1],
        };
        let total = descent.enter(0, self.root, &N::bit(true))?;
        let mut each = vec![none.clone(); levels];
        // Children come before parents.
        for (index, &Node { level, low, high }) in self.nodes.iter().enumerate().rev() {
            let level = usize::from(level);
            let ways = descent.above[index].clone();
            if ways == none {
                continue;
            }
            descent.enter(level + 1, low, &ways)?;
            let models = descent.enter(level + 1, high, &ways)?;
            each[level] = each[level].plus(&models)?;
        }
        let mut skipping = none;
        for (level, each) in each.iter_mut().enumerate() {
            skipping = skipping.plus(&descent.begins[level])?.minus(&descent.ends[level]);
            *each = each.plus(&skipping)?;
        }
        Some(Marginals { total: total.into(), each: each.into_iter().map(Into::into).collect() })
    }

    /// For each node, the number of models over the variables from its level on; if all fit.
    pub(super) fn below<N: Number>(&self) -> Option<Vec<N>> {
        let mut below: Vec<N> = Vec::with_capacity(self.nodes.len());
        for &Node { level, low, high } in &self.nodes {
            let from = usize::from(level) + 1;
            let models = self.along(&below, from, low)?.plus(&self.along(&below, from, high)?)?;
            below.push(models);
        }
        Some(below)
    }

    /// The number of models over the variables from level `from` on below an edge from above it; if it fits.
    #[inline]
    fn along<N: Number>(&self, below: &[N], from: usize, at: Ref) -> Option<N> {
        at_node(below, at).shifted(self.doubled(from, at))
    }

    /// The number of skipped levels from `from` on whose variable may have either value.
    #[inline]
    fn doubled(&self, from: usize, at: Ref) -> usize {
        match self.kind {
            DiagramKind::Bdd => self.level(at) - from,
            DiagramKind::Zdd => 0,
        }
    }

    /// The number of all models, if it fits.
    pub(super) fn total<N: Number>(&self, below: &[N]) -> Option<N> {
        self.along(below, 0, self.root)
    }

    /// The true variables of model number `k`, counted from 0; `None` if there are at most `k` models.
    pub(super) fn pick<N: Number>(&self, below: &[N], mut k: N) -> Option<Vec<Var>> {
        if k >= self.total(below)? {
            return None;
        }
        let mut model = Vec::new();
        let (mut at, mut level) = (self.root, 0);
        loop {
            let here = self.level(at);
            if self.kind == DiagramKind::Bdd {
                for skipped in level..here {
                    // Both values have the same number of models.
                    let half = self.along(below, skipped + 1, at)?;
                    if k < half {
                        model.push(self.order[skipped]);
                    } else {
                        k = k.minus(&half);
                    }
                }
            }
            let Some((low, high)) = self.children(at) else { return Some(model) };
            let first = self.along(below, here + 1, high)?;
            if k < first {
                model.push(self.order[here]);
                at = high;
            } else {
                k = k.minus(&first);
                at = low;
            }
            level = here + 1;
        }
    }
}

/// The state of the pass from the root down.
struct MarginalDescent<'a, N> {
    diagram: &'a Diagram,
    /// For each node, the number of models from its level on.
    below: Vec<N>,
    /// For each node, the number of ways in which the variables above its level lead to it.
    above: Vec<N>,
    /// For each level, the models in which a skipped variable is true, for edges whose skipped
    /// levels begin with it.
    begins: Vec<N>,
    /// The same for edges whose skipped levels end above it.
    ends: Vec<N>,
}

impl<N: Number> MarginalDescent<'_, N> {
    /// Follows an edge whose skipped levels begin with `from`, where `ways` ways have led. Returns the number of models
    /// along it, if that fits.
    #[inline]
    fn enter(&mut self, from: usize, at: Ref, ways: &N) -> Option<N> {
        let models = at_node(&self.below, at);
        if models == N::bit(false) {
            return Some(models);
        }
        let doubled = self.diagram.doubled(from, at);
        if let Some(but_one) = doubled.checked_sub(1) {
            let half = ways.shifted(but_one)?.times(&models)?;
            let to = self.diagram.level(at);
            self.begins[from] = self.begins[from].plus(&half)?;
            self.ends[to] = self.ends[to].plus(&half)?;
        }
        let ways = ways.shifted(doubled)?;
        if let Some(index) = at.index() {
            self.above[index] = self.above[index].plus(&ways)?;
        }
        ways.times(&models)
    }
}

/// The number of models from the level of a node on.
#[inline]
fn at_node<N: Number>(below: &[N], at: Ref) -> N {
    at.index().map_or_else(|| N::bit(at == Ref::TRUE), |index| below[index].clone())
}
