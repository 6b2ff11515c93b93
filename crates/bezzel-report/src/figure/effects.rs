//! `effects`: the ratio of costs after a change of any factor but the encoding.
//!
//! A row is a fixed setting below its change, and has a mark for time and one for conflicts. The figure is drawn if some
//! change has an interval. Instances with a solution and without one are changes of their own.

use super::FigureKind;
use super::forest::{ForestMark, ForestPanel, note, of_outcome, signs};
use super::remark::paragraph;
use crate::analysis::Analysis;
use crate::chart::{AxisName, Chart, LegendSign, Mark, Point, SignKind};
use crate::comparison::Measure;
use crate::distinct::distinct;
use crate::effects::Effect;
use crate::instance_words::side;
use crate::solver_names::with_solver_names;
use bezzel_statistics::MARGIN;

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
    use crate::tests::sample::{change_kind, of_size, shuffled, solved, timed_out};
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
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
    fn a_change_is_a_row_with_its_ratio_and_what_was_held() {
        let chart = drawn(rows(6)).unwrap();
        let [facet] = &chart.facets[..] else { panic!("{chart:?}") };
        assert_eq!(facet.title, "numbering");
        let series = &facet.series()[0];
        assert_eq!(names(facet), ["as-generated → random, satisfiable", "BatSat"]);
        let point = &series.points[0];
        assert_eq!((point.mark, point.runs), (Mark::Shape(0), 6));
        assert!((point.value.measured().unwrap() - 0.25).abs() < 1e-3);
        assert!(point.low.is_some() && point.high.is_some());
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
