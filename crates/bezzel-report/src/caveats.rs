//! The table of caveats: each is a condition on the rows of a report, and the sentence that a reader needs if it holds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use bezzel_encode::Numbering;
use bezzel_experiment::calibration::{Noise, TOO_HIGH, noise};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{PlannedJob, Row, Task};
use bezzel_problem::Instance;
use bezzel_solve::Answer;
use bezzel_statistics::interval::min_instances;
use bezzel_statistics::ranking::{SOLVERS, instances_needed};
use bezzel_statistics::{LEVEL, Value, median};
use indexmap::{IndexMap, IndexSet};

use crate::comparison::program;
use crate::counter_runs::CounterCell;
use crate::dataset::Dataset;
use crate::instance_words;
use crate::label::with_solver_names;
use crate::machine_groups::{self, hosts};
use crate::number::{count, distinct, significant};
use crate::row_statistics::cell::{Counts, has_begun, is_counted};
use crate::row_statistics::replicates::ReplicateCount;
use crate::run_conditions as runs;
use crate::run_ends;

/// The least number of shuffles or seeds for an estimate of the spread.
const ENOUGH_SEARCHES: usize = 10;
/// Times below this, in CPU seconds, are too short for a reliable comparison.
const SHORT_S: f64 = 0.1;

/// The places of a report that show caveats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CaveatPlace {
    /// The conditions of the runs, which a report states once.
    Conditions,
    /// The threats to validity.
    Threats,
    /// The notes of a table that stands by itself.
    TableAlone,
    /// The notes of a table with an item that depends on runs without an answer.
    NoAnswer,
}

use CaveatPlace::{Conditions, NoAnswer, TableAlone, Threats};

/// The rows of a report, with the numbers that several caveats need.
pub(crate) struct CaveatFacts<'d, 'a> {
    pub(crate) dataset: &'d Dataset<'a>,
    pub(crate) counts: Counts,
    pub(crate) noises: Vec<Noise>,
}

/// The places of a caveat, and its sentence if its condition holds.
type Caveat = (&'static [CaveatPlace], fn(&CaveatFacts<'_, '_>) -> Option<String>);

/// The caveats, in the order in which a place shows them.
#[rustfmt::skip]
const CAVEATS: &[Caveat] = &[
    (&[Conditions, TableAlone], |facts| Some(runs::limits(facts.dataset))),
    (&[Conditions], |facts| runs::isolation(facts.dataset)),
    (&[Conditions], |facts| listed("Machines", &machine_groups::lines(facts.dataset))),
    (&[Conditions], |facts| runs::cores(facts.dataset)),
    (&[Conditions], |facts| runs::proofs(facts.dataset).filter(|_| has_cells(facts))),
    (&[Conditions, TableAlone], |facts| runs::noise_of_machine(&facts.noises)),
    (&[Conditions], |CaveatFacts { counts, .. }| {
        in_number(counts.unchecked, "# [answer is|answers are] unchecked; medians include [it|them].")
    }),
    (&[Conditions, Threats], |CaveatFacts { counts, .. }| {
        in_number(counts.imported, "# [answer is|answers are] imported from a table of others, and not verified here.")
    }),
    (&[Conditions], |facts| has_cells(facts).then(|| runs::replicates(facts.dataset))),
    (&[Conditions], |facts| facts.dataset.common_settings()),
    (&[NoAnswer], |facts| run_ends::no_answer(&facts.counts)),
    (&[Threats], |facts| (facts.dataset.solvers.len() == 1).then(|| {
        "Only one solver was run: another one may rank the encodings differently.".into()
    })),
    (&[Threats], few_searches),
    (&[Threats], |CaveatFacts { dataset, .. }| {
        // Counts say nothing on the time to a first solution.
        let is_unsat = |instance: &_| dataset.answer(instance) == Some(Answer::Unsat);
        let none = !dataset.cells.is_empty() && !dataset.instances.iter().copied().any(is_unsat);
        none.then(|| "No instance was found to be unsatisfiable: satisfiable instances alone are weak evidence on \
                      encodings.".into())
    }),
    (&[Threats], |facts| short_times(facts.dataset)),
    (&[Threats], |facts| same_clauses(facts.dataset, 1)),
    (&[Threats], |CaveatFacts { dataset, .. }| {
        all_short(dataset.counter_runs.cells.iter().filter_map(CounterCell::cpu_s)).then(|| {
            format!("All median times of engines are below {SHORT_S} s, too short to show how times grow.")
        })
    }),
    (&[Threats], |CaveatFacts { dataset, .. }| {
        let some = dataset.record.environments.iter().any(|session| !session.build.optimised);
        some.then(|| "Some rows were measured by a build without optimisation.".into())
    }),
    (&[Threats], |CaveatFacts { dataset, .. }| {
        let mut sessions = dataset.record.environments.iter();
        let some = sessions.any(|session| session.build.git_dirty == Some(true));
        some.then(|| "Some rows were measured by a build with uncommitted changes.".into())
    }),
    (&[Threats], |CaveatFacts { dataset, .. }| {
        let some = dataset.record.environments.iter().any(|session| session.parallel > 1);
        some.then(|| "Jobs ran at the same time, and may have slowed each other down.".into())
    }),
    (&[Threats], |facts| facts.noises.iter().any(Noise::is_too_high).then(|| {
        "The machine was noisy: times of the same work differed by more than a tenth. An effect on times is reported \
         only if its interval excludes 1 by more than the noise of the sessions that measured it.".into()
    })),
    (&[Threats], |facts| facts.noises.iter().any(Noise::is_shared).then(|| {
        "Other processes may have used the same core: runs of the fixed formula took over 1.25 times as much wall \
         time as CPU time.".into()
    })),
    (&[Threats], |facts| facts.noises.iter().any(|noise| !noise.same_effort).then(|| {
        "Runs of the fixed formula in one session had different answers or different numbers of conflicts, decisions \
         or propagations. They should be deterministic.".into()
    })),
    (&[Threats], |facts| a_machine_changed(facts).then(|| {
        "The machine was not equally fast in all sessions: the fixed formula took more than a tenth longer in one \
         than in another.".into()
    })),
    (&[Threats], |facts| machine_groups::warning(facts.dataset)),
    (&[Threats], few_instances),
    (&[Threats], |CaveatFacts { dataset, .. }| in_number(
        dataset.record.under_other_limits,
        "# [run was|runs were] measured under other limits, of an earlier version of the config. [It|They] finished \
         within the present limits, or hit a limit that is not lower.",
    )),
    (&[Threats], |CaveatFacts { counts, .. }| {
        let over = counts.timed_out + counts.out_of_memory + counts.failed;
        let share = significant(100.0 * over as f64 / counts.rows as f64, 2);
        in_number(over, &format!(
            "# [run|runs] ({share} %) [has no answer: its time is a lower bound|have no answer: their times are lower \
             bounds], and ratios with [it|them] are bounds."
        ))
    }),
    (&[Threats], |CaveatFacts { dataset, .. }| in_number(
        distinct(dataset.firsts(|row| is_counted(row) && row.is_disturbed()).iter().map(|row| &row.job.instance)).len(),
        "On # [instance|instances], a run reached its wall limit with less than 90 % of that time as CPU time, because \
         its core was shared or it waited. [This instance is|These instances are] left out of every comparison of \
         times that includes such a run.",
    )),
    (&[Threats], |CaveatFacts { counts, .. }| in_number(
        counts.unchecked,
        "# [answer is unchecked: it is shown|answers are unchecked: they are shown], and not ranked.",
    )),
    (&[Threats], |CaveatFacts { dataset, counts, .. }| {
        let planned = dataset.record.planned;
        let missing = planned.saturating_sub(dataset.record.rows.len());
        in_number(missing + counts.host_error + counts.skipped, &format!(
            "# [run|runs] of {planned} planned [was|were] not finished. If this was not by chance, the other runs are \
             a biased selection."
        ))
    }),
    (&[Threats], several_versions),
    (&[Threats], proofs_beside_none),
    (&[Threats], one_machine),
];

/// The sentences of a place. Without a row nothing else is known.
pub(crate) fn caveats(dataset: &Dataset<'_>, place: CaveatPlace) -> Vec<String> {
    if dataset.record.rows.is_empty() {
        let nothing = "Nothing was run yet: there are no rows.";
        return (place == Threats).then(|| nothing.into()).into_iter().collect();
    }
    let (counts, noises) = (Counts::of(&dataset.rows(|_| true)), noise(&dataset.record.readings));
    let facts = CaveatFacts { dataset, counts, noises };
    let here = CAVEATS.iter().filter(|(places, _)| places.contains(&place));
    here.filter_map(|(_, sentence)| sentence(&facts)).collect()
}

/// A sentence on a number of things: `#` is the number, and `[is|are]` the word for one or for several. None for zero.
fn in_number(number: usize, sentence: &str) -> Option<String> {
    let words = (0..).zip(sentence.split(['[', ']'])).map(|(place, part)| {
        let mut words = part.split('|').skip(usize::from(place % 2 == 1 && number != 1));
        words.next().unwrap_or(part)
    });
    (number > 0).then(|| words.collect::<String>().replace('#', &grouped(number as u128)))
}

/// A heading with the list of its parts. None without parts.
pub(crate) fn listed(heading: &str, parts: &[String]) -> Option<String> {
    (!parts.is_empty()).then(|| format!("{heading}: {}.", parts.join("; ")))
}

fn has_cells(facts: &CaveatFacts<'_, '_>) -> bool {
    !facts.dataset.cells.is_empty()
}

/// The warning on a record in which all times are short.
pub(crate) fn short_times(dataset: &Dataset<'_>) -> Option<String> {
    all_short(dataset.cells.iter().filter_map(|cell| median(&cell.times()))).then(|| {
        format!("All median times are below {SHORT_S} s, too short for a reliable comparison.")
    })
}

/// The pairs of encodings with equal formulas on at least `least` instances: a run of the one repeats that of the other.
pub(crate) fn same_clauses(dataset: &Dataset<'_>, least: usize) -> Option<String> {
    let mut equal: IndexMap<(usize, Numbering, &str), BTreeSet<usize>> = IndexMap::new();
    for cell in &dataset.cells {
        for row in cell.rows.iter().filter(|row| is_counted(row)) {
            if let Some(digest) = &row.clause_digest {
                let formula = (cell.index.instance, row.job.numbering, &**digest);
                equal.entry(formula).or_default().insert(cell.index.encoding);
            }
        }
    }
    let mut pairs: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
    for ((instance, ..), encodings) in &equal {
        for (place, &one) in encodings.iter().enumerate() {
            for &two in encodings.iter().skip(place + 1) {
                pairs.entry((one, two)).or_default().insert(*instance);
            }
        }
    }
    let mut pairs: Vec<_> = pairs.into_iter().map(|(pair, on)| (on.len(), pair)).collect();
    pairs.retain(|&(on, _)| on >= least);
    pairs.sort_by_key(|&(on, pair)| (Reverse(on), pair));
    let name = |&(on, (one, two)): &(usize, (usize, usize))| {
        let [one, two] = [one, two].map(|it| &dataset.encodings[it]);
        format!("{one} and {two} on {on} of {}", count(dataset.instances.len(), "instance"))
    };
    let mut names: Vec<String> = pairs.iter().take(2).map(name).collect();
    let others = pairs.len().saturating_sub(names.len());
    names.extend((others > 0).then(|| count(others, "other pair")));
    let names = instance_words::listed(&names);
    (!pairs.is_empty()).then(|| format!("Equal formulas: {names}. Runs on these compare nothing."))
}

/// True if there are times, and all of them are short.
fn all_short(times: impl Iterator<Item = Value>) -> bool {
    let mut times = times.peekable();
    times.peek().is_some()
        && times.all(|time| time.measured().is_some_and(|seconds| seconds < SHORT_S))
}

fn few_searches(CaveatFacts { dataset, .. }: &CaveatFacts<'_, '_>) -> Option<String> {
    let searches = dataset.cells.iter().map(|cell| ReplicateCount::of_searches(&cell.rows));
    let largest = searches.max_by_key(|searches| searches.number)?;
    (largest.number < ENOUGH_SEARCHES).then(|| {
        format!(
            "No cell has more than {largest}; repetitions are not counted. Times to a first solution vary widely; an \
             estimate of their spread needs at least {ENOUGH_SEARCHES} {}.",
            largest.kind.several()
        )
    })
}

/// True if sessions on machines of one kind differ by more than the tolerated noise. The differences between unlike
/// machines have a caveat of their own.
fn a_machine_changed(CaveatFacts { dataset, noises, .. }: &CaveatFacts<'_, '_>) -> bool {
    let kind = |noise: &Noise| dataset.machines.kind(noise.session);
    distinct(noises.iter().map(kind)).iter().any(|one| {
        let alike = noises.iter().filter(|noise| kind(noise) == *one);
        let medians: Vec<f64> = alike.filter_map(|noise| noise.median_s).collect();
        let [low, high] = [f64::min, f64::max].map(|pick| medians.iter().copied().reduce(pick));
        low.zip(high).is_some_and(|(low, high)| high > low * (1.0 + TOO_HIGH))
    })
}

/// Few instances, or instances of one family.
fn few_instances(CaveatFacts { dataset, .. }: &CaveatFacts<'_, '_>) -> Option<String> {
    let families = dataset.instances.iter().map(|instance| dataset.family(instance));
    let families = families.collect::<BTreeSet<String>>().len();
    let of = if families == 1 { "1 family".into() } else { format!("{families} families") };
    let instances = dataset.instances.len();
    let are_few = instances < min_instances(LEVEL) || families < 2;
    let sentence =
        format!("# [instance|instances] of {of}: a result on [it|these] need not hold on others.");
    in_number(instances, &sentence).filter(|_| are_few)
}

/// Solvers and encodings with rows of several versions.
fn several_versions(CaveatFacts { dataset, .. }: &CaveatFacts<'_, '_>) -> Option<String> {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in dataset.rows(has_begun) {
        versions.entry(&row.job.solver).or_default().insert(row.solver_version.clone());
        let revision = format!("revision {}", row.encoding_revision);
        versions.entry(&row.job.encoding).or_default().insert(revision);
    }
    let several = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    let several = several.map(|(thing, versions)| {
        format!("{thing} ({})", versions.into_iter().collect::<Vec<_>>().join(", "))
    });
    listed("The record has rows of several versions", &several.collect::<Vec<_>>())
}

/// Solvers that write proofs beside solvers that do not.
fn proofs_beside_none(CaveatFacts { dataset, .. }: &CaveatFacts<'_, '_>) -> Option<String> {
    let solvers = |with: bool| -> Option<String> {
        let wanted = |row: &Row| has_begun(row) && row.job.proof.is_some() == with;
        let labels: BTreeSet<String> = dataset
            .firsts(wanted)
            .into_iter()
            .map(|row| with_solver_names(&dataset.solver(row)))
            .collect();
        (!labels.is_empty()).then(|| labels.into_iter().collect::<Vec<_>>().join(", "))
    };
    let (with, without) = (solvers(true)?, solvers(false)?);
    Some(format!(
        "Times of {with} include writing a proof, those of {without} do not. The former must not be compared with the \
         latter."
    ))
}

/// All times are of one machine, or of machines of one kind.
fn one_machine(CaveatFacts { dataset, .. }: &CaveatFacts<'_, '_>) -> Option<String> {
    let [kind] = dataset.machines.kinds() else { return None };
    let model = kind.cpu_model.as_ref()?;
    let machine = match hosts(dataset) {
        0 | 1 => format!("one machine ({model})"),
        hosts => format!("{hosts} machines of one kind ({kind})"),
    };
    Some(format!(
        "All times are of {machine}. On another machine, ratios of times may differ; numbers of conflicts do not."
    ))
}

/// The instances of each encoding.
type InstancesByEncoding<'p> = IndexMap<String, HashSet<&'p Instance>>;

/// The reasons why the jobs of a plan can support no ranking of their encodings, a sentence each: a numbering has too
/// few instances for the intervals of all pairs, or there are too few solvers. Instances with a solution and instances
/// without one are compared separately, so more instances may be needed.
pub fn ranking_warnings(jobs: &[PlannedJob]) -> Vec<String> {
    let mut arms: IndexMap<(String, &str), InstancesByEncoding<'_>> = IndexMap::new();
    let firsts = jobs.iter().map(|planned| &planned.job).filter(|job| job.task == Task::Solve);
    for job in firsts {
        let instances = arms.entry((job.numbering.id(), job.solver.as_str())).or_default();
        instances.entry(job.encoding_label()).or_default().insert(&job.instance);
    }
    arms.retain(|_, encodings| encodings.len() > 1);
    // A ranking of a numbering has the encodings of all solvers.
    let mut compared: IndexMap<&str, HashSet<&str>> = IndexMap::new();
    for ((numbering, _), encodings) in &arms {
        compared.entry(numbering).or_default().extend(encodings.keys().map(String::as_str));
    }
    let mut warnings: IndexSet<String> = IndexSet::new();
    for ((numbering, _), encodings) in &arms {
        let compared = compared[numbering.as_str()].len();
        let pairs = compared * (compared - 1) / 2;
        let sets: Vec<_> = encodings.values().collect();
        let shared = sets
            .iter()
            .enumerate()
            .flat_map(|(place, one)| sets[..place].iter().map(|two| one.intersection(two).count()));
        let (least, needed) = (shared.min().unwrap_or(0), instances_needed(pairs));
        if least < needed {
            warnings.insert(format!(
                "too few instances to rank encodings ({numbering}): two of them share {}, and \
                 simultaneous 95 % confidence intervals of {} need {needed}, counted separately for \
                 satisfiable and unsatisfiable instances",
                count(least, "instance"),
                count(pairs, "pair"),
            ));
        }
    }
    let programs: HashSet<&str> = arms.keys().map(|(_, solver)| program(solver)).collect();
    if !arms.is_empty() && programs.len() < SOLVERS {
        warnings
            .insert(format!("too few solvers to rank encodings: 1, and a ranking needs {SOLVERS}"));
    }
    warnings.into_iter().collect()
}

#[cfg(test)]
mod tests;
