//! The exclusions that fit the parts of cells.

use super::cell::EncodingVariant;
use crate::config::{Exclusion, Matrix, PartNames, mask};

/// The exclusions that fit each value of each axis: a bit for each exclusion. A cell is removed if a bit is in all four
/// of its masks.
pub(super) struct Masks {
    arms: Vec<u64>,
    /// The last one is that of a job without an encoding.
    encodings: Vec<u64>,
    /// The last one is that of a job without a numbering.
    numberings: Vec<u64>,
    pub(super) instances: Vec<u64>,
}

/// The names of the parts of all cells of a matrix, as [`Masks`] has them.
pub(super) fn names(matrix: &Matrix, variants: &[EncodingVariant<'_>]) -> [Vec<PartNames>; 4] {
    let arms = matrix.arms.iter().map(|arm| {
        let mut names = vec![arm.id.clone(), arm.label()];
        names.dedup();
        vec![("task", vec![arm.task.id().to_owned()]), ("solver", names)]
    });
    let settings = matrix.settings.iter().map(|values| (values.axis.key, Vec::new()));
    let unread = [("encoding", Vec::new())].into_iter().chain(settings).collect();
    let encodings = variants.iter().map(EncodingVariant::names).chain([unread]);
    let numberings = matrix.numberings.iter().map(|entry| vec![entry.numbering(0).id()]);
    let numberings = numberings.chain([Vec::new()]).map(|names| vec![("numbering", names)]);
    let instances = matrix.instances.iter().map(|entry| {
        let names = [entry.instance.to_string()].into_iter().chain(entry.family.clone());
        vec![("instance", names.collect())]
    });
    [arms.collect(), encodings.collect(), numberings.collect(), instances.collect()]
}

impl Masks {
    /// Compares the names of the parts of all cells with the exclusions.
    pub(super) fn new(
        exclude: &[Exclusion],
        matrix: &Matrix,
        variants: &[EncodingVariant<'_>],
    ) -> Self {
        let [arms, encodings, numberings, instances] = names(matrix, variants)
            .map(|parts| parts.iter().map(|part| mask(exclude, part)).collect());
        Self { arms, encodings, numberings, instances }
    }

    /// True if no exclusion fits an instance.
    pub(super) fn remove_nothing(&self) -> bool {
        self.instances.iter().all(|&mask| mask == 0)
    }

    /// The exclusions that fit an arm with an encoding and a numbering.
    pub(super) fn of(&self, arm: usize, encoding: Option<usize>, numbering: Option<usize>) -> u64 {
        let of = |masks: &[u64], place: Option<usize>| masks[place.unwrap_or(masks.len() - 1)];
        self.arms[arm] & of(&self.encodings, encoding) & of(&self.numberings, numbering)
    }
}
