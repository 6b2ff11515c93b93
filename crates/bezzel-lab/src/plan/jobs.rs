//! The jobs of a plan, made round by round.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bezzel_encode::{Settings, Size};

use super::cell::Cell;
use super::product::Place;
use super::side::{Part, Round, Side};
use super::versions::Versions;
use crate::backend::Reads;
use crate::config::{self, Arm, Config, ConfigError};
use crate::model::job::Planned;
use crate::model::job::{Job, Key, Limits, MeasuredBy, NO_ENCODING, Task};

/// Where a job comes from.
pub(super) struct Origin<'a> {
    pub(super) arm: &'a Arm,
    /// The solver or the engine, as it is called in the plan.
    pub(super) label: &'a str,
    /// Where it is included, if it is.
    place: Option<config::Place>,
}

/// Jobs in the making.
pub(super) struct Jobs<'a> {
    pub(super) config: &'a Config,
    pub(super) versions: &'a Versions<'a>,
    pub(super) sides: &'a [Side<'a>],
    pub(super) made: Vec<Planned>,
    /// Where each comes from.
    pub(super) origins: Vec<Origin<'a>>,
}

impl Jobs<'_> {
    /// Adds the jobs of a round, as they are listed.
    pub(super) fn add(
        &mut self,
        round: &Round,
        sizes: &HashMap<usize, Vec<Option<Size>>>,
        repeat: u32,
    ) {
        for part in &round.parts {
            let side = &self.sides[part.side];
            let cells = side.cells[part.board].iter().enumerate();
            for (encoding, cell) in cells.filter_map(|(place, cell)| Some((place, cell.as_ref()?)))
            {
                let size = sizes[&part.side][encoding];
                self.add_all(round, *part, Some((encoding, cell)), size, repeat);
            }
            self.add_all(round, *part, None, None, repeat);
        }
    }

    /// Adds the jobs of an encoding, or of what reads none, in a part of a round.
    fn add_all(
        &mut self,
        round: &Round,
        part: Part,
        encoding: Option<(usize, &Cell)>,
        size: Option<Size>,
        repeat: u32,
    ) {
        let Part { side, board, numbering } = part;
        let side = &self.sides[side];
        for (place, (arm, known)) in side.matrix.arms.iter().zip(&side.arms).enumerate() {
            let is_here = match arm.reads {
                Reads::Board => encoding.is_none() && numbering.is_none(),
                Reads::Circuit | Reads::Formula => encoding.is_some() && numbering.is_none(),
                Reads::Clauses => encoding.is_some() && numbering.is_some(),
            };
            let of = encoding.map(|(place, _)| place);
            if !is_here || !side.keeps(Place { board, numbering, encoding: of, arm: place }) {
                continue;
            }
            let cell = encoding.map(|(_, cell)| cell);
            let revision = cell.map_or(0, |cell| cell.revision);
            let limits = self.config.limits;
            let job = Job {
                instance: side.matrix.instances[board].instance.clone(),
                encoding: cell.map_or(NO_ENCODING.to_owned(), |cell| cell.id.clone()),
                settings: cell.map_or(Settings::default(), |cell| cell.settings),
                numbering: round.numbering,
                solver: arm.id.clone(),
                options: Arc::clone(&arm.options),
                task: arm.task,
                most: arm.most,
                repeat,
                // Engines alone keep nodes.
                limits: Limits { nodes: limits.nodes.filter(|_| arm.is_engine()), ..limits },
                proof: arm.proof,
                simplified: self.config.simplified && arm.is_solver(),
                measured_by: MeasuredBy::Bezzel,
            };
            // The verdict on a size rests on the closed form, and on nothing that was counted.
            let size = match arm.task {
                Task::Size => cell.and_then(|cell| cell.closed_form(&job.instance)),
                _ => size,
            };
            let (key, solver_version) = self.versions.key(&job, revision, &known.version);
            self.made.push(Planned { key, job, encoding_revision: revision, solver_version, size });
            let (label, place) = (&known.label, side.matrix.place);
            self.origins.push(Origin { arm, label, place });
        }
    }

    /// Rows are found by key, so two jobs with one key would be taken for one.
    pub(super) fn refuse_equal_keys(&self) -> Result<(), ConfigError> {
        let mut seen: HashSet<&Key> = HashSet::with_capacity(self.made.len());
        for (Planned { key, job, .. }, origin) in self.made.iter().zip(&self.origins) {
            if !seen.insert(key) {
                let message = format!(
                    "one job is planned twice: {} {}, {}, {}, {}",
                    job.instance.noun(),
                    job.instance,
                    job.encoding_label(),
                    job.numbering.id(),
                    origin.label
                );
                let source = self.config.source();
                let hint = match origin.arm.reads {
                    Reads::Clauses => "include only what is not there already".to_owned(),
                    Reads::Board => format!(
                        "`{}` reads no encoding: include only the engines that read one",
                        origin.arm.id
                    ),
                    Reads::Formula => {
                        format!("`{}` reads no numbering, and is there already", origin.arm.task)
                    }
                    Reads::Circuit => format!(
                        "`{}` reads no numbering: include only the engines that read one",
                        origin.arm.id
                    ),
                };
                return Err(match origin.place {
                    None => source.fault(message),
                    Some(place) => source.error(place, message).hint(hint),
                });
            }
        }
        Ok(())
    }
}
