//! Checks proofs that a formula is unsatisfiable. The crate shares no code with the programs that write them.
//!
//! ```
//! use bezzel_proof::{LratChecker, Limits, Refusal};
//!
//! let formula: [&[i32]; 4] = [&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]];
//! let check = |proof: &str| {
//!     let mut checker = LratChecker::new(Limits::default());
//!     formula.iter().for_each(|clause| checker.clause(clause));
//!     checker.check(proof.as_bytes())
//! };
//! let accepted = check("5 2 0 1 2 0\n6 0 5 3 4 0\n").unwrap();
//! assert_eq!((accepted.additions, accepted.propagations), (2, 3));
//!
//! assert!(matches!(check("5 2 0 1 2 0\n"), Err(Refusal::Incomplete { .. })));
//! let refusal = check("5 2 0 1 2 0\n6 0 5 3 0\n").unwrap_err();
//! assert_eq!(refusal.to_string(), "step 2 (line 2, byte 12): clause 6 []: its hints lead to no conflict");
//! ```
//!
//! # Accepted proofs
//!
//! LRAT, as Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp define it in *Efficient Certified RAT Verification*
//! (CADE 2017, section 3), in text and in the binary form that CaDiCaL writes. The first byte decides which: binary
//! steps begin with `a` or `d`, lines of text with a digit, a blank or the `c` of a comment.
//!
//! A step adds a clause. Its literals are made false, and the hints are followed in their order. Each hint names a
//! clause. If every literal of that clause is false, the step ends. If all but one are false, that one becomes true. If
//! the hints end without a conflict, the clause may follow by its first literal, as `rat.rs` describes, with negative
//! hints. The proof is accepted at the first empty clause.
//!
//! Authors and checkers differ in some points. This checker has the following rules. None of them accepts a step that
//! does not follow.
//!
//! - *Numbers of clauses* must increase, as `lrat-trim` requires too; gaps are allowed, and numbers of up to 63 bits.
//!   No number is therefore used twice.
//! - *Hints after the conflict* are superfluous and not read, and a hint whose one literal left is true already is
//!   superfluous as well. CaDiCaL's own checker and `cake_lpr` do the same. A hint that names no clause, or one that
//!   does not propagate, is refused where it is followed.
//! - *Every clause that contains the negated pivot* must be listed, also where the resolvent is a tautology, so that no
//!   hints follow; and each negative hint must name such a clause. Their order does not matter.
//! - *Deleting a clause that does not exist* is allowed, and counted.
//! - *A literal that occurs twice* counts once. *Tautologies* always follow and never propagate.
//! - *Variables* beyond the formula's are allowed in all clauses, as in extended resolution.
//! - *Text*: a line for each step, blanks and tabs between numbers, CRLF, empty lines, comments in lines of their own,
//!   the last newline missing: all allowed. A number with a leading zero is not.
//!
//! Memory is bounded by [`Limits`], and the memory of deleted clauses is used again. It depends on the number of
//! clauses that live at once, not on the length of the proof. Only the present step of the proof is kept.

mod assignment;
mod binary;
mod clauses;
mod derivation;
pub mod dimacs;
mod limits;
mod literal;
mod lrat;
mod proof_stats;
mod propagation;
mod rat;
mod refusal;
mod source;
mod step;
mod steps;
mod text;

pub use derivation::{Derivation, ProofStep, each_step};
pub use limits::Limits;
pub use lrat::LratChecker;
pub use proof_stats::ProofStats;
pub use refusal::{AddedClause, Cause, ProofPosition, Reason, Refusal};
pub use step::Notation;
