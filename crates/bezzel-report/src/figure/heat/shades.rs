//! The shade of a ratio, and the key of the shades.

use super::grid::Grid;
use crate::chart::HeatKey;
use crate::number::whole_or;

/// The key of the shades: whole powers of ten, and at most three of them.
pub(super) struct ShadeScale {
    /// The ratio with the lightest shade.
    min: f64,
    max: f64,
    /// True if some ratio is beyond the ends.
    open: [bool; 2],
}

impl ShadeScale {
    /// Shades from a ratio of 1, to the smallest value.
    pub(super) fn from_one(grids: &[(String, Grid)]) -> Self {
        let [_, largest] = range(grids);
        let max = [2.0, 10.0, 100.0].into_iter().find(|max| largest <= *max).unwrap_or(1000.0);
        Self { min: 1.0, max, open: [false, largest > max] }
    }

    /// Shades around a ratio of 1, to the median, for at least three quarters of the cells.
    pub(super) fn around_one(grids: &[(String, Grid)]) -> Self {
        let ratios: Vec<f64> = ratios(grids).collect();
        let outside = |max: f64| ratios.iter().filter(|&&it| it < 1.0 / max || it > max).count();
        let fits = |max: &f64| 4 * outside(*max) <= ratios.len();
        let max = [3.0, 10.0].into_iter().find(fits).unwrap_or(100.0);
        let [least, largest] = range(grids);
        Self { min: 1.0 / max, max, open: [least < 1.0 / max, largest > max] }
    }

    pub(super) fn shade(&self, ratio: f64) -> f64 {
        let share = (ratio / self.min).ln() / (self.max / self.min).ln();
        share.clamp(0.0, 1.0)
    }

    pub(super) fn key(&self, label: &str) -> HeatKey {
        let ratios: &[f64] = match (self.min, self.max) {
            (1.0, 2.0) => &[1.0, 1.2, 1.5, 2.0],
            (1.0, 10.0) => &[1.0, 2.0, 5.0, 10.0],
            (1.0, 100.0) => &[1.0, 3.0, 10.0, 30.0, 100.0],
            (1.0, _) => &[1.0, 10.0, 100.0, 1000.0],
            (_, 3.0) => &[1.0 / 3.0, 0.6, 1.0, 1.7, 3.0],
            (_, 10.0) => &[0.1, 0.3, 1.0, 3.0, 10.0],
            _ => &[0.01, 0.1, 1.0, 10.0, 100.0],
        };
        let read = |ratio: f64| {
            let [less, more] = self.open;
            let beyond = match ratio {
                ratio if less && ratio <= self.min => "≤ ",
                ratio if more && ratio >= self.max => "≥ ",
                _ => "",
            };
            format!("{beyond}{}×", whole_or(ratio, if ratio < 1.0 { 1 } else { 2 }))
        };
        let ticks = ratios.iter().map(|&ratio| (self.shade(ratio), read(ratio))).collect();
        HeatKey { label: label.to_owned(), ticks }
    }
}

/// The measured ratios.
fn ratios(grids: &[(String, Grid)]) -> impl Iterator<Item = f64> {
    let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
    seen.filter_map(|seen| seen.ratio.measured())
}

/// The smallest and the largest measured ratio, and 1.
fn range(grids: &[(String, Grid)]) -> [f64; 2] {
    ratios(grids).fold([1.0, 1.0], |[least, max], ratio| [least.min(ratio), max.max(ratio)])
}
