//! The profile of an encoding: the encoding's declarations, its sizes, and the verdicts.

use bezzel_problem::Board;
use serde::Serialize;

use super::PropertyFinding;
use super::computed::{BoardProfile, LineProfile};
use crate::formula_stats::{FormulaStats, Section};
use crate::info::EncodingInfo;
use crate::registry::NamedEncoding;
use crate::settings::Settings;
use crate::size::Size;

/// The sides of the boards whose sizes are shown in addition to that of the chosen board.
pub const SIDES: [u32; 4] = [8, 20, 60, 100];

/// The profile of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// The information that the encoding states.
    #[serde(rename = "card")]
    pub info: EncodingInfo,
    /// Other ids with the same clauses.
    pub same: Vec<String>,
    /// The profile on one line, if it is an encoding of lines.
    pub line: Option<LineProfile>,
    /// The profile on boards; missing where it takes no ordinary ones.
    pub board: Option<BoardProfile>,
    /// The sizes of planes of the sides [`SIDES`].
    pub sizes: Vec<(u32, Size)>,
    /// The chosen board, and the counts of each section of its formula; none where the encoding does not take it.
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
    /// Computes the profile. `same` has the other ids with the same clauses.
    pub fn of(found: &NamedEncoding, same: Vec<String>, board: &Board) -> Self {
        let encoding = found.on_board(Settings::default());
        let size = |side: u32| {
            let problem = Board::new(side).ok()?.problem();
            encoding.fits(&problem).ok()?;
            encoding.size(&problem)
        };
        let sections = encoding.fits(&board.problem()).is_ok().then(|| {
            let mut stats = FormulaStats::new();
            encoding.encode(&board.problem(), &mut stats);
            Sections { board: board.to_string(), sections: stats.into_sections() }
        });
        Self {
            info: encoding.info(),
            same,
            line: match found {
                NamedEncoding::AtMostOne(amo) => Some(LineProfile::of(&**amo)),
                NamedEncoding::Mixture(_) | NamedEncoding::Board(_) => None,
            },
            board: BoardProfile::of(&*encoding),
            sizes: SIDES.iter().filter_map(|&side| Some((side, size(side)?))).collect(),
            sections,
        }
    }

    /// True if no wrong assignment and no missing one was found.
    pub fn is_right(&self) -> bool {
        self.wrong().is_none()
    }

    /// The first wrong or missing assignment that was found.
    pub(super) fn wrong(&self) -> Option<&PropertyFinding> {
        let line = self.line.as_ref().and_then(|line| line.correct.wrong.as_ref());
        line.or(self.board.as_ref().and_then(|board| board.correct.wrong.as_ref()))
    }
}
