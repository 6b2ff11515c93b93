//! The rows of a record, for other programs: a file for each form.
//!
//! [`csv()`] and [`parquet()`] have every field of every row. The others tell less, in the words of
//! programs that compare solvers: [`mkplot()`], [`metrics()`] and [`benchexec()`]. These know *solved*
//! and *not solved*, and an encoding under a solver as a program of its own. What is neither they must
//! not count as a failure: see [`LeftOut`].
//!
//! Verdicts are those after the rows were examined together. Rows are in the order of the plan, and
//! the same record gives the same bytes.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use bezzel_encode::{Blocked, Board, Numbering, Symmetry};
use bezzel_lab::{Job, Key, Limits, MeasuredBy, Planned, Row, Stop, Task, Verdict};

use crate::lineup;

mod arm;
mod benchexec;
mod cell;
mod csv;
mod metrics;
mod mkplot;
mod parquet;
#[cfg(test)]
mod tests;

pub use benchexec::benchexec;
pub use csv::csv;
pub use metrics::{Campaign, metrics};
pub use mkplot::mkplot;
pub use parquet::parquet;

use cell::{Cell, Wide, cells};

/// What was written into a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The rows that are in none of them.
    pub left_out: LeftOut,
}

/// Rows that are not told to a program that knows only *solved* and *not solved*: it would count them
/// as one or the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Answers that are wrong.
    pub wrong: usize,
    /// Answers that nobody checked.
    pub unchecked: usize,
    /// Jobs whose solver or engine was not installed.
    pub skipped: usize,
    /// Runs that were killed by somebody else.
    pub host_errors: usize,
    /// Runs that [shared their core](Row::is_disturbed) until their wall limit.
    pub disturbed: usize,
}

impl LeftOut {
    /// Whether nothing is left out.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Counts the row if it must be left out, and says whether it must.
    fn takes(&mut self, outcome: Outcome) -> bool {
        let count = match outcome {
            Outcome::Solved | Outcome::Unsolved => return false,
            Outcome::Wrong => &mut self.wrong,
            Outcome::Unchecked => &mut self.unchecked,
            Outcome::Skipped => &mut self.skipped,
            Outcome::HostError => &mut self.host_errors,
            Outcome::Disturbed => &mut self.disturbed,
        };
        *count += 1;
        true
    }
}

/// As in `2 unchecked answers, 1 wrong answer`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.wrong, "wrong answer", "wrong answers"),
            (self.unchecked, "unchecked answer", "unchecked answers"),
            (self.skipped, "skipped job", "skipped jobs"),
            (self.host_errors, "run killed by somebody else", "runs killed by somebody else"),
            (
                self.disturbed,
                "run at its wall limit on a shared core",
                "runs at their wall limit on shared cores",
            ),
        ];
        let told = kinds.iter().filter(|(count, ..)| *count > 0);
        let told = told
            .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }));
        f.write_str(&told.collect::<Vec<_>>().join(", "))
    }
}

/// What a row is to a program that compares solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// A verified answer, or a verified measurement.
    Solved,
    /// A limit, a crash, or an answer that says nothing.
    Unsolved,
    Wrong,
    Unchecked,
    Skipped,
    HostError,
    /// Ended by the wall limit before it had its CPU time.
    Disturbed,
}

impl Outcome {
    fn of(row: &Row) -> Self {
        match (row.stop, row.verdict) {
            (Stop::Skipped, _) => Self::Skipped,
            (Stop::HostError, _) => Self::HostError,
            (_, Verdict::Wrong) => Self::Wrong,
            (_, Verdict::Verified) if row.solved() => Self::Solved,
            (_, Verdict::Unchecked) if row.solved() => Self::Unchecked,
            _ if row.is_disturbed() => Self::Disturbed,
            _ => Self::Unsolved,
        }
    }
}

/// The CPU seconds that a report compares: of solving; where all solutions are looked for, of making,
/// loading and finding; where nothing is solved, of what was measured.
fn time_s(row: &Row) -> Option<f64> {
    match row.job.task {
        Task::First => row.solve_cpu_s,
        Task::Size => row.generate_cpu_s,
        Task::Propagate => row.propagation.as_ref().map(|found| found.propagate_cpu_s),
        _ => lineup::cpu_s(row),
    }
}

/// The names of the columns of every field, each with a cell of its type.
fn heads(wide: &Wide) -> Vec<(Cow<'static, str>, Cell<'static>)> {
    let row = blank();
    let mut heads = Vec::new();
    cells(&row, wide, &mut |name, cell| {
        let kind = match cell {
            Cell::Text(_) => Cell::Text(None),
            Cell::Whole(_) => Cell::Whole(None),
            Cell::Real(_) => Cell::Real(None),
            Cell::Flag(_) => Cell::Flag(None),
        };
        heads.push((name, kind));
    });
    heads
}

/// A row with nothing in it, which has the columns of every other.
fn blank() -> Row {
    let job = Job {
        board: Board::new(1).expect("a board of one square"),
        encoding: String::new(),
        constraints: None,
        blocked: Blocked::default(),
        symmetry: Symmetry::default(),
        numbering: Numbering::AS_GENERATED,
        solver: String::new(),
        options: Arc::default(),
        task: Task::First,
        most: None,
        repeat: 1,
        limits: Limits { cpu_s: 0.0, wall_s: 0.0, memory_bytes: 0, nodes: None },
        proof: None,
        simplified: false,
        measured_by: MeasuredBy::default(),
    };
    let (key, solver_version) = (Key(String::new()), String::new());
    let planned = Planned { job, key, encoding_revision: 0, solver_version, size: None };
    Row::blank(planned, Stop::Finished)
}
