//! The arguments of `bezzel verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::quantity::seconds;
use super::root::RootArguments;

const VERIFY_EXAMPLES: &str = "\
Examples:
  bezzel verify first-look
      all checks that need no run, and 5 jobs again
  bezzel verify first-look --sample 50 --seed 7
      50 jobs again, chosen by seed 7
  bezzel verify experiments/first-look --all --encode-for 3600
      every job with an answer again, and up to an hour for encoding formulas again

The command checks the checksum of each line; the key of each row; the sessions (the calls of `bezzel run`, each with a \
file of its own) and the configs that they state; each stored placement; each verdict on an answer. It \
reports rows that contradict each other. It encodes formulas again to compare their sizes and digests, and runs a \
sample of the jobs again. No file is changed. docs/verifying.md explains each line of \
the output.

Exit codes: 0 no fault, 1 a fault was found, 2 there is no such experiment.";

/// The time for encoding formulas anew.
const ENCODE_FOR_S: &str = "60";

#[derive(Debug, Args)]
#[command(after_long_help = VERIFY_EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct VerifyArguments {
    /// The experiment, by name or by folder
    pub(crate) experiment: PathBuf,
    /// The number of jobs that are run again
    #[arg(long, value_name = "K", default_value_t = 5, conflicts_with = "all")]
    sample: usize,
    /// The seed by which they are chosen
    #[arg(long, value_name = "SEED", default_value_t = 1, conflicts_with = "all")]
    pub(crate) seed: u64,
    /// Run every job again that has an answer
    #[arg(long)]
    all: bool,
    /// Encode formulas again for at most this time, in seconds or with a unit; the output has the number of formulas without a check
    #[arg(long, value_name = "TIME", default_value = ENCODE_FOR_S, value_parser = seconds)]
    pub(crate) encode_for: Duration,
    /// Also run the programs that the rows name: external encoders and solvers
    #[arg(long)]
    pub(crate) programs: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl VerifyArguments {
    /// The largest number of jobs that are run again.
    pub(crate) fn sample(&self) -> usize {
        if self.all { usize::MAX } else { self.sample }
    }
}
