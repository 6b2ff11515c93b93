//! The plan: every job of an experiment, in the order in which they run.
//!
//! Planning runs nothing but the programs that encode. It asks the encodings how large their
//! formulas are, and refuses what could not be run before anything is: a matrix beyond counting, a
//! formula beyond the memory limit, an encoding that cannot say the rules of a board.
//!
//! *Order.* Boards come one after the other, small ones first: a run that is cut short has
//! answered the question for the boards that it reached, and the first figures come early. On each
//! board the jobs go in rounds, one for each shuffle: in a round every encoding meets every solver
//! under the same numbering, in an order that is shuffled anew for each round. So what changes with
//! time, a warm processor or a busy neighbour, falls on all encodings alike, and at any moment all
//! of them have been run equally often, give or take one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use bezzel_encode::Size;
use bezzel_problem::Instance;

use crate::backend::Reads;
use crate::backend::program::Programs;
use crate::backend::workbench::Workbench;
use crate::config::{Arm, Config, ConfigError};
use crate::model::job::{Key, Planned};
use crate::model::quantity::grouped;
use crate::model::row::Row;
use crate::results::store;

mod able;
pub mod answering;
mod benchexec;
mod cell;
mod cells;
mod fit;
mod jobs;
pub(crate) mod named_programs;
mod order;
mod product;
mod side;
pub(crate) mod stale;
mod summary;
#[cfg(test)]
mod tests;
mod versions;

use answering::Asked;
use cell::Cell;
use jobs::Jobs;
use side::{Known, Side};
pub(crate) use summary::threads;
pub use summary::{Axis, Largest, Summary};
use versions::Versions;

/// The largest number of jobs in a plan. So many take some seconds to plan and 600 MB to keep, and a
/// thousand cores for days to run.
pub const MAX_JOBS: u128 = 1_000_000;

/// All jobs of an experiment, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The jobs.
    pub jobs: Vec<Planned>,
    rounds: Vec<Range<usize>>,
    summary: Summary,
}

/// Makes the cells of a matrix: those that are needed of each board, for each encoding.
type MakeCells<'m> =
    dyn FnMut(&Side<'_>, &[&Instance]) -> Result<Vec<Vec<Option<Cell>>>, ConfigError> + 'm;

impl Plan {
    /// Plans an experiment. Programs that encode are run, and solvers that are programs asked for their
    /// versions, with the permission of the workbench.
    ///
    /// # Errors
    ///
    /// When there are more than [`MAX_JOBS`] jobs, an encoding does not fit a board, a solver or an
    /// engine, an engine cannot do its task, a formula surely exceeds the memory limit or the numbers of variables that solvers know, or
    /// two jobs are the same; and, before any program is started, when one may not be.
    pub fn new(config: &Config, workbench: &Workbench) -> Result<Self, ConfigError> {
        let mut plan = Self::with(config, workbench, &Versions::default())?;
        order::arrange(&mut plan.jobs, &plan.rounds, config.order);
        Ok(plan)
    }

    /// Plans an experiment that another measuring engine ran. Programs that encode are run, others not:
    /// its results tell their versions.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_export(config: &Config, workbench: &Workbench) -> Result<Self, ConfigError> {
        let versions = Versions::of_rows(std::iter::empty());
        Ok(Self::with(config, workbench, &versions)?.for_benchexec())
    }

    /// The plan under these versions; programs that encode are run.
    fn with(
        config: &Config,
        workbench: &Workbench,
        versions: &Versions<'_>,
    ) -> Result<Self, ConfigError> {
        let Workbench { encodings, permission, .. } = workbench;
        let mut programs = Programs::new(encodings, config.limits, permission);
        Self::of(config, workbench, versions, &mut |side, boards| {
            cells::run(config, &mut programs, side, boards)
        })
    }

    /// Finds the plan of a record again, with nothing run: where a program encodes, its rows tell
    /// what it printed last. The jobs of a round come as they are listed in the config, in whatever
    /// order they were run: this is the order in which reports show them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_record<'r>(
        config: &Config,
        workbench: &Workbench,
        rows: impl Iterator<Item = &'r Row> + Clone,
    ) -> Result<Self, ConfigError> {
        let latest = cells::latest(rows.clone());
        let versions = Versions::of_rows(rows);
        Self::of(config, workbench, &versions, &mut |side, boards| {
            Ok(cells::recall(side, boards, &latest))
        })
    }

    /// The frozen config of the record in a folder and its plan, as these rows tell it; `is_import` if another
    /// engine measured them.
    ///
    /// # Errors
    ///
    /// When the config cannot be read, and as [`new`](Self::new).
    pub(crate) fn of_frozen<'r>(
        frozen: &str,
        folder: &Path,
        workbench: &Workbench,
        rows: impl Iterator<Item = &'r Row> + Clone,
        is_import: bool,
    ) -> Result<(Config, Self), ConfigError> {
        let name = folder.join(store::CONFIG).display().to_string();
        let read = |workbench: &Workbench| Config::parse_frozen(frozen, &name, workbench);
        Self::recalled(read, workbench, rows, is_import)
    }

    /// A config and its plan, as these rows tell it. `read` reads the config.
    ///
    /// # Errors
    ///
    /// Those of `read`, and as [`new`](Self::new).
    pub(crate) fn recalled<'r>(
        read: impl FnOnce(&Workbench) -> Result<Config, ConfigError>,
        workbench: &Workbench,
        rows: impl Iterator<Item = &'r Row> + Clone,
        is_import: bool,
    ) -> Result<(Config, Self), ConfigError> {
        let workbench = &workbench.recalling(rows.clone());
        let config = read(workbench)?;
        let plan = Self::of_record(&config, workbench, rows.clone())?;
        let plan = if is_import { plan.of_import(rows) } else { plan };
        Ok((config, plan))
    }

    /// The plan with the jobs of each round as they are listed.
    fn of(
        config: &Config,
        workbench: &Workbench,
        versions: &Versions<'_>,
        make_cells: &mut MakeCells<'_>,
    ) -> Result<Self, ConfigError> {
        let (mut sides, count) = sides(config, versions, workbench)?;
        let mut largest = None;
        for side in &mut sides {
            let instances: Vec<&Instance> =
                side.matrix.instances.iter().map(|entry| &entry.instance).collect();
            let cells = make_cells(side, &instances)?;
            side.cells = cells;
        }
        let (made, origins) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut jobs = Jobs { config, versions, sides: &sides, made, origins };
        let mut rounds = Vec::new();
        for stage in side::stages(&sides) {
            let sizes = sizes(config, &sides, &stage, &mut largest)?;
            for repeat in 1..=config.repeats {
                for round in side::rounds(&sides, &stage) {
                    let begin = jobs.made.len();
                    jobs.add(&round, &sizes, repeat);
                    rounds.push(begin..jobs.made.len());
                }
            }
        }
        jobs.refuse_equal_keys()?;
        let Jobs { made, origins, .. } = jobs;
        let summary = Summary::new(config, &made, &origins, largest);
        Ok(Self { jobs: made, rounds, summary })
    }

    /// The keys of all jobs: what the plan asks for, in whatever order and words.
    pub fn keys(&self) -> HashSet<&Key> {
        self.jobs.iter().map(|job| &job.key).collect()
    }

    /// The jobs that the plan asks for, under any revision and version.
    pub(crate) fn asked(&self) -> Asked {
        Asked::of(self.jobs.iter().map(|planned| &planned.job))
    }

    /// The places of the jobs of each round, which are compared with each other. Empty where jobs were
    /// taken out of a plan since.
    pub fn rounds(&self) -> &[Range<usize>] {
        &self.rounds
    }

    /// What the plan comes to, in a few lines.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

/// The number of jobs of a plan, which is not made.
#[cfg(test)]
pub(crate) fn count(config: &Config, workbench: &Workbench) -> Result<u128, ConfigError> {
    counted(config, workbench).map(|(_, jobs)| jobs)
}

/// The sides of the matrix and of `include`, and the number of their jobs. Makes no job.
fn counted<'a>(
    config: &'a Config,
    workbench: &Workbench,
) -> Result<(Vec<Side<'a>>, u128), ConfigError> {
    // Nothing is excluded from what is included.
    let exclude = std::iter::once(&config.exclude[..]).chain(std::iter::repeat(&[][..]));
    let side = |(matrix, exclude)| {
        let wanted = cells::wanted(config, matrix, workbench)?;
        Ok(Side { matrix, wanted, exclude, arms: Vec::new(), cells: Vec::new() })
    };
    let sides = config.matrices().zip(exclude).map(side).collect::<Result<Vec<_>, _>>()?;
    sides[0].refuse_idle(config)?;
    let mut jobs = 0;
    for side in &sides {
        let Some(count) = side.count() else {
            let message = format!(
                "the matrix has more than {} cells, too many to take some of them out",
                grouped(product::MOST_CELLS)
            );
            let hint = "list less, and add what is missing by `include`";
            return Err(config.source().fault(message).hint(hint));
        };
        // A config is too short for any of these to be long: no product can overflow.
        jobs += count * u128::from(config.repeats);
    }
    Ok((sides, jobs))
}

/// The matrix and what is included, counted before anything is made of them; and the number of jobs.
fn sides<'a>(
    config: &'a Config,
    versions: &Versions<'_>,
    workbench: &Workbench,
) -> Result<(Vec<Side<'a>>, usize), ConfigError> {
    let (mut sides, jobs) = counted(config, workbench)?;
    refuse_too_many(config, jobs, &sides[0])?;
    for side in &mut sides {
        for arm in &side.matrix.arms {
            let version = versions.of(config, arm, workbench)?;
            side.arms.push(Known { version, label: arm.label() });
        }
        able::refuse(config, side)?;
    }
    Ok((sides, jobs as usize))
}

/// Refuses more jobs than anybody runs, and none.
fn refuse_too_many(config: &Config, jobs: u128, side: &Side<'_>) -> Result<(), ConfigError> {
    if jobs == 0 {
        let message = "no job is left: `exclude` takes out all of the matrix";
        return Err(config.source().fault(message).hint("take less out"));
    }
    if jobs <= MAX_JOBS {
        return Ok(());
    }
    let arms = &config.matrix.arms;
    let is_plain = config.exclude.is_empty() && config.include.is_empty();
    let sum = if is_plain && arms.iter().all(|arm| arm.reads == Reads::Clauses) {
        let whom = match () {
            () if arms.iter().all(Arm::is_solver) => "solvers",
            () if arms.iter().any(Arm::is_solver) => "solvers and engines",
            () => "engines",
        };
        format!(
            "instances in their numberings {} × encodings {} × {whom} {} × repeats {}",
            grouped(side.numbered()),
            side.wanted.len(),
            arms.len(),
            grouped(config.repeats.into()),
        )
    } else if is_plain {
        "the matrix, with encodings and numberings for what reads them".to_owned()
    } else {
        "the matrix without what is excluded and with what is included".to_owned()
    };
    let (jobs, most) = (grouped(jobs), grouped(MAX_JOBS));
    let message = format!("this is a plan of {jobs} jobs: {sum}; at most {most} are taken");
    Err(config.source().fault(message).hint("ask for less, or split the question"))
}

/// The sizes of the cells of a board, for each matrix that has it; what could not be run is
/// refused.
fn sizes(
    config: &Config,
    sides: &[Side<'_>],
    on: &[(usize, usize)],
    largest: &mut Option<Largest>,
) -> Result<HashMap<usize, Vec<Option<Size>>>, ConfigError> {
    let mut all = HashMap::new();
    for &(side, board) in on {
        let of = &sides[side];
        let Side { matrix, cells, .. } = of;
        let entry = &matrix.instances[board];
        let mut sizes = Vec::with_capacity(cells[board].len());
        for (encoding, cell) in cells[board].iter().enumerate() {
            let Some(cell) = cell else {
                sizes.push(None);
                continue;
            };
            fit::refuse_misfit(config, entry, cell)?;
            let size = cell.size(&entry.instance);
            let is_loaded = of.is_read(Reads::Clauses, board, encoding);
            if let Some(size) = size
                && (is_loaded || of.is_read(Reads::Formula, board, encoding))
            {
                fit::check(config, matrix, entry, cell, size, is_loaded)?;
                if is_loaded {
                    Largest::update(largest, &entry.instance, &cell.label(), size);
                }
            }
            sizes.push(size);
        }
        able::refuse_misfits(config, of, board)?;
        all.insert(side, sizes);
    }
    Ok(all)
}
