//! Functions that figures over instances share: the family of each board, the median of its runs, which stands
//! for the board, and the one numbering that they show where there are several.

use bezzel_problem::Instance;
use bezzel_solve::Answer;
use indexmap::IndexSet;

use crate::chart::Axis;
use crate::distinct::distinct;
use crate::material::Material;
use crate::number::{count, whole_or};
use crate::statistics::cell::{conflicts, times};
use crate::statistics::{Cell, Value, median};
use crate::words::Words;

/// An axis of times with the limit of CPU time if all runs had the same, and no other one ended a run.
pub(super) fn limited(material: &Material<'_>, axis: Axis) -> Axis {
    if let Some(limit) = material.cpu_limit() {
        return axis.with_limit(Some(limit), format!("CPU limit {} s", whole_or(limit, 2)));
    }
    // Runs have several limits, so the axis has none.
    let mut limits = distinct(material.record.rows.iter().map(|row| row.job.limits.cpu_s));
    limits.sort_by(f64::total_cmp);
    let words: Vec<String> = limits.iter().map(|limit| whole_or(*limit, 2)).collect();
    let label = match &words[..] {
        [one] => format!("no answer within {one} s CPU"),
        [one, two] => format!("no answer within {one} or {two} s CPU"),
        _ => "no answer".to_owned(),
    };
    axis.with_limit(None, label)
}

/// The axis of solve times, with the limit if all runs had the same.
pub(super) fn time_axis(material: &Material<'_>) -> Axis {
    limited(material, Axis::log("CPU time of solving", Some("s")))
}

/// A measure with its axis.
pub(super) struct Measure {
    pub(super) axis: Axis,
    pub(super) of: fn(&[&bezzel_lab::Row]) -> Vec<Value>,
}

/// Conflicts if a solver reports them in one of these cells, and CPU times of solving.
pub(super) fn measures(material: &Material<'_>, cells: &[Cell<'_>]) -> Vec<Measure> {
    let told = cells.iter().any(|cell| !cell.conflicts().is_empty());
    let axis = Axis::log("Conflicts", None).with_limit(None, "no answer");
    let effort = told.then_some(Measure { axis, of: conflicts });
    let seconds = Measure { axis: time_axis(material), of: times };
    effort.into_iter().chain([seconds]).collect()
}

/// The families of the boards, each once, in the order of their first boards.
pub(super) struct Families {
    pub(super) names: Vec<String>,
    /// By the number of the board.
    pub(super) of_board: Vec<usize>,
}

impl Families {
    /// A family with the number of its boards and their sides: `torus, 5 of N = 8 to 14`.
    pub(super) fn told(&self, material: &Material<'_>, family: usize) -> String {
        let sides = self.boards(family).into_iter().map(|board| material.instances[board].size());
        let sides: Vec<u32> = sides.collect();
        let range = match (sides.iter().min(), sides.iter().max()) {
            (Some(least), Some(most)) if least < most => format!("{least}–{most}"),
            (Some(side), _) => side.to_string(),
            _ => String::new(),
        };
        let range = material.words.size(range).replace(" = ", "\u{a0}=\u{a0}");
        format!("{}, {} of {range}", self.names[family], sides.len())
    }

    pub(super) fn of(material: &Material<'_>) -> Self {
        let mut roll = IndexSet::new();
        let boards = material.instances.iter();
        let of_board = boards.map(|board| roll.insert_full(material.family(board)).0).collect();
        Self { names: roll.into_iter().collect(), of_board }
    }

    /// The numbers of the boards of a family.
    pub(super) fn boards(&self, family: usize) -> Vec<usize> {
        (0..self.of_board.len()).filter(|&board| self.of_board[board] == family).collect()
    }
}

/// The answers of the boards, each once: with a solution, without, and not decided. Figures that pool
/// boards have a panel for each of them.
pub(super) fn answers(material: &Material<'_>) -> Vec<Option<Answer>> {
    let found: Vec<_> = material.instances.iter().map(|board| material.answer(board)).collect();
    let all = [Some(Answer::Sat), Some(Answer::Unsat), None];
    all.into_iter().filter(|answer| found.contains(answer)).collect()
}

/// The title of a panel of `boards` boards with this answer.
pub(super) fn title(words: Words, solver: &str, boards: usize, answer: Option<Answer>) -> String {
    let end = match answer {
        Some(Answer::Sat) => "with a solution",
        Some(Answer::Unsat) => "without a solution",
        _ => "not decided",
    };
    format!("{solver}, {} {end}", count(boards, words.noun()))
}

/// A board as an encoding has it: the median over its shuffles, seeds and repetitions.
pub(super) struct Median {
    pub(super) value: Value,
    pub(super) runs: usize,
    pub(super) unchecked: bool,
}

impl Median {
    /// Of a cell; none if nothing in it counts.
    pub(super) fn of(
        cell: &Cell<'_>,
        measure: fn(&[&bezzel_lab::Row]) -> Vec<Value>,
    ) -> Option<Self> {
        let values = measure(&cell.rows);
        let unchecked = cell.counts().unchecked > 0;
        Some(Self { value: median(&values)?, runs: values.len(), unchecked })
    }
}

/// The numbering that stands for all where a figure has room for one: the first that is shuffled,
/// since any fixed order is one of many and may suit an encoding by chance; else the first.
pub(super) fn fair_numbering(material: &Material<'_>) -> usize {
    let shuffled = material
        .cells
        .iter()
        .filter(|cell| cell.rows.first().is_some_and(|row| row.job.numbering.is_shuffled()));
    shuffled.map(|cell| cell.place.numbering).min().unwrap_or(0)
}

/// A board in a heading: `plane, N = 60`, or by its name.
pub(super) fn named(material: &Material<'_>, instance: &Instance) -> String {
    let name = material.name(instance);
    let is_side = name.chars().all(|letter| letter.is_ascii_digit());
    if is_side { format!("plane, N = {name}") } else { name }
}

/// The fair numbering as a part of a heading; empty if the record has one numbering only.
pub(super) fn numbered(material: &Material<'_>) -> String {
    match material.numberings.len() {
        0 | 1 => String::new(),
        _ => format!(", numbering: {}", material.numberings[fair_numbering(material)]),
    }
}

/// A sentence for captions that names the fair numbering; empty if there is one numbering only.
pub(super) fn chosen(material: &Material<'_>) -> String {
    if material.numberings.len() < 2 {
        return String::new();
    }
    let numbering = &material.numberings[fair_numbering(material)];
    format!("Numbering: {numbering}, of {}.", material.numberings.join(", "))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::analysis::Analysis;
    use crate::tests::sample::{shuffled, solved, timed_out};

    #[test]
    fn a_shuffled_numbering_stands_for_all_and_a_board_for_its_runs() {
        let mut late = timed_out();
        late.job.numbering = shuffled(3, 1.0).job.numbering;
        let rows = vec![solved(1.0), shuffled(1, 2.0), shuffled(2, 4.0), late];
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        let material = Analysis::new(&record, &registry);
        let fair = fair_numbering(&material);
        assert_eq!(material.numberings[fair], "random");
        assert_eq!(chosen(&material), "Numbering: random, of as-generated, random.");
        let cell = material.cells.iter().find(|cell| cell.place.numbering == fair).unwrap();
        let median = Median::of(cell, times).unwrap();
        assert_eq!((median.value, median.runs), (Value::Measured(4.0), 3));
    }
}
