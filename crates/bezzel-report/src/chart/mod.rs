//! A chart as data: what is drawn, and nothing of how.
//!
//! Figures make charts, and the tests compare them; only [`render`](mod@crate::render) knows how they
//! are drawn. Whoever draws a chart in another way, as source for a paper say, matches over the
//! [`Body`] of each [`Panel`]: title, axes and guides are the same for all bodies.

use serde::Serialize;

mod axis;
mod board;
mod heat;
mod legend;
mod panel;
mod series;

pub use axis::{Axis, Limit, Name, Scale};
pub use board::{BoardSquare, Diagram};
pub use heat::{Heat, HeatCell, HeatKey};
pub use legend::{Entry, Sign, SignKind};
pub use panel::{Body, Guide, GuideLine, Panel};
pub(crate) use series::pieces;
pub use series::{Mark, Point, Series};

/// A figure: panels side by side under one legend.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chart {
    /// The permanent name, and the stem of the files' names.
    pub id: String,
    /// The title, in a few words.
    pub title: String,
    /// The caption, in sentences: the meaning of every mark, and the number of things left out.
    pub caption: String,
    /// The text above the panels: the measure, its unit, the boards and their number.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// The number of panels side by side.
    pub columns: usize,
    /// The panels, row by row. Axes of one kind and label are given the same range.
    pub panels: Vec<Panel>,
    /// The encodings that occur, each with its style.
    pub legend: Vec<Entry>,
    /// The marks that occur and need a word.
    pub signs: Vec<Sign>,
}

impl Chart {
    /// All points with their panels and series; none of bodies that are no series.
    pub fn points(&self) -> impl Iterator<Item = (&Panel, &Series, &Point)> {
        self.panels.iter().flat_map(|panel| {
            panel.series().iter().flat_map(move |series| {
                series.points.iter().map(move |point| (panel, series, point))
            })
        })
    }

    /// All cells of heat maps with their panels.
    pub fn cells(&self) -> impl Iterator<Item = (&Panel, &Heat, &HeatCell)> {
        self.panels.iter().flat_map(|panel| {
            let heat = match &panel.body {
                Body::Heat(heat) => Some(heat),
                Body::Series(_) | Body::Board(_) | Body::Solution(_) => None,
            };
            heat.into_iter()
                .flat_map(move |heat| heat.cells.iter().map(move |cell| (panel, heat, cell)))
        })
    }

    /// All boards with their panels.
    pub fn diagrams(&self) -> impl Iterator<Item = (&Panel, &Diagram)> {
        self.panels.iter().filter_map(|panel| match &panel.body {
            Body::Board(diagram) => Some((panel, diagram)),
            _ => None,
        })
    }

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(Panel::is_empty)
    }
}
