//! A sample of the jobs, run again by workers in the isolation of a run.
//!
//! Answers, sizes and digests must be equal; for numbers of solutions also the set and the nodes of the diagram. The
//! solver statistics of a linked solver of the same version under the same options must be equal too, since they depend
//! on the formula alone; those of a program may differ. Times are not compared: they depend on the machine and its load.

use std::collections::BTreeMap;

use bezzel_solve::{Answer, Effort};

use super::{VerifyOptions, closed_form};
use crate::backend;
use crate::backend::catalog::Catalog;
use crate::check::judge::Judge;
use crate::check::report::{NumberedRow, Verification, VerificationStep};
use crate::model::all_solutions::AllSolutions;
use crate::model::job::PlannedJob;
use crate::model::measure::Propagation;
use crate::model::row::{Row, Termination, Verdict};
use crate::run::runner::{self, RunError, RunnerOptions};

pub(super) fn check(
    found: &[NumberedRow],
    catalog: &Catalog,
    options: &VerifyOptions,
    runner_options: &RunnerOptions<'_>,
    verification: &mut Verification<'_>,
) -> Result<(), RunError> {
    let answered = |found: &&NumberedRow| {
        let Row { termination, status, job, .. } = &found.row;
        let is_answered = *status != Answer::Unknown || job.task.backend().is_none();
        *termination == Termination::Finished && is_answered
    };
    if options.sample == 0 {
        return Ok(());
    }
    let is_possible = |found: &&NumberedRow| is_here(&found.row, catalog);
    let (can, cannot): (Vec<_>, Vec<_>) = found.iter().filter(answered).partition(is_possible);
    let unable = cannot.len();
    let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
    for found in cannot {
        if let Err(reason) = catalog.refuse_unknown(&found.row.job) {
            *unknown.entry(reason).or_default() += 1;
        }
    }
    let left = unable - unknown.values().sum::<usize>();
    let chosen = choose(can, options);
    verification.leave_out(VerificationStep::Sample, unable);
    for (reason, answers) in unknown {
        verification.remark_on(answers, "answer", &format!("not found again here: {reason}"));
    }
    verification.remark_on(
        left,
        "answer",
        "not found again here: the encoding is of another revision, the solver of another version, or the job names \
         programs, which run only with --programs",
    );
    let jobs = chosen.iter().filter_map(|found| planned(&found.row, catalog));
    let jobs: Vec<PlannedJob> = jobs.collect();
    let all = jobs.len();
    (verification.observe)(VerificationStep::Sample, 0, all);
    let judge = Judge::with_size_checks(&catalog.size_checks);
    runner::rerun(jobs, runner_options, judge, verification.cancel, |place, row| {
        let found = chosen[place];
        verification.count(VerificationStep::Sample, 1);
        for what in compare(&found.row, &row, catalog) {
            verification.fault(VerificationStep::Sample, found, what);
        }
        (verification.observe)(VerificationStep::Sample, place + 1, all);
    })
}

/// Returns `options.sample` of the rows. The choice depends on the seed and the keys, independent of the order of the
/// file.
fn choose<'a>(mut found: Vec<&'a NumberedRow>, options: &VerifyOptions) -> Vec<&'a NumberedRow> {
    found.sort_by_cached_key(|found| {
        let Row { key, .. } = &found.row;
        *blake3::hash(format!("{} {key}", options.seed).as_bytes()).as_bytes()
    });
    found.truncate(options.sample);
    found.sort_by_key(|found| found.place);
    found
}

/// Returns true if the backend of a row is linked into this program.
fn is_linked(row: &Row, catalog: &Catalog) -> bool {
    let found = catalog.backend(&row.job);
    found.is_ok_and(|backend| backend.is_none_or(|backend| backend.program().is_none()))
}

/// Returns true if the encoding and the backend of a row are available in the measured revision and version.
fn is_here(row: &Row, catalog: &Catalog) -> bool {
    catalog.current(row).is_some_and(|(encoding_revision, solver_version)| {
        encoding_revision == row.encoding_revision && solver_version == row.solver_version
    })
}

/// Returns the job of a row whose encoding and backend [are available](is_here), for running it again.
fn planned(row: &Row, catalog: &Catalog) -> Option<PlannedJob> {
    let planned = catalog.planned_again(row, row.limits_again())?;
    Some(PlannedJob { key: row.key.clone(), size: closed_form(row, catalog), ..planned })
}

/// Returns the differences between the row of a job and that of its second run that must not occur.
fn compare(then: &Row, now: &Row, catalog: &Catalog) -> Vec<String> {
    if now.termination != Termination::Finished {
        let note = now.note.as_deref().unwrap_or("a limit was met");
        return vec![format!("it was finished, and is not when it is run again: {note}")];
    }
    let mut differences = Vec::new();
    if now.status != then.status {
        let what = format!("it answered {}, and {} when it is run again", then.status, now.status);
        differences.push(what);
    }
    if now.formula != then.formula {
        differences.push("its formula has another size when it is run again".into());
    }
    if now.clause_digest != then.clause_digest {
        differences.push("its clauses have another digest when it is run again".into());
    }
    if now.verdict == Verdict::Wrong && then.verdict != Verdict::Wrong {
        let note = now.note.as_deref().unwrap_or_default();
        differences.push(format!("its answer is wrong when it is run again: {note}"));
    }
    if now.circuit != then.circuit {
        differences.push("its circuit has other operations when it is measured again".into());
    }
    let found = |row: &Row| {
        let propagation = row.propagation.clone();
        propagation.map(|Propagation { conflict, found, .. }| (conflict, found))
    };
    if found(now) != found(then) {
        differences.push("unit propagation finds something else when it is run again".into());
    }
    differences.extend(compare_all(then, now));
    // A value that one of them lacks was not counted by that version.
    let unlike = |one: Option<u64>, other: Option<u64>| {
        one.zip(other).is_some_and(|(one, other)| one != other)
    };
    let Effort { conflicts, decisions, propagations, .. } = then.solver_stats;
    // The division of work among threads varies between runs.
    if is_linked(then, catalog)
        && backend::threads(&then.job.options) == 1
        && (unlike(conflicts, now.solver_stats.conflicts)
            || unlike(decisions, now.solver_stats.decisions)
            || unlike(propagations, now.solver_stats.propagations))
    {
        differences.push(format!(
            "its solver statistics were {}, and are {} when it is run again by the same version with the same options",
            statistics_text(&then.solver_stats),
            statistics_text(&now.solver_stats)
        ));
    }
    differences
}

/// Returns the difference between two counts of one job: the number, the set, or the size of the diagram, which depends
/// on the instance, the encoding and the order of its variables.
fn compare_all(then: &Row, now: &Row) -> Option<String> {
    // If the number of solutions is limited, several threads may find other ones.
    let some = then.job.max_solutions.is_some() && backend::threads(&then.job.options) > 1;
    let (then, now) = then.all.as_ref().zip(now.all.as_ref())?;
    if now.count != then.count {
        let (then, now) = (&then.count, &now.count);
        return Some(format!("it found {then} solutions, and {now} when it is run again"));
    }
    if now.digest != then.digest && !some {
        return Some("it finds other solutions when it is run again".into());
    }
    let nodes = |all: &AllSolutions| all.diagram.and_then(|diagram| diagram.nodes);
    let (then, now) = (nodes(then), nodes(now));
    (then != now).then(|| {
        let diagram_text = |nodes: Option<u64>| {
            nodes.map_or_else(|| "none".to_owned(), |nodes| format!("one of {nodes} nodes"))
        };
        let (then, now) = (diagram_text(then), diagram_text(now));
        format!("its diagram was {then}, and is {now} when it is run again")
    })
}

fn statistics_text(effort: &Effort) -> String {
    let number = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    format!(
        "{} conflicts, {} decisions and {} propagations",
        number(effort.conflicts),
        number(effort.decisions),
        number(effort.propagations)
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bezzel_solve::OptionValue;

    use super::*;
    use crate::check::cross::tests::count;
    use crate::model::all_solutions::DiagramSize;
    use crate::model::job::NO_ENCODING;

    #[test]
    fn another_number_another_set_and_another_diagram_are_reported() {
        let catalog = Catalog::of_tests();
        let mut then = count(6, "blocking", "pairwise", 4);
        let all = then.all.as_mut().unwrap();
        all.digest = Some("0".repeat(32));
        all.diagram = Some(DiagramSize { nodes: Some(24), ..DiagramSize::default() });
        let differences_text = |change: fn(&mut AllSolutions)| {
            let mut now = then.clone();
            change(now.all.as_mut().unwrap());
            compare(&then, &now, &catalog).join("; ")
        };
        assert_eq!(differences_text(|_| ()), "");
        let number = "it found 4 solutions, and 5 when it is run again";
        assert_eq!(differences_text(|all| all.count = 5_u8.into()), number);
        let others = "it finds other solutions when it is run again";
        assert_eq!(differences_text(|all| all.digest = Some("1".repeat(32))), others);
        let nodes = "its diagram was one of 24 nodes, and is one of 25 nodes when it is run again";
        assert_eq!(differences_text(|all| all.diagram.as_mut().unwrap().nodes = Some(25)), nodes);
        let none = "its diagram was one of 24 nodes, and is none when it is run again";
        assert_eq!(differences_text(|all| all.diagram = None), none);
        // The peak size may depend on the times of garbage collection.
        assert_eq!(differences_text(|all| all.diagram.as_mut().unwrap().peak_nodes = Some(99)), "");
    }

    #[test]
    fn solver_statistics_of_an_engine_are_compared_unless_threads_share_it() {
        let catalog = Catalog::of_tests();
        let mut then = count(6, "blocking", "pairwise", 4);
        then.solver_stats.conflicts = Some(3);
        let mut now = then.clone();
        now.solver_stats.conflicts = Some(4);
        assert!(
            compare(&then, &now, &catalog)[0].starts_with("its solver statistics were 3 conflicts")
        );
        Arc::make_mut(&mut then.job.options)
            .insert(backend::THREADS.into(), OptionValue::Integer(2));
        assert!(compare(&then, &now, &catalog).is_empty());
        then.job.options = Arc::default();
        then.job.solver = "ganak".into();
        assert!(compare(&then, &now, &catalog).is_empty(), "a program is free in this");
    }

    #[test]
    fn an_engine_is_found_by_its_own_version_with_or_without_an_encoding() {
        let catalog = Catalog::of_tests();
        let can = |row: &Row| is_here(row, &catalog);
        let version = |id| catalog.engine(id).unwrap().info().version;
        let mut row = count(6, "blocking", "pairwise", 4);
        row.solver_version = version("blocking");
        row.encoding_revision = catalog.encodings.find("pairwise").unwrap().info().revision;
        assert!(can(&row));
        assert!(!can(&Row { solver_version: "0".into(), ..row.clone() }));
        assert!(!can(&Row { encoding_revision: 99, ..row.clone() }));
        row.job.solver = "cadical".into();
        assert!(!can(&row), "a solver is no engine");
        let mut row = count(6, "backtrack", NO_ENCODING, 4);
        row.solver_version = version("backtrack");
        assert!(can(&row));
    }
}
