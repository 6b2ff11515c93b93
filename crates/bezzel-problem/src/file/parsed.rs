//! The content of a file beside its constraints.

use std::fmt::Display;

use super::constraint::MAX_VARIABLES;
use super::objective::Objective;
use super::products::Products;
use crate::literal::{Candidate, Literal};
use crate::text::{FileError, Position};

/// The forms of constraint files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `p cnf`, with groups in comments.
    Cnf,
    /// `p knf`.
    Knf,
    /// `p cnf+`.
    CnfPlus,
    /// The form of the pseudo-Boolean competitions.
    Opb,
}

impl Format {
    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cnf => "CNF",
            Self::Knf => "KNF",
            Self::CnfPlus => "CNF+",
            Self::Opb => "OPB",
        }
    }
}

/// The content of a file beside its constraints.
pub(super) struct ParsedFile {
    pub(super) format: Format,
    /// The number of variables, products included.
    pub(super) variables: u32,
    /// The names of the variables, if they have names. There may be fewer than variables.
    pub(super) names: Option<Vec<Box<str>>>,
    pub(super) projection: Option<ProjectionSet>,
    pub(super) objective: Option<Objective>,
    pub(super) products: Products,
    pub(super) notes: Notes,
}

/// The variables in which solutions differ that are counted apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectionSet {
    /// The variables.
    pub variables: Vec<Candidate>,
    /// The words before them in the file.
    pub word: &'static str,
    /// The place of the first such line.
    pub position: Position,
}

impl ProjectionSet {
    /// A set without variables.
    pub(super) fn new(word: &'static str, position: Position) -> Self {
        Self { variables: Vec::new(), word, position }
    }

    /// Removes variables that the file does not have, and repetitions.
    pub(super) fn keep_below(&mut self, variables: u32, notes: &mut Notes) {
        self.variables.sort_unstable();
        self.variables.dedup();
        if let Some(&last) = self.variables.last().filter(|&&last| last >= variables) {
            let text = format!(
                "the projection set of `{}` has the variable {}, and the file has {variables}",
                self.word,
                last + 1
            );
            notes.add(NoteKind::ProjectionComment, self.position, text);
            self.variables.retain(|&variable| variable < variables);
        }
    }
}

/// The literal of a variable, counted from 1, that is not above `max`, the number of variables of the header if
/// there is one.
pub(super) fn literal(variable: u64, negated: bool, max: Option<u32>) -> Result<Literal, String> {
    let limit = max.map_or(MAX_VARIABLES, u64::from);
    if variable <= limit {
        return Ok(Literal::new((variable - 1) as Candidate, negated));
    }
    Err(match max {
        Some(max) => format!(
            "variable {variable} is above {max}, the number of variables in the header: \
             correct the header or the variable"
        ),
        None => format!("variable {variable} is too large: a file has at most {MAX_VARIABLES}"),
    })
}

/// The formats that are read, for messages about other files.
pub(super) const READS: &str = "Bezzel reads CNF (`p cnf`), KNF (`p knf`), CNF+ (`p cnf+`) and OPB";

/// Refuses a number of constraints that is not the header's.
pub(super) fn check_count(promised: u64, found: u64, position: Position) -> Result<(), FileError> {
    if promised == found {
        return Ok(());
    }
    let message = format!(
        "the header states {promised} constraints, and the file has {found}: write {found} here \
         if the file is whole"
    );
    Err(FileError::at(position, message))
}

/// The notes on a file, one for each kind.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

#[derive(Debug)]
struct Note {
    kind: NoteKind,
    /// The first note of the kind, with its place.
    text: String,
    /// The number of others of the kind.
    others: u64,
}

/// The kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoteKind {
    /// A comment that begins as a group does.
    GroupComment,
    /// A projection set that cannot be read.
    ProjectionComment,
    /// Weights of literals for counters.
    Weights,
    /// A number of the header.
    Header,
    /// A bound at the end of the file.
    OpenEnd,
}

impl Notes {
    /// Adds a note. Of each kind the first one is kept, with the number of the others.
    pub(super) fn add(&mut self, kind: NoteKind, position: Position, text: impl Display) {
        if let Some(note) = self.0.iter_mut().find(|note| note.kind == kind) {
            note.others += 1;
        } else {
            let text = format!("{position}: {text}");
            self.0.push(Note { kind, text, others: 0 });
        }
    }

    /// The texts.
    pub(super) fn into_texts(self) -> Vec<String> {
        let text = |Note { text, others, .. }| match others {
            0 => text,
            1 => format!("{text} (and 1 more of this kind)"),
            _ => format!("{text} (and {others} more of this kind)"),
        };
        self.0.into_iter().map(text).collect()
    }
}
