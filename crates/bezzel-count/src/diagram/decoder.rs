//! Converts models to solutions.

use bezzel_encode::{Var, VarMap};
use bezzel_problem::{Candidate, Solution};

/// Converts the models of a diagram to the candidates that they choose.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    map: &'a VarMap,
    /// For each variable by its number, the candidate that it alone encodes. Empty if some candidate needs more than one
    /// positive literal.
    candidates: Vec<Option<Candidate>>,
    /// The value of each variable by its number, in the model that is decoded.
    values: Vec<bool>,
}

impl<'a> Decoder<'a> {
    /// Prepares to decode models over the primary variables of this map.
    pub fn new(map: &'a VarMap) -> Self {
        let variables = map.variables();
        let count = variables.iter().map(|var| var.idx() + 1).max().unwrap_or(0);
        let mut candidates = vec![None; count];
        let direct =
            (0..map.candidates() as Candidate).all(|candidate| match map.cube(candidate) {
                [lit] if lit.is_pos() => candidates[lit.vidx()].replace(candidate).is_none(),
                _ => false,
            });
        if !direct {
            candidates = Vec::new();
        }
        Self { map, candidates, values: vec![false; count] }
    }

    /// The solution of the model in which exactly these variables are true.
    ///
    /// Variables that the map does not have are ignored.
    pub fn solution(&mut self, model: &[Var]) -> Solution {
        if !self.candidates.is_empty() {
            let candidate = |var: &Var| self.candidates.get(var.idx()).copied().flatten();
            return model.iter().filter_map(candidate).collect();
        }
        self.values.fill(false);
        for var in model {
            if let Some(value) = self.values.get_mut(var.idx()) {
                *value = true;
            }
        }
        self.map.decode(|lit| self.values[lit.vidx()] == lit.is_pos())
    }
}
