//! The signs in cells of chequered drawings.
//!
//! All information is in shapes, so that it is readable in grey: a piece is a figure in ink, a given one has a frame,
//! blocked cells are hatched, and those that propagation rules out are crossed.

use bezzel_problem::CellLook;

use super::canvas::Canvas;
use super::layout::Rect;
use super::pen::{Pen, PixelPosition};
use super::style::{GREY, INK, WHITE};
use crate::chart::{CellSign, Piece};

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
pub(super) fn draw(canvas: &mut Canvas<'_>, cell: Rect, CellSign { look, piece }: CellSign) {
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
    draw(canvas, Rect { left: x - 8.0, top: y - 8.0, width: 16.0, height: 16.0 }, sign);
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
