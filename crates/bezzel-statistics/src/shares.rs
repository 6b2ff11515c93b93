//! The shares of two factors in the variation of a measure within instances.
//!
//! Every combination of the levels of both factors has a logarithm on every instance. The squared differences from the
//! mean of the instance are the sum of those of the means of the first factor's levels, those of the second's, and a
//! rest: the interaction, which contains the noise. The sums over all instances have the shares.

/// The shares of two factors. Their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// The share of the first factor.
    pub first: f64,
    /// The share of the second factor.
    pub second: f64,
    /// The share of their interaction, noise included.
    pub both: f64,
}

/// The shares of two factors, from the logarithms of each instance: a list for each level of the first factor, with a
/// number for each level of the second. None if nothing varies.
pub fn shares(instances: &[Vec<Vec<f64>>]) -> Option<Shares> {
    let (mut first, mut second, mut all) = (0.0, 0.0, 0.0);
    for logs in instances {
        let (rows, columns) = (logs.len() as f64, logs.first()?.len());
        let row_means: Vec<f64> =
            logs.iter().map(|row| row.iter().sum::<f64>() / columns as f64).collect();
        let of_column = |column: usize| logs.iter().map(|row| row[column]).sum::<f64>() / rows;
        let mean = row_means.iter().sum::<f64>() / rows;
        let square = |value: f64| (value - mean).powi(2);
        first += row_means.iter().map(|&of| square(of)).sum::<f64>() / rows;
        second += (0..columns).map(|of| square(of_column(of))).sum::<f64>() / columns as f64;
        let each = logs.iter().flatten().map(|&of| square(of)).sum::<f64>();
        all += each / (rows * columns as f64);
    }
    (all > 0.0).then(|| Shares {
        first: first / all,
        second: second / all,
        both: 1.0 - (first + second) / all,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: Option<Shares>, expected: [f64; 3]) {
        let Shares { first, second, both } = found.expect("something varies");
        for (found, expected) in [first, second, both].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
        }
    }

    #[test]
    fn additive_effects_have_no_interaction_and_crossed_ones_nothing_else() {
        // The first factor is worth ±1, the second ±2.
        near(shares(&[vec![vec![-3.0, 1.0], vec![-1.0, 3.0]]]), [0.2, 0.8, 0.0]);
        near(shares(&[vec![vec![1.0, -1.0], vec![-1.0, 1.0]]]), [0.0, 0.0, 1.0]);
        // Sums over instances: 1 + 4 of the first two factors, and 5 of the interaction.
        let crossed =
            vec![vec![5.0_f64.sqrt(), -(5.0_f64.sqrt())], vec![-(5.0_f64.sqrt()), 5.0_f64.sqrt()]];
        near(shares(&[vec![vec![-3.0, 1.0], vec![-1.0, 3.0]], crossed]), [0.1, 0.4, 0.5]);
        assert_eq!(shares(&[vec![vec![1.0, 1.0]]]), None);
    }
}
