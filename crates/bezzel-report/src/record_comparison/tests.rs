use bezzel_experiment::{Row, StoredResults, Verdict};
use bezzel_solve::Answer;

use super::*;
use crate::table::Item;
use crate::tests::sample::{at_wall_limit, counted, measured, of_size, solved, timed_out};

/// A record of these rows.
fn record(name: &str, rows: Vec<Row>) -> StoredResults {
    StoredResults { name: name.into(), rows, ..StoredResults::default() }
}

/// Twelve instances with three repetitions each, whose times differ by instance and repetition.
fn rows() -> Vec<Row> {
    let row = |size: u32, repeat: u32| {
        let mut row = of_size(size, measured(64, 744, 1_500));
        row.job.repeat = repeat;
        row.solve_cpu_s = Some(0.01 * f64::from(size) * (1.0 + 0.2 * f64::from(repeat)));
        row.solver_stats.conflicts = Some(u64::from(size * repeat));
        row.clause_digest = Some(format!("{size:032}"));
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
        row
    };
    (8..20).flat_map(|size| (1..=3).map(move |repeat| row(size, repeat))).collect()
}

fn changed_rows(change: impl Fn(&mut Row)) -> Vec<Row> {
    let mut rows = rows();
    rows.iter_mut().for_each(change);
    rows
}

fn against(b: Vec<Row>) -> RecordComparison {
    RecordComparison::new(&record("a", rows()), &record("b", b))
}

/// The entries of these columns of a table.
fn read(comparison: &RecordComparison, id: &str, columns: &[&str]) -> Vec<String> {
    let Some(table) = comparison.tables.iter().find(|table| table.id == id) else { return vec![] };
    let place = |name: &&str| table.columns.iter().position(|column| column.name == **name);
    let places: Vec<usize> = columns.iter().map(|name| place(name).expect(name)).collect();
    let row = |row: &Vec<Item>| places.iter().map(|&it| row[it].read()).collect::<Vec<_>>();
    table.rows.iter().map(|it| row(it).join(" ")).collect()
}

/// The ends of an interval of the times.
fn interval(comparison: &RecordComparison, row: usize) -> [f64; 2] {
    let table = comparison.tables.iter().find(|table| table.id == "times").expect("times");
    ["ratio_low", "ratio_high"].map(|name| {
        let place = table.columns.iter().position(|column| column.name == name).expect(name);
        table.rows[row][place].whole().parse().expect("a number")
    })
}

#[test]
fn a_record_beside_itself_differs_in_nothing() {
    let comparison = against(rows());
    let jobs = JobCounts { both: 36, statistics: 36, equal_statistics: 36, ..JobCounts::default() };
    assert_eq!((comparison.jobs, comparison.is_sound()), (jobs, true));
    let ids: Vec<&str> = comparison.tables.iter().map(|table| table.id.as_str()).collect();
    assert_eq!(ids, ["jobs", "times"], "no answer and no size differs");
    let columns =
        ["encoding", "numbering", "solver", "answer", "family", "instances", "ratio", "verdict"];
    assert_eq!(
        read(&comparison, "times", &columns),
        [
            "pairwise as-generated batsat satisfiable langford 12 1.00 equivalent",
            "all all all satisfiable langford 12 1.00 equivalent"
        ]
    );
    let expected = "reproduced: 36 of 36 solver statistics equal, times 1.00 [1.00, 1.00] of the record's on satisfiable \
                    instances";
    assert_eq!(comparison.conclusion(), expected);
}

#[test]
fn a_slower_record_has_its_factor_in_each_cell_and_over_all() {
    // One solver takes 1.5 times as long in B, the other three times.
    let of = |solver: &str, factor: f64| {
        changed_rows(|row| {
            row.job.solver = solver.into();
            row.solve_cpu_s = row.solve_cpu_s.map(|time| factor * time);
        })
    };
    let both = |factors: [f64; 2]| [of("batsat", factors[0]), of("cadical", factors[1])].concat();
    let (a, b) = (record("a", both([1.0; 2])), record("b", both([1.5, 3.0])));
    let comparison = RecordComparison::new(&a, &b);
    assert!(comparison.is_sound(), "times may differ");
    assert_eq!(
        read(&comparison, "times", &["solver", "instances", "ratio", "verdict"]),
        ["batsat 12 1.50 takes more", "cadical 12 3.00 takes more", "all 12 2.12 takes more"]
    );
    // Runs of one job are drawn together, so the spread of the repetitions makes no interval. 0.1 ms is added.
    for (row, expected) in [1.5, 3.0, 4.5_f64.sqrt()].into_iter().enumerate() {
        let ends = interval(&comparison, row);
        assert!(ends.iter().all(|end| (end / expected - 1.0).abs() < 2e-3), "{ends:?} {expected}");
    }
    let swapped = RecordComparison::new(&b, &a);
    assert_eq!(read(&swapped, "times", &["ratio", "verdict"])[1], "0.333 takes less");
}

#[test]
fn the_noise_of_the_sessions_of_either_record_counts() {
    let slower = changed_rows(|row| row.solve_cpu_s = row.solve_cpu_s.map(|time| 1.15 * time));
    let read_with = |of_a: [f64; 5], of_b: [f64; 5]| {
        let readings = |times: [f64; 5]| times.map(solved).to_vec();
        let a = StoredResults { readings: readings(of_a), ..record("a", rows()) };
        let b = StoredResults { readings: readings(of_b), ..record("b", slower.clone()) };
        read(&RecordComparison::new(&a, &b), "times", &["verdict"]).remove(0)
    };
    let (steady, noisy) = ([0.1; 5], [0.10, 0.10, 0.10, 0.12, 0.12]);
    assert_eq!(read_with(steady, steady), "takes more");
    // The quartiles are 20 % apart.
    assert_eq!(read_with(steady, noisy), "within the noise");
    assert_eq!(read_with(noisy, steady), "within the noise");
}

#[test]
fn other_clauses_are_a_fault_under_the_same_revision_alone() {
    let resized = |revision: u32| {
        changed_rows(|row| {
            row.encoding_revision = revision;
            row.formula.iter_mut().for_each(|formula| formula.clauses += 1);
        })
    };
    let comparison = against(resized(1));
    assert_eq!(comparison.faults.len(), 12, "one for each formula");
    let columns = ["encoding", "instance", "revision", "variables", "clauses"];
    assert_eq!(read(&comparison, "sizes", &columns)[0], "pairwise langford 8 1 64 744 → 745");
    let newer = against(resized(2));
    assert_eq!((newer.faults.len(), newer.jobs.statistics), (0, 0));
    assert_eq!(read(&newer, "sizes", &columns)[0], "pairwise langford 8 1 → 2 64 744 → 745");
    let reordered = against(changed_rows(|row| row.clause_digest = Some("2".repeat(32))));
    assert_eq!(reordered.faults.len(), 12);
    assert!(reordered.faults[0].ends_with("other clauses under the same revision"));
    assert!(reordered.text(80).contains("Differences that must not occur"));
}

#[test]
fn other_statistics_of_the_same_work_are_a_fault_and_those_of_another_version_none() {
    let other = |row: &mut Row| {
        if row.job.instance.size() == 9 && row.job.repeat == 2 {
            row.solver_stats.conflicts = Some(7);
        }
    };
    let comparison = against(changed_rows(other));
    assert_eq!((comparison.jobs.statistics, comparison.jobs.equal_statistics), (36, 35));
    let [fault] = &comparison.faults[..] else { panic!("{:?}", comparison.faults) };
    assert!(fault.contains("solver statistics [18] in A and [7] in B"), "{fault}");
    assert!(
        comparison
            .conclusion()
            .starts_with("NOT reproduced: 1 difference that must not occur; 35 of")
    );
    let newer = against(changed_rows(|row| {
        other(row);
        row.solver_version = "2".into();
    }));
    assert!(newer.is_sound());
}

#[test]
fn answers_that_contradict_each_other_are_faults_and_limits_are_not() {
    let denied = against(changed_rows(|row| {
        if row.job.instance.size() == 10 && row.job.repeat == 1 {
            (row.status, row.verdict) = (Answer::Unsat, Verdict::Unchecked);
        }
    }));
    assert!(denied.faults.iter().any(|fault| fault.contains("A answers sat, B answers unsat")));
    assert!(!denied.is_reproduction());
    let mut late = rows();
    at_limit(&mut late[0]);
    let late = against(late);
    assert!(late.is_sound() && !late.is_reproduction());
    assert_eq!((late.jobs.answered_in_a, late.jobs.answered_in_b), (1, 0));
    assert_eq!(
        read(&late, "answers", &["solver", "instance", "a", "b"]),
        ["batsat langford 8 sat, verified at the CPU limit"]
    );
    let row = counted("zbdd", "bryant-circuit", 1.0);
    let mut other = row.clone();
    other.all.as_mut().expect("a count").count = 93_u32.into();
    let counts = RecordComparison::new(&record("a", vec![row]), &record("b", vec![other]));
    assert!(!counts.is_sound(), "another number of solutions");
}

/// Ends a run at its CPU limit, after 4.9 s of solving.
fn at_limit(row: &mut Row) {
    let limit = timed_out();
    (row.termination, row.status, row.verdict) = (limit.termination, limit.status, limit.verdict);
    row.solve_cpu_s = Some(4.9);
}

#[test]
fn a_limit_bounds_the_ratio_and_a_disturbed_instance_is_left_out() {
    // Another version that does not come to an end on the instance of size 8: at least 4.9 s.
    let mut newer = changed_rows(|row| row.solver_version = "2".into());
    newer.iter_mut().take(3).for_each(at_limit);
    let comparison = against(newer);
    // The median of size 8 is 0.112 s, and all others are unchanged: (4.9001 / 0.1121) to the power of 1/12.
    assert_eq!(read(&comparison, "times", &["instances", "ratio"])[0], "12 ≥ 1.36");
    let mut disturbed = changed_rows(|row| row.solver_version = "2".into());
    let late = at_wall_limit(1.6);
    (disturbed[0].termination, disturbed[0].status, disturbed[0].verdict) =
        (late.termination, late.status, late.verdict);
    (disturbed[0].cpu_s, disturbed[0].wall_s) = (late.cpu_s, late.wall_s);
    let comparison = against(disturbed);
    assert_eq!(read(&comparison, "times", &["instances", "ratio"])[0], "11 1.00");
    let times = comparison.tables.last().expect("times");
    assert!(times.notes[0].ends_with(" Left out: 1 instance with a run that shared its core."));
}

#[test]
fn engines_are_compared_as_solvers_are() {
    let run = |size: u32, factor: f64| {
        of_size(size, counted("zbdd", "bryant-circuit", factor * f64::from(size)))
    };
    let rows = |factor: f64| (8..16).map(|size| run(size, factor)).collect();
    let comparison = RecordComparison::new(&record("a", rows(1.0)), &record("b", rows(2.0)));
    assert_eq!(
        read(&comparison, "times", &["encoding", "solver", "ratio", "verdict"])[0],
        "bryant-circuit zbdd, count 2.00 takes more"
    );
}

#[test]
fn jobs_of_one_record_alone_are_counted_and_not_compared() {
    let mut b = rows();
    b.truncate(30);
    b.push(of_size(30, solved(1.0)));
    let comparison = against(b);
    let JobCounts { both, only_a, only_b, .. } = comparison.jobs;
    assert_eq!((both, only_a, only_b), (30, 6, 1));
    let columns = ["solver", "encoding", "both", "only_a", "only_b"];
    assert_eq!(read(&comparison, "jobs", &columns), ["batsat pairwise 30 6 1"]);
    assert_eq!(read(&comparison, "times", &["instances"])[0], "10");
    let nothing = RecordComparison::new(&record("a", rows()), &record("b", Vec::new()));
    assert_eq!(nothing.jobs.both, 0);
    assert!(nothing.text(80).contains("no job in common"));
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let texts = || {
        let comparison = RecordComparison::new(&record("a", rows()), &record("b", rows()));
        (comparison.text(80), serde_json::to_string(&comparison).expect("plain data"))
    };
    assert_eq!(texts(), texts());
}
