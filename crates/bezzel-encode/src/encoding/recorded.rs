//! The recorded output of another program for whole instances.
//!
//! *Idea.* A program in any language encodes. It runs beforehand, where an error can be reported, and its output is
//! kept for each instance. Encoding replays the record.
//!
//! *Size, propagation, models.* Those of the record. No property is declared, so the checks compute them.

use std::sync::Arc;

use bezzel_problem::{EncoderRequest, Problem};
use rustsat::types::Lit;

use super::Encoding;
use crate::constraints::Unsupported;
use crate::formula::Formula;
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct RecordedEncoding {
    info: EncodingInfo,
    instances: Vec<(String, Arc<Record>)>,
}

/// The record of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// Its rules.
    Rules {
        /// The clauses.
        formula: Formula,
        /// The number of primary variables, which come first and encode the chosen candidates.
        primary: u32,
        /// The meaning of the variables.
        map: VarMap,
    },
    /// The reason why it cannot be encoded.
    Unfit(String),
}

impl RecordedEncoding {
    /// The records of instances, by their names without given and excluded candidates, with the information on the encoding.
    pub fn new(info: EncodingInfo, instances: Vec<(String, Arc<Record>)>) -> Self {
        Self { info, instances }
    }

    fn record(&self, problem: &Problem) -> Option<&Record> {
        self.answer(&problem.encoder_request()?)
    }

    fn answer(&self, request: &EncoderRequest) -> Option<&Record> {
        let found = self.instances.iter().find(|(known, _)| *known == request.instance);
        found.map(|(_, record)| &**record)
    }
}

impl Encoding for RecordedEncoding {
    fn info(&self) -> EncodingInfo {
        self.info.clone()
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        let Some(request) = problem.encoder_request() else {
            let what = format!("`{}`", self.info.id);
            let why = "programs encode only some kinds of instances whole";
            let mend = "take an encoding that is not of a program";
            return Err(Unsupported::new(what, problem, why, mend));
        };
        match self.answer(&request) {
            Some(Record::Unfit(why)) => {
                let what = format!("`{}`", self.info.id);
                Err(Unsupported::new(what, problem, why.clone(), "the program refused it"))
            }
            _ => Ok(()),
        }
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        match self.record(problem)? {
            Record::Rules { formula, .. } => Some(formula.size()),
            Record::Unfit(_) => None,
        }
    }

    /// Replays the record.
    ///
    /// # Panics
    ///
    /// When there is no record for this instance: the record does not contain all that is needed.
    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let Some(Record::Rules { formula, primary, map }) = self.record(problem) else {
            let (noun, name) = (problem.noun(), problem.name());
            panic!("`{}` is not recorded for the {noun} {name}", self.info.id);
        };
        out.section("rules");
        let made = out.fresh(*primary).start();
        let auxiliary = formula.variables() - primary;
        if auxiliary > 0 {
            out.fresh(auxiliary);
        }
        debug_assert_eq!(made, 0, "the rules come first");
        for clause in formula.clauses() {
            out.clause(clause);
        }
        map.clone()
    }
}

impl Record {
    /// The rules of an instance in a formula whose variables are numbered in any order. `cubes` has their meaning,
    /// candidate by candidate. Variables that the cubes do not name are auxiliary.
    pub fn rules(formula: &Formula, cubes: &[Vec<Lit>]) -> Self {
        let variables = formula.variables();
        let mut is_primary = vec![false; variables as usize];
        for lit in cubes.iter().flatten() {
            is_primary[lit.vidx()] = true;
        }
        let count = |kind: bool| is_primary.iter().filter(|&&is| is == kind).count() as u32;
        let primary = count(true);
        // Primary variables come first, each kind in its own order.
        let mut next = [primary, 0];
        let numbers: Vec<u32> = is_primary
            .iter()
            .map(|&is| {
                let next = &mut next[usize::from(is)];
                *next += 1;
                *next - 1
            })
            .collect();
        let renamed = |lit: &Lit| Lit::new(numbers[lit.vidx()], lit.is_neg());
        let mut ordered = Formula::with_capacity(formula.size());
        ordered.fresh(variables);
        let mut clause = Vec::new();
        for lits in formula.clauses() {
            clause.clear();
            clause.extend(lits.iter().map(renamed));
            ordered.clause(&clause);
        }
        let map = VarMap::from_cubes(cubes.iter().map(|cube| cube.iter().map(renamed)));
        Self::Rules { formula: ordered, primary, map }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primary_variables_come_first_whatever_their_numbers() {
        let lit = |number| Lit::from_ipasir(number).unwrap();
        let mut formula = Formula::new();
        formula.fresh(4);
        formula.clause(&[lit(1), lit(-4)]);
        formula.clause(&[lit(3), lit(2)]);
        let record = Record::rules(&formula, &[vec![lit(4)], vec![lit(-2), lit(4)]]);
        let Record::Rules { formula, primary, map } = record else { panic!("rules") };
        assert_eq!((primary, formula.variables()), (2, 4));
        let clauses: Vec<Vec<Lit>> = formula.clauses().map(<[Lit]>::to_vec).collect();
        assert_eq!(clauses, [[lit(3), lit(-2)], [lit(4), lit(1)]]);
        assert_eq!(map.cube(0), [lit(2)]);
        assert_eq!(map.cube(1), [lit(-1), lit(2)]);
    }
}
