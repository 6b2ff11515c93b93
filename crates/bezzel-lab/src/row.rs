//! A row: one line of evidence.
//!
//! Three things are told apart that tools like to mix: what the solver *answered*, what a judge
//! makes of it (the *verdict*, with its *evidence*), and how the run came to its end (the *stop*).
//! Times are in seconds and memory in bytes, unrounded. What was not measured is missing, never
//! zero.

use bezzel_encode::tally::Section;
use bezzel_encode::{Placement, Size, Square};
use bezzel_solve::{Answer, Effort};
use serde::{Deserialize, Serialize};

use crate::job::{Job, Key};

/// One line of evidence: what became of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The job's key, by which the row is found.
    pub key: Key,
    /// The job.
    pub job: Job,
    /// The revision of the encoding that was measured.
    pub encoding_revision: u32,
    /// The version of the solver that was run.
    pub solver_version: String,
    /// What the solver answered.
    pub answer: Answer,
    /// What the judge makes of it.
    pub verdict: Verdict,
    /// What the verdict rests on.
    pub evidence: Option<Evidence>,
    /// How the run came to its end.
    pub stop: Stop,
    /// What was out of order, in words.
    pub note: Option<String>,
    /// The formula's size, if the run got so far.
    pub formula: Option<FormulaSize>,
    /// The digest of the clauses that the solver received.
    pub clause_digest: Option<String>,
    /// CPU time of the first pass, which only measures the formula.
    pub generate_cpu_s: Option<f64>,
    /// CPU time of the second pass: generation, numbering, digest and loading into the solver.
    pub load_cpu_s: Option<f64>,
    /// CPU time of solving. After a limit, what was used until then.
    pub solve_cpu_s: Option<f64>,
    /// CPU time of the whole process, as the kernel accounts for it.
    pub cpu_s: f64,
    /// Wall time of the whole process.
    pub wall_s: f64,
    /// The largest resident memory of the process (its `VmHWM`).
    pub memory_peak_bytes: Option<u64>,
    /// What solving took in the solver's own units.
    pub effort: Effort,
    /// The queens of the answer, rows and columns counted from 1.
    pub queens: Option<Vec<Square>>,
    /// How the limits were enforced.
    pub isolation: Isolation,
    /// Seconds since 1970 at the start.
    pub started_unix_s: f64,
    /// The runner's session, counted from 0 in the experiment's `environment.json`.
    pub session: usize,
}

/// The size of the formula that was solved, from the first pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormulaSize {
    /// Variables, auxiliary ones included.
    pub variables: u64,
    /// Variables that say where the queens are.
    pub primary: u64,
    /// Clauses.
    pub clauses: u64,
    /// Literal occurrences.
    pub literals: u64,
    /// The same for each section.
    pub sections: Vec<Section>,
}

impl FormulaSize {
    /// The size of the whole.
    pub fn size(&self) -> Size {
        Size::new(self.variables.into(), self.clauses.into(), self.literals.into())
    }
}

/// What the judge makes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Shown to be right.
    Verified,
    /// Shown to be wrong. Such a row enters no statistic.
    Wrong,
    /// Neither. Drawn hollow, counted in captions, never ranked.
    Unchecked,
}

/// What a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The kind of evidence.
    pub kind: EvidenceKind,
    /// Where it comes from, in words.
    pub source: String,
}

/// The kinds of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// The rules of the board, applied to the placement.
    Rules,
    /// Another method's answer for the same board: exhaustive search or a published number.
    Cross,
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// By itself.
    Finished,
    /// Out of CPU time.
    CpuLimit,
    /// Out of wall time.
    WallLimit,
    /// Out of memory.
    MemoryLimit,
    /// By a fault: a signal, a panic, an answer that makes no sense.
    Crashed,
}

impl Stop {
    /// Whether a limit of time ended the run.
    pub fn is_timeout(self) -> bool {
        matches!(self, Self::CpuLimit | Self::WallLimit)
    }
}

/// How limits were enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A process of its own with rlimits; watched from within and from without.
    Rlimits,
}

impl Row {
    /// Whether the row is a sound answer that statistics may use: found within the limits, and
    /// not shown to be wrong.
    pub fn solved(&self) -> bool {
        self.stop == Stop::Finished
            && self.answer != Answer::Unknown
            && self.verdict != Verdict::Wrong
    }

    /// The placement that was answered.
    pub fn placement(&self) -> Option<Placement> {
        self.queens.as_ref().map(|queens| queens.iter().copied().collect())
    }
}
