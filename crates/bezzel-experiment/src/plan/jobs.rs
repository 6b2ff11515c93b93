//! The jobs of a plan, made round by round.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bezzel_encode::{Settings, Size};

use super::cell::Cell;
use super::plan_matrix::{PlanMatrix, Round, RoundPart};
use super::product::CellPosition;
use super::versions::Versions;
use crate::backend::InputKind;
use crate::config::{self, Arm, Config, ConfigError};
use crate::model::job::PlannedJob;
use crate::model::job::{Job, Key, Limits, NO_ENCODING, Task};

/// The origin of a job.
pub(super) struct Origin<'a> {
    pub(super) arm: &'a Arm,
    /// The label of the solver or the engine in the plan.
    pub(super) label: &'a str,
    /// The place of the inclusion, if the job is included.
    place: Option<config::SourceLocation>,
}

/// The jobs of a plan while it is made.
pub(super) struct JobBuilder<'a> {
    pub(super) config: &'a Config,
    pub(super) versions: &'a Versions<'a>,
    pub(super) plan_matrices: &'a [PlanMatrix<'a>],
    pub(super) made: Vec<PlannedJob>,
    /// The origin of each job.
    pub(super) origins: Vec<Origin<'a>>,
}

impl JobBuilder<'_> {
    /// Adds the jobs of a round, as they are listed.
    pub(super) fn add(
        &mut self,
        round: &Round,
        sizes: &HashMap<usize, Vec<Option<Size>>>,
        repeat: u32,
    ) {
        for part in &round.parts {
            let plan_matrix = &self.plan_matrices[part.plan_matrix];
            let cells = plan_matrix.cells[part.instance].iter().enumerate();
            for (encoding, cell) in cells.filter_map(|(place, cell)| Some((place, cell.as_ref()?)))
            {
                let size = sizes[&part.plan_matrix][encoding];
                self.add_all(round, *part, Some((encoding, cell)), size, repeat);
            }
            self.add_all(round, *part, None, None, repeat);
        }
    }

    /// Adds the jobs of an encoding, or of arms that read none, in a part of a round.
    fn add_all(
        &mut self,
        round: &Round,
        part: RoundPart,
        encoding: Option<(usize, &Cell)>,
        size: Option<Size>,
        repeat: u32,
    ) {
        let RoundPart { plan_matrix, instance, numbering } = part;
        let plan_matrix = &self.plan_matrices[plan_matrix];
        for (place, (arm, known)) in
            plan_matrix.matrix.arms.iter().zip(&plan_matrix.arms).enumerate()
        {
            let is_here = match arm.reads {
                InputKind::Instance => encoding.is_none() && numbering.is_none(),
                InputKind::Circuit | InputKind::Formula => {
                    encoding.is_some() && numbering.is_none()
                }
                InputKind::Clauses => encoding.is_some() && numbering.is_some(),
            };
            let of = encoding.map(|(place, _)| place);
            if !is_here
                || !known.is_known
                || !plan_matrix.keeps(CellPosition {
                    instance,
                    numbering,
                    encoding: of,
                    arm: place,
                })
            {
                continue;
            }
            let cell = encoding.map(|(_, cell)| cell);
            let revision = cell.map_or(0, |cell| cell.revision);
            let limits = self.config.limits;
            let job = Job {
                instance: plan_matrix.matrix.instances[instance].instance.clone(),
                encoding: cell.map_or(NO_ENCODING.to_owned(), |cell| cell.id.clone()),
                settings: cell.map_or(Settings::default(), |cell| cell.settings),
                numbering: round.numbering,
                solver: arm.id.clone(),
                options: Arc::clone(&arm.options),
                task: arm.task,
                max_solutions: arm.max_solutions,
                repeat,
                // Only engines keep nodes.
                limits: Limits { nodes: limits.nodes.filter(|_| arm.is_engine()), ..limits },
                proof: arm.proof,
                simplified: self.config.simplified && arm.is_solver(),
            };
            // The verdict on a size compares it with the closed form, not with a counted size.
            let size = match arm.task {
                Task::Size => cell.and_then(|cell| cell.closed_form(&job.instance)),
                _ => size,
            };
            let (key, solver_version) = self.versions.key(&job, revision, &known.version);
            self.made.push(PlannedJob {
                key,
                job,
                encoding_revision: revision,
                solver_version,
                size,
            });
            let (label, place) = (&known.label, plan_matrix.matrix.place);
            self.origins.push(Origin { arm, label, place });
        }
    }

    /// Refuses two jobs with one key. Rows are found by key, so both would have the same rows.
    pub(super) fn refuse_equal_keys(&self) -> Result<(), ConfigError> {
        let mut seen: HashSet<&Key> = HashSet::with_capacity(self.made.len());
        for (PlannedJob { key, job, .. }, origin) in self.made.iter().zip(&self.origins) {
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
                    InputKind::Clauses => {
                        "include only cells that are not in the matrix".to_owned()
                    }
                    InputKind::Instance => format!(
                        "`{}` reads no encoding: include only the engines that read one",
                        origin.arm.id
                    ),
                    InputKind::Formula => {
                        format!("`{}` reads no numbering, and is there already", origin.arm.task)
                    }
                    InputKind::Circuit => format!(
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
