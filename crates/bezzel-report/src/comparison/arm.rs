//! Effort and time of each encoding in each solver.

use bezzel_lab::{NO_ENCODING, Row, Task};
use serde::Serialize;

use super::effort::Efforts;
use super::pair::Pair;
use super::times::{self, AllTimes, Times};
use super::{Fault, is_answered};
use crate::family::Families;
use crate::label::Labels;
use crate::statistics::Rule;
use indexmap::IndexSet;

/// An encoding in a solver, or all of them together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arm {
    /// The encoding's label; nothing over all, and where an engine reads the board itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The solver's or the engine's label, with the task if it is not the first solution; nothing over
    /// all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The questions that both records have a row of.
    pub jobs: usize,
    /// Those that only A has an answer to.
    pub only_a: usize,
    /// Those that only B has an answer to.
    pub only_b: usize,
    /// Efforts that must be equal.
    pub efforts: Efforts,
    /// Times, by the answer of the boards.
    pub times: Vec<Times>,
}

impl Arm {
    fn new(encoding: Option<String>, solver: Option<String>) -> Self {
        Self {
            encoding,
            solver,
            jobs: 0,
            only_a: 0,
            only_b: 0,
            efforts: Efforts::default(),
            times: Vec::new(),
        }
    }
}

/// All arms, and what holds over them.
pub(super) struct Arms {
    /// In the order of their first pairs.
    pub(super) each: Vec<Arm>,
    /// All of them together.
    pub(super) overall: Arm,
    /// As in [`AllTimes`].
    pub(super) disturbed: usize,
}

/// The arms. Efforts that differ and must not are faults.
pub(super) fn of(
    rows: &[Row],
    pairs: &[Pair<'_>],
    families: &Families<'_>,
    rule: Rule,
    faults: &mut Vec<Fault>,
) -> Arms {
    let labels = Labels::new(rows);
    let mut names: IndexSet<(Option<String>, String)> = IndexSet::new();
    let mut of_arms: Vec<Vec<Pair<'_>>> = Vec::new();
    for &pair in pairs {
        let job = &pair.a.job;
        let encoding = (job.encoding != NO_ENCODING).then(|| job.encoding_label());
        let mut solver = labels.of(pair.a);
        if job.task != Task::First {
            solver = format!("{solver}, {}", job.task);
        }
        let place = names.insert_full((encoding, solver)).0;
        of_arms.resize_with(names.len(), Vec::new);
        of_arms[place].push(pair);
    }
    let times = times::of(&of_arms, families, rule);
    let AllTimes { arms: times, overall: times_overall, disturbed } = times;
    let mut overall = Arm { times: times_overall, ..Arm::new(None, None) };
    let mut arms = Vec::new();
    let each = names.into_iter().zip(of_arms).zip(times);
    for (((encoding, solver), pairs), times) in each {
        let mut arm = Arm { jobs: pairs.len(), times, ..Arm::new(encoding, Some(solver)) };
        for pair in pairs {
            arm.efforts.count(pair, faults);
            let answered = (is_answered(pair.a), is_answered(pair.b));
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
    Arms { each: arms, overall, disturbed }
}
