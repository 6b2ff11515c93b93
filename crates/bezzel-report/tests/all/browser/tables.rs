//! Tables in another order, where each column is compared with the CSV sorted by the test; and folded tables.

use std::cmp::Ordering;
use std::fs;

use bezzel_chromium::{DESKTOP, Page, Screen};
use bezzel_experiment::ExperimentRecord;
use serde_json::json;

use crate::browser::open::{opened, report, report_of};
use crate::report::sample;

/// The page's table of all cells.
const TABLE: &str = "document.querySelector('#cells table')";

/// A cell of the CSV for sorting: numbers, then values over the limit, then missing ones.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Key {
    Number(f64),
    Missing,
}

fn key(cell: &str) -> Key {
    // `inf` is a number for Rust, and larger than all others.
    cell.parse().map_or(Key::Missing, Key::Number)
}

/// Places of the rows in this order. Equal ones keep their order.
fn ordered(keys: &[Key], descending: bool) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|&one, &two| match (keys[one], keys[two]) {
        (Key::Number(one), Key::Number(two)) if descending => two.total_cmp(&one),
        (Key::Number(one), Key::Number(two)) => one.total_cmp(&two),
        (Key::Number(_), Key::Missing) => Ordering::Less,
        (Key::Missing, Key::Number(_)) => Ordering::Greater,
        (Key::Missing, Key::Missing) => Ordering::Equal,
    });
    places
}

#[test]
fn every_column_of_numbers_is_sorted_up_and_down_and_back_again() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let text = fs::read_to_string(&paths.table_csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    page.evaluate(&format!(
        "[...{TABLE}.tBodies[0].rows].forEach((row, place) => row.place = place) ?? 0"
    ));
    let places = || -> Vec<usize> {
        let places =
            page.evaluate(&format!("[...{TABLE}.tBodies[0].rows].map((row) => row.place)"));
        serde_json::from_value(places).unwrap()
    };
    let numeric = page.evaluate(&format!(
        "[...{TABLE}.tHead.rows[0].cells].map((head) => head.classList.contains('number'))"
    ));
    let numeric: Vec<bool> = serde_json::from_value(numeric).unwrap();
    let (mut over, mut missing) = (0, 0);
    for (column, _) in numeric.iter().enumerate().filter(|(_, numeric)| **numeric) {
        let keys: Vec<Key> = rows.iter().map(|row| key(&row[column])).collect();
        over += keys.iter().filter(|key| **key == Key::Number(f64::INFINITY)).count();
        missing += keys.iter().filter(|key| **key == Key::Missing).count();
        let head = format!("{TABLE}.tHead.rows[0].cells[{column}]");
        let click = || page.evaluate(&format!("{head}.querySelector('button').click() ?? 0"));
        let sort = || page.evaluate(&format!("{head}.getAttribute('aria-sort')"));
        click();
        assert_eq!(sort(), "ascending");
        assert_eq!(places(), ordered(&keys, false), "column {column}: {keys:?}");
        click();
        assert_eq!(sort(), "descending");
        assert_eq!(places(), ordered(&keys, true), "column {column}: {keys:?}");
        click();
        assert!(sort().is_null());
        assert_eq!(places(), (0..rows.len()).collect::<Vec<_>>());
    }
    assert!(over > 0 && missing > 0, "the record has no hard cases: {over}, {missing}");
    assert!(page.console_messages().is_empty(), "{:?}", page.console_messages());
}

#[test]
fn bounds_and_numbers_in_parentheses_are_sorted_by_their_numbers() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let rows = format!("[...{TABLE}.tBodies[0].rows]");
    let head = format!(
        "[...{TABLE}.tHead.rows[0].cells].find((head) => head.classList.contains('number'))"
    );
    let texts = json!(["28.3", "≥ 19.1", "(≤ 0.5)", "not shown", "≤ 2,000", "(1.5)"]);
    page.evaluate(&format!(
        "{rows}.forEach((row, place) => {{ const cell = row.cells[{head}.cellIndex]; \
         cell.className = 'number'; delete cell.dataset.v; cell.textContent = {texts}[place % 6]; }}) ?? 0"
    ));
    page.evaluate(&format!("{head}.querySelector('button').click() ?? 0"));
    let shown =
        page.evaluate(&format!("{rows}.map((row) => row.cells[{head}.cellIndex].textContent)"));
    let mut shown: Vec<String> = serde_json::from_value(shown).unwrap();
    assert_eq!(shown.len(), 12);
    shown.dedup();
    assert_eq!(shown, ["(≤ 0.5)", "(1.5)", "≥ 19.1", "28.3", "≤ 2,000", "not shown"]);
}

#[test]
fn headings_are_reached_and_pressed_by_the_keyboard_and_rows_found_by_words() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('#cells details').open = true");
    page.evaluate(&format!("{TABLE}.tHead.rows[0].cells[1].querySelector('button').focus() ?? 0"));
    page.press("Enter");
    assert_eq!(page.text(&format!("{TABLE}.tHead.rows[0].cells[1].ariaSort")), "ascending");
    // Words are sorted too, and only one column at a time.
    page.press("Tab");
    page.press("Enter");
    assert_eq!(page.count(&format!("{TABLE}.querySelectorAll('[aria-sort]').length")), 1);

    let shown =
        || page.count(&format!("[...{TABLE}.tBodies[0].rows].filter((row) => !row.hidden).length"));
    let all = shown();
    page.evaluate("document.querySelector('#cells input').focus() ?? 0");
    page.call("Input.insertText", &json!({"text": "sequential random"}));
    assert_eq!(shown(), all / 4);
    assert_eq!(page.text("document.querySelector('#cells output').textContent"), "3 of 12");
}

#[test]
fn the_address_has_the_order_and_the_words_of_a_table() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('#cells details').open = true");
    page.evaluate(&format!("{TABLE}.tHead.rows[0].cells[1].querySelector('button').click() ?? 0"));
    page.evaluate("document.querySelector('#cells input').focus() ?? 0");
    page.call("Input.insertText", &json!({"text": "random. 8"}));
    let order = "[...document.querySelectorAll('#cells tbody tr')].map((row) => row.hidden + row.textContent)";
    let (hash, shown) = (page.text("location.hash"), page.evaluate(order));
    let again = Page::open(&format!("file://{}{hash}", paths.index.display()), DESKTOP).unwrap();
    assert_eq!(again.evaluate(order), shown);
    assert_eq!(again.text("document.querySelector('#cells input').value"), "random. 8");
    again.evaluate("document.querySelector('.bar').open = true");
    again.click(".reset");
    assert_eq!(again.evaluate(order), opened(&paths.index, DESKTOP).unwrap().evaluate(order));
    // A parameter of an address that names an unknown column or table is ignored.
    again.go(&format!("file://{}#sort=cells.99.ascending&sort=x&words=", paths.index.display()));
    again.until("location.hash.includes('99')");
    assert_eq!(again.evaluate(order), opened(&paths.index, DESKTOP).unwrap().evaluate(order));
    assert!(again.console_messages().is_empty(), "{:?}", again.console_messages());
}

/// The small record with ten encodings in place of two, and so with 45 pairs.
fn with_many_pairs() -> ExperimentRecord {
    let mut record = sample::small();
    let rows = std::mem::take(&mut record.rows);
    for copy in ["a", "b", "c", "d", "e"] {
        record.rows.extend(rows.iter().cloned().map(|mut row| {
            row.job.encoding = format!("{}-{copy}", row.job.encoding);
            row.key.0.push_str(copy);
            row
        }));
    }
    record.planned = record.rows.len();
    record
}

#[test]
fn a_long_table_is_folded_opens_by_a_key_and_has_its_beginning_on_paper() {
    const PART: &str = "document.querySelector('#table-pairs-time-random-sat')";
    let (_folder, paths) = report_of(&with_many_pairs());
    for scripts in [true, false] {
        let Some(page) = opened(&paths.index, Screen { scripts, ..DESKTOP }) else { return };
        let in_sight = |within: &str| {
            let rows = format!("[...{within}.querySelectorAll('tbody tr')]");
            page.count(&format!("{rows}.filter((row) => row.checkVisibility()).length"))
        };
        assert_eq!(in_sight("document.querySelector('#table-encodings')"), 10, "a short one");
        assert_eq!(in_sight(PART), 0);
        let summary = format!("{PART}.querySelector('summary')");
        assert_eq!(page.text(&format!("{summary}.textContent")), "45 rows of 9 columns");
        page.evaluate(&format!("{summary}.focus() ?? 0"));
        page.press("Enter");
        assert_eq!(in_sight(PART), 45);
        if scripts {
            let head = format!("{PART}.querySelector('th:nth-child(5)')");
            page.evaluate(&format!("{head}.querySelector('button').click() ?? 0"));
            assert_eq!(page.text(&format!("{head}.ariaSort")), "ascending");
            assert_eq!(in_sight(PART), 45);
        }
        page.evaluate(&format!("{summary}.focus() ?? 0"));
        page.press("Enter");
        assert_eq!(in_sight(PART), 0);

        page.as_printed();
        assert_eq!(in_sight(PART), 20);
        assert!(
            page.evaluate(&format!("{PART}.querySelector('.paper').checkVisibility()")) == true
        );
        let note = page.text(&format!("{PART}.querySelector('.paper').textContent"));
        assert_eq!(note, "The first 20 of 45 rows; table.md has all.");
    }
    let text = fs::read_to_string(&paths.table_markdown).unwrap();
    let title = "## Pairs by CPU time of solving, numbering random, boards with a solution (`pairs-time-random-sat`)\n\n";
    let (_, table) = text.split_once(title).expect("the table is there");
    // Two lines are the head.
    assert_eq!(table.lines().take_while(|line| line.starts_with('|')).count(), 2 + 45);
}
