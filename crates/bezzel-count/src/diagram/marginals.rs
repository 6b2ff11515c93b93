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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::budget::Budget;
    use crate::diagram::Builder;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// The variable of level i is number 2i + 3.
    fn order(levels: usize) -> Vec<Var> {
        (0..levels).map(|level| Var::new(2 * level as u32 + 3)).collect()
    }

    fn build(builder: &mut Builder, level: usize, values: &[bool]) -> Ref {
        if let &[value] = values {
            return if value { Ref::TRUE } else { Ref::FALSE };
        }
        let (low, high) = values.split_at(values.len() / 2);
        let (low, high) = (build(builder, level + 1, low), build(builder, level + 1, high));
        builder.node(level, low, high).unwrap()
    }

    /// A function of `levels` variables: any, or one that skips levels in many places.
    fn random(kind: DiagramKind, levels: usize, random: &mut ChaCha8Rng) -> Diagram {
        let chance = random.random_range(0..=8);
        let ignored: usize = random.random_range(0..1 << levels);
        let mut values: Vec<bool> =
            (0..1 << levels).map(|_| random.random_range(0..8) < chance).collect();
        for assignment in 0..values.len() {
            values[assignment] = match kind {
                DiagramKind::Bdd => values[assignment & !ignored],
                DiagramKind::Zdd => {
                    values[assignment] && assignment & ignored & (ignored >> 1) == 0
                }
            };
        }
        let mut builder = Builder::new(kind, order(levels), Budget::unlimited(&GO_ON));
        let root = build(&mut builder, 0, &values);
        builder.finish(root)
    }

    #[test]
    fn counts_are_those_of_the_models_listed() {
        let mut random_bits = ChaCha8Rng::seed_from_u64(5);
        let (mut some, mut none) = (0, 0);
        for case in 0..600 {
            let kind = [DiagramKind::Bdd, DiagramKind::Zdd][case % 2];
            let diagram = random(kind, case / 2 % 8, &mut random_bits);
            let mut listed = diagram.models();
            let mut models: Vec<Vec<Var>> = Vec::new();
            while let Some(model) = listed.next_model() {
                models.push(model.to_vec());
            }
            let marginals = diagram.marginals();
            assert_eq!(marginals.total, BigUint::from(models.len()), "{kind:?}");
            for (level, &var) in diagram.order().iter().enumerate() {
                let count = models.iter().filter(|model| model.contains(&var)).count();
                assert_eq!(marginals.each[level], BigUint::from(count), "{kind:?}");
            }
            let counts = diagram.counts();
            for (k, model) in models.iter().enumerate() {
                assert_eq!(counts.kth(&BigUint::from(k)).as_ref(), Some(model), "{kind:?}");
            }
            assert_eq!(counts.kth(&BigUint::from(models.len())), None);
            *if models.is_empty() { &mut none } else { &mut some } += 1;
        }
        assert!(some > 100 && none > 50, "{some} with models, {none} without");
    }

    #[test]
    fn numbers_that_pass_a_word_are_exact() {
        for levels in [63, 64, 65, 127, 128, 129, 200] {
            let mut builder =
                Builder::new(DiagramKind::Bdd, order(levels), Budget::unlimited(&GO_ON));
            // One variable must be true, all others are free.
            let root = builder.node(7, Ref::FALSE, Ref::TRUE).unwrap();
            let diagram = builder.finish(root);
            let marginals = diagram.marginals();
            let one = BigUint::from(1_u32);
            let total = &one << (levels - 1);
            assert_eq!(marginals.total, total, "{levels}");
            for (level, each) in marginals.each.iter().enumerate() {
                let expected = if level == 7 { total.clone() } else { &total >> 1 };
                assert_eq!(*each, expected, "{levels}: {level}");
            }
            let counts = diagram.counts();
            let last = counts.kth(&(&total - &one)).unwrap();
            assert_eq!(last, [diagram.order()[7]]);
            assert_eq!(counts.kth(&total), None);
        }
    }
}
