//! Everything that a card shows: what the encoding says of itself, its sizes, and the verdicts.

use bezzel_problem::Board;
use serde::Serialize;

use super::Finding;
use super::computed::{BoardProfile, LineProfile, Same, closed};
use crate::card::Card;
use crate::registry::Found;
use crate::settings::Settings;
use crate::size::Size;
use crate::tally::{Section, Tally};

/// The sides of the boards whose sizes are shown beside that of the chosen board.
pub const SIDES: [u32; 4] = [8, 20, 60, 100];

/// Everything that a card shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// The card that the encoding states.
    pub card: Card,
    /// Other ids with the same clauses.
    pub same: Vec<Same>,
    /// The profile on one line, if it is an encoding of lines.
    pub line: Option<LineProfile>,
    /// The profile on boards; missing where it takes no ordinary ones.
    pub board: Option<BoardProfile>,
    /// Variables, clauses and literals of the plane of side n as expressions in n, each where one
    /// was found.
    pub closed: [Option<String>; 3],
    /// The sizes of planes of the sides [`SIDES`].
    pub sizes: Vec<(u32, Size)>,
    /// The chosen board, and what each section of its formula counts; nothing where the encoding
    /// does not take it.
    pub sections: Option<Sections>,
}

/// The sizes of the sections of a board's formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sections {
    /// The board.
    pub board: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

impl Profile {
    /// Finds out. `same` is what [`same`](super::same()) says of this id.
    pub fn of(found: &Found, same: Vec<Same>, board: &Board) -> Self {
        let encoding = found.on_board(Settings::default());
        let plane = |side: u64| {
            let board = Board::new(u32::try_from(side).ok()?).ok()?;
            encoding.fits(&board.problem()).ok()?;
            Some(board)
        };
        let size = |side: u64| encoding.size(&plane(side)?.problem());
        let sections = encoding.fits(&board.problem()).is_ok().then(|| {
            let mut tally = Tally::new();
            encoding.encode(&board.problem(), &mut tally);
            Sections { board: board.to_string(), sections: tally.into_sections() }
        });
        Self {
            card: encoding.card(),
            same,
            line: match found {
                Found::AtMostOne(amo) => Some(LineProfile::of(&**amo)),
                Found::Mixture(_) | Found::Board(_) => None,
            },
            board: BoardProfile::of(&*encoding),
            closed: closed::forms(size),
            sizes: SIDES.iter().filter_map(|&side| Some((side, size(side.into())?))).collect(),
            sections,
        }
    }

    /// True if no wrong assignment and no missing one was found.
    pub fn is_right(&self) -> bool {
        self.wrong().is_none()
    }

    /// The first wrong or missing assignment that was found.
    pub(super) fn wrong(&self) -> Option<&Finding> {
        let line = self.line.as_ref().and_then(|line| line.correct.wrong.as_ref());
        line.or(self.board.as_ref().and_then(|board| board.correct.wrong.as_ref()))
    }
}
