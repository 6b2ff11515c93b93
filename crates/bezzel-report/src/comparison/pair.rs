//! Rows of two records that ask for the same.

use std::collections::HashMap;

use bezzel_lab::backend::{self, command};
use bezzel_lab::{NO_ENCODING, Row, Task};

/// A row of A and the row of B that asks for the same.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) a: &'a Row,
    pub(super) b: &'a Row,
}

/// The rows of two records, matched.
pub(super) struct Pairs<'a> {
    /// In the order of A.
    pub(super) both: Vec<Pair<'a>>,
    pub(super) only_a: Vec<&'a Row>,
    pub(super) only_b: Vec<&'a Row>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(a: &'a [Row], b: &'a [Row]) -> Self {
        let mut places: HashMap<String, usize> =
            b.iter().enumerate().map(|(place, row)| (row.job.question(), place)).collect();
        let mut is_taken = vec![false; b.len()];
        let (mut both, mut only_a) = (Vec::new(), Vec::new());
        for row in a {
            match places.remove(&row.job.question()) {
                Some(place) => {
                    is_taken[place] = true;
                    both.push(Pair { a: row, b: &b[place] });
                }
                None => only_a.push(row),
            }
        }
        let only_b = b.iter().zip(is_taken).filter(|(_, taken)| !taken).map(|(row, _)| row);
        Self { both, only_a, only_b: only_b.collect() }
    }
}

impl Pair<'_> {
    /// Whether both are of the same revision of the encoding.
    pub(super) fn same_revision(self) -> bool {
        self.a.encoding_revision == self.b.encoding_revision
    }

    /// Whether the same formula went through the same program, so that the effort must be the same.
    /// Programs of somebody else's may be free in this, and threads share their work out as it comes.
    pub(super) fn same_work(self) -> bool {
        self.same_revision()
            && self.a.solver_version == self.b.solver_version
            && self.a.clause_digest == self.b.clause_digest
            && !command::does(&self.a.job)
            && backend::threads(&self.a.job.options) == 1
    }

    /// As in `cadical with pairwise on 8 (random), row 00af…`; the row is that of A.
    pub(super) fn told(self) -> String {
        let Row { job, key, .. } = self.a;
        let numbering = match job.encoding.as_str() {
            NO_ENCODING => String::new(),
            _ => format!(" ({})", job.numbering.id()),
        };
        format!("{} on {}{numbering}, row {key}", by(self.a), job.instance)
    }
}

/// Who did a job, with the encoding if there is one, and the task if it is not the first solution.
pub(super) fn by(row: &Row) -> String {
    let job = &row.job;
    let encoding = match job.encoding.as_str() {
        NO_ENCODING => String::new(),
        _ => format!(" with {}", job.encoding_label()),
    };
    let task = if job.task == Task::First { String::new() } else { format!(", {}", job.task) };
    format!("{}{encoding}{task}", job.solver)
}
