//! Contrasts whose bootstrap intervals are wanted, and the arms that are drawn together for them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::batch::{Drawn, MANY, Shape};
use crate::contrast::{Contrast, Draws};
use crate::replicate_table::{ReplicateCell, ReplicateTable};

/// The ends of intervals of contrasts.
pub(super) type Ends = Vec<[Smallest; 2]>;

/// Contrasts of a design whose bootstrap intervals are wanted.
pub(super) struct Question<'q> {
    pub(super) table: &'q ReplicateTable,
    pub(super) contrasts: Vec<&'q Contrast>,
    /// The ends of each interval as logarithms: the `wanted`-th smallest of the ratios and of their inverses.
    pub(super) ends: Ends,
    pub(super) draws: Draws,
}

impl Question<'_> {
    /// The arms of the contrasts, in order.
    pub(super) fn arms(&self) -> Vec<usize> {
        let pairs = self.contrasts.iter().flat_map(|contrast| &contrast.pairs);
        let arms: BTreeSet<usize> = pairs.flat_map(|&(one, two)| [one, two]).collect();
        arms.into_iter().collect()
    }
}

/// The arms that are drawn together on an instance, those of each draw. All arms have one draw if an arm has too many
/// replicates. Only arms of contrasts are drawn, and those with one replicate are not.
pub(super) fn groups(question: &Question<'_>, instance: usize) -> Vec<Vec<usize>> {
    let cells = question.table.cells(instance);
    let mut groups: IndexMap<usize, Vec<usize>> = IndexMap::new();
    for arm in question.arms().into_iter().filter(|&arm| cells[arm].count() > 1) {
        groups.entry(cells[arm].drawn_with).or_default().push(arm);
    }
    groups.into_values().collect()
}

pub(super) fn is_pooled(cells: &[ReplicateCell], groups: &[Vec<usize>]) -> bool {
    groups.iter().any(|arms| cells[arms[0]].count() > MANY)
}

/// The draws on each instance of each stratum.
pub(super) fn shape(question: &Question<'_>) -> Shape {
    let of_instance = |&instance: &usize| {
        let (cells, groups) = (question.table.cells(instance), groups(question, instance));
        if is_pooled(cells, &groups) {
            return vec![Drawn::Pooled];
        }
        groups.iter().map(|arms| Drawn::Replicates(cells[arms[0]].count())).collect()
    };
    let strata = question.table.strata.iter();
    strata.map(|stratum| stratum.iter().map(of_instance).collect()).collect()
}

/// The `wanted`-th smallest of many numbers, or a bound if it is not below the bound.
#[derive(Clone)]
pub(super) struct Smallest {
    wanted: usize,
    known: Vec<f64>,
    /// No number from here on is among the `wanted` smallest: the largest number that the last trim kept, the bound
    /// before.
    cutoff: f64,
}

impl Smallest {
    pub(super) fn new(wanted: usize, bound: f64) -> Self {
        Self { wanted, known: Vec::new(), cutoff: bound }
    }

    pub(super) fn push(&mut self, number: f64) {
        if number < self.cutoff {
            self.known.push(number);
            if self.known.len() >= 2 * self.wanted + 1_024 {
                self.trim();
            }
        }
    }

    /// Adds the numbers of another list with the same bound.
    pub(super) fn merge(&mut self, other: Self) {
        other.known.into_iter().for_each(|number| self.push(number));
    }

    fn trim(&mut self) {
        if self.known.len() >= self.wanted {
            let last = self.wanted - 1;
            let (_, largest, _) = self.known.select_nth_unstable_by(last, f64::total_cmp);
            self.cutoff = *largest;
            self.known.truncate(self.wanted);
        }
    }

    /// The `wanted`-th smallest number, or the bound.
    pub(super) fn largest(mut self) -> f64 {
        self.trim();
        self.cutoff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wanted_number_is_that_in_order_unless_the_bound_is_smaller() {
        let numbers: Vec<f64> = (0..20_000_u32).map(|at| f64::from(at * 7_919 % 6_007)).collect();
        let mut sorted = numbers.clone();
        sorted.sort_by(f64::total_cmp);
        for wanted in [1, 2, 500, 20_000, 30_000] {
            for bound in [0.0, 40.5, 7_000.0, f64::INFINITY] {
                let mut smallest = [Smallest::new(wanted, bound), Smallest::new(wanted, bound)];
                for (at, &number) in numbers.iter().enumerate() {
                    smallest[at % 2].push(number);
                }
                let [mut one, two] = smallest;
                one.merge(two);
                let expected = sorted.get(wanted - 1).map_or(bound, |number| number.min(bound));
                assert_eq!(one.largest().to_bits(), expected.to_bits(), "{wanted} {bound}");
            }
        }
    }
}
