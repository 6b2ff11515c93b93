//! The frame of a figure: the positions of panels, labels and the legend.

use self::ranges::frame;
use super::axis::name_space;
use super::canvas::{Canvas, Drawn, TextStyle};
use super::font::{Weight, width};
use super::group::{Group, with_groups};
use super::layout::{
    AXIS_TITLE, FramedFacet, LARGE, LEAST_BESIDE_NAMES, LEAST_PANEL, PAGE, Rect, SMALL, plain,
    wrapped,
};
use super::style::GREY;
use super::{axis, drawing, facet, heat, legend};
use crate::chart::{AxisName, Chart, Facet, FacetBody, HeatCell, HeatKey, HeatMap, Scale};
use crate::error::ReportError;
use crate::label::with_solver_names;
use crate::number::distinct;

mod ranges;

const MARGIN: f64 = 8.0;
/// The space beside the key of shades.
const EDGE: f64 = 12.0;
/// The space between columns of panels.
const GUTTER: f64 = 20.0;
/// The height of the first line of a panel's title, and of each further line.
const TITLE: (f64, f64) = (26.0, 17.0);
/// The height of a line of the heading.
const HEADING: f64 = 19.0;
/// The largest number of lines of a title in large type. A longer title is in small type.
const LINES: usize = 2;
/// The space between the title of a panel and another text beside it.
const APART: f64 = 8.0;
/// The space below each row of panels.
const BELOW: f64 = 12.0;
/// The height for each name on an axis of names.
const NAME: f64 = 30.0;
/// The largest number of names below each other that have this height. With more names each has less.
const MANY: usize = 19;
const LOWERED: f64 = 20.0;
/// The height for each name beside the cells of a heat map.
const CELL: f64 = 25.0;
/// The height for each name if some name has two lines.
const HIGH_CELL: f64 = 31.0;
/// The largest side of a panel that compares positions with values.
const SQUARE: f64 = 440.0;

/// The width of the labels and the title to the left of a panel with this height.
fn left_width(framed: &FramedFacet<'_>, height: f64) -> f64 {
    if framed.has_axes() && framed.left_labels { axis::left_width(framed, height) } else { 0.0 }
}

/// The height of labels and title below a panel with this width.
fn bottom_height(framed: &FramedFacet<'_>, width: f64) -> f64 {
    if !(framed.has_axes() && framed.bottom_labels) {
        return 0.0;
    }
    let (axis, _) = framed.bottom();
    let title = framed.bottom_title && !axis.title().is_empty();
    axis::ticks_height(framed, width) + if title { AXIS_TITLE } else { 0.0 }
}

/// A chart with the positions of everything in it.
struct FigureLayout<'a> {
    framed: Vec<FramedFacet<'a>>,
    rects: Vec<Rect>,
    keys: Vec<&'a HeatKey>,
    legend: legend::Legend<'a>,
    /// The width of the figure.
    width: f64,
    /// The lower end of the panels.
    end: f64,
}

impl<'a> FigureLayout<'a> {
    /// With as many columns as leave each panel its least width beside its names.
    fn new(chart: &'a Chart, width: f64) -> Self {
        let layouts = (1..=columns(chart, width)).rev();
        let mut layouts = layouts.map(|columns| Self::with_columns(chart, width, columns));
        let is_wide = |(framed, rect): (&FramedFacet<'_>, Rect)| {
            !framed.is_forest() || rect.width >= LEAST_BESIDE_NAMES
        };
        let wide = layouts.find(|layout| layout.placed().all(is_wide));
        wide.unwrap_or_else(|| Self::with_columns(chart, width, 1))
    }

    fn with_columns(chart: &'a Chart, width: f64, columns: usize) -> Self {
        let framed = frame(chart, columns, width);
        let rows: Vec<&[FramedFacet<'_>]> = framed.chunks(columns).collect();
        let heights: Vec<f64> =
            rows.iter().map(|row| plot_height(row, rows.len(), columns, width)).collect();

        let of_column = |column: usize| {
            rows.iter()
                .enumerate()
                .filter_map(move |(index, row)| row.get(column).map(|framed| (framed, index)))
        };
        let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let lefts: Vec<f64> = (0..columns)
            .map(|column| {
                widest(&mut of_column(column).map(|(framed, row)| left_width(framed, heights[row])))
            })
            .collect();
        let rights: Vec<f64> = (0..columns)
            .map(|column| {
                widest(&mut of_column(column).map(|(framed, _)| facet::ends_width(framed)))
            })
            .collect();
        let taken: f64 = lefts.iter().chain(&rights).sum::<f64>();
        let plot_width = space(columns, width) - taken / columns as f64;
        // Panels that compare positions with values are square.
        let is_square = chart.facets.iter().any(Facet::is_square);
        let square = plot_width.min(SQUARE);
        let plot_width = if is_square { square } else { plot_width };
        let heights: Vec<f64> =
            heights.into_iter().map(|height| if is_square { square } else { height }).collect();

        let mut rects: Vec<Rect> = Vec::new();
        let mut y = MARGIN + HEADING * heading(chart, width).len() as f64;
        for (row, height) in rows.iter().zip(&heights) {
            let mut x = MARGIN;
            let first = rects.len();
            for column in 0..row.len() {
                x += lefts[column];
                rects.push(Rect { left: x, top: y, width: plot_width, height: *height });
                x += plot_width + rights[column] + GUTTER;
            }
            let placed = row.iter().zip(&mut rects[first..]);
            let lines = placed.map(|(framed, rect)| lines(framed, *rect).0.len()).max();
            y += match lines.unwrap_or(0) {
                0 => 6.0,
                lines => TITLE.0 + TITLE.1 * (lines - 1) as f64,
            };
            let above = row.iter().map(|framed| axis::names_above_height(framed, plot_width));
            y += above.fold(0.0, f64::max);
            rects[first..].iter_mut().for_each(|rect| rect.top = y);
            let labels = row.iter().map(|framed| bottom_height(framed, plot_width));
            let labels = labels.fold(0.0, f64::max);
            y += height + labels + BELOW;
        }
        let (keys, legend) = (keys(chart), legend::Legend::new(chart, width));
        Self { framed, rects, keys, legend, width, end: y }
    }

    /// The panels and their places.
    fn placed(&self) -> impl Iterator<Item = (&FramedFacet<'a>, Rect)> {
        self.framed.iter().zip(self.rects.iter().copied())
    }

    fn key_height(&self) -> f64 {
        heat::key_height(self.width - 2.0 * EDGE)
    }

    /// The upper end of the legend.
    fn legend_top(&self) -> f64 {
        self.end + self.key_height() * self.keys.len() as f64
    }

    /// The width and the height of the figure.
    fn size(&self) -> (f64, f64) {
        (self.width, self.legend_top() + self.legend.height() + MARGIN)
    }

    /// Draws the part below the panels.
    fn below(&self, canvas: &mut Canvas<'_>) {
        for (turn, key) in self.keys.iter().enumerate() {
            let top = self.end + self.key_height() * turn as f64;
            heat::draw_key(canvas, key, EDGE, top, self.width - 2.0 * EDGE);
        }
        self.legend.draw(canvas, self.legend_top());
    }
}

/// The number of panels side by side: that of the chart, or as many as a narrower figure has room for.
fn columns(chart: &Chart, width: f64) -> usize {
    let columns = chart.columns.max(1);
    if width < PAGE { columns.min((width / LEAST_PANEL) as usize).max(1) } else { columns }
}

/// The width of each of `columns` columns of panels in a figure of this width, labels included.
pub(super) fn space(columns: usize, width: f64) -> f64 {
    (width - 2.0 * MARGIN - GUTTER * (columns - 1) as f64) / columns as f64
}

/// The height of a figure divided by its width.
pub(super) fn proportion(chart: &Chart) -> f64 {
    let (width, height) = FigureLayout::new(chart, PAGE).size();
    height / width
}

/// Draws a chart of this width as SVG with text.
pub(super) fn draw(chart: &Chart, width: f64) -> Result<(String, Drawn), ReportError> {
    let layout = FigureLayout::new(chart, width);
    let mut svg = String::new();
    let (width, height) = layout.size();
    let mut canvas = Canvas::new(&mut svg, width, height);
    head(&mut canvas, chart, width);
    for (place, (framed, rect)) in layout.placed().enumerate() {
        let group = (chart.facets.len() > 1).then_some(Group::Panel(place));
        canvas.within(group, |canvas| title(canvas, framed, rect));
        if framed.has_axes() {
            axis::draw(&mut canvas, framed, rect);
        }
        canvas.within(group, |canvas| {
            facet::draw(canvas, framed, rect);
            axis::headings(canvas, framed, rect);
            facet::draw_ends(canvas, framed, rect);
        });
    }
    layout.below(&mut canvas);
    let drawn = canvas.finish(&chart.id)?;
    Ok((with_groups(&svg), drawn))
}

/// The keys of the shades of heat maps, each once.
fn keys(chart: &Chart) -> Vec<&HeatKey> {
    let heats = chart.facets.iter().filter_map(|facet| match &facet.body {
        FacetBody::Heat(heat) => Some(&heat.key),
        FacetBody::Series(_) | FacetBody::Drawing(_) => None,
    });
    distinct(heats)
}

/// The height of a panel with these names, if `rows` rows of panels are below each other.
fn rows_height(framed: &FramedFacet<'_>, names: &[AxisName], rows: usize) -> f64 {
    let row = match &framed.facet.body {
        _ if axis::needs_two_lines(names, framed.name_space) => HIGH_CELL,
        FacetBody::Heat(_) => CELL,
        FacetBody::Series(_) if rows * names.len() > MANY => LOWERED,
        FacetBody::Series(_) | FacetBody::Drawing(_) => NAME,
    };
    (row * names.len() as f64).max(2.0 * NAME)
}

fn plot_height(row: &[FramedFacet<'_>], rows: usize, columns: usize, width: f64) -> f64 {
    let instances = row.iter().filter_map(|framed| match &framed.facet.body {
        FacetBody::Drawing(of) => Some(drawing::height(of, space(columns, width))),
        _ => None,
    });
    if let Some(height) = instances.reduce(f64::max) {
        return height;
    }
    let names = row.iter().filter_map(|framed| match &framed.facet.position.scale {
        Scale::Names(names) => Some(rows_height(framed, names, rows)),
        _ => None,
    });
    match names.reduce(f64::max) {
        Some(height) => height,
        // A narrow figure with many rows is no higher than a page.
        None if width < PAGE && rows > 3 => 128.0,
        None if rows > 2 => 178.0,
        None if rows > 1 || columns > 2 => 205.0,
        None => 290.0_f64.min(0.6 * width),
    }
}

/// The lines of the heading.
fn heading(chart: &Chart, width: f64) -> Vec<String> {
    let text = with_solver_names(&chart.heading);
    wrapped(&text, width - 2.0 * MARGIN, SMALL, Weight::Regular)
}

/// Writes the heading above the panels.
fn head(canvas: &mut Canvas<'_>, chart: &Chart, width: f64) {
    for (turn, line) in heading(chart, width).iter().enumerate() {
        canvas.text(line, (MARGIN, MARGIN + HEADING * (turn as f64 + 0.7)), plain(SMALL));
    }
}

/// The width of the line above a panel before the label of a limit and the title of the ends of the panel's lines.
/// None if neither is there.
fn space_beside(framed: &FramedFacet<'_>, rect: Rect) -> Option<f64> {
    let has_ends = framed.facet.end_title.is_some() && facet::ends_width(framed) > 0.0;
    let ends = has_ends.then(|| rect.right() + facet::beside(framed));
    let texts = axis::label_above(framed, rect).into_iter().chain(ends);
    texts.reduce(f64::min).map(|left| left - APART - rect.left)
}

/// The lines of a panel's whole title, and their size. A title that has too many lines beside the other texts above the panel,
/// or a word too long for it, is above these texts and has the whole width: in large type, or else in small type.
fn lines(framed: &FramedFacet<'_>, rect: Rect) -> (Vec<String>, f64) {
    let text = with_solver_names(&framed.facet.title);
    let beside = space_beside(framed, rect);
    if let Some(space) = beside {
        let lines = wrapped(&text, space, LARGE, Weight::Bold);
        if (1..=LINES).contains(&lines.len()) && lines.join(" ") == text {
            return (lines, LARGE);
        }
    }
    let space = rect.width + facet::ends_width(framed);
    let large = wrapped(&text, space, LARGE, Weight::Bold);
    let (mut lines, size) = if large.len() <= LINES {
        (large, LARGE)
    } else {
        (wrapped(&text, space, SMALL, Weight::Bold), SMALL)
    };
    lines.extend(beside.map(|_| String::new()));
    (lines, size)
}

/// Writes a panel's title, and that of the ends of its lines.
fn title(canvas: &mut Canvas<'_>, framed: &FramedFacet<'_>, rect: Rect) {
    let (lines, size) = lines(framed, rect);
    let bold = TextStyle { weight: Weight::Bold, ..plain(size) };
    let names = axis::names_above_height(framed, rect.width);
    for (above, line) in (0..).zip(lines.iter().rev()) {
        let up = 9.0 + names + TITLE.1 * f64::from(above);
        canvas.text(line, (rect.left, rect.top - up), bold);
    }
    if let Some(text) = framed.facet.end_title.as_ref().filter(|_| facet::ends_width(framed) > 0.0)
    {
        let grey = TextStyle { color: GREY, ..plain(SMALL) };
        let left = rect.right() + facet::beside(framed);
        canvas.text(text, (left, rect.top - 9.0), grey);
    }
}

/// The least width of a cell.
const LEAST_CELL: f64 = 42.0;
/// The width beside names and cells: margins and ticks.
const BESIDE: f64 = 28.0;

/// The chart with wide heat maps divided. None if none has to be divided.
pub(super) fn narrowed(chart: &Chart, width: f64) -> Option<Chart> {
    let is_wide = |facet: &Facet| heat_columns(facet) > fitting(facet, width);
    if width >= PAGE || !chart.facets.iter().any(is_wide) {
        return None;
    }
    let facets = chart.facets.iter().flat_map(|facet| divided(facet, fitting(facet, width)));
    Some(Chart { facets: facets.collect(), columns: 1, ..chart.clone() })
}

/// The number of columns of a heat map.
fn heat_columns(facet: &Facet) -> usize {
    match (&facet.body, &facet.value.scale) {
        (FacetBody::Heat(_), Scale::Names(names)) => names.len(),
        _ => 0,
    }
}

/// The number of columns that a figure of this width has room for.
fn fitting(facet: &Facet, of_figure: f64) -> usize {
    let Scale::Names(names) = &facet.position.scale else { return 1 };
    let names = names.iter().map(|name| width(&name.label, SMALL, Weight::Regular));
    let names = names.fold(0.0, f64::max).min(name_space(facet, of_figure));
    ((of_figure - names - BESIDE) / LEAST_CELL).max(1.0) as usize
}

/// A heat map in panels of at most `most` columns, as even as possible.
fn divided(facet: &Facet, most: usize) -> Vec<Facet> {
    let all = heat_columns(facet);
    let (FacetBody::Heat(heat), Scale::Names(names)) = (&facet.body, &facet.value.scale) else {
        return vec![facet.clone()];
    };
    let each = all.div_ceil(all.div_ceil(most).max(1)).max(1);
    let parts = names.chunks(each).enumerate().map(|(part, names)| {
        let here = part * each..part * each + names.len();
        let cells = heat.cells.iter().filter(|cell| here.contains(&cell.column));
        let cells = cells.map(|cell| HeatCell { column: cell.column - here.start, ..cell.clone() });
        let heat = HeatMap { cells: cells.collect(), ..heat.clone() };
        let mut facet = Facet { body: FacetBody::Heat(heat), ..facet.clone() };
        facet.value.scale = Scale::Names(names.to_vec());
        facet
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::shortened;
    use super::super::marker::ARROW;
    use super::*;
    use crate::chart::{Axis, Point, Series};
    use bezzel_statistics::Value;

    #[test]
    fn a_high_heat_map_has_the_names_of_its_columns_above_it_too() {
        let shown = |rows: usize| {
            let names = |word: &str, number: usize| {
                let names = (0..number).map(|at| AxisName::new(format!("{word}{at}")));
                Axis::names("", names.collect())
            };
            let cell = |row| HeatCell {
                row,
                column: 0,
                value: Some(Value::Measured(1.0)),
                text: "1".into(),
                shade: Some(0.0),
                unchecked: false,
                runs: 1,
                keys: Vec::new(),
            };
            let key = HeatKey { label: "Ratio".into(), ticks: Vec::new() };
            let cells = (0..rows).map(cell).collect();
            let heat = HeatMap { label: "Ratio".into(), unit: None, cells, key };
            let facet = Facet::sideways("", names("row", rows), names("column", 2), Vec::new());
            let facets = vec![Facet { body: FacetBody::Heat(heat), ..facet }];
            let chart = Chart { columns: 1, facets, ..Chart::default() };
            let (svg, _) = draw(&chart, PAGE).unwrap();
            svg.matches("column1").count()
        };
        assert_eq!([12, 13].map(shown), [1, 2]);
    }

    /// Panels of rows with these titles, each with an open end and a letter.
    fn forest(columns: usize, titles: &[&str], name: &str) -> Chart {
        let facet = |title: &&str| {
            let open =
                Point { low: Some(Value::Measured(0.5)), ..Point::new(0.0, Value::Measured(1.0)) };
            let open = Point { high: Some(Value::OverLimit), ..open };
            let series = Series { end: Some("a".into()), ..Series::new(0, name, vec![open]) };
            let value = Axis::log("Ratio", None).with_limit(None, "open end");
            let names = Axis::names("", vec![AxisName::new(name)]);
            let facet = Facet::sideways(*title, names, value, vec![series]);
            Facet { end_title: Some("group".into()), ..facet }
        };
        Chart { columns, facets: titles.iter().map(facet).collect(), ..Chart::default() }
    }

    #[test]
    fn a_title_is_broken_at_blanks_and_its_last_line_ends_before_the_texts_beside_it() {
        let titles =
            ["kissat", "kissat (factor=1), unsatisfiable", "kissat, unsatisfiable instances", ""];
        let mut numbers = Vec::new();
        for name in ["product", "windows: cardinality-network"] {
            let chart = forest(2, &titles, name);
            for (framed, rect) in FigureLayout::new(&chart, PAGE).placed() {
                let (lines, size) = lines(framed, rect);
                let title = with_solver_names(&framed.facet.title);
                assert_eq!(lines.join(" ").trim(), title);
                let last = width(lines.last().unwrap(), size, Weight::Bold);
                assert!(last <= space_beside(framed, rect).unwrap(), "{lines:?} in {rect:?}");
                numbers.push(lines.len());
            }
        }
        assert_eq!(numbers, [1, 2, 2, 1, 1, 2, 2, 1]);
    }

    #[test]
    fn each_panel_of_rows_above_a_title_has_numbers_and_the_last_one_the_title_of_the_axis() {
        let chart = forest(1, &["kissat", "cadical"], "product");
        let framed = frame(&chart, 1, PAGE);
        let labels = framed.iter().map(|of| (of.bottom_labels, of.bottom_title));
        assert_eq!(labels.collect::<Vec<_>>(), [(true, false), (true, true)]);
        let untitled = forest(1, &["", ""], "product");
        assert!(!frame(&untitled, 1, PAGE)[0].bottom_labels);
    }

    #[test]
    fn arrows_do_not_touch_the_texts_beside_rows_and_names_leave_panels_their_least_width() {
        for name in ["product", "windows: sequential-counter, columns: bimander:2, rows: product"] {
            let chart = forest(3, &["kissat", "cadical", "batsat"], name);
            let layout = FigureLayout::new(&chart, PAGE);
            for (framed, rect) in layout.placed() {
                let tip = framed.value.place_of(Value::OverLimit) * rect.width + ARROW;
                assert!(rect.width >= LEAST_BESIDE_NAMES, "{rect:?}");
                assert!(tip < rect.width + facet::beside(framed), "{tip} in {rect:?}");
            }
        }
    }

    #[test]
    fn a_text_that_is_too_wide_keeps_its_beginning_and_its_end() {
        let text = "{rows: product, columns: pairwise} (input order reversed)";
        let whole = width(text, SMALL, Weight::Regular);
        assert_eq!(shortened(text, whole, SMALL, Weight::Regular), text);
        let cut = shortened(text, whole * 0.7, SMALL, Weight::Regular);
        assert!(cut.starts_with("{rows: product") && cut.ends_with("reversed)"), "{cut}");
        assert!(cut.contains('…') && width(&cut, SMALL, Weight::Regular) <= whole * 0.7);
        assert_eq!(shortened(text, 0.0, SMALL, Weight::Regular), "");
    }
}
