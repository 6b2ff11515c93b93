//! The content of a panel with a board: squares, and the pieces and signs on them.
//!
//! All information is in shapes, so that it is readable in grey: a queen or rook is a figure in ink, a given one has a
//! frame, blocked squares are hatched, and those that propagation rules out are crossed.

use plotters::style::RGBColor;

use super::canvas::Canvas;
use super::layout::Rect;
use super::pen::{Pen, PixelPosition};
use super::style::{GREY, INK, WHITE};
use crate::chart::{BoardDiagram, BoardSquare};

const DARK: RGBColor = RGBColor(222, 222, 222);
/// The largest side of a square, in pixels.
const LARGEST: f64 = 34.0;
/// The number of hatching lines of a square.
const HATCHES: u32 = 3;

/// A queen around the middle of a square of side 1: a crown.
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
/// A rook: a tower with battlements.
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

/// The height of a board in a panel with this width.
pub(super) fn height(diagram: &BoardDiagram, width: f64) -> f64 {
    side(diagram, width) * f64::from(diagram.rows)
}

fn side(diagram: &BoardDiagram, width: f64) -> f64 {
    (width / f64::from(diagram.columns.max(1))).min(LARGEST)
}

/// Draws a board, from the upper left corner of its panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, rect: Rect, diagram: &BoardDiagram) {
    let side = side(diagram, rect.width);
    let square = |row: u32, column: u32| Rect {
        left: rect.left + f64::from(column) * side,
        top: rect.top + f64::from(row) * side,
        width: side,
        height: side,
    };
    let (rows, columns) = (diagram.rows, diagram.columns);
    let whole = Rect { width: side * f64::from(columns), height: side * f64::from(rows), ..rect };
    for row in 0..rows {
        for column in (0..columns).filter(|column| (row + column) % 2 == 1) {
            canvas.fill(&square(row, column).corners(), DARK);
        }
    }
    for (row, column, what) in &diagram.squares {
        draw_square(canvas, square(*row, *column), *what, diagram.rooks);
        let middle = square(*row, *column).middle();
        let text = format!("({}, {}): {}", row + 1, column + 1, what.label());
        canvas.add_mark_label(middle, text, &[]);
    }
    canvas.line(&whole.outline(), Pen::new(INK, 1.0));
}

/// Draws the content of a square.
fn draw_square(canvas: &mut Canvas<'_>, square: Rect, what: BoardSquare, rooks: bool) {
    match what {
        BoardSquare::Queen => piece(canvas, square, rooks),
        BoardSquare::Given => {
            let pen = Pen::new(INK, (0.07 * square.width).max(1.0));
            canvas.line(&square.inset(0.07 * square.width).outline(), pen);
            piece(canvas, square.inset(0.09 * square.width), rooks);
        }
        BoardSquare::Blocked => {
            canvas.fill(&square.corners(), WHITE);
            let pen = Pen::new(GREY, 1.0);
            let at =
                |x: f64, y: f64| (square.left + x * square.width, square.top + y * square.height);
            for hatch in 0..HATCHES {
                let share = (f64::from(hatch) + 0.5) / f64::from(HATCHES);
                canvas.line(&[at(0.0, share), at(share, 0.0)], pen);
                canvas.line(&[at(share, 1.0), at(1.0, share)], pen);
            }
            canvas.line(&square.outline(), pen);
        }
        BoardSquare::RuledOut => {
            let at =
                |x: f64, y: f64| (square.left + x * square.width, square.top + y * square.height);
            let pen = Pen::new(INK, (0.05 * square.width).max(0.8));
            canvas.line(&[at(0.33, 0.33), at(0.67, 0.67)], pen);
            canvas.line(&[at(0.33, 0.67), at(0.67, 0.33)], pen);
        }
    }
}

/// Draws a sign of the legend.
pub(super) fn draw_sign(canvas: &mut Canvas<'_>, what: BoardSquare, (x, y): PixelPosition) {
    let square = Rect { left: x - 8.0, top: y - 8.0, width: 16.0, height: 16.0 };
    draw_square(canvas, square, what, false);
}

fn piece(canvas: &mut Canvas<'_>, square: Rect, rook: bool) {
    let middle = square.middle();
    let at = |&(x, y): &PixelPosition| (middle.0 + x * square.width, middle.1 + y * square.height);
    if rook {
        let tower: Vec<PixelPosition> = TOWER.iter().chain(&TOWER_END).map(at).collect();
        canvas.fill(&tower, INK);
        return;
    }
    for part in [&CROWN[..], &FOOT[..]] {
        canvas.fill(&part.iter().map(at).collect::<Vec<_>>(), INK);
    }
    for tip in &TIPS {
        canvas.disc(at(tip), 0.05 * square.width, INK);
    }
}
