//! The candidates of a Latin square or a colouring that unit propagation of an encoding decides.
//!
//! The formula is that of the problem with its given candidates as unit clauses, closed under unit propagation, as in
//! [`propagation_view`](super::propagation_view). A candidate is excluded if a literal of its cube is false, and chosen
//! if all of them are true. After a conflict every candidate that is not given counts as excluded.

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Encoding, Formula};
use bezzel_problem::Problem;
use serde::Serialize;

/// The effect of unit propagation under an encoding on a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InstanceView {
    /// The encoding's id.
    pub encoding: String,
    /// A title of a few words.
    pub title: String,
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses.
    pub clauses: usize,
    /// The state of each candidate, in the order of the problem.
    pub candidates: Vec<CandidateState>,
    /// True if propagation found a conflict.
    pub conflict: bool,
}

/// The state of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateState {
    /// The question chooses it.
    Given,
    /// Propagation chooses it.
    Chosen,
    /// Propagation excludes it.
    Excluded,
    /// Propagation decides nothing.
    Open,
}

/// Propagates the formula of the problem under the encoding, which fits it.
pub fn instance_view(problem: &Problem, encoding: &dyn Encoding) -> InstanceView {
    let mut formula = Formula::new();
    let map = encoding.encode(problem, &mut formula);
    let propagator = Propagator::new(&formula);
    let conflict = propagator.is_refuted();
    let state = |candidate: u32| {
        let cube = map.cube(candidate);
        if problem.given().contains(&candidate) {
            CandidateState::Given
        } else if conflict || cube.iter().any(|&lit| propagator.fails(lit)) {
            CandidateState::Excluded
        } else if cube.iter().all(|&lit| propagator.holds(lit)) {
            CandidateState::Chosen
        } else {
            CandidateState::Open
        }
    };
    let info = encoding.info();
    InstanceView {
        encoding: info.id,
        title: info.title,
        variables: propagator.variables(),
        clauses: formula.len(),
        candidates: (0..problem.candidates()).map(state).collect(),
        conflict,
    }
}
