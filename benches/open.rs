//! The time to read a record of 100,000 rows: its lines and checksums, its plan, and the comparison of its rows. The
//! rows are synthetic; half of the boards have no solution, and some answers are unchecked.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use bezzel_experiment::config::Config;
use bezzel_experiment::store::{NewEntry, Rows, line_of};
use bezzel_experiment::{Catalog, ExperimentRecord, Plan, Row, cross};
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

criterion_group!(benches, records);
criterion_main!(benches);

/// Sixty boards, eight encodings, two solvers and 104 shuffles. With a quarter of the shuffles there are
/// a quarter of the rows: what is linear takes a quarter of the time.
fn config(shuffles: u32) -> String {
    let mut boards = String::new();
    for side in 8..38 {
        let _ = write!(
            boards,
            "{{queens: {{size: {side}}}}}, {{queens: {{size: {side}, geometry: torus}}}}, "
        );
    }
    format!(
        "name: many\nproblems: [{boards}]\nencodings: [pairwise, sequential-counter, 'commander:3', \
         product, binary, 'bimander:2', tree, edge]\nsolvers: [cadical, batsat]\n\
         numberings: [random: {{shuffles: {shuffles}}}]\n"
    )
}

fn records(criterion: &mut Criterion) {
    let catalog = bezzel_queens::experiment::catalog();
    let mut group = criterion.benchmark_group("record");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_secs(1));
    for shuffles in [26, 104] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let config = Config::parse(&config(shuffles), "many.yaml", &catalog).expect("it is right");
        let rows = write(folder.path(), &config, &catalog);
        let of = |what: &str| format!("{what} of {} rows", rows.len());
        group.bench_function(of("open"), |bencher| {
            bencher.iter(|| ExperimentRecord::open(folder.path(), &catalog));
        });
        group.bench_function(of("plan"), |bencher| {
            bencher.iter(|| Plan::of_record(&config, &catalog, rows.iter()));
        });
        group.bench_function(of("cross examination"), |bencher| {
            bencher.iter_batched(
                || rows.clone(),
                |mut rows| (cross::examine(&mut rows), rows),
                criterion::BatchSize::PerIteration,
            );
        });
        group.bench_function(of("lines"), |bencher| {
            bencher.iter(|| Rows::read(folder.path()).expect("they can be read").1.by_key.len());
        });
    }
    group.finish();
}

/// Writes a folder with a row for each job of the plan.
fn write(folder: &Path, config: &Config, catalog: &Catalog) -> Vec<Row> {
    let plan = Plan::new(config, catalog).expect("it can be planned");
    let mut rows: Vec<Row> = Vec::with_capacity(plan.jobs.len());
    let mut session = bezzel_bench::begin_session(folder, config);
    let mut sizes = std::collections::HashMap::new();
    for planned in plan.jobs {
        let of = (planned.job.instance.clone(), planned.job.encoding.clone());
        let size = sizes.entry(of).or_insert_with(|| bezzel_bench::size(&planned, catalog)).clone();
        let row = bezzel_bench::row(planned, size, rows.len());
        session.write_all(&line_of(NewEntry::Row(&row))).expect("it can be written");
        rows.push(row);
    }
    session.flush().expect("it can be written");
    rows
}
