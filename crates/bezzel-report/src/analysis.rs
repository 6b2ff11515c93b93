//! A record in order, with the comparisons that its figures and tables share.

use std::ops::Deref;
use std::sync::OnceLock;

use bezzel_encode::Registry;
use bezzel_experiment::ExperimentRecord;

use crate::comparison::{self, EncodingRanking, Measure};
use crate::dataset::Dataset;
use crate::effects::{self, Effect};

/// The dataset of a report, with computed results. It is read as [`Dataset`] everywhere else.
pub struct Analysis<'a> {
    dataset: Dataset<'a>,
    /// Comparisons are slow, and are made when first used.
    rankings: OnceLock<Vec<EncodingRanking>>,
    effects: OnceLock<Vec<Effect>>,
}

impl<'a> Analysis<'a> {
    /// Puts a record in order; `registry` knows the closed forms of sizes.
    pub fn new(record: &'a ExperimentRecord, registry: &'a Registry) -> Self {
        Self {
            dataset: Dataset::new(record, registry),
            rankings: OnceLock::new(),
            effects: OnceLock::new(),
        }
    }

    /// The rankings of every numbering, measure and answer.
    pub fn rankings(&self) -> &[EncodingRanking] {
        self.rankings.get_or_init(|| comparison::rankings(self))
    }

    /// The effects of every factor on a measure.
    pub fn effects(&self, measure: Measure) -> &[Effect] {
        let all = self.effects.get_or_init(|| effects::effects(self));
        // They are in the order of the measures.
        let place = |number: usize| all.partition_point(|of| (of.measure as usize) < number);
        &all[place(measure as usize)..place(measure as usize + 1)]
    }
}

impl<'a> Deref for Analysis<'a> {
    type Target = Dataset<'a>;

    fn deref(&self) -> &Dataset<'a> {
        &self.dataset
    }
}
