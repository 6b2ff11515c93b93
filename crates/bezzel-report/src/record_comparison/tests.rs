use bezzel_experiment::{Row, StoredResults, Verdict};
use bezzel_problem::Instance;
use bezzel_solve::Answer;

use super::*;
use crate::tests::sample::{at_wall_limit, counted, measured, on_side, solved, timed_out};

/// A record of these rows.
fn record(name: &str, rows: Vec<Row>) -> StoredResults {
    StoredResults {
        name: name.into(),
        config: "name: x\n".into(),
        rows,
        ..StoredResults::default()
    }
}

/// Twelve boards with three repetitions each, whose times differ by board and repetition.
fn rows() -> Vec<Row> {
    let row = |side: u32, repeat: u32| {
        let time = 0.01 * f64::from(side) * (1.0 + 0.2 * f64::from(repeat));
        let mut row = on_side(side, measured(64, 744, 1_500));
        row.job.repeat = repeat;
        row.solve_cpu_s = Some(time);
        row.solver_stats.conflicts = Some(u64::from(side * repeat));
        row.clause_digest = Some(format!("{side:032}"));
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
        row
    };
    (8..20).flat_map(|side| (1..=3).map(move |repeat| row(side, repeat))).collect()
}

fn changed(change: impl Fn(&mut Row)) -> Vec<Row> {
    let mut rows = rows();
    rows.iter_mut().for_each(change);
    rows
}

fn against(b: Vec<Row>) -> RecordComparison {
    RecordComparison::new(&record("a", rows()), &record("b", b))
}

#[test]
fn a_record_beside_itself_differs_in_nothing() {
    let comparison = against(rows());
    assert!(comparison.is_sound());
    assert_eq!((comparison.matched, comparison.a.alone, comparison.b.alone), (36, 0, 0));
    assert_eq!(comparison.changes, []);
    assert_eq!(comparison.overall.efforts, Efforts { compared: 36, equal: 36 });
    assert_eq!((comparison.sizes[0].formulas, comparison.sizes[0].digests), (12, 36));
    let [times] = &comparison.overall.times[..] else { panic!("{comparison:?}") };
    assert_eq!((times.answer, exact(times)), (Answer::Sat, Some(1.0)));
    assert_eq!(times.interval, Some([Some(1.0), Some(1.0)]));
    assert_eq!(times.relation, "equivalent");
    let expected = "reproduced: 36 of 36 solver statistics equal, times 1.00 [1.00, 1.00] of the record's on boards \
                    with a solution";
    assert_eq!(comparison.conclusion(), expected);
}

#[test]
fn a_slower_machine_is_found_by_its_factor_and_an_interval_around_it() {
    // Every time is multiplied by 1.5, some by a little more and some by a little less.
    let slower = changed(|row| {
        let noise =
            if (row.job.instance.size() + row.job.repeat).is_multiple_of(2) { 1.02 } else { 0.98 };
        row.solve_cpu_s = row.solve_cpu_s.map(|time| 1.5 * noise * time);
    });
    let comparison = against(slower);
    assert!(comparison.is_sound(), "times may differ");
    let [times] = &comparison.overall.times[..] else { panic!("{comparison:?}") };
    let Some([Some(low), Some(high)]) = times.interval else { panic!("{times:?}") };
    assert!(1.469 < low && low < 1.5 && 1.5 < high && high < 1.531, "{times:?}");
    assert_eq!((times.boards, times.relation.as_str()), (12, "more"));
    assert!(comparison.text().contains("slower in B"), "{}", comparison.text());
}

#[test]
fn another_revision_may_have_other_clauses_and_another_effort() {
    let revised = changed(|row| {
        row.encoding_revision = 2;
        row.formula.as_mut().unwrap().clauses = 700;
        row.clause_digest = Some("1".repeat(32));
        row.solver_stats.conflicts = Some(1);
        row.key = row.job.key(2, &row.solver_version);
    });
    let comparison = against(revised);
    assert!(comparison.is_sound(), "{:?}", comparison.faults);
    assert_eq!(comparison.matched, 36, "rows are matched by what they ask for");
    assert_eq!(comparison.overall.efforts.compared, 0);
    let sizes = &comparison.sizes[0];
    assert_eq!((sizes.formulas, sizes.resized.len(), sizes.other_digests), (12, 12, 36));
    assert_eq!((sizes.resized[0].a[1], sizes.resized[0].b[1]), (744, 700));
    let change = ConditionChange {
        what: "revision of pairwise".into(),
        a: vec!["1".into()],
        b: vec!["2".into()],
    };
    assert_eq!(comparison.changes, [change]);
}

#[test]
fn other_clauses_under_the_same_revision_are_a_fault() {
    let resized = against(changed(|row| row.formula.as_mut().unwrap().clauses += 1));
    assert_eq!(resized.faults.len(), 12, "one for each formula");
    assert!(resized.faults.iter().all(|fault| fault.about == FaultSubject::Clauses));
    let reordered = against(changed(|row| row.clause_digest = Some("2".repeat(32))));
    assert_eq!(reordered.faults.len(), 36, "one for each clause stream");
    assert!(reordered.faults[0].what.ends_with("the clauses are others, under the same revision"));
}

#[test]
fn another_effort_of_the_same_work_is_a_fault_and_of_another_version_none() {
    let effort = |row: &mut Row| {
        if row.job.instance.size() == 9 && row.job.repeat == 2 {
            row.solver_stats.conflicts = Some(7);
        }
    };
    let comparison = against(changed(effort));
    assert_eq!(comparison.overall.efforts, Efforts { compared: 36, equal: 35 });
    let [fault] = &comparison.faults[..] else { panic!("{:?}", comparison.faults) };
    assert_eq!(fault.about, FaultSubject::Effort);
    assert!(fault.what.contains("18 conflicts in A and 7 conflicts in B"), "{}", fault.what);
    assert!(
        comparison.conclusion().starts_with("NOT reproduced: 1 difference that must not occur")
    );
    let newer = against(changed(|row| {
        effort(row);
        row.solver_version = "2".into();
    }));
    assert!(newer.is_sound());
    assert_eq!(newer.changes[0].what, "version of batsat");
}

#[test]
fn answers_that_contradict_each_other_are_faults_and_limits_are_not() {
    let denied = against(changed(|row| {
        if row.job.instance.size() == 10 && row.job.repeat == 1 {
            row.status = Answer::Unsat;
            row.verdict = Verdict::Unchecked;
        }
    }));
    assert_eq!(denied.answers.contradicting, 1);
    assert!(denied.faults.iter().all(|fault| fault.about == FaultSubject::Answers));
    assert!(denied.conclusion().starts_with("NOT reproduced: 1 answers contradict"));

    let mut late = rows();
    let limit = timed_out();
    (late[0].termination, late[0].status, late[0].verdict) =
        (limit.termination, limit.status, limit.verdict);
    let late = against(late);
    assert!(late.is_sound());
    assert_eq!((late.answers.same, late.answers.only_a), (35, 1));
    assert_eq!(late.answers.ends, [("finished".to_owned(), "at the CPU limit".to_owned(), 1)]);
    assert_eq!(late.overall.times[0].boards, 12, "the median of three is known");
}

#[test]
fn a_count_of_solutions_that_is_another_contradicts() {
    let row = counted("zbdd", "bryant-circuit", 1.0);
    let mut other = row.clone();
    other.all.as_mut().unwrap().count = 93_u32.into();
    let comparison = RecordComparison::new(&record("a", vec![row]), &record("b", vec![other]));
    assert_eq!(comparison.answers.contradicting, 1);
    assert!(!comparison.is_sound());
}

#[test]
fn a_limit_bounds_the_ratio() {
    // Another version that does not come to an end on the board of side 8: at least 4.9 s.
    let mut newer = changed(|row| row.solver_version = "2".into());
    newer.iter_mut().take(3).for_each(at_limit);
    let comparison = against(newer);
    let [times] = &comparison.overall.times[..] else { panic!("{comparison:?}") };
    assert_eq!((times.boards, times.bounded), (12, 1));
    let Some([Some(low), None]) = times.mean else { panic!("{times:?}") };
    // The median of side 8 is 0.112 s, and all others are unchanged.
    let expected = (4.9001_f64 / 0.1121).powf(1.0 / 12.0);
    assert!((low - expected).abs() < 1e-9, "{low}");
    assert_ne!(times.relation, "equivalent");
}

/// Ends a run at its CPU limit, after 4.9 s of solving.
fn at_limit(row: &mut Row) {
    let limit = timed_out();
    (row.termination, row.status, row.verdict) = (limit.termination, limit.status, limit.verdict);
    row.solve_cpu_s = Some(4.9);
}

/// The ratio, if no bound has a share in it.
fn exact(times: &Times) -> Option<f64> {
    let [low, high] = times.mean?;
    low.filter(|_| low == high)
}

#[test]
fn boards_with_a_solution_and_boards_without_one_have_times_of_their_own() {
    let halves = |factors: [f64; 2]| {
        changed(move |row| {
            let has_solution = row.job.instance.size() < 14;
            if !has_solution {
                row.status = Answer::Unsat;
            }
            let factor = factors[usize::from(has_solution)];
            row.solve_cpu_s = row.solve_cpu_s.map(|time| factor * time);
        })
    };
    let b = halves([4.0, 0.5]);
    let comparison = RecordComparison::new(&record("a", halves([1.0, 1.0])), &record("b", b));
    let read = comparison.overall.times.iter().map(|times| {
        let ratio = exact(times).map(|ratio| (100.0 * ratio).round());
        (times.answer, times.boards, ratio, times.relation.as_str())
    });
    let read = read.collect::<Vec<_>>();
    assert_eq!(
        read,
        [(Answer::Sat, 6, Some(50.0), "less"), (Answer::Unsat, 6, Some(400.0), "more")]
    );
    assert!(comparison.text().contains("on boards without a solution"), "{}", comparison.text());
}

#[test]
fn times_that_depend_on_a_family_that_the_config_states_are_given_by_family() {
    // Half of the time on small boards, and twice of it on large ones.
    let is_small = |instance: &Instance| instance.size() < 14;
    let b = changed(|row| {
        let factor = if is_small(&row.job.instance) { 0.5 } else { 2.0 };
        row.solve_cpu_s = row.solve_cpu_s.map(|time| factor * time);
    });
    let stated = rows().into_iter().map(|row| row.job.instance).map(|board| {
        let family = if is_small(&board) { "small" } else { "large" };
        (board, family.to_owned())
    });
    let a = StoredResults { families: stated.collect(), ..record("a", rows()) };
    let comparison = RecordComparison::new(&a, &record("b", b.clone()));
    let [times] = &comparison.overall.times[..] else { panic!("{comparison:?}") };
    assert_eq!((times.relation.as_str(), times.mean), ("depends on the family", None));
    let families = times.families.iter();
    let families = families.map(|(family, times)| (family.as_str(), times.relation.as_str()));
    assert_eq!(families.collect::<Vec<_>>(), [("small", "less"), ("large", "more")]);
    let text = comparison.text();
    assert!(text.contains("sat, small") && text.contains("sat, large"), "{text}");
    assert!(comparison.conclusion().ends_with("depend on the family on boards with a solution"));
    // All boards are of one family without a stated family.
    assert_eq!(against(b).overall.times[0].families, []);
}

#[test]
fn a_difference_within_the_noise_of_either_record_is_undecided() {
    let slower = changed(|row| row.solve_cpu_s = row.solve_cpu_s.map(|time| 1.15 * time));
    let steady = record("a", rows());
    let noisy = |times: [f64; 5]| {
        let reading = |time| Row { solve_cpu_s: Some(time), ..solved(1.0) };
        StoredResults { readings: times.map(reading).to_vec(), ..record("b", slower.clone()) }
    };
    let relation =
        |times| RecordComparison::new(&steady, &noisy(times)).overall.times[0].relation.clone();
    assert_eq!(relation([0.1; 5]), "more");
    assert_eq!(
        relation([0.10, 0.10, 0.10, 0.12, 0.12]),
        "undecided",
        "the quartiles are 20 % apart"
    );
}

#[test]
fn a_board_on_which_a_run_shared_its_core_leaves_the_times() {
    let mut newer = changed(|row| row.solver_version = "2".into());
    let late = at_wall_limit(1.6);
    (newer[0].termination, newer[0].status, newer[0].verdict) =
        (late.termination, late.status, late.verdict);
    (newer[0].cpu_s, newer[0].wall_s) = (late.cpu_s, late.wall_s);
    let comparison = against(newer);
    let times = &comparison.overall.times[0];
    assert_eq!((times.boards, times.bounded, comparison.disturbed), (11, 0, 1), "{times:?}");
    assert!(comparison.text().contains("1 board left out of the times"));
}

#[test]
fn a_board_with_a_median_over_the_limit_in_both_has_no_ratio() {
    // On the board of side 8 two of three repetitions come to no end in either record. The third takes three times as
    // long in B, which does not change the median.
    let limited = |version: &str, factor: f64| {
        let mut rows = changed(|row| row.solver_version = version.into());
        rows[..2].iter_mut().for_each(at_limit);
        rows[2].solve_cpu_s = rows[2].solve_cpu_s.map(|time| factor * time);
        rows
    };
    let (a, b) = (limited("1", 1.0), limited("2", 3.0));
    let comparison = RecordComparison::new(&record("a", a), &record("b", b));
    for times in [&comparison.overall.times[0], &comparison.arms[0].times[0]] {
        assert_eq!((times.boards, times.bounded, times.left_out), (11, 0, 1), "{times:?}");
        assert_eq!(exact(times), Some(1.0), "{times:?}");
    }
    let expected = "on 1 of the boards with a solution both records are at a limit";
    assert!(comparison.text().contains(expected), "{}", comparison.text());
}

#[test]
fn jobs_of_one_record_alone_are_reported_and_not_compared() {
    let mut b = rows();
    b.truncate(30);
    b.push(on_side(30, solved(1.0)));
    let comparison = against(b);
    assert_eq!((comparison.matched, comparison.a.alone, comparison.b.alone), (30, 6, 1));
    assert_eq!(comparison.a.alone_of, [("batsat with pairwise".to_owned(), 6)]);
    let nothing = RecordComparison::new(&record("a", rows()), &record("b", Vec::new()));
    assert_eq!(nothing.matched, 0);
    assert!(nothing.text().contains("no job in common"));
}

#[test]
fn configs_are_distinguished_by_their_lines() {
    let a = StoredResults {
        config: "name: a\n# why\nlimits: {cpu: 5 s}\n".into(),
        ..record("a", rows())
    };
    let b =
        StoredResults { config: "name: a\n\nlimits: {cpu: 9 s}\n".into(), ..record("b", rows()) };
    let lines = RecordComparison::new(&a, &b).config;
    assert_eq!(
        (lines.a, lines.b),
        (vec!["limits: {cpu: 5 s}".into()], vec!["limits: {cpu: 9 s}".into()])
    );
}

#[test]
fn the_same_records_give_the_same_bytes_and_nothing_in_them_is_markup() {
    let texts = || {
        let mut comparison = against(rows());
        comparison.a.name = "<b>|x".into();
        (comparison.text(), comparison.markdown(), serde_json::to_string(&comparison).unwrap())
    };
    assert_eq!(texts(), texts());
    assert!(texts().1.contains("\\<b\\>\\|x"));
}
