//! Contrasts whose bootstrap intervals are wanted, and the arms that are drawn together for them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::batch::{Drawn, MANY, Shape};
use super::contrast::{Contrast, Draws};
use super::replicate_table::{ReplicateCell, ReplicateTable};
use super::smallest::Smallest;

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
