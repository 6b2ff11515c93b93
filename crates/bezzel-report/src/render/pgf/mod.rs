//! The source of a chart for a paper. Its axes and marks are in `PGFPlots`, in the units of the data, so that they can
//! be changed by hand. Everything else consists of `TikZ` drawings in pixels, by the functions that draw into SVG too.

use super::axis::{self, AxisTicks};
use super::canvas::Canvas;
use super::ends;
use super::facet::{self, PointPositions};
use super::frame::{self, FigureLayout};
use super::layout::{FramedFacet, Rect};
use super::style::{INK, PALE};
use super::ticks::Tick;
use super::tikz::{POINTS, TikzSource, points, short};
use crate::chart::{Chart, FacetBody, Scale};
use crate::tex::{comment, escaped};

mod series;

/// Makes the source of a chart.
pub(super) fn draw(chart: &Chart) -> String {
    let layout = FigureLayout::new(chart);
    let mut canvas = Canvas::of_source();
    if let Some(source) = canvas.source() {
        // All figures are equally wide, so that they are scaled alike.
        let (width, height) = layout.size();
        source.add(&format!("\\path (0,0) rectangle ({},{});", short(width), short(height)));
    }
    frame::head(&mut canvas, chart);
    for (framed, rect) in layout.placed() {
        frame::title(&mut canvas, framed, rect);
        if framed.has_axes() {
            axis::bands(&mut canvas, framed, rect);
        }
        if framed.has_axes() && !framed.facet.is_empty() {
            facet::guides(&mut canvas, framed, rect, chart);
        }
        let positions = PointPositions::new(framed, rect, chart);
        let plotted = match &framed.facet.body {
            FacetBody::Series(all) if !framed.facet.is_empty() => Some(all),
            _ => None,
        };
        if framed.has_axes()
            && let Some(source) = canvas.source()
        {
            let marks = plotted.map(|all| series::draw(source, &positions, all));
            plot(source, framed, rect, &marks.unwrap_or_default());
        }
        if framed.has_axes() {
            axis::limits(&mut canvas, framed, rect);
        }
        if plotted.is_none() {
            facet::draw(&mut canvas, framed, rect, chart);
        } else {
            facet::row_notes(&mut canvas, framed, rect, chart);
        }
        ends::draw(&mut canvas, framed, rect, chart);
    }
    layout.below(&mut canvas);
    let comments = [
        chart.title.as_str(),
        "Made by bezzel report, which overwrites it: do not edit.",
        "\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}; \\input it, or \\resizebox{\\linewidth}{!}{...}.",
        &format!("\\caption{{{}}}", escaped(&chart.caption)),
    ];
    // Pixels to the right and down.
    format!(
        "{}\\begin{{tikzpicture}}[x={POINTS:.5}pt,y=-{POINTS:.5}pt,line join=round]\n{}{}\
         \\end{{tikzpicture}}\n",
        comments.map(comment).concat(),
        series::shapes(chart),
        canvas.into_source(),
    )
}

/// The axes of a panel around its marks.
fn plot(source: &mut TikzSource, framed: &FramedFacet<'_>, rect: Rect, marks: &str) {
    let (ink, pale) = (source.color(INK), source.color(PALE));
    let mut options = vec![
        format!("at={{({},{})}},anchor=south west", points(rect.left), points(-rect.bottom())),
        format!("scale only axis,width={},height={}", points(rect.width), points(rect.height)),
        "clip=false,axis x line*=bottom,axis y line*=left,tick align=outside".to_owned(),
        format!("axis line style={{{ink}}},tick style={{{ink}}},major grid style={{{pale}}}"),
        "tick label style={font=\\footnotesize},label style={font=\\small}".to_owned(),
    ];
    options.extend(side('x', framed, &axis::below(framed, rect)));
    options.extend(side('y', framed, &axis::beside(framed, rect)));
    if framed.facet.sideways {
        options.push("y dir=reverse".to_owned());
    }
    source.add(&format!("\\begin{{axis}}[\n  {}]\n{marks}\\end{{axis}}", options.join(",\n  ")));
}

/// The options of one axis.
fn side(letter: char, framed: &FramedFacet<'_>, side: &AxisTicks) -> Vec<String> {
    let (axis, span) = if letter == 'x' { framed.bottom() } else { framed.left() };
    let number = |place: f64| series::number(span.number_at(place));
    let mut options = vec![
        format!("{letter}mode={}", if span.is_log() { "log" } else { "normal" }),
        format!("{letter}min={},{letter}max={}", number(0.0), number(1.0)),
    ];
    let (large, small): (Vec<&Tick>, Vec<&Tick>) =
        side.ticks.iter().partition(|tick| tick.label.is_some());
    let positions = |ticks: &[&Tick]| {
        let positions: Vec<_> = ticks.iter().map(|tick| number(tick.place)).collect();
        positions.join(",")
    };
    options.push(format!("{letter}tick={{{}}}", positions(&large)));
    if !small.is_empty() {
        options.push(format!("minor {letter}tick={{{}}}", positions(&small)));
    }
    if side.labels.is_empty() {
        options.push(format!("{letter}ticklabels=\\empty"));
    } else {
        let lines = |lines: &Vec<String>| {
            let lines: Vec<_> = lines.iter().map(|line| escaped(line)).collect();
            format!("{{{}}}", lines.join("\\\\"))
        };
        let labels: Vec<_> = side.labels.iter().map(lines).collect();
        options.push(format!("{letter}ticklabels={{{}}}", labels.join(",")));
        let title = escaped(&axis.title());
        if !title.is_empty() {
            options.push(format!("{letter}label={{{title}}}"));
        }
    }
    if matches!(axis.scale, Scale::Names(_)) {
        let align = if letter == 'y' || side.upright { "right" } else { "center" };
        let turn = if side.upright { ",rotate=90,anchor=east" } else { "" };
        options.push(format!(
            "{letter}tick style={{draw=none}},{letter}ticklabel style={{align={align}{turn}{}}}",
            font(side.size)
        ));
    } else {
        options.push(format!("{letter}majorgrids"));
    }
    options
}

/// The command for the font of labels with this size in pixels. Empty if LaTeX's font of footnotes fits.
fn font(size: f64) -> &'static str {
    match size * POINTS {
        points if points >= 8.0 => "",
        points if points >= 7.0 => ",font=\\scriptsize",
        _ => ",font=\\tiny",
    }
}
