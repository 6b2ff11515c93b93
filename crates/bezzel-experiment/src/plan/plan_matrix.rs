//! A matrix that is prepared for planning, and the rounds of its cells.

use std::collections::HashMap;

use bezzel_encode::Numbering;
use bezzel_problem::Instance;

use super::cell::{Cell, EncodingVariant};
use super::masks::Masks;
use crate::backend::InputKind;
use crate::config::{Arm, Matrix};

/// A matrix with the results of planning so far.
pub(super) struct PlanMatrix<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) variants: Vec<EncodingVariant<'a>>,
    pub(super) masks: Masks,
    /// The version and label of each arm of the matrix.
    pub(super) arms: Vec<ArmInfo>,
    /// The cells of each instance, for all encodings that are needed there.
    pub(super) cells: Vec<Vec<Option<Cell>>>,
}

impl PlanMatrix<'_> {
    /// True if this version does not know one of its encodings, solvers or engines.
    pub(super) fn names_unknown(&self) -> bool {
        self.arms.iter().any(|arm| !arm.is_known)
            || self.variants.iter().any(|variant| !variant.is_known)
    }
}

/// The version and the label of a solver or an engine.
pub(super) struct ArmInfo {
    pub(super) version: String,
    /// The label in the plan.
    pub(super) label: String,
    /// False if this version does not know it. Its jobs are those of the rows.
    pub(super) is_known: bool,
}

/// The places of one instance: for each matrix that has it, the index of the matrix and of the instance in it.
pub(super) type Stage = Vec<(usize, usize)>;

/// All instances, small ones first.
pub(super) fn stages(plan_matrices: &[PlanMatrix<'_>]) -> Vec<Stage> {
    let mut all: Vec<(&Instance, usize, usize)> = Vec::new();
    for (plan_matrix, PlanMatrix { matrix, .. }) in plan_matrices.iter().enumerate() {
        let instances = matrix.instances.iter().enumerate();
        all.extend(instances.map(|(instance, entry)| (&entry.instance, plan_matrix, instance)));
    }
    all.sort_by_key(|(instance, ..)| {
        (instance.size(), instance.grid().map_or(0, |grid| grid.columns))
    });
    let mut stages: Vec<Stage> = Vec::new();
    let mut known: HashMap<&Instance, usize> = HashMap::new();
    for (instance, plan_matrix, place) in all {
        let stage = *known.entry(instance).or_insert_with(|| {
            stages.push(Stage::new());
            stages.len() - 1
        });
        stages[stage].push((plan_matrix, place));
    }
    stages
}

/// One numbering. In its round every encoding meets every solver and engine.
pub(super) struct Round {
    pub(super) numbering: Numbering,
    /// The matrices that have it.
    pub(super) parts: Vec<RoundPart>,
}

/// The part of a matrix in a round.
#[derive(Clone, Copy)]
pub(super) struct RoundPart {
    pub(super) plan_matrix: usize,
    /// The place of the instance in the matrix.
    pub(super) instance: usize,
    /// The place of the numbering; none for arms that read no numbering, which run once.
    pub(super) numbering: Option<usize>,
}

/// Returns the rounds of an instance: the first of each of its numberings, then the second ones. Arms that read no
/// numbering run with the formulas as generated.
pub(super) fn rounds(plan_matrices: &[PlanMatrix<'_>], stage: &[(usize, usize)]) -> Vec<Round> {
    let mut entries: Vec<(RoundPart, u32)> = Vec::new();
    for &(plan_matrix, instance) in stage {
        let of = &plan_matrices[plan_matrix];
        let shuffles = of.matrix.instances[instance].shuffles;
        let of = |reads_clauses: bool| {
            let reads = |arm: &&Arm| (arm.reads == InputKind::Clauses) == reads_clauses;
            let arm = of.matrix.arms.iter().find(reads);
            arm.into_iter().flat_map(move |arm| of.numberings(arm, shuffles))
        };
        let part = |(numbering, count)| (RoundPart { plan_matrix, instance, numbering }, count);
        entries.extend(of(true).chain(of(false)).map(part));
    }
    let max = entries.iter().map(|(.., count)| *count).max().unwrap_or(0);
    let mut rounds = Vec::new();
    for index in 0..max {
        let mut of_index: Vec<Round> = Vec::new();
        for (part, _) in entries.iter().filter(|(.., count)| index < *count) {
            let read = part
                .numbering
                .map(|place| &plan_matrices[part.plan_matrix].matrix.numberings[place]);
            let numbering =
                read.map_or(Numbering::AS_GENERATED, |numbering| numbering.numbering(index));
            match of_index.iter_mut().find(|round| round.numbering == numbering) {
                Some(round) => round.parts.push(*part),
                None => of_index.push(Round { numbering, parts: vec![*part] }),
            }
        }
        rounds.extend(of_index);
    }
    rounds
}
