//! How long the record of 100,000 rows takes to be read: lines and seals, the plan, and what rows say of
//! each other. The rows are made up; half of the boards have no solution, and some answers are unchecked.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use bezzel_encode::{Geometry, Tally};
use bezzel_lab::config::Config;
use bezzel_lab::store::{self, seal};
use bezzel_lab::{
    Evidence, EvidenceKind, ExperimentRecord, FormulaSize, Plan, Planned, Row, Stop, Verdict,
    Workbench, cross,
};
use bezzel_solve::{Answer, Effort};
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

criterion_group!(benches, records);
criterion_main!(benches);

/// Sixty boards, eight encodings, two solvers and 104 shuffles. With a quarter of the shuffles there are
/// a quarter of the rows: what is linear takes a quarter of the time.
fn config(shuffles: u32) -> String {
    let mut boards = String::new();
    for side in 8..38 {
        let _ = write!(boards, "{{size: {side}}}, {{size: {side}, geometry: torus}}, ");
    }
    format!(
        "name: many\nboards: [{boards}]\nencodings: [pairwise, sequential-counter, 'commander:3', \
         product, binary, 'bimander:2', tree, edge]\nsolvers: [cadical, batsat]\n\
         numberings: [random: {{shuffles: {shuffles}}}]\n"
    )
}

fn records(criterion: &mut Criterion) {
    let workbench = Workbench::standard();
    let mut group = criterion.benchmark_group("record");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_secs(1));
    for shuffles in [26, 104] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let config =
            Config::parse(&config(shuffles), "many.yaml", &workbench).expect("it is right");
        let rows = write(folder.path(), &config, &workbench);
        let of = |what: &str| format!("{what} of {} rows", rows.len());
        group.bench_function(of("open"), |bencher| {
            bencher.iter(|| ExperimentRecord::open(folder.path(), &workbench));
        });
        group.bench_function(of("plan"), |bencher| {
            bencher.iter(|| Plan::of_record(&config, &workbench, rows.iter()));
        });
        group.bench_function(of("cross examination"), |bencher| {
            bencher.iter_batched(
                || rows.clone(),
                |mut rows| (cross::examine(&mut rows), rows),
                criterion::BatchSize::PerIteration,
            );
        });
        group.bench_function(of("lines"), |bencher| {
            bencher.iter(|| store::look(folder.path()).expect("they can be read").2.by_key.len());
        });
    }
    group.finish();
}

/// Writes a folder with a row for each job of the plan.
fn write(folder: &Path, config: &Config, workbench: &Workbench) -> Vec<Row> {
    let plan = Plan::new(config, workbench).expect("it can be planned");
    let mut rows: Vec<Row> = Vec::with_capacity(plan.jobs.len());
    let mut text = Vec::new();
    let mut sizes = std::collections::HashMap::new();
    for planned in plan.jobs {
        let of = (planned.job.board.clone(), planned.job.encoding.clone());
        let size = sizes.entry(of).or_insert_with(|| size(&planned, workbench)).clone();
        let row = row(planned, size, rows.len());
        text.extend(seal::sealed(&row));
        rows.push(row);
    }
    fs::write(folder.join(store::CONFIG), config.text()).expect("it can be written");
    fs::write(folder.join(store::ROWS), text).expect("it can be written");
    rows
}

fn size(planned: &Planned, workbench: &Workbench) -> FormulaSize {
    let found = workbench.encodings.find(&planned.job.encoding).expect("it is known");
    let mut tally = Tally::new();
    found.on_board(planned.job.settings()).encode(&planned.job.board, &mut tally);
    let size = tally.size();
    let whole = |number| u64::try_from(number).expect("boards are small");
    FormulaSize {
        variables: whole(size.variables),
        primary: tally.primary().into(),
        clauses: whole(size.clauses),
        literals: whole(size.literals),
        sections: tally.into_sections(),
    }
}

fn row(planned: Planned, formula: FormulaSize, place: usize) -> Row {
    let torus = planned.job.board.geometry() == Geometry::Torus;
    let side = planned.job.board.rows();
    let checked = !place.is_multiple_of(20);
    // Boards on the torus have solutions where their side has no factor of 2 or 3.
    let answer = if torus && (side.is_multiple_of(2) || side.is_multiple_of(3)) {
        Answer::Unsat
    } else {
        Answer::Sat
    };
    let kind = if answer == Answer::Sat { EvidenceKind::Rules } else { EvidenceKind::Cross };
    Row {
        answer,
        verdict: if checked { Verdict::Verified } else { Verdict::Unchecked },
        evidence: checked.then(|| Evidence { kind, source: "made up".into() }),
        formula: Some(formula),
        generate_cpu_s: Some(0.001),
        load_cpu_s: Some(0.002),
        solve_cpu_s: Some(0.1 + place as f64 / 1e6),
        cpu_s: 0.2,
        wall_s: 0.2,
        memory_peak_bytes: Some(4_000_000),
        effort: Effort { conflicts: Some(place as u64), ..Effort::default() },
        started_unix_s: 1.7e9 + place as f64,
        ..Row::blank(planned, Stop::Finished)
    }
}
