//! Which replicates are in the middle when as many are drawn from them: by their chances, so that one
//! random number takes the place of a whole resample of a cell.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The two ranks in the middle of so many draws from as many replicates in order, each pair with its
/// chance. Of an odd number both are the same.
#[derive(Debug)]
pub(super) struct Middles {
    /// The chance of this pair or one before it, in units of 2⁻³².
    thresholds: Vec<u64>,
    ranks: Vec<(u32, u32)>,
}

impl Middles {
    /// Of more replicates than these the table would be large.
    pub(super) const MOST: usize = 128;

    /// Of `count` draws from `count` replicates.
    pub(super) fn of(count: usize) -> Self {
        let (mut thresholds, mut ranks) = (Vec::new(), Vec::new());
        let mut sum = 0.0;
        for (pair, chance) in chances(count) {
            sum += chance;
            thresholds.push((sum * 2.0_f64.powi(32)).round() as u64);
            ranks.push(pair);
        }
        // Whatever rounding left over is the last one's.
        if let Some(last) = thresholds.last_mut() {
            *last = u64::MAX;
        }
        Self { thresholds, ranks }
    }

    /// Draws a pair.
    pub(super) fn draw(&self, random: &mut ChaCha8Rng) -> (usize, usize) {
        let drawn = u64::from(random.next_u32());
        let (lower, upper) = self.ranks[self.thresholds.partition_point(|known| *known <= drawn)];
        (lower as usize, upper as usize)
    }
}

/// Every pair of ranks with its chance.
fn chances(count: usize) -> Vec<((u32, u32), f64)> {
    // How likely it is that at least `least` of all draws are below rank `below`.
    let at_least = |least: usize, below: usize| tail(count, below as f64 / count as f64, least);
    let half = count / 2;
    let mut all = Vec::new();
    if count % 2 == 1 {
        for rank in 0..count {
            let chance = at_least(half + 1, rank + 1) - at_least(half + 1, rank);
            all.push(((rank as u32, rank as u32), chance));
        }
        return all;
    }
    // How likely it is that all of half the draws are below a rank, as a share.
    let below = |rank: usize| (rank as f64 / count as f64).powi(half as i32);
    let ways = (0..half).map(|k| (count - k) as f64 / (half - k) as f64).product::<f64>();
    for lower in 0..count {
        // The same rank twice is what is left of all in which this is the lower.
        let mut both = at_least(half, lower + 1) - at_least(half, lower);
        let start = all.len();
        all.push(((lower as u32, lower as u32), 0.0));
        for upper in lower + 1..count {
            // Half of the draws end at the lower rank, the others begin at the upper.
            let ending = below(lower + 1) - below(lower);
            let beginning = below(count - upper) - below(count - upper - 1);
            let chance = ways * ending * beginning;
            all.push(((lower as u32, upper as u32), chance));
            both -= chance;
        }
        all[start].1 = both.max(0.0);
    }
    all
}

/// How likely at least `least` of `count` independent events of chance `p` are.
fn tail(count: usize, p: f64, least: usize) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    // From none to all, each from the one before.
    let mut chance = (1.0 - p).powi(count as i32);
    let mut below = 0.0;
    for number in 0..least {
        below += chance;
        chance *= (count - number) as f64 / (number + 1) as f64 * p / (1.0 - p);
    }
    (1.0 - below).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chances by all ways to draw, counted.
    fn counted(count: usize) -> Vec<((u32, u32), f64)> {
        let ways = count.pow(count as u32);
        let mut pairs = Vec::new();
        for way in 0..ways {
            let mut ranks: Vec<usize> =
                (0..count).map(|place| way / count.pow(place as u32) % count).collect();
            ranks.sort_unstable();
            pairs.push((ranks[(count - 1) / 2] as u32, ranks[count / 2] as u32));
        }
        pairs.sort_unstable();
        let mut counted: Vec<((u32, u32), f64)> = Vec::new();
        for pair in pairs {
            match counted.last_mut() {
                Some(last) if last.0 == pair => last.1 += 1.0 / ways as f64,
                _ => counted.push((pair, 1.0 / ways as f64)),
            }
        }
        counted
    }

    #[test]
    fn chances_are_those_of_all_ways_to_draw() {
        for count in 1..=6 {
            let found: Vec<_> = chances(count).into_iter().filter(|one| one.1 > 1e-12).collect();
            let expected = counted(count);
            assert_eq!(found.len(), expected.len(), "{count}");
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(found.0, expected.0);
                assert!((found.1 - expected.1).abs() < 1e-9, "{count}: {found:?} {expected:?}");
            }
        }
    }

    #[test]
    fn chances_of_many_replicates_still_add_up() {
        for count in [51, 52, 127, Middles::MOST] {
            let all = chances(count);
            let sum: f64 = all.iter().map(|one| one.1).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{count}: {sum}");
            assert!(all.iter().all(|one| one.1 >= -1e-12), "{count}");
        }
    }
}
