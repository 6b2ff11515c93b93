//! Markers: small shapes that distinguish encodings without their colours.

use std::f64::consts::PI;

use plotters::style::RGBColor;

use super::canvas::{Canvas, Pen, PixelPosition};
use super::style::{MARKERS, WHITE};

/// The radius of a marker, in pixels.
pub(super) const RADIUS: f64 = 4.3;

/// The fill of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// The colour.
    Full,
    /// White, with an edge in the colour.
    Hollow,
}

/// The outline of the marker with this number, which is not the disc's, around the origin, of a radius of about 1.
/// Shapes look equally large and are not equally wide.
fn outline(marker: usize) -> Vec<PixelPosition> {
    match marker % MARKERS {
        1 => polygon(4, 1.2, 0.125),
        2 => polygon(3, 1.28, 0.0),
        3 => polygon(4, 1.28, 0.0),
        4 => polygon(3, 1.28, 0.5),
        5 => plus(0.0),
        6 => star(),
        _ => plus(0.125),
    }
}

/// A regular polygon, turned by `turn` full turns from its position on the edge opposite the top.
fn polygon(corners: usize, radius: f64, turn: f64) -> Vec<PixelPosition> {
    (0..corners)
        .map(|corner| {
            let angle = 2.0 * PI * (corner as f64 / corners as f64 + turn);
            (radius * angle.sin(), -radius * angle.cos())
        })
        .collect()
}

/// A plus with thick arms, turned by `turn` full turns.
fn plus(turn: f64) -> Vec<PixelPosition> {
    let (long, thick) = (1.25, 0.42);
    let (sin, cos) = (2.0 * PI * turn).sin_cos();
    [
        (-thick, -long),
        (thick, -long),
        (thick, -thick),
        (long, -thick),
        (long, thick),
        (thick, thick),
        (thick, long),
        (-thick, long),
        (-thick, thick),
        (-long, thick),
        (-long, -thick),
        (-thick, -thick),
    ]
    .into_iter()
    .map(|(x, y)| (x * cos - y * sin, x * sin + y * cos))
    .collect()
}

fn star() -> Vec<PixelPosition> {
    let points = polygon(5, 1.45, 0.0);
    let notches = polygon(5, 0.62, 0.1);
    points.into_iter().zip(notches).flat_map(|(point, notch)| [point, notch]).collect()
}

/// The outline of the marker of this number as the path of an SVG, around the origin, in a square
/// from −1.5 to 1.5.
pub(super) fn path(marker: usize) -> String {
    if marker.is_multiple_of(MARKERS) {
        return "M-.95 0a.95.95 0 1 0 1.9 0a.95.95 0 1 0-1.9 0z".into();
    }
    let positions: Vec<_> = outline(marker).iter().map(|(x, y)| format!("{x:.2} {y:.2}")).collect();
    format!("M{}z", positions.join("L"))
}

/// The marker of number 0.
fn disc(
    canvas: &mut Canvas<'_>,
    position: PixelPosition,
    radius: f64,
    color: RGBColor,
    fill: Fill,
) {
    match fill {
        Fill::Full => {
            canvas.disc(position, 0.95 * radius + 0.35, WHITE);
            canvas.disc(position, 0.95 * radius - 0.35, color);
        }
        Fill::Hollow => {
            canvas.disc(position, 0.95 * radius + 0.4, color);
            canvas.disc(position, 0.95 * radius - 1.1, WHITE);
        }
    }
}

/// Draws the marker of this number at a spot.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    (x, y): PixelPosition,
    marker: usize,
    radius: f64,
    color: RGBColor,
    fill: Fill,
) {
    if marker.is_multiple_of(MARKERS) {
        disc(canvas, (x, y), radius, color, fill);
        return;
    }
    let mut positions: Vec<PixelPosition> = outline(marker)
        .into_iter()
        .map(|(right, down)| (x + radius * right, y + radius * down))
        .collect();
    let closed = |positions: &mut Vec<PixelPosition>| positions.extend(positions.first().copied());
    match fill {
        Fill::Full => {
            // A white edge separates overlapping markers.
            canvas.fill(&positions, color);
            closed(&mut positions);
            canvas.line(&positions, Pen::new(WHITE, 0.7));
        }
        Fill::Hollow => {
            canvas.fill(&positions, WHITE);
            closed(&mut positions);
            canvas.line(&positions, Pen::new(color, 1.5));
        }
    }
}

/// The length of an arrow, in pixels.
pub(super) const ARROW: f64 = 14.5;

/// Draws an arrow from a spot, below the marker, in the direction of `(right, down)`.
pub(super) fn arrow(
    canvas: &mut Canvas<'_>,
    (x, y): PixelPosition,
    (right, down): PixelPosition,
    color: RGBColor,
) {
    let along =
        |way: f64, aside: f64| (x + right * way - down * aside, y + down * way + right * aside);
    let pen = Pen::new(color, 1.4);
    canvas.line(&[(x, y), along(12.0, 0.0)], pen);
    canvas.fill(&[along(9.5, -3.0), along(ARROW, 0.0), along(9.5, 3.0)], color);
}
