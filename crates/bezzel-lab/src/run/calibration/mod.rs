//! Calibration: how steady the machine is while it measures.
//!
//! One fixed formula is solved at the start of a session, at intervals, and at its end, by the same
//! kind of process as any job. It is the same work every time, so what differs between these
//! *readings* is the machine. They are evidence, kept as rows in `calibration.jsonl`, and no part
//! of any experiment: no plan has a job with these limits, and no table its times.
//!
//! Each of the runner's threads takes its readings between its own jobs. Where one job runs at a
//! time, nothing of ours runs beside a reading; where several do, the others go on meanwhile, since
//! that is how these jobs are measured, and the readings are as disturbed as they are.

use std::time::Duration;

use bezzel_encode::{Constraints, Numbering, Settings};
use bezzel_problem::{Board, Geometry};
use bezzel_solve::Options;

use crate::backend::workbench::Workbench;
use crate::model::job::Planned;
use crate::model::job::{Job, Limits, MeasuredBy, Task};

mod noise;

pub use noise::{FEWEST, Noise, SHARED, TOO_HIGH, noise};

/// Readings that each thread takes before its first job. With those at the end they are enough for
/// quartiles, however short the session is.
pub const AT_START: usize = 3;
/// Readings that each thread takes after its last job.
pub const AT_END: usize = 2;

/// A fixed job, and how often it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// The job.
    pub planned: Planned,
    /// The time from one reading to the next, at least.
    pub every: Duration,
}

impl Fixed {
    /// The job on this workbench; none where it lacks the encoding or the solver.
    ///
    /// The toroidal board of side 10 has no solution, so that a solver must search all of it: with
    /// the binary encoding CaDiCaL has 12,250 conflicts every time, which are some 70 ms of CPU
    /// time on a machine of 2020. Shorter, and the clock's own grain and the start of a process
    /// would be seen; longer, and calibrating would cost what it is to protect.
    pub fn new(workbench: &Workbench, every: Duration) -> Option<Self> {
        let (encoding, solver) = ("binary", "cadical");
        let board = Board::new(10).ok()?.with_geometry(Geometry::Torus);
        let found = workbench.solver(solver).ok()?;
        let (version, options) = (found.info().version, found.settings(&Options::new()).ok()?);
        let found = workbench.encodings.find(encoding).ok()?;
        let constraints = found.has_lines().then_some(Constraints::default());
        let encoding_revision = found.on_board(Constraints::default()).card().revision;
        let job = Job {
            instance: board.into(),
            encoding: encoding.into(),
            settings: Settings { constraints, ..Settings::default() },
            numbering: Numbering::AS_GENERATED,
            solver: solver.into(),
            options: options.into(),
            task: Task::First,
            most: None,
            repeat: 1,
            // Odd ones, so that no plan has this job.
            limits: Limits { cpu_s: 17.0, wall_s: 71.0, memory_bytes: 257 << 20, nodes: None },
            proof: None,
            simplified: false,
            measured_by: MeasuredBy::Bezzel,
        };
        Some(Self { planned: Planned::new(job, encoding_revision, version), every })
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
        let workbench = Workbench::standard();
        let fixed = Fixed::new(&workbench, EVERY).unwrap();
        assert_eq!(fixed, Fixed::new(&workbench, EVERY).unwrap());
        assert!(fixed.planned.job.numbering.variables.is_none(), "no seed decides anything");
    }

    #[test]
    fn a_workbench_without_the_encoding_or_the_solver_has_no_fixed_job() {
        let standard = Workbench::standard();
        let bare = Workbench { encodings: Registry::new(), ..standard.clone() };
        assert_eq!(Fixed::new(&bare, EVERY), None);
        let bare = Workbench { backends: Backends::new(), ..standard };
        assert_eq!(Fixed::new(&bare, EVERY), None);
    }
}
