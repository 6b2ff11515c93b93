//! The columns that all tables of comparisons have: the ratio, its interval, the verdict, and the ratio
//! with other offsets.

use super::{Column, Item};
use crate::contest::Measure;
use crate::number::{count, significant};
use crate::statistics::ratio::Ratio;
use crate::statistics::{Interval, LEVEL, MARGIN, Outcome, Relation, Value, simultaneous};

/// The columns; those of other offsets where these matter for some comparison.
pub(super) fn columns(other_offsets: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::numbers("instances", "Boards"),
        Column::numbers("ratio", "Ratio"),
        Column::numbers("ratio_low", "from"),
        Column::numbers("ratio_high", "to"),
        Column::words("verdict", "Verdict"),
    ];
    if other_offsets {
        columns.push(Column::numbers("ratio_offset_tenth", "Offset ÷ 10"));
        columns.push(Column::numbers("ratio_offset_tenfold", "Offset × 10"));
    }
    columns
}

/// The items of the columns.
pub(super) fn items(outcome: &Outcome, other_offsets: bool) -> Vec<Item> {
    let mut items = vec![Item::Count(outcome.ratio.instances as u128), of_ratio(&outcome.ratio)];
    items.extend(ends(outcome.interval));
    items.push(verdict(outcome));
    if other_offsets {
        items.extend(match &outcome.other_offsets {
            Some(ratios) => ratios.each_ref().map(of_ratio),
            None => [Item::Missing, Item::Missing],
        });
    }
    items
}

/// A ratio as an item: a number where it is one, its bound in words where a limit has a share in it.
pub(super) fn of_ratio(ratio: &Ratio) -> Item {
    match ratio.estimate {
        None => Item::Missing,
        Some(estimate) => estimate.exact().map_or_else(
            || Item::Words(estimate.to_string()),
            |ratio| Item::Value(Value::Measured(ratio)),
        ),
    }
}

/// The ends of an interval as items: an open lower end is zero.
pub(super) fn ends(interval: Option<Interval>) -> [Item; 2] {
    interval.map_or([Item::Missing, Item::Missing], |interval| {
        [
            Item::Value(Value::Measured(interval.low.unwrap_or(0.0))),
            interval.high.map_or(Item::Open, |high| Item::Value(Value::Measured(high))),
        ]
    })
}

/// The verdict in words, of the first beside the second.
pub(super) fn verdict(outcome: &Outcome) -> Item {
    let verdict = match outcome.relation {
        Relation::Equivalent => "equivalent",
        Relation::Less => "takes less",
        Relation::More => "takes more",
        Relation::Undecided => "undecided",
        Relation::TooFewInstances => "too few instances",
        Relation::DependsOnFamily => "depends on the family",
    };
    let depends = if outcome.solvers_differ { "; depends on the solver" } else { "" };
    // A verdict that depends on the family says more.
    let interacts = outcome.interacts && outcome.relation != Relation::DependsOnFamily;
    let interacts = if interacts { "; interaction" } else { "" };
    Item::Words([verdict, depends, interacts].concat())
}

/// The comparisons over which the level of the intervals of all pairs of encodings holds.
pub(super) fn simultaneous_intervals(pairs: usize) -> String {
    format!(
        "Simultaneous 95 % confidence intervals of all pairs under one solver, {} of level {} %; over \
         solvers, measures, numberings and answers they do not hold together.",
        count(pairs, "interval"),
        significant(100.0 * simultaneous(LEVEL, pairs), 4)
    )
}

/// The meaning of the columns, for the notes of the first table of a kind.
pub(super) fn notes(measure: Measure, noise: f64) -> Vec<String> {
    let margin = significant(1.0 + MARGIN, 3);
    let mut notes = vec![format!(
        "Ratio: the geometric mean over boards of the ratios of medians; of several families, the geometric \
         mean over families of theirs. {} are added to both medians, since zero has no logarithm. The last \
         two columns, where there are some, have the ratio with a tenth of that and with ten times that.",
        measure.offset_words()
    )];
    if measure == Measure::Time {
        notes.push("Times of a solver with + LRAT or + DRAT include writing a proof.".into());
    }
    notes.push(format!(
        "Verdict, by the interval alone: equivalent if it lies between 1 / {margin} and {margin}; takes less \
         or takes more if it excludes 1{}; too few instances if so few cannot give an interval of this \
         level; depends on the family if the first takes less in one family and more in another, or over \
         all of them, in which case no ratio over families is given; else undecided. An undecided effect may still be there. \
         Interaction: the intervals of two families have no ratio in common.",
        if measure == Measure::Time {
            format!(" by more than the noise of the machine, {} %", significant(100.0 * noise, 2))
        } else {
            String::new()
        }
    ));
    notes
}
