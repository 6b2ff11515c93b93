//! The cells of a matrix without the excluded ones. Cells are built on demand.

use super::plan_matrix::PlanMatrix;
use crate::backend::InputKind;
use crate::config::{Arm, CellPart, Config, ConfigError, Exclusion, InstanceEntry};

/// The largest number of cells to which exclusions may be applied: instances × numberings × encodings × solvers and
/// engines, without shuffles and repeats.
pub(super) const MAX_CELLS: u128 = 10_000_000;

/// A cell, by the places of its values on the axes of its matrix. An axis that its arm does not read has no place.
#[derive(Clone, Copy)]
pub(super) struct CellPosition {
    pub(super) instance: usize,
    pub(super) numbering: Option<usize>,
    pub(super) encoding: Option<usize>,
    pub(super) arm: usize,
}

impl PlanMatrix<'_> {
    /// Returns the parts of a cell, ordered by the cost of their comparison, cheapest first.
    fn parts(
        &self,
        CellPosition { instance, numbering, encoding, arm }: CellPosition,
    ) -> [CellPart<'_>; 4] {
        [
            CellPart::Arm(&self.matrix.arms[arm]),
            self.encoding(encoding),
            CellPart::Instance(&self.matrix.instances[instance].instance),
            self.numbering(numbering),
        ]
    }

    /// The encoding at this place as a part of a cell.
    fn encoding(&self, place: Option<usize>) -> CellPart<'_> {
        place.map_or(CellPart::Encoding(None), |place| self.variants[place].part())
    }

    /// The numbering at this place as a part of a cell.
    fn numbering(&self, place: Option<usize>) -> CellPart<'_> {
        CellPart::Numbering(place.map(|place| &self.matrix.numberings[place]))
    }

    /// Returns true if each setting of an encoding has a value that the instance has, and true without an encoding.
    fn suits(&self, instance: &InstanceEntry, encoding: Option<usize>) -> bool {
        let Some(variant) = encoding.map(|place| &self.variants[place]) else { return true };
        self.matrix.settings.iter().all(|values| {
            let names = instance.values(values);
            // With one value for all instances, or on an instance with all values, no cell is left out.
            names.len() == values.names.len()
                || !variant.found.has(values.axis)
                || values.axis.name(&variant.settings).is_none_or(|name| names.contains(&name))
        })
    }

    /// Returns true if an instance has its own values of settings.
    fn has_own_settings(&self) -> bool {
        self.matrix.instances.iter().any(|instance| instance.constraints.is_some())
    }

    /// Returns true if a cell is kept: the instance has its settings, and no exclusion names all of its parts.
    pub(super) fn keeps(&self, place: CellPosition) -> bool {
        if !self.suits(&self.matrix.instances[place.instance], place.encoding) {
            return false;
        }
        let is_named = |entry: &Exclusion| self.parts(place).iter().all(|part| entry.names(*part));
        !self.exclude.iter().any(is_named)
    }

    /// Refuses an exclusion that fits no cell, although each of its values is in the matrix.
    pub(super) fn refuse_idle(&self, config: &Config) -> Result<(), ConfigError> {
        for entry in self.exclude {
            let instances = self.matrix.instances.iter();
            let has_instance = instances
                .map(|instance| CellPart::Instance(&instance.instance))
                .any(|part| entry.names(part));
            let is_arm_of_cell = |arm: &Arm| {
                let mut numberings = self.numberings(arm, None).map(|(place, _)| place);
                entry.names(CellPart::Arm(arm))
                    && numberings.any(|place| entry.names(self.numbering(place)))
                    && self.encodings(arm).any(|place| entry.names(self.encoding(place)))
            };
            if !has_instance || !self.matrix.arms.iter().any(is_arm_of_cell) {
                let message = "this removes nothing: no cell of the matrix has all of it";
                let hint = "`bezzel run --plan` shows the axes of the plan without it";
                return Err(config.source().error(entry.place, message).hint(hint));
            }
        }
        Ok(())
    }

    /// Returns the places of the numberings that an arm meets on an instance with at most `at_most` shuffles, each with
    /// its number of numberings; one entry without a place for an arm that reads none.
    pub(super) fn numberings(
        &self,
        arm: &Arm,
        at_most: Option<u32>,
    ) -> impl Iterator<Item = (Option<usize>, u32)> {
        let (read, unread) = match arm.reads {
            InputKind::Clauses => (&self.matrix.numberings[..], None),
            InputKind::Instance | InputKind::Circuit | InputKind::Formula => {
                (&[][..], Some((None, 1)))
            }
        };
        let read = read.iter().enumerate();
        read.map(move |(place, entry)| (Some(place), entry.count(at_most))).chain(unread)
    }

    /// Returns the places of the encodings that an arm meets; one entry without a place for an arm that reads none.
    fn encodings(&self, arm: &Arm) -> impl Iterator<Item = Option<usize>> + use<> {
        let (read, unread) = match arm.reads {
            InputKind::Instance => (0, Some(None)),
            InputKind::Circuit | InputKind::Formula | InputKind::Clauses => {
                (self.variants.len(), None)
            }
        };
        (0..read).map(Some).chain(unread)
    }

    /// The number of jobs of the matrix, each run once; `None` if there are exclusions and more than
    /// `MAX_CELLS` cells.
    pub(super) fn count(&self) -> Option<u128> {
        // `numbered` is the number of instances, each counted with all its numberings.
        let product = |numbered: u128| {
            let arms =
                |reads| self.matrix.arms.iter().filter(|arm| arm.reads == reads).count() as u128;
            let (instances, encodings) =
                (self.matrix.instances.len() as u128, self.variants.len() as u128);
            let circuits = encodings * (arms(InputKind::Circuit) + arms(InputKind::Formula));
            numbered * encodings * arms(InputKind::Clauses)
                + instances * (circuits + arms(InputKind::Instance))
        };
        if self.exclude.is_empty() && !self.has_own_settings() {
            return Some(product(self.numbered()));
        }
        if product(self.matrix.instances.len() as u128 * self.matrix.numberings.len() as u128)
            > MAX_CELLS
        {
            return None;
        }
        // Instances are in the innermost loop, so that each is compared only with the exclusions that name the other
        // parts of the cell.
        let mut jobs = 0;
        let all: Vec<&Exclusion> = self.exclude.iter().collect();
        for arm in &self.matrix.arms {
            let of_arm = naming(&all, CellPart::Arm(arm));
            for encoding in self.encodings(arm) {
                let of_encoding = naming(&of_arm, self.encoding(encoding));
                for (numbering, _) in self.numberings(arm, None) {
                    let excluded = naming(&of_encoding, self.numbering(numbering));
                    let is_kept = |entry: &&InstanceEntry| {
                        self.suits(entry, encoding)
                            && !excluded.iter().any(|exclusion| {
                                exclusion.names(CellPart::Instance(&entry.instance))
                            })
                    };
                    let count = |entry: &InstanceEntry| {
                        let numberings = numbering.map(|place| &self.matrix.numberings[place]);
                        u128::from(numberings.map_or(1, |entries| entries.count(entry.shuffles)))
                    };
                    jobs += self.matrix.instances.iter().filter(is_kept).map(count).sum::<u128>();
                }
            }
        }
        Some(jobs)
    }

    /// Returns the number of instances, each counted with all its numberings.
    pub(super) fn numbered(&self) -> u128 {
        let instances = self.matrix.instances.iter();
        let counts = instances.flat_map(|instance| {
            self.matrix.numberings.iter().map(|entry| entry.count(instance.shuffles))
        });
        counts.map(u128::from).sum()
    }

    /// Returns true if some job of an encoding on an instance is kept.
    pub(super) fn needs(&self, instance: usize, encoding: usize) -> bool {
        (0..self.matrix.arms.len()).any(|arm| self.runs(instance, Some(encoding), arm))
    }

    /// Returns true if some job of an encoding on an instance is kept for an arm that reads `reads`.
    pub(super) fn is_read(&self, reads: InputKind, instance: usize, encoding: usize) -> bool {
        let mut arms = self.matrix.arms.iter().enumerate();
        arms.any(|(arm, of)| of.reads == reads && self.runs(instance, Some(encoding), arm))
    }

    /// Returns true if some job of an encoding, or of none, on an instance is kept for an arm.
    pub(super) fn runs(&self, instance: usize, encoding: Option<usize>, arm: usize) -> bool {
        let of = &self.matrix.arms[arm];
        if encoding.is_none() != (of.reads == InputKind::Instance) {
            return false;
        }
        self.numberings(of, self.matrix.instances[instance].shuffles)
            .filter(|(_, count)| *count > 0)
            .any(|(numbering, _)| self.keeps(CellPosition { instance, numbering, encoding, arm }))
    }

    /// Returns true if an encoding, or none, meets an arm in some cell.
    pub(super) fn meet(&self, encoding: Option<usize>, arm: usize) -> bool {
        let of = &self.matrix.arms[arm];
        (0..self.matrix.instances.len()).any(|instance| {
            self.numberings(of, None).any(|(numbering, _)| {
                self.keeps(CellPosition { instance, numbering, encoding, arm })
            })
        })
    }
}

/// Returns the exclusions that name a part of a cell.
fn naming<'e>(exclude: &[&'e Exclusion], part: CellPart<'_>) -> Vec<&'e Exclusion> {
    exclude.iter().copied().filter(|entry| entry.names(part)).collect()
}
