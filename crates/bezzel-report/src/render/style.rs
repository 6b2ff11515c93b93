//! The colour, the marker and the dash of a look. As far as possible each of them alone distinguishes looks. `look.rs`
//! gives encodings their looks.
//!
//! The colours are those of Okabe and Ito (2008), which the colour-blind can distinguish. Their yellow, too light for
//! lines on white, is left out, and a wine red, a violet and a brown are added. There are eight markers for nine
//! colours that take turns, so that no two of 72 looks are alike, and dashes change after every round. Eight further
//! looks have the brown.

use plotters::style::RGBColor;

use crate::chart::{Series, Tone};
pub(super) use crate::look::MARKERS;
use crate::look::{self, ROUND};

pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
pub(super) const GREY: RGBColor = RGBColor(110, 110, 110);
pub(super) const PALE: RGBColor = RGBColor(228, 228, 228);
pub(super) const FAINT: RGBColor = RGBColor(246, 246, 246);
pub(super) const WHITE: RGBColor = RGBColor(255, 255, 255);

const COLORS: [RGBColor; look::COLORS] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(136, 34, 85),
    RGBColor(75, 30, 165),
    RGBColor(75, 45, 0),
];

const DASHES: [&[f64]; 4] = [&[], &[6.0, 3.0], &[2.0, 2.5], &[8.0, 2.5, 2.0, 2.5]];

/// The colour of an encoding. Grey without an encoding.
pub(super) fn color(style: Option<usize>) -> RGBColor {
    style.map_or(GREY, |style| COLORS[look::color_of(style)])
}

/// The colour of a series: its encoding's, or its tone.
pub(super) fn color_of(series: &Series) -> RGBColor {
    if series.style.is_some() { color(series.style) } else { tone(series.tone) }
}

/// The colour of a tone. Both colours differ from grey and from each other for the colour-blind.
pub(super) fn tone(tone: Tone) -> RGBColor {
    match tone {
        Tone::Grey => GREY,
        Tone::Satisfiable => COLORS[0],
        Tone::Unsatisfiable => COLORS[1],
    }
}

/// The marker of an encoding.
pub(super) fn marker(style: Option<usize>) -> usize {
    style.map_or(0, |style| style % MARKERS)
}

/// The dash of an encoding.
pub(super) fn dash(style: Option<usize>) -> &'static [f64] {
    style.map_or(&[], |style| DASHES[style / ROUND % DASHES.len()])
}

/// The colour mixed with white. Ten parts are the colour itself.
pub(super) fn tint(color: RGBColor, parts: u8) -> RGBColor {
    let mix = |tone: u8| {
        let parts = u32::from(parts.min(10));
        ((u32::from(tone) * parts + 255 * (10 - parts)) / 10) as u8
    };
    RGBColor(mix(color.0), mix(color.1), mix(color.2))
}

/// The colour of an encoding in HTML: `#0072b2`.
pub fn hex_of(style: usize) -> String {
    let RGBColor(red, green, blue) = color(Some(style));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_many_encodings_have_the_same_colour_and_marker() {
        let mut seen = Vec::new();
        for style in 0..COLORS.len() * MARKERS {
            let look = (hex_of(style), marker(Some(style)));
            assert!(!seen.contains(&look), "style {style}");
            seen.push(look);
        }
    }

    #[test]
    fn colours_keep_a_contrast_to_white_that_lines_need() {
        for (style, &RGBColor(red, green, blue)) in COLORS.iter().enumerate() {
            let linear = |tone: u8| (f64::from(tone) / 255.0).powf(2.2);
            let light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
            assert!(1.05 / (light + 0.05) > 2.0, "{style} is too light");
        }
    }

    /// A colour in Oklab (Ottosson 2020) as seen through linear RGB mixed by these weights.
    fn seen(RGBColor(red, green, blue): RGBColor, weights: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [red, green, blue].map(|tone| (f64::from(tone) / 255.0).powf(2.2));
        let mixed = |rows: [[f64; 3]; 3], of: [f64; 3]| {
            rows.map(|row| row.iter().zip(of).map(|(weight, tone)| weight * tone).sum::<f64>())
        };
        let cones = mixed(
            [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]],
            mixed(weights, linear).map(|tone| tone.max(0.0)),
        );
        mixed(
            [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]],
            cones.map(f64::cbrt),
        )
    }

    #[test]
    fn colours_differ_without_red_or_green_cones_too() {
        // The weights of Machado, Oliveira and Fernandes (2009) for protanopia and deuteranopia.
        let eyes = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
            [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
        ];
        for (place, &one) in COLORS.iter().enumerate() {
            for &two in &COLORS[..place] {
                for eye in eyes {
                    let apart = seen(one, eye).into_iter().zip(seen(two, eye));
                    let apart: f64 = apart.map(|(one, two)| (one - two).powi(2)).sum();
                    assert!(apart.sqrt() > 0.07, "{one:?} and {two:?}: {}", apart.sqrt());
                }
            }
        }
    }
}
