//! Coverage of intervals: the share of intervals that miss the true number, as in the table in `docs/statistics.md`.
//!
//! It measures no time. `cargo bench -p bezzel-bench --bench coverage` prints the table. It takes minutes, and so is
//! no test.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench that prints its table")]

use std::time::Instant;

use bezzel_statistics::contrast::PARTS;
use bezzel_statistics::{
    Contrast, DesignInstance, Draws, LEVEL, Observation, PairedDesign, estimate,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of simulated designs for one line of the table.
const DESIGNS: u64 = 20_000;
/// The resamples of one interval. Reports use more, and their ends are smoother. These resolve the tails of 95 %, but
/// not those of the level of many simultaneous intervals.
const RESAMPLES: usize = 10 * PARTS;

/// A distribution of logarithms of ratios, its mean and its median.
struct Law {
    name: &'static str,
    draw: fn(&mut ChaCha8Rng) -> f64,
    mean: f64,
    median: f64,
    /// The sixths of the boards in a family of their own.
    small: usize,
}

fn uniform(random: &mut ChaCha8Rng) -> f64 {
    (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * uniform(random).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(random)).cos()
}

const LAWS: [Law; 5] = [
    // Skewness 2.
    Law {
        name: "skewed (exponential)",
        draw: |random| -uniform(random).ln(),
        mean: 1.0,
        median: std::f64::consts::LN_2,
        small: 0,
    },
    // Three in five are exactly equal.
    Law {
        name: "tied (60 % equal)",
        draw: |random| if uniform(random) < 0.6 { 0.0 } else { normal(random) },
        mean: 0.0,
        median: 0.0,
        small: 0,
    },
    // Whole numbers of conflicts of short runs.
    Law {
        name: "tied (rounded normal)",
        draw: |random| normal(random).round(),
        mean: 0.0,
        median: 0.0,
        small: 0,
    },
    Law { name: "normal", draw: normal, mean: 0.0, median: 0.0, small: 0 },
    Law { name: "normal, families of 1/6 and 5/6", draw: normal, mean: 0.0, median: 0.0, small: 1 },
];

fn main() {
    // `cargo test --benches` runs benches too, and must not run this one.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let started = Instant::now();
    println!("| log-ratios | boards | median missed | geometric mean missed | nominal |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for law in &LAWS {
        for boards in [6, 8, 10, 11, 20, 80] {
            let Some([median, mean]) = missed(law, boards) else { continue };
            let percent = |share: f64| format!("{:.2} %", 100.0 * share);
            println!(
                "| {} | {boards} | {} | {} | {} |",
                law.name,
                percent(median),
                percent(mean),
                percent(1.0 - LEVEL)
            );
        }
    }
    eprintln!("{:.0} s", started.elapsed().as_secs_f64());
}

/// The shares of intervals that miss the median and the geometric mean; none where there are too few
/// boards for an interval.
fn missed(law: &Law, boards: usize) -> Option<[f64; 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(boards as u64);
    let mut missed = [0_u32; 2];
    for seed in 0..DESIGNS {
        let mut design = PairedDesign::new(2);
        for board in 0..boards {
            let ratio = (law.draw)(&mut random).exp();
            let family = if board < law.small * boards / 6 { "small" } else { "large" };
            let instance = DesignInstance { name: board.to_string(), family: family.into() };
            let [one, two] = [ratio, 1.0].map(|time| vec![Observation::Exact(time)]);
            design.push(instance, vec![one, two]);
        }
        let draws = Draws { resamples: RESAMPLES, seed };
        let interval = estimate(&design, &[Contrast::of(0, 1)], LEVEL, draws)[0].interval?;
        let (low, high) = (interval.low?.ln(), interval.high?.ln());
        for (missed, truth) in missed.iter_mut().zip([law.median, law.mean]) {
            // Equal numbers must not differ by rounding.
            *missed += u32::from(truth < low - 1e-9 || truth > high + 1e-9);
        }
    }
    Some(missed.map(|missed| f64::from(missed) / DESIGNS as f64))
}
