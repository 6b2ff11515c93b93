//! The arguments of `bezzel compare` and `bezzel artifact`.

use std::path::{Path, PathBuf};

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

Rows are matched by their jobs: board, encoding, numbering, solver, options, task, repetition. The comparison \
has the jobs of one record alone, the answers and the formulas that differ, and for each encoding, numbering \
and solver the ratio B / A of times with its confidence interval and verdict. docs/reproducing.md has more.

Exit codes: 0 no contradiction (times may differ); 1 two answers contradict each other, or clauses differ \
under the same revision, or the solver statistics of equal jobs differ; 2 there is no \
such experiment, or they have no job in common.";

const ARTIFACT_EXAMPLES: &str = "\
Examples:
  bezzel artifact first-look
      first-look-artifact.tar.gz
  bezzel artifact first-look -o paper.tar.xz
      compressed by xz, from the ending
  bezzel artifact first-look --vendor
      with the dependencies: builds without a network

The archive has the sources, the evidence, its report, a README for evaluators, the SHA-256 of every \
file, and a script `reproduce` that checks all of them and runs jobs again for ten minutes. The \
same inputs give the same bytes. Files that the commands of encoders name are packed too. \
docs/reproducing.md has more.

Exit codes: 0 the archive is written, 1 the evidence is damaged or not whole, 2 there is no such \
experiment, there are no sources, or the file exists already.";

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

#[derive(Debug, Args)]
#[command(after_help = ARTIFACT_EXAMPLES)]
pub(crate) struct ArtifactArguments {
    /// The experiment, by name or by folder
    pub(crate) experiment: PathBuf,
    /// The archive, which ends in .tar.gz or .tar.xz; NAME-artifact.tar.gz if not given
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Add the dependencies, by `cargo vendor`
    #[arg(long)]
    pub(crate) vendor: bool,
    /// The folder with Bezzel's sources; if not given the current one, or the nearest above that has them
    #[arg(long, value_name = "FOLDER")]
    sources: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}

impl ArtifactArguments {
    /// The folder of the sources, or a folder below it.
    pub(crate) fn sources(&self) -> &Path {
        self.sources.as_deref().unwrap_or_else(|| self.root.path())
    }
}
