//! `sections`: of what the formulas are made.

use bezzel_encode::Board;
use bezzel_lab::quantity::grouped;

use super::FigureKind;
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Mark, Name, Panel, Point, Series};
use crate::statistics::{Cell, Value};

pub(super) const KIND: FigureKind = FigureKind {
    id: "sections",
    title: "Sections of the formulas",
    shows: "the share of each section in the clauses of every encoding's formula, on one small board",
    draw,
};

/// The board on which the seeds show their formulas.
const SIDE: u32 = 8;

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    let boards = (0..material.boards.len()).filter(|&board| material.terrain(board) == "plane");
    let of_solvers = boards.map(|board| material.boards[board]);
    let plane: Vec<&Board> = of_solvers.chain(material.formulas_on("plane")).collect();
    let smallest = || plane.iter().min_by_key(|board| board.rows());
    let board = *plane.iter().find(|board| board.rows() == SIDE).or_else(smallest)?;
    let here: Vec<&Cell<'_>> = material.with_formula().filter(|cell| cell.board == board).collect();
    let mut names: Vec<Name> = Vec::new();
    let mut series = Vec::new();
    for style in 0..material.encodings.len() {
        let mut cells = here.iter().filter(|cell| cell.encoding == material.encodings[style]);
        let Some(formula) = cells.find_map(|cell| cell.formula()) else { continue };
        let place = names.len() as f64;
        names.push(material.entry(style).into());
        let whole: u128 = formula.sections.iter().map(|section| section.size().clauses).sum();
        let share = |clauses: u128| Value::Measured(100.0 * clauses as f64 / whole as f64);
        let mut below = 0;
        let sections = formula.sections.iter().filter(|section| section.size().clauses > 0);
        for (index, section) in sections.enumerate() {
            let above = below + section.size().clauses;
            // Neighbouring sections alternate, so that their border is seen.
            let tone = if index.is_multiple_of(2) { 4 } else { 2 };
            let block = Point {
                low: Some(share(below)),
                mark: Mark::Block(tone),
                joined: false,
                ..Point::new(place, share(above))
            };
            let end = (index == 0).then(|| grouped(whole));
            series.push(Series { end, ..Series::new(style, section.name.clone(), vec![block]) });
            below = above;
        }
    }
    let caption = format!(
        "The board {board}. The share of each section in the clauses, in the order in which the \
         encoding writes them, and the number of all clauses. Repeated clauses count as often as \
         they are stated; sections too small for their names go without."
    );
    let share = Axis::linear("Share of the clauses", Some("%"));
    let panel = Panel {
        end_title: Some("clauses".to_owned()),
        ..Panel::sideways("", Axis::names("", names), share, series)
    };
    let title = format!("{}, on board {board}", KIND.title);
    let chart = Chart { title, ..KIND.chart(caption, 1, vec![panel]) };
    (!chart.is_empty()).then_some(chart)
}
