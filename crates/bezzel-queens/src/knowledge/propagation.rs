//! Unit propagation of an encoding: the squares of a board that it rules out.
//!
//! The formula is that of the board with its placed pieces as unit clauses and its blocked squares, under the
//! constraints that the encoding states by default, closed under unit propagation. A square is ruled out if a
//! literal of its cube is false; no literal is assumed, which would be probing for failed literals. After a
//! conflict all squares count as ruled out, except those with a piece and blocked ones. These never count as ruled
//! out. The state at the conflict itself is not used, since it depends on the order of propagation.
//!
//! Variables have names. `x(3,4)` is the variable of a square, row and column counted from 1. If squares have several
//! literals, `b(3,1)` is variable number 1 of those that first occur in row 3: in a binary code the first bit. An
//! auxiliary variable is `s17 (rows)`: 17 in a DIMACS file of the formula, made in the section `rows`. Files use the
//! same names with other brackets.

use crate::{Board, Square};
use bezzel_encode::formula_stats::UNNAMED;
use bezzel_encode::propagate::{Propagator, Step};
use bezzel_encode::{ClauseSink, Encoding, Formula, Lit, VarMap, VarRange};
use serde::Serialize;

use super::solutions::{Mark, mark, rows};

/// The effect of unit propagation under an encoding on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropagationView {
    /// The encoding's id.
    pub encoding: String,
    /// A title of a few words.
    pub title: String,
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses.
    pub clauses: usize,
    /// The number of auxiliary variables.
    pub auxiliary: u32,
    /// The state of each square, row after row.
    pub squares: Vec<Vec<SquareState>>,
    /// True if propagation rules the square out, row after row; false if the square has a piece or is blocked.
    pub sees: Vec<Vec<bool>>,
    /// The number of squares in each state.
    pub counts: StateCounts,
    /// True if propagation found a conflict.
    pub conflict: bool,
    /// The first steps of propagation, in their order.
    pub steps: Vec<PropagationStep>,
    /// The number of further steps.
    pub steps_left_out: usize,
}

/// The state of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SquareState {
    /// A piece was placed there.
    Queen,
    /// The square is blocked.
    Blocked,
    /// A placed piece attacks it.
    Attacked,
    /// Propagation rules it out, though no placed piece attacks it.
    Propagated,
    /// No solution uses it, and propagation does not rule it out.
    Diagram,
    /// Some solution uses it, or that is unknown.
    Free,
}

/// Numbers of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateCounts {
    /// Attacked squares.
    pub attacked: usize,
    /// Attacked squares that propagation rules out.
    pub attacked_seen: usize,
    /// Squares that propagation rules out and no piece attacks.
    pub propagated: usize,
    /// Squares that no solution uses and propagation does not rule out; `None` if that is unknown.
    pub diagram: Option<usize>,
}

/// A step of propagation, as names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropagationStep {
    /// The clause: the names of its literals.
    pub clause: Vec<String>,
    /// The section that the clause belongs to.
    pub section: String,
    /// The literal that becomes true; `None` at the conflict, where all literals are false.
    pub gives: Option<String>,
    /// The square that this rules out, if it is exactly one.
    pub square: Option<Square>,
    /// All squares that this rules out: one bit of a code may rule out half a row.
    pub rules_out: Vec<Square>,
}

/// Propagates the formula of the board under the encoding, which fits it. `known` is the mark of each square, row
/// by row, from the solutions. The result contains at most `max_steps` steps.
pub fn propagation_view(
    board: &Board,
    encoding: &dyn Encoding,
    known: &[Mark],
    max_steps: usize,
) -> PropagationView {
    let mut formula = SectionedFormula::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    let mut steps: Vec<Step> = Vec::new();
    let propagator = Propagator::observed(&formula.formula, |step| steps.push(step));
    let conflict = propagator.is_refuted();
    let columns = board.columns();
    let sees = |square: Square| {
        let is_given = matches!(mark(board, square), Some(Mark::Queen | Mark::Blocked));
        let is_false =
            || map.cube(board.candidate(square)).iter().any(|&lit| propagator.fails(lit));
        !is_given && (conflict || is_false())
    };
    let state = |square: Square| match mark(board, square) {
        Some(Mark::Queen) => SquareState::Queen,
        Some(Mark::Blocked) => SquareState::Blocked,
        Some(_) => SquareState::Attacked,
        None if sees(square) => SquareState::Propagated,
        None if known[square.index(columns)] == Mark::Dead => SquareState::Diagram,
        None => SquareState::Free,
    };
    let mut counts = StateCounts::default();
    let mut diagram = 0;
    for square in board.each_square() {
        match state(square) {
            SquareState::Attacked => {
                counts.attacked += 1;
                counts.attacked_seen += usize::from(sees(square));
            }
            SquareState::Propagated => counts.propagated += 1,
            SquareState::Diagram => diagram += 1,
            SquareState::Queen | SquareState::Blocked | SquareState::Free => {}
        }
    }
    counts.diagram = (!known.contains(&Mark::Unknown)).then_some(diagram);
    let info = encoding.info();
    let variables = propagator.variables();
    let steps_left_out = steps.len().saturating_sub(max_steps);
    steps.truncate(max_steps);
    PropagationView {
        encoding: info.id,
        title: info.title,
        variables,
        clauses: formula.clauses,
        auxiliary: variables - map.variables().len() as u32,
        squares: rows(board, state),
        sees: rows(board, sees),
        counts,
        conflict,
        steps: formula.named_steps(&steps, &propagator, board, &map),
        steps_left_out,
    }
}

/// A formula with the section of each clause and each variable.
pub(super) struct SectionedFormula {
    pub(super) formula: Formula,
    clauses: usize,
    /// For each section, the number of its first clause.
    begins: Vec<(String, usize)>,
    fresh_variables: Vec<FreshVariables>,
}

impl ClauseSink for SectionedFormula {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = self.formula.fresh(count);
        self.fresh_variables.push((self.of(self.clauses).to_owned(), range));
        range
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        self.formula.clause(lits);
    }

    fn section(&mut self, name: &str) {
        self.begins.push((name.to_owned(), self.clauses));
    }
}

impl SectionedFormula {
    pub(super) fn new() -> Self {
        let begins = vec![(UNNAMED.to_owned(), 0)];
        Self { formula: Formula::new(), clauses: 0, begins, fresh_variables: Vec::new() }
    }

    /// Returns the section of a clause, or of variables that are made before it.
    fn of(&self, clause: usize) -> &str {
        let after = self.begins.partition_point(|&(_, first)| first <= clause);
        &self.begins[after.saturating_sub(1)].0
    }

    /// Returns the steps as names.
    pub(super) fn named_steps(
        &self,
        steps: &[Step],
        propagator: &Propagator,
        board: &Board,
        map: &VarMap,
    ) -> Vec<PropagationStep> {
        let names = Names::new(board, map, &self.fresh_variables, propagator.variables());
        // For each literal, the squares whose cubes contain its negation.
        let mut against: Vec<Vec<Square>> = vec![Vec::new(); 2 * propagator.variables() as usize];
        for square in board.each_square() {
            for &lit in map.cube(board.candidate(square)) {
                against[(!lit).lidx()].push(square);
            }
        }
        let mut is_out = vec![false; board.squares() as usize];
        let named_step = |step: &Step| {
            let ruled_out = step.gives.map_or(&[][..], |lit| &against[lit.lidx()][..]);
            let is_new = |square: &&Square| {
                !std::mem::replace(&mut is_out[square.index(board.columns())], true)
            };
            let rules_out: Vec<Square> = ruled_out.iter().filter(is_new).copied().collect();
            let clause = propagator.clause(step.clause).iter();
            PropagationStep {
                clause: clause.map(|&lit| names.of(lit).to_owned()).collect(),
                section: self.of(step.clause as usize).to_owned(),
                gives: step.gives.map(|lit| names.of(lit).to_owned()),
                square: if let [one] = rules_out[..] { Some(one) } else { None },
                rules_out,
            }
        };
        steps.iter().map(named_step).collect()
    }
}

/// The names of the literals of a formula.
struct Names {
    /// For each variable, the names of its positive and its negative literal.
    names: Vec<[String; 2]>,
}

/// Variables that a section of a formula made in one call.
type FreshVariables = (String, VarRange);

impl Names {
    /// Returns the names in a formula with this map and these variables.
    fn new(
        board: &Board,
        map: &VarMap,
        fresh_variables: &[FreshVariables],
        variables: u32,
    ) -> Self {
        let mut names = vec![None; variables as usize];
        let mut seen = vec![false; variables as usize];
        // On two columns one variable may represent both squares of a row.
        let direct = board.each_square().all(|square| match *map.cube(board.candidate(square)) {
            [lit] => !std::mem::replace(&mut seen[lit.vidx()], true),
            _ => false,
        });
        let mut of_row = 0;
        for square in board.each_square() {
            of_row = if square.column == 0 { 0 } else { of_row };
            for &lit in map.cube(board.candidate(square)) {
                let name = &mut names[lit.vidx()];
                if name.is_none() {
                    of_row += 1;
                    *name = Some(if direct {
                        both(format!("x({square})"), lit.is_neg())
                    } else {
                        both(format!("b({},{of_row})", square.row + 1), false)
                    });
                }
            }
        }
        for (section, range) in fresh_variables {
            for var in range.vars() {
                let auxiliary = || both(format!("s{} ({section})", var.idx() + 1), false);
                names[var.idx()].get_or_insert_with(auxiliary);
            }
        }
        // A variable that was never made is a fault of the encoder, and still gets a number.
        let number = |(index, name): (usize, Option<[String; 2]>)| {
            name.unwrap_or_else(|| both(format!("s{}", index + 1), false))
        };
        Self { names: names.into_iter().enumerate().map(number).collect() }
    }

    /// Returns the name of a literal.
    fn of(&self, lit: Lit) -> &str {
        &self.names[lit.vidx()][usize::from(lit.is_neg())]
    }
}

/// Returns the names of a variable's literals; `negated` is true if `name` is that of the negative one.
fn both(name: String, negated: bool) -> [String; 2] {
    let negation = format!("¬{name}");
    if negated { [negation, name] } else { [name, negation] }
}
