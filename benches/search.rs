//! The times of counting the solutions of empty boards: the search by bits, with one thread and with two; a plain
//! recursion over the same bits; and the simple search with which all are checked. `search.md` explains how to read the
//! times, and `recursion.c` is the same recursion in C.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bezzel_count::Budget;
use bezzel_queens::Board;
use bezzel_queens::count::Bitmask;
use bezzel_queens::{Backtrack, published};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, criterion_group, criterion_main};

criterion_group!(benches, search);
criterion_main!(benches);

fn search(criterion: &mut Criterion) {
    for side in 12..=14 {
        let board = Board::new(side).expect("a possible side");
        let solutions = published::solutions(&board).expect("it is known").count;
        let bits = Bitmask::new(&board).expect("it is not too wide");
        let stop = AtomicBool::new(false);
        let budget = Budget::unlimited(&stop);
        let mut group = criterion.benchmark_group(format!("{side} queens"));
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(10)
            .warm_up_time(Duration::from_millis(100))
            .measurement_time(Duration::from_secs(1));
        for threads in [1, 2] {
            let number = NonZeroUsize::new(threads).expect("one at least");
            let name = |what: &str| format!("{what}, threads: {threads}");
            measure(&mut group, &name("count"), solutions, || {
                bits.count(number, budget).expect("the budget has no limit").solutions
            });
        }
        measure(&mut group, "each", solutions, || {
            let mut shown = 0;
            let each = bits.each(budget, |_| {
                shown += 1;
                ControlFlow::Continue(())
            });
            each.expect("the budget has no limit");
            shown
        });
        measure(&mut group, "plain recursion", solutions, || recursion(side).into());
        if side == 12 {
            let simple = Backtrack::new(&board).expect("it is not too large");
            measure(&mut group, "Backtrack", solutions, || {
                simple.count(u64::MAX).expect("it may try all")
            });
        }
        group.finish();
    }
}

/// Measures a count, after its number was checked.
fn measure(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    right: u128,
    mut count: impl FnMut() -> u128,
) {
    assert_eq!(count(), right, "{name}");
    group.bench_function(name, |bencher| bencher.iter(&mut count));
}

/// The number of solutions, by one call for each piece, and the mirror's half twice.
fn recursion(side: u32) -> u64 {
    let all: u32 = (1 << side) - 1;
    let half = (0..side / 2).map(|column| below(all, 1 << column, 2 << column, 1 << column >> 1));
    let mut solutions: u64 = half.sum();
    if side % 2 == 1 {
        let middle: u32 = 1 << (side / 2);
        let left = middle - 1;
        let (diagonals, antidiagonals) = (middle << 1, middle >> 1);
        let mut free = left & !antidiagonals;
        while free != 0 {
            let piece = free & free.wrapping_neg();
            free ^= piece;
            let (diagonals, antidiagonals) = (diagonals | piece, antidiagonals | piece);
            solutions += below(all, middle | piece, diagonals << 1, antidiagonals >> 1);
        }
    }
    2 * solutions
}

/// The number of solutions that continue this board.
fn below(all: u32, columns: u32, diagonals: u32, antidiagonals: u32) -> u64 {
    if columns == all {
        return 1;
    }
    let mut free = all & !(columns | diagonals | antidiagonals);
    let mut solutions = 0;
    while free != 0 {
        let piece = free & free.wrapping_neg();
        free ^= piece;
        let (diagonals, antidiagonals) = (diagonals | piece, antidiagonals | piece);
        solutions += below(all, columns | piece, diagonals << 1, antidiagonals >> 1);
    }
    solutions
}
