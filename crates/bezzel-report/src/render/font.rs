//! The fonts, and the widths of texts.
//!
//! Libertinus Serif comes with the crate `typst-assets`, so no font need be installed. plotters uses it to measure
//! text, the outliner to draw it.

use std::sync::{Arc, LazyLock, Once};

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use usvg::fontdb::{self, Database, Source, Style};

/// The family, by the name in the font files.
pub(super) const FAMILY: &str = "Libertinus Serif";

/// The size of an em in plotters' unit of font size. Its SVG backend divides by this number.
const PLOTTERS_EM: f64 = 1.24;

/// The size of an em in the unit in which plotters measures: the font's ascent and descent together are one unit.
const MEASURED_EM: f64 = 1.14;

/// The weights in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    fn style(self) -> FontStyle {
        match self {
            Self::Regular => FontStyle::Normal,
            Self::Bold => FontStyle::Bold,
        }
    }
}

/// The fonts for the outliner: the family, and the other fonts of the crate for characters that it does not have.
static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut database = Database::new();
    for file in typst_assets::fonts() {
        database.load_font_source(Source::Binary(Arc::new(file)));
    }
    Arc::new(database)
});

/// The fonts for the outliner.
pub(super) fn database() -> Arc<Database> {
    Arc::clone(&DATABASE)
}

/// Registers the family in plotters, once.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for face in DATABASE.faces().filter(|face| face.style == Style::Normal) {
            let ours = face.families.iter().any(|(name, _)| name == FAMILY);
            let weight = match face.weight {
                fontdb::Weight::NORMAL => Weight::Regular,
                fontdb::Weight::BOLD => Weight::Bold,
                _ => continue,
            };
            // Faces are loaded in the order of the files, and each file has one.
            let file = DATABASE.faces().position(|other| other.id == face.id);
            let file = file.and_then(|place| typst_assets::fonts().nth(place));
            if let (true, Some(file)) = (ours, file) {
                // This cannot fail, since the file was just read as a font.
                let _ = register_font(FAMILY, weight.style(), file);
            }
        }
    });
}

/// The font for plotters, for an em of `em` units.
pub(super) fn plotters_font(em: f64, weight: Weight) -> FontDesc<'static> {
    register();
    FontDesc::new(FontFamily::Name(FAMILY), em * PLOTTERS_EM, weight.style())
}

/// The width of a text, in the unit of `em`.
pub(super) fn width(text: &str, em: f64, weight: Weight) -> f64 {
    // plotters measures in whole units. At a thousand times the size the rounding has no effect.
    const FINE: f64 = 1000.0;
    register();
    let font = FontDesc::new(FontFamily::Name(FAMILY), em * MEASURED_EM * FINE, weight.style());
    font.layout_box(text).map_or(0.0, |(_, (width, _))| f64::from(width) / FINE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use usvg::{Options, Tree};

    #[test]
    fn text_is_measured_as_wide_as_it_is_drawn() {
        let options = Options { fontdb: database(), ..Options::default() };
        for (weight, name) in [(Weight::Regular, "normal"), (Weight::Bold, "bold")] {
            let text = "HHHHHsequential-counter 10⁻³HHHHH";
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='50'><text y='30' \
                 font-family='{FAMILY}' font-weight='{name}' font-size='20'>{text}</text></svg>"
            );
            let tree = Tree::from_str(&svg, &options).unwrap();
            let drawn = f64::from(tree.root().abs_bounding_box().width());
            let measured = width(text, 20.0, weight);
            assert!((measured / drawn - 1.0).abs() < 0.02, "{measured} for {drawn}");
        }
    }
}
