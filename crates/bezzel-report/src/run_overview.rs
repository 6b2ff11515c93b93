//! The outcome of the plan: ends of runs, wrong answers, and the environments that measured them.

use bezzel_encode::Numbering;
use bezzel_experiment::quantity::memory;
use bezzel_experiment::{Job, NO_ENCODING, Row, Task, Termination, Verdict};
use serde_json::Value as Json;

use crate::dataset::Dataset;
use crate::distinct::count_distinct;
use crate::limits;
use crate::number::{count, date};
use crate::row_statistics::cell::Counts;
use indexmap::IndexMap;

/// The ends of runs and their numbers, the planned ones that have no row included.
pub(crate) fn run_ends(dataset: &Dataset<'_>) -> Vec<(&'static str, usize)> {
    let record = dataset.record;
    let counts = Counts::of(&dataset.rows(|_| true));
    let mut ends = vec![
        ("planned", record.planned),
        ("missing", record.planned.saturating_sub(record.rows.len())),
        ("answered and verified", counts.verified),
        ("answered, unchecked", counts.unchecked),
        ("answered wrongly", counts.wrong),
    ];
    let at_limits = limits::limit_counts(&counts);
    ends.extend(at_limits.map(|(end, number)| (limits::end_words(end), number)));
    ends.extend([
        ("failed otherwise", counts.failed),
        ("killed from outside, and run again by the same command", counts.host_error),
        ("skipped, since their solver or engine is not installed", counts.skipped),
    ]);
    ends
}

/// The numbers of runs by their ends, and of encodings, instances, solvers, numberings and engines, by
/// permanent names.
pub(crate) fn run_counts(dataset: &Dataset<'_>) -> Vec<(&'static str, usize)> {
    let counts = Counts::of(&dataset.rows(|_| true));
    vec![
        ("planned", dataset.record.planned),
        ("runs", counts.rows),
        ("answered", counts.solved),
        ("verified", counts.verified),
        ("unchecked", counts.unchecked),
        ("wrong", counts.wrong),
        ("timed_out", counts.timed_out),
        ("wall_limit", counts.wall_limit),
        ("disturbed", counts.disturbed),
        ("out_of_memory", counts.out_of_memory),
        ("failed", counts.failed),
        ("skipped", counts.skipped),
        ("encodings", dataset.encodings.len()),
        ("instances", dataset.instances.len()),
        ("solvers", dataset.solvers.len()),
        ("numberings", dataset.numberings.len()),
        ("engines", dataset.counter_runs.arms.len()),
    ]
}

/// The largest number of listed reasons of a kind.
const MAX_REASONS: usize = 8;

/// The CPU time used by runs that another limit ended; and the reasons for which runs failed or were skipped,
/// each reason of each solver once with its number of runs.
pub(crate) fn failure_reasons(dataset: &Dataset<'_>) -> Vec<String> {
    let failed = |row: &Row| Counts::of(&[row]).failed == 1;
    let failed = grouped(dataset, "Failed", failed, "it gave neither an answer nor a reason");
    let skipped = |row: &Row| row.termination == Termination::Skipped;
    let skipped = grouped(dataset, "Skipped", skipped, "it is not installed");
    // Runs at the CPU limit used all of it, so their number suffices.
    let ended = dataset.rows(|row| row.termination != Termination::CpuLimit);
    let ended = limits::at_limits(ended).into_iter();
    ended.chain(failed).chain(skipped).collect()
}

fn grouped(
    dataset: &Dataset<'_>,
    what: &str,
    keep: impl Fn(&Row) -> bool,
    default_reason: &str,
) -> Vec<String> {
    let reason = |row: &Row| {
        format!("{}: {}", dataset.solver(row), row.note.as_deref().unwrap_or(default_reason))
    };
    let mut reasons = count_distinct(dataset.rows(keep).into_iter().map(reason));
    let others = reasons.split_off(reasons.len().min(MAX_REASONS));
    let lines = reasons.into_iter().map(|(reason, times)| format!("{what} {times}: {reason}"));
    let others: usize = others.iter().map(|(_, times)| times).sum();
    let others =
        (others > 0).then(|| format!("{what} {others} for other reasons, given in their rows"));
    lines.chain(others).collect()
}

/// The contradictions between rows, a sentence each.
pub(crate) fn contradictions(dataset: &Dataset<'_>) -> Vec<String> {
    let contradictions = dataset.record.contradictions.iter();
    contradictions.map(std::string::ToString::to_string).collect()
}

/// The wrong answers, a sentence each.
pub(crate) fn wrong_answers(dataset: &Dataset<'_>) -> Vec<String> {
    let rows = dataset.rows(|row| row.verdict == Verdict::Wrong);
    rows.into_iter().map(|row| describe(dataset, row)).collect()
}

fn describe(dataset: &Dataset<'_>, row: &Row) -> String {
    let Job { instance, numbering, task, .. } = &row.job;
    let instance = format!("instance {instance}");
    let (encoding, numbering) = (dataset.encoding(row), seeded(numbering));
    let (solver, answer) = (dataset.solver(row), row.status);
    let run = if task.backend().is_none() {
        format!("{} of {encoding} on {instance}", task.id())
    } else if row.job.encoding == NO_ENCODING {
        format!("{} on {instance}, by {solver}: answered {answer}", task.id())
    } else {
        let what = if *task == Task::Solve { "" } else { &format!("{} of ", task.id()) };
        format!(
            "{what}{encoding} on {instance}, numbering {numbering}, by {solver}: answered {answer}"
        )
    };
    let note = row.note.as_ref().map_or(String::new(), |note| format!("; {note}"));
    format!("{run}{note} (key {})", row.key)
}

/// A numbering with its seeds.
fn seeded(numbering: &Numbering) -> String {
    let seeds = [numbering.variables, numbering.literals, numbering.polarity, numbering.clauses];
    let mut seeds: Vec<String> = seeds.iter().flatten().map(u64::to_string).collect();
    seeds.dedup();
    match &seeds[..] {
        [] => numbering.id(),
        [seed] => format!("{} (seed {seed})", numbering.id()),
        seeds => format!("{} (seeds {})", numbering.id(), seeds.join(", ")),
    }
}

/// The largest number of listed values of a field. If there are more, their number is stated.
const MAX_VALUES: usize = 3;
/// The largest number of listed sessions of a value. If there are more, their number is stated.
const MAX_SESSIONS: usize = 12;

/// The environments of all sessions: each field with its value, or with its values and their sessions where they
/// differ.
pub(crate) fn environment(dataset: &Dataset<'_>) -> Vec<(String, String)> {
    let environments = &dataset.record.environments;
    let mut values: IndexMap<String, IndexMap<String, Vec<String>>> = IndexMap::new();
    for (number, environment) in environments.iter().enumerate() {
        let json = serde_json::to_value(environment).unwrap_or(Json::Null);
        let mut fields = Vec::new();
        flatten("", &json, &mut fields);
        for (name, value) in fields {
            values.entry(name).or_default().entry(value).or_default().push(number.to_string());
        }
    }
    let merged = values.into_iter().map(|(name, of_sessions)| {
        let is_one = of_sessions.len() == 1 && of_sessions[0].len() == environments.len();
        let of = |(value, sessions): (&String, &Vec<String>)| match sessions.len() {
            1 => format!("{value} (session {})", sessions[0]),
            ..=MAX_SESSIONS => format!("{value} (sessions {})", sessions.join(", ")),
            more => format!("{value} ({})", count(more, "session")),
        };
        let value = match (is_one, of_sessions.len()) {
            (true, _) => of_sessions.keys().next().cloned().unwrap_or_default(),
            (false, ..=MAX_VALUES) => of_sessions.iter().map(of).collect::<Vec<_>>().join("; "),
            (false, number) => {
                let ends = [of_sessions.first(), of_sessions.last()].into_iter().flatten().map(of);
                format!("{number} values, from {}", ends.collect::<Vec<_>>().join(" to "))
            }
        };
        (name, value)
    });
    merged.collect()
}

fn flatten(name: &str, json: &Json, fields: &mut Vec<(String, String)>) {
    let value = match json {
        Json::Object(object) => {
            // Options are many and short: on one line.
            if name.ends_with(" options") {
                // All of them may differ from row to row.
                if object.is_empty() {
                    return;
                }
                let options = object.iter().map(|(key, value)| format!("{key}={}", text(value)));
                fields.push((name.to_owned(), options.collect::<Vec<_>>().join(", ")));
                return;
            }
            for (key, value) in object {
                let name = if name.is_empty() { key.clone() } else { format!("{name} {key}") };
                flatten(&name, value, fields);
            }
            return;
        }
        Json::Array(array) => array.iter().map(text).collect::<Vec<_>>().join(", "),
        other => text(other),
    };
    let number = json.as_u64();
    let (name, value) = match (name.strip_suffix("_bytes"), name.strip_suffix("_unix_s"), number) {
        (Some(name), _, Some(number)) => (name, memory(number.into())),
        (_, Some(name), Some(number)) => (name, date(number)),
        _ => (name, value.clone()),
    };
    fields.push((name.replace('_', " "), value));
}

fn text(json: &Json) -> String {
    match json {
        Json::Null => "not known".into(),
        Json::Bool(true) => "yes".into(),
        Json::Bool(false) => "no".into(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{self, shuffled, solved, wrong as wrong_row};
    use bezzel_encode::Registry;
    use bezzel_experiment::{Environment, ExperimentRecord};

    #[test]
    fn runs_without_a_row_are_missing_and_not_anything_else() {
        let record =
            ExperimentRecord { planned: 3, rows: vec![solved(1.0)], ..ExperimentRecord::default() };
        let registry = Registry::new();
        let ends = run_ends(&Dataset::new(&record, &registry));
        assert_eq!(ends[..3], [("planned", 3), ("missing", 2), ("answered and verified", 1)]);
        assert!(ends[3..].iter().all(|(_, number)| *number == 0));
    }

    #[test]
    fn skipped_runs_are_reported_with_their_reason_and_killed_ones_as_to_be_run_again() {
        let rows = vec![sample::skipped(), sample::skipped(), sample::killed()];
        let record = ExperimentRecord { planned: 3, rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let dataset = Dataset::new(&record, &registry);
        let occurring: Vec<_> =
            run_ends(&dataset).into_iter().filter(|(_, number)| *number > 0).collect();
        assert_eq!(
            occurring,
            [
                ("planned", 3),
                ("killed from outside, and run again by the same command", 1),
                ("skipped, since their solver or engine is not installed", 2)
            ]
        );
        assert_eq!(
            failure_reasons(&dataset),
            [
                "Skipped 2: kissat: kissat is not installed: no program `kissat` is in the search path"
            ]
        );
    }

    #[test]
    fn runs_that_failed_are_reported_with_their_reasons_the_commonest_kinds_by_name() {
        let crashed = |note: Option<&str>| Row {
            termination: Termination::Crashed,
            note: note.map(str::to_owned),
            ..sample::timed_out()
        };
        let reasons_of = |rows| {
            let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
            failure_reasons(&Dataset::new(&record, &Registry::new()))
        };
        let rows = vec![crashed(Some("by signal 11")), solved(1.0), crashed(Some("by signal 11"))];
        assert_eq!(reasons_of(rows), ["Failed 2: batsat: by signal 11"]);
        assert_eq!(
            reasons_of(vec![crashed(None)]),
            ["Failed 1: batsat: it gave neither an answer nor a reason"]
        );
        assert!(reasons_of(vec![sample::timed_out(), sample::killed(), wrong_row(1.0)]).is_empty());
        let many = (0..20).map(|line| crashed(Some(&format!("a fault in line {line}"))));
        let many = reasons_of(many.collect());
        assert_eq!(many.len(), MAX_REASONS + 1);
        assert_eq!(many[MAX_REASONS], "Failed 12 for other reasons, given in their rows");
    }

    #[test]
    fn a_wrong_answer_is_reported_with_what_finds_it_again() {
        let mut row = wrong_row(1.0);
        row.job.numbering = shuffled(7, 1.0).job.numbering;
        row.note = Some("the pair of 3 is not there".into());
        let record =
            ExperimentRecord { planned: 1, rows: vec![row], ..ExperimentRecord::default() };
        let registry = Registry::new();
        assert_eq!(
            wrong_answers(&Dataset::new(&record, &registry)),
            [
                "pairwise on instance langford 8, numbering random (seed 7), by batsat: answered sat; the pair \
              of 3 is not there (key 00)"
            ]
        );
    }

    #[test]
    fn the_fields_of_environments_are_shown_with_units_and_with_sessions_where_they_differ() {
        let session = |memory_bytes: u64, parallel| Environment {
            memory_bytes: Some(memory_bytes),
            started_unix_s: memory_bytes,
            parallel,
            ..Environment::default()
        };
        let environments =
            vec![session(8_000_000_000, 1), session(0, 1), session(60, 1), session(120, 2)];
        let record = ExperimentRecord { environments, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let fields = environment(&Dataset::new(&record, &registry));
        let value = |name: &str| {
            let field = fields.iter().find(|field| field.0 == name);
            field.unwrap_or_else(|| panic!("no {name} in {fields:?}")).1.as_str()
        };
        assert_eq!(value("kernel"), "not known");
        assert_eq!(value("parallel"), "1 (sessions 0, 1, 2); 2 (session 3)");
        assert_eq!(value("memory"), "4 values, from 7.5 GiB (session 0) to 120 bytes (session 3)");
    }

    #[test]
    fn sessions_of_a_value_are_counted_where_they_are_many() {
        let session =
            |number| Environment { parallel: u32::from(number > 0) + 1, ..Environment::default() };
        let of_parallel = |sessions: usize| {
            let environments = (0..sessions).map(session).collect();
            let record = ExperimentRecord { environments, ..ExperimentRecord::default() };
            let registry = Registry::new();
            let fields = environment(&Dataset::new(&record, &registry));
            fields.into_iter().find(|(name, _)| name == "parallel").unwrap().1
        };
        assert_eq!(
            of_parallel(MAX_SESSIONS + 1),
            "1 (session 0); 2 (sessions 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)"
        );
        assert_eq!(of_parallel(MAX_SESSIONS + 2), "1 (session 0); 2 (13 sessions)");
    }
}
