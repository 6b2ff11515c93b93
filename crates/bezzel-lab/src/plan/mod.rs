//! The plan: every job of an experiment, in the order in which they run.
//!
//! Planning runs nothing but the programs that encode. It asks the encodings how large their
//! formulas are, and refuses what could not be run before anything is: a matrix beyond counting, a
//! formula beyond the memory limit, an encoding that cannot say the rules of a board.
//!
//! *Order.* Boards come one after the other, small ones first: a run that is cut short has
//! answered the question for the boards that it reached, and the first figures come early. On each
//! board the jobs go in rounds, one for each shuffle: in a round every encoding meets every solver
//! under the same numbering. So what changes with time, a warm processor or a busy neighbour, falls
//! on all encodings alike, and at any moment all of them have been run equally often, give or take
//! one.

use std::collections::{HashMap, HashSet};

use bezzel_encode::{Board, Numbering, Size};
use bezzel_solve::ProofFormat;

use crate::config::{BoardEntry, Config, ConfigError, NumberingEntry, SolverEntry};
use crate::job::{Job, Key, MeasuredBy, Task};
use crate::quantity::grouped;
use crate::row::Row;
use crate::workbench::Workbench;

mod cells;
mod fit;
mod summary;
#[cfg(test)]
mod tests;

use cells::{Cell, Wanted};
pub use summary::{Axis, Largest, Summary};

/// The largest number of jobs in a plan. So many take a second to plan and some 400 MB to keep, and
/// nobody has the days to run them.
pub const MAX_JOBS: u128 = 250_000;

/// A job with what its row will be found and checked by.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The job.
    pub job: Job,
    /// Its key.
    pub key: Key,
    /// The revision of its encoding.
    pub encoding_revision: u32,
    /// The version of its solver.
    pub solver_version: String,
    /// The size of the rules of its board, where it is known without running. Given queens and
    /// blocked squares add a few clauses to it.
    pub size: Option<Size>,
}

/// All jobs of an experiment, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The jobs.
    pub jobs: Vec<Planned>,
    summary: Summary,
}

impl Plan {
    /// Plans an experiment. Programs that encode are run.
    ///
    /// # Errors
    ///
    /// When there are more than [`MAX_JOBS`] jobs, an encoding does not fit a board or a solver, a
    /// formula surely exceeds the memory limit or the numbers of variables that solvers know, or
    /// two jobs are the same.
    pub fn new(config: &Config, workbench: &Workbench) -> Result<Self, ConfigError> {
        Self::of(config, workbench, |wanted, boards| cells::run(config, workbench, wanted, boards))
    }

    /// Finds the plan of a record again, with nothing run: where a program encodes, its rows tell
    /// what it printed last.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_record<'r>(
        config: &Config,
        workbench: &Workbench,
        rows: impl Iterator<Item = &'r Row>,
    ) -> Result<Self, ConfigError> {
        Self::of(config, workbench, |wanted, boards| {
            cells::recall(config, workbench, wanted, boards, rows)
        })
    }

    fn of(
        config: &Config,
        workbench: &Workbench,
        cells: impl FnOnce(&[Wanted<'_>], &[&Board]) -> Result<Vec<Vec<Cell>>, ConfigError>,
    ) -> Result<Self, ConfigError> {
        let wanted = cells::wanted(config, workbench)?;
        refuse_too_many(config, wanted.len())?;

        let mut boards: Vec<&BoardEntry> = config.boards.iter().collect();
        boards.sort_by_key(|entry| (entry.board.rows(), entry.board.columns()));
        let solvers = solvers(config, workbench)?;
        let cells = cells(&wanted, &boards.iter().map(|entry| &entry.board).collect::<Vec<_>>())?;

        let mut jobs = Vec::new();
        let mut largest = None;
        for (entry, cells) in boards.into_iter().zip(&cells) {
            let mut sizes = Vec::with_capacity(cells.len());
            for cell in cells {
                fit::refuse_misfit(config, entry, cell)?;
                let size = cell.size(&entry.board);
                if let Some(size) = size {
                    fit::check(config, entry, cell, size)?;
                    Largest::update(&mut largest, &entry.board, &cell.label(), size);
                }
                sizes.push(size);
            }
            for repeat in 1..=config.repeats {
                for numbering in rounds(config, entry) {
                    for (cell, &size) in cells.iter().zip(&sizes) {
                        for (solver, (version, proof)) in config.solvers.iter().zip(&solvers) {
                            let job = Job {
                                board: entry.board.clone(),
                                encoding: cell.id.clone(),
                                constraints: cell.constraints(),
                                blocked: cell.settings.blocked,
                                symmetry: cell.settings.symmetry,
                                numbering,
                                solver: solver.id.clone(),
                                options: solver.options.clone(),
                                task: Task::First,
                                repeat,
                                limits: config.limits,
                                proof: *proof,
                                simplified: false,
                                measured_by: MeasuredBy::Bezzel,
                            };
                            jobs.push(Planned {
                                key: job.key(cell.revision, version),
                                job,
                                encoding_revision: cell.revision,
                                solver_version: version.clone(),
                                size,
                            });
                        }
                    }
                }
            }
        }
        refuse_equal_keys(config, &jobs)?;
        let summary = Summary::new(config, &jobs, largest);
        Ok(Self { jobs, summary })
    }

    /// The keys of all jobs: what the plan asks for, in whatever order and words.
    pub fn keys(&self) -> HashSet<&Key> {
        self.jobs.iter().map(|job| &job.key).collect()
    }

    /// What the plan comes to, in a few lines.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

/// The version of each solver, and the format of the proofs that it writes, if it writes any.
fn solvers(
    config: &Config,
    workbench: &Workbench,
) -> Result<Vec<(String, Option<ProofFormat>)>, ConfigError> {
    let told = |entry: &SolverEntry| match workbench.solvers.find(&entry.id) {
        Ok(solver) => Ok((solver.card().version, solver.proof_format())),
        Err(error) => Err(config.source().error(entry.place, error.to_string())),
    };
    config.solvers.iter().map(told).collect()
}

/// Counts the jobs without making them.
fn refuse_too_many(config: &Config, cells: usize) -> Result<(), ConfigError> {
    let numberings: u128 = config
        .boards
        .iter()
        .flat_map(|board| config.numberings.iter().map(|entry| entry.count(board.shuffles)))
        .map(u128::from)
        .sum();
    // A config is too short for any of these to be long: the product cannot overflow.
    let jobs =
        numberings * cells as u128 * config.solvers.len() as u128 * u128::from(config.repeats);
    if jobs > MAX_JOBS {
        let message = format!(
            "this is a plan of {} jobs: boards in their numberings {} × encodings {cells} × \
             solvers {} × repeats {}; at most {} are taken",
            grouped(jobs),
            grouped(numberings),
            config.solvers.len(),
            grouped(config.repeats.into()),
            grouped(MAX_JOBS),
        );
        return Err(config.source().fault(message).hint("ask for less, or split the question"));
    }
    Ok(())
}

/// The numberings of a board in rounds: the first of each entry, then the second ones.
fn rounds(config: &Config, entry: &BoardEntry) -> Vec<Numbering> {
    let count = |numbering: &NumberingEntry| numbering.count(entry.shuffles);
    let rounds = config.numberings.iter().map(count).max().unwrap_or(0);
    (0..rounds)
        .flat_map(|round| {
            let left = config.numberings.iter().filter(move |numbering| round < count(numbering));
            left.map(move |numbering| numbering.numbering(round))
        })
        .collect()
}

/// Rows are found by key, so two jobs with one key would be taken for one.
fn refuse_equal_keys(config: &Config, jobs: &[Planned]) -> Result<(), ConfigError> {
    let mut seen: HashMap<&Key, &Job> = HashMap::with_capacity(jobs.len());
    for Planned { key, job, .. } in jobs {
        if seen.insert(key, job).is_some() {
            let message = format!(
                "one job is planned twice: board {}, {}, {}, {}",
                job.board,
                job.encoding_label(),
                job.numbering.id(),
                job.solver
            );
            return Err(config.source().fault(message));
        }
    }
    Ok(())
}
