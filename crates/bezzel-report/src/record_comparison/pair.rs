//! Pairs of rows of two records for the same job.

use std::collections::HashMap;

use bezzel_experiment::backend::{self, command};
use bezzel_experiment::{NO_ENCODING, Row, Task};

/// A row of A and the row of B for the same job.
#[derive(Clone, Copy)]
pub(super) struct RowPair<'a> {
    pub(super) a: &'a Row,
    pub(super) b: &'a Row,
}

/// The rows of two records, matched.
pub(super) struct MatchedRows<'a> {
    /// The pairs, in the order of A.
    pub(super) both: Vec<RowPair<'a>>,
    pub(super) only_a: Vec<&'a Row>,
    pub(super) only_b: Vec<&'a Row>,
}

impl<'a> MatchedRows<'a> {
    pub(super) fn new(a: &'a [Row], b: &'a [Row]) -> Self {
        let mut places: HashMap<String, usize> =
            b.iter().enumerate().map(|(place, row)| (row.job.question(), place)).collect();
        let mut is_taken = vec![false; b.len()];
        let (mut both, mut only_a) = (Vec::new(), Vec::new());
        for row in a {
            match places.remove(&row.job.question()) {
                Some(place) => {
                    is_taken[place] = true;
                    both.push(RowPair { a: row, b: &b[place] });
                }
                None => only_a.push(row),
            }
        }
        let only_b = b.iter().zip(is_taken).filter(|(_, taken)| !taken).map(|(row, _)| row);
        Self { both, only_a, only_b: only_b.collect() }
    }
}

impl RowPair<'_> {
    /// True if both rows have the same revision of the encoding.
    pub(super) fn same_revision(self) -> bool {
        self.a.encoding_revision == self.b.encoding_revision
    }

    /// True if the same program read the same formula, so that the effort must be equal. External programs need not be
    /// deterministic, and neither are several threads.
    pub(super) fn same_work(self) -> bool {
        self.same_revision()
            && self.a.solver_version == self.b.solver_version
            && self.a.clause_digest == self.b.clause_digest
            && !command::is_program_job(&self.a.job)
            && backend::threads(&self.a.job.options) == 1
    }

    /// The pair in words, as in `cadical with pairwise on 8 (random), row 00af…`. The row is that of A.
    pub(super) fn describe(self) -> String {
        let Row { job, key, .. } = self.a;
        let numbering = match job.encoding.as_str() {
            NO_ENCODING => String::new(),
            _ => format!(" ({})", job.numbering.id()),
        };
        format!("{} on {}{numbering}, row {key}", describe_arm(self.a), job.instance)
    }
}

/// The solver of a job, with the encoding if there is one, and the task if it is not the first solution.
pub(super) fn describe_arm(row: &Row) -> String {
    let job = &row.job;
    let encoding = match job.encoding.as_str() {
        NO_ENCODING => String::new(),
        _ => format!(" with {}", job.encoding_label()),
    };
    let task = if job.task == Task::Solve { String::new() } else { format!(", {}", job.task) };
    format!("{}{encoding}{task}", job.solver)
}
