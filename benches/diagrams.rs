//! The times of building diagrams and of counts over states, directly from the empty board, and the times of queries to
//! a diagram.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_count::Budget;
use bezzel_count::diagram::DiagramKind;
use bezzel_queens::Board;
use bezzel_queens::count::direct::{Direct, RowCode};
use bezzel_queens::published;
use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

criterion_group!(benches, diagrams);
criterion_main!(benches);

fn diagrams(criterion: &mut Criterion) {
    let stop = AtomicBool::new(false);
    let budget = Budget::unlimited(&stop);
    for side in 10..=12 {
        let board = Board::new(side).expect("a possible side");
        let direct = Direct::new(&board).expect("it is not too wide");
        let solutions = published::solutions(&board).expect("it is known").count;
        let mut group = criterion.benchmark_group(format!("{side} queens"));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(10)
            .warm_up_time(Duration::from_millis(100))
            .measurement_time(Duration::from_secs(1));
        for (name, kind, code) in [
            ("zdd", DiagramKind::Zdd, RowCode::OneHot),
            ("bdd", DiagramKind::Bdd, RowCode::OneHot),
            ("zdd, binary", DiagramKind::Zdd, RowCode::Binary),
            ("bdd, binary", DiagramKind::Bdd, RowCode::Binary),
        ] {
            group.bench_function(name, |bencher| {
                bencher
                    .iter(|| direct.diagram(kind, code, budget).expect("the budget has no limit"));
            });
        }
        group.bench_function("states", |bencher| {
            bencher.iter(|| {
                let (count, _) = direct.count(budget).expect("the budget has no limit");
                assert_eq!(count, BigUint::from(solutions));
            });
        });

        let (diagram, _) = direct
            .diagram(DiagramKind::Zdd, RowCode::OneHot, budget)
            .expect("the budget has no limit");
        group.bench_function("zdd: count", |bencher| bencher.iter(|| diagram.count()));
        let counts = diagram.counts();
        group.bench_function("zdd: a random model", |bencher| {
            let random = || ChaCha8Rng::seed_from_u64(1);
            bencher.iter_batched_ref(
                random,
                |random| counts.random(random).expect("it has one"),
                BatchSize::SmallInput,
            );
        });
        group.throughput(Throughput::Elements(solutions as u64));
        group.bench_function("zdd: all models", |bencher| {
            bencher.iter(|| {
                let mut models = diagram.models();
                while let Some(model) = models.next_model() {
                    black_box(model);
                }
            });
        });
        group.finish();
    }
}
