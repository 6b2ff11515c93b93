//! A row: one line of evidence.
//!
//! A row keeps three things apart that tools like to mix: the *answer* of the solver, the *verdict* of
//! a judge on it (with its *evidence*), and the end of the run (the *stop*). Times are in seconds and
//! memory in bytes, unrounded. A value that was not measured is missing, never zero.

use std::collections::HashMap;
use std::hash::Hash;

use bezzel_encode::tally::Section;
use bezzel_encode::{Size, Tally};
use bezzel_external::cgroup::Level;
use bezzel_problem::{Placement, Solution, Square};
use bezzel_solve::{Answer, Effort, ProofFormat, Simplified};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::model::all_solutions::AllSolutions;
use crate::model::fields::{
    EFFORT, Kind, SECTION, SIMPLIFIED, always, default, maybe, nullable, recorded,
};
use crate::model::job::{Job, Key, Limits, Planned, Task};
use crate::model::measure::{Propagation, SectionOperations};
use crate::model::names::names_of;
use crate::model::quantity::grouped;

/// The format of the rows that are written now. Rows of format 1 do not name their format.
pub const FORMAT: u32 = 2;

/// The least share of its wall time that a run at its wall limit must have used as CPU time to be compared.
pub const SHARE: f64 = 0.9;

recorded! {
    /// One line of evidence: the outcome of one job.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Row {
        /// The format of the line; 1 where it is absent.
        #[serde(default = "first_format")]
        pub format: u32 = default("format", "1", Kind::Between(1, FORMAT)),
        /// The job's key, by which the row is found.
        pub key: Key = always("key", Kind::Hex(32)),
        /// The job.
        pub job: Job = always("", Kind::Map(Job::FIELDS)),
        /// The revision of the encoding that was measured.
        pub encoding_revision: u32 = always("encoding_revision", Kind::Count),
        /// The version of the solver that was run.
        pub solver_version: String = always("solver_version", Kind::Text),
        /// The answer of the solver.
        pub answer: Answer = always("answer", Kind::Word(names_of::<Answer>)),
        /// The verdict of the judge on the answer.
        pub verdict: Verdict = always("verdict", Kind::Word(names_of::<Verdict>)),
        /// The evidence of the verdict.
        pub evidence: Option<Evidence> = nullable("", Kind::Map(Evidence::FIELDS)),
        /// The end of the run.
        pub stop: Stop = always("stop", Kind::Word(names_of::<Stop>)),
        /// The fault of the run, in words, if there was one.
        pub note: Option<String> = nullable("note", Kind::Text),
        /// The formula's size, if the run got so far.
        pub formula: Option<FormulaSize> = nullable("", Kind::Map(FormulaSize::FIELDS)),
        /// The digest of the clauses that the solver received.
        pub clause_digest: Option<String> = nullable("clause_digest", Kind::Hex(32)),
        /// CPU time of the first pass, which only measures the formula.
        pub generate_cpu_s: Option<f64> = nullable("generate_cpu_s", Kind::Seconds),
        /// CPU time of the second pass: generation, numbering, digest and loading into the solver.
        pub load_cpu_s: Option<f64> = nullable("load_cpu_s", Kind::Seconds),
        /// CPU time of solving. After a limit, the time used until then. A solver that is a program
        /// reads the formula in this time.
        pub solve_cpu_s: Option<f64> = nullable("solve_cpu_s", Kind::Seconds),
        /// CPU time of reading the solution off the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub decode_cpu_s: Option<f64> = maybe("decode_cpu_s", Kind::Seconds),
        /// CPU time of the third pass, which checks every clause against the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub check_cpu_s: Option<f64> = maybe("check_cpu_s", Kind::Seconds),
        /// CPU time of the whole process, as the kernel accounts for it.
        pub cpu_s: f64 = always("cpu_s", Kind::Seconds),
        /// Wall time of the whole process.
        pub wall_s: f64 = always("wall_s", Kind::Seconds),
        /// The largest resident memory of the process (its `VmHWM`).
        pub memory_peak_bytes: Option<u64> = nullable("memory_peak_bytes", Kind::Count),
        /// The effort of solving in the solver's own units.
        pub effort: Effort = always("", Kind::Map(EFFORT)),
        /// The queens of the answer, rows and columns counted from 1.
        pub queens: Option<Vec<Square>> = nullable("queens", Kind::Squares),
        /// The chosen candidates of the answer, counted from 1, where the instance is not a board.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub chosen: Option<Vec<u32>> = maybe("chosen", Kind::Numbers),
        /// The finding of an engine on all solutions; nothing if the job asks for one solution.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub all: Option<AllSolutions> = maybe("", Kind::Map(AllSolutions::FIELDS)),
        /// The operations of the circuit behind the formula, section by section, where its size was asked
        /// for and the encoding has a circuit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub circuit: Option<Vec<SectionOperations>> = maybe("", Kind::List(SectionOperations::FIELDS)),
        /// The finding of unit propagation, if the job asks for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub propagation: Option<Propagation> = maybe("", Kind::Map(Propagation::FIELDS)),
        /// The outcome of the proof that there is no solution, if one was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub proof: Option<ProofRecord> = maybe("", Kind::Map(ProofRecord::FIELDS)),
        /// The formula that preprocessing leaves, if the job asks for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub simplified: Option<Simplified> = maybe("", Kind::Map(SIMPLIFIED)),
        /// The variables that re-encoding added to the formula, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub additions: Option<Additions> = maybe("", Kind::Map(Additions::FIELDS)),
        /// The enforcement of the limits.
        pub isolation: Isolation = always("isolation", Kind::Word(names_of::<Isolation>)),
        /// The core that the job was bound to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub core: Option<usize> = maybe("core", Kind::Count),
        /// Seconds since 1970 at the start.
        pub started_unix_s: f64 = always("started_unix_s", Kind::Number),
        /// The runner's session, counted from 0 in the experiment's `environment.json`.
        #[serde(deserialize_with = "session_number")]
        pub session: usize = always("session", Kind::Count),
    }
}

recorded! {
    /// The size of the formula that was solved, from the first pass.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct FormulaSize {
        /// Variables, auxiliary ones included.
        pub variables: u64 = always("variables", Kind::Count),
        /// Variables that say which candidates are chosen.
        pub primary: u64 = always("primary_variables", Kind::Count),
        /// Clauses.
        pub clauses: u64 = always("clauses", Kind::Count),
        /// Literal occurrences.
        pub literals: u64 = always("literals", Kind::Count),
        /// The same for each section.
        pub sections: Vec<Section> = always("", Kind::List(SECTION)),
    }
}

impl FormulaSize {
    /// The size that was counted.
    pub fn of(tally: Tally) -> Self {
        let (size, primary) = (tally.size(), tally.primary());
        let whole = |number| u64::try_from(number).expect("counted one by one");
        Self {
            variables: whole(size.variables),
            primary: primary.into(),
            clauses: whole(size.clauses),
            literals: whole(size.literals),
            sections: tally.into_sections(),
        }
    }

    /// The size of the whole.
    pub fn size(&self) -> Size {
        Size::new(self.variables.into(), self.clauses.into(), self.literals.into())
    }
}

pub(crate) fn first_format() -> u32 {
    1
}

recorded! {
    /// The outcome of a proof.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ProofRecord {
        /// Its format.
        pub format: ProofFormat = always("proof_format", Kind::Word(names_of::<ProofFormat>)),
        /// The finding of the checker.
        pub finding: Finding = always("proof_finding", Kind::Word(names_of::<Finding>)),
        /// The size of the proof, in bytes.
        pub bytes: Option<u64> = nullable("proof_bytes", Kind::Count),
        /// The clauses that it adds, as far as it was read.
        pub steps: Option<u64> = nullable("proof_steps", Kind::Count),
        /// CPU time of the checker's process, in seconds; it generates the formula again.
        pub check_cpu_s: Option<f64> = nullable("proof_check_cpu_s", Kind::Seconds),
        /// The largest resident memory of the checker's process, in bytes.
        pub check_memory_peak_bytes: Option<u64> = nullable("proof_check_memory_peak_bytes", Kind::Count),
        /// The reason that it was not accepted, in words.
        pub note: Option<String> = nullable("proof_note", Kind::Text),
    }
}

impl ProofRecord {
    /// The proof in a few words.
    pub(crate) fn words(&self) -> String {
        let steps = self.steps.map(|steps| format!(" of {} steps", grouped(steps.into())));
        format!("{} proof{}", self.format.to_string().to_uppercase(), steps.unwrap_or_default())
    }
}

/// The finding of a checker on a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// It proves that the formula has no model.
    Accepted,
    /// Some step does not follow.
    Refused,
    /// It was not checked to its end, or has no end: it proves nothing.
    Unchecked,
}

/// The verdict of the judge on an answer.
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

impl Verdict {
    /// The verdict in a word.
    pub fn word(self) -> &'static str {
        names_of::<Self>()[self as usize]
    }
}

recorded! {
    /// The evidence of a verdict.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Evidence {
        /// The kind of evidence.
        pub kind: EvidenceKind = always("evidence", Kind::Word(names_of::<EvidenceKind>)),
        /// Its source, in words.
        pub source: String = always("evidence_source", Kind::Text),
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
pub enum Stop {
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
    /// Killed from outside, as by a kernel that runs out of memory: nothing is known of the job, which is
    /// run again.
    HostError,
    /// It was never run, since its solver or engine is not installed.
    Skipped,
}

impl Stop {
    /// True if a limit of time ended the run.
    pub fn is_timeout(self) -> bool {
        matches!(self, Self::CpuLimit | Self::WallLimit)
    }
}

/// The enforcement of limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A process of its own with rlimits; watched from within and from without.
    Rlimits,
    /// The same in a control group (version 2) of its own, by which everything that it started is
    /// ended; the memory controller was not to be had.
    CgroupV2NoMemory,
    /// A control group (version 2) of its own, with its limit of memory kept by the kernel.
    CgroupV2,
    /// As BenchExec enforces them.
    Benchexec,
}

impl From<Level> for Isolation {
    fn from(level: Level) -> Self {
        match level {
            Level::Rlimits => Self::Rlimits,
            Level::CgroupV2NoMemory => Self::CgroupV2NoMemory,
            Level::CgroupV2 => Self::CgroupV2,
        }
    }
}

impl Row {
    /// The limits under which the job is run again: some times of the time and memory that it took. A row from
    /// elsewhere may have any limits.
    pub(crate) fn limits_again(&self) -> Limits {
        /// A slower machine, or a build without optimisation.
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

    /// A row that knows of its job no more than that it was planned and how it ended.
    pub fn blank(planned: Planned, stop: Stop) -> Self {
        let Planned { job, key, encoding_revision, solver_version, .. } = planned;
        Self {
            format: FORMAT,
            key,
            job,
            encoding_revision,
            solver_version,
            answer: Answer::Unknown,
            verdict: Verdict::Unchecked,
            evidence: None,
            stop,
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
            effort: Effort::default(),
            queens: None,
            chosen: None,
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
        let is_told = match self.job.task {
            Task::Size => self.formula.is_some(),
            Task::Propagate => self.propagation.is_some(),
            _ => self.answer != Answer::Unknown,
        };
        self.stop == Stop::Finished && is_told && self.verdict != Verdict::Wrong
    }

    /// The CPU time that a run without an answer had used for solving: a lower bound of the time of solving,
    /// however the run ended. Of a worker that was killed while it solved, it is the CPU time of the process
    /// without that of making and loading the formula; of one that did not come to solving it is 0.
    pub fn solve_cpu_at_least_s(&self) -> f64 {
        self.solve_cpu_s.unwrap_or_else(|| {
            let before = self.generate_cpu_s.zip(self.load_cpu_s);
            before.map_or(0.0, |(generate, load)| (self.cpu_s - generate - load).max(0.0))
        })
    }

    /// True if the wall limit ended the run and its CPU time was less than [`SHARE`] of its wall time: other
    /// processes used its core, or it waited.
    pub fn is_disturbed(&self) -> bool {
        self.stop == Stop::WallLimit && self.cpu_s < SHARE * self.wall_s
    }

    /// True if the row settles its job. If not, the job is run again.
    pub fn is_settled(&self) -> bool {
        self.stop != Stop::HostError
    }

    /// True if this run began after `other`. Of two that began at one moment, as imported ones may, the one
    /// with the larger key is taken for the later, so that no order of reading decides.
    pub(crate) fn began_after(&self, other: &Self) -> bool {
        let moments = self.started_unix_s.total_cmp(&other.started_unix_s);
        moments.then_with(|| self.key.cmp(&other.key)).is_gt()
    }

    /// The solution that was answered.
    pub fn solution(&self) -> Option<Solution> {
        let Some(board) = self.job.instance.board() else {
            let chosen = self.chosen.as_ref()?;
            return Some(chosen.iter().map(|number| number.wrapping_sub(1)).collect());
        };
        let placement: Placement = self.queens.as_ref()?.iter().copied().collect();
        Some(placement.solution(board))
    }

    /// Keeps the solution that was answered.
    pub fn set_solution(&mut self, solution: &Solution) {
        match self.job.instance.board() {
            Some(board) => self.queens = Some(Placement::of(board, solution).squares().collect()),
            None => self.chosen = Some(solution.chosen().iter().map(|chosen| chosen + 1).collect()),
        }
    }

    /// True if the row has a solution.
    pub fn has_solution(&self) -> bool {
        self.queens.is_some() || self.chosen.is_some()
    }
}

/// For each key the row that was begun last.
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

/// The limit of numbers of sessions: a line with a larger number is no row.
const MOST_SESSIONS: usize = 1 << 16;

/// Reads the number of a session.
pub(crate) fn session_number<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    let number = usize::deserialize(from)?;
    if number < MOST_SESSIONS {
        Ok(number)
    } else {
        Err(de::Error::custom("no session has this number"))
    }
}

recorded! {
    /// The variables that a solver's re-encoding added.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Additions {
        /// Variables that re-encoding added.
        pub variables: u64 = always("added_variables", Kind::Count),
        /// Those of them whose candidates are not all in one group.
        pub across_lines: u64 = always("added_variables_across_lines", Kind::Count),
    }
}
