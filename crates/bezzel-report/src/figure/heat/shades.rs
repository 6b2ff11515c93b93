//! The shade of a ratio, and the key of the shades.

use super::grid::Grid;
use crate::chart::HeatKey;
use crate::number::whole_or;

/// The key of the shades: whole powers of ten, and at most three of them.
pub(super) struct ShadeScale {
    max: f64,
    open: bool,
}

impl ShadeScale {
    pub(super) fn of(grids: &[(String, Grid)]) -> Self {
        let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
        let largest = seen.filter_map(|seen| seen.ratio.measured()).fold(1.0, f64::max);
        let max = [2.0, 10.0, 100.0].into_iter().find(|max| largest <= *max).unwrap_or(1000.0);
        Self { max, open: largest > max }
    }

    pub(super) fn shade(&self, ratio: f64) -> f64 {
        (ratio.ln() / self.max.ln()).clamp(0.0, 1.0)
    }

    pub(super) fn key(&self, label: &str) -> HeatKey {
        let ratios: &[f64] = match self.max {
            2.0 => &[1.0, 1.2, 1.5, 2.0],
            10.0 => &[1.0, 2.0, 5.0, 10.0],
            100.0 => &[1.0, 3.0, 10.0, 30.0, 100.0],
            _ => &[1.0, 10.0, 100.0, 1000.0],
        };
        let read = |ratio: f64| {
            let more = if self.open && ratio >= self.max { " and more" } else { "" };
            format!("{}×{more}", whole_or(ratio, 2))
        };
        let ticks = ratios.iter().map(|&ratio| (self.shade(ratio), read(ratio))).collect();
        HeatKey { label: label.to_owned(), ticks }
    }
}
