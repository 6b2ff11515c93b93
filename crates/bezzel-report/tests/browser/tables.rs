//! Tables in another order: each column as the CSV has it, sorted by somebody else.

use std::cmp::Ordering;
use std::fs;

use serde_json::json;

use crate::place::{DESK, Opened, report};

/// The page's table of all cells.
const TABLE: &str = "document.querySelector('#cells table')";

/// A cell of the CSV as it is to be ordered: numbers, then what is over the limit, then what is
/// missing.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Key {
    Number(f64),
    Missing,
}

fn key(cell: &str) -> Key {
    // `inf` is a number for Rust, and larger than all others.
    cell.parse().map_or(Key::Missing, Key::Number)
}

/// Places of the rows in this order; equal ones stay as they were.
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
    let Some(page) = Opened::new(&paths.index, DESK) else { return };
    let text = fs::read_to_string(&paths.table_csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    page.ask(&format!(
        "[...{TABLE}.tBodies[0].rows].forEach((row, place) => row.place = place) ?? 0"
    ));
    let places = || -> Vec<usize> {
        let places = page.ask(&format!("[...{TABLE}.tBodies[0].rows].map((row) => row.place)"));
        serde_json::from_value(places).unwrap()
    };
    let numeric = page.ask(&format!(
        "[...{TABLE}.tHead.rows[0].cells].map((head) => head.classList.contains('number'))"
    ));
    let numeric: Vec<bool> = serde_json::from_value(numeric).unwrap();
    let (mut over, mut missing) = (0, 0);
    for (column, _) in numeric.iter().enumerate().filter(|(_, numeric)| **numeric) {
        let keys: Vec<Key> = rows.iter().map(|row| key(&row[column])).collect();
        over += keys.iter().filter(|key| **key == Key::Number(f64::INFINITY)).count();
        missing += keys.iter().filter(|key| **key == Key::Missing).count();
        let head = format!("{TABLE}.tHead.rows[0].cells[{column}]");
        let click = || page.ask(&format!("{head}.querySelector('button').click() ?? 0"));
        let sort = || page.ask(&format!("{head}.getAttribute('aria-sort')"));
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
    assert!(page.told().is_empty(), "{:?}", page.told());
}

#[test]
fn headings_are_reached_and_pressed_by_the_keyboard_and_rows_found_by_words() {
    let (_folder, paths) = report();
    let Some(page) = Opened::new(&paths.index, DESK) else { return };
    page.ask("document.querySelector('#cells details').open = true");
    page.ask(&format!("{TABLE}.tHead.rows[0].cells[1].querySelector('button').focus() ?? 0"));
    page.press("Enter");
    assert_eq!(page.text(&format!("{TABLE}.tHead.rows[0].cells[1].ariaSort")), "ascending");
    // Words too have an order, and one column at a time is sorted.
    page.press("Tab");
    page.press("Enter");
    assert_eq!(page.count(&format!("{TABLE}.querySelectorAll('[aria-sort]').length")), 1);

    let shown =
        || page.count(&format!("[...{TABLE}.tBodies[0].rows].filter((row) => !row.hidden).length"));
    let all = shown();
    page.ask("document.querySelector('#cells input').focus() ?? 0");
    page.call("Input.insertText", &json!({"text": "sequential random"}));
    assert_eq!(shown(), all / 4);
    assert_eq!(page.text("document.querySelector('#cells output').textContent"), "3 of 12");
}
