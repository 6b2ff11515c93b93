use super::Observation::{AtLeast, Exact};
use super::*;
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

#[test]
fn the_smallest_numbers_are_those_at_the_beginning_of_the_order() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut numbers: Vec<f64> = (0..20_000).map(|_| standard(&mut random).round() + 0.5).collect();
    numbers.extend([f64::NEG_INFINITY, f64::INFINITY]);
    for wanted in [1, 2, 500, 20_001, 30_000] {
        let mut smallest = Smallest::new(wanted);
        for &number in &numbers {
            smallest.push(number);
        }
        let mut sorted = numbers.clone();
        sorted.sort_by(f64::total_cmp);
        let expected = sorted[wanted.min(sorted.len()) - 1];
        assert_eq!(smallest.largest().to_bits(), expected.to_bits(), "{wanted}");
    }
}

#[test]
fn an_instance_without_several_replicates_has_the_same_shares_in_every_draw() {
    let mut design = PairedDesign::new(2);
    design.push(instance(0, "f"), vec![vec![Exact(2.0)], vec![Exact(1.0)]]);
    design.push(instance(1, "f"), vec![vec![Exact(2.0)], vec![]]);
    design.push(instance(2, "f"), vec![vec![AtLeast(2.0)], vec![AtLeast(2.0)]]);
    design.push(instance(3, "f"), vec![vec![Exact(2.0); 2], vec![Exact(1.0)]]);
    let cells = ReplicateTable::new(&design);
    let contrasts = [Contrast::of(0, 1), Contrast::of(1, 0)];
    let contrasts: Vec<&Contrast> = contrasts.iter().collect();
    let (log, none) = (2.0_f64.ln(), vec![[0.0; 3]; 2]);
    let measured = vec![[log, log, 1.0], [-log, -log, 1.0]];
    let expected = [Some(measured), Some(none.clone()), Some(none), None];
    assert_eq!([0, 1, 2, 3].map(|place| cells.fixed_shares(&contrasts, place)), expected);
}

#[test]
fn a_resample_of_single_replicates_is_the_mean_over_the_drawn_instances() {
    const RESAMPLES: usize = 100;
    let times = [(2.0, 1.0), (3.0, 7.0), (1.0, 1.5), (9.0, 2.0)];
    let mut design = PairedDesign::new(2);
    for (place, (one, two)) in times.into_iter().enumerate() {
        design.push(instance(place, "f"), vec![vec![Exact(one)], vec![Exact(two)]]);
    }
    // An instance without a ratio is drawn, too.
    design.push(instance(times.len(), "f"), vec![vec![Exact(2.0)], vec![]]);
    let cells = ReplicateTable::new(&design);
    let (contrast, smallest) = (Contrast::of(0, 1), Smallest::new(RESAMPLES));
    let mut ends = vec![(smallest.clone(), smallest)];
    cells.draw_part(&[&contrast], RESAMPLES, &mut ChaCha8Rng::seed_from_u64(5), &mut ends);
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for (low, high) in ends[0].0.known.iter().zip(&ends[0].1.known) {
        let (mut sum, mut count) = (0.0, 0.0);
        for _ in 0..=times.len() {
            if let Some(&(one, two)) = times.get(below(&mut random, times.len() + 1)) {
                sum += f64::ln(one) - f64::ln(two);
                count += 1.0;
            }
        }
        let open = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let expected = if count > 0.0 { (sum / count, -sum / count) } else { open };
        let bits = |(low, high): (f64, f64)| (low.to_bits(), high.to_bits());
        assert_eq!(bits((*low, *high)), bits(expected));
    }
    assert_eq!(ends[0].0.known.len(), RESAMPLES);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    // The parts are drawn by streams of their own, in any order.
    let design = shared_noise(6, false);
    let cells = ReplicateTable::new(&design);
    let contrast = Contrast::of(0, 1);
    let tail = expanded(0.025, 6, 1);
    let wanted = (tail * DRAWS.resamples as f64).floor() as usize + 1;
    let smallest = Smallest::new(wanted);
    let mut ends = vec![(smallest.clone(), smallest)];
    for part in (0..PARTS).rev() {
        let mut random = ChaCha8Rng::seed_from_u64(DRAWS.seed);
        random.set_stream(part as u64);
        cells.draw_part(&[&contrast], DRAWS.resamples / PARTS, &mut random, &mut ends);
    }
    let (low, high) = ends.remove(0);
    assert_eq!(of_two(&design, DRAWS), interval((low.largest(), -high.largest()), LEVEL));
}
