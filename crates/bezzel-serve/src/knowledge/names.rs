//! The names of the variables of a formula.
//!
//! `x(3,4)` is the variable of a square, row and column counted from 1. If squares have several literals, `b(3,1)`
//! is variable number 1 of those that first occur in row 3: in a binary code the first bit. An auxiliary variable
//! is `s17 (rows)`: 17 in a DIMACS file of the formula, made in the section `rows`. Files use the same names with
//! other brackets.

use bezzel_encode::{Lit, VarMap, VarRange};
use bezzel_problem::Board;

/// The names of the literals of a formula.
pub(super) struct Names {
    /// For each variable, the names of its positive and its negative literal.
    names: Vec<[String; 2]>,
}

/// Variables that a section of a formula made in one call.
pub(super) type FreshVariables = (String, VarRange);

impl Names {
    /// Returns the names in a formula with this map and these variables.
    pub(super) fn new(
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
    pub(super) fn of(&self, lit: Lit) -> &str {
        &self.names[lit.vidx()][usize::from(lit.is_neg())]
    }
}

/// Returns the names of a variable's literals; `negated` is true if `name` is that of the negative one.
fn both(name: String, negated: bool) -> [String; 2] {
    let negation = format!("¬{name}");
    if negated { [negation, name] } else { [name, negation] }
}
