//! The arguments of `bezzel compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::root::RootArguments;

const COMPARE_EXAMPLES: &str = "\
Examples:
  bezzel compare first-look first-look-at-home
      two machines, two versions, two revisions
  bezzel compare ../old/experiments/amo amo
      a record of another checkout
  bezzel compare amo amo-again --format markdown
      for a pull request; --json for programs

Rows are matched by their jobs: instance, encoding, numbering, solver, options, task, repetition. The comparison \
has the jobs of one record alone, the answers and the formulas that differ, and for each encoding, numbering \
and solver the ratio B / A of times with its confidence interval and verdict. docs/reproducing.md has more.

Exit codes: 0 no contradiction (times may differ); 1 two answers contradict each other, or clauses differ \
under the same revision, or the solver statistics of equal jobs differ; 2 there is no \
such experiment, or they have no job in common.";

#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct CompareArguments {
    /// The first experiment, by name or by folder
    pub(crate) a: PathBuf,
    /// The second one, which is compared with the first
    pub(crate) b: PathBuf,
    /// Print the comparison as JSON
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = ComparisonFormat::Text)]
    pub(crate) format: ComparisonFormat,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}

/// The form of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComparisonFormat {
    /// Lines and aligned tables
    Text,
    /// Markdown
    Markdown,
}
