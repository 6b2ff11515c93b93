//! Figures: pure functions from a record to a [`Chart`].
//!
//! One file per kind. To add one: write its file with a function from [`Analysis`] to `Option<Chart>` (none if the
//! record has nothing to draw), and add its line to [`ALL`]. The report, the command line's list and the golden tests
//! then include it; nothing else changes. A figure takes the looks of encodings from the dataset, so that they agree
//! across reports, and states in its caption the meaning of every mark and the omitted data. A point or cell that
//! stands for rows has the keys of these rows. The page uses the keys to list the runs of a mark. A record with one
//! size, one series or one point per line has no figure.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::analysis::Analysis;
use crate::chart::{Chart, Facet};
use crate::label::with_solver_names;
use crate::look::{distinct_looks, is_own};
use crate::number::distinct;
use crate::render;

mod cactus;
mod forest;
mod heat;
pub(crate) mod instance;
mod instances;
pub(crate) mod lines;
mod ranking;
pub(crate) mod remark;
mod scatter;
pub(crate) mod series_choice;

pub(crate) use ranking::lacks as ranking_lacks;

use self::lines::kinds;

/// A kind of figure.
#[derive(Clone, Copy, Debug)]
pub struct FigureKind {
    /// The permanent name, and the stem of its files' names.
    pub id: &'static str,
    /// The description, in a few words.
    pub title: &'static str,
    /// The content, in a sentence.
    pub shows: &'static str,
    /// Makes the chart; none if the record has nothing to draw.
    pub draw: fn(&Analysis<'_>) -> Option<Chart>,
}

impl FigureKind {
    /// A chart of this kind, without a legend. The heading is `about`, followed by the parts that the titles of all
    /// panels share. These parts are removed from the titles.
    pub fn chart(&self, about: &str, caption: String, columns: usize, facets: Vec<Facet>) -> Chart {
        let mut chart = Chart {
            id: self.id.into(),
            title: self.title.into(),
            heading: about.into(),
            caption,
            columns,
            facets,
            ..Chart::default()
        };
        share_words(&mut chart);
        chart
    }
}

/// Moves the parts that the titles of all panels have to the end of the heading.
fn share_words(chart: &mut Chart) {
    let mut common: Vec<String> = match &chart.facets[..] {
        [first, _, ..] => first.title.split(", ").map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    common.retain(|part| {
        let has = |facet: &Facet| facet.title.split(", ").any(|own| own == part);
        !part.is_empty() && chart.facets.iter().all(has)
    });
    for facet in &mut chart.facets {
        let own = facet.title.split(", ").filter(|part| !common.iter().any(|it| it == part));
        facet.title = own.collect::<Vec<_>>().join(", ");
    }
    let heading = std::iter::once(std::mem::take(&mut chart.heading)).chain(common);
    let heading: Vec<String> = heading.filter(|part| !part.is_empty()).collect();
    chart.heading = heading.join(", ");
}

/// The figures that an author names.
#[derive(Default)]
pub(crate) struct RequestedFigures {
    /// The first figure.
    pub(crate) lead: Option<FigureKind>,
    /// The further figures; none if the record decides.
    pub(crate) all: Option<Vec<FigureKind>>,
}

/// The kinds of figures, in the order of preference. A report shows the first [`MAX_FIGURES`] of them for which its
/// record has enough data. Kinds for one question come first, then kinds for all solutions, then kinds for first
/// solutions. Sizes and instances come last.
pub const ALL: &[FigureKind] = &[
    kinds::MODELS,
    kinds::PROPAGATION,
    kinds::PROPAGATION_GIVEN,
    kinds::SIMPLIFIED,
    kinds::PROOFS,
    kinds::ALL_TIMES,
    kinds::ALL_NODES,
    heat::NUMBERINGS,
    heat::FAMILIES,
    kinds::TIMES,
    ranking::KIND,
    forest::KIND,
    scatter::KIND,
    heat::SIZES,
    cactus::KIND,
    kinds::SIZES,
    instances::KIND,
];

/// The ids of removed kinds. An id is permanent: no other kind gets one of these.
pub(crate) const REMOVED_IDS: [&str; 9] = [
    "all-memory",
    "boards",
    "boxes",
    "cdf",
    "heat-sides",
    "numberings",
    "propagation-queens",
    "sections",
    "times-torus",
];

/// The largest number of figures of a report whose author names none.
pub const MAX_FIGURES: usize = 6;
/// The largest ratio of the height of a figure to its width: that of a page of A4.
const MAX_PROPORTION: f64 = 1.41;

/// The figures of a report among these kinds, the lead figure first. They are the requested ones, or else the first of all kinds. A
/// figure for which the record has no data is left out.
pub(crate) fn draw_figures(
    analysis: &Analysis<'_>,
    known: &[FigureKind],
    requested: &RequestedFigures,
    observe: &mut dyn FnMut(FigureKind),
) -> Vec<(FigureKind, Chart)> {
    let lead = requested.lead.into_iter();
    let (kinds, max): (Vec<_>, _) = match &requested.all {
        Some(all) => (lead.chain(all.iter().copied()).collect(), usize::MAX),
        None => (lead.chain(known.iter().copied()).collect(), MAX_FIGURES),
    };
    // Readers know the instances with forms, but not those of all kinds, so these are always shown.
    let is_last = requested.all.is_none() && !analysis.has_forms;
    let last = is_last.then_some(instances::KIND);
    let last = last.filter(|last| requested.lead.is_none_or(|lead| lead.id != last.id));
    let mut seen = HashSet::new();
    let mut draw = |kind: FigureKind| {
        observe(kind);
        let chart = (kind.draw)(analysis)?;
        Some((kind, on_a_page(with_own_colours(chart))))
    };
    let is_last = |kind: &FigureKind| last.is_some_and(|last| last.id == kind.id);
    let kinds = kinds.into_iter().filter(|kind| seen.insert(kind.id) && !is_last(kind));
    let mut drawn: Vec<_> =
        kinds.filter_map(&mut draw).take(max - usize::from(last.is_some())).collect();
    drawn.extend(last.and_then(draw));
    drawn
}

/// The chart, in which no two entries of the legend have one colour while a colour is free. Of two, that
/// of an encoding with a look of its own stays.
fn with_own_colours(mut chart: Chart) -> Chart {
    let drawn: BTreeSet<(bool, usize)> =
        chart.legend.iter().map(|it| (!is_own(&it.label, it.style), it.style)).collect();
    let drawn: Vec<usize> = drawn.into_iter().map(|(_, style)| style).collect();
    let looks: HashMap<usize, usize> = drawn.iter().copied().zip(distinct_looks(&drawn)).collect();
    for facet in &mut chart.facets {
        facet.restyle(|series| series.style.and_then(|style| looks.get(&style).copied()));
    }
    for entry in &mut chart.legend {
        entry.style = looks[&entry.style];
    }
    chart
}

/// The chart, no higher than a page. Its last panels are left out until it fits. The caption names the panels
/// that are left out.
fn on_a_page(mut chart: Chart) -> Chart {
    let mut left_out = Vec::new();
    while render::proportion(&chart) > MAX_PROPORTION && chart.facets.len() > chart.columns {
        left_out.splice(0..0, chart.facets.pop());
    }
    if !left_out.is_empty() {
        let shown: Vec<_> = chart.points().filter_map(|(_, series, _)| series.style).collect();
        chart.legend.retain(|entry| shown.contains(&entry.style));
        share_words(&mut chart);
        let titles = distinct(left_out.iter().map(|facet| facet.title.as_str()));
        let left_out_note = format!(
            "Panels that do not fit on the page, and whose runs are counted above: {}.",
            with_solver_names(&titles.join("; "))
        );
        chart.caption = remark::paragraph(&[&chart.caption, &left_out_note]);
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Point, Series};
    use bezzel_statistics::Value;

    #[test]
    fn ids_of_figures_are_words_with_hyphens_and_each_is_used_once() {
        let mut ids: Vec<_> = ALL.iter().map(|kind| kind.id).chain(REMOVED_IDS).collect();
        for id in &ids {
            assert!(id.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{id}");
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ALL.len() + REMOVED_IDS.len());
    }

    fn facet(title: &str) -> Facet {
        let series = vec![Series::new(0, "pairwise", vec![Point::new(8.0, Value::Measured(1.0))])];
        Facet::new(title, Axis::log("N", None), Axis::log("Clauses", None), series)
    }

    #[test]
    fn common_parts_of_titles_are_stated_once_above_them() {
        let kind = &ALL[0];
        let facets = vec![facet("batsat, random, torus"), facet("cadical, random, torus")];
        let chart = kind.chart("Median times", String::new(), 2, facets);
        assert_eq!(chart.heading, "Median times, random, torus");
        let titles: Vec<_> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
        assert_eq!(titles, ["batsat", "cadical"]);
        let alone = kind.chart("", String::new(), 1, vec![facet("batsat, random")]);
        assert_eq!(
            (alone.heading.as_str(), alone.facets[0].title.as_str()),
            ("", "batsat, random")
        );
    }

    #[test]
    fn no_figure_is_higher_than_a_page_and_the_caption_names_what_is_left_out() {
        let facets = (0..12).map(|number| facet(&format!("panel {number}"))).collect();
        let chart = on_a_page(ALL[0].chart("", "Caption.".into(), 1, facets));
        assert!(render::proportion(&chart) <= MAX_PROPORTION);
        let kept = chart.facets.len();
        assert!((2..12).contains(&kept));
        let expected = format!(
            "Caption. Panels that do not fit on the page, and whose runs are counted above: panel {kept}; "
        );
        assert!(chart.caption.starts_with(&expected), "{}", chart.caption);
    }
}
