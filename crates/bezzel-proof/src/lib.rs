//! Checks proofs that a formula is unsatisfiable, and shares no code with whatever wrote them.
//!
//! ```
//! use bezzel_proof::{Checker, Limits, Refusal};
//!
//! let formula: [&[i32]; 4] = [&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]];
//! let check = |proof: &str| {
//!     let mut checker = Checker::new(Limits::default());
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
//! # What is accepted
//!
//! LRAT, as Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp define it in *Efficient Certified RAT
//! Verification* (CADE 2017, section 3), in text and in the binary form that CaDiCaL writes. The first
//! byte decides which: binary steps begin with `a` or `d`, lines of text with a digit, a blank or the
//! `c` of a comment.
//!
//! A step adds a clause. Its literals are made false, and the hints are followed in their order: of
//! the clause that a hint names, every literal must be false, which ends the step, or all but one,
//! which becomes true. Where that ends without a conflict, the clause may follow by its first
//! literal, as `rat.rs` says, with negative hints. The proof is accepted at the first empty clause.
//!
//! Where authors and checkers differ, this one does as the following says. None of it lets anything
//! pass that does not follow.
//!
//! - *Numbers of clauses* must increase, as `lrat-trim` asks too; gaps are allowed, and numbers of up to
//!   63 bits. So no number is given twice.
//! - *Hints after the conflict* are superfluous and not looked at, and a hint whose one literal left is
//!   true already is superfluous as well. So it is in CaDiCaL's own checker and in `cake_lpr`. A hint that
//!   names no clause, or one that does not propagate, is refused where it is followed.
//! - *Every clause that contains the negated pivot* must be listed, also where the resolvent is a
//!   tautology, so that no hints follow; and each negative hint must name such a clause. In which
//!   order they are listed does not matter.
//! - *Deleting what is not there* passes, and is counted.
//! - *A literal that occurs twice* counts once. *Tautologies* follow from anything and serve for nothing.
//! - *Variables* beyond the formula's are allowed wherever they occur, as in extended resolution.
//! - *Text*: a line for each step, blanks and tabs between numbers, CRLF, empty lines, comments in lines
//!   of their own, the last newline missing: all allowed. A number with a leading zero is not.
//!
//! Memory is bounded by [`Limits`], and deleted clauses give theirs back: what counts is how many
//! clauses live at once, not how long the proof is. Nothing of the proof is kept but the step at hand.

mod accepted;
mod assignment;
mod binary;
mod checker;
mod clauses;
pub mod dimacs;
pub mod drat;
mod limits;
mod literal;
mod propagation;
mod rat;
mod refusal;
mod source;
mod step;
mod steps;
mod text;

pub use accepted::Accepted;
pub use checker::Checker;
pub use limits::Limits;
pub use refusal::{Cause, Claim, Place, Reason, Refusal};
pub use step::Notation;
