//! A matrix made ready for planning, and the rounds in which its cells come.

use std::collections::HashMap;

use bezzel_encode::{Board, Numbering};

use super::cells::{Cell, Wanted};
use super::dropped::{Dropped, Place};
use super::fit;
use super::versions::Versions;
use crate::config::{Config, ConfigError, Matrix, NumberingEntry, SolverEntry};
use crate::workbench::Workbench;

/// A matrix with what planning finds out about it.
pub(super) struct Side<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) wanted: Vec<Wanted<'a>>,
    dropped: Option<Dropped>,
    /// The version of each solver, and what it is called in the plan.
    pub(super) solvers: Vec<(String, String)>,
    /// For each board the cells of all encodings that are needed there.
    pub(super) cells: Vec<Vec<Option<Cell>>>,
}

impl<'a> Side<'a> {
    /// The matrix, as yet without its cells.
    pub(super) fn new(
        config: &Config,
        matrix: &'a Matrix,
        wanted: Vec<Wanted<'a>>,
        dropped: Option<Dropped>,
        versions: &Versions<'_>,
        workbench: &Workbench,
    ) -> Result<Self, ConfigError> {
        let told =
            |entry: &SolverEntry| Ok((versions.of(config, entry, workbench)?, entry.label()));
        let solvers = matrix.solvers.iter().map(told).collect::<Result<_, _>>()?;
        let side = Self { matrix, wanted, dropped, solvers, cells: Vec::new() };
        side.refuse_unstated(config, workbench)?;
        Ok(side)
    }

    /// Whether a cell stays in.
    pub(super) fn keeps(&self, place: Place) -> bool {
        self.dropped.as_ref().is_none_or(|dropped| !dropped.drops(place))
    }

    /// Whether some job of an encoding on a board stays in.
    pub(super) fn needs(&self, board: usize, encoding: usize) -> bool {
        let shuffles = self.matrix.boards[board].shuffles;
        let numberings = self.matrix.numberings.iter().enumerate();
        let mut run = numberings.filter(|(_, entry)| entry.count(shuffles) > 0);
        run.any(|(numbering, _)| {
            (0..self.matrix.solvers.len())
                .any(|solver| self.keeps(Place { board, numbering, encoding, solver }))
        })
    }

    /// Whether an encoding meets a solver somewhere.
    fn meet(&self, encoding: usize, solver: usize) -> bool {
        (0..self.matrix.boards.len()).any(|board| {
            (0..self.matrix.numberings.len())
                .any(|numbering| self.keeps(Place { board, numbering, encoding, solver }))
        })
    }

    /// Refuses encodings that meet a solver that does not take what they state.
    fn refuse_unstated(&self, config: &Config, workbench: &Workbench) -> Result<(), ConfigError> {
        for (encoding, wanted) in self.wanted.iter().enumerate() {
            for (solver, entry) in self.matrix.solvers.iter().enumerate() {
                if let Err(problem) = fit::stated(config, wanted, entry, workbench)
                    && self.meet(encoding, solver)
                {
                    return Err(problem);
                }
            }
        }
        Ok(())
    }
}

/// A board, and where it stands in each matrix that has it: the side and the place in its boards.
pub(super) struct Stage {
    pub(super) on: Vec<(usize, usize)>,
}

/// All boards, small ones first.
pub(super) fn stages(sides: &[Side<'_>]) -> Vec<Stage> {
    let mut all: Vec<(&Board, usize, usize)> = Vec::new();
    for (side, Side { matrix, .. }) in sides.iter().enumerate() {
        let boards = matrix.boards.iter().enumerate();
        all.extend(boards.map(|(board, entry)| (&entry.board, side, board)));
    }
    all.sort_by_key(|(board, ..)| (board.rows(), board.columns()));
    let mut stages: Vec<Stage> = Vec::new();
    let mut known: HashMap<&Board, usize> = HashMap::new();
    for (board, side, place) in all {
        let stage = *known.entry(board).or_insert_with(|| {
            stages.push(Stage { on: Vec::new() });
            stages.len() - 1
        });
        stages[stage].on.push((side, place));
    }
    stages
}

/// One numbering, under which every encoding meets every solver.
pub(super) struct Round {
    pub(super) numbering: Numbering,
    /// The matrices that have it: the side, and the places of the board and of the numbering there.
    pub(super) parts: Vec<(usize, usize, usize)>,
}

/// The rounds of a board: the first of each of its numberings, then the second ones.
pub(super) fn rounds(sides: &[Side<'_>], stage: &Stage) -> Vec<Round> {
    let mut entries: Vec<((usize, usize, usize), &NumberingEntry, u32)> = Vec::new();
    for &(side, board) in &stage.on {
        let matrix = sides[side].matrix;
        let shuffles = matrix.boards[board].shuffles;
        for (place, entry) in matrix.numberings.iter().enumerate() {
            entries.push(((side, board, place), entry, entry.count(shuffles)));
        }
    }
    let most = entries.iter().map(|(.., count)| *count).max().unwrap_or(0);
    let mut rounds = Vec::new();
    for index in 0..most {
        let mut of_index: Vec<Round> = Vec::new();
        for (part, entry, _) in entries.iter().filter(|(.., count)| index < *count) {
            let numbering = entry.numbering(index);
            match of_index.iter_mut().find(|round| round.numbering == numbering) {
                Some(round) => round.parts.push(*part),
                None => of_index.push(Round { numbering, parts: vec![*part] }),
            }
        }
        rounds.extend(of_index);
    }
    rounds
}
