//! A plan in a few lines.

use std::fmt;

use bezzel_encode::Size;
use bezzel_problem::Instance;
use serde::Serialize;

use super::jobs::Origin;
use super::order;
use crate::backend::command::NOT_INSTALLED;
use crate::backend::fit;
use crate::backend::{self, InputKind};
use crate::config::{Calibration, Config, PROOF_BYTES};
use crate::model::job::PlannedJob;
use crate::model::job::WARM_UP_S;
use crate::model::job::{BackendKind, Limits};
use crate::model::permission::Permission;
use crate::model::quantity::{counted, duration, grouped, memory};

/// The largest number of values of an axis that are shown.
const SHOWN: usize = 16;

/// The order of the jobs of a round: shuffled by a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RoundOrder {
    /// The seed.
    pub seeded: u64,
}

/// The summary of a plan. Its display has a few lines, the last one without a line end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanSummary {
    /// The experiment's name.
    pub name: String,
    /// The number of jobs.
    pub jobs: usize,
    /// The axes with their values.
    pub axes: Vec<PlanAxis>,
    /// The formula with the most literals, among those of known size.
    pub largest: Option<LargestFormula>,
    /// The limits of each job.
    pub limits: Limits,
    /// The number of jobs that write a proof if there is no solution.
    pub proving: usize,
    /// The largest proof that is checked, in bytes.
    pub proof_bytes: u64,
    /// True if formulas are also measured after the solvers' preprocessing.
    pub simplified: bool,
    /// The order of the jobs of a round.
    pub order: RoundOrder,
    /// The number of first jobs that are run once before as a warm-up; their results are discarded.
    pub warm_up: u32,
    /// The calibration, which measures between the jobs how steady the machine is.
    pub calibration: Option<Calibration>,
    /// The number of jobs that run at the same time.
    pub parallel: u32,
    /// The largest number of threads of a job.
    pub threads: u32,
    /// The solvers and engines that are not installed.
    pub absent: Vec<AbsentProgram>,
    /// The longest time of the run, if each job uses up its wall time, in seconds; without the checks of proofs.
    pub wall_bound_s: f64,
    /// The longest time of the checks of proofs, in seconds.
    pub proof_bound_s: f64,
}

/// A solver or an engine that is not installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AbsentProgram {
    /// Its name in jobs.
    pub name: String,
    /// The number of its jobs, which are skipped.
    pub jobs: usize,
    /// The missing program, with the way to get it.
    pub reason: String,
}

impl AbsentProgram {
    /// Returns the absent programs of these jobs.
    fn all(jobs: &[PlannedJob], origins: &[Origin<'_>], permission: &Permission) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let absent = |(planned, _): &(&PlannedJob, _)| planned.solver_version == NOT_INSTALLED;
        for (PlannedJob { job, .. }, Origin { arm, .. }) in jobs.iter().zip(origins).filter(absent)
        {
            if let Some(known) = all.iter_mut().find(|known| known.name == job.solver) {
                known.jobs += 1;
            } else if let Some(program) = arm.backend.as_ref().and_then(|of| of.program())
                && let Some(absence) = program.absence(permission)
            {
                let advice = "; install it, or name it by its path";
                let advice = if absence.package.is_none() { advice } else { "" };
                let reason = format!("{absence}{advice}");
                all.push(Self { name: job.solver.clone(), jobs: 1, reason });
            }
        }
        all
    }
}

impl fmt::Display for AbsentProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, jobs, reason } = self;
        let are = if *jobs == 1 { "is" } else { "are" };
        write!(f, "{} of {name} {are} skipped: {reason}", counted(*jobs, "job"))
    }
}

/// An axis with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlanAxis {
    /// The name: `instances`, `encodings`.
    pub name: String,
    /// Its values, with the number of jobs of each, in the order of the plan.
    pub values: Vec<(String, usize)>,
}

/// The largest formula of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LargestFormula {
    /// The word for the instance, and its name.
    pub instance: String,
    /// The encoding, with its constraints if they are not the default.
    pub encoding: String,
    /// The size.
    pub size: Size,
    /// The least memory of any solver for it, in bytes.
    pub least_bytes: u128,
}

impl LargestFormula {
    /// Replaces `largest` if this formula is larger.
    pub(super) fn update(
        largest: &mut Option<Self>,
        instance: &Instance,
        encoding: &str,
        size: Size,
    ) {
        if largest.as_ref().is_none_or(|largest| largest.size.literals < size.literals) {
            *largest = Some(Self {
                instance: format!("{} {instance}", instance.noun()),
                encoding: encoding.to_owned(),
                size,
                least_bytes: fit::least_bytes(size),
            });
        }
    }
}

impl PlanSummary {
    /// Returns the summary of these jobs; `origins` has the origin of each.
    pub(super) fn new(
        config: &Config,
        jobs: &[PlannedJob],
        origins: &[Origin<'_>],
        largest: Option<LargestFormula>,
        permission: &Permission,
    ) -> Self {
        let axis = |name: &str, value: &dyn Fn(&PlannedJob, &Origin<'_>) -> Option<String>| {
            let mut values: Vec<(String, usize)> = Vec::new();
            let mut places = std::collections::HashMap::new();
            for (planned, origin) in jobs.iter().zip(origins) {
                let Some(value) = value(planned, origin) else { continue };
                let place = *places.entry(value).or_insert_with_key(|value| {
                    values.push((value.clone(), 0));
                    values.len() - 1
                });
                values[place].1 += 1;
            }
            PlanAxis { name: name.to_owned(), values }
        };
        let is_plain = origins.iter().all(|origin| origin.arm.is_solver());
        let mut nouns = jobs.iter().map(|planned| planned.job.instance.noun());
        let noun = nouns.next().unwrap_or("instance");
        let noun = if nouns.all(|other| other == noun) { noun } else { "instance" };
        let mut axes = vec![
            axis(&format!("{noun}s"), &|planned, _| Some(planned.job.instance.to_string())),
            axis("families", &|planned, _| config.families.get(&planned.job.instance).cloned()),
            axis("encodings", &|planned, origin| {
                let is_read = origin.arm.reads != InputKind::Instance;
                is_read.then(|| planned.job.encoding_label())
            }),
            axis("numberings", &|planned, origin| {
                let is_read = origin.arm.reads == InputKind::Clauses;
                is_read.then(|| planned.job.numbering.id())
            }),
            axis("tasks", &|planned, _| (!is_plain).then(|| planned.job.task.to_string())),
            axis("solvers", &|_, origin| origin.arm.is_solver().then(|| origin.label.to_owned())),
            axis("engines", &|_, origin| origin.arm.is_engine().then(|| origin.label.to_owned())),
        ];
        axes.retain(|axis| !axis.values.is_empty());
        let rounds = |jobs: usize| jobs.div_ceil(config.parallel as usize) as f64;
        let formats = jobs.iter().filter_map(|planned| planned.job.proof);
        let (proving, check_s) = formats.fold((0, 0.0_f64), |(proving, check_s), format| {
            (proving + 1, check_s.max(config.limits.of_check(format).wall_s))
        });
        let thrown_away = jobs.len().min(config.warm_up as usize);
        Self {
            name: config.name.clone(),
            jobs: jobs.len(),
            axes,
            largest,
            limits: config.limits,
            proving,
            proof_bytes: PROOF_BYTES,
            simplified: config.simplified,
            order: RoundOrder { seeded: order::SEED },
            warm_up: config.warm_up,
            calibration: config.calibration,
            parallel: config.parallel,
            threads: threads(jobs),
            absent: AbsentProgram::all(jobs, origins, permission),
            wall_bound_s: rounds(jobs.len()) * config.limits.wall_s
                + thrown_away as f64 * config.limits.wall_s.min(WARM_UP_S),
            proof_bound_s: rounds(proving) * check_s,
        }
    }

    /// Returns the warm-up and the calibration, in words.
    fn besides(&self) -> String {
        let warm_up = match self.warm_up {
            0 => "no warm-up job".to_owned(),
            1 => "the first job runs once before, as warm-up".to_owned(),
            jobs => format!("the first {jobs} jobs run once before, as warm-up"),
        };
        let calibration = match self.calibration {
            None => "the noise of the machine is not measured".to_owned(),
            Some(calibration) => {
                format!("the noise of the machine is measured {}", calibration.words())
            }
        };
        format!("{warm_up}, {calibration}")
    }
}

impl fmt::Display for PlanSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.name, counted(self.jobs, "job"))?;
        for PlanAxis { name, values } in &self.axes {
            let shown: Vec<_> = values
                .iter()
                .take(SHOWN)
                .map(|(value, jobs)| format!("{value} ({})", grouped(*jobs as u128)))
                .collect();
            let more = match values.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            writeln!(f, "  {name:<10} {}{more}", shown.join(", "))?;
        }
        if let Some(LargestFormula { instance, encoding, size, least_bytes }) = &self.largest {
            writeln!(
                f,
                "  largest    {instance}, {encoding}: {} variables, {} clauses, {} literals, at \
                 least {} in a solver",
                grouped(size.variables),
                grouped(size.clauses),
                grouped(size.literals),
                memory(*least_bytes),
            )?;
        }
        let Limits { cpu_s, wall_s, memory_bytes, nodes } = self.limits;
        write!(
            f,
            "  each job   at most {} of CPU time, {} of wall time, {}",
            duration(cpu_s),
            duration(wall_s),
            memory(memory_bytes.into())
        )?;
        match nodes {
            None => writeln!(f)?,
            Some(nodes) => writeln!(f, ", {} nodes", grouped(nodes.into()))?,
        }
        if self.simplified {
            writeln!(f, "  simplified formulas are measured after preprocessing as well")?;
        }
        match self.proving {
            0 => writeln!(f, "  proofs     none are written")?,
            proving => writeln!(
                f,
                "  proofs     written by {}, checked up to {} each",
                counted(proving, "job"),
                memory(self.proof_bytes.into())
            )?,
        }
        writeln!(
            f,
            "  order      a tenth of the jobs first, the others shuffled in each round, by seed {}",
            self.order.seeded
        )?;
        writeln!(f, "  besides    {}", self.besides())?;
        let at_once = match self.parallel {
            1 => "one at a time".to_owned(),
            parallel => format!("{parallel} at a time"),
        };
        write!(f, "  in all     at most {}, {at_once}", duration(self.wall_bound_s))?;
        if self.threads > 1 {
            write!(f, ", on up to {} threads each", self.threads)?;
        }
        if self.proving > 0 {
            write!(f, ", and {} more to check proofs", duration(self.proof_bound_s))?;
        }
        Ok(())
    }
}

/// Returns the largest number of threads of a job.
pub(crate) fn threads(jobs: &[PlannedJob]) -> u32 {
    let by_engines =
        jobs.iter().filter(|planned| planned.job.task.backend() == Some(BackendKind::Engine));
    by_engines.map(|planned| backend::threads(&planned.job.options)).max().unwrap_or(1)
}
