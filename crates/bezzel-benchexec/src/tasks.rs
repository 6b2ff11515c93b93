//! What a plan is in the words of BenchExec: tasks, and for each solver a benchmark of run
//! definitions.
//!
//! A task is a formula: each board under each encoding, with what is set beside it, in each
//! numbering. A run definition is a solver with its options and a repetition. A task in a run
//! definition is a job, so that results find back to it. All of it is a function of the plan: the
//! import makes it again, and needs nothing that the export wrote down.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use bezzel_encode::{Digest, Encoding, Images, Numbering, Tally, VarMap};
use bezzel_lab::job::Planned;
use bezzel_lab::job::{Job, Limits, Task};
use bezzel_lab::program::{FindError, Programs};
use bezzel_lab::row::FormulaSize;
use bezzel_lab::workbench::Workbench;
use bezzel_problem::Instance;
use thiserror::Error;

use super::name::{self, Given};
use super::tool::Tool;

/// Why a plan cannot be said in tasks.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TasksError {
    /// An encoding is not to be had any more.
    #[error(transparent)]
    Encoding(#[from] FindError),
    /// A program that encodes says something else than when it was planned.
    #[error(
        "`{encoding}` encodes the board {board} otherwise than it did a moment ago: a program that \
         encodes must print the same clauses every time"
    )]
    Unsteady {
        /// The encoding.
        encoding: String,
        /// The board.
        board: String,
    },
    /// A file that the config names is called as one of the export's own.
    #[error("the config names a file `{0}`, which the export has as well: give it another name")]
    Twice(String),
    /// No solver of the plan is a program.
    #[error("no solver of this config can be run by BenchExec: {0}")]
    NoTool(String),
}

/// A formula of a plan.
#[derive(Clone)]
pub struct Formula {
    /// What its files are called, without their endings.
    pub name: String,
    /// The board.
    pub instance: Instance,
    /// The encoding, with what is set beside it.
    pub encoding: Arc<dyn Encoding>,
    /// The numbering.
    pub numbering: Numbering,
    /// What is compared, as figures name it.
    pub label: String,
    /// The digest of its clauses.
    pub clause_digest: String,
    /// The part of its name that its clauses do not decide.
    pub(super) cell: String,
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formula").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Formula {
    /// Makes the formula again: what its variables mean, and how large it is.
    pub(super) fn measure(&self) -> (VarMap, Images, FormulaSize) {
        let mut tally = Tally::new();
        let map = self.encoding.encode(&self.instance.problem(), &mut tally);
        let images = self.numbering.images(&self.instance.problem(), tally.variables(), &map);
        (map, images, FormulaSize::of(tally))
    }
}

/// A solver with its options and a repetition: what BenchExec runs on a list of tasks.
#[derive(Clone, Debug)]
pub struct RunDefinition {
    /// Its name, which is that of no other.
    pub name: String,
    /// The command line, for a shell, with variables in the place of files.
    pub line: String,
    /// The solver with its options, in words.
    pub title: String,
    /// Of each task the index of its formula, and of its job in the plan.
    pub tasks: Vec<(usize, usize)>,
}

/// A solver's benchmark.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// The name of its files, and of the tool-info module.
    pub name: String,
    /// The program.
    pub tool: Tool,
    /// What is run.
    pub runs: Vec<RunDefinition>,
}

/// A plan in the words of BenchExec.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// The formulas, each once.
    pub formulas: Vec<Formula>,
    /// A benchmark for each solver.
    pub benchmarks: Vec<Benchmark>,
    /// Solvers that are no programs and engines, and why, each in a sentence.
    pub left_out: Vec<String>,
}

impl Tasks {
    /// The tasks of these jobs. Programs that encode are run.
    ///
    /// # Errors
    ///
    /// When an encoding is not to be had, or no solver is a program.
    pub fn new(
        jobs: &[Planned],
        limits: Limits,
        workbench: &Workbench,
    ) -> Result<Self, TasksError> {
        let mut programs = Programs::new(&workbench.encodings, limits, &workbench.permission);
        let mut tasks = Self { formulas: Vec::new(), benchmarks: Vec::new(), left_out: Vec::new() };
        let mut names = Names::default();
        let mut formulas: HashMap<String, usize> = HashMap::new();
        let mut benchmarks: HashMap<&str, Option<usize>> = HashMap::new();
        for (index, planned) in jobs.iter().enumerate() {
            let job = &planned.job;
            if job.task != Task::First {
                tasks.leave_to_engine(job);
                continue;
            }
            let benchmark =
                *benchmarks.entry(&job.solver).or_insert_with(|| tasks.benchmark(job, &mut names));
            let Some(benchmark) = benchmark else { continue };
            let of = formula_key(job);
            let formula = if let Some(&known) = formulas.get(&of) {
                known
            } else {
                tasks.formulas.push(formula(planned, &mut programs, &mut names)?);
                formulas.insert(of, tasks.formulas.len() - 1);
                tasks.formulas.len() - 1
            };
            let run = tasks.run_definition(benchmark, job, &mut names);
            tasks.benchmarks[benchmark].runs[run].tasks.push((formula, index));
        }
        if tasks.benchmarks.is_empty() {
            return Err(TasksError::NoTool(tasks.left_out.join("; ")));
        }
        Ok(tasks)
    }

    /// Leaves out a job of an engine, and says so once for each engine.
    fn leave_to_engine(&mut self, job: &Job) {
        let reason = format!(
            "`{}` is an engine, and BenchExec gets the task `first` alone, which solvers do",
            job.solver
        );
        if !self.left_out.contains(&reason) {
            self.left_out.push(reason);
        }
    }

    /// The benchmark of a job's solver, if that can be run.
    fn benchmark(&mut self, job: &Job, names: &mut Names) -> Option<usize> {
        match Tool::of(job) {
            Ok(tool) => {
                let name = names.benchmarks.give(&tool.id());
                self.benchmarks.push(Benchmark { name, tool, runs: Vec::new() });
                Some(self.benchmarks.len() - 1)
            }
            Err(reason) => {
                self.left_out.push(reason);
                None
            }
        }
    }

    /// The run definition of a job in its solver's benchmark.
    fn run_definition(&mut self, benchmark: usize, job: &Job, names: &mut Names) -> usize {
        let options = serde_json::to_string(&job.options).expect("options have string keys");
        let of = (benchmark, options, job.repeat);
        if let Some(&known) = names.known_runs.get(&of) {
            return known;
        }
        let benchmark = &mut self.benchmarks[benchmark];
        let (_, options, _) = &of;
        let title = format!("{}, {options}, repeat {}", job.solver, job.repeat);
        let line = benchmark.tool.line(job);
        let name = names.runs.give(&benchmark.name);
        benchmark.runs.push(RunDefinition { name, line, title, tasks: Vec::new() });
        let index = benchmark.runs.len() - 1;
        names.known_runs.insert(of, index);
        index
    }
}

/// Names that are given, and run definitions by what they run.
#[derive(Default)]
struct Names {
    formulas: Given,
    benchmarks: Given,
    runs: Given,
    known_runs: HashMap<(usize, String, u32), usize>,
}

/// The formula of a job.
fn formula(
    planned: &Planned,
    programs: &mut Programs<'_>,
    names: &mut Names,
) -> Result<Formula, TasksError> {
    let job = &planned.job;
    let settings = job.settings;
    let encoding = programs.find(&job.encoding, settings, &job.instance)?.on_board(settings);
    if encoding.card().revision != planned.encoding_revision {
        let (encoding, board) = (job.encoding.clone(), job.instance.to_string());
        return Err(TasksError::Unsteady { encoding, board });
    }
    let mut formula = Formula {
        name: String::new(),
        instance: job.instance.clone(),
        encoding,
        numbering: job.numbering,
        label: job.encoding_label(),
        clause_digest: String::new(),
        cell: name::cell(job),
    };
    let (_, images, _) = formula.measure();
    let mut digest = Digest::new();
    job.numbering.encode(formula.encoding.as_ref(), &job.instance.problem(), &images, &mut digest);
    formula.clause_digest = digest.finish();
    formula.name = names.formulas.give(&name::formula(job, &formula.clause_digest));
    Ok(formula)
}

/// What decides a job's formula.
fn formula_key(job: &Job) -> String {
    let of = (&job.instance, &job.encoding, job.settings, job.numbering);
    serde_json::to_string(&of).expect("a job has string keys and finite numbers only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_lab::config::Config;
    use bezzel_lab::plan::Plan;

    fn tasks(lines: &str) -> (Result<Tasks, TasksError>, Vec<Planned>) {
        let text = format!("name: t\nboards: [{{size: 6}}]\nencodings: [pairwise]\n{lines}");
        let workbench = Workbench::standard();
        let config = Config::parse(&text, "config.yaml", &workbench).unwrap();
        let jobs = Plan::new(&config, &workbench).unwrap().for_benchexec().jobs;
        (Tasks::new(&jobs, config.limits, &workbench), jobs)
    }

    #[test]
    fn what_engines_do_is_left_out_and_told() {
        let engines = "engines: [blocking, backtrack]\n";
        let text = format!("task: [count, first, enumerate]\nsolvers: cadical\n{engines}");
        let (tasks_of, jobs) = tasks(&text);
        let made = tasks_of.unwrap();
        assert_eq!(jobs.len(), 5);
        let placed = made.benchmarks.iter().flat_map(|benchmark| &benchmark.runs);
        let placed: Vec<usize> =
            placed.flat_map(|run| run.tasks.iter().map(|&(_, job)| job)).collect();
        let [only] = placed[..] else { panic!("one task") };
        assert_eq!(jobs[only].job.task, Task::First);
        assert_eq!(made.left_out.len(), 2, "{:?}", made.left_out);
        for engine in ["`blocking` is an engine", "`backtrack` is an engine"] {
            assert!(made.left_out.iter().any(|told| told.starts_with(engine)), "{engine}");
        }
        let (none, _) = tasks(&format!("task: count\n{engines}"));
        let told = none.unwrap_err().to_string();
        assert!(told.starts_with("no solver of this config can be run by BenchExec: `"), "{told}");
        assert!(told.contains("`backtrack` is an engine"), "{told}");
    }
}
