//! The arguments of `bezzel rows`.

use std::path::PathBuf;

use clap::Args;

use super::root::RootArguments;

const ROWS_EXAMPLES: &str = "\
Examples:
  bezzel rows first-look > rows.csv
      every field of every row, a line each

Verdicts are those of the report, after all rows were compared with each other. docs/exporting.md \
has more.

Exit codes: 0 it is written, 2 there is no such experiment or the file cannot be written.";

#[derive(Debug, Args)]
#[command(after_help = ROWS_EXAMPLES)]
pub(crate) struct RowsArguments {
    /// The experiment, by name or by folder
    pub(crate) experiment: PathBuf,
    /// The file to write; without it the rows go to stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
