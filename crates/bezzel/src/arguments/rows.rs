//! The arguments of `bezzel rows`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::root::RootArguments;

const ROWS_EXAMPLES: &str = "\
Examples:
  bezzel rows first-look > rows.csv
      every field of every row, a line each
  bezzel rows first-look --format benchexec -o results/
      XML for BenchExec's table-generator

Verdicts are those of the report, after all rows were compared with each other. docs/exporting.md \
has more.

Exit codes: 0 it is written, 2 there is no such experiment or the file cannot be written.";

#[derive(Debug, Args)]
#[command(after_help = ROWS_EXAMPLES)]
pub(crate) struct RowsArguments {
    /// The experiment, by name or by folder
    pub(crate) experiment: PathBuf,
    /// The form
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowsFormat,
    /// The file to write, for benchexec a folder; CSV goes to stdout if there is none
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}

/// The form in which rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowsFormat {
    /// A tidy table of every field
    #[default]
    Csv,
    /// A folder of results in the format of BenchExec
    Benchexec,
}
