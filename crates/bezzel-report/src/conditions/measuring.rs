//! Cores, proofs, machines, noise and unchecked answers.

use bezzel_experiment::calibration::{Noise, TOO_HIGH, noise};
use bezzel_solve::ProofFormat;
use indexmap::IndexMap;

use crate::dataset::Dataset;
use crate::distinct::distinct;
use crate::machine_groups;
use crate::number::count;
use crate::row_statistics::cell::{Counts, has_begun};

/// The largest number of sessions whose noise is listed. The readings of all sessions are in the evidence.
const SESSIONS: usize = 12;

/// The definition of noise, and its effect on verdicts.
const NOISE: &str = "Noise is the interquartile range divided by the median of the CPU times of a fixed \
                     formula, which is solved between the runs. An effect on times counts only if its \
                     interval excludes 1 by more than the noise of the sessions that measured it.";

/// The number of runs at the same time, and their cores.
pub(super) fn cores(dataset: &Dataset<'_>) -> Option<String> {
    let environments = &dataset.record.environments;
    let max = environments.iter().map(|environment| environment.parallel).max()?;
    let together = match max {
        0 | 1 => "one at a time".to_owned(),
        max => format!("up to {max} at a time"),
    };
    let rows = || dataset.record.rows.iter().filter(|row| has_begun(row));
    rows().next()?;
    let mut cores: Vec<usize> = distinct(rows().filter_map(|row| row.core));
    cores.sort_unstable();
    let all_bound = rows().all(|row| row.core.is_some());
    let names: Vec<_> = cores.iter().map(usize::to_string).collect();
    let bound = match (&names[..], all_bound) {
        ([], _) => "not bound to a core".to_owned(),
        ([core], true) => format!("bound to core {core}"),
        ([core], false) => format!("some of them bound to core {core}"),
        (_, true) => format!("each bound to one of the cores {}", names.join(", ")),
        (_, false) => format!("some of them bound to one of the cores {}", names.join(", ")),
    };
    Some(format!("Jobs: {together}, {bound}."))
}

/// The solvers that write a proof while they solve. Their times include the writing.
pub(super) fn proofs(dataset: &Dataset<'_>) -> Option<String> {
    // The solvers that write proofs of a format, and those that write none.
    let mut writers: IndexMap<Option<ProofFormat>, Vec<String>> = IndexMap::new();
    for (number, solver) in dataset.solvers.iter().enumerate() {
        let cells = dataset.cells.iter().filter(|cell| cell.index.solver == number);
        // A solver that never ran wrote no proof.
        let mut rows = cells.flat_map(|cell| &cell.rows).filter(|row| has_begun(row));
        let Some(row) = rows.next() else { continue };
        writers.entry(row.job.proof).or_default().push(solver.clone());
    }
    if writers.keys().all(Option::is_none) {
        return (!writers.is_empty()).then(|| "Proofs: none were written.".into());
    }
    // Those that write none come last.
    writers.sort_by_key(|format, _| format.is_none());
    let is_one_format = writers.len() == 1;
    let parts = writers.iter().map(|(format, solvers)| {
        let (writes, its) = if solvers.len() == 1 { ("writes", "its") } else { ("write", "their") };
        let solvers = if is_one_format && solvers.len() > 2 {
            "all solvers".to_owned()
        } else {
            solvers.join(", ")
        };
        match format {
            Some(format) => {
                let format = format.to_string().to_uppercase();
                format!("{solvers} {writes} {format} proofs, and {its} times include the writing")
            }
            None => format!("{solvers} {writes} none"),
        }
    });
    Some(format!("Proofs: {}.", parts.collect::<Vec<_>>().join("; ")))
}

/// The machines, if there were several or a scheduler chose them.
pub(super) fn machines(dataset: &Dataset<'_>) -> Option<String> {
    let lines = machine_groups::lines(dataset);
    (!lines.is_empty()).then(|| format!("Machines: {}.", lines.join("; ")))
}

/// The noise of the machine.
pub(super) fn noises(dataset: &Dataset<'_>) -> Option<String> {
    let noises = noise(&dataset.record.readings);
    let text = match &noises[..] {
        [] => return None,
        [noise] => noise.to_string(),
        noises => of_several_sessions(noises),
    };
    Some(format!("Noise of the machine: {text}. {NOISE}"))
}

/// The noise of each session, as a field of the environment. None unless there are 2 to `SESSIONS` sessions.
pub(crate) fn noise_of_sessions(dataset: &Dataset<'_>) -> Option<(String, String)> {
    let noises = noise(&dataset.record.readings);
    let sessions = noises.iter().map(|noise| format!("session {}, {noise}", noise.session));
    let is_listed = (2..=SESSIONS).contains(&noises.len());
    is_listed.then(|| ("noise".to_owned(), sessions.collect::<Vec<_>>().join("; ")))
}

/// The range and the median of the noise of several sessions, and the number of sessions with each warning.
fn of_several_sessions(noises: &[Noise]) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut spreads: Vec<f64> = noises.iter().filter_map(Noise::spread).collect();
    spreads.sort_by(f64::total_cmp);
    let known = spreads.len();
    let range = match &spreads[..] {
        [] => None,
        [spread] => Some(format!("{} in 1 session", percent(*spread))),
        [least, .., largest] => {
            let median = f64::midpoint(spreads[(known - 1) / 2], spreads[known / 2]);
            let [least, largest, median] = [*least, *largest, median].map(percent);
            let sessions = count(known, "session");
            Some(format!("from {least} to {largest} in {sessions}, with a median of {median}"))
        }
    };
    let number = |is: fn(&Noise) -> bool| noises.iter().filter(|noise| is(noise)).count();
    let flagged = [
        (number(|noise| noise.spread().is_none()), "there are too few readings".to_owned()),
        (number(Noise::is_too_high), format!("it is above {}", percent(TOO_HIGH))),
        (number(Noise::is_shared), "the core was shared".to_owned()),
        (number(|noise| !noise.same_effort), "the effort differs between readings".to_owned()),
    ];
    let flagged = flagged.iter().filter(|(sessions, _)| *sessions > 0);
    let flagged = flagged.map(|(sessions, flag)| {
        let sessions = count(*sessions, "session");
        format!("{flag} in {sessions}")
    });
    range.into_iter().chain(flagged).collect::<Vec<_>>().join("; ")
}

/// The number of answers that were not checked.
pub(super) fn unchecked(dataset: &Dataset<'_>) -> Option<String> {
    let unchecked = Counts::of(&dataset.rows(|_| true)).unchecked;
    (unchecked > 0).then(|| {
        let (are, it) = if unchecked == 1 { ("is", "it") } else { ("are", "them") };
        format!("{} {are} unchecked; medians include {it}.", count(unchecked, "answer"))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bezzel_encode::Registry;
    use bezzel_experiment::calibration::CalibrationJob;
    use bezzel_experiment::{Environment, ExperimentRecord, Row, Termination};
    use bezzel_solve::Answer;

    use super::*;
    use crate::tests::sample::{skipped, solved, unchecked as unchecked_row};

    fn record(rows: Vec<Row>, parallel: u32) -> ExperimentRecord {
        let environments = vec![Environment { parallel, ..Environment::default() }];
        ExperimentRecord { rows, environments, ..ExperimentRecord::default() }
    }

    #[test]
    fn skipped_runs_are_not_in_the_conditions() {
        let mut absent = skipped();
        absent.job.proof = Some(ProofFormat::Drat);
        let only = record(vec![absent.clone()], 1);
        assert_eq!((sentence(&only, cores), sentence(&only, proofs)), (None, None));
        let mixed = record(vec![absent, on(Some(1))], 1);
        assert_eq!(sentence(&mixed, cores).unwrap(), "Jobs: one at a time, bound to core 1.");
        assert_eq!(sentence(&mixed, proofs).unwrap(), "Proofs: none were written.");
    }

    fn sentence(
        record: &ExperimentRecord,
        note: fn(&Dataset<'_>) -> Option<String>,
    ) -> Option<String> {
        note(&Dataset::new(record, &Registry::new()))
    }

    fn on(core: Option<usize>) -> Row {
        Row { core, ..solved(1.0) }
    }

    #[test]
    fn cores_and_runs_at_a_time_are_reported() {
        let cores_of = |rows, parallel| sentence(&record(rows, parallel), cores).unwrap();
        assert_eq!(cores_of(vec![on(None)], 1), "Jobs: one at a time, not bound to a core.");
        assert_eq!(cores_of(vec![on(Some(1))], 1), "Jobs: one at a time, bound to core 1.");
        assert_eq!(
            cores_of(vec![on(Some(3)), on(Some(0))], 2),
            "Jobs: up to 2 at a time, each bound to one of the cores 0, 3."
        );
        assert_eq!(
            cores_of(vec![on(Some(3)), on(None)], 2),
            "Jobs: up to 2 at a time, some of them bound to core 3."
        );
        let nothing = ExperimentRecord { rows: vec![on(None)], ..ExperimentRecord::default() };
        assert_eq!(sentence(&nothing, cores), None);
    }

    #[test]
    fn solvers_whose_times_include_proofs_are_reported() {
        let mut proved = solved(1.0);
        proved.job.solver = "cadical".into();
        let unproved = proved.clone();
        proved.job.proof = Some(ProofFormat::Lrat);
        let proofs_of = |rows| sentence(&record(rows, 1), proofs).unwrap();
        assert_eq!(proofs_of(vec![solved(1.0)]), "Proofs: none were written.");
        assert_eq!(
            proofs_of(vec![proved.clone()]),
            "Proofs: cadical writes LRAT proofs, and its times include the writing."
        );
        assert_eq!(
            proofs_of(vec![proved, solved(1.0), unproved]),
            "Proofs: cadical writes LRAT proofs, and its times include the writing; batsat, cadical (proofs \
             off) write none."
        );
    }

    #[test]
    fn the_noise_of_every_session_is_in_the_environment() {
        let fixed = CalibrationJob::new(&crate::tests::sample::catalog(), Duration::ZERO).unwrap();
        let reading = |session, solve_cpu_s| Row {
            status: Answer::Unsat,
            solve_cpu_s: Some(solve_cpu_s),
            session,
            ..Row::blank(fixed.planned.clone(), Termination::Finished)
        };
        let mut record = record(vec![solved(1.0)], 1);
        assert_eq!(sentence(&record, noises), None);
        record.readings = [0.10, 0.10, 0.10, 0.12, 0.12].map(|time| reading(0, time)).to_vec();
        let noise_note = sentence(&record, noises).unwrap();
        let expected =
            "Noise of the machine: 20.0 % (5 readings, median 100.0 ms), above 10.0 %. Noise is";
        assert!(noise_note.starts_with(expected), "{noise_note}");
        let of_sessions =
            |record: &ExperimentRecord| noise_of_sessions(&Dataset::new(record, &Registry::new()));
        assert_eq!(of_sessions(&record), None);
        record.readings.push(reading(1, 0.1));
        let listed = "session 0, 20.0 % (5 readings, median 100.0 ms), above 10.0 %; \
                      session 1, not known (1 reading of at least 5)";
        assert_eq!(of_sessions(&record), Some(("noise".to_owned(), listed.to_owned())));
        let expected = "Noise of the machine: 20.0 % in 1 session; there are too few readings in \
                        1 session; it is above 10.0 % in 1 session. Noise is";
        let noise_note = sentence(&record, noises).unwrap();
        assert!(noise_note.starts_with(expected), "{noise_note}");
    }

    #[test]
    fn the_noise_of_several_sessions_is_reported_in_a_sentence() {
        let fixed = CalibrationJob::new(&crate::tests::sample::catalog(), Duration::ZERO).unwrap();
        let mut record = record(vec![solved(1.0)], 1);
        for session in 0..4 {
            // Half of them are not noisy at all.
            let late = if session % 2 == 0 { 0.12 } else { 0.10 };
            let times = [0.10, 0.10, 0.10, late, late];
            record.readings.extend(times.map(|time| Row {
                status: Answer::Unsat,
                solve_cpu_s: Some(time),
                session,
                ..Row::blank(fixed.planned.clone(), Termination::Finished)
            }));
        }
        assert_eq!(
            sentence(&record, noises).unwrap(),
            format!(
                "Noise of the machine: from 0.0 % to 20.0 % in 4 sessions, with a median of \
                 10.0 %; it is above 10.0 % in 2 sessions. {NOISE}"
            )
        );
    }

    #[test]
    fn unchecked_answers_are_counted() {
        let note = sentence(&record(vec![unchecked_row(1.0), solved(1.0)], 1), unchecked);
        assert_eq!(note.unwrap(), "1 answer is unchecked; medians include it.");
        assert_eq!(sentence(&record(vec![solved(1.0)], 1), unchecked), None);
    }
}
