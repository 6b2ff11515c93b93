//! Wilcoxon's signed-rank test over instances: whether one arm takes more than another.
//!
//! The differences are those of logarithms, so that a factor counts the same on easy and on hard
//! instances. What is over the limit is ranked, not measured (Van Gelder, *Careful ranking of
//! multiple solvers with timeouts and ties*, SAT 2011): one arm over the limit is a difference larger
//! than every measured one, all such differences are tied, and both over the limit are a tie of the
//! two arms, which is a difference of zero.
//!
//! Zero differences keep their ranks and enter no sum (Pratt, *Remarks on zeros and ties in the
//! Wilcoxon signed rank procedures*, Journal of the American Statistical Association 54, 1959); tied
//! ones have the mean of their ranks. Up to [`EXACT`] differences that are not zero the probability
//! is exact, given the ties; beyond it is normal with the variance of the ranks as they are and the
//! correction of a half for continuity.

use std::cmp::Ordering;

use super::distribution::normal;
use super::observation::Observation;

/// So many differences have their exact distribution counted out.
pub const EXACT: usize = 50;

/// What the test finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRanks {
    /// The sum of the ranks of differences in which the first takes more.
    pub more: f64,
    /// The sum of the ranks of differences in which the first takes less.
    pub less: f64,
    /// The number of differences that are not zero.
    pub differences: usize,
    /// The number of ties: both alike, or both over the limit.
    pub ties: usize,
    /// The two-sided probability of sums at least as far apart if neither takes more.
    pub p: f64,
}

impl SignedRanks {
    /// The matched-pairs rank-biserial correlation, from −1 to 1: the share of ranks in which the
    /// first takes more, less the share in which it takes less (Kerby, *The simple difference
    /// formula*, Comprehensive Psychology 3, 2014). Zero if all are ties.
    pub fn rank_biserial(&self) -> f64 {
        let all = self.more + self.less;
        if all > 0.0 { (self.more - self.less) / all } else { 0.0 }
    }
}

/// Tests pairs of observations, one for each instance. Of no pairs the probability is 1.
pub fn signed_ranks(pairs: &[(Observation, Observation)]) -> SignedRanks {
    let difference = |&(one, two): &(Observation, Observation)| match (one.is_over(), two.is_over())
    {
        (false, false) => one.bound().ln() - two.bound().ln(),
        (true, false) => f64::INFINITY,
        (false, true) => f64::NEG_INFINITY,
        (true, true) => 0.0,
    };
    let mut differences: Vec<f64> = pairs.iter().map(difference).collect();
    differences.sort_by(|one, two| one.abs().total_cmp(&two.abs()));
    // Ranks are doubled, so that the mean of two is whole.
    let mut ranks: Vec<(usize, f64)> = Vec::new();
    let mut start = 0;
    while start < differences.len() {
        let size = differences[start].abs();
        let alike = differences[start..]
            .iter()
            .take_while(|other| other.abs().total_cmp(&size).is_eq())
            .count();
        // From start + 1 to start + alike: twice the mean is the sum of both.
        let rank = 2 * start + alike + 1;
        let group = differences[start..start + alike].iter().filter(|other| **other != 0.0);
        ranks.extend(group.map(|other| (rank, *other)));
        start += alike;
    }
    let sum = |sign: Ordering| -> usize {
        let of_sign = ranks.iter().filter(|(_, other)| other.partial_cmp(&0.0) == Some(sign));
        of_sign.map(|(rank, _)| rank).sum()
    };
    let (more, less) = (sum(Ordering::Greater), sum(Ordering::Less));
    let doubled: Vec<usize> = ranks.iter().map(|(rank, _)| *rank).collect();
    let p = if doubled.len() <= EXACT {
        exact(&doubled, more.min(less))
    } else {
        approximate(&doubled, more.min(less))
    };
    SignedRanks {
        more: more as f64 / 2.0,
        less: less as f64 / 2.0,
        differences: ranks.len(),
        ties: pairs.len() - ranks.len(),
        p,
    }
}

/// How often a sum of ranks with signs thrown is as small as the smaller of the two, times two.
fn exact(doubled: &[usize], smaller: usize) -> f64 {
    // How likely each sum is, rank by rank.
    let mut shares = vec![0.0; doubled.iter().sum::<usize>() + 1];
    shares[0] = 1.0;
    let mut largest = 0;
    for rank in doubled {
        largest += rank;
        for sum in (0..=largest).rev() {
            let with = if sum >= *rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = f64::midpoint(shares[sum], with);
        }
    }
    (2.0 * shares[..=smaller].iter().sum::<f64>()).min(1.0)
}

fn approximate(doubled: &[usize], smaller: usize) -> f64 {
    let ranks = || doubled.iter().map(|rank| *rank as f64 / 2.0);
    let mean = ranks().sum::<f64>() / 2.0;
    let variance = ranks().map(|rank| rank * rank).sum::<f64>() / 4.0;
    let distance = (mean - smaller as f64 / 2.0 - 0.5).max(0.0);
    (2.0 * normal(-distance / variance.sqrt())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;

    /// Pairs whose differences are these.
    fn pairs(differences: &[f64]) -> Vec<(Observation, Observation)> {
        differences.iter().map(|log| (Exact(log.exp()), Exact(1.0))).collect()
    }

    /// Every way to throw the signs, counted.
    fn brute_force(tested: &[(Observation, Observation)]) -> f64 {
        let size = |pair: &(Observation, Observation)| match (pair.0.is_over(), pair.1.is_over()) {
            (true, true) => 0.0,
            (false, false) => (pair.0.bound().ln() - pair.1.bound().ln()).abs(),
            _ => 1e9,
        };
        let sizes: Vec<f64> = tested.iter().map(size).collect();
        let rank = |size: f64| {
            let below = sizes.iter().filter(|other| **other < size).count() as f64;
            let alike = sizes.iter().filter(|other| other.total_cmp(&size).is_eq()).count() as f64;
            below + f64::midpoint(alike, 1.0)
        };
        let ranks: Vec<f64> =
            sizes.iter().map(|size| if *size == 0.0 { 0.0 } else { rank(*size) }).collect();
        let is_more = |pair: &(Observation, Observation)| {
            pair.0.is_over() || (!pair.1.is_over() && pair.0.bound() > pair.1.bound())
        };
        let sum: f64 =
            ranks.iter().zip(tested).filter(|(_, pair)| is_more(pair)).map(|(rank, _)| rank).sum();
        let middle = ranks.iter().sum::<f64>() / 2.0;
        let ways = 1_u32 << ranks.len();
        let far = (0..ways).filter(|way| {
            let thrown: f64 =
                (0..ranks.len()).filter(|bit| way >> bit & 1 == 1).map(|bit| ranks[bit]).sum();
            (thrown - middle).abs() >= (sum - middle).abs() - 1e-9
        });
        far.count() as f64 / f64::from(ways)
    }

    #[test]
    fn darwins_maize_is_tested_as_wilcoxon_did() {
        // Differences of heights in eighths of an inch, the example of Wilcoxon's paper of 1945 after
        // Fisher's Design of Experiments: the negative ranks, 14 and 10, add up to 24.
        let heights = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
        let found = signed_ranks(&pairs(&heights.map(|eighths| f64::from(eighths) / 10.0)));
        assert_eq!((found.more, found.less, found.differences), (96.0, 24.0, 15));
        // R's wilcox.test prints 0.04126.
        assert!((found.p - 0.041_26).abs() < 5e-6, "{}", found.p);
        assert!((found.rank_biserial() - 0.6).abs() < 1e-12);
    }

    #[test]
    fn critical_values_are_those_of_the_tables() {
        // n, the largest sum that is significant at 5 % and at 1 %, both sided; 0 is none.
        for (n, five, one) in [
            (6, Some(0), None),
            (8, Some(3), Some(0)),
            (10, Some(8), Some(3)),
            (15, Some(25), Some(15)),
            (20, Some(52), Some(37)),
            (25, Some(89), Some(68)),
        ] {
            let ranks: Vec<usize> = (1..=n).map(|rank| 2 * rank).collect();
            let largest =
                |level: f64| (0..n * n).take_while(|sum| exact(&ranks, 2 * sum) <= level).last();
            assert_eq!((largest(0.05), largest(0.01)), (five, one), "{n}");
        }
    }

    #[test]
    fn ties_zeros_and_time_outs_are_counted_as_brute_force_counts_them() {
        let cases = [
            pairs(&[1.0, 1.0, -1.0, 2.0, 0.0, 3.0, -0.5]),
            pairs(&[1.0, -2.0, 3.0, -4.0, 5.0, 6.0, 7.0, 8.0, -9.0]),
            [
                pairs(&[0.5, -0.25, 0.0]),
                vec![
                    (AtLeast(5.0), Exact(1.0)),
                    (AtLeast(5.0), AtLeast(5.0)),
                    (Exact(1.0), AtLeast(5.0)),
                    (AtLeast(5.0), Exact(2.0)),
                ],
            ]
            .concat(),
            pairs(&[0.0, 0.0]),
        ];
        for case in cases {
            let found = signed_ranks(&case);
            assert!((found.p - brute_force(&case)).abs() < 1e-12, "{found:?}");
        }
        assert!((signed_ranks(&[]).p - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_time_out_is_a_larger_difference_than_every_measured_one() {
        let late = [(AtLeast(5.0), Exact(4.9)), (Exact(1.0), Exact(1000.0))];
        let found = signed_ranks(&late);
        assert_eq!((found.more, found.less), (2.0, 1.0));
        let both =
            [(AtLeast(5.0), AtLeast(9.0)), (Exact(1.0), Exact(1.0)), (Exact(1.0), Exact(2.0))];
        let found = signed_ranks(&both);
        // Pratt: the two ties keep the ranks 1 and 2.
        assert_eq!((found.less, found.ties, found.differences), (3.0, 2, 1));
    }

    #[test]
    fn where_the_approximation_takes_over_it_is_near_the_exact_value() {
        let ranks: Vec<usize> = (1..=60).map(|rank| 2 * rank).chain([21, 21, 21]).collect();
        for smaller in [900, 1200, 1500] {
            let (exact, normal) = (exact(&ranks, smaller), approximate(&ranks, smaller));
            assert!((exact - normal).abs() < 0.002, "{exact} {normal}");
        }
    }
}
