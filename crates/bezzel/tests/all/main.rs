//! All tests of the crate from outside, in one program. It is linked once, and no core idles while the last test of a
//! program runs.

mod all_solutions;
mod boards;
mod check_proof;
mod clusters;
mod command_line;
#[path = "../../../../tests/committed.rs"]
mod committed;
mod encoder;
mod evaluating;
mod evidence;
mod hostile;
mod hostile_names;
mod importing;
mod inputs;
#[path = "../../../../tests/installed.rs"]
mod installed;
mod interruptions;
mod kinds;
mod limits;
mod listing;
mod measures;
mod measuring;
mod new_encoding;
mod optima;
mod outcomes;
mod outside;
mod plans;
mod profiles;
mod program;
mod programs;
mod progress;
mod projections;
mod questions;
mod readme;
mod reports;
mod runs;
mod serve;
mod session_files;
mod shards;
mod slurm;
mod solver_programs;
mod stability;
mod sums;
mod tuning;
mod verifying;
mod workers;

// The templates of `bezzel new-encoding` find these in `crate`, as in their folder in `bezzel-encode`.
use bezzel_encode::{constraints, info, sink, size, var_map};
