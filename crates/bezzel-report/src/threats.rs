//! Threats to validity: reasons to doubt the results of a report, computed from its record.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_experiment::Task;

use crate::cautions::cautions;
use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::machine_groups::hosts;
use crate::number::{count, significant};
use crate::row_statistics::cell::{Counts, has_begun, is_counted};
use bezzel_statistics::LEVEL;
use bezzel_statistics::median_interval::min_instances;

/// The sentences.
pub(crate) fn threats(dataset: &Dataset<'_>) -> Vec<String> {
    let mut threats = cautions(dataset);
    if dataset.record.rows.is_empty() {
        return threats;
    }
    threats.extend(instances(dataset));
    threats.extend(ends(dataset));
    threats.extend(versions(dataset));
    threats.extend(proofs(dataset));
    threats.extend(machine(dataset));
    threats
}

/// Few instances, or instances of one family.
fn instances(dataset: &Dataset<'_>) -> Option<String> {
    let families = dataset.instances.iter().map(|instance| dataset.family(instance));
    let families: BTreeSet<String> = families.collect();
    let instances = dataset.instances.len();
    let few = instances > 0 && (instances < min_instances(LEVEL) || families.len() < 2);
    few.then(|| {
        let of_families = match families.len() {
            1 => "1 family".to_owned(),
            more => format!("{more} families"),
        };
        let these = if instances == 1 { "it" } else { "these" };
        format!(
            "{} of {of_families}: a result on {these} need not hold on others.",
            count(instances, "instance")
        )
    })
}

/// Runs without a time, unchecked answers, and missing runs.
fn ends(dataset: &Dataset<'_>) -> Vec<String> {
    let rows = dataset.rows(|_| true);
    let counts = Counts::of(&rows);
    let mut sentences = Vec::new();
    let others = dataset.record.under_other_limits;
    if others > 0 {
        let (were, these) = if others == 1 { ("was", "It") } else { ("were", "They") };
        sentences.push(format!(
            "{} {were} measured under other limits, of an earlier version of the config. {these} finished within \
             the present limits, or hit a limit that is not lower.",
            count(others, "run")
        ));
    }
    let over = counts.timed_out + counts.out_of_memory + counts.failed;
    if over > 0 {
        let share = 100.0 * over as f64 / counts.rows as f64;
        let (bound, them) = if over == 1 {
            ("has no answer: its time is a lower bound", "it")
        } else {
            ("have no answer: their times are lower bounds", "them")
        };
        sentences.push(format!(
            "{} ({} %) {bound}, and ratios with {them} are bounds.",
            count(over, "run"),
            significant(share, 2)
        ));
    }
    let disturbed = distinct(
        dataset
            .firsts(|row| is_counted(row) && row.is_disturbed())
            .into_iter()
            .map(|row| &row.job.instance),
    );
    if !disturbed.is_empty() {
        let these = if disturbed.len() == 1 { "This instance is" } else { "These instances are" };
        sentences.push(format!(
            "On {}, a run reached its wall limit with less than 90 % of that time as CPU time, because \
             its core was shared or it waited. {these} left out of every comparison of times that \
             includes such a run.",
            count(disturbed.len(), "instance")
        ));
    }
    if counts.unchecked > 0 {
        let (are, they) = if counts.unchecked == 1 { ("is", "it") } else { ("are", "they") };
        sentences.push(format!(
            "{} {are} unchecked: {they} {are} shown, and not ranked.",
            count(counts.unchecked, "answer")
        ));
    }
    let missing = dataset.record.planned.saturating_sub(dataset.record.rows.len());
    let not_run = missing + counts.host_error + counts.skipped;
    if not_run > 0 {
        let were = if not_run == 1 { "was" } else { "were" };
        sentences.push(format!(
            "{} of {} planned {were} not finished. If this was not by chance, the other runs are a \
             biased selection.",
            count(not_run, "run"),
            dataset.record.planned
        ));
    }
    sentences
}

/// Solvers and encodings with rows of several versions.
fn versions(dataset: &Dataset<'_>) -> Option<String> {
    let mut of_things: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in dataset.rows(has_begun) {
        let version = row.solver_version.clone();
        of_things.entry(row.job.solver.clone()).or_default().insert(version);
        let revision = format!("revision {}", row.encoding_revision);
        of_things.entry(row.job.encoding.clone()).or_default().insert(revision);
    }
    let several = of_things.into_iter().filter(|(_, versions)| versions.len() > 1);
    let things = several.map(|(thing, versions)| {
        format!("{} ({})", thing, versions.into_iter().collect::<Vec<_>>().join(", "))
    });
    let things: Vec<String> = things.collect();
    (!things.is_empty())
        .then(|| format!("The record has rows of several versions: {}.", things.join("; ")))
}

/// Solvers that write proofs beside solvers that do not.
fn proofs(dataset: &Dataset<'_>) -> Option<String> {
    let rows = dataset.rows(|row| has_begun(row) && row.job.task == Task::Solve);
    let solvers = |with: bool| {
        let of_kind = rows.iter().filter(|row| row.job.proof.is_some() == with);
        let labels: BTreeSet<String> = of_kind.map(|row| dataset.solver(row)).collect();
        labels.into_iter().collect::<Vec<_>>().join(", ")
    };
    let (with, without) = (solvers(true), solvers(false));
    (!with.is_empty() && !without.is_empty()).then(|| {
        format!(
            "Times of {with} include writing a proof, those of {without} do not. The former must not be \
             compared with the latter."
        )
    })
}

/// The sentence that all times are of one machine, or of machines of one kind.
fn machine(dataset: &Dataset<'_>) -> Option<String> {
    let [kind] = dataset.machines.kinds() else { return None };
    let model = kind.cpu_model.as_ref()?;
    let machine = match hosts(dataset) {
        0 | 1 => format!("one machine ({model})"),
        hosts => format!("{hosts} machines of one kind ({kind})"),
    };
    Some(format!(
        "All times are of {machine}. On another machine, ratios of times may differ; numbers of conflicts \
         do not."
    ))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::{Environment, ExperimentRecord, Row};
    use bezzel_solve::ProofFormat;

    use super::*;
    use crate::tests::sample::{of_size, skipped, solved, timed_out, unchecked};

    fn threats_of(record: &ExperimentRecord) -> Vec<String> {
        threats(&Dataset::new(record, &Registry::new()))
    }

    fn of_rows(rows: Vec<Row>) -> Vec<String> {
        threats_of(&ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() })
    }

    fn contains(sentences: &[String], words: &str) -> bool {
        sentences.iter().any(|sentence| sentence.contains(words))
    }

    #[test]
    fn few_instances_time_outs_unchecked_and_skipped_runs_are_reported() {
        let sentences = of_rows(vec![solved(1.0), timed_out(), unchecked(1.0), skipped()]);
        assert!(
            contains(&sentences, "1 instance of 1 family: a result on it need"),
            "{sentences:?}"
        );
        let alone = "1 run (25 %) has no answer: its time is a lower bound, and ratios with it are \
                     bounds.";
        assert!(contains(&sentences, alone), "{sentences:?}");
        assert!(
            contains(&sentences, "1 answer is unchecked: it is shown, and not ranked."),
            "{sentences:?}"
        );
        assert!(contains(&sentences, "1 run of 4 planned was not finished"), "{sentences:?}");
        let ends = [timed_out(), unchecked(1.0), skipped()];
        let twice = of_rows(ends.iter().chain(&ends).cloned().collect());
        let several = "2 runs (33 %) have no answer: their times are lower bounds, and ratios with \
                       them are bounds.";
        assert!(contains(&twice, several), "{twice:?}");
        assert!(contains(&twice, "2 answers are unchecked: they are shown, and"), "{twice:?}");
        assert!(contains(&twice, "2 runs of 6 planned were not finished"), "{twice:?}");
    }

    #[test]
    fn a_wide_experiment_is_not_reported_as_narrow() {
        let mut rows: Vec<Row> = (8..20).map(|size| of_size(size, solved(1.0))).collect();
        assert!(contains(&of_rows(rows.clone()), "12 instances of 1 family"));
        rows[0].status = bezzel_solve::Answer::Unsat;
        assert!(!contains(&of_rows(rows), "a result on these"));
    }

    #[test]
    fn versions_and_proofs_side_by_side_and_the_one_machine_are_reported() {
        let mut rows = vec![solved(1.0), solved(1.0), solved(1.0)];
        rows[1].solver_version = "2".into();
        rows[2].job.solver = "cadical".into();
        rows[2].job.proof = Some(ProofFormat::Lrat);
        let environment =
            Environment { cpu_model: Some("Example CPU".into()), ..Environment::default() };
        let record = ExperimentRecord {
            rows,
            environments: vec![environment],
            ..ExperimentRecord::default()
        };
        let sentences = threats_of(&record);
        assert!(contains(&sentences, "rows of several versions: batsat (1, 2)."), "{sentences:?}");
        assert!(contains(
            &sentences,
            "Times of cadical include writing a proof, those of batsat do not."
        ));
        assert!(contains(&sentences, "one machine (Example CPU)"));
        assert!(!contains(&of_rows(vec![solved(1.0)]), "one machine"));
    }
}
