//! Tables from their columns: a column is its name, its heading, its alignment, and the function from the subject of a
//! row to the item. Text, CSV and LaTeX follow from the finished [`Table`].

use bezzel_statistics::{
    Estimate, Interval, LEVEL, MARGIN, Outcome, Ratio, Relation, Value, simultaneous,
};

use super::{Column, Item, Table, ids};
use crate::comparison::{EncodingRanking, Measure};
use crate::dataset::Dataset;
use crate::instance_words::with_answer;
use crate::number::{count, significant};
use crate::run_conditions::proofs_note;

/// The columns of a table that has a row for each of its subjects.
pub struct Columns<S> {
    subjects: Vec<S>,
    heads: Vec<Column>,
    rows: Vec<Vec<Item>>,
}

impl<S> Columns<S> {
    /// Columns without any column yet, with a row for each of these subjects.
    pub fn of(subjects: impl IntoIterator<Item = S>) -> Self {
        let subjects: Vec<S> = subjects.into_iter().collect();
        let rows = subjects.iter().map(|_| Vec::new()).collect();
        Self { subjects, heads: Vec::new(), rows }
    }

    /// Adds a column of words.
    #[must_use]
    pub fn words<I: Into<Item>>(self, name: &str, head: &str, item: impl Fn(&S) -> I) -> Self {
        self.with(Column::words(name, head), item, |_| true)
    }

    /// Adds a column of words that depend on the evidence.
    #[must_use]
    pub fn results<I: Into<Item>>(self, name: &str, head: &str, item: impl Fn(&S) -> I) -> Self {
        self.with(Column::results(name, head), item, |_| true)
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn numbers<I: Into<Item>>(
        self,
        name: impl Into<String>,
        head: impl Into<String>,
        item: impl Fn(&S) -> I,
    ) -> Self {
        self.with(Column::numbers(name, head), item, |_| true)
    }

    /// Adds a column of numbers, if one of them is neither missing nor a count of zero.
    #[must_use]
    pub fn numbers_if_any<I: Into<Item>>(
        self,
        name: &str,
        head: &str,
        item: impl Fn(&S) -> I,
    ) -> Self {
        let has_value = |item: &Item| !matches!(item, Item::Missing | Item::Count(0));
        self.with(Column::numbers(name, head), item, |items| items.iter().any(has_value))
    }

    /// Adds the numbers of compared instances, and the numbers of instances on which both arms were measured if these
    /// differ in a row. `of` has the ratio of a row, or the number of instances of an arm that is compared with none.
    #[must_use]
    pub(crate) fn compared_instances(self, of: impl Fn(&S) -> Result<Ratio, usize>) -> Self {
        let compared = |row: &S| of(row).map_or_else(|own| own, |ratio| ratio.instances);
        let measured =
            |row: &S| of(row).map_or_else(|own| own, |ratio| ratio.instances + ratio.left_out);
        let differ = self.subjects.iter().any(|row| compared(row) != measured(row));
        self.numbers("instances", "Instances", compared).with(
            Column::numbers("instances_measured", "of"),
            measured,
            |_| differ,
        )
    }

    fn with<I: Into<Item>>(
        mut self,
        column: Column,
        item: impl Fn(&S) -> I,
        is_shown: impl Fn(&[Item]) -> bool,
    ) -> Self {
        let items: Vec<Item> = self.subjects.iter().map(|subject| item(subject).into()).collect();
        if is_shown(&items) {
            self.heads.push(column);
            self.rows.iter_mut().zip(items).for_each(|(row, item)| row.push(item));
        }
        self
    }

    /// The finished table.
    pub fn table(
        self,
        id: impl Into<String>,
        title: impl Into<String>,
        notes: Vec<String>,
    ) -> Table {
        let Self { heads: columns, rows, .. } = self;
        Table { id: id.into(), title: title.into(), columns, rows, notes }
    }

    /// The finished table. None if it has no row.
    pub fn some_table(
        self,
        id: impl Into<String>,
        title: impl Into<String>,
        notes: impl FnOnce() -> Vec<String>,
    ) -> Option<Table> {
        (!self.rows.is_empty()).then(|| self.table(id, title, notes()))
    }
}

impl From<&str> for Item {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl From<String> for Item {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<usize> for Item {
    fn from(count: usize) -> Self {
        Self::Count(count as u128)
    }
}

impl From<u64> for Item {
    fn from(count: u64) -> Self {
        Self::Count(count.into())
    }
}

impl From<f64> for Item {
    fn from(number: f64) -> Self {
        Self::Value(Value::Measured(number))
    }
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl<T: Into<Item>> From<Option<T>> for Item {
    fn from(found: Option<T>) -> Self {
        found.map_or(Self::Missing, Into::into)
    }
}

// The columns that all tables of comparisons have: the ratio, its interval, the verdict, and the ratio with other
// offsets.

/// The id and the title of the table of a kind, as in `Pairs`, about a ranking.
pub(crate) fn id_and_title(
    dataset: &Dataset<'_>,
    kind: &str,
    encoding_ranking: &EncodingRanking,
) -> (String, String) {
    let EncodingRanking { measure, answer, .. } = encoding_ranking;
    let numbering = &dataset.numberings[encoding_ranking.numbering];
    let (words, instances) = (measure.words(), with_answer(*answer));
    (
        ids::id(&[&kind.to_lowercase(), measure.id(), numbering, &answer.to_string()]),
        format!("{kind} by {words}, numbering {numbering}, {instances}"),
    )
}

/// Adds the columns of the outcome of a row, and those of other offsets if these matter for some row.
pub fn with_outcome<S>(columns: Columns<S>, of: impl Fn(&S) -> &Outcome) -> Columns<S> {
    with_verdict(columns, &of, |row| verdict(of(row)))
}

/// The same with verdicts in these words.
pub(super) fn with_verdict<S>(
    columns: Columns<S>,
    of: impl Fn(&S) -> &Outcome,
    verdict: impl Fn(&S) -> String,
) -> Columns<S> {
    let other = |row: &S, place: usize| {
        of(row).other_offsets.as_ref().map(|ratios| of_ratio(&ratios[place]))
    };
    columns
        .compared_instances(|row| Ok(of(row).ratio))
        .numbers("ratio", "Ratio", |row| of_ratio(&of(row).ratio))
        .numbers("ratio_low", "from", |row| of(row).interval.map(low))
        .numbers("ratio_high", "to", |row| of(row).interval.map(high))
        .results("verdict", "Verdict", verdict)
        .numbers_if_any("ratio_offset_tenth", "Offset ÷ 10", |row| other(row, 0))
        .numbers_if_any("ratio_offset_tenfold", "Offset × 10", |row| other(row, 1))
}

/// A ratio as an item: a number, or its bound in words if a limit has a share in it.
pub(crate) fn of_ratio(ratio: &Ratio) -> Item {
    let of = |known: Estimate| match (known.exact(), known.bound()) {
        (Some(ratio), _) => ratio.into(),
        (None, Some(number)) => {
            Item::Bound { text: known.to_string(), number, relation: known.relation() }
        }
        (None, None) => known.to_string().into(),
    };
    ratio.estimate.map(of).into()
}

/// The lower end of an interval. An open end is zero.
pub(crate) fn low(interval: Interval) -> Item {
    interval.low.unwrap_or(0.0).into()
}

/// The upper end of an interval.
pub(crate) fn high(interval: Interval) -> Item {
    interval.high.map_or(Item::Open, Item::from)
}

/// True for the words of a [`verdict`] that decides.
pub(crate) fn is_decided(verdict: &str) -> bool {
    ["takes less", "takes more", "equivalent"].iter().any(|decided| verdict.starts_with(decided))
}

/// The verdict in words, on the first compared with the second.
pub(crate) fn verdict(outcome: &Outcome) -> String {
    let verdict = match outcome.relation {
        Relation::Less => "takes less".to_owned(),
        Relation::More => "takes more".to_owned(),
        Relation::Undecided if outcome.is_within_noise() => "within the noise".to_owned(),
        other => other.to_string(),
    };
    let depends = if outcome.solvers_differ { "; depends on the solver" } else { "" };
    // The verdict that depends on the family already contains the interaction.
    let interacts = outcome.interacts && outcome.relation != Relation::DependsOnFamily;
    let interacts = if interacts { "; interaction" } else { "" };
    [&verdict, depends, interacts].concat()
}

/// The comparisons over which the level of the intervals of all pairs of encodings holds.
pub(super) fn simultaneous_intervals(pairs: usize) -> String {
    format!(
        "The 95 % confidence intervals of all pairs under one solver are simultaneous ({} of level {} \
         %). They are not simultaneous over solvers, measures, numberings or answers.",
        count(pairs, "interval"),
        significant(100.0 * simultaneous(LEVEL, pairs), 4)
    )
}

/// The meaning of the numbers of instances.
pub(super) const COMPARED_INSTANCES: &str = "Instances: the number of compared instances. The next column, if it is there, has the number of \
     instances on which both were measured. On the difference both are over the limit, so that any ratio is \
     possible.";

/// The meaning of the columns, for the notes of the first table of a kind.
pub(super) fn notes(dataset: &Dataset<'_>, measure: Measure) -> Vec<String> {
    let margin = significant(1.0 + MARGIN, 3);
    let mut notes = vec![format!(
        "Ratio: the geometric mean over instances of the ratios of medians, then over families if there \
         are several. All families with a single instance count as one family; if there is only one such \
         family, it counts with the largest of the others. An offset of {} is added to both medians, \
         since zero has no logarithm. The columns Offset ÷ 10 and Offset × 10, if present, have the ratio \
         with a tenth of the offset and with ten times the offset.",
        measure.offset_words()
    )];
    notes.push(COMPARED_INSTANCES.into());
    if measure == Measure::Time {
        let rows: Vec<_> = dataset.record.rows.iter().collect();
        notes.extend(Some(proofs_note(dataset, &rows)).filter(|note| !note.is_empty()));
    }
    notes.push(format!(
        "Verdict: the first of these that applies. Depends on the family: two families, or a family and \
         all families together, have opposite verdicts (takes less, takes more). There is then no ratio \
         over families. Too few instances: they cannot give an interval of this level. Equivalent: the \
         interval of the ratio lies between 1 / {margin} and {margin}. Takes less, takes more: the \
         interval lies below 1, or above 1{}. Undecided: all other cases; an effect may still exist. \
         Interaction is added to a verdict if the intervals of two families have no ratio in common.",
        match measure {
            Measure::Time => format!(
                ", by more than the noise of the sessions that measured the compared runs (noise of all \
                 sessions: {}). Within the noise: the interval lies below 1, or above 1, but not by more \
                 than the noise",
                dataset.noise.words(&dataset.record.rows)
            ),
            Measure::Conflicts | Measure::ProofSteps => String::new(),
        }
    ));
    notes
}
