//! A matrix made ready for planning, and the rounds in which its cells come.

use std::collections::HashMap;

use bezzel_encode::Numbering;
use bezzel_problem::{Board, Instance};

use super::cell::{Cell, Wanted};
use crate::backend::Reads;
use crate::config::{Arm, Exclusion, Matrix};

/// A matrix with what planning finds out about it.
pub(super) struct Side<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) wanted: Vec<Wanted<'a>>,
    pub(super) exclude: &'a [Exclusion],
    /// What is known of each arm of the matrix.
    pub(super) arms: Vec<Known>,
    /// For each board the cells of all encodings that are needed there.
    pub(super) cells: Vec<Vec<Option<Cell>>>,
}

/// What planning finds out about a solver or an engine.
pub(super) struct Known {
    pub(super) version: String,
    /// What it is called in the plan.
    pub(super) label: String,
}

/// The places of one board: for each side that has it, the index of the side and of the board in it.
pub(super) type Stage = Vec<(usize, usize)>;

/// All boards, small ones first.
pub(super) fn stages(sides: &[Side<'_>]) -> Vec<Stage> {
    let mut all: Vec<(&Instance, usize, usize)> = Vec::new();
    for (side, Side { matrix, .. }) in sides.iter().enumerate() {
        let boards = matrix.instances.iter().enumerate();
        all.extend(boards.map(|(board, entry)| (&entry.instance, side, board)));
    }
    all.sort_by_key(|(instance, ..)| (instance.size(), instance.board().map_or(0, Board::columns)));
    let mut stages: Vec<Stage> = Vec::new();
    let mut known: HashMap<&Instance, usize> = HashMap::new();
    for (board, side, place) in all {
        let stage = *known.entry(board).or_insert_with(|| {
            stages.push(Stage::new());
            stages.len() - 1
        });
        stages[stage].push((side, place));
    }
    stages
}

/// One numbering, under which every encoding meets every solver and engine.
pub(super) struct Round {
    pub(super) numbering: Numbering,
    /// The matrices that have it.
    pub(super) parts: Vec<Part>,
}

/// What a matrix has in a round.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) side: usize,
    /// The place of the board in it.
    pub(super) board: usize,
    /// The place of the numbering; none for what reads no numbering, and is there once.
    pub(super) numbering: Option<usize>,
}

/// The rounds of a board: the first of each of its numberings, then the second ones. What reads no
/// numbering is there as the formulas are generated.
pub(super) fn rounds(sides: &[Side<'_>], stage: &[(usize, usize)]) -> Vec<Round> {
    let mut entries: Vec<(Part, u32)> = Vec::new();
    for &(side, board) in stage {
        let of = &sides[side];
        let shuffles = of.matrix.instances[board].shuffles;
        let of = |reads_clauses: bool| {
            let reads = |arm: &&Arm| (arm.reads == Reads::Clauses) == reads_clauses;
            let arm = of.matrix.arms.iter().find(reads);
            arm.into_iter().flat_map(move |arm| of.numberings(arm, shuffles))
        };
        let part = |(numbering, count)| (Part { side, board, numbering }, count);
        entries.extend(of(true).chain(of(false)).map(part));
    }
    let most = entries.iter().map(|(.., count)| *count).max().unwrap_or(0);
    let mut rounds = Vec::new();
    for index in 0..most {
        let mut of_index: Vec<Round> = Vec::new();
        for (part, _) in entries.iter().filter(|(.., count)| index < *count) {
            let read = part.numbering.map(|place| &sides[part.side].matrix.numberings[place]);
            let numbering =
                read.map_or(Numbering::AS_GENERATED, |numbering| numbering.numbering(index));
            match of_index.iter_mut().find(|round| round.numbering == numbering) {
                Some(round) => round.parts.push(*part),
                None => of_index.push(Round { numbering, parts: vec![*part] }),
            }
        }
        rounds.extend(of_index);
    }
    rounds
}
