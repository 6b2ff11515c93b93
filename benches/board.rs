//! The waiting times of a user: compiling a board, and the answer to a click on it.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_count::Budget;
use bezzel_encode::Registry;
use bezzel_queens::knowledge::propagation::propagation_view;
use bezzel_queens::knowledge::solutions::{Compiled, Mark, Search, Squares};
use bezzel_queens::knowledge::{encoding, why};
use bezzel_queens::{Board, Square};
use bezzel_solve::Interrupt;
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

criterion_group!(benches, compile, click, large);
criterion_main!(benches);

fn compiled(board: &Board) -> Compiled {
    let never = AtomicBool::new(false);
    Compiled::new(board, Budget::unlimited(&never)).expect("the budget has no limit")
}

fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    group.sampling_mode(SamplingMode::Flat).sample_size(20);
    group.measurement_time(Duration::from_secs(2));
    for side in [8, 10, 12] {
        let board = Board::new(side).expect("a possible side");
        group.bench_function(format!("N = {side}"), |bencher| bencher.iter(|| compiled(&board)));
    }
    group.finish();
}

/// Returns a board after two clicks.
fn clicked(side: u32) -> Board {
    let queens = [Square::new(0, 0), Square::new(1, 4)];
    Board::new(side).and_then(|board| board.with_placed(queens)).expect("they do not attack")
}

fn click(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("click");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    for side in [10, 12] {
        let board = clicked(side);
        let compiled = compiled(&board);
        group.bench_function(format!("N = {side}: squares"), |bencher| {
            bencher.iter(|| Squares::by_diagram(black_box(&board), &compiled));
        });
        let found = Squares::by_diagram(&board, &compiled);
        let dead = found.marks.iter().zip(board.each_square());
        let dead = dead.filter(|(mark, _)| **mark == Mark::Dead);
        let never = Interrupt::default();
        if let Some((_, square)) = dead.last() {
            group.bench_function(format!("N = {side}: why"), |bencher| {
                bencher.iter(|| {
                    why::why(&board, square, &mut Search::new(&board, &never))
                        .expect("it is ruled out")
                });
            });
        }
        for id in ["pairwise", "sequential-counter"] {
            let encoding = encoding(&bezzel_queens::register(Registry::standard()), id, &board)
                .expect("it fits");
            group.bench_function(format!("N = {side}: propagation of {id}"), |bencher| {
                bencher.iter(|| propagation_view(&board, &*encoding, &found.marks, 2_000));
            });
        }
    }
    group.finish();
}

fn large(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    let board = clicked(16);
    let interrupt = Interrupt::default();
    group.bench_function("N = 16", |bencher| {
        bencher.iter(|| Squares::by_search(&board, &interrupt));
    });
    group.finish();
}
