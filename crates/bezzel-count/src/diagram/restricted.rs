//! A diagram under given values of some variables, without a copy of it.
//!
//! *Counting.* Below each node, bottom-up: the models of the variables from its level on that have the given values.
//! Above each node, top-down: the paths that lead to it with the given values. Their products over the edges to true
//! children add up to the number of models in which a variable is true. Each pass visits each node once, and gives the
//! same numbers as restricting the diagram by every variable in turn.
//!
//! *Source.* A. Darwiche, P. Marquis, "A Knowledge Compilation Map", Journal of Artificial
//! Intelligence Research 17, 2002: conditioning and counting are polynomial on decision diagrams.

use bezzel_encode::Var;
use num_bigint::BigUint;

use super::number::Number;
use super::{Diagram, DiagramKind, Node, Ref};

/// A diagram under given values of some variables. Models have these values; they are counted over
/// all variables of the diagram.
#[derive(Clone, Debug)]
pub struct Restricted<'a> {
    diagram: &'a Diagram,
    /// For each level, the given value.
    given: Vec<Option<bool>>,
    /// For each level and the one below the last, the number of levels above it that are given to be true.
    trues: Vec<u16>,
    /// The same of levels with no value given.
    free: Vec<u16>,
}

/// The number of models, and for each variable the number of those in which it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginals {
    /// The number of models.
    pub total: BigUint,
    /// For each level of the diagram, the number of those in which its variable is true.
    pub each: Vec<BigUint>,
}

impl Diagram {
    /// The diagram under the values that `value` gives of its variables; the others have none.
    pub fn restricted(&self, value: impl FnMut(Var) -> Option<bool>) -> Restricted<'_> {
        let given: Vec<_> = self.order.iter().copied().map(value).collect();
        let above = |counted: Option<bool>| {
            let mut count = 0;
            let mut above = vec![count];
            above.extend(given.iter().map(|&value| {
                count += u16::from(value == counted);
                count
            }));
            above
        };
        let (trues, free) = (above(Some(true)), above(None));
        Restricted { diagram: self, given, trues, free }
    }
}

impl Restricted<'_> {
    /// The number of models, and of those in which each variable is true.
    pub fn marginals(&self) -> Marginals {
        let words = self.counted::<u64>().or_else(|| self.counted::<u128>());
        words.or_else(|| self.counted::<BigUint>()).expect("a number of any size fits")
    }

    fn counted<N: Number + Into<BigUint>>(&self) -> Option<Marginals> {
        let Diagram { nodes, root, .. } = self.diagram;
        let levels = self.given.len();
        let none = N::bit(false);
        let mut descent = RestrictedDescent {
            diagram: self,
            below: self.below::<N>()?,
            above: vec![none.clone(); nodes.len()],
            begins: vec![none.clone(); levels + 1],
            ends: vec![none.clone(); levels + 1],
        };
        let total = descent.enter(0, *root, &N::bit(true))?;
        let mut each = vec![none.clone(); levels];
        // Children come before parents.
        for (index, &Node { level, low, high }) in nodes.iter().enumerate().rev() {
            let level = usize::from(level);
            let ways = descent.above[index].clone();
            if ways == none {
                continue;
            }
            if self.given[level] != Some(true) {
                descent.enter(level + 1, low, &ways)?;
            }
            if self.given[level] != Some(false) {
                let models = descent.enter(level + 1, high, &ways)?;
                each[level] = each[level].plus(&models)?;
            }
        }
        let mut skipping = none;
        for (level, each) in each.iter_mut().enumerate() {
            skipping = skipping.plus(&descent.begins[level])?.minus(&descent.ends[level]);
            match self.given[level] {
                None => *each = each.plus(&skipping)?,
                Some(true) => *each = total.clone(),
                Some(false) => {}
            }
        }
        Some(Marginals { total: total.into(), each: each.into_iter().map(Into::into).collect() })
    }

    /// For each node, the number of models over the variables from its level on; if all fit.
    pub(super) fn below<N: Number>(&self) -> Option<Vec<N>> {
        let mut below: Vec<N> = Vec::with_capacity(self.diagram.nodes());
        for &Node { level, low, high } in &self.diagram.nodes {
            let level = usize::from(level);
            let mut models = N::bit(false);
            if self.given[level] != Some(true) {
                models = self.along(&below, level + 1, low)?;
            }
            if self.given[level] != Some(false) {
                models = models.plus(&self.along(&below, level + 1, high)?)?;
            }
            below.push(models);
        }
        Some(below)
    }

    /// The number of models over the variables from level `from` on below an edge from above it; if it fits.
    #[inline]
    fn along<N: Number>(&self, below: &[N], from: usize, at: Ref) -> Option<N> {
        if self.may_skip(from, at) {
            at_node(below, at).shifted(self.doubled(from, at))
        } else {
            Some(N::bit(false))
        }
    }

    /// True if an edge may skip the levels from `from` to that of `at`: not where the skipped variable is false by the
    /// kind of diagram and given to be true.
    #[inline]
    fn may_skip(&self, from: usize, at: Ref) -> bool {
        let to = self.diagram.level(at);
        self.diagram.kind == DiagramKind::Bdd || self.trues[to] == self.trues[from]
    }

    /// The number of these levels whose variable may have either value.
    #[inline]
    fn doubled(&self, from: usize, at: Ref) -> usize {
        match self.diagram.kind {
            DiagramKind::Bdd => (self.free[self.diagram.level(at)] - self.free[from]).into(),
            DiagramKind::Zdd => 0,
        }
    }

    /// The number of all models, if it fits.
    pub(super) fn total<N: Number>(&self, below: &[N]) -> Option<N> {
        self.along(below, 0, self.diagram.root)
    }

    /// The true variables of model number `k`, counted from 0; `None` if there are at most `k` models.
    pub(super) fn pick<N: Number>(&self, below: &[N], mut k: N) -> Option<Vec<Var>> {
        let diagram = self.diagram;
        if k >= self.total(below)? {
            return None;
        }
        let mut model = Vec::new();
        let (mut at, mut level) = (diagram.root, 0);
        loop {
            let here = diagram.level(at);
            while level < here {
                let is_true = match self.given[level] {
                    Some(value) => value,
                    None if diagram.kind == DiagramKind::Zdd => false,
                    None => {
                        // Both values have the same number of models.
                        let half = self.along(below, level + 1, at)?;
                        let first = k < half;
                        if !first {
                            k = k.minus(&half);
                        }
                        first
                    }
                };
                if is_true {
                    model.push(diagram.order[level]);
                }
                level += 1;
            }
            let Some((low, high)) = diagram.children(at) else { return Some(model) };
            let first = match self.given[here] {
                Some(false) => N::bit(false),
                None | Some(true) => self.along(below, here + 1, high)?,
            };
            if k < first {
                model.push(diagram.order[here]);
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
struct RestrictedDescent<'a, N> {
    diagram: &'a Restricted<'a>,
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

impl<N: Number> RestrictedDescent<'_, N> {
    /// Follows an edge whose skipped levels begin with `from`, where `ways` ways have led. Returns the number of models
    /// along it, if that fits.
    #[inline]
    fn enter(&mut self, from: usize, at: Ref, ways: &N) -> Option<N> {
        let models = at_node(&self.below, at);
        if models == N::bit(false) || !self.diagram.may_skip(from, at) {
            return Some(N::bit(false));
        }
        let doubled = self.diagram.doubled(from, at);
        if let Some(but_one) = doubled.checked_sub(1) {
            let half = ways.shifted(but_one)?.times(&models)?;
            let to = self.diagram.diagram.level(at);
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

    /// All models that have the given values.
    fn models(diagram: &Diagram, given: &[Option<bool>]) -> Vec<Vec<Var>> {
        let mut models = diagram.models();
        let mut fitting = Vec::new();
        while let Some(model) = models.next_model() {
            let fits = |(var, given): (&Var, &Option<bool>)| {
                given.is_none_or(|value| model.contains(var) == value)
            };
            if diagram.order().iter().zip(given).all(fits) {
                fitting.push(model.to_vec());
            }
        }
        fitting
    }

    #[test]
    fn every_restriction_has_the_models_that_have_its_values() {
        let mut random_bits = ChaCha8Rng::seed_from_u64(5);
        let (mut some, mut none) = (0, 0);
        for case in 0..600 {
            let kind = [DiagramKind::Bdd, DiagramKind::Zdd][case % 2];
            let levels = case / 2 % 8;
            let diagram = random(kind, levels, &mut random_bits);
            let chance = random_bits.random_range(0..4);
            let given: Vec<_> = (0..levels)
                .map(|_| (random_bits.random_range(0..4) < chance).then(|| random_bits.random()))
                .collect();
            let value = |var: Var| given[(var.idx() - 3) / 2];
            let restricted = diagram.restricted(value);
            let models = models(&diagram, &given);
            let marginals = restricted.marginals();
            assert_eq!(marginals.total, BigUint::from(models.len()), "{kind:?} {given:?}");
            for (level, &var) in diagram.order().iter().enumerate() {
                let count = models.iter().filter(|model| model.contains(&var)).count();
                assert_eq!(marginals.each[level], BigUint::from(count), "{kind:?} {given:?}");
            }
            let counts = restricted.counts();
            for (k, model) in models.iter().enumerate() {
                assert_eq!(counts.kth(&BigUint::from(k)).as_ref(), Some(model), "{given:?}");
            }
            assert_eq!(counts.kth(&BigUint::from(models.len())), None);
            *if models.is_empty() { &mut none } else { &mut some } += 1;
        }
        assert!(some > 100 && none > 100, "{some} with models, {none} without");
    }

    #[test]
    fn numbers_that_pass_a_word_are_exact() {
        for levels in [63, 64, 65, 127, 128, 129, 200] {
            let mut builder =
                Builder::new(DiagramKind::Bdd, order(levels), Budget::unlimited(&GO_ON));
            // One variable must be true, all others are free.
            let root = builder.node(7, Ref::FALSE, Ref::TRUE).unwrap();
            let diagram = builder.finish(root);
            let given = |var: Var| (var.idx() == 3).then_some(true);
            let restricted = diagram.restricted(given);
            let marginals = restricted.marginals();
            let one = BigUint::from(1_u32);
            let total = &one << (levels - 2);
            assert_eq!(marginals.total, total, "{levels}");
            for (level, each) in marginals.each.iter().enumerate() {
                let expected = if [0, 7].contains(&level) { total.clone() } else { &total >> 1 };
                assert_eq!(*each, expected, "{levels}: {level}");
            }
            let counts = restricted.counts();
            let last = counts.kth(&(&total - &one)).unwrap();
            assert_eq!(last, [diagram.order()[0], diagram.order()[7]]);
            assert_eq!(counts.kth(&total), None);
        }
    }
}
