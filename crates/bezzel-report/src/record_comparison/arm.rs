//! Effort and time of each encoding in each solver.

use bezzel_experiment::{NO_ENCODING, Row};
use indexmap::IndexMap;
use serde::Serialize;

use super::ComparisonFault;
use super::effort::Efforts;
use super::pair::RowPair;
use super::times::{self, Times};
use crate::family::Families;
use crate::label::Labels;
use crate::session_noise::SessionNoise;

/// An encoding in a solver, or all of them together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ArmComparison {
    /// The encoding's label. None for the whole, and if an engine reads the board itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The solver's or the engine's label, with the task if it is not the first solution. None for the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The number of jobs that both records have.
    pub jobs: usize,
    /// The number of jobs with an answer only in A.
    pub only_a: usize,
    /// The number of jobs with an answer only in B.
    pub only_b: usize,
    /// Efforts that must be equal.
    pub efforts: Efforts,
    /// Times, by the answer of the boards.
    pub times: Vec<Times>,
}

/// The arms in the order of their first pairs, all of them together, and the number of boards that are left out of
/// [times](times::of). Efforts that differ but must be equal are added to `faults`.
pub(super) fn of(
    rows: &[Row],
    pairs: &[RowPair<'_>],
    families: &Families<'_>,
    noises: &[SessionNoise; 2],
    faults: &mut Vec<ComparisonFault>,
) -> (Vec<ArmComparison>, ArmComparison, usize) {
    let labels = Labels::new(rows);
    let mut of_arms: IndexMap<(Option<String>, String), Vec<RowPair<'_>>> = IndexMap::new();
    for &pair in pairs {
        let job = &pair.a.job;
        let encoding = (job.encoding != NO_ENCODING).then(|| job.encoding_label());
        of_arms.entry((encoding, labels.with_task(pair.a))).or_default().push(pair);
    }
    let (names, of_arms): (Vec<_>, Vec<_>) = of_arms.into_iter().unzip();
    let (times, times_overall, disturbed) = times::of(&of_arms, families, noises);
    let mut overall = ArmComparison { times: times_overall, ..ArmComparison::default() };
    let mut arms = Vec::new();
    for (((encoding, solver), pairs), times) in names.into_iter().zip(of_arms).zip(times) {
        let jobs = pairs.len();
        let mut arm = ArmComparison {
            encoding,
            solver: Some(solver),
            jobs,
            times,
            ..ArmComparison::default()
        };
        for pair in pairs {
            arm.efforts.count(pair, faults);
            let answered = (pair.a.solved(), pair.b.solved());
            arm.only_a += usize::from(answered == (true, false));
            arm.only_b += usize::from(answered == (false, true));
        }
        overall.jobs += arm.jobs;
        overall.only_a += arm.only_a;
        overall.only_b += arm.only_b;
        overall.efforts.compared += arm.efforts.compared;
        overall.efforts.equal += arm.efforts.equal;
        arms.push(arm);
    }
    (arms, overall, disturbed)
}
