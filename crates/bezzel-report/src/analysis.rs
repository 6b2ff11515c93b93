//! A record in order, with the comparisons that its figures and tables share.

use std::ops::Deref;
use std::sync::OnceLock;

use bezzel_encode::Registry;
use bezzel_lab::ExperimentRecord;

use crate::contest::{self, Measure, Standing};
use crate::effects::{self, Effect};
use crate::material::Material;

/// The material of a report, with what is computed from it. It is read as [`Material`] everywhere else.
pub struct Analysis<'a> {
    material: Material<'a>,
    /// Comparisons take long, and are made when first asked for.
    standings: OnceLock<Vec<Standing>>,
    effects: [OnceLock<Vec<Effect>>; Measure::ALL.len()],
}

impl<'a> Analysis<'a> {
    /// Puts a record in order; `registry` knows the closed forms of sizes.
    pub fn new(record: &'a ExperimentRecord, registry: &'a Registry) -> Self {
        Self {
            material: Material::new(record, registry),
            standings: OnceLock::new(),
            effects: [const { OnceLock::new() }; Measure::ALL.len()],
        }
    }

    /// The standings of every numbering, measure and answer.
    pub fn standings(&self) -> &[Standing] {
        self.standings.get_or_init(|| contest::standings(self))
    }

    /// The effects of every factor on a measure.
    pub fn effects(&self, measure: Measure) -> &[Effect] {
        self.effects[measure as usize].get_or_init(|| effects::effects(self, measure))
    }
}

impl<'a> Deref for Analysis<'a> {
    type Target = Material<'a>;

    fn deref(&self) -> &Material<'a> {
        &self.material
    }
}
