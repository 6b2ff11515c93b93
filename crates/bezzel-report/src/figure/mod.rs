//! Figures: pure functions from a record to a [`Chart`].
//!
//! One file per kind. To add one: write its file with a function from [`Analysis`] to
//! `Option<Chart>` (none if the record has nothing to draw), and add its line to [`ALL`]. The
//! report, the command line's list and the golden tests then know it; nothing else changes. A
//! figure takes encodings' styles from the material, so that colours agree across a report, and
//! says in its caption what every mark means and what was left out.

use crate::analysis::Analysis;
use crate::chart::{Chart, Panel};

mod boards;
mod boxes;
mod cactus;
mod cdf;
mod effects;
mod engines;
mod heat;
mod instance;
mod legend;
mod marked;
mod numberings;
mod operations;
mod propagation;
mod ranking;
mod remark;
mod scatter;
mod sections;
mod simplified;
mod sizes;
mod summary;
mod times;
mod torus;

/// A kind of figure.
#[derive(Clone, Copy, Debug)]
pub struct FigureKind {
    /// The permanent name, and the stem of its files' names.
    pub id: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub shows: &'static str,
    /// Makes the chart; none if the record has nothing to draw.
    pub draw: fn(&Analysis<'_>) -> Option<Chart>,
}

impl FigureKind {
    /// A chart of this kind, without a legend.
    fn chart(&self, caption: String, columns: usize, panels: Vec<Panel>) -> Chart {
        let (id, title) = (self.id.into(), self.title.into());
        Chart { id, title, caption, columns, panels, ..Chart::default() }
    }
}

/// The figures that an author asks for.
#[derive(Default)]
pub(crate) struct Asked {
    /// The first figure.
    pub(crate) lead: Option<&'static FigureKind>,
    /// The further ones; none for a choice by the task.
    pub(crate) all: Option<Vec<&'static FigureKind>>,
}

/// The most figures of a report whose author does not choose them.
const MOST: usize = 6;

/// The charts of the figures that are asked for, the lead figure first; without a request those that the record has
/// something to draw for, at most six.
pub(crate) fn chosen(analysis: &Analysis<'_>, asked: &Asked) -> Vec<(&'static FigureKind, Chart)> {
    let lead = asked.lead.into_iter();
    let (kinds, most): (Vec<_>, usize) = match &asked.all {
        Some(all) => (lead.chain(all.iter().copied()).collect(), usize::MAX),
        None => (lead.chain(ALL).collect(), MOST),
    };
    let mut charts: Vec<(&'static FigureKind, Chart)> = Vec::new();
    for kind in kinds {
        if charts.len() < most && charts.iter().all(|(drawn, _)| drawn.id != kind.id) {
            charts.extend((kind.draw)(analysis).map(|chart| (kind, chart)));
        }
    }
    charts
}

/// The kinds of figures, in the order in which a report shows them.
pub const ALL: &[FigureKind] = &[
    sizes::KIND,
    simplified::KIND,
    numberings::KIND,
    effects::KIND,
    heat::NUMBERINGS,
    times::KIND,
    torus::KIND,
    heat::SIDES,
    heat::FAMILIES,
    ranking::KIND,
    boxes::KIND,
    scatter::KIND,
    cactus::KIND,
    cdf::KIND,
    sections::KIND,
    operations::KIND,
    propagation::SIDES,
    propagation::QUEENS,
    boards::KIND,
    engines::TIMES,
    engines::MEMORY,
    engines::NODES,
];

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn ids_of_figures_are_words_with_hyphens_and_each_is_used_once() {
        let mut ids: Vec<_> = ALL.iter().map(|kind| kind.id).collect();
        for id in &ids {
            assert!(id.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{id}");
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ALL.len());
    }
}
