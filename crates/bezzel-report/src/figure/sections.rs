//! `sections`: of what the formulas are made.

use super::FigureKind;
use crate::chart::{Axis, Chart, Entry, Mark, Panel, Point, Series};
use crate::escape::plain;
use crate::material::{Material, terrain};
use crate::number::grouped;
use crate::statistics::{Cell, Value};

pub(super) const KIND: FigureKind = FigureKind {
    id: "sections",
    title: "Sections of the formulas",
    shows: "the clauses of each section of every encoding's formula, on one small board",
    draw,
};

/// The board on which the seeds show their formulas.
const SIDE: u32 = 8;

fn draw(material: &Material<'_>) -> Option<Chart> {
    let plane = || material.boards.iter().filter(|board| terrain(board) == "plane");
    let smallest = || plane().min_by_key(|board| board.side());
    let board = *plane().find(|board| board.side() == SIDE).or_else(smallest)?;
    let mut names: Vec<Entry> = Vec::new();
    let mut series = Vec::new();
    for (style, encoding) in material.encodings.iter().enumerate() {
        let of_encoding = |cell: &&Cell<'_>| cell.encoding == *encoding && cell.board == board;
        let mut cells = material.cells.iter().filter(of_encoding);
        let Some(formula) = cells.find_map(Cell::formula) else { continue };
        let place = names.len() as f64;
        names.push(material.entry(style));
        let mut below = 0.0;
        let sections = formula.sections.iter().filter(|section| section.size().clauses > 0);
        for (index, section) in sections.enumerate() {
            let above = below + section.size().clauses as f64;
            // Neighbouring sections alternate, so that their border is seen.
            let tone = if index.is_multiple_of(2) { 4 } else { 2 };
            series.push(Series {
                style,
                label: plain(&section.name),
                dense: false,
                points: vec![Point {
                    low: Some(Value::Measured(below)),
                    mark: Mark::Block(tone),
                    joined: false,
                    ..Point::new(place, Value::Measured(above))
                }],
                end: None,
            });
            below = above;
        }
    }
    // The whole at the end of each bar.
    for index in 0..series.len() {
        let next = series.get(index + 1).map(|next| next.style);
        if next != Some(series[index].style) {
            let whole = series[index].points.first().and_then(|point| point.value.measured());
            series[index].end = whole.map(|whole| grouped(whole as u128));
        }
    }
    let chart = Chart {
        id: KIND.id.into(),
        title: format!("{}, on board {board}", KIND.title),
        caption: format!(
            "The board {board}. The clauses of each section, in the order in which the encoding \
             writes them. Repeated clauses count as often as they are stated."
        ),
        columns: 1,
        panels: vec![Panel {
            title: String::new(),
            position: Axis::names("", names),
            value: Axis::linear("Clauses", None),
            sideways: true,
            end_title: None,
            series,
        }],
        legend: Vec::new(),
        signs: Vec::new(),
    };
    (!chart.is_empty()).then_some(chart)
}
