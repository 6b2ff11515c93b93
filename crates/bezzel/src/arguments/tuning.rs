//! The arguments of `tune`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::quantity::{memory, whole_minutes};
use super::root::RootArguments;
use crate::limited::Limits;

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct TuneArguments {
    /// Files of constraints (KNF, OPB, CNF+, or CNF with groups in comments), or folders of them
    #[arg(
        value_name = "FILE|FOLDER",
        required_unless_present_any = ["problem", "replay"],
        conflicts_with_all = ["problem", "replay"]
    )]
    pub(crate) files: Vec<PathBuf>,
    /// Instances of a kind, as an entry of `problems` in a config
    #[arg(long, value_name = "ENTRY")]
    pub(crate) problem: Option<String>,
    /// Race on the rows of an experiment in place of runs, and print the regret of the choices after 1, 5 and 20 minutes
    #[arg(long, value_name = "NAME", conflicts_with_all = ["problem", "name"])]
    pub(crate) replay: Vec<PathBuf>,
    /// The time limit by the clock: whole minutes, alone or with a unit, as in 30min or 1h
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = whole_minutes)]
    pub(crate) budget: u32,
    /// The name of the experiment; `tune-` and the name of the first file or of the kind if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write the config, print the plan, and run nothing
    #[arg(long)]
    pub(crate) plan: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// The memory limit of this command without its runs, as in 512MiB; each run has 4 GiB of its own
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = memory)]
    pub(crate) memory: u64,
}

impl TuneArguments {
    /// The limits, with the options that raise them.
    pub(crate) fn limits(&self) -> Limits {
        let budget = Duration::from_mins(self.budget.into());
        Limits { memory_bytes: self.memory, own_bytes: 0, wall: Some((budget, "--budget")) }
    }
}

const EXAMPLES: &str = "\
Examples:
  bezzel tune timetables/ --budget 1h
      the files of a folder, in about an hour
  bezzel tune timetable.opb.gz
      one file, in about 10 minutes
  bezzel tune --problem '{latin-square: {order: 20, holes: 42 %, seeds: 1..8}}'

The command compares combinations of encoding, input order, numbering and solver, and chooses one by half of the \
instances. Combinations that are surely worse stop early. On the other half, the time of the choice is compared with the \
time of the combination that is best there, and bounded for new instances. With one file, the halves are shuffles of \
the file, and the choice is for this file alone. Several folders are families of instances. The comparison is an \
ordinary experiment: its config is in `configs`, its rows are in `experiments`, and its report is in `reports`. The \
same command continues it.

Exit codes: 0 a choice was made; 1 an answer is wrong, or nothing was solved; 2 a file or an argument is \
invalid; 3 the budget or memory ran out, with the rows kept; 130 stopped by Ctrl-C, with the rows kept.";
