//! The arguments of `bezzel check-proof`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::quantity::memory;
use crate::packing::Packing;

#[derive(Debug, Args)]
pub(crate) struct CheckProofArguments {
    /// The formula that the proof refutes, in DIMACS CNF, compressed or not
    #[arg(value_name = "FORMULA")]
    pub(crate) formula: PathBuf,
    /// The proof, in text or binary, compressed or not; - for stdin
    #[arg(value_name = "PROOF")]
    pub(crate) proof: PathBuf,
    /// The proof is LRAT, as it is taken to be if its name does not end in .drat or .drup
    #[arg(long, conflicts_with = "drat")]
    lrat: bool,
    /// The proof is DRAT
    #[arg(long)]
    drat: bool,
    /// So much memory at most for clauses and whatever grows with the proof
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = memory)]
    pub(crate) memory: u64,
}

impl CheckProofArguments {
    /// Whether the proof is DRAT: what is said, or else what the ending of its name says.
    pub(crate) fn is_drat(&self) -> bool {
        let (_, path) = Packing::of(&self.proof);
        self.drat || !self.lrat && ends_like_drat(path)
    }

    /// Whether anyone said in which format the proof is.
    pub(crate) fn says_format(&self) -> bool {
        self.lrat || self.drat
    }
}

fn ends_like_drat(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "drat" || ending == "drup")
}

pub(crate) const CHECK_PROOF_EXAMPLES: &str = "\
Examples:
  bezzel check-proof queens.cnf proof.lrat          LRAT, in text or binary
  bezzel check-proof queens.cnf.xz proof.drat.gz    DRAT, as its name says
  bzip2 -dc proof.bz2 | bezzel check-proof --drat queens.cnf -
                                                    DRAT from a pipe
  bezzel check-proof --memory 8GiB big.cnf big.lrat

The last line is `s VERIFIED` or `s NOT VERIFIED`; before it stands why not. docs/proofs.md \
says what is checked, and what a refusal means.

Exit codes: 0 the proof is right, 1 it is not, or could not be checked within the limits, 2 the \
formula or the proof cannot be read.";
