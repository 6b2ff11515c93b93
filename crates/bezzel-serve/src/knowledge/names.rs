//! What the variables of a formula are called.
//!
//! `x(3,4)` is the variable of a square, row and column counted from 1. Where squares have several
//! literals, `b(3,1)` is variable number 1 of those that row 3 brings in: of a binary code the first
//! bit. An auxiliary variable is `s17 (rows)`: 17 in a DIMACS file of the formula, made in the section
//! `rows`. These are the names that files have, with other brackets.

use bezzel_encode::{Lit, VarMap, VarRange};
use bezzel_problem::Board;

/// The names of the literals of a formula.
pub(super) struct Names {
    /// For each variable, the name of its positive literal, and that of its negative one.
    names: Vec<[String; 2]>,
}

/// The variables that one section of a formula made at a time.
pub(super) type Made = (String, VarRange);

impl Names {
    /// The names in a formula with this map, whose variables were made so.
    pub(super) fn new(board: &Board, map: &VarMap, made: &[Made], variables: u32) -> Self {
        let mut names = vec![None; variables as usize];
        let mut seen = vec![false; variables as usize];
        // On two columns a row may have one variable for both of its squares.
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
        for (section, range) in made {
            for var in range.vars() {
                let auxiliary = || both(format!("s{} ({section})", var.idx() + 1), false);
                names[var.idx()].get_or_insert_with(auxiliary);
            }
        }
        // A variable that was never made is the encoder's fault, and has a number all the same.
        let number = |(index, name): (usize, Option<[String; 2]>)| {
            name.unwrap_or_else(|| both(format!("s{}", index + 1), false))
        };
        Self { names: names.into_iter().enumerate().map(number).collect() }
    }

    /// The name of a literal.
    pub(super) fn of(&self, lit: Lit) -> &str {
        &self.names[lit.vidx()][usize::from(lit.is_neg())]
    }
}

/// The names of a variable's literals; `negated` if the name is that of the negative one.
fn both(name: String, negated: bool) -> [String; 2] {
    let negation = format!("¬{name}");
    if negated { [negation, name] } else { [name, negation] }
}
