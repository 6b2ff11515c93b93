//! What a solver's re-encoding adds to a formula, and whether it looks beyond single lines.
//!
//! Bounded variable addition puts a new variable y in the place of many pairs: squares a that imply y,
//! and squares b that y excludes, say "a or b, not both" for every a and every b. Where all of these
//! squares are on one line, an encoding of that line could have said so; else the solver has seen what
//! no encoding of single lines can (several rows, columns and diagonals at once).

use std::collections::{BTreeSet, HashMap};

use bezzel_encode::{Images, Lit, Var, VarMap};
use bezzel_problem::{Board, Family, Square};

use crate::model::row::Additions;

/// Collects the clauses that tell what new variables stand for.
pub(super) struct Collector<'a> {
    board: &'a Board,
    /// Variables of this number and beyond are new.
    known: u32,
    /// The squares by the solver's variables for them.
    squares: HashMap<Var, Square>,
    /// Of each literal that is of no square, what implies it.
    implied_by: HashMap<Lit, Vec<Lit>>,
    new: BTreeSet<Var>,
}

impl<'a> Collector<'a> {
    /// For a formula of so many variables; none where squares are not variables of their own.
    pub(super) fn new(
        board: &'a Board,
        map: &VarMap,
        images: &Images,
        variables: u32,
    ) -> Option<Self> {
        let mut squares = HashMap::new();
        for square in board.each_square() {
            let &[lit] = map.cube(board.candidate(square)) else { return None };
            squares.insert(images.of(lit).var(), square);
        }
        let (implied_by, new) = (HashMap::new(), BTreeSet::new());
        Some(Self { board, known: variables, squares, implied_by, new })
    }

    /// Takes a clause of the formula as the solver has it now.
    pub(super) fn clause(&mut self, clause: &[Lit]) {
        let variables = clause.iter().map(|lit| lit.var());
        self.new.extend(variables.filter(|variable| variable.idx32() >= self.known));
        if let &[one, two] = clause {
            for (from, to) in [(!one, two), (!two, one)] {
                if !self.squares.contains_key(&to.var()) {
                    self.implied_by.entry(to).or_default().push(from);
                }
            }
        }
    }

    /// What was added.
    pub(super) fn finish(&self) -> Additions {
        let across = |variable: &&Var| {
            let literals = [variable.pos_lit(), variable.neg_lit()];
            let touched: BTreeSet<Square> =
                literals.into_iter().flat_map(|lit| self.squares_behind(lit)).collect();
            !on_one_line(self.board, &touched)
        };
        Additions {
            variables: self.new.len() as u64,
            across_lines: self.new.iter().filter(across).count() as u64,
        }
    }

    /// The squares that imply a literal, by way of other variables that are no squares too.
    fn squares_behind(&self, lit: Lit) -> BTreeSet<Square> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([lit]);
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            for &from in self.implied_by.get(&lit).into_iter().flatten() {
                if let Some(&square) = self.squares.get(&from.var()) {
                    found.insert(square);
                } else if seen.insert(from) {
                    open.push(from);
                }
            }
        }
        found
    }
}

/// Whether one line holds all of these squares.
fn on_one_line(board: &Board, squares: &BTreeSet<Square>) -> bool {
    let Some(&first) = squares.first() else { return true };
    Family::ALL.into_iter().any(|family| {
        let start = board.line_through(first, family).start();
        squares.iter().all(|&square| board.line_through(square, family).start() == start)
    })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{ClauseSink, Numbering, Tally};

    use super::*;

    fn additions(clauses: &[[Lit; 2]]) -> (u64, u64) {
        let board = Board::new(4).unwrap();
        let mut tally = Tally::new();
        let map = VarMap::one_per_candidate(tally.fresh(16));
        let images = Numbering::AS_GENERATED.images(&board.problem(), 16, &map);
        let mut collector = Collector::new(&board, &map, &images, 16).unwrap();
        for clause in clauses {
            collector.clause(clause);
        }
        let Additions { variables, across_lines } = collector.finish();
        (variables, across_lines)
    }

    /// A queen on this square of a board of side 4, counted from 0.
    fn square(row: u32, column: u32) -> Lit {
        Lit::positive(4 * row + column)
    }

    fn new(number: u32) -> Lit {
        Lit::positive(16 + number)
    }

    #[test]
    fn a_variable_for_squares_of_one_row_stays_in_its_line() {
        let y = new(0);
        let clauses =
            [[!square(0, 0), y], [!square(0, 1), y], [!square(0, 2), !y], [!square(0, 3), !y]];
        assert_eq!(additions(&clauses), (1, 0));
    }

    #[test]
    fn a_variable_for_a_square_and_its_neighbours_in_row_and_column_sees_across() {
        let y = new(0);
        let clauses = [[!square(0, 0), y], [!square(0, 1), !y], [!square(1, 0), !y]];
        assert_eq!(additions(&clauses), (1, 1));
    }

    #[test]
    fn what_stands_behind_other_new_variables_counts() {
        let (y, z) = (new(0), new(1));
        let clauses = [
            [!square(0, 0), z],
            [!square(0, 1), z],
            [!z, y],
            [!square(1, 0), !y],
            [!square(2, 0), !y],
        ];
        // y is implied by z alone, and so by the squares behind z; z is excluded by those behind ¬y.
        assert_eq!(additions(&clauses), (2, 2));
    }

    #[test]
    fn a_formula_without_new_variables_has_no_additions() {
        let clauses = [[!square(0, 0), !square(0, 1)]];
        assert_eq!(additions(&clauses), (0, 0));
    }
}
