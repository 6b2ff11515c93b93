//! A comparison of two records: the differences, with their sizes.
//!
//! Rows are matched by their questions (board, encoding with its settings, numbering, solver, options, task,
//! repetition), not by their keys, which contain revisions and versions. So a machine, a solver or an encoding is
//! compared with its former self. Values that must be equal are compared exactly: answers always, clauses under the
//! same revision, the effort of a linked solver under the same version as well. Times are compared by the interval of
//! their ratio over boards, separately for each answer.

use bezzel_experiment::cross;
use bezzel_experiment::{Row, StoredResults};
use serde::Serialize;

mod answers;
mod arm;
mod conditions;
mod effort;
mod format;
mod pair;
mod sizes;
mod times;

pub use answers::Answers;
pub use arm::ArmComparison;
pub use conditions::{ConditionChange, SpeedRatio};
pub use effort::Efforts;
pub use sizes::{Resized, Sizes};
pub use times::Times;

use crate::distinct::count_distinct;
use crate::family::Families;
use crate::instance_terms::InstanceTerms;
use crate::session_noise::SessionNoise;
use pair::MatchedRows;

/// A comparison of two records. The first is A, the second B; every ratio is B / A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordComparison {
    /// The first record.
    pub a: RecordSummary,
    /// The second record.
    pub b: RecordSummary,
    /// The number of jobs that both have.
    pub matched: usize,
    /// The faults: answers that contradict each other, and differences of values that must be equal.
    pub faults: Vec<ComparisonFault>,
    /// The differences in machines, builds, versions, revisions and limits.
    pub changes: Vec<ConditionChange>,
    /// The readings of the fixed formula, if both have some.
    pub clock: Option<SpeedRatio>,
    /// Lines of the configs that only one record has.
    pub config: ConfigDifference,
    /// The answers of the jobs that both have.
    pub answers: Answers,
    /// The sizes of formulas, by encoding.
    pub sizes: Vec<Sizes>,
    /// Effort and time of each encoding in each solver.
    pub arms: Vec<ArmComparison>,
    /// Effort and time over all of them.
    pub overall: ArmComparison,
    /// The number of boards that are left out of times, since a run on them [shared its core](Row::is_disturbed) until
    /// its wall limit.
    pub disturbed: usize,
    /// The largest noise of the sessions of both records. A difference of times must exceed that of its own sessions.
    pub noise: f64,
    #[serde(skip)]
    words: InstanceTerms,
}

/// One of two records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordSummary {
    /// The name.
    pub name: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of rows whose job the other record does not have.
    pub alone: usize,
    /// The encodings and solvers of these rows, with their numbers.
    pub alone_of: Vec<(String, usize)>,
    /// The number of rows that are replaced by a later row of the same record.
    pub superseded: usize,
    /// The number of damaged lines, which are left out.
    pub damaged: usize,
}

/// Lines that only one of two texts has, without blank lines and comments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConfigDifference {
    /// The lines of A.
    pub a: Vec<String>,
    /// The lines of B.
    pub b: Vec<String>,
}

/// The subject of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultSubject {
    /// Two answers that cannot both be right, in the same or in different records.
    Answers,
    /// Other clauses, or another size, under the same revision of the encoding.
    Clauses,
    /// Another effort of a linked solver with the same clauses, version and options.
    Effort,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparisonFault {
    /// The subject.
    pub about: FaultSubject,
    /// The description, in a line.
    pub what: String,
}

impl RecordComparison {
    /// Compares two records.
    pub fn new(a: &StoredResults, b: &StoredResults) -> Self {
        let mut rows = [a.rows.as_slice(), &b.rows].concat();
        let contradictions = cross::examine(&mut rows);
        let (rows_a, rows_b) = rows.split_at(a.rows.len());
        let pairs = MatchedRows::new(rows_a, rows_b);
        let mut faults: Vec<ComparisonFault> = contradictions
            .iter()
            .map(|found| ComparisonFault { about: FaultSubject::Answers, what: found.to_string() })
            .collect();
        let answers = Answers::of(&pairs.both, &mut faults);
        let sizes = sizes::of(&pairs.both, &mut faults);
        let noises = [a, b].map(|record| SessionNoise::new(&record.readings));
        let stated = |board: &_| a.families.get(board).or_else(|| b.families.get(board));
        let families = Families::of_rows(rows_a.iter().chain(rows_b), stated);
        let (arms, overall, disturbed) =
            arm::of(rows_a, &pairs.both, &families, &noises, &mut faults);
        let noise = [noises[0].largest(rows_a), noises[1].largest(rows_b)];
        faults.sort_by_key(|fault| fault.about);
        Self {
            a: record_summary(a, &pairs.only_a),
            b: record_summary(b, &pairs.only_b),
            matched: pairs.both.len(),
            faults,
            changes: conditions::changes(a, b, &pairs.both),
            clock: conditions::speed_ratio(a, b),
            config: config_difference(&a.config, &b.config),
            answers,
            sizes,
            arms,
            overall,
            disturbed,
            noise: noise.into_iter().fold(0.0, f64::max),
            words: InstanceTerms::new(rows.iter().map(|row| &row.job.instance)),
        }
    }

    /// True if no value differs that must be equal.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// True if B reproduces A: no value differs that must be equal, and every job that A answered and B ran has an
    /// answer again.
    pub fn is_reproduction(&self) -> bool {
        self.is_sound() && self.answers.only_a == 0 && self.matched > 0
    }

    /// The comparison as lines for a terminal.
    pub fn text(&self) -> String {
        format::text(self)
    }

    /// The comparison in Markdown.
    pub fn markdown(&self) -> String {
        format::markdown(self)
    }

    /// One line that states if B reproduces A.
    pub fn conclusion(&self) -> String {
        format::conclusion(self)
    }
}

fn record_summary(measured: &StoredResults, alone: &[&Row]) -> RecordSummary {
    RecordSummary {
        name: measured.name.clone(),
        rows: measured.rows.len(),
        alone: alone.len(),
        alone_of: count_distinct(alone.iter().map(|row| pair::describe_arm(row))),
        superseded: measured.superseded,
        damaged: measured.damaged,
    }
}

/// The lines that only one of two texts has. A line that one text has more often is returned for each surplus
/// occurrence.
fn config_difference(a: &str, b: &str) -> ConfigDifference {
    let stated_lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim_end);
        let lines = lines.filter(|line| !line.is_empty() && !line.trim_start().starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    let (mut only_a, mut only_b) = (Vec::new(), stated_lines(b));
    for line in stated_lines(a) {
        match only_b.iter().position(|other| *other == line) {
            Some(place) => drop(only_b.remove(place)),
            None => only_a.push(line),
        }
    }
    ConfigDifference { a: only_a, b: only_b }
}

#[cfg(test)]
mod tests;
