use super::*;
use crate::backend::catalog::Catalog;
use crate::config::Config;
use crate::model::all_solutions::{AllSolutions, DiagramSize};
use crate::model::row::ProofRecord;
use crate::plan::Plan;
use bezzel_solve::ProofFormat;

const GIB: u64 = 1 << 30;
const LIMITS: Limits =
    Limits { cpu_s: 10.0, wall_s: 100.0, memory_bytes: 4 * GIB, nodes: Some(1000) };

/// A job with these limits.
fn planned(limits: Limits) -> PlannedJob {
    let text = "name: t\nproblems: [{latin-square: {order: 6}}]\nencodings: [pairwise]\nsolvers: [batsat]\n";
    let catalog = Catalog::of_tests();
    let config = Config::parse(text, "a test", &catalog).unwrap();
    let PlannedJob { job, encoding_revision, solver_version, .. } =
        Plan::new(&config, &catalog).unwrap().jobs.remove(0);
    PlannedJob::new(Job { limits, ..job }, encoding_revision, solver_version)
}

/// A row under [`LIMITS`], with an answer if it finished, that used 6 s of CPU time, 20 s by the clock, 2 GiB and 500
/// nodes, or all of the limit that it hit.
fn row(termination: Termination) -> Row {
    let diagram = DiagramSize { peak_nodes: Some(500), ..DiagramSize::default() };
    let count = 4_u32.into();
    let all = AllSolutions {
        count,
        whole: true,
        digest: None,
        diagram: Some(diagram),
        auxiliaries: None,
    };
    Row {
        cpu_s: if termination == Termination::CpuLimit { LIMITS.cpu_s } else { 6.0 },
        wall_s: if termination == Termination::WallLimit { LIMITS.wall_s } else { 20.0 },
        memory_peak_bytes: Some(if termination == Termination::MemoryLimit {
            4 * GIB
        } else {
            2 * GIB
        }),
        all: Some(all),
        status: if termination == Termination::Finished { Answer::Sat } else { Answer::Unknown },
        ..Row::blank(planned(LIMITS), termination)
    }
}

fn fit(row: &Row, limits: Limits) -> Option<RowMatch> {
    let jobs = [planned(limits)];
    let found = best(&jobs, [row]);
    found[0].map(|(_, fit)| fit)
}

const STOPS: [Termination; 8] = [
    Termination::Finished,
    Termination::CpuLimit,
    Termination::WallLimit,
    Termination::MemoryLimit,
    Termination::NodeLimit,
    Termination::Crashed,
    Termination::HostError,
    Termination::Skipped,
];

#[test]
fn a_row_answers_the_job_of_its_key_however_it_ended_unless_it_was_killed() {
    for termination in STOPS {
        let expected =
            if termination == Termination::HostError { RowMatch::Killed } else { RowMatch::Same };
        assert_eq!(fit(&row(termination), LIMITS), Some(expected), "{termination:?}");
        assert_eq!(expected.answers(), termination != Termination::HostError);
    }
}

#[test]
fn every_limit_lower_the_same_or_higher_against_every_end() {
    // Each limit has a factor: 0.1 is below the usage, 0.8 is above it, except for the limit that was hit.
    let factors = [0.1, 0.8, 1.0, 3.0];
    let mut counts = [0_u32; 3];
    for termination in STOPS {
        for (cpu, wall) in factors.iter().flat_map(|cpu| factors.map(|wall| (*cpu, wall))) {
            for (memory, nodes) in
                factors.iter().flat_map(|memory| factors.map(|nodes| (*memory, nodes)))
            {
                let all = [cpu, wall, memory, nodes];
                let limits = Limits {
                    cpu_s: cpu * LIMITS.cpu_s,
                    wall_s: wall * LIMITS.wall_s,
                    memory_bytes: (memory * LIMITS.memory_bytes as f64) as u64,
                    nodes: Some((nodes * 1000.0) as u64),
                };
                if limits == LIMITS {
                    continue;
                }
                let is_hit = |factor: f64| (factor <= 1.0).then_some(RowMatch::AtLimit);
                let expected = match termination {
                    Termination::Finished => {
                        all.iter().all(|&factor| factor > 0.5).then_some(RowMatch::Within)
                    }
                    Termination::CpuLimit => is_hit(cpu),
                    Termination::WallLimit => is_hit(wall),
                    Termination::MemoryLimit => is_hit(memory),
                    Termination::NodeLimit => is_hit(nodes),
                    _ => None,
                };
                assert_eq!(fit(&row(termination), limits), expected, "{termination:?}, {all:?}");
                counts[expected.map_or(0, |fit| fit as usize)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 70), "{counts:?}");
}

#[test]
fn a_solver_that_gave_up_by_itself_is_run_again_under_other_limits() {
    let gave_up = Row { status: Answer::Unknown, ..row(Termination::Finished) };
    assert_eq!(fit(&gave_up, LIMITS), Some(RowMatch::Same));
    for cpu_s in [8.0, 30.0] {
        assert_eq!(fit(&gave_up, Limits { cpu_s, ..LIMITS }), None);
    }
}

#[test]
fn a_row_without_the_sizes_that_it_was_to_measure_is_run_again_under_higher_limits_alone() {
    let requested = |limits| {
        let PlannedJob { job, encoding_revision, solver_version, .. } = planned(limits);
        PlannedJob::new(Job { simplified: true, ..job }, encoding_revision, solver_version)
    };
    let cut = Row { simplified: None, ..row(Termination::Finished) };
    let cut = Row { job: requested(LIMITS).job, key: requested(LIMITS).key, ..cut };
    let fit = |limits| best(&[requested(limits)], [&cut])[0].map(|(_, fit)| fit);
    assert_eq!(fit(LIMITS), Some(RowMatch::Same));
    assert_eq!(fit(Limits { cpu_s: 30.0, ..LIMITS }), None);
    assert_eq!(fit(Limits { cpu_s: 8.0, ..LIMITS }), Some(RowMatch::Within));
}

#[test]
fn a_row_that_does_not_say_what_it_used_answers_higher_limits_alone() {
    let silent = Row { memory_peak_bytes: None, all: None, ..row(Termination::Finished) };
    let memory = |memory_bytes| fit(&silent, Limits { memory_bytes, ..LIMITS });
    assert_eq!([memory(3 * GIB), memory(5 * GIB)], [None, Some(RowMatch::Within)]);
    let nodes = |nodes| fit(&silent, Limits { nodes, ..LIMITS });
    assert_eq!(
        [nodes(Some(999)), nodes(Some(2000)), nodes(None)],
        [None, Some(RowMatch::Within), Some(RowMatch::Within)]
    );
    // With another limit of checking, the check might have come to its end.
    let proof = ProofRecord {
        format: ProofFormat::Drat,
        finding: Finding::Unchecked,
        bytes: None,
        steps: None,
        check_cpu_s: None,
        check_memory_peak_bytes: None,
        note: None,
        translated: false,
        checker_version: None,
    };
    let higher = Limits { cpu_s: 20.0, ..LIMITS };
    let with = |finding| Row {
        proof: Some(ProofRecord { finding, ..proof.clone() }),
        ..row(Termination::Finished)
    };
    assert_eq!(fit(&with(Finding::Unchecked), higher), None);
    assert_eq!(fit(&with(Finding::Accepted), higher), Some(RowMatch::Within));
}

#[test]
fn a_row_of_anything_else_than_other_limits_answers_nothing() {
    type Change = fn(&mut Row);
    let changes: [Change; 6] = [
        |row| row.job.repeat = 2,
        |row| row.job.solver = "cadical".into(),
        |row| row.job.numbering = bezzel_encode::Numbering::random(1),
        |row| row.job.proof = Some(ProofFormat::Drat),
        |row| row.encoding_revision += 1,
        |row| row.solver_version.push('x'),
    ];
    let higher = Limits { cpu_s: 20.0, ..LIMITS };
    assert_eq!(fit(&row(Termination::Finished), higher), Some(RowMatch::Within));
    for (number, change) in changes.iter().enumerate() {
        let mut row = row(Termination::Finished);
        change(&mut row);
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
        assert_eq!(fit(&row, higher), None, "{number}");
    }
}

#[test]
fn of_several_rows_the_same_is_taken_in_any_order() {
    let under = |cpu_s: f64, termination: Termination, started_unix_s: f64| {
        let job = planned(Limits { cpu_s, ..LIMITS });
        let answer = row(termination).status;
        Row {
            cpu_s: 6.0_f64.min(cpu_s),
            started_unix_s,
            status: answer,
            ..Row::blank(job, termination)
        }
    };
    // Each row is preferred to those before it: a killed run, a limit, an answer, an earlier one, the job's own.
    let rows = [
        under(8.0, Termination::HostError, 1.0),
        under(9.0, Termination::CpuLimit, 1.0),
        under(30.0, Termination::Finished, 3.0),
        under(20.0, Termination::Finished, 2.0),
        under(8.0, Termination::CpuLimit, 9.0),
    ];
    let jobs = [planned(Limits { cpu_s: 8.0, ..LIMITS })];
    for many in 1..=rows.len() {
        for turned in 0..many {
            let mut rows: Vec<&Row> = rows[..many].iter().collect();
            rows.rotate_left(turned);
            let (row, _) = best(&jobs, rows.iter().copied())[0].unwrap();
            assert!(std::ptr::eq(row, rows[(many - 1 + many - turned) % many]), "{many} {turned}");
            assert_eq!(answered(&jobs, rows), [many > 1]);
        }
    }
}

#[test]
fn a_row_at_a_higher_limit_is_seen_at_the_limit_of_the_job() {
    let lower = Limits { cpu_s: 5.0, wall_s: 50.0, memory_bytes: GIB, nodes: Some(1000) };
    let measured = Row {
        generate_cpu_s: Some(0.5),
        load_cpu_s: Some(0.5),
        solve_cpu_s: Some(9.0),
        ..row(Termination::CpuLimit)
    };
    let job = planned(lower);
    let row = as_reported(measured.clone(), &job, RowMatch::AtLimit);
    assert_eq!((row.job.limits, &row.key), (lower, &measured.key));
    assert_eq!((row.cpu_s, row.wall_s, row.memory_peak_bytes), (5.0, 20.0, Some(GIB)));
    assert_eq!((row.solve_cpu_s, row.solve_cpu_at_least_s()), (Some(4.0), 4.0));
    // The run would have hit the new limit of CPU time before the limit of memory.
    let large = Row { termination: Termination::MemoryLimit, ..measured.clone() };
    assert_eq!(
        as_reported(large.clone(), &job, RowMatch::AtLimit).termination,
        Termination::CpuLimit
    );
    let job_of_memory = planned(Limits { memory_bytes: GIB, ..LIMITS });
    assert_eq!(
        as_reported(large, &job_of_memory, RowMatch::AtLimit).termination,
        Termination::MemoryLimit
    );
    // A worker process that was killed has no time of solving.
    let killed =
        as_reported(Row { solve_cpu_s: None, ..measured.clone() }, &job, RowMatch::AtLimit);
    assert_eq!(killed.solve_cpu_at_least_s().to_string(), "4");
    // A finished run is unchanged under other limits.
    let higher = Limits { cpu_s: 50.0, ..LIMITS };
    let finished = super::tests::row(Termination::Finished);
    let row = as_reported(finished.clone(), &planned(higher), RowMatch::Within);
    assert_eq!(row.job.limits, higher);
    assert_eq!(Row { job: finished.job.clone(), ..row }, finished);
    assert_eq!(as_reported(measured.clone(), &planned(LIMITS), RowMatch::Same), measured);
}

#[test]
fn requested_jobs_are_known_with_and_without_limits() {
    let jobs = [planned(LIMITS), planned(Limits { cpu_s: 3.0, ..LIMITS })];
    let requested = RequestedJobs::of(jobs[1..].iter().map(|planned| &planned.job));
    let row = row(Termination::CpuLimit);
    assert!(requested.has_work(&row) && requested.is_answered_by(&row) && !requested.has(&row));
    let mut both = requested;
    both.add(jobs[..1].iter().map(|planned| &planned.job));
    assert!(both.has(&row));
    let finished = super::tests::row(Termination::Finished);
    let requested = RequestedJobs::of(jobs[1..].iter().map(|planned| &planned.job));
    assert!(requested.has_work(&finished) && !requested.is_answered_by(&finished), "it needed 6 s");
}
