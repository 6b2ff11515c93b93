//! A board through the eyes of an encoding: what its unit propagation rules out.
//!
//! The formula is that of the board with its placed pieces as unit clauses and its blocked squares,
//! under the constraints that the encoding states by default, closed under unit propagation. A square is
//! ruled out if a literal of its cube is false; nothing is assumed to see whether that would be
//! refuted, which would be probing for failed literals. After a conflict every square without a
//! piece is: how far propagation came until then is a matter of order.

use bezzel_encode::propagate::{Propagator, Step};
use bezzel_encode::tally::UNNAMED;
use bezzel_encode::{ClauseSink, Encoding, Formula, Lit, VarMap, VarRange};
use bezzel_problem::{Board, Square};
use serde::Serialize;

use super::names::{Made, Names};
use super::squares::{Mark, mark, rows};

/// What an encoding sees of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Eyes {
    /// The encoding's id.
    pub encoding: String,
    /// What it is, in a few words.
    pub title: String,
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses.
    pub clauses: usize,
    /// How many of the variables are auxiliary.
    pub auxiliary: u32,
    /// What there is to see on each square, row after row.
    pub squares: Vec<Vec<Sight>>,
    /// Whether propagation rules the square out, row after row.
    pub sees: Vec<Vec<bool>>,
    /// How many squares there are of each kind.
    pub counts: Counts,
    /// Whether propagation came to a conflict.
    pub conflict: bool,
    /// The steps of propagation in their order, the first ones of them.
    pub steps: Vec<Told>,
    /// How many more there are.
    pub steps_left_out: usize,
}

/// What there is to see on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// A piece was placed there.
    Queen,
    /// It must stay empty.
    Blocked,
    /// It is in line with a placed piece.
    Attacked,
    /// Propagation rules it out, though nothing placed attacks it.
    Propagated,
    /// No solution uses it, and propagation does not see that.
    Diagram,
    /// Some solution uses it, or nobody knows.
    Free,
}

/// Numbers of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Attacked ones.
    pub attacked: usize,
    /// Those of them that propagation rules out.
    pub attacked_seen: usize,
    /// Those that propagation rules out and nothing attacks.
    pub propagated: usize,
    /// Those that no solution uses and propagation does not see; `None` if that is not known.
    pub diagram: Option<usize>,
}

/// A step of propagation, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The clause: the names of its literals.
    pub clause: Vec<String>,
    /// The section that the clause belongs to.
    pub section: String,
    /// The literal that comes to hold; none where all were false, the conflict.
    pub gives: Option<String>,
    /// The square that this rules out, if it is one.
    pub square: Option<Square>,
    /// All squares that this rules out: one bit of a code may rule out half a row.
    pub rules_out: Vec<Square>,
}

/// Looks at the board through the encoding, which fits it. `known` has the mark of each square, row by
/// row, as the solutions say it. No more than `most_steps` of the steps are told.
pub fn look(board: &Board, encoding: &dyn Encoding, known: &[Mark], most_steps: usize) -> Eyes {
    let mut formula = Sectioned::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    let mut taken: Vec<Step> = Vec::new();
    let propagator = Propagator::observed(&formula.formula, |step| taken.push(step));
    let conflict = propagator.is_refuted();
    let columns = board.columns();
    let sees = |square: Square| {
        let is_false = map.cube(board.candidate(square)).iter().any(|&lit| propagator.fails(lit));
        is_false || (conflict && !board.placed().contains(&square))
    };
    let sight = |square: Square| match mark(board, square) {
        Some(Mark::Queen) => Sight::Queen,
        Some(Mark::Blocked) => Sight::Blocked,
        Some(_) => Sight::Attacked,
        None if sees(square) => Sight::Propagated,
        None if known[square.index(columns)] == Mark::Dead => Sight::Diagram,
        None => Sight::Free,
    };
    let mut counts = Counts::default();
    let mut diagram = 0;
    for square in board.each_square() {
        match sight(square) {
            Sight::Attacked => {
                counts.attacked += 1;
                counts.attacked_seen += usize::from(sees(square));
            }
            Sight::Propagated => counts.propagated += 1,
            Sight::Diagram => diagram += 1,
            Sight::Queen | Sight::Blocked | Sight::Free => {}
        }
    }
    counts.diagram = (!known.contains(&Mark::Unknown)).then_some(diagram);
    let card = encoding.card();
    let variables = propagator.variables();
    let steps_left_out = taken.len().saturating_sub(most_steps);
    taken.truncate(most_steps);
    Eyes {
        encoding: card.id,
        title: card.title,
        variables,
        clauses: formula.clauses,
        auxiliary: variables - map.variables().len() as u32,
        squares: rows(board, sight),
        sees: rows(board, sees),
        counts,
        conflict,
        steps: formula.told(&taken, &propagator, board, &map),
        steps_left_out,
    }
}

/// A formula that knows which section each clause and each variable belongs to.
struct Sectioned {
    formula: Formula,
    clauses: usize,
    /// For each section that was begun, the number of its first clause.
    begins: Vec<(String, usize)>,
    made: Vec<Made>,
}

impl ClauseSink for Sectioned {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = self.formula.fresh(count);
        self.made.push((self.of(self.clauses).to_owned(), range));
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

impl Sectioned {
    fn new() -> Self {
        let begins = vec![(UNNAMED.to_owned(), 0)];
        Self { formula: Formula::new(), clauses: 0, begins, made: Vec::new() }
    }

    /// The section of a clause, or of what is made before it.
    fn of(&self, clause: usize) -> &str {
        let after = self.begins.partition_point(|&(_, first)| first <= clause);
        &self.begins[after.saturating_sub(1)].0
    }

    /// Steps in words.
    fn told(
        &self,
        steps: &[Step],
        propagator: &Propagator,
        board: &Board,
        map: &VarMap,
    ) -> Vec<Told> {
        let names = Names::new(board, map, &self.made, propagator.variables());
        // For each literal, the squares whose cubes have its negation.
        let mut against: Vec<Vec<Square>> = vec![Vec::new(); 2 * propagator.variables() as usize];
        for square in board.each_square() {
            for &lit in map.cube(board.candidate(square)) {
                against[(!lit).lidx()].push(square);
            }
        }
        let mut is_out = vec![false; board.squares() as usize];
        let tell = |step: &Step| {
            let ruled_out = step.gives.map_or(&[][..], |lit| &against[lit.lidx()][..]);
            let is_new = |square: &&Square| {
                !std::mem::replace(&mut is_out[square.index(board.columns())], true)
            };
            let rules_out: Vec<Square> = ruled_out.iter().filter(is_new).copied().collect();
            let clause = propagator.clause(step.clause).iter();
            Told {
                clause: clause.map(|&lit| names.of(lit).to_owned()).collect(),
                section: self.of(step.clause as usize).to_owned(),
                gives: step.gives.map(|lit| names.of(lit).to_owned()),
                square: if let [one] = rules_out[..] { Some(one) } else { None },
                rules_out,
            }
        };
        steps.iter().map(tell).collect()
    }
}
