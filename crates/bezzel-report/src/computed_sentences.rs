//! The sentences of the computed answer, by a template: one for each answer and solver.

use std::collections::BTreeMap;

use bezzel_solve::Answer;
use bezzel_statistics::ranking::instances_needed;
use bezzel_statistics::{Estimate, Outcome, Relation, Value};

use crate::claims::numbers;
use crate::comparison::Measure;
use crate::instance_words::{listed, side};
use crate::label::with_solver_names;
use crate::number::count;

/// The largest number of sentences that compare encodings.
pub(crate) const MAX_SENTENCES: usize = 3;
/// The largest number of encodings with ratios in a sentence, for each verdict.
pub(crate) const MAX_RATIOS: usize = 3;
/// The largest number of encodings that a sentence names in the place of their number.
const MAX_NAMES: usize = 2;

/// The reference of ratios, and their measure.
pub(crate) struct Base<'l> {
    /// The number of the encoding.
    pub(crate) encoding: usize,
    pub(crate) label: &'l str,
    pub(crate) measure: Measure,
}

/// The encodings under one solver on the instances with one answer.
pub(crate) struct SolverPart {
    pub(crate) answer: Answer,
    pub(crate) solver: String,
    pub(crate) instances: usize,
    pub(crate) families: usize,
    pub(crate) arms: Vec<ComputedArm>,
}

/// An encoding under a solver on the instances with an answer.
pub(crate) struct ComputedArm {
    /// The number of the encoding.
    pub(crate) encoding: usize,
    pub(crate) label: String,
    pub(crate) solved: usize,
    pub(crate) measured: usize,
    pub(crate) median: Option<Value>,
    pub(crate) par2_s: Option<f64>,
    /// The comparison with the reference. None for the reference, and without a comparison.
    pub(crate) beside: Option<Outcome>,
}

impl Base<'_> {
    fn equivalent(&self) -> &'static str {
        match self.measure {
            Measure::Time => "the CPU times are equivalent (within 10 %)",
            Measure::Conflicts => "the numbers of conflicts are equivalent (within 10 %)",
            Measure::ProofSteps => "the proofs are equivalent (within 10 % of steps)",
        }
    }
}

/// The sentences on these parts, one for each answer and solver and at most `room`, those with a verdict first. A
/// solver that was run with one encoding alone compares nothing, and has a sentence only if no other solver has one.
pub(crate) fn sentences(parts: &[SolverPart], base: &Base<'_>, room: usize) -> Vec<String> {
    let compares = |part: &SolverPart| part.compared().next().is_some();
    let is_shown = |part: &&SolverPart| {
        let mut alike = parts.iter().filter(|other| other.answer == part.answer);
        compares(part) || !alike.any(compares)
    };
    let (decided, others): (Vec<&SolverPart>, Vec<&SolverPart>) =
        parts.iter().filter(is_shown).partition(|part| part.has_verdict());
    let decided = decided.into_iter().map(|part| of_solver(part, base));
    let mut sentences: Vec<String> =
        decided.chain(others.into_iter().map(without_verdict)).collect();
    if sentences.len() > room {
        sentences.truncate(room - 1);
        sentences.push("The table has the other answers and solvers.".into());
    }
    sentences
}

impl SolverPart {
    /// The instances in words: `12 unsatisfiable instances of 2 families`.
    fn instances(&self) -> String {
        let instances = count(self.instances, &format!("{} instance", side(self.answer)));
        match self.families {
            ..2 => instances,
            several => format!("{instances} of {several} families"),
        }
    }

    /// The encodings with a comparison with the reference.
    pub(crate) fn compared(&self) -> impl Iterator<Item = (&str, &Outcome)> {
        self.arms.iter().filter_map(|arm| Some((arm.label.as_str(), arm.beside.as_ref()?)))
    }

    /// True if some comparison has enough instances for a verdict.
    pub(crate) fn has_verdict(&self) -> bool {
        self.compared().any(|(_, outcome)| outcome.relation != Relation::TooFewInstances)
    }
}

/// The sentence on instances that are too few for any verdict, or on the only encoding.
fn without_verdict(part: &SolverPart) -> String {
    let (instances, solver) = (part.instances(), with_solver_names(&part.solver));
    match &part.arms[..] {
        [arm] => format!(
            "The only encoding, {}, solves {} of {instances} in {solver}. No other encoding is compared with it.",
            arm.label, arm.solved
        ),
        arms => format!(
            "{instances} in {solver}: no verdict is possible; {} are needed for {} encodings.",
            instances_needed(arms.len() * (arms.len() - 1) / 2),
            arms.len()
        ),
    }
}

/// The sentence on all encodings under one solver.
fn of_solver(part: &SolverPart, base: &Base<'_>) -> String {
    let mut clauses = Vec::new();
    for relation in [Relation::Less, Relation::More] {
        let mut decided: Vec<(&str, &Outcome)> =
            part.compared().filter(|(_, outcome)| outcome.relation == relation).collect();
        let size = |outcome: &Outcome| outcome.ratio.estimate.and_then(Estimate::bound);
        decided.sort_by(|one, two| {
            let [one, two] = [one.1, two.1].map(|it| size(it).unwrap_or(1.0));
            if relation == Relation::Less { one.total_cmp(&two) } else { two.total_cmp(&one) }
        });
        let shown = decided.iter().take(MAX_RATIOS).enumerate().map(|(place, (label, outcome))| {
            let (ratio, interval) = (times(outcome), interval(outcome));
            match place {
                0 => format!(
                    "{label} takes {ratio} {}'s {}{interval}",
                    base.label,
                    base.measure.cost()
                ),
                _ => format!("{label} {ratio}{interval}"),
            }
        });
        let mut shown: Vec<String> = shown.collect();
        let others = decided.len().saturating_sub(MAX_RATIOS);
        if others > 0 {
            let than = if relation == Relation::Less { "less" } else { "more" };
            let take = if others == 1 { "takes" } else { "take" };
            shown.push(format!("{} {take} {than}", count(others, "other")));
        }
        clauses.extend((!shown.is_empty()).then(|| listed(&shown)));
    }
    let all = part.compared().count();
    // The words for the other verdicts, in their order.
    let mut rest: BTreeMap<(u8, &str), Vec<&str>> = BTreeMap::new();
    for (label, outcome) in part.compared() {
        let words = match outcome.relation {
            Relation::Less | Relation::More => continue,
            Relation::Equivalent => (0, base.equivalent()),
            Relation::Undecided if outcome.is_within_noise() => {
                (1, "the difference is within the noise")
            }
            Relation::Undecided => (2, "no difference is shown"),
            Relation::DependsOnFamily => (3, "the verdict depends on the family"),
            Relation::TooFewInstances => (4, "the compared instances are too few"),
        };
        rest.entry(words).or_default().push(label);
    }
    for ((_, words), labels) in rest {
        clauses.push(format!("for {} {words}", names(&labels, all)));
    }
    let solver = with_solver_names(&part.solver);
    format!("On {} in {solver}, {}.", part.instances(), clauses.join("; "))
}

/// A ratio in words, as in `0.310 times` and `at least 75.3 times`.
pub(crate) fn times(outcome: &Outcome) -> String {
    let Some(estimate) = outcome.ratio.estimate else { return "an unknown number of times".into() };
    let text = estimate.to_string().replace("≥", "at least").replace("≤", "at most");
    format!("{text} times")
}

/// An interval in brackets, after a blank.
pub(crate) fn interval(outcome: &Outcome) -> String {
    let ends = outcome.interval.map(|it| (it.low, it.high)).filter(|ends| *ends != (None, None));
    ends.map_or(String::new(), |(low, high)| format!(" ({})", numbers::ends(low, high)))
}

/// Few labels by their names, others by their number.
fn names(labels: &[&str], all: usize) -> String {
    if labels.len() <= MAX_NAMES {
        listed(labels)
    } else if labels.len() == all {
        format!("all {all} others")
    } else {
        format!("{} of {all} encodings", labels.len())
    }
}
