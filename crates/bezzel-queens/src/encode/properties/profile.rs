//! The profile of an encoding: the encoding's declarations, its sizes, and the verdicts on one line and on boards.
//!
//! Encodings with the same clauses under different names are found, too. Encodings of lines are compared as at most one
//! and as exactly one of 9 and of 40 inputs, others on boards of sides 9 and 13. The clauses are compared as sets of sets
//! of literals, by one digest; auxiliary variables keep their names.

use std::collections::BTreeMap;

use bezzel_encode::formula_stats::Section;
use bezzel_encode::properties::{
    Correct, LineProfile, ModelCounts, PropertyFinding, clauses_digest, meaning, sets_digest,
};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{
    Auxiliaries, Encoding, EncodingInfo, Formula, FormulaStats, Propagation, Registry, Settings,
    Size,
};
use serde::Serialize;

use super::case::Case;
use super::correct;
use crate::{Board, Geometry, Piece};

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
        let encoding = found.with_settings(Settings::default());
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
                NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
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

    /// This word, or the number of assignments that the search gave up.
    pub(super) fn verdict(&self, decided: &str) -> String {
        let line = self.line.iter().map(|line| &line.correct);
        let all = line.chain(self.board.iter().map(|board| &board.correct));
        match all.fold([0, 0], |[n, of], it| [n + it.undecided, of + it.sampled]) {
            [0, _] => decided.to_owned(),
            [n, of] => format!("no fault found; {n} of {of} assignments undecided"),
        }
    }

    /// The first wrong or missing assignment that was found.
    pub(super) fn wrong(&self) -> Option<&PropertyFinding> {
        let line = self.line.as_ref().and_then(|line| line.correct.wrong.as_ref());
        line.or(self.board.as_ref().and_then(|board| board.correct.wrong.as_ref()))
    }
}

/// The most steps for the list of one small board's models.
const STEPS: u64 = 2_000_000;

/// The computed profile of an encoding of the whole board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardProfile {
    /// The comparison of its models with the solutions.
    pub correct: Correct,
    /// The effect of one queen on one attacked square, at side 8, which an encoding declares.
    pub one_queen: Propagation,
    /// The effect of the auxiliary variables on the number of models.
    pub auxiliaries: Auxiliaries,
    /// Models at sides 4, 5, 6 and 8.
    pub models: Vec<ModelCounts>,
}

impl BoardProfile {
    /// Computes the profile; none where the encoding takes no ordinary board.
    pub fn of(encoding: &dyn Encoding) -> Option<Self> {
        let plane = |side| Board::new(side).expect("small boards are allowed");
        if (1..=12).any(|side| encoding.fits(&plane(side).problem()).is_err()) {
            return None;
        }
        let models: Vec<ModelCounts> =
            [4, 5, 6, 8].map(|side| Case::new(encoding, &plane(side)).models()).to_vec();
        Some(Self {
            correct: correct(encoding),
            one_queen: Case::new(encoding, &plane(8)).one_queen().0,
            auxiliaries: meaning::auxiliaries(&models),
            models,
        })
    }
}

fn correct(encoding: &dyn Encoding) -> Correct {
    let board = |side| Board::new(side).expect("small boards are allowed");
    let mut boards: Vec<Board> = (1..=8).map(board).collect();
    boards.push(board(5).with_geometry(Geometry::Torus));
    boards.push(board(3).with_piece(Piece::Rook));
    let mut correct = Correct { exhaustive: 8, ..Correct::default() };
    for board in boards.iter().filter(|board| encoding.fits(&board.problem()).is_ok()) {
        let wrong = Case::new(encoding, board).wrong(STEPS);
        match wrong {
            Ok(None) => {}
            Ok(wrong) => {
                correct.wrong = wrong;
                return correct;
            }
            Err(()) => {
                correct.exhaustive = correct.exhaustive.min(board.rows() - 1);
            }
        }
    }
    for side in 9..=12 {
        let board = board(side);
        let mut case = Case::new(encoding, &board);
        correct::sample(&mut case.subject, &board, 5, side.into(), &mut correct);
        if correct.wrong.is_some() {
            break;
        }
    }
    correct
}

/// The other ids of each listed one that has some, in the order of the registry.
pub fn ids_with_same_clauses(registry: &Registry) -> BTreeMap<String, Vec<String>> {
    let found = registry.infos().into_iter().filter_map(|info| {
        let found = registry.find(&info.id).ok()?;
        Some((info.id, digest_on_lines(&found), digest_on_boards(&found)))
    });
    let found: Vec<_> = found.collect();
    let others =
        found.iter().map(|(id, lines, boards)| {
            let is_same = |(_, their_lines, their_boards): &&(
                _,
                Option<String>,
                Option<String>,
            )| match (lines, their_lines) {
                (Some(lines), Some(theirs)) => lines == theirs,
                _ => boards.is_some() && boards == their_boards,
            };
            let same = found.iter().filter(is_same).map(|(other, ..)| other.clone());
            (id.clone(), same.filter(|other| other != id).collect::<Vec<_>>())
        });
    others.filter(|(_, others)| !others.is_empty()).collect()
}

fn digest_on_lines(found: &NamedEncoding) -> Option<String> {
    match found {
        NamedEncoding::AtMostOne(amo) => Some(clauses_digest(&**amo)),
        NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
    }
}

fn digest_on_boards(found: &NamedEncoding) -> Option<String> {
    let boards = [9, 13].map(|side| Board::new(side).expect("small boards are allowed").problem());
    let encoding = found.with_settings(Settings::default());
    if boards.iter().any(|board| encoding.fits(board).is_err()) {
        return None;
    }
    Some(sets_digest(boards.iter().map(|board| {
        let mut formula = Formula::new();
        encoding.encode(board, &mut formula);
        formula
    })))
}
