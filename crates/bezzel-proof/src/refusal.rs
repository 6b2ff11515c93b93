//! The reasons why a proof is not accepted.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::literal::literal;

/// The reason why a proof is not accepted. Only `Wrong` means that the proof is false: a step does not follow.
#[derive(Debug, Error)]
pub enum Refusal {
    /// A step does not follow, or is none.
    #[error("{place}: {}{reason}", prefix(claim.as_deref()))]
    Wrong {
        /// The place.
        place: ProofPosition,
        /// The clause that the step adds, where it is known.
        claim: Option<Box<AddedClause>>,
        /// The fault.
        reason: Reason,
    },
    /// Every step follows, and none is the empty clause.
    #[error("{place}: the proof ends {}", if *.torn { "within a step" } else { "without the empty clause" })]
    Incomplete {
        /// The end of the proof.
        place: ProofPosition,
        /// True if it ends in the middle of a step, as the file of a stopped writer does.
        torn: bool,
    },
    /// The check was not finished. The proof may be right or wrong.
    #[error("{place}: {cause}")]
    GaveUp {
        /// The place that was reached.
        place: ProofPosition,
        /// The cause.
        cause: Cause,
    },
}

fn prefix(claim: Option<&AddedClause>) -> String {
    claim.map_or_else(String::new, |claim| format!("{claim}: "))
}

/// A place in a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofPosition {
    /// The step, counted from 1, deletions included; 0 for the formula itself.
    pub step: u64,
    /// Its line, counted from 1, in a proof that is text.
    pub line: Option<u64>,
    /// The byte at which it begins, counted from 0.
    pub byte: u64,
}

impl fmt::Display for ProofPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.step == 0 {
            return write!(f, "in the formula");
        }
        write!(f, "step {} (", self.step)?;
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "byte {})", self.byte)
    }
}

/// A clause that a step adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedClause {
    /// Its number.
    pub id: u64,
    /// Its literals, at most the first [`AddedClause::SHOWN`].
    pub literals: Vec<i64>,
    /// The number of its literals.
    pub length: usize,
}

impl AddedClause {
    /// The number of literals that are kept for a message.
    pub const SHOWN: usize = 12;

    pub(crate) fn new(id: u64, codes: &[u32]) -> Self {
        let shown = codes.iter().take(Self::SHOWN);
        Self { id, literals: shown.map(|code| literal(*code)).collect(), length: codes.len() }
    }
}

impl fmt::Display for AddedClause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clause {} [", self.id)?;
        for (i, literal) in self.literals.iter().enumerate() {
            write!(f, "{}{literal}", if i == 0 { "" } else { " " })?;
        }
        if self.length > self.literals.len() {
            write!(f, " … {} literals", self.length)?;
        }
        write!(f, "]")
    }
}

/// The fault of a step.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A byte that is not allowed at its place.
    #[error("{} cannot stand here: {expected} is expected", shown(*.byte))]
    Byte {
        /// The byte.
        byte: u8,
        /// The expected text.
        expected: &'static str,
    },
    /// A line ends within a step.
    #[error("the line ends before the step does: {expected} is expected")]
    LineEnds {
        /// The expected text.
        expected: &'static str,
    },
    /// A number larger than its kind can be.
    #[error("a number is too large for {kind}")]
    TooLarge {
        /// The kind of the number.
        kind: &'static str,
    },
    /// A number that begins with 0, or is −0.
    #[error("a number begins with 0")]
    LeadingZero,
    /// A clause whose number is 0 or negative.
    #[error("{0} is not the number of a clause")]
    Id(i64),
    /// A clause whose number is not larger than all before.
    #[error("numbers of clauses must increase, and {greatest} was there already")]
    NotIncreasing {
        /// The greatest number before.
        greatest: u64,
    },
    /// A hint that names a missing clause.
    #[error("hint {hint} names no clause: {}", if *.ahead { "none has had this number yet" } else { "it was deleted" })]
    Absent {
        /// The hint.
        hint: u64,
        /// True if the number is above all numbers so far.
        ahead: bool,
    },
    /// A hint whose clause neither propagates nor conflicts.
    #[error("hint {hint} does not propagate: two of its literals are not false")]
    NotUnit {
        /// The hint.
        hint: u64,
    },
    /// The hints lead to no conflict, and the clause is empty, so that it has no pivot.
    #[error("its hints lead to no conflict")]
    NoConflict,
    /// The hints lead to no conflict, and a clause with the negated pivot has no hints.
    #[error(
        "its hints lead to no conflict, and by its first literal it does not follow either: they leave out clause {clause}, which contains {literal}"
    )]
    LeftOut {
        /// A clause that the hints leave out.
        clause: u64,
        /// The negation of the pivot.
        literal: i64,
    },
    /// A clause of the formula that has no number yet contains the negated pivot.
    #[error(
        "its hints lead to no conflict, and by its first literal it does not follow either: a clause of the formula that has no number yet contains {literal}"
    )]
    LeftOutUnnumbered {
        /// The negation of the pivot.
        literal: i64,
    },
    /// A negative hint whose clause does not contain the negated pivot.
    #[error("hint -{clause} names a clause that does not contain {literal}")]
    NoPivot {
        /// The clause.
        clause: u64,
        /// The negation of the pivot.
        literal: i64,
    },
    /// The hints that follow a negative one lead to no conflict.
    #[error("the hints after -{clause} lead to no conflict")]
    NoRatConflict {
        /// The clause.
        clause: u64,
    },
}

fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("`{}`", byte as char)
    } else {
        format!("byte 0x{byte:02x}")
    }
}

/// The cause why a check was not finished.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Cause {
    /// More memory would be needed than the limit allows, or than there is.
    #[error("more memory is needed than the limit of {limit_bytes} bytes")]
    Memory {
        /// The limit.
        limit_bytes: u64,
    },
    /// More clauses than the checker can address.
    #[error("live clauses take more than 16 GiB")]
    Addresses,
    /// More steps than the limit allows.
    #[error("the proof has more steps than the limit of {limit}")]
    Steps {
        /// The limit.
        limit: u64,
    },
    /// The proof could not be read.
    #[error("cannot read the proof: {0}")]
    Read(#[from] io::Error),
    /// A number in the formula is no literal.
    #[error("clause {clause} of the formula contains {literal}, which is not a literal")]
    Literal {
        /// The clause, counted from 1.
        clause: u64,
        /// The number: 0, or one without a negation.
        literal: i32,
    },
}

/// A fault in a step, before its place is known.
#[derive(Debug)]
pub(crate) enum Fault {
    Wrong(Reason),
    Torn,
    GaveUp(Cause),
}

impl Fault {
    /// The refusal for this fault at a place.
    pub(crate) fn at(self, place: ProofPosition, claim: Option<Box<AddedClause>>) -> Refusal {
        match self {
            Self::Torn => Refusal::Incomplete { place, torn: true },
            Self::GaveUp(cause) => Refusal::GaveUp { place, cause },
            Self::Wrong(reason) => Refusal::Wrong { place, claim, reason },
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::GaveUp(Cause::Read(error))
    }
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self::Wrong(reason)
    }
}

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Self {
        Self::GaveUp(cause)
    }
}
