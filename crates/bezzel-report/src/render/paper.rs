//! The conversion of a figure's SVG to PDF and PNG. The crates for it are in builds with the feature `pdf` alone.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use usvg::{Options, Tree};

use super::layout::DPI;

/// Pixels of the PNG for each pixel of the figure.
const SCALE: f32 = 2.0;

/// The PDF and the PNG of an SVG whose text consists of outlines, or the reason why there are none.
pub(crate) fn pdf_and_png(svg: &str) -> Result<(Vec<u8>, Vec<u8>), String> {
    // Outlines need no font.
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| error.to_string())?;
    let page = svg2pdf::PageOptions { dpi: DPI as f32 };
    let pdf = svg2pdf::to_pdf(&tree, svg2pdf::ConversionOptions::default(), page)
        .map_err(|error| error.to_string())?;
    let png = pixels(&tree)?.encode_png().map_err(|error| error.to_string())?;
    Ok((pdf, png))
}

/// The picture on white.
fn pixels(tree: &Tree) -> Result<Pixmap, String> {
    let size = tree.size();
    let (width, height) = ((size.width() * SCALE).round(), (size.height() * SCALE).round());
    let mut pixels = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| format!("no picture of {width} × {height} pixels"))?;
    // The last row and column may be covered in part.
    pixels.fill(Color::WHITE);
    resvg::render(tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(pixels)
}
