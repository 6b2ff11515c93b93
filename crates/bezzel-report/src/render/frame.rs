//! The frame of a figure: where panels, labels and the legend go.

use self::ranges::frame;
use super::Spot;
use super::axis;
use super::board;
use super::canvas::Canvas;
use super::ends;
use super::font::{Weight, width};
use super::heat;
use super::layout::{AXIS_TITLE, Framed, LARGE, Rect, SMALL, WIDTH, plain, shortened};
use super::legend;
use super::panel;
use super::pen::Type;
use super::style::GREY;
use crate::chart::{Body, Chart, HeatKey, Name, Panel, Scale};
use crate::distinct::distinct;
use crate::error::ReportError;

mod ranges;

const MARGIN: f64 = 8.0;
/// Between columns of panels.
const GUTTER: f64 = 20.0;
/// The line of a panel's title.
const TITLE: f64 = 26.0;
/// Between the title of a panel and another text beside it.
const APART: f64 = 8.0;
/// Below each row of panels.
const BELOW: f64 = 12.0;
/// The height for each name on an axis of names.
const NAME: f64 = 30.0;
/// The same where several belong together.
const GROUPED: f64 = 21.0;
/// The same beside the cells of a heat map.
const CELL: f64 = 25.0;
/// As high as a page: rows of which several belong together are lowered, so that all panels below each
/// other are no higher than this.
const PAGE: f64 = 940.0;
/// The least height of such a row: the name beside it can still be read.
const LOWEST: f64 = 10.0;
/// The height of a panel that compares positions with values, where it stands alone.
const SQUARE: f64 = 500.0;

/// The width of the labels and the title to the left of a panel of this height.
fn left_width(framed: &Framed<'_>, height: f64) -> f64 {
    if framed.has_axes() && framed.left_labels { axis::left_width(framed, height) } else { 0.0 }
}

/// The height of labels and title below a panel of this width.
fn bottom_height(framed: &Framed<'_>, width: f64) -> f64 {
    if !(framed.has_axes() && framed.bottom_labels) {
        return 0.0;
    }
    let (axis, _) = framed.bottom();
    let title = if axis.title().is_empty() { 0.0 } else { AXIS_TITLE };
    axis::ticks_height(framed, width) + title
}

/// A chart with the places of everything in it.
pub(super) struct Layout<'a> {
    framed: Vec<Framed<'a>>,
    rects: Vec<Rect>,
    keys: Vec<&'a HeatKey>,
    legend: legend::Legend<'a>,
    /// Where the panels end.
    end: f64,
}

impl<'a> Layout<'a> {
    pub(super) fn new(chart: &'a Chart) -> Self {
        let columns = chart.columns.max(1);
        let framed = frame(chart, columns);
        let rows: Vec<&[Framed<'_>]> = framed.chunks(columns).collect();
        let heights: Vec<f64> =
            rows.iter().map(|row| plot_height(row, rows.len(), columns)).collect();

        let of_column = |column: usize| {
            rows.iter()
                .enumerate()
                .filter_map(move |(index, row)| row.get(column).map(|framed| (framed, index)))
        };
        let most = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let lefts: Vec<f64> = (0..columns)
            .map(|column| {
                most(&mut of_column(column).map(|(framed, row)| left_width(framed, heights[row])))
            })
            .collect();
        let rights: Vec<f64> = (0..columns)
            .map(|column| most(&mut of_column(column).map(|(framed, _)| ends::width(framed.panel))))
            .collect();
        let taken: f64 = lefts.iter().chain(&rights).sum::<f64>();
        let plot_width = room(columns) - taken / columns as f64;

        let mut rects = Vec::new();
        let mut y = MARGIN;
        for (row, height) in rows.iter().zip(&heights) {
            let titled = row
                .iter()
                .any(|framed| !framed.panel.title.is_empty() || framed.panel.end_title.is_some());
            y += if titled { TITLE } else { 6.0 };
            let mut x = MARGIN;
            for column in 0..row.len() {
                x += lefts[column];
                rects.push(Rect { left: x, top: y, width: plot_width, height: *height });
                x += plot_width + rights[column] + GUTTER;
            }
            let labels = row.iter().map(|framed| bottom_height(framed, plot_width));
            let labels = labels.fold(0.0, f64::max);
            y += height + labels + BELOW;
        }
        let (keys, legend) = (keys(chart), legend::Legend::new(chart));
        Self { framed, rects, keys, legend, end: y }
    }

    /// The panels and their places.
    pub(super) fn placed(&self) -> impl Iterator<Item = (&Framed<'a>, Rect)> {
        self.framed.iter().zip(self.rects.iter().copied())
    }

    /// Where the legend begins.
    fn legend_top(&self) -> f64 {
        self.end + heat::KEY * self.keys.len() as f64
    }

    /// The width and the height of the figure.
    pub(super) fn size(&self) -> (f64, f64) {
        (WIDTH, self.legend_top() + self.legend.height() + MARGIN)
    }

    /// Draws what stands below the panels.
    pub(super) fn below(&self, canvas: &mut Canvas<'_>) {
        for (turn, key) in self.keys.iter().enumerate() {
            let top = self.end + heat::KEY * turn as f64;
            heat::draw_key(canvas, key, 12.0, top, WIDTH - 24.0);
        }
        self.legend.draw(canvas, self.legend_top());
    }
}

/// The room that each of so many columns of panels has, labels included.
fn room(columns: usize) -> f64 {
    (WIDTH - 2.0 * MARGIN - GUTTER * (columns - 1) as f64) / columns as f64
}

/// Draws a chart as SVG with text, and tells what its marks say.
pub(super) fn draw(chart: &Chart) -> Result<(String, Vec<Spot>), ReportError> {
    let layout = Layout::new(chart);
    let mut svg = String::new();
    let (width, height) = layout.size();
    let mut canvas = Canvas::new(&mut svg, width, height);
    for (framed, rect) in layout.placed() {
        title(&mut canvas, framed, rect);
        if framed.has_axes() {
            axis::draw(&mut canvas, framed, rect);
        }
        panel::draw(&mut canvas, framed, rect, chart);
        ends::draw(&mut canvas, framed, rect, chart);
    }
    layout.below(&mut canvas);
    let spots = canvas.finish(&chart.id)?;
    Ok((svg, spots))
}

/// What the shades of heat maps mean, each once.
fn keys(chart: &Chart) -> Vec<&HeatKey> {
    let heats = chart.panels.iter().filter_map(|panel| match &panel.body {
        Body::Heat(heat) => Some(&heat.key),
        Body::Series(_) | Body::Board(_) => None,
    });
    distinct(heats)
}

/// The height of a panel with so many names, where so many rows of panels stand below each other.
fn rows_height(panel: &Panel, names: &[Name], rows: usize) -> f64 {
    let row = match &panel.body {
        Body::Heat(_) => CELL,
        Body::Series(_) if names.iter().any(|name| name.with_last) => {
            (PAGE / (rows * names.len()) as f64).clamp(LOWEST, GROUPED)
        }
        Body::Series(_) | Body::Board(_) => NAME,
    };
    (row * names.len() as f64).max(2.0 * NAME)
}

fn plot_height(row: &[Framed<'_>], rows: usize, columns: usize) -> f64 {
    let boards = row.iter().filter_map(|framed| match &framed.panel.body {
        Body::Board(diagram) => Some(board::height(diagram, room(columns))),
        _ => None,
    });
    if let Some(height) = boards.reduce(f64::max) {
        return height;
    }
    let names = row.iter().filter_map(|framed| match &framed.panel.position.scale {
        Scale::Names(names) => Some(rows_height(framed.panel, names, rows)),
        _ => None,
    });
    // What stands at the ends of many lines may take more height than the lines themselves.
    let ends = row.iter().map(|framed| ends::height(framed.panel)).fold(0.0, f64::max);
    match names.reduce(f64::max) {
        Some(height) => height,
        None if row.iter().any(|framed| framed.panel.is_square()) => SQUARE / columns as f64,
        None if rows > 1 || columns > 2 => ends.max(205.0),
        None => ends.max(290.0),
    }
}

/// The width that a panel's title may take: to the label of a limit, where that stands beside it.
fn room_for_title(framed: &Framed<'_>, rect: Rect) -> f64 {
    axis::label_above(framed, rect).map_or_else(
        || rect.width + ends::width(framed.panel),
        |label| (label - APART - rect.left).max(0.0),
    )
}

/// Writes a panel's title, and that of the ends of its lines.
///
/// A title that is too wide is written in small type, and cut if it still is. It takes the place of the
/// title of the ends where there is no place for both.
pub(super) fn title(canvas: &mut Canvas<'_>, framed: &Framed<'_>, rect: Rect) {
    let room = room_for_title(framed, rect);
    let wide = |text: &str, size| width(text, size, Weight::Bold);
    let size = if wide(&framed.panel.title, LARGE) > room { SMALL } else { LARGE };
    let text = shortened(&framed.panel.title, room, size, Weight::Bold);
    let bold = Type { weight: Weight::Bold, ..plain(size) };
    canvas.text(&text, (rect.left, rect.top - 9.0), bold);
    let indent = ends::indent(framed.panel);
    let both = wide(&text, size) + APART <= rect.width + indent;
    if let (Some(text), true) = (&framed.panel.end_title, both && ends::width(framed.panel) > 0.0) {
        let grey = Type { color: GREY, ..plain(SMALL) };
        canvas.text(text, (rect.right() + indent, rect.top - 9.0), grey);
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::LEADING;
    use super::super::scale::Span;
    use super::*;
    use crate::chart::Axis;
    use crate::chart::{Point, Series};
    use crate::statistics::Value;

    #[test]
    fn a_title_ends_before_the_label_of_a_limit_that_stands_beside_it() {
        let panel = |label: &str| {
            let value = Axis::log("time", Some("s")).with_limit(Some(10.0), label);
            let rows = Axis::names("", Vec::new());
            Panel::sideways("{command: \"solver {cnf}\"}", rows, value, Vec::new())
        };
        let rect = Rect { left: 100.0, top: 20.0, width: 220.0, height: 60.0 };
        let room = |panel: &Panel| {
            let value = Span::new(&panel.value, [Value::Measured(1.0)].into_iter());
            let position = Span::new(&panel.position, std::iter::empty());
            let framed = Framed { panel, position, value, left_labels: true, bottom_labels: true };
            room_for_title(&framed, rect)
        };
        let beside = room(&panel("limit 10 s"));
        assert!(
            beside > 0.0 && beside < rect.width - width("limit 10 s", SMALL - 1.0, Weight::Regular)
        );
        assert!(room(&panel("a limit of 10 s")) < beside);
        let bare = Panel { value: Axis::log("time", Some("s")), ..panel("") };
        assert!((room(&bare) - rect.width).abs() < 1e-9);
    }

    /// A panel of a row for every encoding and numbering.
    fn of_rows(encodings: usize, numberings: usize) -> Panel {
        let names = (0..encodings * numberings).map(|row| Name {
            label: "an encoding".into(),
            style: Some(row / numberings),
            with_last: row % numberings > 0,
        });
        let (rows, value) = (Axis::names("", names.collect()), Axis::log("time", Some("s")));
        let points = vec![Point::new(0.0, Value::Measured(1.0))];
        Panel::sideways("solver", rows, value, vec![Series::new(0, "an encoding", points)])
    }

    #[test]
    fn many_rows_that_belong_together_are_lowered_to_a_page_and_can_still_be_read() {
        // The height of two panels below each other, and the size of the names beside them.
        let laid = |encodings: usize| {
            let panels = vec![of_rows(encodings, 2); 2];
            let chart = Chart { columns: 1, panels, ..Chart::default() };
            let layout = Layout::new(&chart);
            let heights: f64 = layout.placed().map(|(_, rect)| rect.height).sum();
            let sizes = layout.placed().map(|(framed, rect)| axis::beside(framed, rect).size);
            (heights, sizes.fold(f64::INFINITY, f64::min))
        };
        let near = |found: (f64, f64), expected: (f64, f64)| {
            let apart = (found.0 - expected.0).abs() + (found.1 - expected.1).abs();
            assert!(apart < 1e-9, "{found:?} for {expected:?}");
        };
        near(laid(9), (36.0 * GROUPED, SMALL));
        // 92 rows have the room that 44 would have.
        near(laid(23), (PAGE, PAGE / 92.0 - LEADING));
        near(laid(60), (240.0 * LOWEST, LOWEST - LEADING));
        assert!(laid(60).1 >= 8.0);
    }

    #[test]
    fn a_text_that_is_too_wide_keeps_its_beginning_and_its_end() {
        let text = "{rows: product, columns: pairwise} (blocked simplified)";
        let whole = width(text, SMALL, Weight::Regular);
        assert_eq!(shortened(text, whole, SMALL, Weight::Regular), text);
        let cut = shortened(text, whole * 0.7, SMALL, Weight::Regular);
        assert!(cut.starts_with("{rows: product") && cut.ends_with("simplified)"), "{cut}");
        assert!(cut.contains('…') && width(&cut, SMALL, Weight::Regular) <= whole * 0.7);
        assert_eq!(shortened(text, 0.0, SMALL, Weight::Regular), "");
    }
}
