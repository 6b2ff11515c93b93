//! Examines any formula of a board, from any source.
//!
//! The allowed placements are listed as far as possible in bounded time, and compared with the solutions. Beyond that,
//! right and wrong placements are tried one by one. Every result states its extent.

use std::collections::HashSet;

use bezzel_problem::queens::{draw, search};
use bezzel_problem::{Board, Piece, Placement};
use serde::Serialize;

use super::super::PropertyFinding;
use super::super::meaning::{Bounds, wrong_placement};
use super::case::{Case, ConsequenceRules, MissedConsequence};
use super::correct::{self, Correct};
use super::models::ModelCounts;
use super::strength::Strength;
use crate::formula::Formula;
use crate::info::Propagation;
use crate::var_map::VarMap;

/// The most steps for the list of allowed placements.
const STEPS: u64 = 3_000_000;

/// The most wrong placements that are counted.
const MAX_WRONG: u64 = 10_000;

/// The most partial boards on which missed consequences are searched.
const CASES: usize = 30_000;

/// The findings about a formula of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    /// True if a solver has shown that only solutions are allowed, by the [`violation`](super::violation) of the rules;
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

    /// Takes the result of a solver for the formula with the [`violation`](super::violation) of the rules: none, or a
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
        solutions: None,
        listed: false,
        wrong: 0,
        forbidden: 0,
        proved: None,
        sampled: Correct::default(),
        faults: Vec::new(),
        one_queen: None,
        attack_missed: None,
        by_lines: None,
        by_rules: None,
        strength: None,
        models: None,
    };
    let mut case = Case::of(formula, map, board);
    if is_listed {
        observe("what it allows is listed");
        let bounds = Bounds { models: 1, steps: STEPS, wrong: MAX_WRONG, until_several: false };
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
