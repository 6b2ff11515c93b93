//! The report of a check of evidence.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::model::quantity::counted;
use crate::model::row::Row;

/// The place of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EntryPlace {
    /// The number of its session.
    pub(crate) session: usize,
    /// The number of its line, counted from 1.
    pub(crate) line: usize,
}

/// A row and its place.
#[derive(Debug)]
pub(crate) struct NumberedRow {
    pub(crate) place: EntryPlace,
    pub(crate) row: Row,
}

/// The steps of a check, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerificationStep {
    /// Every line: its checksum, its format, its syntax.
    Lines,
    /// Every reading of the machine: its checksum, its format.
    Readings,
    /// Every key, from the job, the encoding's revision and the solver's version.
    Keys,
    /// Rows and the plans of the configs: missing, duplicate and foreign rows.
    Plan,
    /// The session of every row.
    Sessions,
    /// Times, memory and starts: numbers that no machine can measure.
    Numbers,
    /// Every answer: placements by the rules, denials by published numbers and search.
    Verdicts,
    /// Every instance that one row solves and another denies.
    Contradictions,
    /// Sizes of formulas.
    Sizes,
    /// Digests of clauses.
    Digests,
    /// Jobs that were run again.
    Sample,
}

impl fmt::Display for VerificationStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "lines of rows",
            Self::Readings => "readings of the machine",
            Self::Keys => "keys computed again",
            Self::Plan => "jobs of the last config",
            Self::Sessions => "sessions of rows",
            Self::Numbers => "times and memory of rows",
            Self::Verdicts => "answers judged again",
            Self::Contradictions => "instances not contradicted",
            Self::Sizes => "formulas measured again",
            Self::Digests => "clause streams hashed again",
            Self::Sample => "jobs run again",
        })
    }
}

/// The extent of a step of the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepSummary {
    /// The step.
    pub step: VerificationStep,
    /// The number of items that were checked.
    pub checked: usize,
    /// The number of faults.
    pub faults: usize,
    /// The number of items that could not be checked, or were not for lack of time.
    pub left_out: usize,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerificationFault {
    /// The step that found it.
    pub step: VerificationStep,
    /// The session or the file of the line, if it is in one.
    pub session: Option<String>,
    /// The number of the line, if it is in one.
    pub line: Option<usize>,
    /// A description of the fault.
    pub what: String,
}

impl fmt::Display for VerificationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.session, self.line) {
            (Some(session), Some(line)) => write!(f, "line {line} of {session}: {}", self.what),
            _ => f.write_str(&self.what),
        }
    }
}

/// The findings of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerificationReport {
    /// The extent of each step, in order.
    pub checked: Vec<StepSummary>,
    /// The faults, in order.
    pub faults: Vec<VerificationFault>,
    /// Remarks, which are no faults.
    pub remarks: Vec<String>,
}

/// A check that is running.
pub(crate) struct Verification<'a> {
    pub(crate) report: VerificationReport,
    /// True if the rest is not checked.
    pub(crate) cancel: &'a AtomicBool,
    /// Called with the step, the number of items done and the number of all items.
    pub(crate) observe: &'a mut dyn FnMut(VerificationStep, usize, usize),
    /// The names of the sessions.
    pub(crate) sessions: Vec<String>,
}

impl<'a> Verification<'a> {
    pub(crate) fn new(
        cancel: &'a AtomicBool,
        observe: &'a mut dyn FnMut(VerificationStep, usize, usize),
    ) -> Self {
        Self { report: VerificationReport::default(), cancel, observe, sessions: Vec::new() }
    }

    /// Returns true if the rest is not checked.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Adds `number` checked items.
    pub(crate) fn count(&mut self, step: VerificationStep, number: usize) {
        self.of(step).checked += number;
    }

    /// Adds `number` items that were left out.
    pub(crate) fn leave_out(&mut self, step: VerificationStep, number: usize) {
        self.of(step).left_out += number;
    }

    /// Adds a fault of a row.
    pub(crate) fn fault(
        &mut self,
        step: VerificationStep,
        found: &NumberedRow,
        what: impl Into<String>,
    ) {
        let what = format!("{} ({})", what.into(), found.row.job.words());
        let EntryPlace { session, line } = found.place;
        let name = self.sessions.get(session).cloned().unwrap_or_default();
        self.fault_at(step, Some((name, line)), what);
    }

    /// Adds a fault.
    pub(crate) fn fault_at(
        &mut self,
        step: VerificationStep,
        at: Option<(String, usize)>,
        what: impl Into<String>,
    ) {
        self.of(step).faults += 1;
        let (session, line) = at.unzip();
        self.report.faults.push(VerificationFault { step, session, line, what: what.into() });
    }

    /// Adds a remark.
    pub(crate) fn remark(&mut self, what: impl Into<String>) {
        self.report.remarks.push(what.into());
    }

    /// Adds a remark on a number of things, as in `2 rows with the verdict wrong`, unless the number is 0.
    pub(crate) fn remark_on(&mut self, number: usize, thing: &str, what: &str) {
        if number > 0 {
            self.remark(format!("{} {what}", counted(number, thing)));
        }
    }

    /// Checks each row; `faults` returns one sentence for each fault.
    pub(crate) fn each(
        &mut self,
        step: VerificationStep,
        found: &[NumberedRow],
        faults: impl Fn(&Row) -> Vec<String>,
    ) {
        for found in found {
            self.count(step, 1);
            for what in faults(&found.row) {
                self.fault(step, found, what);
            }
        }
    }

    fn of(&mut self, step: VerificationStep) -> &mut StepSummary {
        let all = &mut self.report.checked;
        let place = all.iter().position(|checked| checked.step == step).unwrap_or_else(|| {
            all.push(StepSummary { step, checked: 0, faults: 0, left_out: 0 });
            all.len() - 1
        });
        &mut all[place]
    }
}
