//! A plan in a few lines.

use std::fmt;

use bezzel_encode::{Board, Size};
use serde::Serialize;

use super::Planned;
use crate::config::Config;
use crate::fit;
use crate::job::Limits;
use crate::quantity::{duration, grouped, memory};

/// So many values of an axis are named.
const SHOWN: usize = 16;

/// What a plan comes to. Its display has a few lines, the last one not ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The experiment's name.
    pub name: String,
    /// The number of jobs.
    pub jobs: usize,
    /// What is varied.
    pub axes: Vec<Axis>,
    /// The formula with most literals, among those whose size is known.
    pub largest: Option<Largest>,
    /// What each job may use.
    pub limits: Limits,
    /// How many jobs run at the same time.
    pub parallel: u32,
    /// The longest that the run can take if each job uses up its wall time, in seconds.
    pub wall_bound_s: f64,
}

/// One thing that is varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// What it is: `boards`, `encodings`.
    pub name: &'static str,
    /// Its values, with the number of jobs of each, in the order of the plan.
    pub values: Vec<(String, usize)>,
}

/// The largest formula of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Largest {
    /// The board.
    pub board: String,
    /// The encoding, with its constraints where they are not the default.
    pub encoding: String,
    /// The size.
    pub size: Size,
    /// What it takes in any solver, at least, in bytes.
    pub least_bytes: u128,
}

impl Largest {
    /// Replaces `largest` if this formula is larger.
    pub(super) fn update(largest: &mut Option<Self>, board: &Board, encoding: &str, size: Size) {
        if largest.as_ref().is_none_or(|largest| largest.size.literals < size.literals) {
            *largest = Some(Self {
                board: board.to_string(),
                encoding: encoding.to_owned(),
                size,
                least_bytes: fit::least_bytes(size),
            });
        }
    }
}

impl Summary {
    pub(super) fn new(config: &Config, jobs: &[Planned], largest: Option<Largest>) -> Self {
        let axis = |name, value: &dyn Fn(&Planned) -> String| {
            let mut values: Vec<(String, usize)> = Vec::new();
            let mut places = std::collections::HashMap::new();
            for planned in jobs {
                let value = value(planned);
                let place = *places.entry(value).or_insert_with_key(|value| {
                    values.push((value.clone(), 0));
                    values.len() - 1
                });
                values[place].1 += 1;
            }
            Axis { name, values }
        };
        let axes = vec![
            axis("boards", &|planned| planned.job.board.to_string()),
            axis("encodings", &|planned| planned.job.encoding_label()),
            axis("numberings", &|planned| planned.job.numbering.id()),
            axis("solvers", &|planned| planned.job.solver.clone()),
        ];
        let rounds = jobs.len().div_ceil(config.parallel as usize);
        Self {
            name: config.name.clone(),
            jobs: jobs.len(),
            axes,
            largest,
            limits: config.limits,
            parallel: config.parallel,
            wall_bound_s: rounds as f64 * config.limits.wall_s,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} jobs", self.name, grouped(self.jobs as u128))?;
        for Axis { name, values } in &self.axes {
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
        if let Some(Largest { board, encoding, size, least_bytes }) = &self.largest {
            writeln!(
                f,
                "  largest    board {board}, {encoding}: {} variables, {} clauses, {} literals, at \
                 least {} in a solver",
                grouped(size.variables),
                grouped(size.clauses),
                grouped(size.literals),
                memory(*least_bytes),
            )?;
        }
        let Limits { cpu_s, wall_s, memory_bytes } = self.limits;
        writeln!(
            f,
            "  each job   at most {} of CPU time, {} by the clock, {}",
            duration(cpu_s),
            duration(wall_s),
            memory(memory_bytes.into())
        )?;
        let at_once = match self.parallel {
            1 => "one at a time".to_owned(),
            parallel => format!("{parallel} at a time"),
        };
        write!(f, "  in all     at most {}, {at_once}", duration(self.wall_bound_s))
    }
}
