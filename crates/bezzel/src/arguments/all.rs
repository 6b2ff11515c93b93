//! The arguments with which `bezzel solve` lists or counts solutions.

use std::path::PathBuf;

use bezzel_queens::encode::solutions::SolutionForm;
use clap::{ArgGroup, Args};

/// The engine that finds all solutions, and its limits.
#[derive(Debug, Args)]
pub(crate) struct EngineArguments {
    /// The engine, as `bezzel list` names it; if not given `backtrack`, or `propagator` for a file and where an
    /// encoding or a numbering is named. Engines that read circuits read `bryant-circuit` if no encoding is named
    #[arg(long, value_name = "ID")]
    pub(crate) engine: Option<String>,
    /// The number of threads for the engine; if not given, one for each core where it takes threads
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// The largest number of nodes of a diagram, or of states
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
}

/// The solutions that `bezzel solve` lists or counts, if it does.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(group = ArgGroup::new("listing").args(["all", "random"]).multiple(true))]
pub(crate) struct ListingArguments {
    /// List every solution
    #[arg(long)]
    pub(crate) all: bool,
    /// Count the solutions and list none
    #[arg(long, conflicts_with_all = ["all", "random", "max_solutions", "format", "output"], group = "counted")]
    pub(crate) count: bool,
    /// Count the solutions that differ in the variables of the file's projection set (`c p show`, `c ind`, or
    /// `preserved:` in OPB)
    #[arg(long, requires = "counted", conflicts_with_all = ["all", "random", "engine", "threads", "nodes"])]
    pub(crate) projected: bool,
    /// Count the fundamental solutions of an empty square board: none is an image of another under its turns and
    /// reflections
    #[arg(long, requires = "counted", conflicts_with_all = ["all", "random", "projected"])]
    pub(crate) fundamental: bool,
    /// Show solutions drawn uniformly at random, by a decision diagram
    #[arg(long, conflicts_with_all = ["all", "engine", "threads"], group = "drawn")]
    pub(crate) random: bool,
    /// The number of solutions that suffices; if not given all, or one at random
    #[arg(
        long,
        value_name = "K",
        requires = "listing",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) max_solutions: Option<u64>,
    /// The seed of random choices: equal seeds give equal solutions everywhere
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "drawn")]
    pub(crate) seed: u64,
    /// The form: boards, coordinates, cao (rows of 0 and 1 as Cao's tool prints them) or json (an array of squares on
    /// each line); of a file: boards (a `v` line), coordinates (the true variables) or json (the numbers of the true
    /// variables); `pb` prints one answer in the form of the pseudo-Boolean competitions
    #[arg(long, value_name = "FORM", default_value_t)]
    pub(crate) format: SolutionForm,
    /// The file to write, compressed if it ends in .gz or .xz; stdout if there is none
    #[arg(long, short, value_name = "FILE", requires = "listing")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
}

impl EngineArguments {
    /// The option that is given, if one is.
    fn given(&self) -> Option<&'static str> {
        let given = [
            (self.engine.is_some(), "--engine"),
            (self.threads.is_some(), "--threads"),
            (self.nodes.is_some(), "--nodes"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}

impl ListingArguments {
    /// The option that needs a list or a count of solutions, if one is given without that.
    pub(crate) fn misplaced(&self) -> Option<&'static str> {
        let is_of_list = !matches!(self.format, SolutionForm::Boards | SolutionForm::Pb);
        match self.is_requested() {
            true => None,
            false if is_of_list => Some("--format"),
            false => self.engine.given(),
        }
    }

    /// True if solutions are listed or counted. Otherwise `bezzel solve` finds one solution.
    pub(crate) fn is_requested(&self) -> bool {
        self.count || self.all || self.random
    }
}
