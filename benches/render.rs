//! The time for a report of 100,000 rows: ordering them, each figure, and the whole report.
//!
//! The rows are synthetic, by a law and a generator: eight encodings, two solvers, two numberings of 52 shuffles and
//! sixty boards, a third of them tori and a third partly filled.

use std::time::Duration;

use bezzel_encode::numbering::SquareOrder;
use bezzel_encode::{FormulaStats, Numbering, Registry, Settings};
use bezzel_experiment::{
    Environment, Evidence, EvidenceKind, ExperimentRecord, FormulaSize, Job, Key, Limits,
    PlannedJob, Row, Task, Termination, Verdict,
};
use bezzel_queens::{Board, Geometry, Square};
use bezzel_report::analysis::Analysis;
use bezzel_solve::{Answer, Effort};
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

criterion_group!(benches, reports);
criterion_main!(benches);

const ENCODINGS: [&str; 8] = [
    "pairwise",
    "sequential-counter",
    "commander:3",
    "product",
    "binary",
    "bimander:2",
    "ladder:regular",
    "totalizer:cut",
];
const SHUFFLES: u64 = 52;
const LIMIT_S: f64 = 60.0;

fn reports(criterion: &mut Criterion) {
    let registry = bezzel_queens::register(Registry::standard());
    let record = record(&registry);
    let mut group = criterion.benchmark_group(format!("{} rows", record.rows.len()));
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_secs(1));
    group.bench_function("order", |bencher| {
        bencher.iter(|| Analysis::new(&record, &registry).cells.len());
    });
    let dataset = Analysis::new(&record, &registry);
    for kind in bezzel_report::ReportParts::standard().figures {
        if (kind.draw)(&dataset).is_some() {
            group.bench_function(format!("chart {}", kind.id), |bencher| {
                bencher.iter(|| (kind.draw)(&dataset));
            });
        }
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    group.bench_function("report", |bencher| {
        bencher.iter(|| bezzel_queens::report::render(&record, folder.path(), "render"));
    });
    group.finish();
}

/// Pseudo-random numbers that are equal on every machine: Marsaglia's xorshift.
struct Dice(u64);

impl Dice {
    /// A number from 0 to 1.
    fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn boards() -> Vec<Board> {
    let plane = (0..20).map(|step| Board::new(8 + 2 * step).expect("a possible side"));
    let torus = (0..20).map(|step| {
        let side = if step % 2 == 0 { 8 + step } else { 9 + 3 * step };
        Board::new(side).expect("a possible side").with_geometry(Geometry::Torus)
    });
    let filled = (0..20).map(|step| {
        let board = Board::new(20).expect("a possible side");
        board.with_placed([Square::new(step / 5, step)]).expect("one queen attacks no other")
    });
    plane.chain(torus).chain(filled).collect()
}

fn record(registry: &Registry) -> ExperimentRecord {
    let mut rows = Vec::new();
    let mut dice = Dice(1);
    for board in boards() {
        for (hardness, id) in (1..).zip(ENCODINGS) {
            let encoding = registry.find(id).expect("it is known");
            let revision = encoding.info().revision;
            let mut tally = FormulaStats::new();
            let encoding = encoding.with_settings(bezzel_encode::Settings::default());
            encoding.encode(&board.problem(), &mut tally);
            let size = tally.size();
            let whole = |number| u64::try_from(number).expect("boards are small");
            let formula = FormulaSize {
                variables: whole(size.variables),
                primary: tally.primary().into(),
                clauses: whole(size.clauses),
                literals: whole(size.literals),
                sections: tally.into_sections(),
            };
            for solver in ["cadical", "batsat"] {
                for seed in 1..=SHUFFLES {
                    let random = Numbering::random(seed);
                    for numbering in [random, Numbering { squares: SquareOrder::Spiral, ..random }]
                    {
                        let planned = PlannedJob {
                            job: job(&board, id, solver, numbering),
                            key: Key(format!("{:032x}", rows.len())),
                            encoding_revision: revision,
                            solver_version: "1".into(),
                            size: None,
                        };
                        rows.push(run(planned, &formula, f64::from(hardness), &mut dice));
                    }
                }
            }
        }
    }
    ExperimentRecord {
        name: "many".into(),
        planned: rows.len(),
        rows,
        environments: vec![Environment::default()],
        ..ExperimentRecord::default()
    }
}

fn job(board: &Board, encoding: &str, solver: &str, numbering: Numbering) -> Job {
    Job {
        instance: board.clone().into(),
        encoding: encoding.into(),
        settings: Settings::default(),
        numbering,
        solver: solver.into(),
        options: std::sync::Arc::default(),
        task: Task::Solve,
        max_solutions: None,
        repeat: 1,
        limits: Limits {
            cpu_s: LIMIT_S,
            wall_s: 2.0 * LIMIT_S,
            memory_bytes: 2 << 30,
            nodes: None,
        },
        proof: None,
        simplified: false,
    }
}

/// A run that ends, or reaches its limit. One of twenty answers without a solution is unchecked.
fn run(planned: PlannedJob, formula: &FormulaSize, hardness: f64, dice: &mut Dice) -> Row {
    let side = f64::from(planned.job.instance.size());
    let torus = Board::of(&planned.job.instance).unwrap().geometry() == Geometry::Torus;
    let conflicts = hardness * side.powf(1.5) * 10_f64.powf(2.0 * dice.roll());
    let solve_s = 1e-5 * conflicts * side * 10_f64.powf(2.0 * dice.roll());
    let answered = solve_s < LIMIT_S;
    let checked = !torus || dice.roll() < 0.95;
    let (answer, kind) = if torus {
        (Answer::Unsat, EvidenceKind::Cross)
    } else {
        (Answer::Sat, EvidenceKind::Rules)
    };
    let answer = if answered { answer } else { Answer::Unknown };
    let verified = answered && checked;
    let evidence = Evidence { kind, source: "made up".into() };
    Row {
        status: answer,
        verdict: if verified { Verdict::Verified } else { Verdict::Unchecked },
        checked_by: verified.then_some(evidence),
        formula: Some(formula.clone()),
        generate_cpu_s: Some(0.001),
        load_cpu_s: Some(0.002),
        solve_cpu_s: Some(solve_s.min(LIMIT_S)),
        cpu_s: 0.004 + solve_s.min(LIMIT_S),
        wall_s: 0.005 + solve_s.min(LIMIT_S),
        memory_peak_bytes: Some(4_000_000 + 90 * formula.clauses),
        solver_stats: Effort { conflicts: Some(conflicts as u64), ..Effort::default() },
        ..Row::blank(planned, if answered { Termination::Finished } else { Termination::CpuLimit })
    }
}
