//! Line figures: a measure against the size of the instance, with a line for each arm and a panel for each solver,
//! family or measure.
//!
//! [`kinds`] is the table of these figures. A measure reads [`LineSample`]s from the record, and this module turns them
//! into a chart: it joins neighbouring sizes, marks a few of many sizes, draws arms with equal values as one line, keeps
//! the best eight lines, and states in the caption what is not drawn.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use bezzel_experiment::Row;

use super::instance::{joined, summary};
use super::remark::{ends_note, paragraph, with_signs};
use super::{FigureKind, series_choice};
use crate::chart::{Axis, Chart, Facet, Guide, LegendEntry, Mark, Point, Series};
use crate::dataset::Dataset;
use crate::instance_words::SizeName;
use crate::look::distinct_looks;
use crate::number::distinct;
use crate::row_statistics::cell::Counts;
use bezzel_problem::Instance;
use bezzel_statistics::Value;

mod cells;
pub(crate) mod engines;
mod formulas;
pub(crate) mod kinds;
mod propagation;
#[cfg(test)]
mod tests;

/// The number of sizes above which only a few have a marker and a label.
const MAX_MARKED: usize = 16;

/// A figure of lines before it is drawn.
pub struct LineFigure<'a> {
    /// The text above the panels.
    pub heading: String,
    /// The first sentences of the caption.
    pub about: String,
    /// Further sentences of the caption.
    pub notes: Vec<String>,
    /// The arms, each with its look. Lines and legend have their order.
    pub arms: Vec<LegendEntry>,
    /// The panels, row by row.
    pub panels: Vec<LinePanel<'a>>,
    /// The number of panels side by side.
    pub columns: usize,
    /// The quantity over which quartiles are taken.
    pub spread: &'static str,
    /// The kind of lines.
    pub lines: LineKind,
    /// The group of a label. If there are too many lines, the best one of each group comes before the second of any.
    pub group: fn(&str) -> &str,
    /// True if panels are compared, so that a single arm makes a figure.
    pub compares_panels: bool,
    /// True if the looks of arms are those of this figure alone, so that each gets a colour of its own.
    pub own_looks: bool,
}

/// The kind of the lines of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Numbers that are the same in every run. A line joins all of them, and equal lines are drawn as one.
    Counted,
    /// Medians with bars. A line joins measured medians of neighbouring sizes.
    Bars,
    /// Medians with bands.
    Bands,
}

/// A panel of lines before it is drawn.
pub struct LinePanel<'a> {
    /// The properties that distinguish it, separated by commas.
    pub title: String,
    /// The title of the axis below.
    pub position: String,
    /// The axis of values.
    pub value: Axis,
    /// Reference lines.
    pub guides: Vec<Guide>,
    /// The samples. Of several with one arm and position the first counts.
    pub samples: Vec<LineSample<'a>>,
}

/// The values of one arm at one position.
pub struct LineSample<'a> {
    /// The number of the arm.
    pub arm: usize,
    /// The position: a size, or a number of given values.
    pub at: u32,
    /// The rows.
    pub rows: Vec<&'a Row>,
    /// The values. The point is their median. Without values there is no point.
    pub values: Vec<Value>,
    /// The mark.
    pub mark: Mark,
    /// The number of runs, if it is not that of the values.
    pub runs: Option<usize>,
}

impl<'a> LineSample<'a> {
    /// Values of rows, with a hollow mark if an answer among them is unchecked.
    pub fn measured(arm: usize, at: u32, rows: Vec<&'a Row>, values: Vec<Value>) -> Self {
        let mark = if Counts::of(&rows).unchecked > 0 { Mark::Hollow } else { Mark::Filled };
        Self { arm, at, rows, values, mark, runs: None }
    }

    /// A number that does not depend on the answer of its rows.
    pub fn counted(arm: usize, at: u32, rows: Vec<&'a Row>, number: f64) -> Self {
        let values = vec![Value::Measured(number)];
        Self { arm, at, rows, values, mark: Mark::Filled, runs: None }
    }

    fn point(&self, is_marked: bool) -> Option<Point> {
        let point = summary(self.at.into(), &self.rows, &self.values)?;
        let mark = if is_marked { self.mark } else { Mark::None };
        Some(Point { mark, runs: self.runs.unwrap_or(point.runs), ..point })
    }
}

impl LinePanel<'_> {
    /// True if an arm has points at several positions. A single point makes no line.
    pub fn has_line(&self) -> bool {
        let mut ends: BTreeMap<usize, u32> = BTreeMap::new();
        let mut with_values = self.samples.iter().filter(|sample| !sample.values.is_empty());
        with_values.any(|sample| *ends.entry(sample.arm).or_insert(sample.at) != sample.at)
    }

    /// True if some value is not over the limit.
    fn is_measured(&self) -> bool {
        let mut values = self.samples.iter().flat_map(|sample| &sample.values);
        values.any(|value| value.measured().is_some())
    }

    fn facet(&self, arms: &[LegendEntry], lines: LineKind) -> Facet {
        let sizes: BTreeSet<u32> = self.samples.iter().map(|sample| sample.at).collect();
        let marked = marked(&sizes);
        let mut samples = BTreeMap::new();
        for sample in &self.samples {
            samples.entry((sample.arm, sample.at)).or_insert(sample);
        }
        let series = arms.iter().enumerate().map(|(arm, entry)| {
            let point = |at: &u32| samples.get(&(arm, *at))?.point(marked.contains(at));
            let points: Vec<Point> = match lines {
                LineKind::Counted => sizes.iter().filter_map(point).collect(),
                LineKind::Bars | LineKind::Bands => joined(sizes.iter().map(point)),
            };
            let band = lines == LineKind::Bands;
            Series { band, ..Series::new(entry.style, entry.label.as_str(), points) }
        });
        let series = series.filter(|series| !series.points.is_empty()).collect();
        let position = Axis::log(&self.position, None)
            .with_ticks(marked.iter().copied().map(f64::from).collect());
        Facet {
            // Bands need no shift of positions, and markers of many sizes would cover each other anyway.
            apart: lines != LineKind::Bands && sizes.len() <= MAX_MARKED,
            guides: self.guides.clone(),
            ..Facet::new(self.title.clone(), position, self.value.clone(), series)
        }
    }
}

impl LineFigure<'_> {
    /// Draws the figure. None if no line or only one is left, unless panels are compared.
    pub fn draw(mut self, kind: &FigureKind) -> Option<Chart> {
        self.panels.retain(LinePanel::has_line);
        let facets = self.panels.iter().map(|panel| panel.facet(&self.arms, self.lines));
        let mut facets: Vec<Facet> = facets.collect();
        let lines = distinct(labels(&facets)).len();
        if lines == 0 || (lines < 2 && !self.compares_panels) {
            return None;
        }
        let equal = match self.lines {
            LineKind::Counted => merged(&mut facets),
            LineKind::Bars | LineKind::Bands => String::new(),
        };
        let left_out = series_choice::keep_best(&mut facets, self.group);
        let apart = facets.iter().any(|facet| facet.apart && facet.series().len() > 1);
        let apart = if apart { APART } else { "" };
        let notes: Vec<&str> = self.notes.iter().map(String::as_str).collect();
        let notes = paragraph(&notes);
        let ends = match self.lines {
            LineKind::Counted => String::new(),
            LineKind::Bars | LineKind::Bands => ends_note(&self.rows()),
        };
        let caption = paragraph(&[&self.about, apart, &notes, &equal, &left_out, &ends]);
        if self.own_looks {
            self.give_looks(&mut facets);
        }
        let columns = self.columns.clamp(1, facets.len().max(1));
        let chart = kind.chart(&self.heading, caption, columns, facets);
        let entry = |entry: &LegendEntry| {
            let mut drawn = chart.facets.iter().flat_map(Facet::series);
            let drawn = drawn.find(|series| series.style == Some(entry.style))?;
            Some(LegendEntry { label: drawn.label.clone(), ..entry.clone() })
        };
        let legend = self.arms.iter().filter_map(entry).collect();
        with_signs(Chart { legend, ..chart }, self.spread)
    }

    /// Keeps the drawn arms, and gives each a colour of its own while a colour is free.
    fn give_looks(&mut self, facets: &mut [Facet]) {
        self.arms.retain(|arm| labels(facets).any(|label| label == arm.label));
        let preferred: Vec<usize> = self.arms.iter().map(|arm| arm.style).collect();
        for (arm, look) in self.arms.iter_mut().zip(distinct_looks(&preferred)) {
            arm.style = look;
            for facet in facets.iter_mut() {
                facet.restyle(|series| (series.label == arm.label).then_some(look));
            }
        }
    }

    /// The rows of all panels, each once.
    fn rows(&self) -> Vec<&Row> {
        let mut seen = HashSet::new();
        let samples = self.panels.iter().flat_map(|panel| &panel.samples);
        let rows = samples.flat_map(|sample| sample.rows.iter().copied());
        rows.filter(|row| seen.insert(std::ptr::from_ref::<Row>(row))).collect()
    }
}

/// The sentence about the shift of marks.
const APART: &str = "Marks at one position are set apart by at most 1.5 % of the axis; lines join the true positions.";

fn labels(facets: &[Facet]) -> impl Iterator<Item = &str> {
    facets.iter().flat_map(Facet::series).map(|series| series.label.as_str())
}

/// All sizes, if there are few. Of many sizes the smallest, the largest, and those at powers of two and half-way
/// between them: 4, 6, 8, 12, 16, 24, 32. They are about evenly spaced on a log axis.
fn marked(sizes: &BTreeSet<u32>) -> BTreeSet<u32> {
    if sizes.len() <= MAX_MARKED {
        return sizes.clone();
    }
    let is_round = |size: u32| {
        size.is_power_of_two() || (size.is_multiple_of(3) && (size / 3).is_power_of_two())
    };
    let ends = [sizes.first(), sizes.last()];
    let round = sizes.iter().filter(|&&size| is_round(size));
    round.chain(ends.into_iter().flatten()).copied().collect()
}

/// Draws arms with the same values at all points in all panels as one line, in the look of the first. Returns a
/// sentence that names them.
fn merged(facets: &mut [Facet]) -> String {
    let points = |label: &str| -> Vec<Vec<Point>> {
        let of = |facet: &Facet| -> Vec<Point> {
            let series = facet.series().iter().find(|series| series.label == label);
            let points = series.into_iter().flat_map(|series| &series.points);
            // Points of different arms have different rows.
            points.map(|point| Point { keys: Vec::new(), ..point.clone() }).collect()
        };
        facets.iter().map(of).collect()
    };
    let mut groups: Vec<(Vec<Vec<Point>>, Vec<String>)> = Vec::new();
    for label in distinct(labels(facets)) {
        let points = points(label);
        match groups.iter_mut().find(|(known, _)| *known == points) {
            Some((_, equal)) => equal.push(label.to_owned()),
            None => groups.push((points, vec![label.to_owned()])),
        }
    }
    let equal = groups.into_iter().map(|(_, equal)| equal).filter(|equal| equal.len() > 1);
    let sentences = equal.map(|equal| {
        let [first, others @ ..] = &equal[..] else { return String::new() };
        for facet in facets.iter_mut() {
            facet.merge(first, others, &format!("{first} and {} more", others.len()));
        }
        format!("One line shows {}, which have the same values at all points.", equal.join(", "))
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// A line figure of the encodings of a record without its texts.
pub fn of_encodings<'a>(dataset: &Dataset<'_>, panels: Vec<LinePanel<'a>>) -> LineFigure<'a> {
    LineFigure {
        heading: String::new(),
        about: String::new(),
        notes: Vec::new(),
        arms: (0..dataset.encodings.len()).map(|encoding| dataset.entry(encoding)).collect(),
        columns: 2,
        panels,
        spread: "runs",
        lines: LineKind::Bars,
        group: series_choice::own_group,
        compares_panels: false,
        own_looks: false,
    }
}

/// A panel without a title whose positions are the sizes of these instances.
pub fn panel<'a, 'i>(
    instances: impl IntoIterator<Item = &'i Instance>,
    value: Axis,
    samples: Vec<LineSample<'a>>,
) -> LinePanel<'a> {
    let position = SizeName::new(instances).title().to_owned();
    LinePanel { title: String::new(), position, value, guides: Vec::new(), samples }
}

/// A sentence that names families that are not drawn. Empty without names.
fn left_out<T: Borrow<str>>(why: &str, names: &[T]) -> String {
    match names {
        [] => String::new(),
        names => format!("These families {why}, and are not drawn: {}.", names.join("; ")),
    }
}
