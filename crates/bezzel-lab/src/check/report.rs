//! The report of a check of evidence.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::model::quantity::counted;
use crate::model::row::Row;

/// A row and where it is.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) line: usize,
    pub(crate) row: Row,
}

/// The steps of a check, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Every line: its seal, its format, whether it is a row.
    Lines,
    /// Every reading of the machine: its seal, its format.
    Readings,
    /// Every key, from the job, the encoding's revision and the solver's version.
    Keys,
    /// Rows and the plan of the frozen config: missing, doubled and foreign ones.
    Plan,
    /// The session of every row.
    Sessions,
    /// Times, memory and starts: could a machine have measured them?
    Numbers,
    /// Every answer: placements by the rules, denials by published numbers and search.
    Verdicts,
    /// Every board that one row solves and another denies.
    Contradictions,
    /// Sizes of formulas.
    Sizes,
    /// Digests of clauses.
    Digests,
    /// Jobs that were run again.
    Sample,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "lines of rows.jsonl",
            Self::Readings => "readings of the machine",
            Self::Keys => "keys computed anew",
            Self::Plan => "jobs of the frozen config",
            Self::Sessions => "sessions of rows",
            Self::Numbers => "times and memory of rows",
            Self::Verdicts => "answers judged anew",
            Self::Contradictions => "instances not contradicted",
            Self::Sizes => "formulas measured anew",
            Self::Digests => "clause streams digested anew",
            Self::Sample => "jobs run again",
        })
    }
}

/// How much of a step was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The step.
    pub step: Step,
    /// How many things were checked.
    pub checked: usize,
    /// How many of them are faulty.
    pub faults: usize,
    /// How many could not be checked, or were not for lack of time.
    pub left_out: usize,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// In which step it was found.
    pub step: Step,
    /// In which line of `rows.jsonl`, if it is in one.
    pub line: Option<usize>,
    /// The fault in words.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// The findings of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How much was checked, in order.
    pub checked: Vec<Checked>,
    /// The faults, in order.
    pub faults: Vec<Fault>,
    /// Remarks, which are no faults.
    pub remarks: Vec<String>,
}

/// A check at work.
pub(crate) struct Checking<'a> {
    pub(crate) outcome: Outcome,
    /// Set when the rest is not to be checked.
    pub(crate) cancel: &'a AtomicBool,
    /// Called with the step, the number of items done and the number of all items.
    pub(crate) observe: &'a mut dyn FnMut(Step, usize, usize),
}

impl Checking<'_> {
    /// True if the rest is not to be checked.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Notes that so much was checked.
    pub(crate) fn count(&mut self, step: Step, number: usize) {
        self.of(step).checked += number;
    }

    /// Notes that so much was left out.
    pub(crate) fn leave_out(&mut self, step: Step, number: usize) {
        self.of(step).left_out += number;
    }

    /// Notes a fault of a row.
    pub(crate) fn fault(&mut self, step: Step, found: &Found, what: impl Into<String>) {
        let what = format!("{} ({})", what.into(), found.row.job.words());
        self.fault_at(step, Some(found.line), what);
    }

    /// Notes a fault.
    pub(crate) fn fault_at(&mut self, step: Step, line: Option<usize>, what: impl Into<String>) {
        self.of(step).faults += 1;
        self.outcome.faults.push(Fault { step, line, what: what.into() });
    }

    /// Notes a remark.
    pub(crate) fn remark(&mut self, what: impl Into<String>) {
        self.outcome.remarks.push(what.into());
    }

    /// Adds a remark on a number of things, as in `2 rows with the verdict wrong`, unless the number is 0.
    pub(crate) fn remark_on(&mut self, number: usize, thing: &str, what: &str) {
        if number > 0 {
            self.remark(format!("{} {what}", counted(number, thing)));
        }
    }

    /// Checks one statement of each row; `faults` returns one sentence for each fault.
    pub(crate) fn each(
        &mut self,
        step: Step,
        found: &[Found],
        faults: impl Fn(&Row) -> Vec<String>,
    ) {
        for found in found {
            self.count(step, 1);
            for what in faults(&found.row) {
                self.fault(step, found, what);
            }
        }
    }

    fn of(&mut self, step: Step) -> &mut Checked {
        let all = &mut self.outcome.checked;
        let place = all.iter().position(|checked| checked.step == step).unwrap_or_else(|| {
            all.push(Checked { step, checked: 0, faults: 0, left_out: 0 });
            all.len() - 1
        });
        &mut all[place]
    }
}
