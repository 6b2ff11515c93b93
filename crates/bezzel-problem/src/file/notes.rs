//! Notes on a file: content that is not used, and numbers of the header that are wrong.

use std::fmt::Display;

use crate::position::Position;

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
