//! The content of a heat map: shaded cells with numbers.
//!
//! The shades run from nearly white to a dark blue along even steps of lightness in Oklab (Ottosson 2020), so that they
//! are distinguishable in grey and by the colour-blind. A value over the limit is hatched on the darkest shade. A missing
//! one has no shade and is crossed out.

use plotters::style::{BLACK, RGBColor};

use super::canvas::{Anchor, Canvas, Pen, TextStyle};
use super::font::Weight;
use super::group::Group;
use super::layout::{FramedFacet, Rect, SMALL, plain, shortened};
use super::mark_label;
use super::style::{GREY, PALE, WHITE};
use crate::chart::{Axis, HeatCell, HeatKey, HeatMap, Scale};
use bezzel_statistics::Value;

/// The space between cells.
const GAP: f64 = 1.0;
/// The space between the lines of hatched cells.
const HATCH: f64 = 5.0;
/// The shade of these lines.
const HATCH_SHADE: f64 = 0.8;
/// The ends of the shades, as lightness and the two axes of hue in Oklab.
const LIGHT: [f64; 3] = [0.975, -0.004, 0.004];
const DARK: [f64; 3] = [0.33, -0.025, -0.105];
/// The shade on which black and white are equally legible.
const TURN: f64 = 0.635;
/// The height of the key: its bar, and the labels below.
const KEY: f64 = 34.0;
/// The least width of a key whose label is beside its bar. In a narrower figure the label is above it.
const BESIDE: f64 = 560.0;
/// The height of a label above the bar.
const ABOVE: f64 = 19.0;
const BAR: f64 = 11.0;
/// The share of the key's width that its bar takes.
const SHADES: f64 = 0.55;

/// The colour of a shade from 0 to 1.
fn shade(shade: f64) -> RGBColor {
    let share = if shade.is_finite() { shade.clamp(0.0, 1.0) } else { 1.0 };
    let [lightness, a, b] = [0, 1, 2].map(|part| LIGHT[part] + share * (DARK[part] - LIGHT[part]));
    let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let middle = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    let linear = [
        4.076_741_662_1 * long - 3.307_711_591_3 * middle + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * middle - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * middle + 1.707_614_701_0 * short,
    ];
    let [red, green, blue] = linear.map(|part| {
        let part = part.clamp(0.0, 1.0);
        let curved =
            if part <= 0.003_130_8 { 12.92 * part } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
        (curved * 255.0).round() as u8
    });
    RGBColor(red, green, blue)
}

/// Black on light shades, white on dark ones. The ink of other text is too light in the middle.
fn ink_on(shade: f64) -> RGBColor {
    if shade > TURN { WHITE } else { BLACK }
}

/// Draws a cell of this shade.
pub(super) fn shaded(canvas: &mut Canvas<'_>, cell: Rect, dark: f64) {
    canvas.fill(&cell.corners(), shade(dark));
}

/// Marks a cell by a folded corner: the corner of a page that is not yet turned.
pub(super) fn unchecked(canvas: &mut Canvas<'_>, cell: Rect) {
    let (right, top) = (cell.right(), cell.top);
    canvas.fill(&[(right - 8.0, top), (right, top), (right, top + 8.0)], WHITE);
    canvas.line(&[(right - 8.0, top), (right, top + 8.0)], Pen::new(GREY, 0.8));
}

/// Draws a cell over the limit: hatched on the darkest shade.
pub(super) fn over(canvas: &mut Canvas<'_>, cell: Rect) {
    shaded(canvas, cell, 1.0);
    let pen = Pen::new(shade(HATCH_SHADE), 1.0);
    // Lines from the lower left to the upper right, cut off at the edges.
    let mut along = HATCH;
    while along < cell.width + cell.height {
        let from = (along - cell.height).max(0.0);
        let to = along.min(cell.width);
        let start = (cell.left + from, cell.top + (along - from));
        canvas.line(&[start, (cell.left + to, cell.top + (along - to))], pen);
        along += HATCH;
    }
}

/// Draws a cell without a value, crossed out.
pub(super) fn missing(canvas: &mut Canvas<'_>, cell: Rect) {
    canvas.fill(&cell.corners(), WHITE);
    let pen = Pen::new(PALE, 1.0);
    canvas.line(&[(cell.left, cell.top), (cell.right(), cell.bottom())], pen);
    canvas.line(&cell.outline(), pen);
}

/// Draws the cells of a heat map.
pub(super) fn draw(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect, heat: &HeatMap) {
    let look = |axis: &Axis, at: usize| match &axis.scale {
        Scale::Names(names) => names.get(at).and_then(|name| name.style),
        _ => None,
    };
    for cell in &heat.cells {
        let facet = framed.facet;
        let look = look(&facet.position, cell.row).or_else(|| look(&facet.value, cell.column));
        canvas.within(look.map(Group::Series), |canvas| {
            draw_cell(canvas, place(framed, rect, cell), cell);
            let middle = place(framed, rect, cell).middle();
            let text = mark_label::of_cell(facet, heat, cell);
            canvas.add_mark_label(middle, text, &cell.keys);
        });
    }
}

fn draw_cell(canvas: &mut Canvas<'_>, place: Rect, cell: &HeatCell) {
    match cell.shade {
        _ if cell.value == Some(Value::OverLimit) => over(canvas, place),
        Some(dark) => shaded(canvas, place, dark),
        None => missing(canvas, place),
    }
    let color = cell.shade.map_or(GREY, ink_on);
    let size = SMALL - 1.0;
    let text = shortened(&cell.text, place.width - 4.0, size, Weight::Regular);
    let middle = place.middle();
    let kind = TextStyle { color, anchor: Anchor::Middle, ..plain(size) };
    canvas.text(&text, (middle.0, middle.1 + 0.32 * size), kind);
    if cell.unchecked {
        unchecked(canvas, place);
    }
}

fn place(framed: &FramedFacet<'_>, rect: Rect, cell: &HeatCell) -> Rect {
    let edge = |axis: &super::scale::Span, at: usize| axis.place(at as f64 - 0.5);
    let (left, right) = (edge(&framed.value, cell.column), edge(&framed.value, cell.column + 1));
    let (top, bottom) = (edge(&framed.position, cell.row), edge(&framed.position, cell.row + 1));
    Rect {
        left: rect.left + left * rect.width + GAP,
        top: rect.top + top * rect.height + GAP,
        width: (right - left) * rect.width - 2.0 * GAP,
        height: (bottom - top) * rect.height - 2.0 * GAP,
    }
}

/// The height of a key of this width.
pub(super) fn key_height(width: f64) -> f64 {
    if width < BESIDE { KEY + ABOVE } else { KEY }
}

/// Draws the key of the shades.
pub(super) fn draw_key(canvas: &mut Canvas<'_>, key: &HeatKey, left: f64, top: f64, width: f64) {
    const STEPS: usize = 60;
    let is_above = width < BESIDE;
    let wide = if is_above { width } else { width * SHADES };
    let space = if is_above { width } else { width - wide - 12.0 };
    let text = shortened(&key.label, space, SMALL, Weight::Regular);
    canvas.text(&text, (left, top + BAR), plain(SMALL));
    let top = if is_above { top + ABOVE } else { top };
    let bar = left + width - wide;
    for step in 0..STEPS {
        let from = bar + wide * step as f64 / STEPS as f64;
        // Each step extends below the next, so that no seam is visible.
        let reach = if step + 1 < STEPS { 1.5 } else { 1.0 };
        let width = wide / STEPS as f64 * reach;
        let piece = Rect { left: from, top, width, height: BAR };
        canvas.fill(&piece.corners(), shade((step as f64 + 0.5) / STEPS as f64));
    }
    let edge = Rect { left: bar, top, width: wide, height: BAR };
    canvas.line(&edge.outline(), Pen::new(GREY, 0.8));
    for (place, label) in &key.ticks {
        let x = bar + wide * place;
        canvas.line(&[(x, top + BAR), (x, top + BAR + 3.0)], Pen::new(GREY, 0.8));
        let anchor = match *place {
            place if place <= 0.0 => Anchor::Start,
            place if place >= 1.0 => Anchor::End,
            _ => Anchor::Middle,
        };
        let kind = TextStyle { anchor, ..plain(SMALL - 2.0) };
        canvas.text(label, (x, top + BAR + 15.0), kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lightness of a colour in CIELAB, from 0 to 100.
    fn lightness(RGBColor(red, green, blue): RGBColor) -> f64 {
        let linear = |tone: u8| {
            let tone = f64::from(tone) / 255.0;
            if tone <= 0.04045 { tone / 12.92 } else { ((tone + 0.055) / 1.055).powf(2.4) }
        };
        let light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        if light > 216.0 / 24_389.0 { 116.0 * light.cbrt() - 16.0 } else { light * 24_389.0 / 27.0 }
    }

    #[test]
    fn equal_steps_of_shade_are_nearly_equal_steps_of_lightness_in_grey() {
        let steps: Vec<f64> =
            (0..=10).map(|step| lightness(shade(f64::from(step) / 10.0))).collect();
        let mean = (steps[0] - steps[10]) / 10.0;
        assert!(mean > 5.0, "{steps:?}");
        assert!(
            steps.windows(2).all(|pair| ((pair[0] - pair[1]) / mean - 1.0).abs() < 0.2),
            "{steps:?}"
        );
    }

    #[test]
    fn numbers_keep_the_contrast_to_their_shade_that_small_text_needs() {
        // 4.5 : 1, the contrast of the Web Content Accessibility Guidelines 2.1, level AA.
        let light = |color| {
            let lightness: f64 = lightness(color);
            ((lightness + 16.0) / 116.0).powi(3)
        };
        for step in 0..=20 {
            let dark = f64::from(step) / 20.0;
            let (one, two) = (light(shade(dark)) + 0.05, light(ink_on(dark)) + 0.05);
            let contrast = (one / two).max(two / one);
            assert!(contrast > 4.5, "{contrast} at {dark}");
        }
    }
}
