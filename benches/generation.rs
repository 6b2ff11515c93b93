//! The number of clauses a second: every encoding into every kind of sink, compared with RustSAT and with the simplest
//! loop for the same clauses, and every encoder of at most k and of weighted sums. `generation.md` in this folder explains how to read the
//! figures.

use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::time::Duration;

use bezzel_encode::amk::{self, AtMostK, Limit};
use bezzel_encode::format::dimacs::Writer;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    ClauseHash, ClauseSink, Constraints, Encoding, Formula, FormulaStats, Lit, Numbering, Registry,
};
use bezzel_queens::Board;
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::encodings::am1::{Encode, Pairwise};
use rustsat::encodings::pb::{BinaryAdder, BoundUpper, DynamicPolyWatchdog, GeneralizedTotalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::{Clause, Var};

criterion_group!(benches, every_encoding, at_most_k, weighted_sums, large);
criterion_main!(benches);

/// Every registered encoding at N = 100, or at N = 50 where that takes long: `support` has 98 million literals at N =
/// 100.
fn every_encoding(criterion: &mut Criterion) {
    const MAX_LITERALS: u128 = 50_000_000;
    let registry = bezzel_queens::register(Registry::standard());
    let boards = [100, 50].map(|side| Board::new(side).expect("a possible side"));
    for info in registry.infos() {
        let encoding =
            registry.find(&info.id).expect("its own id").with_settings(Constraints::Full);
        let large =
            encoding.size(&boards[0].problem()).is_some_and(|size| size.literals > MAX_LITERALS);
        let board = boards[usize::from(large)].clone();
        let mut group = group(criterion, &*encoding, &board, 300);
        sinks(&mut group, &*encoding, &board);
        group.finish();
    }
}

/// Every encoder of at most k with fewer than 10⁸ clauses, RustSAT's among them, into a counter.
fn at_most_k(criterion: &mut Criterion) {
    const MAX_CLAUSES: u128 = 100_000_000;
    let bounds: [(u32, u64); 3] = [(100, 10), (1_000, 10), (1_000, 500)];
    for (n, k) in bounds {
        let mut group = timed(criterion, format!("at-most-k {k} of {n}"), 300);
        for encoder in amk::all() {
            let stated = encoder.at_most_size(n.into(), k).map(|size| size.clauses);
            let clauses = stated.unwrap_or_else(|| counted(&*encoder, n, k).size().clauses);
            if clauses < MAX_CLAUSES {
                group.throughput(Throughput::Elements(clauses as u64));
                group.bench_function(encoder.about().id, |bencher| {
                    bencher.iter(|| counted(&*encoder, n, k));
                });
            }
        }
        group.finish();
    }
}

/// Every encoder of sums that makes at most 10⁷ clauses, and those of RustSAT, into a counter: sums of random weights
/// that are at most half of their total.
fn weighted_sums(criterion: &mut Criterion) {
    const MAX_CLAUSES: u128 = 10_000_000;
    let registry = bezzel_queens::register(Registry::standard());
    for (n, heaviest) in
        [20, 100, 1_000].into_iter().flat_map(|n| [(n, 10), (n, 1_000), (n, 1_000_000)])
    {
        let mut rng = ChaCha8Rng::seed_from_u64(n);
        let weights: Vec<u64> = (0..n).map(|_| rng.random_range(1..=heaviest)).collect();
        let bound = weights.iter().sum::<u64>() / 2;
        let sum = SumLimit { weights, limit: Limit::AtMost, bound };
        let mut group = timed(criterion, format!("sum of {n} up to {heaviest}"), 300);
        let mut bench = |id: &str, run: &dyn Fn() -> FormulaStats| {
            let size = run().size();
            group.throughput(Throughput::Elements(size.clauses as u64));
            let variables = size.variables - u128::from(n);
            let id = format!("{id}, {variables} variables, {} clauses", size.clauses);
            group.bench_function(id, |bencher| bencher.iter(run));
        };
        for encoder in registry.sums() {
            if sum.size(&**encoder).is_some_and(|size| size.clauses <= MAX_CLAUSES) {
                bench(&encoder.info().id, &|| {
                    let mut stats = FormulaStats::new();
                    let xs: Vec<Lit> = stats.fresh(n as u32).lits().collect();
                    sum.encode(&**encoder, &xs, &mut stats);
                    stats
                });
            }
        }
        bench("RustSAT: adder", &|| rustsat_sum::<BinaryAdder>(&sum));
        bench("RustSAT: dynamic watchdog", &|| rustsat_sum::<DynamicPolyWatchdog>(&sum));
        // Its totalizer has a literal for each value that a part can take.
        if n * heaviest <= 100_000 {
            bench("RustSAT: generalised totalizer", &|| rustsat_sum::<GeneralizedTotalizer>(&sum));
        }
        group.finish();
    }
}

/// The clauses of a sum by an encoder of RustSAT, counted.
fn rustsat_sum<E: BoundUpper + FromIterator<(Lit, usize)>>(sum: &SumLimit) -> FormulaStats {
    let n = sum.weights.len() as u32;
    let mut stats = FormulaStats::new();
    let xs = stats.fresh(n).lits();
    let mut encoder: E = xs.zip(sum.weights.iter().map(|&weight| weight as usize)).collect();
    let mut variables = BasicVarManager::from_next_free(Var::new(n));
    let bound = sum.bound as usize;
    let mut collector = Streamed { sink: stats, clauses: 0 };
    encoder.encode_ub(bound..=bound, &mut collector, &mut variables).expect("there is memory");
    for unit in encoder.enforce_ub(bound).expect("it is encoded") {
        collector.sink.clause(&[unit]);
    }
    collector.sink.fresh(variables.n_used() - n);
    collector.sink
}

/// At most `k` of `n` literals, counted.
fn counted(encoder: &dyn AtMostK, n: u32, k: u64) -> FormulaStats {
    let mut stats = FormulaStats::new();
    let xs: Vec<Lit> = stats.fresh(n).lits().collect();
    encoder.at_most(&xs, k, &mut stats);
    stats
}

/// Pairwise at N = 200, which is 13,253,800 clauses, and the programs for comparison.
fn large(criterion: &mut Criterion) {
    let board = Board::new(200).expect("a possible side");
    let encoding =
        bezzel_queens::register(Registry::standard()).find("pairwise").expect("it is there");
    let encoding = encoding.with_settings(Constraints::Full);
    let mut group = group(criterion, &*encoding, &board, 1000);
    sinks(&mut group, &*encoding, &board);
    group.bench_function("digest", |bencher| {
        bencher.iter(|| {
            let mut digest = ClauseHash::new();
            encoding.encode(&board.problem(), &mut digest);
            digest.finish()
        });
    });
    let map = encoding.encode(&board.problem(), &mut FormulaStats::new());
    group.bench_function("tally, random numbering", |bencher| {
        bencher.iter(|| {
            let mut stats = FormulaStats::new();
            let numbering = Numbering::random(1);
            let images = numbering.images(&board.problem(), board.squares(), &map);
            numbering.encode(&*encoding, &board.problem(), &images, &mut stats);
            stats
        });
    });
    limits(&mut group, &Lines::of(&board));
    rustsat(&mut group, &Lines::of(&board));
    group.finish();
}

/// A group whose throughput counts the clauses of this encoding on this board.
fn group<'a>(
    criterion: &'a mut Criterion,
    encoding: &dyn Encoding,
    board: &Board,
    milliseconds: u64,
) -> BenchmarkGroup<'a, WallTime> {
    let mut stats = FormulaStats::new();
    encoding.encode(&board.problem(), &mut stats);
    let clauses = u64::try_from(stats.size().clauses).expect("it was counted one by one");
    let mut group = timed(criterion, format!("{} {board}", encoding.info().id), milliseconds);
    group.throughput(Throughput::Elements(clauses));
    group
}

/// A group whose benchmarks take about this time each.
fn timed(
    criterion: &mut Criterion,
    name: String,
    milliseconds: u64,
) -> BenchmarkGroup<'_, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(milliseconds / 3))
        .measurement_time(Duration::from_millis(milliseconds));
    group
}

/// The encoding into each kind of sink.
fn sinks(group: &mut BenchmarkGroup<WallTime>, encoding: &dyn Encoding, board: &Board) {
    group.bench_function("tally", |bencher| {
        bencher.iter(|| {
            let mut stats = FormulaStats::new();
            encoding.encode(&board.problem(), &mut stats);
            stats
        });
    });
    group.bench_function("formula, cold", |bencher| {
        bencher.iter_with_large_drop(|| {
            let mut formula = Formula::new();
            encoding.encode(&board.problem(), &mut formula);
            formula
        });
    });
    group.bench_function("formula, warm", |bencher| {
        let mut formula = Formula::new();
        bencher.iter(|| {
            formula.clear();
            encoding.encode(&board.problem(), &mut formula);
            black_box(&mut formula);
        });
    });
    let write = |out: File| {
        let mut writer = Writer::new(out);
        encoding.encode(&board.problem(), &mut writer);
        writer.finish().expect("there is room")
    };
    text(group, "text", write);
}

/// A way to write a formula: to `/dev/null`, and to a new file, made and deleted untimed.
fn text(group: &mut BenchmarkGroup<WallTime>, name: &str, mut write: impl FnMut(File) -> File) {
    group.bench_function(format!("{name}, null"), |bencher| {
        bencher.iter_batched(null, &mut write, BatchSize::PerIteration);
    });
    group.bench_function(format!("{name}, file"), |bencher| {
        bencher.iter_batched(new_file, &mut write, BatchSize::PerIteration);
    });
}

fn null() -> File {
    OpenOptions::new().write(true).open("/dev/null").expect("every Unix has it")
}

fn new_file() -> File {
    tempfile::tempfile_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable")
}

/// The lines of a board as literals, and true for those that hold at least one queen.
struct Lines(Vec<(Vec<Lit>, bool)>);

impl Lines {
    fn of(board: &Board) -> Self {
        let mut lines = Vec::new();
        for (index, &family) in board.families().iter().enumerate() {
            for line in board.lines(family) {
                let lits = line.map(|square| Lit::positive(square.index(board.columns()) as u32));
                lines.push((lits.collect(), index < 2));
            }
        }
        Self(lines)
    }
}

/// The simplest loops that make the same literals and the same bytes: no trait, no bookkeeping.
fn limits(group: &mut BenchmarkGroup<WallTime>, Lines(lines): &Lines) {
    group.bench_function("limit: literals", |bencher| {
        let mut literals: Vec<Lit> = Vec::new();
        bencher.iter(|| {
            literals.clear();
            for (xs, at_least_one) in lines {
                if *at_least_one {
                    literals.extend_from_slice(xs);
                }
                for (index, &first) in xs.iter().enumerate() {
                    for &second in &xs[index + 1..] {
                        literals.extend([!first, !second]);
                    }
                }
            }
            black_box(&mut literals);
        });
    });
    // The loop is a fair limit only if it writes the same bytes.
    let board = Board::new(20).expect("a possible side");
    let pairwise =
        bezzel_queens::register(Registry::standard()).find("pairwise").expect("it is there");
    let (mut plain, mut writer) = (Vec::new(), Writer::new(Vec::new()));
    plain_text(&Lines::of(&board).0, &mut plain);
    pairwise.with_settings(Constraints::Full).encode(&board.problem(), &mut writer);
    assert!(writer.finish().expect("there is memory") == plain, "the limit is of another text");
    text(group, "limit: text", |mut out| {
        plain_text(lines, &mut out);
        out
    });
}

/// A piece of text of up to 16 bytes, which are copied whole.
type Piece = ([u8; 16], usize);

fn pieces(xs: &[Lit], text: impl Fn(i32) -> String) -> Vec<Piece> {
    let piece = |x: &Lit| {
        let text = text(x.to_ipasir());
        let mut bytes = [0; 16];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        (bytes, text.len())
    };
    xs.iter().map(piece).collect()
}

/// The text of the pairwise formula, two ready pieces for each binary clause, in blocks.
fn plain_text(lines: &[(Vec<Lit>, bool)], out: &mut impl Write) {
    const BLOCK: usize = 1 << 19;
    let mut buffer = vec![0; BLOCK + 64];
    let mut filled = 0;
    let mut push = |pieces: &[&Piece]| {
        for (bytes, length) in pieces {
            buffer[filled..filled + 16].copy_from_slice(bytes);
            filled += length;
        }
        if filled >= BLOCK || pieces.is_empty() {
            out.write_all(&buffer[..filled.min(BLOCK)]).expect("there is room");
            buffer.copy_within(BLOCK.., 0);
            filled = filled.saturating_sub(BLOCK);
        }
    };
    let end = (*b"0\n              ", 2);
    for (xs, at_least_one) in lines {
        if *at_least_one {
            for piece in &pieces(xs, |x| format!("{x} ")) {
                push(&[piece]);
            }
            push(&[&end]);
        }
        let firsts = pieces(xs, |x| format!("{} ", -x));
        let seconds = pieces(xs, |x| format!("{} 0\n", -x));
        for (index, first) in firsts.iter().enumerate() {
            for second in &seconds[index + 1..] {
                push(&[first, second]);
            }
        }
    }
    // Writes the rest of the buffer.
    push(&[]);
}

/// RustSAT's pairwise encoder: into its own store, into its own text, and streaming into our text.
fn rustsat(group: &mut BenchmarkGroup<WallTime>, Lines(lines): &Lines) {
    group.bench_function("RustSAT: Cnf", |bencher| {
        bencher.iter_with_large_drop(|| rustsat_pairwise(lines, Cnf::new()));
    });
    text(group, "RustSAT: text from Cnf", |out| {
        let cnf = rustsat_pairwise(lines, Cnf::new());
        let mut out = BufWriter::with_capacity(1 << 18, out);
        cnf.write_dimacs(&mut out, 40_000).expect("there is room");
        out.into_inner().expect("there is room")
    });
    text(group, "RustSAT: text streamed", |out| {
        let mut writer = Writer::new(out);
        writer.fresh(40_000);
        let streamed = Streamed { sink: writer, clauses: 0 };
        rustsat_pairwise(lines, streamed).sink.finish().expect("there is room")
    });
}

/// The board, encoded by RustSAT.
fn rustsat_pairwise<C: CollectClauses>(lines: &[(Vec<Lit>, bool)], mut collector: C) -> C {
    let mut variables = BasicVarManager::from_next_free(Var::new(40_000));
    for (xs, at_least_one) in lines {
        if *at_least_one {
            collector.add_clause(xs.iter().copied().collect()).expect("there is memory");
        }
        let mut encoder: Pairwise = xs.iter().copied().collect();
        encoder.encode(&mut collector, &mut variables).expect("there is memory");
    }
    collector
}

/// A collector that keeps nothing: clauses go on to the sink one by one.
struct Streamed<S> {
    sink: S,
    clauses: usize,
}

impl<S: ClauseSink> CollectClauses for Streamed<S> {
    fn n_clauses(&self) -> usize {
        self.clauses
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), OutOfMemory>
    where
        T: IntoIterator<Item = Clause>,
    {
        for clause in clauses {
            self.clauses += 1;
            self.sink.clause(clause.as_ref());
        }
        Ok(())
    }
}
