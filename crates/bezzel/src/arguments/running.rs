//! The arguments of `bezzel run` and `bezzel report`.

use std::path::PathBuf;

use bezzel_experiment::shard::Shard;
use bezzel_report::ChosenColumns;
use clap::Args;

use super::clusters::ClusterArguments;
use super::quantity::{figure_width, minutes};
use super::root::RootArguments;

const RUN_EXAMPLES: &str = "\
Examples:
  bezzel run configs/first-look.yaml
      run the missing jobs, then render the report
  bezzel run --plan configs/first-look.yaml
      print the jobs that would run, and run nothing
  bezzel run configs/first-look.yaml --name first-look-at-home
      all jobs again, as a separate record
  bezzel run configs/first-look.yaml --shard 3/16
      the third of 16 parts; `bezzel report first-look` reports on all that are there
  bezzel run first-look --sample 10
      repeat jobs of the record for about ten minutes, and compare
  bezzel run first-look --only 1f6a09c4
      repeat the job of the row whose key begins with these characters
  bezzel run hard --tasks 16 --time 4h
      on a cluster: a job array of Slurm, in which task K runs `bezzel run hard --shard K/16`

The evidence goes to a file of its own in experiments/NAME/, the report to reports/NAME/. If the command is \
repeated, it runs only jobs that no row answers, also after sizes, solvers, seeds or limits in the config were \
changed. Each file states its config. Ctrl-C stops the run and keeps all rows. A sample goes to \
experiments/NAME-reproduced/, and the record (the evidence in experiments/NAME/) stays as it is. The sample \
reproduces the record if answers and clauses are equal and, for linked solvers, also the solver statistics \
(conflicts, decisions and propagations). The ratio of the times has a confidence interval. \
docs/reproducing.md has more. With --only \
the row is printed and not stored. `sbatch`, to which --tasks hands the script, also obeys the variables \
SBATCH_PARTITION, SBATCH_ACCOUNT and others; docs/clusters.md has more.

Exit codes: 0 no fault, 1 an answer was wrong or a job failed, 2 the config or the \
command line is invalid, 130 stopped by Ctrl-C, TERM or HUP. With --shard, 0 if each job of the \
shard has its row, even one with a wrong answer. With --sample, 0 if the record is reproduced, 1 if not. \
With --only, 1 if the answer was wrong, or if the job failed or was killed from outside. With --tasks, 0 if the script \
was submitted or no job is left, 1 if `sbatch` refused.";

const REPORT_EXAMPLES: &str = "\
Examples:
  bezzel report
      the experiments and reports that there are
  bezzel report first-look
      render reports/first-look/ from experiments/first-look/
  bezzel report configs/first-look.yaml
      by this config instead of that of the last session
  bezzel report first-look --width column
      the figures laid out for a column of 8.5 cm of a paper
  bezzel report first-look --rows > rows.csv
      every field of every row, a line each
  bezzel report first-look --against first-look-at-home
      compare two machines, two versions, two revisions

Verdicts in rows are those of the report, after all rows were compared with each other (docs/exporting.md). A comparison \
has the jobs of one record alone, the answers and the formulas that differ, and for each encoding, numbering \
and solver the ratio of the times, of the experiment after --against by the first one, with its confidence interval and \
verdict (docs/reproducing.md).

Exit codes: 0 written; 1 --check found a difference or a claim that does not hold, or --against found a contradiction: \
two answers, clauses under the same revision, or the solver statistics of equal jobs; 2 there is no such experiment, or \
two have no job in common.";

#[derive(Debug, Default, Args)]
#[command(after_long_help = RUN_EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct RunArguments {
    /// The YAML file of the experiment, or NAME for configs/NAME.yaml; or the folder of an experiment, whose last session
    /// has the config; with --sample and --only also the name of an experiment
    pub(crate) config: PathBuf,
    /// Print the plan, with new, reused and no longer planned jobs, and run nothing
    #[arg(long, group = "printed")]
    pub(crate) plan: bool,
    /// Print the plan, or the row of --only, as JSON
    #[arg(long, requires = "printed")]
    pub(crate) json: bool,
    /// Run the experiment under this name, as a separate record
    #[arg(long, value_name = "NAME", alias = "as")]
    pub(crate) name: Option<String>,
    /// Run one shard, as in 3/16 for the third of 16; no report is made
    #[arg(long, value_name = "NUMBER/OF", conflicts_with = "plan", group = "part")]
    pub(crate) shard: Option<Shard>,
    /// Repeat a sample of jobs for about this time, in minutes or with a unit, and compare it with the record
    #[arg(long, value_name = "TIME", alias = "minutes", value_parser = minutes)]
    #[arg(conflicts_with = "plan", groups = ["part", "sampled"])]
    pub(crate) sample: Option<f64>,
    /// Repeat one job of the record, by the beginning of its key, and print its row; nothing is stored
    #[arg(long, value_name = "KEY", conflicts_with_all = ["plan", "name"], groups = ["part", "printed"])]
    pub(crate) only: Option<String>,
    /// The seed by which the jobs of a sample are drawn
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "sampled")]
    pub(crate) seed: u64,
    /// Also start the programs (encoders, solvers, counters) that the record names, even if no config on the command
    /// line names them
    #[arg(long)]
    pub(crate) programs: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
    #[command(flatten)]
    pub(crate) cluster: ClusterArguments,
}

/// The options with which a report is rendered.
const RENDERING: [&str; 5] = ["all", "check", "pdf", "columns", "width"];

#[derive(Debug, Args)]
#[command(after_long_help = REPORT_EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ReportArguments {
    /// The report or the experiment, by name or by folder; or a config, whose report is made by it instead of the config of
    /// the last session; without a name, what there is. `configs/reports/NAME.yaml` makes one over several experiments
    #[arg(value_name = "NAME")]
    pub(crate) experiment: Option<PathBuf>,
    /// All reports: those in reports, and those with a file in configs/reports
    #[arg(long, conflicts_with = "experiment")]
    pub(crate) all: bool,
    /// Compare new renderings with the files in reports, and write nothing
    #[arg(long)]
    pub(crate) check: bool,
    /// Also write each figure as PDF and PNG
    #[arg(long, conflicts_with = "check")]
    pub(crate) pdf: bool,
    /// The columns of a table in LaTeX by their names in CSV, in this order, as in `encodings:encoding,clauses_8`; once
    /// for each table
    #[arg(long, value_name = "TABLE:COLUMN,…", conflicts_with_all = ["all", "check"])]
    pub(crate) columns: Vec<ChosenColumns>,
    /// Lay the figures out anew for a paper: `column` (8.5 cm), `text` (12.2 cm), or any number of cm
    #[arg(long, value_name = "WIDTH", value_parser = figure_width, conflicts_with = "check")]
    pub(crate) width: Option<f64>,
    /// Write the rows as CSV instead of the report
    #[arg(long, requires = "experiment", conflicts_with_all = RENDERING, group = "written")]
    pub(crate) rows: bool,
    /// The file for the rows; without it they go to stdout
    #[arg(long, short, value_name = "FILE", requires = "written")]
    pub(crate) output: Option<PathBuf>,
    /// Compare with a second experiment, by name or by folder, instead of rendering
    #[arg(long, value_name = "NAME", requires = "experiment", conflicts_with = "rows", conflicts_with_all = RENDERING, group = "compared")]
    pub(crate) against: Option<PathBuf>,
    /// Print the comparison as JSON
    #[arg(long, requires = "compared")]
    pub(crate) json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
