//! A chart as data. It contains the content of a figure, and no details of drawing.
//!
//! Figures make charts, and the tests compare them. Only [`render`](mod@crate::render) draws them. Another backend, for
//! example for source in a paper, matches over the [`FacetBody`] of each [`Facet`]. Title, axes and guides are the same
//! for all bodies.

use bezzel_problem::Drawing;
use serde::Serialize;

mod axis;
mod facet;
mod legend;
mod series;

pub use axis::{Axis, AxisLimit, AxisName, Scale};
pub use facet::{Facet, FacetBody, Guide, GuideLine, HeatCell, HeatKey, HeatMap};
pub use legend::{CellSign, LegendEntry, LegendSign, Piece, SignKind};
pub(crate) use series::pieces;
pub use series::{Mark, Point, Series, Tone};

/// A figure: panels side by side under one legend.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Chart {
    /// The permanent name, and the stem of the files' names.
    pub id: String,
    /// The title, in a few words.
    pub title: String,
    /// The caption, in sentences: the meaning of every mark, and the number of things left out.
    pub caption: String,
    /// The text above the panels: the measure, its unit, the instances and their number.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// The number of panels side by side.
    pub columns: usize,
    /// The panels, row by row. Axes of one kind and label are given the same range.
    pub facets: Vec<Facet>,
    /// The encodings that occur, each with its style.
    pub legend: Vec<LegendEntry>,
    /// The marks that occur and need an explanation.
    pub signs: Vec<LegendSign>,
}

impl Chart {
    /// All points with their panels and series. Bodies that are no series have none.
    pub fn points(&self) -> impl Iterator<Item = (&Facet, &Series, &Point)> {
        self.facets.iter().flat_map(|facet| {
            facet.series().iter().flat_map(move |series| {
                series.points.iter().map(move |point| (facet, series, point))
            })
        })
    }

    /// All cells of heat maps with their panels.
    pub fn cells(&self) -> impl Iterator<Item = (&Facet, &HeatMap, &HeatCell)> {
        self.facets.iter().flat_map(|facet| {
            let heat = match &facet.body {
                FacetBody::Heat(heat) => Some(heat),
                FacetBody::Series(_) | FacetBody::Drawing(_) => None,
            };
            heat.into_iter()
                .flat_map(move |heat| heat.cells.iter().map(move |cell| (facet, heat, cell)))
        })
    }

    /// All drawings with their panels.
    pub fn drawings(&self) -> impl Iterator<Item = (&Facet, &Drawing)> {
        self.facets.iter().filter_map(|facet| match &facet.body {
            FacetBody::Drawing(drawing) => Some((facet, drawing)),
            _ => None,
        })
    }

    /// True if nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.facets.iter().all(Facet::is_empty)
    }
}
