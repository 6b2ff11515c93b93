//! The arguments of `bezzel benchexec`: `export` and `import`.

use std::path::PathBuf;

use bezzel_benchexec::Compression;
use clap::{Args, Subcommand, ValueEnum};

use super::root::RootArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum BenchexecCommand {
    /// Write the formulas, tasks and commands of an experiment for BenchExec
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArguments),
    /// Read the results of BenchExec back as the rows of an experiment
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The YAML file of the experiment
    pub(crate) config: PathBuf,
    /// Write everything that BenchExec needs into this folder, which is made
    #[arg(long, value_name = "FOLDER", alias = "benchexec")]
    pub(crate) to: PathBuf,
    /// The compression of the formulas
    #[arg(long, value_enum, default_value_t)]
    packing: PackingArgument,
}

impl ExportArguments {
    /// The ending of the formulas' names.
    pub(crate) fn ending(&self) -> Compression {
        match self.packing {
            PackingArgument::None => Compression::Plain,
            PackingArgument::Gz => Compression::Gzip,
            PackingArgument::Xz => Compression::Xz,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum PackingArgument {
    /// None: nothing is unpacked while a solver is measured
    None,
    /// By gzip, which most solvers read
    Gz,
    /// By xz, the smallest
    #[default]
    Xz,
}

pub(crate) const EXPORT_EXAMPLES: &str = "\
Examples:
  bezzel benchexec export configs/first-look.yaml --to /tmp/first-look
      formulas, tasks, benchmarks, tool-info modules
  bezzel benchexec export configs/first-look.yaml --to /tmp/first --packing none

The folder's README.txt has the commands that run it. Linked solvers without a \
program are left out.

Exit code 2: the config or the folder is invalid.";

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The name of the experiment of these rows: a new one, or that of an earlier import
    pub(crate) experiment: String,
    /// The results, as BenchExec writes them: *.results.*.xml.bz2, or .xml
    #[arg(required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// The folder that was exported; if not given, the one in or above that of the results
    #[arg(long, value_name = "FOLDER")]
    pub(crate) from: Option<PathBuf>,
    /// The logs of the runs, a zip or a folder; if not given, those beside the results
    #[arg(long, value_name = "PATH")]
    pub(crate) logs: Option<PathBuf>,
    /// Also run the encoders that the exported config names; without them its formulas cannot be known
    #[arg(long)]
    pub(crate) programs: bool,
    #[command(flatten)]
    pub(crate) root: RootArguments,
}

pub(crate) const IMPORT_EXAMPLES: &str = "\
Examples:
  bezzel benchexec import theirs --from /tmp/first results/*.xml.bz2
  bezzel benchexec import theirs results/*.xml.bz2 --logs logs.zip

Each run becomes a row of experiments/NAME/, checked by the model in its log. Runs that have a \
row already are skipped.

Exit codes: 0 no fault, 1 an answer is wrong or two results of a task \
contradict each other, 2 the results cannot be read or are not of the exported tasks.";

pub(crate) const BENCHEXEC_EXAMPLES: &str = "\
Examples:
  bezzel benchexec export configs/first-look.yaml --to /tmp/first-look
      then run the commands of README.txt in that folder
  bezzel benchexec import theirs --from /tmp/first-look results/*.xml.bz2
      experiments/theirs/ and its report

docs/benchexec.md has the details.";
