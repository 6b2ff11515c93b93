//! From an answer back to a board.

use std::collections::{BTreeMap, HashMap};

use bezzel_problem::{Placement, Square};
use rustsat::types::{Lit, Var};

use super::ReadError;
use super::answer::{ReadAnswer, Value, Variable};
use super::notes::{Notes, square_named};

impl ReadAnswer {
    /// The queens that the answer places. What it does not mention is false.
    ///
    /// Where all variables are called after squares, as in SMT-LIB files and in lists of names, they
    /// say it themselves. Else `notes` must be those of the file that was solved, and say what its
    /// numbers and names mean.
    ///
    /// # Errors
    ///
    /// The place of a value that means nothing, or contradicts another one.
    pub fn decode(&self, notes: Option<&Notes>) -> Result<Placement, ReadError> {
        let speaks = |value: &Value| match &value.variable {
            Variable::Numbered(_) => false,
            Variable::Named(name) => is_auxiliary(name) || square_named(plain(name).0).is_some(),
        };
        match notes {
            Some(notes) if self.values.is_empty() || !self.values.iter().all(speaks) => {
                self.by_notes(notes)
            }
            _ => self.by_names(),
        }
    }

    /// The queens of an answer that names squares.
    fn by_names(&self) -> Result<Placement, ReadError> {
        let mut squares: BTreeMap<Square, bool> = BTreeMap::new();
        for Value { variable, holds, place } in &self.values {
            let Variable::Named(name) = variable else {
                return Err(place.error(
                    "a number means nothing without the file that numbers the variables: give it \
                     by --cnf FILE",
                ));
            };
            let (name, holds) = (plain(name).0, plain(name).1 == *holds);
            let Some(square) = square_named(name) else {
                if is_auxiliary(name) {
                    continue;
                }
                return Err(place.error(format!(
                    "`{name}` is no value and names no square: squares are called `q_3_12`, \
                     `x_{{3,12}}` or `3,12`; other names need the file that was solved, by --cnf \
                     FILE"
                )));
            };
            if squares.insert(square, holds).is_some_and(|before| before != holds) {
                return Err(place.error(format!("`{name}` is both true and false")));
            }
        }
        Ok(squares.into_iter().filter_map(|(square, holds)| holds.then_some(square)).collect())
    }

    /// The queens of an answer to the formula of the file with these notes.
    fn by_notes(&self, notes: &Notes) -> Result<Placement, ReadError> {
        let mut values: HashMap<Var, bool> = HashMap::new();
        for Value { variable, holds, place } in &self.values {
            let lit = match variable {
                Variable::Numbered(lit) => *lit,
                Variable::Named(name) => match (plain(name), notes.names.get(plain(name).0)) {
                    ((_, true), Some(&lit)) => lit,
                    ((_, false), Some(&lit)) => !lit,
                    (_, None) if is_auxiliary(name) => continue,
                    (_, None) => {
                        let what = "is no value, and no name that the comments of the file give";
                        return Err(place.error(format!("`{name}` {what}")));
                    }
                },
            };
            let holds = lit.is_pos() == *holds;
            if values.insert(lit.var(), holds).is_some_and(|before| before != holds) {
                let number = lit.vidx() + 1;
                return Err(place.error(format!("the variable {number} is both true and false")));
            }
        }
        // A list of names names what is true: what the others say is false.
        if self.values.iter().all(|value| matches!(value.variable, Variable::Named(_))) {
            for lit in notes.names.values() {
                values.entry(lit.var()).or_insert(lit.is_neg());
            }
        }
        let holds = |lit: &Lit| values.get(&lit.var()).copied().unwrap_or(false) == lit.is_pos();
        let squares = notes.squares.iter().filter(|(_, cube)| cube.iter().all(holds));
        Ok(squares.map(|(&square, _)| square).collect())
    }
}

/// A name without the `not_` that SMT-LIB files put before that of a negation, and whether there
/// was none.
fn plain(name: &str) -> (&str, bool) {
    name.strip_prefix("not_").map_or((name, true), |name| (name, false))
}

/// Whether SMT-LIB files call an auxiliary variable so: `a_17`, `a17`.
fn is_auxiliary(name: &str) -> bool {
    let number = name.strip_prefix("a_").or_else(|| name.strip_prefix('a')).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
