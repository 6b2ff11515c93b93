//! Two records held against each other: what changed, and by how much.
//!
//! Rows are matched by what they ask for (board, encoding with its settings, numbering, solver,
//! options, task, repetition), not by their keys, which hold revisions and versions: so a machine, a
//! solver or an encoding is compared with its former self. What must be equal is compared exactly:
//! answers always, clauses under the same revision, the effort of a linked solver under the same
//! version as well. Times are compared by the interval of their ratio over boards, apart for each answer.

use bezzel_lab::cross;
use bezzel_lab::{Measured, Row};
use serde::Serialize;

mod answers;
mod arm;
mod conditions;
mod effort;
mod pair;
mod sizes;
mod times;
mod written;

pub use answers::Answers;
pub use arm::Arm;
pub use conditions::{Change, Clock};
pub use effort::Efforts;
pub use sizes::{Resized, Sizes};
pub use times::Times;

use crate::distinct::counted;
use crate::family::Families;
use crate::words::Words;
use pair::Pairs;

/// Two records held against each other. The first is A, the second B; every ratio is B / A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The first record.
    pub a: Side,
    /// The second record.
    pub b: Side,
    /// Questions that both have a row of.
    pub matched: usize,
    /// What is wrong: answers that contradict each other, and what differs that must not.
    pub faults: Vec<Fault>,
    /// What differs in machines, builds, versions, revisions and limits.
    pub changes: Vec<Change>,
    /// The readings of the fixed formula, where both have some.
    pub clock: Option<Clock>,
    /// Lines of the configs that only one has.
    pub config: Lines,
    /// What became of the questions that both have.
    pub answers: Answers,
    /// The sizes of formulas, by encoding.
    pub sizes: Vec<Sizes>,
    /// Effort and time of each encoding in each solver.
    pub arms: Vec<Arm>,
    /// The same over all of them.
    pub overall: Arm,
    /// The boards that are left out of times since a run on them [shared its core](Row::is_disturbed) until its
    /// wall limit.
    pub disturbed: usize,
    /// The noise of the machines, which a difference of times must exceed.
    pub noise: f64,
    #[serde(skip)]
    words: Words,
}

/// One of two records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: usize,
    /// Rows whose question the other has no row of.
    pub alone: usize,
    /// Of which encodings and solvers these are, with how many of each.
    pub alone_of: Vec<(String, usize)>,
    /// Rows that a later one of the same record takes the place of.
    pub superseded: usize,
    /// Damaged lines, which are left out.
    pub damaged: usize,
}

/// Lines that only one of two texts has, blank ones and comments left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// Those of A.
    pub a: Vec<String>,
    /// Those of B.
    pub b: Vec<String>,
}

/// What a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// Two answers that cannot both be right, in whichever record.
    Answers,
    /// Other clauses, or another size, under the same revision of the encoding.
    Clauses,
    /// Another effort of a linked solver with the same clauses, version and options.
    Effort,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What it is about.
    pub about: About,
    /// What it is, in a line.
    pub what: String,
}

impl Comparison {
    /// Holds two records against each other.
    pub fn new(a: &Measured, b: &Measured) -> Self {
        let mut rows = [a.rows.as_slice(), &b.rows].concat();
        let contradictions = cross::examine(&mut rows);
        let (rows_a, rows_b) = rows.split_at(a.rows.len());
        let pairs = Pairs::new(rows_a, rows_b);
        let mut faults: Vec<Fault> = contradictions
            .iter()
            .map(|found| Fault { about: About::Answers, what: found.to_string() })
            .collect();
        let answers = Answers::of(&pairs.both, &mut faults);
        let sizes = sizes::of(&pairs.both, &mut faults);
        let rule = times::rule(a, b);
        let stated = |board: &_| a.families.get(board).or_else(|| b.families.get(board));
        let families = Families::of_rows(rows_a.iter().chain(rows_b), stated);
        let (arms, overall, disturbed) = arm::of(rows_a, &pairs.both, &families, rule, &mut faults);
        faults.sort_by_key(|fault| fault.about);
        Self {
            a: side(a, &pairs.only_a),
            b: side(b, &pairs.only_b),
            matched: pairs.both.len(),
            faults,
            changes: conditions::changes(a, b, &pairs.both),
            clock: conditions::clock(a, b),
            config: lines(&a.config, &b.config),
            answers,
            sizes,
            arms,
            overall,
            disturbed,
            noise: rule.noise,
            words: Words::new(rows.iter().map(|row| &row.job.instance)),
        }
    }

    /// Whether nothing differs that must not.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// Whether B reproduces A: nothing differs that must not, and whatever A answered and B ran has an
    /// answer again.
    pub fn is_reproduction(&self) -> bool {
        self.is_sound() && self.answers.only_a == 0 && self.matched > 0
    }

    /// The comparison as lines for a terminal.
    pub fn text(&self) -> String {
        written::text(self)
    }

    /// The comparison in Markdown.
    pub fn markdown(&self) -> String {
        written::markdown(self)
    }

    /// In one line, whether B reproduces A.
    pub fn conclusion(&self) -> String {
        written::conclusion(self)
    }
}

fn side(measured: &Measured, alone: &[&Row]) -> Side {
    Side {
        name: measured.name.clone(),
        rows: measured.rows.len(),
        alone: alone.len(),
        alone_of: counted(alone.iter().map(|row| pair::by(row))),
        superseded: measured.superseded,
        damaged: measured.damaged,
    }
}

/// The lines that only one of two texts has, as often as it has more of them.
fn lines(a: &str, b: &str) -> Lines {
    let said = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim_end);
        let lines = lines.filter(|line| !line.is_empty() && !line.trim_start().starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    let (mut only_a, mut only_b) = (Vec::new(), said(b));
    for line in said(a) {
        match only_b.iter().position(|other| *other == line) {
            Some(place) => drop(only_b.remove(place)),
            None => only_a.push(line),
        }
    }
    Lines { a: only_a, b: only_b }
}

#[cfg(test)]
mod tests;
