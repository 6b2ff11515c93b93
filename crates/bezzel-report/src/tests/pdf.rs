//! PDF and PNG of figures. They need the feature `pdf`.

use std::fs;

use bezzel_encode::Registry;
use bezzel_experiment::ExperimentRecord;
use usvg::{Options, Tree};

use super::sample::{of_size, solved};
use crate::{ReportParts, render_watched, write_pdf};

#[test]
fn pdf_and_png_are_written_on_demand_and_removed_by_the_next_rendering() {
    let rows: Vec<_> = (4..10)
        .flat_map(|size| {
            let row = of_size(size, solved(f64::from(size)));
            let mut other = row.clone();
            other.job.encoding = "product".into();
            [row, other]
        })
        .collect();
    let record = ExperimentRecord {
        name: "pdf".into(),
        planned: rows.len(),
        rows,
        ..ExperimentRecord::default()
    };
    let (folder, parts) = (tempfile::tempdir().unwrap(), ReportParts::standard());
    let render = || {
        let registry = Registry::standard();
        render_watched(&record, &registry, &parts, folder.path(), "bezzel report pdf", &mut |_| {})
            .unwrap()
    };
    let figures = render().figures;
    assert!(!figures.is_empty());
    let written = write_pdf(folder.path(), &figures).unwrap();
    assert_eq!(written.len(), 2 * figures.len());
    for (figure, files) in figures.iter().zip(written.chunks(2)) {
        let svg = fs::read_to_string(&figure.svg).unwrap();
        let size = Tree::from_str(&svg, &Options::default()).unwrap().size();
        let [pdf, png] = [0, 1].map(|place| fs::read(&files[place]).unwrap());
        let png = resvg::tiny_skia::Pixmap::decode_png(&png).unwrap();
        let expected = (2 * size.width() as u32, 2 * size.height() as u32);
        assert_eq!((png.width(), png.height()), expected);
        assert!(pdf.starts_with(b"%PDF-"), "{}", figure.id);
        assert!(String::from_utf8_lossy(&pdf[pdf.len() - 16..]).contains("%%EOF"), "{}", figure.id);
    }
    // Files of an earlier rendering may differ from the SVG.
    render();
    assert!(written.iter().all(|path| !path.exists()));
}
