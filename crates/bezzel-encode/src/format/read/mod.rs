//! Reads formulas and answers, of this program or of others.
//!
//! Every error has a line and a column, so that users can find the fault in the file. Memory is bounded by the limits
//! of this module, for any number in the header. Text that is not understood is refused, never guessed.

use std::io::Read;

use bezzel_problem::file::{FormulaVisitor, read_formula};
use bezzel_problem::{FileError, Literal, Position};
use rustsat::types::Lit;

use crate::formula::Formula;
use crate::sink::ClauseSink;

mod answer;
mod decode;
mod notes;
#[cfg(test)]
mod tests;

pub use answer::{
    AnswerForm, MAX_LINE, MAX_VALUES, ProgramAnswer, ReadAnswer, ReadModel, SolverVerdict, answer,
    program_answer,
};
pub use notes::{FormulaComments, MAX_NOTES, notes, square_named};

/// The most literals that are read, in all clauses together, and the most clauses: 1 GiB of memory.
pub const MAX_LITERALS: u64 = 1 << 28;

/// A formula from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadFormula {
    /// The clauses, in the order of the file, over the number of variables in the header.
    pub formula: Formula,
    /// The content of the comments.
    pub notes: FormulaComments,
}

/// Reads a DIMACS CNF file to its end.
///
/// Comments are lines that begin with `c`, anywhere in the file. The header `p cnf VARIABLES CLAUSES` occurs once,
/// before the clauses, and must be right: no literal beyond the variables, as many clauses as stated, each ended by 0.
/// The clauses may be followed by the lines `%` and `0`, as in files of SATLIB.
///
/// # Errors
///
/// The first fault of the text, or a number that exceeds [`MAX_LITERALS`].
pub fn dimacs(from: &mut dyn Read) -> Result<ReadFormula, FileError> {
    let mut reader =
        FormulaReader { read: ReadFormula::default(), clause: Vec::new(), literals: 0, clauses: 0 };
    let variables = read_formula(from, &mut reader)?;
    let mut read = reader.read;
    read.formula.fresh(variables);
    read.notes.finish();
    Ok(read)
}

struct FormulaReader {
    read: ReadFormula,
    clause: Vec<Lit>,
    literals: u64,
    clauses: u64,
}

impl FormulaVisitor for FormulaReader {
    fn comment(&mut self, text: &str, position: Position) -> Result<(), FileError> {
        self.read.notes.take(text, position)
    }

    fn clause(&mut self, literals: &[Literal], position: Position) -> Result<(), FileError> {
        self.literals += literals.len() as u64;
        self.clauses += 1;
        if self.literals.max(self.clauses) > MAX_LITERALS {
            let message =
                format!("more than {MAX_LITERALS} literals or clauses, the most that are read");
            return Err(FileError::at(position, message));
        }
        self.clause.clear();
        let lit = |literal: &Literal| Lit::new(literal.candidate(), literal.is_negated());
        self.clause.extend(literals.iter().map(lit));
        self.read.formula.clause(&self.clause);
        Ok(())
    }
}
