//! The time to check a proof, compared with the time to find it.
//!
//! The formula is a rook on each of 10 rows of 9 columns, which CaDiCaL refutes in some seconds. Its time is printed
//! with the times of checking its LRAT proof, as text and as binary.
//!
//! `cargo bench -p bezzel-bench --bench checking` prints for each check the time and the throughput in bytes of proof. A line before it
//! prints the numbers of steps and bytes of the proof, and the time of solving with the proof and without. Steps a
//! second are the steps divided by the time.

#![expect(clippy::print_stdout, reason = "a bench tells what it measured")]

use std::time::{Duration, Instant};

use bezzel_proof::{Limits, LratChecker, ProofStats};
use cadical_sys::{CaDiCal, Status};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

criterion_group!(benches, lrat);
criterion_main!(benches);

type Formula = Vec<Vec<i32>>;

/// A rook on every row, no two of which attack each other.
fn rooks(rows: i32, columns: i32) -> Formula {
    let square = |row: i32, column: i32| row * columns + column + 1;
    let mut formula: Formula =
        (0..rows).map(|row| (0..columns).map(|column| square(row, column)).collect()).collect();
    let mut forbid = |one: i32, other: i32| formula.push(vec![-one, -other]);
    for row in 0..rows {
        for column in 0..columns {
            (0..row).for_each(|above| forbid(square(above, column), square(row, column)));
            (0..column).for_each(|left| forbid(square(row, left), square(row, column)));
        }
    }
    formula
}

/// Solves the formula. Returns the bytes of the proof and the time.
fn solve(formula: &Formula, proof: Option<[(&str, i32); 2]>) -> (Vec<u8>, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof");
    let mut solver = CaDiCal::new();
    if let Some(options) = proof {
        for (name, value) in options {
            assert!(solver.set(name, value));
        }
        assert!(solver.trace_proof2(path.to_str().expect("a plain path")));
    }
    let begin = Instant::now();
    for clause in formula {
        solver.clause6(clause);
    }
    assert_eq!(solver.solve(), Status::UNSATISFIABLE);
    if proof.is_some() {
        solver.conclude();
        solver.close_proof_trace(false);
    }
    let took = begin.elapsed();
    (std::fs::read(&path).unwrap_or_default(), took)
}

fn lrat(criterion: &mut Criterion) {
    let formula = rooks(10, 9);
    let (_, plain) = solve(&formula, None);
    for (name, binary) in [("text", 0), ("binary", 1)] {
        let (proof, took) = solve(&formula, Some([("lrat", 1), ("binary", binary)]));
        let check = || {
            let mut checker = LratChecker::with_interleaved_ids(Limits::default());
            for clause in &formula {
                checker.clause(clause);
            }
            checker.check(proof.as_slice()).expect("a right proof")
        };
        measure(criterion, &format!("lrat, {name}"), &proof, [plain, took], check);
    }
}

fn measure(
    criterion: &mut Criterion,
    name: &str,
    proof: &[u8],
    [plain, traced]: [Duration; 2],
    check: impl Fn() -> ProofStats,
) {
    let stats = check();
    println!(
        "\n{name}: solved in {plain:.2?}, with the proof in {traced:.2?}; {} steps ({} additions, {} \
         deletions), {} bytes, {} propagations, {} bytes of memory",
        stats.steps,
        stats.additions,
        stats.deletions,
        proof.len(),
        stats.propagations,
        stats.peak_memory_bytes
    );
    let mut group = criterion.benchmark_group("checking");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.measurement_time(Duration::from_secs(5)).warm_up_time(Duration::from_secs(1));
    group.throughput(Throughput::Bytes(proof.len() as u64));
    group.bench_function(name, |bencher| bencher.iter(&check));
    group.finish();
}
