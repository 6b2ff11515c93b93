//! The arguments of `bezzel import`.

use std::path::PathBuf;

use clap::Args;

use super::root::RootArguments;

const IMPORT_EXAMPLES: &str = "\
Examples:
  bezzel import results.csv.xz --map map.yaml
      a record under experiments, by the name in the map
  bezzel report NAME
      its report

The map says which columns are the instance, the family, the factors of arms, the status and the time. \
docs/import.md has its keys.

Exit codes: 0 imported, 2 the table or the map is invalid, or there is an experiment of this name.";

#[derive(Debug, Args)]
#[command(after_long_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportArguments {
    /// The table of runs: CSV with a line of headings, compressed or not
    pub(crate) table: PathBuf,
    /// The map of its columns, a YAML file
    #[arg(long, value_name = "FILE")]
    pub(crate) map: PathBuf,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}
