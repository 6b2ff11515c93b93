use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::Observation::{self, AtLeast, Exact};
use crate::contrast::DRAWS;
use crate::interval::{LEVEL, simultaneous};
use crate::paired_design::DesignInstance;

fn instance(place: usize, family: &str) -> DesignInstance {
    DesignInstance { name: place.to_string(), family: family.into() }
}

/// A number of the standard normal distribution (Box and Muller).
fn standard(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0;
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// Two arms on `instances` instances with ten replicates each: the same noise in both, and the first 1.1
/// times the second.
fn shared_noise(instances: usize, keys: bool) -> PairedDesign {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut design = PairedDesign::new(2);
    for place in 0..instances {
        let noise: Vec<f64> = (0..10).map(|_| standard(&mut random).exp()).collect();
        let arm = |factor: f64, other: usize| {
            let seen = noise.iter().enumerate().map(|(seed, noise)| {
                // A pair has one seed; without pairs the second arm has other seeds.
                (if keys { seed } else { seed + other }, Exact(factor * noise))
            });
            seen.collect::<Vec<_>>()
        };
        design.push_keyed(instance(place, "f"), vec![arm(1.1, 0), arm(1.0, 100)]);
    }
    design
}

fn of_two(design: &PairedDesign, draws: Draws) -> Interval {
    bootstrap(design, &[Contrast::of(0, 1)], LEVEL, draws)[0].expect("there is an interval")
}

#[test]
fn pairs_are_drawn_together_and_others_are_not() {
    // Every pair has the same ratio, so that the interval of a paired draw has no width.
    let paired = of_two(&shared_noise(10, true), DRAWS);
    assert!((paired.low.unwrap() - 1.1).abs() < 1e-9, "{paired:?}");
    assert!((paired.high.unwrap() - 1.1).abs() < 1e-9, "{paired:?}");
    let apart = of_two(&shared_noise(10, false), DRAWS);
    assert!(apart.low.unwrap() < 1.0 && apart.high.unwrap() > 1.2, "{apart:?}");
}

#[test]
fn two_seeds_agree_within_three_per_cent_at_each_end() {
    let design = shared_noise(10, false);
    let [one, two] = [1, 2].map(|seed| of_two(&design, Draws { seed, ..DRAWS }));
    assert_ne!(one, two);
    for (one, two) in [(one.low, two.low), (one.high, two.high)] {
        let ratio = one.unwrap() / two.unwrap();
        assert!((1.0 / 1.03..1.03).contains(&ratio), "{ratio}");
    }
}

/// Ratios to 1 on one instance each, in the families of their letters.
fn ratios_of(ratios: &[(&str, Observation)]) -> PairedDesign {
    let mut design = PairedDesign::new(2);
    for (place, &(family, ratio)) in ratios.iter().enumerate() {
        design.push(instance(place, family), vec![vec![ratio], vec![Exact(1.0)]]);
    }
    design
}

fn estimated(design: &PairedDesign, level: f64) -> ContrastEstimate {
    estimate(design, &[Contrast::of(0, 1)], level, DRAWS)[0]
}

#[test]
fn an_interval_reaches_from_the_median_to_the_mean() {
    let ratios: Vec<_> = (1..=10).map(|power| ("f", Exact(f64::from(1 << power)))).collect();
    let found = estimated(&ratios_of(&ratios), LEVEL);
    // The second smallest is 4, and the second largest 512. The bootstrap is narrower.
    let interval = found.interval.unwrap();
    assert!((interval.low.unwrap() - 4.0).abs() < 1e-9, "{interval:?}");
    assert!((interval.high.unwrap() - 512.0).abs() < 1e-9, "{interval:?}");
    assert!((found.ratio.estimate.unwrap().exact().unwrap() - 2.0_f64.powf(5.5)).abs() < 1e-9);
    assert_eq!(estimated(&ratios_of(&ratios[..5]), LEVEL).interval, None);
    assert_eq!(estimated(&ratios_of(&ratios), simultaneous(LEVEL, 28)).interval, None);
    assert_eq!(estimated(&PairedDesign::new(2), LEVEL).ratio.instances, 0);
}

#[test]
fn families_weigh_alike_and_are_drawn_apart() {
    // Six instances with ratio 2 and eighteen with 8: √(2 · 8) = 4 in every draw.
    let mut ratios = vec![("f", Exact(2.0)); 6];
    ratios.extend([("g", Exact(8.0)); 18]);
    let found = estimated(&ratios_of(&ratios), LEVEL);
    assert!((found.ratio.estimate.unwrap().exact().unwrap() - 4.0).abs() < 1e-9);
    let drawn = of_two(&ratios_of(&ratios), DRAWS);
    assert!((drawn.low.unwrap() - 4.0).abs() < 1e-9 && (drawn.high.unwrap() - 4.0).abs() < 1e-9);
    // Families of one instance are one stratum: their instances are drawn.
    let single: Vec<String> = (0..12).map(|family| family.to_string()).collect();
    let ratios: Vec<_> = single
        .iter()
        .zip(1..)
        .map(|(family, power)| (&**family, Exact(f64::from(1 << power))))
        .collect();
    let drawn = of_two(&ratios_of(&ratios), DRAWS);
    assert!(drawn.low.unwrap() < drawn.high.unwrap() / 2.0, "{drawn:?}");
}

#[test]
fn limits_open_the_ends_that_they_reach() {
    let mut ratios = vec![("f", Exact(2.0)); 8];
    ratios.extend([("f", AtLeast(5.0)); 2]);
    let interval = estimated(&ratios_of(&ratios), LEVEL).interval.unwrap();
    assert!(interval.low.unwrap() > 1.9 && interval.high.is_none(), "{interval:?}");
}

/// The ends of the interval by one resample after the other, as the module describes them.
fn plain_interval(
    design: &PairedDesign,
    contrast: &Contrast,
    level: f64,
    draws: Draws,
) -> Interval {
    let below = |random: &mut ChaCha8Rng, count: usize| {
        ((u64::from(random.next_u32()) * count as u64) >> 32) as usize
    };
    let mut used: Vec<usize> = contrast.pairs.iter().flat_map(|&(one, two)| [one, two]).collect();
    used.sort_unstable();
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    let of_median =
        |seen: Option<Observation>| seen.map(|seen| (seen.bound().ln(), seen.is_over()));
    for part in 0..PARTS {
        let mut random = ChaCha8Rng::seed_from_u64(draws.seed);
        random.set_stream(part as u64);
        for _ in 0..draws.resamples / PARTS {
            let (mut of_families, mut families) = ([0.0; 2], 0.0);
            for (_, places) in design.families() {
                let (mut sums, mut count) = ([0.0; 2], 0.0);
                for _ in 0..places.len() {
                    let place = places[below(&mut random, places.len())];
                    let mut picks: Vec<Option<Vec<usize>>> = vec![None; design.arms()];
                    let mut medians = vec![None; design.arms()];
                    for &arm in &used {
                        let cell = design.cell(arm, place);
                        let replicates = cell.sorted.len();
                        let picks = &mut picks[cell.drawn_with];
                        if replicates > 1 && picks.is_none() {
                            let draw = |_| below(&mut random, replicates);
                            *picks = Some((0..replicates).map(draw).collect());
                        }
                        let none = vec![0; replicates];
                        let picked = picks.as_ref().unwrap_or(&none).iter();
                        let mut drawn: Vec<Observation> =
                            picked.map(|&pick| cell.sorted[cell.ranks[pick] as usize]).collect();
                        crate::observation::sort_plainly(&mut drawn);
                        medians[arm] = of_median(crate::observation::median(&drawn));
                    }
                    let share = crate::replicate_table::within(contrast, &medians);
                    if let Some(ratio) = share {
                        sums = [sums[0] + ratio.low, sums[1] + ratio.high];
                        count += 1.0;
                    }
                }
                if count > 0.0 {
                    of_families = [0, 1].map(|end| of_families[end] + sums[end] / count);
                    families += 1.0;
                }
            }
            lows.push(if families > 0.0 { of_families[0] / families } else { f64::NEG_INFINITY });
            highs.push(if families > 0.0 { of_families[1] / families } else { f64::INFINITY });
        }
    }
    let table = ReplicateTable::new(design);
    let instances = table.ratios(contrast).len();
    let tail = expanded((1.0 - level) / 2.0, instances, table.families(contrast));
    let place = (tail * lows.len() as f64).floor() as usize;
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    interval((lows[place], highs[highs.len() - 1 - place]), level)
}

/// A design with cells of no, one, few and many replicates, with pairs, and with values over the limit.
fn mixed(seed: u64, limit: f64) -> PairedDesign {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut design = PairedDesign::new(5);
    for place in 0..14 {
        let replicates = [1, 2, 3, 5, 6, 9, 10][place % 7];
        let arm = |arm: usize| {
            // The first two arms are pairs, others are not, and one was not always measured.
            let keys = if arm < 2 { 0 } else { 100 * arm };
            let count = if arm == 4 && place % 3 == 0 { 0 } else { replicates };
            let seen = (0..count).map(|key| {
                let value = (standard(&mut random) + arm as f64 / 4.0).exp();
                let over = arm > 1 && value > limit;
                (keys + key, if over { AtLeast(limit) } else { Exact(value) })
            });
            seen.collect::<Vec<_>>()
        };
        let family = if place < 6 { "f" } else { "g" };
        design.push_keyed(instance(place, family), (0..5).map(arm).collect());
    }
    design
}

#[test]
fn intervals_are_those_of_one_resample_after_the_other() {
    let draws = Draws { resamples: 1_000, seed: 3 };
    let several = Contrast { pairs: vec![(0, 2), (1, 3), (1, 4)] };
    let contrasts = [Contrast::of(0, 1), Contrast::of(2, 3), Contrast::of(4, 0), several];
    let near = |one: Option<f64>, two: Option<f64>| match (one, two) {
        (Some(one), Some(two)) => (one / two - 1.0).abs() < 1e-9,
        (one, two) => one == two,
    };
    let designs = [mixed(1, f64::INFINITY), mixed(2, 8.0), mixed(3, 1.5)];
    for design in &designs {
        for contrast in &contrasts {
            // Draws depend on the compared arms, so each contrast is alone.
            let found = bootstrap(design, std::slice::from_ref(contrast), LEVEL, draws)[0].unwrap();
            let expected = plain_interval(design, contrast, LEVEL, draws);
            let alike = near(found.low, expected.low) && near(found.high, expected.high);
            assert!(alike, "{contrast:?}: {found:?} for {expected:?}");
        }
    }
    // Designs with the same numbers of replicates share draws, and others do not.
    let mut all: Vec<Estimated<'_>> = Vec::new();
    for design in designs.iter().chain([&shared_noise(9, true)]) {
        let contrasts = if design.arms() > 2 { &contrasts[..] } else { &contrasts[..1] };
        all.push(Estimated { design: design.clone(), contrasts, level: LEVEL, draws });
    }
    let each = all.iter().map(|of| estimate(&of.design, of.contrasts, of.level, draws));
    assert_eq!(estimate_all(&all), each.collect::<Vec<_>>());
}

#[test]
fn equal_arms_have_the_ratio_one_in_every_draw() {
    let mut design = PairedDesign::new(3);
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for place in 0..11 {
        let times: Vec<_> = (0..5).map(|key| (key, Exact(standard(&mut random).exp()))).collect();
        let other = if place == 3 {
            times.iter().map(|time| (time.0, Exact(7.0))).collect()
        } else {
            times.clone()
        };
        design.push_keyed(instance(place, "f"), vec![times.clone(), times, other]);
    }
    assert_eq!(of_two(&design, DRAWS), Interval { low: Some(1.0), high: Some(1.0), level: LEVEL });
    // A part of the draws has no instance on which the arms differ.
    let found = bootstrap(&design, &[Contrast::of(2, 0)], LEVEL, DRAWS)[0].unwrap();
    assert!(found.low == Some(1.0) && found.high > Some(1.0), "{found:?}");
}

#[test]
fn an_interval_that_no_draw_leaves_is_the_exact_one() {
    let ratios: Vec<_> = (0..9).map(|power| ("f", Exact(f64::from(1 << power)))).collect();
    let mut design = ratios_of(&ratios);
    let ends = (0.0, 8.0 * std::f64::consts::LN_2);
    let is_within = |design: &PairedDesign, ends| {
        ReplicateTable::new(design).is_within(&Contrast::of(0, 1), ends)
    };
    assert!(is_within(&design, ends) && !is_within(&design, (0.1, 9.0)));
    let interval = estimated(&design, simultaneous(LEVEL, 5)).interval.unwrap();
    assert_eq!((interval.low, interval.high), (Some(1.0), Some(256.0_f64.ln().exp())));
    let drawn =
        bootstrap(&design, &[Contrast::of(0, 1)], simultaneous(LEVEL, 5), DRAWS)[0].unwrap();
    assert!(drawn.low >= interval.low && drawn.high <= interval.high, "{drawn:?}");
    // A draw of this family alone has no ratio, and medians of several replicates vary.
    design.push(instance(9, "f"), vec![vec![Exact(2.0)], vec![]]);
    assert!(!is_within(&design, ends));
    let mut design = ratios_of(&ratios);
    design.push(instance(9, "f"), vec![vec![Exact(2.0); 2], vec![Exact(1.0)]]);
    assert!(!is_within(&design, ends));
}

#[test]
fn medians_of_many_replicates_are_drawn_from_a_pool() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut design = PairedDesign::new(2);
    for place in 0..8 {
        let mut arm = |factor: f64| -> Vec<Observation> {
            (0..40).map(|_| Exact(factor * standard(&mut random).exp())).collect()
        };
        design.push(instance(place, "f"), vec![arm(1.5), arm(1.0)]);
    }
    let draws = Draws { resamples: 5_000, seed: 1 };
    let (found, expected) =
        (of_two(&design, draws), plain_interval(&design, &Contrast::of(0, 1), LEVEL, draws));
    for (found, expected) in [(found.low, expected.low), (found.high, expected.high)] {
        let ratio = found.unwrap() / expected.unwrap();
        assert!((1.0 / 1.03..1.03).contains(&ratio), "{ratio}");
    }
}
