//! Forest plots: ratios with their intervals, one or more marks in each row. `ranking` and `effects` are such figures.

use bezzel_statistics::{MARGIN, Outcome, Value};
use indexmap::IndexMap;

use super::FigureKind;
use super::remark::{occurring, paragraph};
use crate::analysis::Analysis;
use crate::chart::{
    Axis, AxisName, Chart, Facet, Guide, GuideLine, LegendSign, Mark, Point, Series, SignKind,
};
use crate::comparison::Measure;
use crate::effects::Effect;
use crate::instance_words::side;
use crate::label::with_solver_names;
use crate::number::{count, distinct};

/// A mark of a forest plot.
pub(super) struct ForestMark {
    /// The heading of its group of rows. Empty without a group.
    pub(super) group: String,
    /// The name of its row. Marks of a group with equal names are in one row.
    pub(super) row: AxisName,
    /// The text at the end of its row, if there is one.
    pub(super) end: Option<String>,
    /// The look of its series, if it is an encoding's.
    pub(super) style: Option<usize>,
    /// The label of its series.
    pub(super) label: String,
    /// The point, at its distance from the middle of the row. A row without a point is left out.
    pub(super) point: Option<Point>,
}

/// A panel of a forest plot, and the number of rows that are left out.
pub(super) struct ForestPanel {
    pub(super) facet: Facet,
    pub(super) left_out: usize,
}

impl ForestPanel {
    /// Draws marks in the order of their groups and rows. `axis` is the title of the ratios, `ends` that of the ends of
    /// rows. Guides are at `guides`, the main one at 1.
    pub(super) fn new(
        title: String,
        axis: &str,
        ends: Option<&str>,
        guides: &[f64],
        marks: Vec<ForestMark>,
    ) -> Self {
        let mut groups: IndexMap<String, IndexMap<String, Vec<ForestMark>>> = IndexMap::new();
        for mark in marks {
            let rows = groups.entry(mark.group.clone()).or_default();
            rows.entry(mark.row.label.clone()).or_default().push(mark);
        }
        let (mut names, mut series, mut left_out) = (Vec::new(), Vec::new(), 0);
        for (group, mut rows) in groups {
            let all = rows.len();
            rows.retain(|_, marks| marks.iter().any(|mark| mark.point.is_some()));
            left_out += all - rows.len();
            if !group.is_empty() && !rows.is_empty() {
                names.push(AxisName { is_heading: true, ..AxisName::new(group) });
            }
            for marks in rows.into_values() {
                let place = names.len() as f64;
                names.push(marks[0].row.clone());
                let marks = marks.into_iter().filter_map(|mark| Some((mark.point.clone()?, mark)));
                for (turn, (point, mark)) in marks.enumerate() {
                    let point = Point { at: place + point.at, ..point };
                    // Each row has its end once.
                    let end = mark.end.filter(|_| turn == 0);
                    let series_of = Series::new(0, mark.label, vec![point]);
                    series.push(Series { style: mark.style, end, ..series_of });
                }
            }
        }
        let guides = guides.iter().map(|&value| (value, false)).chain([(1.0, true)]);
        let guides =
            guides.map(|(value, main)| Guide { line: GuideLine::Value(value), label: None, main });
        let value = Axis::log(axis, None).with_limit(None, "open end");
        let facet = Facet {
            end_title: ends.map(str::to_owned),
            guides: guides.collect(),
            ..Facet::sideways(title, Axis::names("", names), value, series)
        };
        Self { facet, left_out }
    }
}

/// The ratio of a comparison in the middle of its row, marked by `exact` if it depends on no limit, with its interval
/// as a bar. The point has no keys. None without a ratio.
pub(super) fn of_outcome(outcome: &Outcome, exact: Mark, runs: usize) -> Option<Point> {
    let estimate = outcome.ratio.estimate?;
    let (low, high) = outcome.interval.map(|of| (of.low, of.high)).unzip();
    Some(Point {
        low: low.map(|low| Value::Measured(low.unwrap_or(0.0))),
        high: high.map(|high| high.map_or(Value::OverLimit, Value::Measured)),
        open_low: low.is_some_and(|low| low.is_none()),
        mark: if estimate.exact().is_some() { exact } else { Mark::Tick },
        runs,
        ..Point::new(0.0, Value::Measured(estimate.bound()?))
    })
}

/// Sentences that explain open ends, if there are some, and count the rows that are left out.
pub(super) fn note(panels: &[ForestPanel]) -> String {
    let points = panels.iter().flat_map(|panel| panel.facet.series());
    let mut points = points.flat_map(|series| &series.points);
    let open = if points.any(Point::is_open) {
        "An arrow is an open end of an interval: a run over its limit leaves the ratio without a bound there."
    } else {
        ""
    };
    let left_out = match panels.iter().map(|panel| panel.left_out).sum::<usize>() {
        0 => String::new(),
        rows => format!(
            "Not drawn: {}, whose ratio depends on the family or is unknown.",
            count(rows, "row")
        ),
    };
    paragraph(&[open, &left_out])
}

/// The signs of the intervals, bounds and open ends that occur. The intervals of `together` are simultaneous.
pub(super) fn signs(chart: &Chart, together: &str) -> Vec<LegendSign> {
    let any = |is: fn(&Point) -> bool| chart.points().any(|(_, _, point)| is(point));
    let intervals = format!("simultaneous 95 % confidence intervals of {together}");
    let known = [
        (any(|point| point.low.is_some()), SignKind::Bar, intervals),
        (
            any(|point| point.mark == Mark::Tick),
            SignKind::Tick,
            "a bound, because a run was over its limit".into(),
        ),
        (any(Point::is_open), SignKind::OpenEnd, "open end, no bound".into()),
    ];
    occurring(known)
}

// `effects`: the ratio of costs after a change of any factor but the encoding.
//
// A row is a fixed setting below its change, and has a mark for time and one for conflicts. The figure is drawn if some
// change has an interval. Instances with a solution and without one are changes of their own.

pub(super) const KIND: FigureKind = FigureKind {
    id: "effects",
    title: "Effects of the numbering, of settings and of solver options",
    shows: "ratios of solve times and of conflicts, after to before a change of the numbering, of a \
            setting of encodings or of a solver option, with confidence intervals",
    draw,
};

/// The largest number of rows of a factor. If there are more, only the changes from its first level are shown.
const ROWS: usize = 30;
/// The distance of the marks of a row from its middle.
const APART: f64 = 0.24;

/// The measures, each with the number of its marker and its distance from the middle of the row.
const MEASURES: [(Measure, usize, f64); 2] =
    [(Measure::Time, 0, -APART), (Measure::Conflicts, 3, APART)];

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    // Effects of each family would make several rows of one change. A change of the solver is no change of a setting.
    // The tables contain both.
    let is_shown = |effect: &&Effect| effect.is_summary && effect.factor != "solver";
    let of = |measure: Measure| dataset.effects(measure).iter().filter(is_shown);
    let all: Vec<&Effect> = MEASURES.iter().flat_map(|(measure, ..)| of(*measure)).collect();
    if !all.iter().any(|effect| effect.outcome.interval.is_some()) {
        return None;
    }
    let mut panels = Vec::new();
    let mut cut = Vec::new();
    for factor in distinct(all.iter().map(|effect| effect.factor.as_str())) {
        let mut here: Vec<&Effect> =
            all.iter().copied().filter(|effect| effect.factor == factor).collect();
        if distinct(here.iter().map(|&effect| row(effect))).len() > ROWS {
            let first = &here[0].from;
            here.retain(|effect| effect.from == *first);
            cut.push(factor.to_string());
        }
        panels.push(panel(factor, &here));
    }
    panels.retain(|panel| !panel.facet.is_empty());
    let caption = paragraph(&[
        "Left of 1 the change lowers the cost. Ratio: the median after the change, divided by that before it. It is a geometric mean over \
             the encodings measured on an instance, then over the instances of a family, then over families. \
             Opposite effects on two encodings cancel. A setting, as the input order, has an effect of its own on each \
             encoding. A row is a fixed setting, below its change. An \
             interval between the thin lines, at 1 / 1.1 and 1.1, shows equivalence. A mark without an \
             interval has too few instances.",
        &match &cut[..] {
            [] => String::new(),
            cut => {
                format!("Only changes from the first level are shown for: {}.", cut.join(", "))
            }
        },
        &note(&panels),
    ]);
    let about = "Ratio of medians, after to before the change: geometric means over instances and encodings";
    let facets = panels.into_iter().map(|panel| panel.facet).collect();
    let mut chart = KIND.chart(about, caption, 1, facets);
    let shapes = MEASURES.iter().filter(|(measure, ..)| of(*measure).next().is_some());
    let shapes = shapes.map(|&(measure, shape, _)| LegendSign {
        sign: SignKind::Shape(shape),
        label: measure.words().to_owned(),
    });
    let margin = LegendSign {
        sign: SignKind::Guide,
        label: format!("between 1 / {0} and {0}: equivalent", 1.0 + MARGIN),
    };
    chart.signs = shapes.chain(signs(&chart, "all changes of a factor")).chain([margin]).collect();
    (!chart.is_empty()).then_some(chart)
}

/// The heading of a row, which is its change, and the setting that is held fixed.
fn row(effect: &Effect) -> (String, &str) {
    (format!("{} → {}, {}", effect.from, effect.to, side(effect.answer)), &effect.held)
}

/// The parts of a fixed setting. Options in brackets are no parts.
fn parts(held: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_end = |letter| {
        depth += i32::from(matches!(letter, '(' | '{')) - i32::from(matches!(letter, ')' | '}'));
        letter == ',' && depth == 0
    };
    held.split(is_end).map(str::trim).collect()
}

fn panel(factor: &str, effects: &[&Effect]) -> ForestPanel {
    // Parts that all rows share are in the title. A row keeps at least one part.
    let mut shared = effects.first().map_or_else(Vec::new, |effect| parts(&effect.held));
    shared.retain(|part| effects.iter().all(|effect| parts(&effect.held).contains(part)));
    if effects.iter().any(|effect| parts(&effect.held).len() == shared.len()) {
        shared.clear();
    }
    // The rows are in the order of their first effects.
    let rows = distinct(effects.iter().map(|&effect| row(effect)));
    let marks = rows.into_iter().flat_map(|known| {
        let here: Vec<&Effect> =
            effects.iter().copied().filter(|&effect| row(effect) == known).collect();
        let shared = &shared;
        MEASURES.iter().flat_map(move |&(measure, shape, aside)| {
            let of = here.clone().into_iter().filter(move |effect| effect.measure == measure);
            of.map(move |effect| {
                let (group, held) = row(effect);
                let own = parts(held).into_iter().filter(|part| !shared.contains(part));
                let own: Vec<&str> = own.collect();
                let runs = effect.outcome.ratio.instances;
                let point = of_outcome(&effect.outcome, Mark::Shape(shape), runs);
                ForestMark {
                    row: AxisName::new(with_solver_names(&own.join(", "))),
                    end: None,
                    style: None,
                    label: format!("{}, {group}, {held}", measure.words()),
                    point: point.map(|point| Point { at: aside, ..point }),
                    group,
                }
            })
        })
    });
    // Each factor has a range of its own, since ratios of some factors are a hundred times those of others.
    let axis = format!("Ratio of medians, {factor}");
    let title = match &shared[..] {
        [] => factor.to_owned(),
        shared => format!("{factor} (fixed: {})", shared.join(", ")),
    };
    let margin = 1.0 + MARGIN;
    let guides = [margin.recip(), margin];
    ForestPanel::new(title, &axis, None, &guides, marks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Facet, Scale};
    use crate::tests::analysed;
    use crate::tests::sample::{change_kind, of_size, shuffled, solved, timed_out};
    use bezzel_experiment::Row;

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        analysed(rows, draw)
    }

    /// The names of the rows, with headings.
    fn names(facet: &Facet) -> Vec<&str> {
        let Scale::Names(names) = &facet.position.scale else { panic!("{facet:?}") };
        names.iter().map(|name| name.label.as_str()).collect()
    }

    /// Rows of `instances` instances on which a random numbering takes a quarter of the time.
    fn rows(instances: u32) -> Vec<Row> {
        let both = |size| [of_size(size, solved(4.0)), of_size(size, shuffled(1, 1.0))];
        (8..8 + instances).flat_map(both).collect()
    }

    #[test]
    fn a_limit_makes_a_bound() {
        let mut rows = rows(6);
        rows[0] = Row { job: rows[0].job.clone(), ..timed_out() };
        let chart = drawn(rows).unwrap();
        let (_, _, point) = chart.points().next().unwrap();
        assert!(point.mark == Mark::Tick && point.open_low);
        assert!(chart.signs.iter().any(|sign| sign.sign == SignKind::OpenEnd));
    }

    #[test]
    fn a_row_without_a_mark_is_left_out_and_counted() {
        let mut rows = rows(16);
        // The random numbering takes four times as long on the latin-square, and a quarter of the time on the langford.
        for row in rows.iter_mut().skip(16) {
            change_kind(row);
            if row.job.numbering.is_shuffled() {
                *row = Row { job: row.job.clone(), ..solved(16.0) };
            }
        }
        let mut all = rows[..16].to_vec();
        for row in &mut all {
            row.job.solver = "cadical".into();
        }
        all.extend(rows);
        let chart = drawn(all).unwrap();
        let [facet] = &chart.facets[..] else { panic!("{chart:?}") };
        assert_eq!(names(facet)[1..], ["CaDiCaL"]);
        let left_out = "Not drawn: 1 row, whose ratio depends on the family or is unknown.";
        assert!(chart.caption.contains(left_out), "{}", chart.caption);
    }

    #[test]
    fn few_instances_or_nothing_changed_are_no_figure() {
        assert_eq!(drawn(rows(5)), None);
        let random = |row: &Row| row.job.numbering.is_shuffled();
        assert_eq!(drawn(rows(6).into_iter().filter(random).collect()), None);
        assert_eq!(drawn(Vec::new()), None);
    }
}
