//! A plan in the terms of BenchExec: tasks, and for each solver a benchmark of run definitions.
//!
//! A task is a formula: each board under each encoding with its settings, in each numbering. A run definition is a
//! solver with its options and a repetition. A task in a run definition is a job, so that results can be assigned
//! to jobs. All of it is a function of the plan: the import computes it again, and needs no file of the export.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use bezzel_encode::{ClauseHash, Encoding, FormulaStats, Images, Numbering, VarMap};
use bezzel_experiment::catalog::Catalog;
use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::job::{Job, Limits, Task};
use bezzel_experiment::program::{EncoderPrograms, FindError};
use bezzel_experiment::row::FormulaSize;
use bezzel_problem::Instance;
use thiserror::Error;

use super::name::{self, UniqueNames};
use super::tool::Tool;

/// The reason why a plan has no tasks.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TasksError {
    /// An encoding is not available any more.
    #[error(transparent)]
    Encoding(#[from] FindError),
    /// The output of a program that encodes differs from that at planning.
    #[error(
        "`{encoding}` encodes the board {board} differently than before: a program that encodes \
         must print the same clauses every time"
    )]
    Unsteady {
        /// The encoding.
        encoding: String,
        /// The board.
        board: String,
    },
    /// A file of the config has the name of a file of the export.
    #[error("the config names a file `{0}`, which the export has as well: give it another name")]
    Twice(String),
    /// No solver of the plan is a program.
    #[error("no solver of this config can be run by BenchExec: {0}")]
    NoTool(String),
}

/// A formula of a plan.
#[derive(Clone)]
pub struct TaskFormula {
    /// The name of its files, without their extensions.
    pub name: String,
    /// The board.
    pub instance: Instance,
    /// The encoding, with its settings.
    pub encoding: Arc<dyn Encoding>,
    /// The numbering.
    pub numbering: Numbering,
    /// The label of the compared treatment, as in figures.
    pub label: String,
    /// The digest of its clauses.
    pub clause_digest: String,
    /// The part of its name that does not depend on its clauses.
    pub(super) cell: String,
}

impl fmt::Debug for TaskFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formula").field("name", &self.name).finish_non_exhaustive()
    }
}

impl TaskFormula {
    /// Makes the formula again, and returns the meaning of its variables and its size.
    pub(super) fn measure(&self) -> (VarMap, Images, FormulaSize) {
        let mut stats = FormulaStats::new();
        let map = self.encoding.encode(&self.instance.problem(), &mut stats);
        let images = self.numbering.images(&self.instance.problem(), stats.variables(), &map);
        (map, images, FormulaSize::of(stats))
    }
}

/// A solver with its options and a repetition, which BenchExec runs on a list of tasks.
#[derive(Clone, Debug)]
pub struct RunDefinition {
    /// Its unique name.
    pub name: String,
    /// The command line, for a shell, with variables in place of files.
    pub line: String,
    /// The solver with its options, as text.
    pub title: String,
    /// For each task, the index of its formula and of its job in the plan.
    pub tasks: Vec<(usize, usize)>,
}

/// A solver's benchmark.
#[derive(Clone, Debug)]
pub struct Benchmark {
    /// The name of its files, and of the tool-info module.
    pub name: String,
    /// The program.
    pub tool: Tool,
    /// The run definitions.
    pub runs: Vec<RunDefinition>,
}

/// A plan in the terms of BenchExec.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// The formulas, each once.
    pub formulas: Vec<TaskFormula>,
    /// A benchmark for each solver.
    pub benchmarks: Vec<Benchmark>,
    /// The reasons why solvers that are no programs, and engines, are left out, each as a sentence.
    pub left_out: Vec<String>,
}

impl Tasks {
    /// Returns the tasks of these jobs. Programs that encode are run.
    ///
    /// # Errors
    ///
    /// An encoding is not available, or no solver is a program.
    pub fn new(jobs: &[PlannedJob], limits: Limits, catalog: &Catalog) -> Result<Self, TasksError> {
        let mut programs = EncoderPrograms::new(&catalog.encodings, limits, &catalog.permission);
        let mut tasks = Self { formulas: Vec::new(), benchmarks: Vec::new(), left_out: Vec::new() };
        let mut names = Names::default();
        let mut formulas: HashMap<String, usize> = HashMap::new();
        let mut benchmarks: HashMap<&str, Option<usize>> = HashMap::new();
        for (index, planned) in jobs.iter().enumerate() {
            let job = &planned.job;
            if job.task != Task::Solve {
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

    /// Leaves out a job of an engine, with one reason for each engine.
    fn leave_to_engine(&mut self, job: &Job) {
        let reason = format!(
            "`{}` is an engine, and BenchExec gets the task `solve` alone, which solvers do",
            job.solver
        );
        if !self.left_out.contains(&reason) {
            self.left_out.push(reason);
        }
    }

    /// Returns the benchmark of a job's solver, if that can be run.
    fn benchmark(&mut self, job: &Job, names: &mut Names) -> Option<usize> {
        match Tool::of(job) {
            Ok(tool) => {
                let name = names.benchmarks.unique(&tool.id());
                self.benchmarks.push(Benchmark { name, tool, runs: Vec::new() });
                Some(self.benchmarks.len() - 1)
            }
            Err(reason) => {
                self.left_out.push(reason);
                None
            }
        }
    }

    /// Returns the run definition of a job in its solver's benchmark.
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
        let name = names.runs.unique(&benchmark.name);
        benchmark.runs.push(RunDefinition { name, line, title, tasks: Vec::new() });
        let index = benchmark.runs.len() - 1;
        names.known_runs.insert(of, index);
        index
    }
}

/// The names given so far, and run definitions by their content.
#[derive(Default)]
struct Names {
    formulas: UniqueNames,
    benchmarks: UniqueNames,
    runs: UniqueNames,
    known_runs: HashMap<(usize, String, u32), usize>,
}

/// Returns the formula of a job.
fn formula(
    planned: &PlannedJob,
    programs: &mut EncoderPrograms<'_>,
    names: &mut Names,
) -> Result<TaskFormula, TasksError> {
    let job = &planned.job;
    let settings = job.settings;
    let encoding = programs.find(&job.encoding, settings, &job.instance)?.on_board(settings);
    if encoding.info().revision != planned.encoding_revision {
        let (encoding, board) = (job.encoding.clone(), job.instance.to_string());
        return Err(TasksError::Unsteady { encoding, board });
    }
    let mut formula = TaskFormula {
        name: String::new(),
        instance: job.instance.clone(),
        encoding,
        numbering: job.numbering,
        label: job.encoding_label(),
        clause_digest: String::new(),
        cell: name::cell(job),
    };
    let (_, images, _) = formula.measure();
    let mut digest = ClauseHash::new();
    job.numbering.encode(formula.encoding.as_ref(), &job.instance.problem(), &images, &mut digest);
    formula.clause_digest = digest.finish();
    formula.name = names.formulas.unique(&name::formula(job, &formula.clause_digest));
    Ok(formula)
}

/// Returns a key with the properties of a job that determine its formula.
fn formula_key(job: &Job) -> String {
    let of = (&job.instance, &job.encoding, job.settings, job.numbering);
    serde_json::to_string(&of).expect("a job has string keys and finite numbers only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_experiment::config::Config;
    use bezzel_experiment::plan::Plan;

    fn tasks(lines: &str) -> (Result<Tasks, TasksError>, Vec<PlannedJob>) {
        let text = format!("name: t\nboards: [{{size: 6}}]\nencodings: [pairwise]\n{lines}");
        let catalog = Catalog::standard();
        let config = Config::parse(&text, "config.yaml", &catalog).unwrap();
        let jobs = Plan::new(&config, &catalog).unwrap().for_benchexec().jobs;
        (Tasks::new(&jobs, config.limits, &catalog), jobs)
    }

    #[test]
    fn jobs_of_engines_are_left_out_and_reported() {
        let engines = "engines: [blocking, backtrack]\n";
        let text = format!("task: [count, solve, enumerate]\nsolvers: cadical\n{engines}");
        let (tasks_of, jobs) = tasks(&text);
        let made = tasks_of.unwrap();
        assert_eq!(jobs.len(), 5);
        let placed = made.benchmarks.iter().flat_map(|benchmark| &benchmark.runs);
        let placed: Vec<usize> =
            placed.flat_map(|run| run.tasks.iter().map(|&(_, job)| job)).collect();
        let [only] = placed[..] else { panic!("one task") };
        assert_eq!(jobs[only].job.task, Task::Solve);
        assert_eq!(made.left_out.len(), 2, "{:?}", made.left_out);
        for engine in ["`blocking` is an engine", "`backtrack` is an engine"] {
            assert!(made.left_out.iter().any(|message| message.starts_with(engine)), "{engine}");
        }
        let (none, _) = tasks(&format!("task: count\n{engines}"));
        let message = none.unwrap_err().to_string();
        assert!(
            message.starts_with("no solver of this config can be run by BenchExec: `"),
            "{message}"
        );
        assert!(message.contains("`backtrack` is an engine"), "{message}");
    }
}
