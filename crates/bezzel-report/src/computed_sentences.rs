//! The sentences of the computed answer, by templates: one for each answer and solver, or else one for each answer.

use std::collections::BTreeMap;

use bezzel_solve::Answer;
use bezzel_statistics::ranking::instances_needed;
use bezzel_statistics::{Estimate, Outcome, Relation};

use crate::comparison::Measure;
use crate::distinct::distinct;
use crate::instance_words::{listed, side};
use crate::number::{count, significant};

/// The largest number of sentences that compare encodings.
pub(crate) const MAX_SENTENCES: usize = 3;
/// The largest number of encodings with ratios in a sentence, for each verdict.
pub(crate) const MAX_RATIOS: usize = 3;
/// The largest number of encodings that a sentence names in the place of their number.
const MAX_NAMES: usize = 2;

/// The reference of ratios, and their measure.
pub(crate) struct Base<'l> {
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
    pub(crate) par2_s: Option<f64>,
    /// The comparison with the first encoding. None for the first one, and without a comparison.
    pub(crate) beside: Option<Outcome>,
    pub(crate) is_first: bool,
}

impl Base<'_> {
    fn cost(&self) -> &'static str {
        match self.measure {
            Measure::Time => "CPU time",
            Measure::Conflicts => "conflicts",
            Measure::ProofSteps => "proof steps",
        }
    }

    fn equivalent(&self) -> &'static str {
        match self.measure {
            Measure::Time => "the CPU times are equivalent (within 10 %)",
            Measure::Conflicts => "the numbers of conflicts are equivalent (within 10 %)",
            Measure::ProofSteps => "the proofs are equivalent (within 10 % of steps)",
        }
    }
}

/// The sentences on these parts, at most [`MAX_SENTENCES`]: one for each answer and solver, or else one for each answer.
pub(crate) fn sentences(parts: &[SolverPart], base: &Base<'_>) -> Vec<String> {
    let of_answers = parts.chunk_by(|one, two| one.answer == two.answer).map(|parts| {
        // A solver that was run with one encoding alone compares nothing.
        let compares = |part: &&SolverPart| part.compared().next().is_some();
        let compared: Vec<&SolverPart> = parts.iter().filter(compares).collect();
        if compared.is_empty() { parts.iter().collect() } else { compared }
    });
    let of_answers: Vec<Vec<&SolverPart>> = of_answers.collect();
    let decides = |parts: &[&SolverPart]| parts.iter().any(|part| part.has_verdict());
    let undecided = of_answers.iter().filter(|parts| !decides(parts)).count();
    let of_solvers: usize = of_answers.iter().filter(|parts| decides(parts)).map(Vec::len).sum();
    let sentences = of_answers.into_iter().flat_map(|parts| {
        if !decides(&parts) {
            vec![without_verdict(&parts)]
        } else if undecided + of_solvers <= MAX_SENTENCES {
            parts.into_iter().map(|part| of_solver(part, base)).collect()
        } else {
            vec![over_solvers(&parts, base)]
        }
    });
    sentences.collect()
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

    /// The encodings with a comparison with the first one.
    pub(crate) fn compared(&self) -> impl Iterator<Item = (&str, &Outcome)> {
        self.arms.iter().filter_map(|arm| Some((arm.label.as_str(), arm.beside.as_ref()?)))
    }

    /// True if some comparison has enough instances for a verdict.
    fn has_verdict(&self) -> bool {
        self.compared().any(|(_, outcome)| outcome.relation != Relation::TooFewInstances)
    }
}

/// The sentence on instances that are too few for any verdict, or on the only encoding.
fn without_verdict(parts: &[&SolverPart]) -> String {
    let encodings = parts.iter().map(|part| part.arms.len()).max().unwrap_or(0);
    if encodings > 1 {
        let instances = parts.iter().max_by_key(|part| part.instances).map(|part| part.instances());
        return format!(
            "{}: no verdict is possible; {} are needed for {encodings} encodings.",
            instances.unwrap_or_default(),
            instances_needed(encodings * (encodings - 1) / 2),
        );
    }
    let of_solvers = parts.iter().filter_map(|part| {
        let arm = part.arms.first()?;
        Some((arm, format!("{} of {} in {}", arm.solved, part.instances(), part.solver)))
    });
    let (arms, solved): (Vec<&ComputedArm>, Vec<String>) = of_solvers.unzip();
    let label = arms.first().map_or("", |arm| arm.label.as_str());
    format!("The only encoding, {label}, solves {}. Nothing is compared with it.", listed(&solved))
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
                0 => format!("{label} takes {ratio} {}'s {}{interval}", base.label, base.cost()),
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
    format!("On {} in {}, {}.", part.instances(), part.solver, clauses.join("; "))
}

/// The sentence on the encodings that all solvers decide alike.
fn over_solvers(parts: &[&SolverPart], base: &Base<'_>) -> String {
    let labels = distinct(parts.iter().flat_map(|part| part.compared()).map(|(label, _)| label));
    let outcomes = |label: &str| -> Vec<&Outcome> {
        parts
            .iter()
            .flat_map(|part| part.compared())
            .filter(|it| it.0 == label)
            .map(|it| it.1)
            .collect()
    };
    let mut clauses = Vec::new();
    let mut rest = labels.len();
    for (relation, one, several) in
        [(Relation::Less, "takes less", "take less"), (Relation::More, "takes more", "take more")]
    {
        let is_decided = |label: &&&str| {
            let outcomes = outcomes(label);
            outcomes.len() == parts.len() && outcomes.iter().all(|it| it.relation == relation)
        };
        let decided: Vec<&str> = labels.iter().filter(is_decided).copied().collect();
        rest -= decided.len();
        let shown = decided.iter().take(MAX_RATIOS).map(|label| {
            let ratios: Vec<String> = outcomes(label).into_iter().map(times).collect();
            let ratios: Vec<&str> = ratios.iter().map(|it| it.trim_end_matches(" times")).collect();
            format!("{label} ({} times)", listed(&ratios))
        });
        let mut shown: Vec<String> = shown.collect();
        let others = decided.len().saturating_sub(MAX_RATIOS);
        if others > 0 {
            shown.push(count(others, "other"));
        }
        if !shown.is_empty() {
            let take = if decided.len() == 1 { one } else { several };
            clauses.push(format!("{} {take} {} than {}", listed(&shown), base.cost(), base.label));
        }
    }
    let solvers: Vec<&str> = parts.iter().map(|part| part.solver.as_str()).collect();
    let mut instances: Vec<String> = distinct(parts.iter().map(|part| part.instances()));
    instances.truncate(1);
    let on = format!("On {} in each of {}", instances.concat(), listed(&solvers));
    if rest > 0 {
        clauses.push(if rest == labels.len() {
            let cost = base.cost();
            format!(
                "no encoding is shown to take less, or more, {cost} than {} in all of them",
                base.label
            )
        } else {
            format!(
                "for {rest} of {} encodings the solvers show no common difference",
                labels.len()
            )
        });
    }
    for part in parts {
        let depends = |it: &&(&str, &Outcome)| it.1.relation == Relation::DependsOnFamily;
        let labels: Vec<&str> = part.compared().filter(|it| depends(&it)).map(|it| it.0).collect();
        if !labels.is_empty() {
            let all = part.compared().count();
            let of = names(&labels, all);
            clauses.push(format!("in {} the verdict depends on the family for {of}", part.solver));
        }
    }
    format!("{on}, {}.", clauses.join("; "))
}

/// A ratio in words, as in `0.310 times` and `at least 75.3 times`.
fn times(outcome: &Outcome) -> String {
    let Some(estimate) = outcome.ratio.estimate else { return "an unknown number of times".into() };
    let text = estimate.to_string().replace("≥", "at least").replace("≤", "at most");
    format!("{text} times")
}

/// An interval in brackets, after a blank.
fn interval(outcome: &Outcome) -> String {
    let read = |end: f64| significant(end, 3);
    match outcome.interval.map(|it| (it.low, it.high)) {
        Some((Some(low), Some(high))) => format!(" ({} to {})", read(low), read(high)),
        Some((Some(low), None)) => format!(" (at least {})", read(low)),
        Some((None, Some(high))) => format!(" (at most {})", read(high)),
        Some((None, None)) | None => String::new(),
    }
}

/// Few labels by their names, others by their number.
fn names(labels: &[&str], all: usize) -> String {
    if labels.len() <= MAX_NAMES {
        listed(labels)
    } else {
        format!("{} of {all} encodings", labels.len())
    }
}
