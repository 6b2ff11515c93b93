//! The arguments of the commands that judge encodings: `check` and `show`.

use std::path::PathBuf;

use clap::Args;

use super::limits::LimitArguments;
use crate::limited::Limits;

#[derive(Debug, Args)]
#[command(after_long_help = SHOW_EXAMPLES)]
pub(crate) struct ShowArguments {
    /// The ids of encodings, from `bezzel list`; or a file of constraints (KNF, OPB, CNF+, or CNF with groups in
    /// comments), compressed or not. If encodings follow the file, only their sizes are shown
    #[arg(value_name = "ID|FILE", required_unless_present = "all")]
    pub(crate) named: Vec<String>,
    /// Every encoding that is listed
    #[arg(long, conflicts_with = "named")]
    pub(crate) all: bool,
    /// The board whose rows, columns and diagonals are encoded for the sizes: N, or rows and columns as in 8x10; 8 if
    /// not given
    #[arg(long, value_name = "N")]
    pub(crate) board: Option<String>,
    /// The profile of encoders of at most, at least and exactly K (docs/at-most-k.md)
    #[arg(long, value_name = "K", conflicts_with_all = ["all", "board"])]
    pub(crate) k: Option<u64>,
    /// The profile of encoders of one weighted sum, at most, at least and exactly --bound (docs/weighted-sums.md): the
    /// weights, as in 3,5,7
    #[arg(long, value_name = "W,...", allow_hyphen_values = true, conflicts_with_all = ["all", "board", "k"])]
    pub(crate) weights: Option<String>,
    /// The bound of the sum of --weights
    #[arg(long, value_name = "B", allow_hyphen_values = true, conflicts_with_all = ["all", "board", "k"])]
    pub(crate) bound: Option<String>,
    /// Write proofs, for VeriPB, that the clauses for N inputs state the constraint: at most one, or at most K. With
    /// --weights there is no N, and the constraint is at most --bound
    #[arg(long, value_name = "N", num_args = 0..=1, group = "written", requires = "output", conflicts_with_all = ["all", "board", "json"])]
    pub(crate) certificate: Option<Vec<u32>>,
    /// Search constraints that stand as clauses in a CNF file: at most one, two or three of some literals
    #[arg(long, group = "written", conflicts_with_all = ["all", "board", "k", "weights", "bound", "certificate"])]
    pub(crate) detect: bool,
    /// Write the file of --detect as KNF, which `bezzel encode` encodes anew; or with --certificate, the path of its four
    /// files without their endings such as `.to-clauses.pbp`
    #[arg(long, short, value_name = "FILE", requires = "written")]
    pub(crate) output: Option<PathBuf>,
    /// Print the profiles of encodings as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  bezzel show sequential-counter
      sizes, and three computed verdicts
  bezzel show '{short: pairwise, long: product, at: 7}' --board 20
  bezzel show totalizer:cut adder --k 3
      sizes and computed properties of at most, at least and exactly 3
  bezzel show robdd gte --weights 3,5,7 --bound 9
      sizes, clauses and computed properties of 3a + 5b + 7c at most, at least and exactly 9
  bezzel show product --certificate 16 -o product
      proofs that its clauses for 16 inputs state at most one
  bezzel show timetable.opb.gz
      the constraints of a file, and the size of every encoding of them
  bezzel show their.cnf --detect -o their.knf
      the constraints that its clauses state, as a file to be encoded anew

Three verdicts are computed: the correctness of the encoding; the strength of unit propagation, with the \
smallest counter-examples; the effect of the auxiliary variables on the number of models. \
docs/encodings.md compares all encodings.

Exit codes: 0 all encodings are correct, 1 one is wrong, 2 an encoding or a file does not exist, 3 memory or \
time ran out, 130 stopped by Ctrl-C.";

/// The memory of this program beside the data of a checker of proofs, in bytes.
const OWN_BYTES: u64 = 64 << 20;

/// The options that only formulas have.
const OF_FORMULAS: [&str; 3] = ["cnf", "against", "json"];

#[derive(Debug, Args)]
#[command(after_long_help = CHECK_EXAMPLES, override_usage = "\
bezzel check [ID]... [--all] [--k <K>] [--sums] [--certify]
       bezzel check --cnf <FILE> [--against <N|FILE|ENTRY>] [OPTIONS]
       bezzel check --proof [OPTIONS] <FORMULA> <PROOF>")]
pub(crate) struct CheckArguments {
    /// The ids of encodings, from `bezzel list`; the default is all of them. With --proof, the formula and the proof
    #[arg(value_name = "ID", conflicts_with_all = OF_FORMULAS)]
    pub(crate) named: Vec<String>,
    /// Check every encoding that is listed, the default if none is named
    #[arg(long, conflicts_with_all = ["named", "proof"], conflicts_with_all = OF_FORMULAS)]
    pub(crate) all: bool,
    /// Check the encoders of three cardinality constraints: at most, at least and exactly K; if no encoder is named, all
    /// of them (docs/at-most-k.md)
    #[arg(long, value_name = "K", conflicts_with_all = ["all", "proof"], conflicts_with_all = OF_FORMULAS)]
    pub(crate) k: Option<u64>,
    /// Check encoders of weighted sums, on all threshold functions of up to five inputs and on random sums of up to 150; if
    /// no encoder is named, all of them (docs/weighted-sums.md)
    #[arg(long, conflicts_with_all = ["all", "k", "proof"], conflicts_with_all = OF_FORMULAS)]
    pub(crate) sums: bool,
    /// Prove that the clauses state the constraint, and have the proofs checked by VeriPB if it is installed
    #[arg(long, conflicts_with_all = ["all", "proof"], conflicts_with_all = OF_FORMULAS)]
    pub(crate) certify: bool,
    #[command(flatten)]
    pub(crate) formula: FormulaArguments,
    #[command(flatten)]
    pub(crate) proof: ProofArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

impl CheckArguments {
    /// The limits, with the options that raise them. The checker of a proof counts the memory of its data itself.
    pub(crate) fn limits(&self) -> Limits {
        let own_bytes = if self.proof.proof { OWN_BYTES } else { 0 };
        Limits { own_bytes, ..self.limits.limits() }
    }
}

/// A formula of any origin.
#[derive(Debug, Args)]
#[command(next_help_heading = "A formula of a board, or of a file of constraints")]
pub(crate) struct FormulaArguments {
    /// A DIMACS formula of any origin, to be compared; `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) cnf: Option<PathBuf>,
    /// The instance that the formula must state: the size of a board, as in 8 or 8x10, the file of a board, a file of
    /// constraints (KNF, OPB, CNF+, or CNF with groups in comments), or an entry of `problems` in a config; if not given,
    /// the board in the formula's own comments. Variable 1 of the formula is the square 1,1 or variable 1 of the file, or the
    /// formula's comments say which literals are
    #[arg(long, value_name = "N|FILE|ENTRY", requires = "cnf")]
    pub(crate) against: Option<String>,
    /// Print the findings as JSON
    #[arg(long, requires = "cnf")]
    pub(crate) json: bool,
}

/// A proof that a formula has no model.
#[derive(Debug, Args)]
#[command(next_help_heading = "A proof")]
pub(crate) struct ProofArguments {
    /// Check that a proof refutes a formula: FORMULA in DIMACS CNF, PROOF in LRAT, as text or binary, both
    /// compressed or not; `-` for a proof on stdin
    #[arg(long, conflicts_with_all = OF_FORMULAS)]
    pub(crate) proof: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  bezzel check pairwise binary
      these two
  bezzel check totalizer:cut --k 3
      as an encoder of at most, at least and exactly 3
  bezzel check robdd gte --sums
      as encoders of weighted sums
  bezzel check product --certify
      proofs for 2 to 16, 32 and 64 inputs, checked by VeriPB
  bezzel check --cnf queens.cnf --against 8
      a formula of any origin: variable 1 is square 1,1 (row 1, column 1)
      in the upper left corner, variable 2 is 1,2, variable 64 is 8,8; the line
      `c square 1,2 -3 4` of the formula means that a queen stands on row 1,
      column 2 iff 3 is false and 4 true
  bezzel check --cnf my.cnf --against my.opb
      the formula of any generator: a wrongly allowed or forbidden assignment,
      or a checked proof that it allows only solutions
  bezzel check --proof queens.cnf proof.lrat
      a proof in LRAT that the formula has no model

An encoding must have exactly the solutions of the constraint. Its size, the strength of unit propagation, and the \
effect of its auxiliary variables on the number of models must be as it declares. The smallest case of each violation \
is drawn: `Q` is a queen, `x` a square without a queen, `.` a square that is not assigned, `?` the square or input \
with the fault. With --proof the last line is `s VERIFIED` or `s NOT VERIFIED`, with the reason before it. \
docs/checking.md and docs/proofs.md have more.

Exit codes: 0 all properties hold, the formula states the rules of its board or file, or the proof is verified; 1 \
otherwise; 2 an encoding is unknown or a file cannot be read; 3 memory or time ran out; 130 stopped by Ctrl-C.";
