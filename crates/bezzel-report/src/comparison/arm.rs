//! Effort and time of each encoding in each solver.

use std::collections::HashMap;

use bezzel_lab::{NO_ENCODING, Row, Task};
use serde::Serialize;

use super::effort::Efforts;
use super::pair::Pair;
use super::times::{self, Timed, Times};
use super::{Fault, is_answered};
use crate::label::Labels;

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
    /// Times.
    pub times: Times,
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
            times: Times::default(),
        }
    }
}

/// The arms in the order of their first pairs, and all of them together. Efforts that differ and must
/// not are faults.
pub(super) fn of(rows: &[Row], pairs: &[Pair<'_>], faults: &mut Vec<Fault>) -> (Vec<Arm>, Arm) {
    let labels = Labels::new(rows);
    let mut arms: Vec<(Arm, Vec<Pair<'_>>)> = Vec::new();
    let mut places: HashMap<(Option<String>, String), usize> = HashMap::new();
    for &pair in pairs {
        let job = &pair.a.job;
        let encoding = (job.encoding != NO_ENCODING).then(|| job.encoding_label());
        let mut solver = labels.of(pair.a);
        if job.task != Task::First {
            solver = format!("{solver}, {}", job.task);
        }
        let place = *places.entry((encoding.clone(), solver.clone())).or_insert(arms.len());
        if place == arms.len() {
            arms.push((Arm::new(encoding, Some(solver)), Vec::new()));
        }
        arms[place].1.push(pair);
    }
    let mut overall = Arm::new(None, None);
    let mut timed = Vec::new();
    for (arm, pairs) in &mut arms {
        for &pair in &*pairs {
            arm.efforts.count(pair, faults);
            let answered = (is_answered(pair.a), is_answered(pair.b));
            arm.only_a += usize::from(answered == (true, false));
            arm.only_b += usize::from(answered == (false, true));
        }
        arm.jobs = pairs.len();
        overall.jobs += arm.jobs;
        overall.only_a += arm.only_a;
        overall.only_b += arm.only_b;
        overall.efforts.compared += arm.efforts.compared;
        overall.efforts.equal += arm.efforts.equal;
        let same_work = arm.efforts.all_equal() && pairs.iter().all(|pair| pair.same_work());
        timed.push(Timed::new(pairs, same_work));
    }
    let (times, of_all) = times::of(timed);
    overall.times = of_all;
    let arms = arms.into_iter().zip(times).map(|((arm, _), times)| Arm { times, ..arm });
    (arms.collect(), overall)
}
