//! A row: one line of evidence.
//!
//! A row separates three things that other tools often mix: the *status* that the solver reports, the *verdict* of a judge
//! on it (with its source, `checked_by`), and the end of the run (the *termination*). Times are in seconds and memory in
//! bytes, unrounded. A value that was not measured is missing, never zero.

use std::collections::HashMap;
use std::hash::Hash;

use bezzel_encode::formula_stats::Section;
use bezzel_encode::{FormulaStats, Size};
use bezzel_problem::{Grid, Solution, Square, named};
pub use bezzel_process::IsolationLevel as Isolation;
use bezzel_solve::{Answer, Effort, ProofFormat, Simplified, SolverErrorKind};
use serde::{Deserialize, Serialize};

use crate::model::all_solutions::AllSolutions;
use crate::model::fields::{EFFORT, SIMPLIFIED, always, default, map, maybe, recorded};
use crate::model::job::{Job, Key, Limits, PlannedJob, Task, is_default};
use crate::model::measure::{Propagation, SectionOperations};
use crate::model::quantity::grouped;

/// The smallest ratio of CPU time to wall time with which a run at its wall limit is compared.
pub const SHARE: f64 = 0.9;

recorded! {
    /// One line of evidence: the outcome of one job.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Row {
        /// The job's key, by which the row is found.
        pub key: Key = always("key"),
        /// The job.
        pub job: Job = map(Job::FIELDS),
        /// The revision of the encoding that was measured.
        pub encoding_revision: u32 = always("encoding_revision"),
        /// The version of the solver that was run.
        pub solver_version: String = always("solver_version"),
        /// The answer of the solver.
        pub status: Answer = always("status"),
        /// The verdict of the judge on the answer.
        pub verdict: Verdict = always("verdict"),
        /// The evidence of the verdict.
        pub checked_by: Option<Evidence> = map(Evidence::FIELDS),
        /// The end of the run.
        pub termination: Termination = always("termination"),
        /// The fault of the run, in words, if there was one.
        pub note: Option<String> = always("note"),
        /// The formula's size, if the run measured it.
        pub formula: Option<FormulaSize> = map(FormulaSize::FIELDS),
        /// The digest of the clauses that the solver received.
        pub clause_digest: Option<String> = always("clause_digest"),
        /// CPU time of the first pass, which only measures the formula.
        pub generate_cpu_s: Option<f64> = always("generate_cpu_s"),
        /// CPU time of the second pass: generation, numbering, digest and loading into the solver.
        pub load_cpu_s: Option<f64> = always("load_cpu_s"),
        /// CPU time of solving. After a limit, the time used until then. A solver that is a program
        /// reads the formula in this time.
        pub solve_cpu_s: Option<f64> = always("solve_cpu_s"),
        /// CPU time of decoding the solution from the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub decode_cpu_s: Option<f64> = maybe("decode_cpu_s"),
        /// CPU time of the third pass, which checks every clause against the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub check_cpu_s: Option<f64> = maybe("check_cpu_s"),
        /// CPU time of the whole process, as the kernel accounts for it.
        pub cpu_s: f64 = always("cpu_s"),
        /// Wall time of the whole process.
        pub wall_s: f64 = always("wall_s"),
        /// The largest resident memory of the process (its `VmHWM`).
        pub memory_peak_bytes: Option<u64> = always("memory_peak_bytes"),
        /// The effort of solving in the solver's own units.
        pub solver_stats: Effort = map(EFFORT),
        /// The places of the chosen candidates of the answer, rows and columns counted from 1, where they stand in a grid.
        pub places: Option<Vec<Square>> = always("places"),
        /// The chosen candidates of the answer, counted from 1, where they stand in no grid.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub chosen: Option<Vec<u32>> = maybe("chosen"),
        /// The values of the objective that the search for the optimum found, the best one last; absent for other tasks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub values: Option<Vec<ObjectiveValue>> = always(""),
        /// The finding of an engine on all solutions; absent if the job asks for one solution.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub all: Option<AllSolutions> = map(AllSolutions::FIELDS),
        /// The operations of the circuit behind the formula, section by section, if the job asks for sizes and the
        /// encoding has a circuit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub circuit: Option<Vec<SectionOperations>> = always(""),
        /// The finding of unit propagation, if the job asks for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub propagation: Option<Propagation> = map(Propagation::FIELDS),
        /// The outcome of the proof that there is no solution, if one was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub proof: Option<ProofRecord> = map(ProofRecord::FIELDS),
        /// The formula that preprocessing leaves, if the job asks for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub simplified: Option<Simplified> = map(SIMPLIFIED),
        /// The variables that re-encoding added to the formula, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub additions: Option<Additions> = map(Additions::FIELDS),
        /// The enforcement of the limits.
        pub isolation: Isolation = always("isolation"),
        /// The core that the job was bound to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub core: Option<usize> = maybe("core"),
        /// Seconds since 1970 at the start.
        pub started_unix_s: f64 = always("started_unix_s"),
        /// The session that measured it, counted from 0 in the order of the files' names. It is not a part of the line.
        #[serde(skip)]
        pub session: usize = default("session", "0"),
    }
}

/// A value of an objective.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectiveValue {
    /// The value, in digits: it has any size.
    pub value: String,
    /// CPU time of the search until it was found, in seconds.
    pub solve_cpu_s: f64,
}

recorded! {
    /// The size of the formula that was solved, from the first pass.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct FormulaSize {
        /// Variables, auxiliary ones included.
        pub variables: u64 = always("variables"),
        /// Variables that encode the chosen candidates.
        pub primary: u64 = always("primary_variables"),
        /// Clauses.
        pub clauses: u64 = always("clauses"),
        /// Literal occurrences.
        pub literals: u64 = always("literals"),
        /// The same for each section.
        pub sections: Vec<Section> = always(""),
    }
}

impl FormulaSize {
    /// Returns the counted size.
    pub fn of(stats: FormulaStats) -> Self {
        let (size, primary) = (stats.size(), stats.primary());
        let whole = |number| u64::try_from(number).expect("counted one by one");
        Self {
            variables: whole(size.variables),
            primary: primary.into(),
            clauses: whole(size.clauses),
            literals: whole(size.literals),
            sections: stats.into_sections(),
        }
    }

    /// Returns the size of the whole formula.
    pub fn size(&self) -> Size {
        Size::new(self.variables.into(), self.clauses.into(), self.literals.into())
    }
}

recorded! {
    /// The outcome of a proof.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ProofRecord {
        /// Its format.
        pub format: ProofFormat = always("proof_format"),
        /// The finding of the checker.
        pub finding: Finding = always("proof_finding"),
        /// The size of the proof, in bytes.
        pub bytes: Option<u64> = always("proof_bytes"),
        /// The clauses that it adds, as far as it was read.
        pub steps: Option<u64> = always("proof_steps"),
        /// CPU time of the checker's process, in seconds; it generates the formula again.
        pub check_cpu_s: Option<f64> = always("proof_check_cpu_s"),
        /// The largest resident memory of the checker's process, in bytes.
        pub check_memory_peak_bytes: Option<u64> = always("proof_check_memory_peak_bytes"),
        /// The reason that it was not accepted, in words.
        pub note: Option<String> = always("proof_note"),
        /// True if a proof from the file starts from OPB that was written for the instance, not from the file itself.
        #[serde(default, skip_serializing_if = "is_default")]
        pub translated: bool = default("proof_translated", "false"),
        /// The version of VeriPB, as it printed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub checker_version: Option<String> = maybe("proof_checker_version"),
    }
}

impl ProofRecord {
    /// Returns the record of a proof of this size that was not checked, with the reason.
    pub fn unchecked(format: ProofFormat, bytes: Option<u64>, note: impl Into<String>) -> Self {
        Self {
            format,
            finding: Finding::Unchecked,
            bytes,
            steps: None,
            check_cpu_s: None,
            check_memory_peak_bytes: None,
            note: Some(note.into()),
            translated: false,
            checker_version: None,
        }
    }

    /// Returns a short description of the proof.
    pub(crate) fn words(&self) -> String {
        if self.format == ProofFormat::Veripb {
            return format!(
                "veripb, from {}",
                if self.translated { "its translation to OPB" } else { "the file" }
            );
        }
        let steps = self.steps.map(|steps| format!(" of {} steps", grouped(steps.into())));
        format!("{} proof{}", self.format.to_string().to_uppercase(), steps.unwrap_or_default())
    }
}

/// The finding of a checker on a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// The proof shows that the formula has no model.
    Accepted,
    /// Some step does not follow.
    Refused,
    /// The proof was not checked to its end, or has no end: it proves nothing.
    Unchecked,
}

named! {
    /// The verdict of the judge on an answer.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// Shown to be right.
        Verified = "verified",
        /// Shown to be wrong. Such a row enters no statistic.
        Wrong = "wrong",
        /// Neither. Drawn hollow, counted in captions, never ranked.
        Unchecked = "unchecked",
        /// Taken over from a table of others, and not verified here. Ranked, and counted in each report.
        Imported = "imported",
    }
}

recorded! {
    /// The evidence of a verdict.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Evidence {
        /// The kind of evidence.
        pub kind: EvidenceKind = always("checked_by"),
        /// Its source, in words.
        pub source: String = always("checked_by_source"),
    }
}

/// The kinds of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// The rules of the instance, applied to the solution.
    Rules,
    /// The clauses of the formula, each checked against the model.
    Clauses,
    /// A proof that the formula has no model, checked by a program that shares no code with the
    /// solver.
    Proof,
    /// Another method's answer for the same instance: exhaustive search or a published number.
    Cross,
    /// The closed form of the number that was counted.
    ClosedForm,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// By itself.
    Finished,
    /// Out of CPU time.
    CpuLimit,
    /// Out of wall time.
    WallLimit,
    /// Out of memory.
    MemoryLimit,
    /// Out of nodes of a decision diagram, or of states, that it may keep.
    NodeLimit,
    /// By a fault: a signal, a panic, an answer that makes no sense.
    Crashed,
    /// Killed from outside, for example by a kernel that runs out of memory. The row contains no result, and the job is
    /// run again.
    HostError,
    /// Not run, since the solver or engine is not installed.
    Skipped,
}

impl Termination {
    /// Returns true if a time limit ended the run.
    pub fn is_timeout(self) -> bool {
        matches!(self, Self::CpuLimit | Self::WallLimit)
    }

    /// Returns true if a limit of time or memory ended the run.
    pub(crate) fn is_limit(self) -> bool {
        self.is_timeout() || self == Self::MemoryLimit
    }
}

impl From<SolverErrorKind> for Termination {
    fn from(kind: SolverErrorKind) -> Self {
        match kind {
            SolverErrorKind::Cpu => Self::CpuLimit,
            SolverErrorKind::Wall => Self::WallLimit,
            SolverErrorKind::Memory => Self::MemoryLimit,
            SolverErrorKind::Fault => Self::Crashed,
            SolverErrorKind::Host => Self::HostError,
        }
    }
}

impl Row {
    /// Returns the limits under which the job is run again: a multiple of the time and memory that it used. A row from
    /// elsewhere may have any limits.
    pub(crate) fn limits_again(&self) -> Limits {
        /// The factor covers a slower machine, or a build without optimisation.
        const TIMES: f64 = 20.0;
        const SPARE_S: f64 = 20.0;
        const SPARE_BYTES: u64 = 512 << 20;
        const LONGEST_S: f64 = 3_600.0;
        let spent = |spent: f64| (TIMES * spent.max(0.0) + SPARE_S).min(LONGEST_S);
        let limits = self.job.limits;
        let peak = self.memory_peak_bytes;
        let memory_bytes = peak.map(|peak| peak.saturating_mul(2).saturating_add(SPARE_BYTES));
        Limits {
            cpu_s: limits.cpu_s.min(spent(self.cpu_s)),
            wall_s: limits.wall_s.min(spent(self.wall_s)),
            memory_bytes: memory_bytes.unwrap_or(u64::MAX).min(limits.memory_bytes),
            nodes: limits.nodes,
        }
    }

    /// Returns a row with the data of the planned job and its end, and no results.
    pub fn blank(planned: PlannedJob, termination: Termination) -> Self {
        let PlannedJob { job, key, encoding_revision, solver_version, .. } = planned;
        Self {
            key,
            job,
            encoding_revision,
            solver_version,
            status: Answer::Unknown,
            verdict: Verdict::Unchecked,
            checked_by: None,
            termination,
            note: None,
            formula: None,
            clause_digest: None,
            generate_cpu_s: None,
            load_cpu_s: None,
            solve_cpu_s: None,
            decode_cpu_s: None,
            check_cpu_s: None,
            cpu_s: 0.0,
            wall_s: 0.0,
            memory_peak_bytes: None,
            solver_stats: Effort::default(),
            places: None,
            chosen: None,
            values: None,
            all: None,
            circuit: None,
            propagation: None,
            proof: None,
            simplified: None,
            additions: None,
            isolation: Isolation::Rlimits,
            core: None,
            started_unix_s: 0.0,
            session: 0,
        }
    }

    /// True if statistics may use the row's answer, or the measurement that its job asks for: it was found
    /// within the limits, and not shown to be wrong.
    pub fn solved(&self) -> bool {
        let has_result = match self.job.task {
            Task::Size => self.formula.is_some(),
            Task::Propagate => self.propagation.is_some(),
            _ => self.status != Answer::Unknown,
        };
        self.termination == Termination::Finished && has_result && self.verdict != Verdict::Wrong
    }

    /// Returns the CPU time that a run without an answer used for solving. It is a lower bound of the solving time,
    /// independent of how the run ended. For a worker killed during solving, it is the CPU time of the process without
    /// generating and loading the formula. For a worker that did not start solving, it is 0.
    pub fn solve_cpu_at_least_s(&self) -> f64 {
        self.solve_cpu_s.unwrap_or_else(|| {
            let before = self.generate_cpu_s.zip(self.load_cpu_s);
            before.map_or(0.0, |(generate, load)| (self.cpu_s - generate - load).max(0.0))
        })
    }

    /// True if the wall limit ended the run and its CPU time was less than [`SHARE`] of its wall time: other
    /// processes used its core, or it waited.
    pub fn is_disturbed(&self) -> bool {
        self.termination == Termination::WallLimit && self.cpu_s < SHARE * self.wall_s
    }

    /// True if the row settles its job. If not, the job is run again.
    pub fn is_settled(&self) -> bool {
        self.termination != Termination::HostError
    }

    /// Returns true if this run began after `other`. If both began at the same moment, the one with the larger
    /// key counts as later, so that the result does not depend on the order of reading.
    pub(crate) fn began_after(&self, other: &Self) -> bool {
        let moments = self.started_unix_s.total_cmp(&other.started_unix_s);
        moments.then_with(|| self.key.cmp(&other.key)).is_gt()
    }

    /// Returns the solution of the answer.
    pub fn solution(&self) -> Option<Solution> {
        let Some(grid) = self.job.instance.grid() else {
            let chosen = self.chosen.as_ref()?;
            return Some(chosen.iter().map(|number| number.wrapping_sub(1)).collect());
        };
        // A place outside the grid is the candidate after the last one, which no instance has.
        let candidate = |&place: &Square| grid.candidate(place).unwrap_or_else(|| grid.places());
        Some(self.places.as_ref()?.iter().map(candidate).collect())
    }

    /// Stores the solution of the answer.
    pub fn set_solution(&mut self, solution: &Solution) {
        let places =
            |grid: Grid| solution.chosen().iter().map(|&chosen| grid.square(chosen)).collect();
        match self.job.instance.grid() {
            Some(grid) => self.places = Some(places(grid)),
            None => self.chosen = Some(solution.chosen().iter().map(|chosen| chosen + 1).collect()),
        }
    }

    /// True if the row has a solution.
    pub fn has_solution(&self) -> bool {
        self.places.is_some() || self.chosen.is_some()
    }
}

/// Returns for each key the row that began last.
pub(crate) fn latest<'r, K: Eq + Hash>(
    rows: impl IntoIterator<Item = &'r Row>,
    key: impl Fn(&'r Row) -> K,
) -> HashMap<K, &'r Row> {
    let mut latest = HashMap::new();
    for row in rows {
        let known = latest.entry(key(row)).or_insert(row);
        if row.began_after(known) {
            *known = row;
        }
    }
    latest
}

recorded! {
    /// The variables that a solver's re-encoding added.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Additions {
        /// Variables that re-encoding added.
        pub variables: u64 = always("added_variables"),
        /// Those of them whose candidates are not all in one group.
        pub across_lines: u64 = always("added_variables_across_lines"),
    }
}
