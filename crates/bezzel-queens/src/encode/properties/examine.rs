//! Examines any formula of a board, from any source.
//!
//! The allowed placements are listed as far as possible in bounded time, and compared with the solutions. Beyond that,
//! right and wrong placements are tried one by one. Every result states its extent.
//!
//! A solver proves the rest, from the opposite of the board's rules: some rule is broken ([`violation`]). Together with a
//! formula of the board, these clauses leave the models that represent no solution. If there is none, the formula allows
//! only solutions: a proof where there are too many to be listed. Each way to break a rule has a variable that implies
//! it: a row without a queen; a line with two, found by a second queen after a first; a given queen that is missing; a
//! queen on a blocked square. One of these variables holds. The opposite direction is not stated, because it is not
//! needed.

use std::collections::HashSet;

use bezzel_encode::properties::meaning::EnumerationBounds;
use bezzel_encode::properties::{Correct, ModelCounts, PropertyFinding};
use bezzel_encode::{ClauseSink, Formula, Lit, Propagation, VarMap};
use serde::Serialize;

use super::case::{Case, ConsequenceRules, MissedConsequence};
use super::correct;
use super::meaning::wrong_placement;
use super::strength::Strength;
use crate::{Board, Family, Piece, Placement, draw, search};

/// The most steps for the list of allowed placements.
const STEPS: u64 = 3_000_000;

/// The most wrong placements that are counted.
const MAX_WRONG: u64 = 10_000;

/// The most partial boards on which missed consequences are searched.
const CASES: usize = 30_000;

/// The findings about a formula of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// The number of variables.
    pub variables: u32,
    /// The number of those that no square's literals name.
    pub auxiliary: u32,
    /// The number of clauses.
    pub clauses: usize,
    /// Clauses that repeat a literal, that are always true, or that repeat an earlier one; variables that no clause
    /// names.
    pub odd: Vec<String>,
    /// The number of the board's solutions; missing where they are too many to be listed.
    pub solutions: Option<u64>,
    /// True if every placement that the formula allows was listed.
    pub listed: bool,
    /// The number of placements that were found to be wrongly allowed, and the first.
    pub wrong: u64,
    /// The number of solutions that were found to be forbidden.
    pub forbidden: u64,
    /// True if a solver has shown that only solutions are allowed, by the [`violation`] of the rules;
    /// none if no solver ran, or it gave up.
    pub proved: Option<bool>,
    /// Placements that were tried one by one, where not all could be listed.
    pub sampled: Correct,
    /// The first placements that are wrongly allowed or forbidden.
    pub faults: Vec<PropertyFinding>,
    /// The least effect of one queen on one attacked square; missing where the board is
    /// too large to try all.
    pub one_queen: Option<Propagation>,
    /// A queen and an attacked square that propagation does not exclude.
    pub attack_missed: Option<PropertyFinding>,
    /// A missed consequence of single lines.
    pub by_lines: Option<MissedConsequence>,
    /// A missed consequence of all rules together.
    pub by_rules: Option<MissedConsequence>,
    /// The share of the consequences that is found, on some partial boards.
    pub strength: Option<Strength>,
    /// Models and solutions of the formula.
    pub models: Option<ModelCounts>,
}

impl Examination {
    /// True if no wrong placement and no missing one was found.
    pub fn is_right(&self) -> bool {
        self.faults.is_empty()
    }

    /// Takes the result of a solver for the formula with the [`violation`] of the rules: none, or a
    /// placement that is wrongly allowed.
    pub fn prove(&mut self, board: &Board, wrong: Option<&Placement>) {
        self.proved = Some(wrong.is_none());
        if let Some(placement) = wrong
            && self.wrong == 0
        {
            self.wrong = 1;
            self.faults.push(correct::on_board(board, wrong_placement(board, placement, true)));
        }
    }
}

/// Examines a formula of the board, whose variables have the meaning of the map. `observe` gets the name of each step
/// before it begins.
pub fn examine(
    formula: Formula,
    map: VarMap,
    board: &Board,
    mut observe: impl FnMut(&'static str),
) -> Examination {
    let primary: HashSet<_> = map.variables().into_iter().collect();
    let is_small = board.squares() <= 128;
    let is_listed = can_be_listed(board);
    let mut examination = Examination {
        variables: formula.variables(),
        auxiliary: formula.variables().saturating_sub(primary.len() as u32),
        clauses: formula.len(),
        odd: odd(&formula),
        ..Examination::default()
    };
    let mut case = Case::of(formula, map, board);
    if is_listed {
        observe("what it allows is listed");
        let bounds =
            EnumerationBounds { models: 1, steps: STEPS, wrong: MAX_WRONG, until_several: false };
        let compared = case.meaning(&search::solutions(board), bounds);
        examination.solutions = Some(compared.right);
        examination.listed = compared.finished;
        examination.wrong = compared.wrong;
        examination.forbidden = compared.missing;
        let faults = [(compared.first_wrong, true), (compared.first_missing, false)];
        let faults = faults.into_iter().filter_map(|(it, is_allowed)| Some((it?, is_allowed)));
        let faults = faults.map(|(it, is_allowed)| wrong_placement(board, &it, is_allowed));
        examination.faults = faults.map(|fault| correct::on_board(board, fault)).collect();
    }
    if !examination.listed {
        observe("placements are tried");
        correct::sample(&mut case.subject, board, 100, 1848, &mut examination.sampled);
        examination.faults.extend(examination.sampled.wrong.take());
    }
    if board.squares() <= 3600 {
        observe("unit propagation from one queen");
        let (level, pair) = case.one_queen();
        examination.one_queen = Some(level);
        examination.attack_missed = pair.map(|(queen, attacked)| {
            let drawing = draw::attack(board, queen, attacked);
            let what = format!(
                "a queen on {queen} attacks {attacked}, and unit propagation does not rule it out"
            );
            PropertyFinding { what, drawing }
        });
    }
    if is_small {
        observe("unit propagation line by line");
        examination.by_lines = Some(case.gap(ConsequenceRules::LineByLine, CASES));
    }
    if is_listed {
        observe("unit propagation by all rules together");
        examination.by_rules = Some(case.gap(ConsequenceRules::ByAllRules, CASES));
        examination.strength = Some(case.sampled_strength());
        observe("models are counted");
        examination.models = Some(case.models());
    }
    examination
}

/// True if the solutions of a board are few enough to be listed: an empty plane of 10 rows and 12 columns has hundreds
/// of thousands.
pub fn can_be_listed(board: &Board) -> bool {
    let max = match board.piece() {
        Piece::Queen => 11,
        Piece::Rook => 7,
    };
    let is_few = board.is_square() || board.squares() <= 100;
    is_few && board.squares() <= 128 && board.rows() <= max && board.columns() <= board.rows() + 2
}

/// Oddities of the clauses, which need not be wrong.
fn odd(formula: &Formula) -> Vec<String> {
    let (mut repeating, mut always_true, mut again, mut empty) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut named = vec![false; formula.variables() as usize];
    let mut seen = HashSet::new();
    for clause in formula.clauses() {
        let mut sorted = clause.to_vec();
        sorted.sort_unstable();
        empty += u64::from(sorted.is_empty());
        repeating += u64::from(sorted.windows(2).any(|pair| pair[0] == pair[1]));
        always_true += u64::from(sorted.windows(2).any(|pair| pair[0] == !pair[1]));
        for lit in clause {
            if let Some(named) = named.get_mut(lit.vidx()) {
                *named = true;
            }
        }
        sorted.dedup();
        again += u64::from(!seen.insert(sorted));
    }
    let unnamed = named.iter().filter(|&&named| !named).count() as u64;
    let counts = [
        (empty, "empty clauses, which nothing satisfies"),
        (repeating, "clauses that repeat a literal"),
        (always_true, "clauses that are always true"),
        (again, "clauses that stand there before"),
        (unnamed, "variables that no clause names, each free to be true or false"),
    ];
    counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{what}: {count}"))
        .collect()
}

/// Writes to `out`, after the formula with this map, that some rule of the board is broken.
pub fn violation(board: &Board, map: &VarMap, out: &mut dyn ClauseSink) {
    let mut ways: Vec<Lit> = Vec::new();
    for family in board.families() {
        for line in board.lines(*family) {
            let squares: Vec<_> = line.collect();
            if *family == Family::Rows {
                let none = fresh(out);
                for &square in &squares {
                    without(none, map.cube(board.candidate(square)), out);
                }
                ways.push(none);
            }
            // True if a queen stands on the line up to here.
            let mut before: Option<Lit> = None;
            for &square in &squares {
                let here = fresh(out);
                with(here, map.cube(board.candidate(square)), out);
                let until = fresh(out);
                match before {
                    None => out.clause(&[!until, here]),
                    Some(before) => {
                        let second = fresh(out);
                        out.clause(&[!second, here]);
                        out.clause(&[!second, before]);
                        ways.push(second);
                        out.clause(&[!until, here, before]);
                    }
                }
                before = Some(until);
            }
        }
    }
    for &square in board.placed() {
        let missing = fresh(out);
        without(missing, map.cube(board.candidate(square)), out);
        ways.push(missing);
    }
    for &square in board.blocked() {
        let there = fresh(out);
        with(there, map.cube(board.candidate(square)), out);
        ways.push(there);
    }
    out.clause(&ways);
}

fn fresh(out: &mut dyn ClauseSink) -> Lit {
    out.fresh(1).lit(0)
}

/// `way` implies that a queen stands on the square of this cube.
fn with(way: Lit, cube: &[Lit], out: &mut dyn ClauseSink) {
    for &lit in cube {
        out.clause(&[!way, lit]);
    }
}

/// `way` implies that no queen stands on the square of this cube.
fn without(way: Lit, cube: &[Lit], out: &mut dyn ClauseSink) {
    let clause: Vec<Lit> = std::iter::once(!way).chain(cube.iter().map(|&lit| !lit)).collect();
    out.clause(&clause);
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Constraints, Registry};

    use super::*;
    use crate::encode::{placements, register};
    use crate::{Geometry, Square};

    /// The formula of an encoding without one of its clauses, and the meaning of its variables.
    fn cut(board: &Board, id: &str, leave_out: Option<usize>) -> (Formula, VarMap) {
        let encoding = register(Registry::standard())
            .find(id)
            .unwrap()
            .with_settings(Constraints::NoColumnAlo);
        let mut whole = Formula::new();
        let map = encoding.encode(&board.problem(), &mut whole);
        let mut formula = Formula::new();
        formula.fresh(whole.variables());
        for (number, clause) in whole.clauses().enumerate() {
            if Some(number) != leave_out {
                formula.clause(clause);
            }
        }
        (formula, map)
    }

    /// The number of placements that break a rule, and of wrong ones that are allowed.
    fn left(board: &Board, id: &str, leave_out: Option<usize>) -> (usize, usize) {
        let (mut formula, map) = cut(board, id, leave_out);
        let allowed = placements(&formula, board, &map, 1);
        let wrong = allowed.iter().filter(|(placement, _)| placement.judge(board).is_err()).count();
        violation(board, &map, &mut formula);
        (placements(&formula, board, &map, 1).len(), wrong)
    }

    #[test]
    fn exactly_the_wrongly_allowed_placements_break_a_rule() {
        let boards = [
            Board::new(4).unwrap(),
            Board::new(3).unwrap().with_geometry(Geometry::Torus),
            Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap(),
            Board::new(4).unwrap().with_blocked([Square::new(0, 2)]).unwrap(),
        ];
        for id in ["pairwise", "binary", "order"] {
            let mut max = 0;
            for board in &boards {
                assert_eq!(left(board, id, None), (0, 0), "{id} on {board}");
                let (whole, _) = cut(board, id, None);
                for number in 0..whole.len() {
                    let (left, wrong) = left(board, id, Some(number));
                    assert_eq!(left, wrong, "{id} on {board} without clause {number}");
                    max = max.max(wrong);
                }
            }
            assert!(max > 0, "{id}: some clause is needed somewhere");
        }
    }
}
