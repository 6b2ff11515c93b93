//! Charts, tables and pages of the small record, compared with files that were reviewed.
//!
//! After an intended change, `BEZZEL_BLESS=1 cargo test -p bezzel-queens --test all report` writes them anew. Read the
//! difference before you commit it.

use std::path::PathBuf;
use std::{env, fs};

use bezzel_encode::Registry;
use bezzel_queens::report;
use bezzel_report::analysis::Analysis;

use crate::report::{counting, records, sample};

#[track_caller]
fn check(name: &str, found: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("BEZZEL_BLESS").is_some() {
        fs::write(&path, found).expect("golden files can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if let Some(line) =
        (0..).zip(found.lines()).find(|(n, line)| expected.lines().nth(*n) != Some(line))
    {
        panic!("{name}, line {}: found {:?}; BEZZEL_BLESS=1 rewrites the file", line.0 + 1, line.1);
    }
    assert_eq!(found.len(), expected.len(), "{name} has lines that are no longer found");
}

/// The page with the content of every such element removed.
fn without(page: &str, element: &str) -> String {
    let (start, end) = (format!("<{element}"), format!("</{element}>"));
    cut(page, &start, &end, &format!("<{element}/>"))
}

/// The text with everything from `start` to `end` replaced.
fn cut(text: &str, start: &str, end: &str, by: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + by + part.split_once(end).map_or("", |(_, rest)| rest))
}

#[test]
fn charts_of_the_small_records_are_as_they_were_read() {
    let records = records();
    let registry = bezzel_queens::register(Registry::standard());
    let materials = records.each_ref().map(|record| Analysis::new(record, &registry));
    for kind in report::parts().figures {
        let chart = materials.iter().find_map(|dataset| (kind.draw)(dataset));
        let chart = chart.expect("one of the small records has something for every kind");
        assert_eq!(chart.id, kind.id);
        let json = serde_json::to_string_pretty(&chart).expect("a chart is plain data");
        check(&format!("{}.json", kind.id), &(json + "\n"));
    }
}

#[test]
fn tables_of_engines_are_as_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let record = counting::record();
    let paths =
        bezzel_queens::report::render(&record, folder.path(), "bezzel report counting").unwrap();
    let read = |path| fs::read_to_string(path).expect("the file was just written");
    check("counting.md", &read(paths.markdown));
    check("counting-table.csv", &read(paths.table_csv));
}

#[test]
fn pages_and_tables_of_the_small_record_are_as_they_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let paths =
        bezzel_queens::report::render(&sample::small(), folder.path(), "bezzel report small")
            .unwrap();
    let read = |path| fs::read_to_string(path).expect("the file was just written");
    check("report.md", &read(paths.markdown));
    check("table.md", &read(paths.table_markdown));
    check("table.csv", &read(paths.table_csv));
    check("table-encodings.tex", &read(folder.path().join("table-encodings.tex")));
    check("numbers.tex", &read(paths.numbers_tex));
    let figure = |id: &str| paths.figures.iter().find(|figure| figure.id == id).unwrap();
    check("simplified.csv", &read(figure("simplified").csv.clone()));
    // Pictures, style and script are not compared.
    let mut page = read(paths.index);
    for element in ["svg", "style", "script"] {
        page = without(&page, element);
    }
    let page = cut(&page, "'sha256-", "'", "'sha256'");
    check("index.html", &(page.replace("><", ">\n<") + "\n"));
}
