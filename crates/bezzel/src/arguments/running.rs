//! What `bezzel run` and `bezzel report` take.

use std::path::{Path, PathBuf};

use bezzel_lab::shard::Shard;
use clap::Args;

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  bezzel run configs/first-look.yaml
      run what is missing, then render the report
  bezzel run --plan configs/first-look.yaml
      print what would be run, and run nothing
  bezzel run configs/first-look.yaml --name first-look-at-home
      all of it again, as a record of its own
  bezzel run configs/first-look.yaml --shard 3/16
      the third of 16 parts; then `bezzel merge first-look`

The evidence goes to experiments/NAME/rows.jsonl, the report to reports/NAME/. Running it again \
does only what is missing; Ctrl-C stops cleanly and loses nothing.

Exit codes: 0 all is well, 1 some answer was wrong or something failed, 2 the config or the \
command makes no sense, 130 stopped by Ctrl-C, TERM or HUP. With --shard, 0 if each job of the \
shard has its row, whatever it says.";

pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  bezzel report first-look
      render reports/first-look/ from experiments/first-look/
  bezzel report experiments/first-look
      the same, by folder
  bezzel report torus completion --as both --question \"Which encoding?\"
      one report over two experiments: reports/both/";

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The YAML file that puts the question
    pub(crate) config: PathBuf,
    /// Print the plan and run nothing
    #[arg(long)]
    pub(crate) plan: bool,
    /// Print the plan as JSON
    #[arg(long, requires = "plan")]
    pub(crate) json: bool,
    /// Run it under another name than the config's: a record to keep beside the others
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Run one of so many parts, as in 3/16, beside others that run the rest; no report is made
    #[arg(long, value_name = "NUMBER/OF", conflicts_with = "plan")]
    pub(crate) shard: Option<Shard>,
    /// Where the folders `experiments` and `reports` are; the current folder if not given
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl RunArguments {
    /// Where the folders `experiments` and `reports` are.
    pub(crate) fn root(&self) -> &Path {
        self.root.as_deref().unwrap_or(Path::new(""))
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The experiment, by name or by folder; several, with --as, for one report over all of them
    #[arg(required = true, value_name = "EXPERIMENT")]
    pub(crate) experiments: Vec<PathBuf>,
    /// The name of the report over several experiments
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The question of the report over several experiments; theirs if not given
    #[arg(long, value_name = "TEXT", requires = "name")]
    pub(crate) question: Option<String>,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Where the folders `experiments` and `reports` are; the current folder if not given
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

impl ReportArguments {
    /// Where the folders `experiments` and `reports` are.
    pub(crate) fn root(&self) -> &Path {
        self.root.as_deref().unwrap_or(Path::new(""))
    }
}
