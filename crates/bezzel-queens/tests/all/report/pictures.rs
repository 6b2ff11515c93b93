//! Pictures that open, without fonts, and are equal in every run.

use std::fs;

use bezzel_encode::Registry;
use bezzel_queens::report;
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::Mark;
use bezzel_report::render::{draw, draw_at};
use usvg::{Group, Node, Options, Tree};

use crate::report::{counting, sample, tasks};

fn texts(group: &Group) -> usize {
    let nodes = group.children().iter();
    nodes
        .map(|node| match node {
            Node::Text(_) => 1,
            Node::Group(group) => texts(group),
            _ => 0,
        })
        .sum()
}

#[test]
fn pictures_open_and_hold_no_text_that_needs_a_font() {
    let records = crate::report::records();
    let registry = bezzel_queens::register(Registry::standard());
    let materials = records.each_ref().map(|record| Analysis::new(record, &registry));
    for kind in report::parts().figures {
        let chart = materials.iter().find_map(|dataset| (kind.draw)(dataset));
        let chart = chart.unwrap_or_else(|| panic!("nothing to draw for {}", kind.id));
        let picture = draw(&chart).unwrap();
        // Without fonts, text would not be drawn.
        let tree = Tree::from_str(&picture.svg, &Options::default()).unwrap();
        assert_eq!(texts(tree.root()), 0, "{}", kind.id);
        assert!(!picture.svg.contains("<text"), "{}", kind.id);
        let (drawn, size) = (tree.root().abs_bounding_box(), tree.size());
        assert!(drawn.right() <= size.width() + 1.0, "{}: {drawn:?}", kind.id);
        assert!(drawn.bottom() <= size.height() + 1.0, "{}: {drawn:?}", kind.id);
    }
}

#[test]
fn type_is_at_least_seven_points_at_every_width() {
    let records = [sample::large(), counting::record(), sample::wide(), tasks::record()];
    let registry = bezzel_queens::register(Registry::standard());
    let materials = records.each_ref().map(|record| Analysis::new(record, &registry));
    let charts = materials.iter().flat_map(|dataset| {
        report::parts().figures.into_iter().filter_map(move |kind| (kind.draw)(dataset))
    });
    for chart in charts {
        for width_cm in [8.5, 12.2, 15.7] {
            let picture = draw_at(&chart, width_cm * 110.0 / 2.54).unwrap();
            let what = format!("{} at {width_cm} cm: {} pt", chart.id, picture.least_type_pt);
            assert!(picture.least_type_pt >= 7.0, "{what}");
            let tree = Tree::from_str(&picture.svg, &Options::default()).unwrap();
            let (drawn, size) = (tree.root().abs_bounding_box(), tree.size());
            assert!((f64::from(size.width()) / 110.0 * 2.54 - width_cm).abs() < 0.1, "{what}");
            assert!(
                drawn.left() >= -1.0 && drawn.right() <= size.width() + 1.0,
                "{what}: {drawn:?}"
            );
            assert!(drawn.bottom() <= size.height() + 1.0, "{what}: {drawn:?}");
        }
    }
}

#[test]
fn every_encoding_is_drawn_in_its_colour_in_every_figure_that_names_it() {
    let record = sample::large();
    let registry = bezzel_queens::register(Registry::standard());
    let dataset = Analysis::new(&record, &registry);
    assert_eq!(dataset.encodings.len(), 9);
    // Cells and marks of boards have no encoding. Lines are of eight encodings at most.
    for kind in report::parts().figures {
        let Some(chart) = (kind.draw)(&dataset) else { continue };
        let of_encodings = chart.points().any(|(_, series, _)| series.style.is_some());
        if !of_encodings {
            continue;
        }
        let picture = draw(&chart).unwrap();
        let styles = chart.points().filter_map(|(_, series, _)| series.style);
        for color in styles.map(bezzel_report::render::hex_of) {
            assert!(picture.svg.contains(&color), "{} lacks {color}", kind.id);
        }
    }
}

#[test]
fn every_mark_says_what_it_is_within_the_picture() {
    let records = [sample::large(), sample::wide()];
    let registry = bezzel_queens::register(Registry::standard());
    let materials = records.each_ref().map(|record| Analysis::new(record, &registry));
    let charts = materials.iter().flat_map(|dataset| {
        report::parts()
            .figures
            .into_iter()
            .filter_map(move |kind| Some((kind, (kind.draw)(dataset)?)))
    });
    for (kind, chart) in charts {
        let marks = chart.points().filter(|(_, _, point)| point.mark != Mark::None).count();
        let picture = draw(&chart).unwrap();
        let squares: usize = chart.drawings().map(|(_, drawing)| drawing.values().len()).sum();
        assert_eq!(
            picture.mark_labels.len(),
            marks + chart.cells().count() + squares,
            "{}",
            kind.id
        );
        let size = Tree::from_str(&picture.svg, &Options::default()).unwrap().size();
        // The picture is shown at a twentieth of its units.
        let (wide, high) = (20.0 * f64::from(size.width()), 20.0 * f64::from(size.height()));
        for mark_label in &picture.mark_labels {
            let (x, y) = (f64::from(mark_label.x), f64::from(mark_label.y));
            assert!((0.0..=wide).contains(&x) && (0.0..=high).contains(&y), "{mark_label:?}");
            assert!(
                mark_label.text.contains(": ") && !mark_label.text.contains('\n'),
                "{mark_label:?}"
            );
        }
    }
}

#[test]
fn the_page_asks_for_nothing_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let paths =
        bezzel_queens::report::render(&sample::small(), folder.path(), "bezzel report x").unwrap();
    let page = fs::read_to_string(&paths.index).unwrap();
    // The only address is the name of SVG's vocabulary, which is never loaded.
    let rest = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for asking in ["http:", "https:", "src=", "url(", "@import", "<link", "<img"] {
        assert!(!rest.contains(asking), "{asking}");
    }
    let links = rest.split("href=\"").skip(1).filter_map(|link| link.split('"').next());
    for link in links {
        if let Some(part) = link.strip_prefix('#') {
            // A state of the page names its part last.
            let part = part.rsplit("at=").next().unwrap_or(part);
            assert!(rest.contains(&format!(" id=\"{part}\"")), "{link} leads nowhere");
            continue;
        }
        // The index is written beside the folders of all reports, and a server has the board above it.
        assert!(
            ["../index.html", "../../"].contains(&link) || folder.path().join(link).is_file(),
            "{link} is not of the report"
        );
    }
}
