//! Calibration: measurement of the steadiness of the machine during a session.
//!
//! One fixed formula is solved at the start of a session, at intervals, and at its end, by the same kind of process as
//! any job. The work is the same every time, so differences between these *readings* come from the machine. Readings
//! are evidence, stored beside the rows of their session. They are not part of any experiment: no plan has a job with
//! these limits, and no table its times.
//!
//! Each thread of the runner takes its readings between its own jobs. If one job runs at a time, no other job of the
//! runner runs beside a reading. If several run, the others continue during a reading, since jobs are measured under
//! the same conditions.

use std::time::Duration;

use bezzel_encode::{Constraints, Settings};
use bezzel_solve::Options;

use crate::backend::catalog::Catalog;
use crate::model::job::PlannedJob;
use crate::model::job::{Job, Limits};

mod noise;

pub use noise::{FEWEST, Noise, SHARED, TOO_HIGH, noise};

/// The number of readings that each thread takes before its first job. With those at the end they suffice for
/// quartiles, even in a short session.
pub const AT_START: usize = 3;
/// The number of readings that each thread takes after its last job.
pub const AT_END: usize = 2;

/// A fixed job, and the interval of its readings.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationJob {
    /// The job.
    pub planned: PlannedJob,
    /// The minimum time from one reading to the next.
    pub every: Duration,
}

impl CalibrationJob {
    /// Returns the job on this catalog: its calibration instance with the binary encoding and CaDiCaL. None if one of the
    /// three is missing.
    ///
    /// The instance should have no solution, so that the solver must search all of it, and take about 0.1 s of CPU time.
    /// In a shorter job, the resolution of the clock and the start of a process would have an effect; a longer job would
    /// itself cost too much time.
    pub fn new(catalog: &Catalog, every: Duration) -> Option<Self> {
        let (encoding, solver) = ("binary", "cadical");
        let instance = catalog.calibration.clone()?;
        let found = catalog.solver(solver).ok()?;
        let (version, options) = (found.info().version, found.settings(&Options::new()).ok()?);
        let found = catalog.encodings.find(encoding).ok()?;
        let constraints = found.has_lines().then_some(Constraints::default());
        let encoding_revision = found.with_settings(Constraints::default()).info().revision;
        // Unusual limits, so that no plan has this job.
        let limits = Limits { cpu_s: 17.0, wall_s: 71.0, memory_bytes: 257 << 20, nodes: None };
        let job = Job {
            settings: Settings { constraints, ..Settings::default() },
            options: options.into(),
            ..Job::solving(instance, encoding, solver, limits)
        };
        Some(Self { planned: PlannedJob::new(job, encoding_revision, version), every })
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;

    use super::*;
    use crate::backend::Backends;

    const EVERY: Duration = Duration::from_secs(30);

    #[test]
    fn the_fixed_job_is_the_same_every_time() {
        let catalog = Catalog::of_tests();
        let fixed = CalibrationJob::new(&catalog, EVERY).unwrap();
        assert_eq!(fixed, CalibrationJob::new(&catalog, EVERY).unwrap());
        assert!(fixed.planned.job.numbering.variables.is_none(), "no seed decides anything");
    }

    #[test]
    fn a_catalog_without_the_encoding_or_the_solver_has_no_fixed_job() {
        let standard = Catalog::of_tests();
        let bare = Catalog { encodings: Registry::new(), ..standard.clone() };
        assert_eq!(CalibrationJob::new(&bare, EVERY), None);
        let bare = Catalog { backends: Backends::new(), ..standard };
        assert_eq!(CalibrationJob::new(&bare, EVERY), None);
    }
}
