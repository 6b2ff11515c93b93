//! Two records as one [`Dataset`] in which the record is a factor: A first, then B. Every ratio is B / A.
//!
//! Rows are matched by their jobs without limits, revisions and versions. So a machine, a solver or an encoding is
//! compared with its former self. Three values must be equal: the answers, the clauses of an encoding of one revision,
//! and the statistics of one version of a linked solver on the same clauses. Times are compared as all effects are.

use std::collections::BTreeMap;

use bezzel_encode::Registry;
use bezzel_experiment::backend::{self, command};
use bezzel_experiment::claim::ClaimedAnswer;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{ExperimentRecord, RecordPart, Row, StoredResults, Task, cross};
use indexmap::IndexMap;
use serde::Serialize;

use crate::comparison::Measure;
use crate::dataset::Dataset;
use crate::effects::{ALL_CELLS, Effect, record_effects};
use crate::escape;
use crate::instance_words::{side, with_answer};
use crate::number::{count, distinct, significant};
use crate::row_statistics::cell::is_counted;
use crate::run_ends::end_words;
use crate::table::Table;
use crate::table::columns::{Columns, with_outcome};
use bezzel_statistics::Relation;

/// The largest number of rows and of faults in the text for a terminal.
const MAX_LINES: usize = 40;

/// A comparison of two records, A and B.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordComparison {
    /// The names of A and B.
    pub records: [String; 2],
    /// The numbers of jobs of all encodings and solvers.
    pub jobs: JobCounts,
    /// Contradicting answers, and differences of values that must be equal, a line each.
    pub faults: Vec<String>,
    /// The tables: jobs, answers that differ, sizes that differ, times. A table without rows is left out.
    pub tables: Vec<Table>,
    /// The times over all encodings and solvers in words, for each answer.
    pub times: Vec<String>,
}

/// Numbers of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JobCounts {
    /// Jobs that both records have.
    pub both: usize,
    /// Jobs of A that B does not have.
    pub only_a: usize,
    /// Jobs of B that A does not have.
    pub only_b: usize,
    /// Common jobs that only A answered.
    pub answered_in_a: usize,
    /// Common jobs that only B answered.
    pub answered_in_b: usize,
    /// Pairs of runs whose solver statistics must be equal.
    pub statistics: usize,
    /// Those of them that are.
    pub equal_statistics: usize,
}

/// A row of A and the row of B for the same job.
#[derive(Clone, Copy)]
struct RowPair<'a> {
    a: &'a Row,
    b: &'a Row,
}

impl RecordComparison {
    /// Compares two records.
    pub fn new(a: &StoredResults, b: &StoredResults) -> Self {
        let known = a.rows.iter().chain(&a.readings).map(|row| row.session + 1);
        let first_session = known.max().unwrap_or(0);
        let of_b = |rows: &[Row]| -> Vec<Row> {
            let session = |row: &Row| row.session.saturating_add(first_session);
            rows.iter().map(|row| Row { session: session(row), ..row.clone() }).collect()
        };
        let mut rows = [a.rows.clone(), of_b(&b.rows)].concat();
        let mut faults: Vec<String> =
            cross::examine(&mut rows).iter().map(ToString::to_string).collect();
        let mut jobs: IndexMap<(String, String), JobCounts> = IndexMap::new();
        let rows_b = rows.split_off(a.rows.len()).into_iter();
        let mut rows_b: BTreeMap<String, Row> =
            rows_b.map(|row| (row.job.question(), row)).collect();
        let mut both = Vec::new();
        for row in rows {
            match rows_b.remove(&row.job.question()) {
                Some(other) => both.extend([row, other]),
                None => jobs.entry(arm(&row)).or_default().only_a += 1,
            }
        }
        for row in rows_b.values() {
            jobs.entry(arm(row)).or_default().only_b += 1;
        }
        let names = [a, b].map(|record| record.name.clone());
        let part = |name: &String, first_session| RecordPart { name: name.clone(), first_session };
        let record = ExperimentRecord {
            parts: vec![part(&names[0], 0), part(&names[1], first_session)],
            families: b.families.clone().into_iter().chain(a.families.clone()).collect(),
            readings: [a.readings.clone(), of_b(&b.readings)].concat(),
            rows: both,
            ..ExperimentRecord::default()
        };
        let pairs = record.rows.chunks_exact(2).map(|pair| RowPair { a: &pair[0], b: &pair[1] });
        let pairs: Vec<RowPair<'_>> = pairs.collect();
        for pair in &pairs {
            jobs.entry(arm(pair.a)).or_default().add(*pair, &mut faults);
        }
        let sizes = sizes(&pairs, &mut faults);
        let registry = Registry::new();
        let dataset = Dataset::by_record(&record, &registry);
        let effects = record_effects(&dataset);
        let overall = effects.iter().filter(|it| it.is_summary && it.factor == ALL_CELLS);
        Self {
            times: overall.map(in_words).collect(),
            tables: [Some(jobs_table(&jobs)), answers(&pairs), sizes, times(&dataset, &effects)]
                .into_iter()
                .flatten()
                .collect(),
            jobs: jobs.values().fold(JobCounts::default(), JobCounts::plus),
            records: names,
            faults,
        }
    }

    /// True if no value differs that must be equal.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// True if B reproduces A: no value differs that must be equal, and every job that A answered and B ran has an
    /// answer again.
    pub fn is_reproduction(&self) -> bool {
        self.is_sound() && self.jobs.answered_in_a == 0 && self.jobs.both > 0
    }

    /// The comparison for a terminal, in lines of at most `width` characters.
    pub fn text(&self, width: usize) -> String {
        let more = |of: usize| match of.checked_sub(MAX_LINES) {
            None | Some(0) => String::new(),
            Some(more) => format!("… and {} more; --json has all\n", grouped(more as u128)),
        };
        let mut text = self.title() + "\n";
        for table in &self.tables {
            let shown = Table {
                rows: table.rows.iter().take(MAX_LINES).cloned().collect(),
                ..table.clone()
            };
            text += &["\n", &shown.plain(width), &more(table.rows.len())].concat();
        }
        if !self.is_sound() {
            text += "\nDifferences that must not occur\n";
            let faults = self.faults.iter().take(MAX_LINES);
            text.extend(faults.map(|fault| [&escape::plain(fault), "\n"].concat()));
            text += &more(self.faults.len());
        }
        text + "\n" + &self.summary() + "\n"
    }

    fn title(&self) -> String {
        let [a, b] = &self.records;
        format!("{a} (A) and {b} (B): {} in both", count(self.jobs.both, "job"))
    }

    fn summary(&self) -> String {
        match self.faults.len() {
            _ if self.jobs.both == 0 => "they have no job in common".to_owned(),
            0 => format!("nothing contradicts: {}", self.statistics()),
            1 => format!("1 FAULT: {}", self.statistics()),
            faults => format!("{} FAULTS: {}", grouped(faults as u128), self.statistics()),
        }
    }

    fn statistics(&self) -> String {
        let JobCounts { statistics, equal_statistics, .. } = self.jobs;
        match statistics {
            0 => "no solver statistics to compare".to_owned(),
            _ => format!("{equal_statistics} of {statistics} solver statistics equal"),
        }
    }

    /// One line that states if B reproduces A.
    pub fn conclusion(&self) -> String {
        let mut problems = Vec::new();
        if !self.is_sound() {
            let faults = self.faults.len();
            problems.push(format!("{} that must not occur", count(faults, "difference")));
        }
        if self.jobs.answered_in_a > 0 {
            problems.push(format!("{} without an answer", count(self.jobs.answered_in_a, "job")));
        }
        let times = if self.times.is_empty() {
            "no times to compare".to_owned()
        } else {
            self.times.join(", ")
        };
        let measures = format!("{}, {times}", self.statistics());
        match &problems[..] {
            _ if self.jobs.both == 0 => "nothing was reproduced: no job was run again".to_owned(),
            [] => format!("reproduced: {measures}"),
            problems => format!("NOT reproduced: {}; {measures}", problems.join(", ")),
        }
    }
}

/// The solver of a row with the task if it is not the first solution, and the encoding.
fn arm(row: &Row) -> (String, String) {
    let job = &row.job;
    let task = if job.task == Task::Solve { String::new() } else { format!(", {}", job.task) };
    (format!("{}{task}", job.solver), job.encoding_label())
}

impl JobCounts {
    fn plus(self, other: &Self) -> Self {
        Self {
            both: self.both + other.both,
            only_a: self.only_a + other.only_a,
            only_b: self.only_b + other.only_b,
            answered_in_a: self.answered_in_a + other.answered_in_a,
            answered_in_b: self.answered_in_b + other.answered_in_b,
            statistics: self.statistics + other.statistics,
            equal_statistics: self.equal_statistics + other.equal_statistics,
        }
    }

    /// Counts a pair. Adds a fault if its answers contradict each other, or its solver statistics differ.
    fn add(&mut self, pair: RowPair<'_>, faults: &mut Vec<String>) {
        self.both += 1;
        let RowPair { a, b } = pair;
        let (claim_a, claim_b) = (ClaimedAnswer::of(a), ClaimedAnswer::of(b));
        if claim_a.contradicts(&claim_b) {
            faults.push(format!("{}: A answers {claim_a}, B answers {claim_b}", pair.describe()));
        }
        self.answered_in_a += usize::from(a.solved() && !b.solved());
        self.answered_in_b += usize::from(b.solved() && !a.solved());
        let known = |row: &Row| {
            let stats = &row.solver_stats;
            [stats.conflicts, stats.decisions, stats.propagations]
        };
        let numbers = known(a).into_iter().zip(known(b)).filter_map(|(a, b)| a.zip(b));
        let (in_a, in_b): (Vec<u64>, Vec<u64>) = numbers.unzip();
        if a.solved() && b.solved() && !in_a.is_empty() && pair.is_same_work() {
            self.statistics += 1;
            self.equal_statistics += usize::from(in_a == in_b);
            if in_a != in_b {
                faults.push(format!(
                    "{}: solver statistics {in_a:?} in A and {in_b:?} in B, of the same clauses, version and \
                     options",
                    pair.describe()
                ));
            }
        }
    }
}

impl RowPair<'_> {
    fn is_same_revision(self) -> bool {
        self.a.encoding_revision == self.b.encoding_revision
    }

    /// True if the same program read the same formula. External programs need not be deterministic, and neither are
    /// several threads.
    fn is_same_work(self) -> bool {
        self.is_same_revision()
            && self.a.solver_version == self.b.solver_version
            && self.a.clause_digest == self.b.clause_digest
            && !command::is_program_job(&self.a.job)
            && backend::threads(&self.a.job.options) == 1
    }

    fn describe(self) -> String {
        let (solver, encoding) = arm(self.a);
        let Row { job, key, .. } = self.a;
        format!("{solver} with {encoding} on {} ({}), row {key}", job.instance, job.numbering.id())
    }
}

fn jobs_table(jobs: &IndexMap<(String, String), JobCounts>) -> Table {
    Columns::of(jobs)
        .words("solver", "Solver", |((solver, _), _)| solver.clone())
        .words("encoding", "Encoding", |((_, encoding), _)| encoding.clone())
        .numbers("both", "Jobs in both", |(_, counts)| counts.both)
        .numbers_if_any("only_a", "Only in A", |(_, counts)| counts.only_a)
        .numbers_if_any("only_b", "Only in B", |(_, counts)| counts.only_b)
        .numbers_if_any("answered_in_a", "Answered in A alone", |(_, it)| it.answered_in_a)
        .numbers_if_any("answered_in_b", "Answered in B alone", |(_, it)| it.answered_in_b)
        .numbers("equal_statistics", "Solver statistics equal", |(_, it)| it.equal_statistics)
        .numbers("statistics", "of", |(_, counts)| counts.statistics)
        .table("jobs", "Jobs", Vec::new())
}

/// The jobs with another end, answer or verdict in B.
fn answers(pairs: &[RowPair<'_>]) -> Option<Table> {
    let end = |row: &Row| {
        if row.solved() {
            format!("{}, {}", ClaimedAnswer::of(row), row.verdict.id())
        } else {
            end_words(row.termination).to_owned()
        }
    };
    Columns::of(pairs.iter().filter(|pair| end(pair.a) != end(pair.b)))
        .words("solver", "Solver", |pair| arm(pair.a).0)
        .words("encoding", "Encoding", |pair| arm(pair.a).1)
        .words("instance", "Instance", |pair| pair.a.job.instance.to_string())
        .words("row", "Row of A", |pair| pair.a.key.to_string())
        .results("a", "A", |pair| end(pair.a))
        .results("b", "B", |pair| end(pair.b))
        .some_table("answers", "Answers that differ", Vec::new)
}

/// The formulas with another size or other clauses in B, each once. Those of one revision are faults.
fn sizes(pairs: &[RowPair<'_>], faults: &mut Vec<String>) -> Option<Table> {
    let differs = |pair: &&RowPair<'_>| {
        let formulas = pair.a.formula.as_ref().zip(pair.b.formula.as_ref());
        let digests = pair.a.clause_digest.as_ref().zip(pair.b.clause_digest.as_ref());
        formulas.is_some_and(|(a, b)| a.size() != b.size()) || digests.is_some_and(|(a, b)| a != b)
    };
    let mut found: IndexMap<_, RowPair<'_>> = IndexMap::new();
    for pair in pairs.iter().filter(differs) {
        let revisions = (pair.a.encoding_revision, pair.b.encoding_revision);
        let formula = (arm(pair.a).1, &pair.a.job.instance, revisions);
        found.entry(formula).or_insert(*pair);
    }
    for pair in found.values().filter(|pair| pair.is_same_revision()) {
        faults.push(format!("{}: other clauses under the same revision", pair.describe()));
    }
    let size = |pair: &RowPair<'_>, part: usize| {
        let of = |row: &Row| {
            let formula = row.formula.as_ref()?;
            Some([formula.variables, formula.clauses, formula.literals][part])
        };
        of(pair.a).zip(of(pair.b)).map(|(a, b)| changed(grouped(a.into()), &grouped(b.into())))
    };
    Columns::of(found.into_values())
        .words("encoding", "Encoding", |pair| arm(pair.a).1)
        .words("instance", "Instance", |pair| pair.a.job.instance.to_string())
        .words("revision", "Revision", |pair| {
            let revision = |row: &Row| row.encoding_revision.to_string();
            changed(revision(pair.a), &revision(pair.b))
        })
        .numbers("variables", "Variables", |pair| size(pair, 0))
        .numbers("clauses", "Clauses", |pair| size(pair, 1))
        .numbers("literals", "Literals", |pair| size(pair, 2))
        .some_table("sizes", "Sizes and clauses that differ", Vec::new)
}

/// A value, or both if B has another one than A.
fn changed(a: String, b: &str) -> String {
    if a == b { a } else { format!("{a} → {b}") }
}

fn times(dataset: &Dataset<'_>, effects: &[Effect]) -> Option<Table> {
    let name = |effect: &Effect, names: &[String], place: usize| match effect.factor.as_str() {
        ALL_CELLS => "all".to_owned(),
        _ => names[place].clone(),
    };
    let columns = Columns::of(effects)
        .words("encoding", "Encoding", |it| name(it, &dataset.encodings, it.before.encoding))
        .words("numbering", "Numbering", |it| name(it, &dataset.numberings, it.before.numbering))
        .words("solver", "Solver", |it| name(it, &dataset.solvers, it.before.solver))
        .words("answer", "Answer", |effect| side(effect.answer))
        .words("family", "Family", |effect| match &effect.families[..] {
            [family] => family.clone(),
            several => format!("all {}", several.len()),
        });
    let rows = dataset.record.rows.iter().filter(|row| is_counted(row) && row.is_disturbed());
    let disturbed = distinct(rows.map(|row| &row.job.instance)).len();
    let columns = with_outcome(columns, |effect| &effect.outcome);
    columns.some_table("times", "Time of solving in B, divided by that in A", || {
        let mut note = format!(
            "Ratio: the geometric mean over instances of the ratios of medians, B / A, with {} added to both. \
             The intervals of all cells are simultaneous at 95 %; that of all cells together is one at 95 \
             %. A difference must exceed the noise of its sessions ({} in all).",
            Measure::Time.offset_words(),
            dataset.noise.words(&dataset.record.rows)
        );
        if disturbed > 0 {
            let left_out = count(disturbed, "instance");
            note = format!("{note} Left out: {left_out} with a run that shared its core.");
        }
        vec![note]
    })
}

/// The times over all cells on the instances of one answer, in words.
fn in_words(effect: &Effect) -> String {
    let instances = with_answer(effect.answer);
    let outcome = &effect.outcome;
    let Some(ratio) = outcome.ratio.estimate else {
        return format!("times that depend on the family on {instances}");
    };
    let read = |end: Option<f64>, open: &str| {
        end.map_or_else(|| open.to_owned(), |end| significant(end, 3))
    };
    let interval = match outcome.interval {
        Some(interval) => format!("[{}, {}]", read(interval.low, "0"), read(interval.high, "∞")),
        None => format!("({}: {})", Relation::TooFewInstances, outcome.ratio.instances),
    };
    format!("times {ratio} {interval} of the record's on {instances}")
}

#[cfg(test)]
mod tests;
