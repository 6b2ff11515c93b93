//! The cells of a matrix without the excluded ones. Cells are built on demand.

use bezzel_solve::ProofFormat;

use super::masks::names;
use super::plan_matrix::PlanMatrix;
use crate::backend::InputKind;
use crate::config::{Arm, Config, ConfigError, InstanceEntry};

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

    /// Returns true if a cell is kept: the instance has its settings, and no exclusion fits it.
    pub(super) fn keeps(&self, place: CellPosition) -> bool {
        if !self.suits(&self.matrix.instances[place.instance], place.encoding) {
            return false;
        }
        let CellPosition { instance, numbering, encoding, arm } = place;
        self.masks.of(arm, encoding, numbering) & self.masks.instances[instance] == 0
    }

    /// Refuses an exclusion that removes nothing.
    pub(super) fn refuse_idle(&self, config: &Config) -> Result<(), ConfigError> {
        if config.exclude.is_empty() {
            return Ok(());
        }
        let names = names(self.matrix, &self.variants).concat();
        let mut removing = 0;
        for (arm, of) in self.matrix.arms.iter().enumerate() {
            for encoding in self.encodings(of) {
                for (numbering, _) in self.numberings(of, None) {
                    removing |= self.masks.of(arm, encoding, numbering);
                }
            }
        }
        removing &= self.masks.instances.iter().fold(0, |any, mask| any | mask);
        for (bit, entry) in config.exclude.iter().enumerate() {
            entry.refuse_unmatched(config.source(), &names)?;
            if removing & 1 << bit == 0 {
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
        if self.masks.remove_nothing() && !self.has_own_settings() {
            return Some(product(self.numbered()));
        }
        if product(self.matrix.instances.len() as u128 * self.matrix.numberings.len() as u128)
            > MAX_CELLS
        {
            return None;
        }
        let mut jobs = 0;
        for (arm, of) in self.matrix.arms.iter().enumerate() {
            for encoding in self.encodings(of) {
                for (numbering, _) in self.numberings(of, None) {
                    let excluded = self.masks.of(arm, encoding, numbering);
                    let numberings = numbering.map(|place| &self.matrix.numberings[place]);
                    for (entry, mask) in self.matrix.instances.iter().zip(&self.masks.instances) {
                        if excluded & mask == 0 && self.suits(entry, encoding) {
                            jobs += u128::from(
                                numberings.map_or(1, |entries| entries.count(entry.shuffles)),
                            );
                        }
                    }
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

    /// Returns true if some job of an encoding on an instance asks for a proof from the file.
    pub(super) fn proves_from_file(&self, instance: usize, encoding: usize) -> bool {
        let mut arms = self.matrix.arms.iter().enumerate();
        arms.any(|(arm, of)| {
            of.proof == Some(ProofFormat::Veripb) && self.runs(instance, Some(encoding), arm)
        })
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
