//! The plan: every job of an experiment, in the order in which they run.
//!
//! Planning runs only the programs that encode. It computes the sizes of the formulas, and refuses jobs that cannot
//! be run before any job runs: a matrix with too many jobs, a formula beyond the memory limit, an encoding that
//! cannot state the rules of an instance.
//!
//! *Order.* Instances are planned one after the other, small ones first. A run that is cut short has answered the question
//! for the instances that it reached, and the first figures are available early. A run moves a tenth of the jobs to the
//! front ([`remaining`](crate::run::remaining)). On each instance the jobs are run in
//! rounds, one for each shuffle. In a round every encoding meets every solver under the same numbering, in an order
//! that is shuffled again for each round. So changes over time, such as a warm processor or load from other
//! processes, affect all encodings alike.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use bezzel_encode::Size;
use bezzel_problem::Instance;

use crate::backend::InputKind;
use crate::backend::catalog::Catalog;
use crate::backend::program::EncoderPrograms;
use crate::config::{Arm, Config, ConfigError, Exclusion};
use crate::model::job::{Key, PlannedJob};
use crate::model::quantity::grouped;
use crate::model::row::{self, Row};
use crate::results::store::Session;

mod able;
pub mod answering;
mod cell;
mod cells;
mod fit;
mod jobs;
mod masks;
pub(crate) mod named_programs;
mod order;
mod plan_matrix;
mod product;
pub(crate) mod stale;
mod summary;
mod versions;

use answering::{JobMatcher, RequestedJobs};
use cell::Cell;
use jobs::JobBuilder;
use masks::Masks;
use plan_matrix::{ArmInfo, PlanMatrix};
pub(crate) use summary::threads;
pub use summary::{AbsentProgram, LargestFormula, PlanAxis, PlanSummary};
use versions::Versions;

/// The largest number of jobs in a plan. Such a plan takes some seconds to make and 600 MB to keep, and a thousand
/// cores take days to run it.
pub const MAX_JOBS: u128 = 1_000_000;

/// All jobs of an experiment, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The jobs.
    pub jobs: Vec<PlannedJob>,
    summary: PlanSummary,
    names_unknown: bool,
}

/// The function that makes the needed cells of a matrix, for each instance and each encoding.
type MakeCells<'m> =
    dyn FnMut(&PlanMatrix<'_>, &[&Instance]) -> Result<Vec<Vec<Option<Cell>>>, ConfigError> + 'm;

impl Plan {
    /// Plans an experiment. Programs that encode are run, and programs that solve or count are started to print their
    /// versions, with the permission of the catalog.
    ///
    /// # Errors
    ///
    /// When there are more than [`MAX_JOBS`] jobs, an encoding does not fit an instance, a solver or an engine, an engine
    /// cannot do its task, a formula exceeds the memory limit or the numbers of variables that solvers accept, or two
    /// jobs are the same. Before any program is started, when one may not be started.
    pub fn new(config: &Config, catalog: &Catalog) -> Result<Self, ConfigError> {
        let Catalog { encodings, permission, .. } = catalog;
        let mut programs = EncoderPrograms::new(encodings, config.limits, permission);
        let versions = Versions::default();
        let make: &mut MakeCells<'_> =
            &mut |plan_matrix, instances| cells::run(config, &mut programs, plan_matrix, instances);
        let (mut plan, rounds) = Self::of(config, catalog, &versions, make)?;
        order::arrange(&mut plan.jobs, &rounds, order::SEED);
        Ok(plan)
    }

    /// Restores the plan of a record without running programs. The rows contain the last output of programs that
    /// encode. The jobs of a round are in the order of the config, in which reports show them, and not in the order
    /// of their runs. The jobs of names that this version does not know are those of the rows, and come last.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn of_record<'r>(
        config: &Config,
        catalog: &Catalog,
        rows: impl Iterator<Item = &'r Row> + Clone,
    ) -> Result<Self, ConfigError> {
        let latest = cells::latest(rows.clone());
        let versions = Versions::of_rows(rows.clone());
        let (mut plan, _) =
            Self::of(config, &catalog.for_records(), &versions, &mut |plan_matrix, instances| {
                Ok(cells::restore(plan_matrix, instances, &latest))
            })?;
        plan.add_unknown(catalog, rows);
        Ok(plan)
    }

    /// Adds the jobs of rows that name a solver, an engine, an encoding or an option that this version does not know.
    fn add_unknown<'r>(&mut self, catalog: &Catalog, rows: impl Iterator<Item = &'r Row>) {
        let known = JobMatcher::new(&self.jobs);
        let is_unknown =
            |row: &&Row| known.of(row).is_none() && catalog.refuse_unknown(&row.job).is_err();
        let unknown = row::latest(rows.filter(is_unknown), |row| row.job.question());
        let mut unknown: Vec<&Row> = unknown.into_values().collect();
        // Encodings are in the order of the config.
        unknown.sort_by_cached_key(|row| {
            let has_encoding = |planned: &PlannedJob| planned.job.encoding == row.job.encoding;
            let place = self.jobs.iter().position(has_encoding).unwrap_or(self.jobs.len());
            (row.job.instance.size(), place, row.key.clone())
        });
        self.jobs.extend(unknown.into_iter().map(|row| {
            let Row { job, encoding_revision, solver_version, .. } = row;
            PlannedJob::new(job.clone(), *encoding_revision, solver_version.clone())
        }));
    }

    /// Reads the config of a session in a folder, and restores its plan from these rows.
    ///
    /// # Errors
    ///
    /// When the config cannot be read, and as [`new`](Self::new).
    pub fn of_session<'r>(
        session: &Session,
        folder: &Path,
        catalog: &Catalog,
        rows: impl Iterator<Item = &'r Row> + Clone,
    ) -> Result<(Config, Self), ConfigError> {
        let read = |catalog: &Catalog| Config::of_session(session, folder, catalog);
        Self::restore(read, catalog, rows)
    }

    /// Reads a config with `read`, and restores its plan from these rows.
    ///
    /// # Errors
    ///
    /// Those of `read`, and as [`new`](Self::new).
    pub(crate) fn restore<'r>(
        read: impl FnOnce(&Catalog) -> Result<Config, ConfigError>,
        catalog: &Catalog,
        rows: impl Iterator<Item = &'r Row> + Clone,
    ) -> Result<(Config, Self), ConfigError> {
        let config = read(catalog)?;
        let plan = Self::of_record(&config, catalog, rows)?;
        Ok((config, plan))
    }

    /// The plan with the jobs of each round as they are listed, and the places of the jobs of each round.
    fn of(
        config: &Config,
        catalog: &Catalog,
        versions: &Versions<'_>,
        make_cells: &mut MakeCells<'_>,
    ) -> Result<(Self, Vec<Range<usize>>), ConfigError> {
        let (mut plan_matrices, count) = plan_matrices(config, versions, catalog)?;
        let mut largest = None;
        for plan_matrix in &mut plan_matrices {
            let instances: Vec<&Instance> =
                plan_matrix.matrix.instances.iter().map(|entry| &entry.instance).collect();
            let cells = make_cells(plan_matrix, &instances)?;
            plan_matrix.cells = cells;
        }
        let (made, origins) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut jobs =
            JobBuilder { config, versions, plan_matrices: &plan_matrices, made, origins };
        let mut rounds = Vec::new();
        for stage in plan_matrix::stages(&plan_matrices) {
            let sizes =
                sizes((config, catalog.is_for_records), &plan_matrices, &stage, &mut largest)?;
            for repeat in 1..=config.repeats {
                for round in plan_matrix::rounds(&plan_matrices, &stage) {
                    let begin = jobs.made.len();
                    jobs.add(&round, &sizes, repeat);
                    rounds.push(begin..jobs.made.len());
                }
            }
        }
        jobs.refuse_equal_keys()?;
        let JobBuilder { made, origins, .. } = jobs;
        let summary = PlanSummary::new(config, &made, &origins, largest, &catalog.permission);
        let names_unknown = plan_matrices.iter().any(PlanMatrix::names_unknown);
        Ok((Self { jobs: made, summary, names_unknown }, rounds))
    }

    /// True if the config names a solver, an engine, an encoding or an option that this version does not know.
    pub fn names_unknown(&self) -> bool {
        self.names_unknown
    }

    /// Returns the keys of all jobs. They do not depend on the order and the notation of the config.
    pub fn keys(&self) -> HashSet<&Key> {
        self.jobs.iter().map(|job| &job.key).collect()
    }

    /// The jobs that the plan asks for, under any revision and version.
    pub(crate) fn requested_jobs(&self) -> RequestedJobs {
        RequestedJobs::of(self.jobs.iter().map(|planned| &planned.job))
    }

    /// Returns the summary of the plan, of a few lines.
    pub fn summary(&self) -> &PlanSummary {
        &self.summary
    }
}

/// Returns the number of jobs of a plan, without making the plan.
///
/// # Errors
///
/// When the plan would be refused before its jobs are made.
pub fn count(config: &Config, catalog: &Catalog) -> Result<u128, ConfigError> {
    counted(config, catalog).map(|(_, jobs)| jobs)
}

/// The matrix and those of `include`, prepared for planning, and the number of their jobs. Makes no job.
fn counted<'a>(
    config: &'a Config,
    catalog: &Catalog,
) -> Result<(Vec<PlanMatrix<'a>>, u128), ConfigError> {
    // Exclusions remove cells of the matrix only, not of inclusions.
    let exclude = std::iter::once(&config.exclude[..]).chain(std::iter::repeat(&[][..]));
    let plan_matrix = |(matrix, exclude): (_, &[Exclusion])| {
        let variants = cells::variants(config, matrix, catalog)?;
        let masks = Masks::new(exclude, matrix, &variants);
        let (arms, cells) = (Vec::new(), Vec::new());
        Ok(PlanMatrix { matrix, variants, masks, arms, cells })
    };
    let plan_matrices =
        config.matrices().zip(exclude).map(plan_matrix).collect::<Result<Vec<_>, _>>()?;
    if !catalog.is_for_records {
        plan_matrices[0].refuse_idle(config)?;
    }
    let mut jobs = 0;
    for plan_matrix in &plan_matrices {
        let Some(count) = plan_matrix.count() else {
            let message = format!(
                "the matrix has more than {} cells, too many to exclude some of them",
                grouped(product::MAX_CELLS)
            );
            let hint = "list less, and add what is missing by `include`";
            return Err(config.source().fault(message).hint(hint));
        };
        // A config is too short for long lists, so no product overflows.
        jobs += count * u128::from(config.repeats);
    }
    Ok((plan_matrices, jobs))
}

/// Returns the matrix and the inclusions, counted before their jobs are made, and the number of jobs.
fn plan_matrices<'a>(
    config: &'a Config,
    versions: &Versions<'_>,
    catalog: &Catalog,
) -> Result<(Vec<PlanMatrix<'a>>, usize), ConfigError> {
    let (mut plan_matrices, jobs) = counted(config, catalog)?;
    if jobs > 0 || !catalog.is_for_records {
        refuse_too_many(config, jobs, &plan_matrices[0])?;
    }
    for plan_matrix in &mut plan_matrices {
        for arm in &plan_matrix.matrix.arms {
            let version = versions.of(config, arm, catalog)?;
            let is_known = arm.task.backend().is_none_or(|kind| {
                catalog.refuse_unknown_backend(kind, &arm.id, &arm.options).is_ok()
            });
            plan_matrix.arms.push(ArmInfo { version, label: arm.label(), is_known });
        }
        able::refuse(config, plan_matrix)?;
    }
    Ok((plan_matrices, jobs as usize))
}

/// Refuses a plan of more than [`MAX_JOBS`] jobs, and a plan without jobs.
fn refuse_too_many(
    config: &Config,
    jobs: u128,
    plan_matrix: &PlanMatrix<'_>,
) -> Result<(), ConfigError> {
    if jobs == 0 {
        let message = "no job is left: `exclude` removes the whole matrix";
        return Err(config.source().fault(message).hint("exclude less"));
    }
    if jobs <= MAX_JOBS {
        return Ok(());
    }
    let arms = &config.matrix.arms;
    let is_plain = config.exclude.is_empty() && config.include.is_empty();
    let sum = if is_plain && arms.iter().all(|arm| arm.reads == InputKind::Clauses) {
        let whom = match () {
            () if arms.iter().all(Arm::is_solver) => "solvers",
            () if arms.iter().any(Arm::is_solver) => "solvers and engines",
            () => "engines",
        };
        format!(
            "instances in their numberings {} × encodings {} × {whom} {} × repeats {}",
            grouped(plan_matrix.numbered()),
            plan_matrix.variants.len(),
            arms.len(),
            grouped(config.repeats.into()),
        )
    } else if is_plain {
        "the matrix, with encodings and numberings for what reads them".to_owned()
    } else {
        "the matrix without what is excluded and with what is included".to_owned()
    };
    let (jobs, max) = (grouped(jobs), grouped(MAX_JOBS));
    let message = format!("the plan has {jobs} jobs: {sum}; at most {max} are allowed");
    Err(config.source().fault(message).hint("plan fewer jobs, or split the experiment"))
}

/// Returns the sizes of the cells of an instance, for each matrix that has it. Refuses cells that cannot be run.
fn sizes(
    (config, is_for_records): (&Config, bool),
    plan_matrices: &[PlanMatrix<'_>],
    on: &[(usize, usize)],
    largest: &mut Option<LargestFormula>,
) -> Result<HashMap<usize, Vec<Option<Size>>>, ConfigError> {
    let mut all = HashMap::new();
    for &(plan_matrix, instance) in on {
        let of = &plan_matrices[plan_matrix];
        let PlanMatrix { matrix, cells, .. } = of;
        let entry = &matrix.instances[instance];
        let mut sizes = Vec::with_capacity(cells[instance].len());
        for (encoding, cell) in cells[instance].iter().enumerate() {
            let Some(cell) = cell else {
                sizes.push(None);
                continue;
            };
            fit::refuse_misfit(config, entry, cell)?;
            let size = cell.size(&entry.instance);
            let is_loaded = of.is_read(InputKind::Clauses, instance, encoding);
            if let Some(size) = size
                && (is_loaded || of.is_read(InputKind::Formula, instance, encoding))
            {
                fit::check(config, matrix, entry, cell, size, is_loaded)?;
                if is_loaded {
                    LargestFormula::update(largest, &entry.instance, &cell.label(), size);
                }
            }
            if of.proves_from_file(instance, encoding) && !is_for_records {
                fit::refuse_underivable(config, &of.variants[encoding], entry, cell)?;
            }
            sizes.push(size);
        }
        able::refuse_misfits(config, of, instance)?;
        all.insert(plan_matrix, sizes);
    }
    Ok(all)
}
