//! The content of a panel with an instance or its solution: a grid of cells, or a graph with its vertices on a circle.
//!
//! A print in grey keeps all information: given cells are shaded, vertices have the number of their colour, and
//! chequered cells have [signs](sign).

use std::f64::consts::TAU;

use bezzel_problem::{Cell, CellLook, Drawing};
use plotters::style::RGBColor;

use super::canvas::{Anchor, Canvas, Pen, PixelPosition, TextStyle};
use super::font::{Weight, width};
use super::layout::{LEAST_TYPE, Rect, plain};
use super::style::{GREY, INK, PALE, WHITE, color, tint};
use crate::chart::{CellSign, Piece};

/// The largest side of a cell, in pixels.
const LARGEST: f64 = 30.0;
/// The largest side of a chequered cell, in pixels.
const LARGEST_CHEQUERED: f64 = 34.0;
/// The largest number of chequered cells in a row or a column that are still distinguishable.
const MAX_CHEQUERED: usize = 20;
/// The ground of every second chequered cell.
const DARK: RGBColor = RGBColor(222, 222, 222);
/// The height of text as a share of the height of its cell.
const TEXT: f64 = 0.55;
/// The room beside text as a share of the height of its cell.
const BESIDE: f64 = 0.5;
/// The share of a colour in the area behind a text.
const WASH: u8 = 4;
/// The largest height of a graph.
const CIRCLE: f64 = 210.0;

/// The widths of the columns for cells of height 1.
fn widths(rows: &[Vec<Cell>]) -> Vec<f64> {
    let wide = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column));
        let texts = texts.map(|cell| width(&cell.text, TEXT, weight(cell.look)) + BESIDE);
        texts.fold(1.0, f64::max)
    };
    (0..columns(rows)).map(wide).collect()
}

/// The number of columns.
fn columns(rows: &[Vec<Cell>]) -> usize {
    rows.iter().map(Vec::len).max().unwrap_or(0)
}

fn weight(look: CellLook) -> Weight {
    if look == CellLook::Given { Weight::Bold } else { Weight::Regular }
}

/// The height of a cell of a grid in a panel with this width.
fn side(rows: &[Vec<Cell>], space: f64) -> f64 {
    (space / widths(rows).iter().sum::<f64>().max(1.0)).min(LARGEST)
}

/// The side of a chequered cell in a panel with this width.
fn chequered_side(rows: &[Vec<Cell>], space: f64) -> f64 {
    (space / columns(rows).max(1) as f64).min(LARGEST_CHEQUERED)
}

/// The height of a drawing in a panel with this width.
pub(super) fn height(drawing: &Drawing, space: f64) -> f64 {
    match drawing {
        Drawing::Grid { rows, chequered: true, .. } => {
            chequered_side(rows, space) * rows.len() as f64
        }
        Drawing::Grid { rows, .. } => side(rows, space) * rows.len() as f64,
        Drawing::Graph { .. } => space.min(CIRCLE),
    }
}

/// The least height of a cell with legible text.
const LEAST: f64 = LEAST_TYPE / TEXT;

/// The largest number of rows of a grid.
const ROWS: usize = 30;

/// True if the text of a drawing is legible in a panel with this width.
pub(super) fn is_legible(drawing: &Drawing, space: f64) -> bool {
    match drawing {
        Drawing::Grid { rows, chequered: true, .. } => {
            rows.len().max(columns(rows)) <= MAX_CHEQUERED
        }
        Drawing::Grid { rows, .. } => rows.len() <= ROWS && side(rows, space) >= LEAST,
        Drawing::Graph { .. } => true,
    }
}

/// Draws a solution, from the upper left corner of its panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, rect: Rect, drawing: &Drawing) {
    match drawing {
        Drawing::Grid { rows, chequered: true, .. } => chequered(canvas, rect, rows),
        Drawing::Grid { rows, boxes, .. } => grid(canvas, rect, rows, *boxes),
        Drawing::Graph { colours, edges } => graph(canvas, rect, colours, edges),
    }
}

fn grid(canvas: &mut Canvas<'_>, rect: Rect, rows: &[Vec<Cell>], boxes: Option<(u32, u32)>) {
    let side = side(rows, rect.width);
    let edges: Vec<f64> = std::iter::once(0.0)
        .chain(widths(rows))
        .scan(rect.left, |right, wide| {
            *right += wide * side;
            Some(*right)
        })
        .collect();
    let pen = Pen::new(GREY, 0.8);
    for (number, row) in rows.iter().enumerate() {
        let top = rect.top + number as f64 * side;
        for (cell, edge) in row.iter().zip(edges.windows(2)) {
            let (left, width) = (edge[0], edge[1] - edge[0]);
            let place = Rect { left, top, width, height: side };
            let back = match cell.look {
                CellLook::Given | CellLook::Blocked => Some(PALE),
                CellLook::Colour(colour) => Some(tint(color(Some(colour as usize)), WASH)),
                CellLook::Found | CellLook::Name | CellLook::RuledOut => None,
            };
            if let Some(back) = back {
                canvas.fill(&place.corners(), back);
            }
            if cell.look != CellLook::Name {
                canvas.line(&place.outline(), pen);
            }
            write(canvas, &cell.text, place.middle(), side * TEXT, weight(cell.look), INK);
        }
    }
    if let Some((high, wide)) = boxes {
        let (right, bottom) =
            (edges.last().copied().unwrap_or(rect.left), rect.top + rows.len() as f64 * side);
        let pen = Pen::new(INK, 1.8);
        for top in (0..=rows.len()).step_by(high.max(1) as usize) {
            let top = rect.top + top as f64 * side;
            canvas.line(&[(rect.left, top), (right, top)], pen);
        }
        for &left in edges.iter().step_by(wide.max(1) as usize) {
            canvas.line(&[(left, rect.top), (left, bottom)], pen);
        }
    }
}

/// Draws chequered cells with their signs, each with a label that states its content.
fn chequered(canvas: &mut Canvas<'_>, rect: Rect, rows: &[Vec<Cell>]) {
    let side = chequered_side(rows, rect.width);
    let place = |row: usize, column: usize| Rect {
        left: rect.left + column as f64 * side,
        top: rect.top + row as f64 * side,
        width: side,
        height: side,
    };
    let each = || {
        let rows = rows.iter().enumerate();
        rows.flat_map(|(row, cells)| {
            (0..).zip(cells).map(move |(column, cell)| (row, column, cell))
        })
    };
    for (row, column, _) in each().filter(|(row, column, _)| (row + column) % 2 == 1) {
        canvas.fill(&place(row, column).corners(), DARK);
    }
    for (row, column, cell) in each() {
        let Some(of) = CellSign::of(cell) else { continue };
        draw_sign(canvas, place(row, column), of);
        let text = format!("({}, {}): {}", row + 1, column + 1, cell.look.label());
        canvas.add_mark_label(place(row, column).middle(), text, &[]);
    }
    let (width, height) = (side * columns(rows) as f64, side * rows.len() as f64);
    canvas.line(&Rect { width, height, ..rect }.outline(), Pen::new(INK, 1.0));
}

fn write(
    canvas: &mut Canvas<'_>,
    text: &str,
    (x, y): PixelPosition,
    size: f64,
    weight: Weight,
    color: plotters::style::RGBColor,
) {
    let kind = TextStyle { weight, color, anchor: Anchor::Middle, ..plain(size) };
    canvas.text(text, (x, y + 0.32 * size), kind);
}

fn graph(canvas: &mut Canvas<'_>, rect: Rect, colours: &[Option<u32>], edges: &[(u32, u32)]) {
    let high = height(&Drawing::Graph { colours: Vec::new(), edges: Vec::new() }, rect.width);
    let number = colours.len().max(1) as f64;
    // Neighbours on the circle do not touch.
    let radius = high / 2.0;
    let disc = (0.42 * TAU * radius / (number + 2.0)).clamp(2.5, 11.0);
    let (middle, radius) = ((rect.left + high / 2.0, rect.top + high / 2.0), radius - disc - 1.0);
    let position = |vertex: u32| {
        let angle = TAU * f64::from(vertex) / number - TAU / 4.0;
        (middle.0 + radius * angle.cos(), middle.1 + radius * angle.sin())
    };
    for &(one, two) in edges {
        canvas.line(
            &[position(one), position(two)],
            Pen::new(GREY, if edges.len() > 100 { 0.4 } else { 0.7 }),
        );
    }
    for (vertex, &colour) in (0..).zip(colours) {
        let position = position(vertex);
        canvas.disc(position, disc + 1.0, INK);
        canvas.disc(position, disc, tint(color(colour.map(|colour| colour as usize)), WASH));
        let Some(colour) = colour else { continue };
        if 1.25 * disc >= LEAST_TYPE {
            write(canvas, &(colour + 1).to_string(), position, 1.25 * disc, Weight::Regular, INK);
        }
        let text = format!("vertex {}: colour {}", vertex + 1, colour + 1);
        canvas.add_mark_label(position, text, &[]);
    }
}

// The signs in cells of chequered drawings.
//
// All information is in shapes, so that it is readable in grey: a piece is a figure in ink, a given one has a frame,
// blocked cells are hatched, and those that propagation rules out are crossed.

/// The number of hatching lines of a cell.
const HATCHES: u32 = 3;

/// A crown around the middle of a cell of side 1.
const CROWN: [PixelPosition; 11] = [
    (-0.27, 0.19),
    (-0.38, -0.16),
    (-0.20, 0.03),
    (-0.18, -0.27),
    (-0.03, -0.02),
    (0.0, -0.32),
    (0.03, -0.02),
    (0.18, -0.27),
    (0.20, 0.03),
    (0.38, -0.16),
    (0.27, 0.19),
];
/// The foot of the crown.
const FOOT: [PixelPosition; 4] = [(-0.28, 0.24), (0.28, 0.24), (0.30, 0.34), (-0.30, 0.34)];
/// The tips of the crown, each with a ball.
const TIPS: [PixelPosition; 5] =
    [(-0.38, -0.18), (-0.18, -0.29), (0.0, -0.34), (0.18, -0.29), (0.38, -0.18)];
/// A tower with battlements.
const TOWER: [PixelPosition; 16] = [
    (-0.28, 0.34),
    (-0.28, 0.22),
    (-0.19, 0.16),
    (-0.19, -0.08),
    (-0.27, -0.13),
    (-0.27, -0.32),
    (-0.15, -0.32),
    (-0.15, -0.23),
    (-0.06, -0.23),
    (-0.06, -0.32),
    (0.06, -0.32),
    (0.06, -0.23),
    (0.15, -0.23),
    (0.15, -0.32),
    (0.27, -0.32),
    (0.27, -0.13),
];
const TOWER_END: [PixelPosition; 4] = [(0.19, -0.08), (0.19, 0.16), (0.28, 0.22), (0.28, 0.34)];

/// Draws the content of a cell.
pub(super) fn draw_sign(canvas: &mut Canvas<'_>, cell: Rect, CellSign { look, piece }: CellSign) {
    let at = |x: f64, y: f64| (cell.left + x * cell.width, cell.top + y * cell.height);
    match look {
        CellLook::Given => {
            let pen = Pen::new(INK, (0.07 * cell.width).max(1.0));
            canvas.line(&cell.inset(0.07 * cell.width).outline(), pen);
            draw_piece(canvas, cell.inset(0.09 * cell.width), piece);
        }
        CellLook::Blocked => {
            canvas.fill(&cell.corners(), WHITE);
            let pen = Pen::new(GREY, 1.0);
            for hatch in 0..HATCHES {
                let share = (f64::from(hatch) + 0.5) / f64::from(HATCHES);
                canvas.line(&[at(0.0, share), at(share, 0.0)], pen);
                canvas.line(&[at(share, 1.0), at(1.0, share)], pen);
            }
            canvas.line(&cell.outline(), pen);
        }
        CellLook::RuledOut => {
            let pen = Pen::new(INK, (0.05 * cell.width).max(0.8));
            canvas.line(&[at(0.33, 0.33), at(0.67, 0.67)], pen);
            canvas.line(&[at(0.33, 0.67), at(0.67, 0.33)], pen);
        }
        CellLook::Found | CellLook::Name | CellLook::Colour(_) => draw_piece(canvas, cell, piece),
    }
}

/// Draws a sign of the legend.
pub(super) fn draw_in_legend(canvas: &mut Canvas<'_>, sign: CellSign, (x, y): PixelPosition) {
    draw_sign(canvas, Rect { left: x - 8.0, top: y - 8.0, width: 16.0, height: 16.0 }, sign);
}

fn draw_piece(canvas: &mut Canvas<'_>, cell: Rect, piece: Piece) {
    let middle = cell.middle();
    let at = |&(x, y): &PixelPosition| (middle.0 + x * cell.width, middle.1 + y * cell.height);
    match piece {
        Piece::Tower => {
            let tower: Vec<PixelPosition> = TOWER.iter().chain(&TOWER_END).map(at).collect();
            canvas.fill(&tower, INK);
        }
        Piece::Crown => {
            for part in [&CROWN[..], &FOOT[..]] {
                canvas.fill(&part.iter().map(at).collect::<Vec<_>>(), INK);
            }
            for tip in &TIPS {
                canvas.disc(at(tip), 0.05 * cell.width, INK);
            }
        }
        Piece::Disc => canvas.disc(middle, 0.3 * cell.width, INK),
    }
}
