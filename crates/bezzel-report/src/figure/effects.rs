//! `effects`: the ratio of costs after a change of any factor but the encoding.
//!
//! A row is a change with the fixed setting, and has a mark for time and one for conflicts. The figure is drawn if some
//! change has an interval. Instances with a solution and without one have rows of their own.

use bezzel_solve::Answer;

use super::FigureKind;
use super::ranking::{of_outcome, opened, signs};
use super::remark::paragraph;
use crate::analysis::Analysis;
use crate::chart::{
    Axis, AxisName, Chart, Facet, Guide, GuideLine, LegendSign, Mark, Series, SignKind,
};
use crate::comparison::Measure;
use crate::distinct::distinct;
use crate::effects::Effect;
use bezzel_statistics::{MARGIN, Relation};

pub(super) const KIND: FigureKind = FigureKind {
    id: "effects",
    title: "Effects of the numbering, of settings and of solver options",
    shows: "ratios of solve times and of conflicts, after to before a change of the numbering, of a \
            setting of encodings or of a solver option, with confidence intervals",
    draw,
};

/// The largest number of rows of a factor. If there are more, only the changes from its first level are shown.
const ROWS: usize = 30;
/// The largest number of letters of the fixed setting, which is beside the rows.
const LETTERS: usize = 36;
/// The reasons for a row without a mark.
const DEPENDS: &str = "no summary, depends on the family";
const NO_BOUND: &str = "unknown, both settings have runs over their limits";
/// The distance of the marks of a row from its middle.
const APART: f64 = 0.2;

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
    let mut facets = Vec::new();
    let mut cut = Vec::new();
    for factor in distinct(all.iter().map(|effect| effect.factor.as_str())) {
        let here: Vec<&Effect> =
            all.iter().copied().filter(|effect| effect.factor == factor).collect();
        let mut rows = distinct(here.iter().map(|&effect| row(effect)));
        if rows.len() > ROWS {
            let first = rows[0].0;
            rows.retain(|row| row.0 == first);
            cut.push(factor.to_string());
        }
        facets.push(facet(factor, &rows, &here));
    }
    let caption = paragraph(&[
        "Ratio: the median after the change, divided by that before it. It is a geometric mean over \
             the encodings measured on an instance, then over the instances of a family, then over families. \
             Opposite effects on two encodings cancel. A setting, as the input order, has an effect of its own on each \
             encoding. The fixed setting is to the right of each row. An \
             interval between the thin lines, at 1 / 1.1 and 1.1, shows equivalence. A mark without an \
             interval has too few instances.",
        &match &cut[..] {
            [] => String::new(),
            cut => {
                format!("Only changes from the first level are shown for: {}.", cut.join(", "))
            }
        },
        opened(&facets),
    ]);
    let about = "Ratio of medians, after to before the change: geometric means over instances and encodings";
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

/// The parts of a row: the change, the setting that is held fixed, and the answer of the instances.
type EffectRow<'e> = (&'e str, &'e str, &'e str, Answer);

fn row(effect: &Effect) -> EffectRow<'_> {
    (&effect.from, &effect.to, &effect.held, effect.answer)
}

fn facet(factor: &str, rows: &[EffectRow<'_>], effects: &[&Effect]) -> Facet {
    let names =
        rows.iter().map(|(from, to, _, answer)| AxisName::new(format!("{from} → {to}, {answer}")));
    let names = names.collect();
    let mut series = Vec::new();
    // Each row has its fixed setting once, also if only one measure has a mark in it.
    let mut is_named = vec![false; rows.len()];
    let mut reasons: Vec<&'static str> = vec![NO_BOUND; rows.len()];
    for (measure, shape, aside) in MEASURES {
        for effect in effects.iter().filter(|effect| effect.measure == measure) {
            let Some(place) = rows.iter().position(|known| *known == row(effect)) else { continue };
            let (at, runs) = (place as f64 + aside, effect.outcome.ratio.instances);
            let point = of_outcome(at, &effect.outcome, Mark::Shape(shape), runs);
            let Some(point) = point else {
                if effect.outcome.relation == Relation::DependsOnFamily {
                    reasons[place] = DEPENDS;
                }
                continue;
            };
            let label = format!("{}, {}", measure.words(), effect.held);
            let is_first = !std::mem::replace(&mut is_named[place], true);
            series.push(Series {
                style: None,
                end: is_first.then(|| shortened(&effect.held)),
                ..Series::new(0, label, vec![point])
            });
        }
    }
    let empty = (0..rows.len()).filter(|&place| !is_named[place]);
    let row_notes = empty
        .map(|place| (place as f64, format!("{}: {}", shortened(rows[place].2), reasons[place])));
    let row_notes = row_notes.collect();
    let guide = |value: f64, main: bool| Guide { line: GuideLine::Value(value), label: None, main };
    let margin = 1.0 + MARGIN;
    // Each factor has a range of its own, since ratios of some factors are a hundred times those of others.
    let axis =
        Axis::log(&format!("Ratio, after to before: {factor}"), None).with_limit(None, "open end");
    Facet {
        guides: vec![guide(margin.recip(), false), guide(margin, false), guide(1.0, true)],
        end_title: Some("fixed setting".into()),
        row_notes,
        ..Facet::sideways(factor.to_string(), Axis::names("", names), axis, series)
    }
}

/// A text without its middle if it is long.
fn shortened(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= LETTERS {
        return text.to_owned();
    }
    let (start, end) = (&letters[..LETTERS / 2], &letters[letters.len() + 1 - LETTERS / 2..]);
    start.iter().chain(&['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{change_kind, of_size, shuffled, solved, timed_out};
    use bezzel_encode::Registry;
    use bezzel_experiment::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
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
        assert_eq!(series.end.as_deref(), Some("batsat"));
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
    fn a_row_without_a_mark_gives_its_reason() {
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
        let ends: Vec<_> = facet.series().iter().filter_map(|of| of.end.as_deref()).collect();
        assert_eq!(ends, ["cadical"]);
        assert_eq!(facet.row_notes, [(1.0, format!("batsat: {DEPENDS}"))]);
    }

    #[test]
    fn few_instances_or_nothing_changed_are_no_figure() {
        assert_eq!(drawn(rows(5)), None);
        let random = |row: &Row| row.job.numbering.is_shuffled();
        assert_eq!(drawn(rows(6).into_iter().filter(random).collect()), None);
        assert_eq!(drawn(Vec::new()), None);
    }

    #[test]
    fn long_texts_are_cut_with_an_ellipsis() {
        assert_eq!(shortened("cadical"), "cadical");
        let long = shortened(&"ab".repeat(100));
        assert_eq!(long.chars().count(), LETTERS);
        assert!(long.contains('…'));
    }
}
