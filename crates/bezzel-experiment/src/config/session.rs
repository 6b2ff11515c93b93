//! The calibration of a session. No job contains it, so no key depends on it.

use serde::Serialize;

use crate::model::quantity::duration;

/// The largest number of warm-up jobs.
pub(super) const MAX_WARM_UP: u64 = 1_000;

/// A fixed formula that is solved from time to time, to measure how steady the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The shortest time by the clock from one solving to the next, in seconds.
    pub every_s: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { every_s: 30.0 }
    }
}

impl Calibration {
    /// Returns the interval in words.
    pub(crate) fn words(self) -> String {
        format!("every {}", duration(self.every_s))
    }
}
