//! Decodes answers to squares of a grid, or to candidates.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bezzel_problem::{FileError, Solution, Square};
use rustsat::types::{Lit, Var};

use super::answer::{ReadAnswer, Variable, VariableValue};
use super::notes::{FormulaComments, square_named};

impl ReadAnswer {
    /// The squares of a grid that the answer chooses. Variables that are not mentioned are false.
    ///
    /// If all variables have names of squares, as in SMT-LIB files and in lists of names, the names suffice. Otherwise
    /// `notes` must be those of the solved file, with the meaning of its numbers and names.
    ///
    /// # Errors
    ///
    /// The place of a value without a meaning, or of one that contradicts another one.
    pub fn decode_squares(
        &self,
        notes: Option<&FormulaComments>,
    ) -> Result<BTreeSet<Square>, FileError> {
        let is_known = |value: &VariableValue| match &value.variable {
            Variable::Numbered(_) => false,
            Variable::Named(name) => is_auxiliary(name) || square_named(plain(name).0).is_some(),
        };
        match notes {
            Some(notes) if self.values.is_empty() || !self.values.iter().all(is_known) => {
                self.by_notes(notes)
            }
            _ => self.by_names(),
        }
    }

    /// The chosen squares of an answer that names squares.
    fn by_names(&self) -> Result<BTreeSet<Square>, FileError> {
        let mut squares: BTreeMap<Square, bool> = BTreeMap::new();
        for VariableValue { variable, holds, place, .. } in &self.values {
            let Variable::Named(name) = variable else {
                return Err(FileError::at(
                    *place,
                    "a number means nothing without the file that numbers the variables: give it \
                     by --cnf FILE",
                ));
            };
            let (name, holds) = (plain(name).0, plain(name).1 == *holds);
            let Some(square) = square_named(name) else {
                if is_auxiliary(name) {
                    continue;
                }
                return Err(FileError::at(
                    *place,
                    format!(
                        "`{name}` is neither a value nor the name of a square: squares are called \
                     `q_3_12`, `x_{{3,12}}` or `3,12`; other names need the file that was solved, \
                     by --cnf FILE"
                    ),
                ));
            };
            if squares.insert(square, holds).is_some_and(|before| before != holds) {
                return Err(FileError::at(*place, format!("`{name}` is both true and false")));
            }
        }
        Ok(squares.into_iter().filter_map(|(square, holds)| holds.then_some(square)).collect())
    }

    /// The chosen squares of an answer to the formula of the file with these notes.
    fn by_notes(&self, notes: &FormulaComments) -> Result<BTreeSet<Square>, FileError> {
        let values = self.values(notes)?;
        let squares = notes.squares.iter().filter(|(_, cube)| all_hold(&values, cube));
        Ok(squares.map(|(&square, _)| square).collect())
    }

    /// The chosen candidates of an answer to the formula of the file with these notes.
    ///
    /// # Errors
    ///
    /// The place of a value without a meaning, or of one that contradicts another one.
    pub fn decode_candidates(&self, notes: &FormulaComments) -> Result<Solution, FileError> {
        let values = self.values(notes)?;
        let chosen = notes.candidates.iter().filter(|(_, cube)| all_hold(&values, cube));
        Ok(chosen.map(|(&candidate, _)| candidate).collect())
    }

    /// The chosen candidates of an answer in which variable 1 is candidate 0, and so on.
    ///
    /// # Errors
    ///
    /// As [`decode_candidates`](Self::decode_candidates); and the place of a variable above `candidates`.
    pub fn decode_variables(&self, candidates: u32) -> Result<Solution, FileError> {
        for VariableValue { variable, place, .. } in &self.values {
            if let Variable::Numbered(lit) = variable
                && lit.vidx32() >= candidates
            {
                let number = lit.vidx() + 1;
                return Err(FileError::at(
                    *place,
                    format!(
                        "variable {number} is above {candidates}, the number of variables: an answer to an \
                     encoded formula needs that formula, by --cnf FILE"
                    ),
                ));
            }
        }
        let values = self.values(&FormulaComments::default())?;
        Ok(values.into_iter().filter_map(|(var, holds)| holds.then_some(var.idx32())).collect())
    }

    /// The candidates that the answer chooses, where each has a name. A number without the letter x is that of a
    /// candidate, from 1. Candidates that are not mentioned are not chosen.
    ///
    /// # Errors
    ///
    /// The place of a name or a number that no candidate has, or of a value that contradicts another one.
    pub fn decode_names(&self, names: &HashMap<String, u32>) -> Result<Solution, FileError> {
        let mut values: BTreeMap<u32, bool> = BTreeMap::new();
        for VariableValue { variable, holds, has_letter, place } in &self.values {
            let spelled = match variable {
                Variable::Numbered(lit) if !has_letter => (lit.vidx() + 1).to_string(),
                Variable::Numbered(lit) => format!("x{}", lit.vidx() + 1),
                Variable::Named(name) => name.clone(),
            };
            let found = match variable {
                Variable::Numbered(lit) if !has_letter => {
                    Some(lit.vidx32()).filter(|&number| (number as usize) < names.len())
                }
                _ => names.get(&spelled).copied(),
            };
            let Some(candidate) = found else {
                return Err(FileError::at(
                    *place,
                    format!("`{spelled}` is no variable of the file"),
                ));
            };
            if values.insert(candidate, *holds).is_some_and(|before| before != *holds) {
                return Err(FileError::at(*place, format!("`{spelled}` is both true and false")));
            }
        }
        Ok(values.into_iter().filter_map(|(candidate, holds)| holds.then_some(candidate)).collect())
    }

    /// The values of the variables of the file with these notes.
    fn values(&self, notes: &FormulaComments) -> Result<HashMap<Var, bool>, FileError> {
        let mut values: HashMap<Var, bool> = HashMap::new();
        for VariableValue { variable, holds, place, .. } in &self.values {
            let lit = match variable {
                Variable::Numbered(lit) => *lit,
                Variable::Named(name) => match (plain(name), notes.names.get(plain(name).0)) {
                    ((_, true), Some(&lit)) => lit,
                    ((_, false), Some(&lit)) => !lit,
                    (_, None) if is_auxiliary(name) => continue,
                    (_, None) => {
                        let what =
                            "is neither a value nor a name that the comments of the file give";
                        return Err(FileError::at(*place, format!("`{name}` {what}")));
                    }
                },
            };
            let holds = lit.is_pos() == *holds;
            if values.insert(lit.var(), holds).is_some_and(|before| before != holds) {
                let number = lit.vidx() + 1;
                return Err(FileError::at(
                    *place,
                    format!("the variable {number} is both true and false"),
                ));
            }
        }
        // A list of names contains the true variables: names of negations in it make variables false.
        if self.values.iter().all(|value| matches!(value.variable, Variable::Named(_))) {
            for lit in notes.names.values() {
                values.entry(lit.var()).or_insert(lit.is_neg());
            }
        }
        Ok(values)
    }
}

/// True if all literals of a cube hold. A variable without a value is false.
fn all_hold(values: &HashMap<Var, bool>, cube: &[Lit]) -> bool {
    cube.iter().all(|lit| values.get(&lit.var()).copied().unwrap_or(false) == lit.is_pos())
}

/// A name without the `not_` of negations in SMT-LIB files, and true if it had none.
fn plain(name: &str) -> (&str, bool) {
    name.strip_prefix("not_").map_or((name, true), |name| (name, false))
}

/// True if this is a name of an auxiliary variable in SMT-LIB files: `a_17`, `a17`.
fn is_auxiliary(name: &str) -> bool {
    let number = name.strip_prefix("a_").or_else(|| name.strip_prefix('a')).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
