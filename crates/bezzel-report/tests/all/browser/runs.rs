//! The filter, and the comparisons that are computed from rows; by click, key and finger.

use std::fs;

use bezzel_chromium::{DESKTOP, PHONE, Page, Screen};
use bezzel_experiment::{ReportAnswer, ReportSpec};

use crate::browser::open::{opened, report, report_of};
use crate::report::sample;

/// The rows of the table of cells that are shown.
const SHOWN: &str =
    "[...document.querySelector('#cells table').tBodies[0].rows].filter((row) => !row.hidden)";

/// The selector of the box for a value of a property.
pub(super) fn box_of(property: &str, value: &str) -> String {
    format!(".pick[data-name='{property}'] input[value='{value}']")
}

/// Opens the bar and the list of a property.
pub(super) fn unfold(page: &Page, property: &str) {
    page.evaluate(&format!(
        "document.querySelectorAll(\".bar, .pick[data-name='{property}']\").forEach((part) => {{ part.open = true; }}) ?? 0"
    ));
}

/// The number of runs in the bar, without the values of the filter.
fn output(page: &Page) -> String {
    let text = page.text("document.querySelector('.bar output').textContent");
    text.split(';').next().unwrap_or_default().to_owned()
}

/// True if this part is struck out.
fn is_stale(page: &Page, part: &str) -> bool {
    page.evaluate(&format!("document.querySelector('{part}').classList.contains('stale')")) == true
}

pub(super) fn complains_of_nothing(page: &Page) {
    assert!(page.console_messages().is_empty(), "{:?}", page.console_messages());
}

#[test]
fn a_filter_hides_rows_and_series_and_strikes_out_numbers_over_more_runs() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    assert_eq!(output(&page), "18 of 18 runs");
    page.click(".bar > summary");
    page.click(".pick[data-name='Numbering'] > summary");
    page.click(&box_of("Numbering", "as-generated"));
    assert_eq!(output(&page), "6 of 18 runs");
    assert_eq!(page.count(&format!("{SHOWN}.length")), 6);
    // A row of the table of cells is of one numbering. The main table and the figures are of both.
    assert!(!is_stale(&page, "#cells details"));
    assert!(is_stale(&page, "#table-encodings") && is_stale(&page, "#sizes figure"));
    let why = page.text("document.querySelector('#sizes .why').textContent");
    let expected = "Struck out: this figure shows all runs, also those that the filter leaves out by numbering.";
    assert_eq!(why, expected);
    assert_eq!(page.text("location.hash"), "#Numbering=as-generated");

    // Figures and tables have a series and a row for each encoding.
    page.click(&box_of("Numbering", "as-generated"));
    assert!(!is_stale(&page, "#table-encodings"));
    unfold(&page, "Encoding");
    page.click(&box_of("Encoding", "pairwise"));
    assert_eq!(output(&page), "9 of 18 runs");
    assert!(!is_stale(&page, "#table-encodings") && !is_stale(&page, "#sizes figure"));
    let display = |look: usize| {
        let part = format!("document.querySelector('#sizes g[data-s=\"{look}\"]')");
        page.text(&format!("getComputedStyle({part}).display"))
    };
    assert_eq!(display(1), "none");
    assert_ne!(display(0), "none");
    page.click(".reset");
    assert_eq!(output(&page), "18 of 18 runs");
    assert_ne!(display(1), "none");
    complains_of_nothing(&page);
}

#[test]
fn a_filter_strikes_out_the_answer_and_figures_that_mix_encodings() {
    let mut record = sample::wide();
    let text = "No encoding is faster than all others.".into();
    record.report = ReportSpec {
        answer: Some(ReportAnswer { text, ..ReportAnswer::default() }),
        figures: Some(vec!["sizes".into(), "effects".into()]),
        ..ReportSpec::default()
    };
    let (_folder, paths) = report_of(&record);
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    assert!(!is_stale(&page, "#answer") && !is_stale(&page, "#effects figure"));
    unfold(&page, "Encoding");
    page.click(&box_of("Encoding", "pairwise"));
    assert!(is_stale(&page, "#answer") && is_stale(&page, "#effects figure"));
    assert!(!is_stale(&page, "#sizes figure"), "its series of other encodings are hidden");
    let why = page.text("document.querySelector('#answer .why').textContent");
    let expected = "Struck out: the author's text is about all runs, also those that the filter leaves out by encoding.";
    assert_eq!(why, expected);
    let line = "getComputedStyle(document.querySelector('#answer > p')).textDecorationLine";
    assert_eq!(page.text(line), "line-through");
    page.click(".reset");
    assert!(!is_stale(&page, "#answer") && !is_stale(&page, "#effects figure"));
    assert_eq!(page.count("document.querySelectorAll('#answer .why').length"), 0);
    complains_of_nothing(&page);
}

#[test]
fn a_filter_is_set_by_keys() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('.bar > summary').focus() ?? 0");
    page.press("Enter");
    page.evaluate("document.querySelector(\".pick[data-name='Answer'] > summary\").focus() ?? 0");
    page.press("Enter");
    page.press("Tab");
    page.press("Space");
    assert_eq!(output(&page), "12 of 18 runs");
    page.evaluate("document.querySelector('.reset').focus() ?? 0");
    page.press("Enter");
    assert_eq!(output(&page), "18 of 18 runs");
}

#[test]
fn a_filter_is_set_by_a_finger() {
    let (_folder, paths) = report();
    let Some(phone) = opened(&paths.index, PHONE) else { return };
    // On a phone the number of runs stands in the middle of the line.
    phone.touch(".bar > summary");
    phone.until("document.querySelector('.bar').open");
    phone.touch(".pick[data-name='Answer'] > summary");
    phone.until("document.querySelector(\".pick[data-name='Answer']\").open");
    phone.touch(&box_of("Answer", "no solution"));
    phone
        .until("document.querySelector('.bar output').textContent === '6 of 18 runs; no solution'");
    let width = phone.number("document.documentElement.scrollWidth");
    assert!(width <= f64::from(PHONE.width), "{width}");
    phone.touch(".reset");
    phone.until("document.querySelector('.bar output').textContent === '18 of 18 runs'");
}

#[test]
fn numbers_of_the_chosen_runs_are_those_of_the_file() {
    let (_folder, paths) = report();
    let address = format!("file://{}#Family=torus&Answer=no+solution", paths.index.display());
    let Some(page) = Page::open(&address, DESKTOP) else { return };
    assert_eq!(output(&page), "6 of 18 runs");
    let rows = page.evaluate(
        "[...document.querySelector('#runs .numbers tbody').rows].map((row) => [...row.cells].map((cell) => cell.textContent))",
    );
    let rows: Vec<Vec<String>> = serde_json::from_value(rows).unwrap();
    let text = fs::read_to_string(&paths.table_csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let place = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let known: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let is_same = |record: &&csv::StringRecord| {
            &record[place("board")] == "torus 6"
                && record[place("encoding")] == row[0]
                && record[place("solver")] == row[1]
                && record[place("numbering")] == row[2]
        };
        let record = known.iter().find(is_same).unwrap();
        let columns = ["runs", "answered", "solve_cpu_lower_quartile_s", "solve_cpu_median_s"];
        for (column, shown) in columns.into_iter().zip(&row[5..]) {
            let [expected, shown]: [f64; 2] =
                [&record[place(column)], shown].map(|text| text.parse().unwrap());
            // Three digits are shown.
            assert!((expected - shown).abs() <= 0.005 * expected, "{column} of {row:?}");
        }
    }
    // The cells with the unchecked answer have no ratio; the base has the ratio 1 to itself.
    let ratio = |encoding: &str, numbering: &str| {
        let row = rows.iter().find(|row| row[0] == encoding && row[2] == numbering).unwrap();
        (row[3].clone(), row[4].clone())
    };
    assert_eq!(ratio("pairwise", "as-generated"), ("1.00".into(), "1".into()));
    assert_eq!(ratio("pairwise", "random"), ("–".into(), "–".into()));
    complains_of_nothing(&page);
}

#[test]
fn ratios_need_one_answer_and_a_base_is_chosen() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let is_shown =
        || page.evaluate("document.querySelector('#runs .several').checkVisibility()") == true;
    assert!(is_shown());
    unfold(&page, "Answer");
    page.click(&box_of("Answer", "a solution"));
    assert!(!is_shown());
    let head = || page.text("document.querySelector('#runs .numbers th:nth-child(4)').textContent");
    assert_eq!(head(), "Ratio to pairwise");
    page.evaluate("document.querySelector('[name=base]').focus() ?? 0");
    page.press("ArrowDown");
    page.until("document.querySelector('#runs .numbers th:nth-child(4)').textContent === 'Ratio to sequential-counter'");
    assert_eq!(head(), "Ratio to sequential-counter");
    page.evaluate("document.querySelector('[name=measure]').focus() ?? 0");
    page.press("ArrowDown");
    page.until("document.querySelector('.two svg').ariaLabel.startsWith('Conflicts')");
    complains_of_nothing(&page);
}

#[test]
fn both_arms_of_the_plot_are_chosen_by_keys_and_the_address_has_them() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let arms = |page: &Page| {
        let texts = page.evaluate(
            "[...document.querySelectorAll('.two text')].map((text) => text.textContent).filter((text) => text.includes('cadical'))",
        );
        serde_json::from_value::<Vec<String>>(texts).unwrap()
    };
    let [pairwise, counter] = ["pairwise", "sequential-counter"];
    let at_first = [pairwise, counter].map(|arm| format!("{arm}, cadical, as-generated"));
    assert_eq!(arms(&page), at_first);
    for axis in ["x", "y"] {
        page.evaluate(&format!("document.querySelector('[name={axis}]').focus() ?? 0"));
        page.press("ArrowDown");
        page.until(&format!("location.hash.includes('{axis}=')"));
    }
    let random = [pairwise, counter].map(|arm| format!("{arm}, cadical, random"));
    assert_eq!(arms(&page), random);
    // A mark for each board.
    assert_eq!(page.count("document.querySelectorAll('.two svg use').length"), 3);
    let hash = page.text("location.hash");
    let address = format!("file://{}{hash}", paths.index.display());
    let again = Page::open(&address, DESKTOP).unwrap();
    again.until("document.querySelector('.two svg')");
    assert_eq!(arms(&again), random);
    complains_of_nothing(&page);
}

#[test]
fn a_link_to_a_part_keeps_the_filter_in_the_address() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let left = "document.querySelector('.bar output').textContent";
    let all = page.text(left);
    page.evaluate("location.hash = '#Numbering=as-generated'");
    page.until("document.querySelector('.bar .active, .bar.active')");
    let filtered = page.text(left);
    assert_ne!(filtered, all);
    page.click(".contents a[href='#conditions']");
    page.until("location.hash === '#Numbering=as-generated&at=conditions'");
    let address = format!("file://{}{}", paths.index.display(), page.text("location.hash"));
    let again = Page::open(&address, DESKTOP).unwrap();
    again.until("document.querySelector('#conditions').getBoundingClientRect().top < innerHeight");
    assert_eq!(again.text(left), filtered);
    complains_of_nothing(&page);
}

#[test]
fn an_encoding_is_marked_in_all_figures() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold(&page, "Encoding");
    page.evaluate("document.querySelector('[name=mark]').focus() ?? 0");
    page.press("ArrowDown");
    page.until("location.hash === '#mark=pairwise'");
    for figure in ["#sizes", "#simplified"] {
        let opacity = |look: usize| {
            page.text(&format!(
                "getComputedStyle(document.querySelector('{figure} g[data-s=\"{look}\"]')).opacity"
            ))
        };
        assert_eq!((opacity(0), opacity(1)), ("1".into(), "0.12".into()), "{figure}");
    }
}

#[test]
fn escape_and_a_click_elsewhere_fold_the_filter() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold(&page, "Answer");
    page.evaluate("document.querySelector(\".pick[data-name='Answer'] input\").focus() ?? 0");
    page.press("Escape");
    page.until("!document.querySelector(\".pick[data-name='Answer']\").open");
    page.press("Escape");
    page.until("!document.querySelector('.bar').open");
    assert_eq!(page.text("document.activeElement.parentElement.className"), "bar");
    // So does a click elsewhere if there is a filter, which the folded bar names.
    unfold(&page, "Answer");
    page.click(&box_of("Answer", "no solution"));
    page.click("h1");
    page.until("!document.querySelector('.bar').open");
    let shown = page.text("document.querySelector('.bar output').textContent");
    assert_eq!(shown, "6 of 18 runs; no solution");
}

#[test]
fn without_a_script_there_is_neither_a_filter_nor_a_comparison() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, Screen { scripts: false, ..DESKTOP }) else { return };
    let parts = "document.querySelectorAll('.bar, #runs, dialog, select').length";
    assert_eq!(page.count(parts), 0);
}
