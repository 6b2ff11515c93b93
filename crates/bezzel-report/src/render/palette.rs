//! The conversion of pixels to a PNG with a palette. Its file is smaller than one with the colour of each pixel.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use resvg::tiny_skia::Pixmap;

/// Red, green and blue.
type Rgb = [u8; 3];

/// The largest number of colours. The number of a colour is a byte.
const MAX: usize = 256;
/// The least squared distance between two colours of the palette. Nearer colours look alike.
const APART: u32 = 64;

/// The PNG of opaque pixels. Each colour becomes the nearest colour of the palette. Colours of the palette do not
/// change.
pub(super) fn png(pixels: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let colours = pixels.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    let colours: Vec<Rgb> = colours.collect();
    let palette = palette(&colours);
    let mut numbers: BTreeMap<Rgb, u8> = BTreeMap::new();
    let number =
        |&colour: &Rgb| *numbers.entry(colour).or_insert_with(|| nearest(&palette, colour));
    let data: Vec<u8> = colours.iter().map(number).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.into_flattened());
    encoder.set_compression(png::Compression::Best);
    encoder.set_filter(png::FilterType::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(file)
}

/// The most frequent colours that are apart from each other, the most frequent first.
fn palette(colours: &[Rgb]) -> Vec<Rgb> {
    let mut numbers: BTreeMap<Rgb, usize> = BTreeMap::new();
    for &colour in colours {
        *numbers.entry(colour).or_default() += 1;
    }
    let mut frequent: Vec<(Rgb, usize)> = numbers.into_iter().collect();
    frequent.sort_by_key(|&(_, number)| Reverse(number));
    let mut palette: Vec<Rgb> = Vec::new();
    for (colour, _) in frequent {
        let is_new = palette.iter().all(|&other| distance(other, colour) >= APART);
        if is_new && palette.len() < MAX {
            palette.push(colour);
        }
    }
    palette
}

/// The number of the nearest colour.
fn nearest(palette: &[Rgb], colour: Rgb) -> u8 {
    let numbered = (0..=u8::MAX).zip(palette);
    let nearest = numbered.min_by_key(|&(_, &other)| distance(other, colour));
    nearest.map_or(0, |(number, _)| number)
}

/// The square of the distance between two colours.
fn distance(one: Rgb, two: Rgb) -> u32 {
    one.into_iter().zip(two).map(|(one, two)| u32::from(one.abs_diff(two)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::ColorU8;

    use super::*;

    /// The colours of the PNG of a picture whose pixels have these colours.
    fn read_again(colours: &[Rgb]) -> Vec<Rgb> {
        let mut pixels = Pixmap::new(colours.len() as u32, 1).unwrap();
        for (pixel, [red, green, blue]) in pixels.pixels_mut().iter_mut().zip(colours) {
            *pixel = ColorU8::from_rgba(*red, *green, *blue, 255).premultiply();
        }
        let read = Pixmap::decode_png(&png(&pixels).unwrap()).unwrap();
        read.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    }

    #[test]
    fn frequent_colours_stay_and_rare_ones_become_their_neighbours() {
        let colours = [[255, 255, 255], [213, 94, 0], [213, 94, 0], [213, 97, 3], [213, 102, 0]];
        let expected = [[255, 255, 255], [213, 94, 0], [213, 94, 0], [213, 94, 0], [213, 102, 0]];
        assert_eq!(read_again(&colours), expected);
    }

    #[test]
    fn colours_beyond_the_palette_become_colours_of_it() {
        let steps = || (0..=255_u8).step_by(15);
        let colours: Vec<Rgb> =
            steps().flat_map(|red| steps().map(move |green| [red, green, 128])).collect();
        let mut read = read_again(&colours);
        assert_eq!(read.len(), colours.len());
        assert!(read.iter().all(|colour| colours.contains(colour)));
        read.sort_unstable();
        read.dedup();
        assert_eq!(read.len(), MAX);
    }
}
