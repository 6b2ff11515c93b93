//! The arguments of the verbs that judge encodings: `check` and `show`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The encodings, as `bezzel list` names them
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub(crate) encodings: Vec<String>,
    /// Every encoding that is listed
    #[arg(long, conflicts_with = "encodings")]
    pub(crate) all: bool,
    /// The board whose sections are counted: N, or rows and columns as in 8x10
    #[arg(long, value_name = "N", default_value = "8")]
    pub(crate) board: String,
    /// Print everything as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) const SHOW_EXAMPLES: &str = "\
Examples:
  bezzel show sequential-counter
      sizes, and three verdicts that are computed
  bezzel show '{short: pairwise, long: product, at: 7}' --board 20
  bezzel show --all --json > profiles.json
      all of it, for programs

Three verdicts are computed: the correctness of the encoding; the strength of unit propagation, with the \
smallest counter-examples; the effect of the auxiliary variables on the number of models. \
docs/encodings.md has all encodings side by side.

Exit codes: 0 all are right, 1 one is wrong, 2 there is no such encoding.";

/// The options that only a formula has.
const OF_FORMULAS: [&str; 6] = ["cnf", "board", "torus", "rooks", "map", "json"];

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct CheckArguments {
    /// The encodings, as `bezzel list` names them; all if none is named
    #[arg(value_name = "ID", conflicts_with_all = OF_FORMULAS)]
    pub(crate) encodings: Vec<String>,
    /// Every encoding that is listed, as if none were named
    #[arg(long, conflicts_with = "encodings", conflicts_with_all = OF_FORMULAS)]
    pub(crate) all: bool,
    /// A DIMACS formula from anywhere, to be examined; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) cnf: Option<PathBuf>,
    /// The board that the formula speaks of: N, rows and columns as in 8x10, or the file of a
    /// board; if not given what the formula's own comments say
    #[arg(long, value_name = "BOARD", requires = "cnf")]
    pub(crate) board: Option<String>,
    /// The opposite edges of the board are joined
    #[arg(long, requires = "board")]
    pub(crate) torus: bool,
    /// It is a board of rooks
    #[arg(long, requires = "board")]
    pub(crate) rooks: bool,
    /// What the variables mean: lines `square ROW,COLUMN LITERALS`; if not given what the formula's
    /// own comments say, or else variable (ROW - 1) * COLUMNS + COLUMN for each square
    #[arg(long, value_name = "FILE", requires = "cnf")]
    pub(crate) map: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long, requires = "cnf")]
    pub(crate) json: bool,
}

pub(crate) const CHECK_EXAMPLES: &str = "\
Examples:
  bezzel check pairwise binary
      these two
  bezzel check --all
      everything that is listed, in some seconds
  bezzel check --cnf queens.cnf --board 8
      a formula from anywhere: variable 1 is the square in the upper left
      corner, 2 the one to its right, 64 the last
  bezzel check --cnf theirs.cnf --board 8 --map theirs.map
      the same with other variables; a line of the map is, say,
      `square 1,2 -3 4`: a queen stands there iff 3 is false and 4 true

The laws are those that the tests run; a breach comes with the smallest case that was found, \
drawn: `Q` a queen, `x` empty, `.` open, `?` the square or input in question. Exit codes: 0 all \
laws are kept and the formula is right, 1 one is broken or it is wrong, 2 there is no such \
encoding or file.";
