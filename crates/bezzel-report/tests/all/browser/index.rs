//! The index of all reports: its groups, and the search by words.

use bezzel_chromium::{DESKTOP, PHONE, Page, Screen};
use serde_json::json;
use tempfile::TempDir;

use crate::browser::open::opened;
use crate::report::{counting, sample};

/// Two reports with their index, opened.
fn index(screen: Screen) -> Option<(TempDir, Page)> {
    let folder = tempfile::tempdir().unwrap();
    for record in [sample::small(), counting::record()] {
        bezzel_report::render(&record, &folder.path().join(&record.name), "bezzel report x")
            .unwrap();
    }
    let page = opened(&bezzel_report::index(folder.path()).unwrap(), screen)?;
    Some((folder, page))
}

/// The headings of the groups and the names of the reports that are shown.
fn shown(page: &Page) -> Vec<String> {
    let texts = page.evaluate(
        "[...document.querySelectorAll('main h2, main .name')].filter((part) => part.checkVisibility()).map((part) => part.textContent)",
    );
    serde_json::from_value(texts).unwrap()
}

#[test]
fn reports_are_found_by_words_and_the_address_has_them() {
    let Some((_folder, page)) = index(DESKTOP) else { return };
    let all = ["Encodings", "small", "All solutions and their number", "counting"];
    assert_eq!(shown(&page), all);
    page.evaluate("document.querySelector('input').focus() ?? 0");
    page.call("Input.insertText", &json!({"text": "this READ"}));
    assert_eq!(shown(&page), ["Encodings", "small"]);
    assert_eq!(page.text("document.querySelector('output').textContent"), "1 of 2");
    assert_eq!(page.text("location.hash"), "#words=this+READ");
    page.evaluate("location.hash = ''");
    page.until("document.querySelector('input').value === ''");
    assert_eq!(shown(&page), all);
    // A file has no board page beside it.
    assert!(page.evaluate("document.querySelector('.served').checkVisibility()") == false);
    // The whole card is a link to the report, its picture included.
    let over_picture = "(() => {
        const picture = document.querySelector('#counting .thumb img');
        picture.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, top, width, height } = picture.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2).getAttribute('href');
    })()";
    assert_eq!(page.text(over_picture), "counting/index.html");
    page.click("#counting h3 a");
    page.until("document.querySelector('#repeat')");
    assert!(page.console_messages().is_empty(), "{:?}", page.console_messages());
}

#[test]
fn the_search_is_reached_by_a_finger_and_absent_without_a_script() {
    let Some((_folder, page)) = index(PHONE) else { return };
    page.touch("input");
    page.until("document.activeElement.type === 'search'");
    let width = page.number("document.documentElement.scrollWidth");
    assert!(width <= f64::from(PHONE.width), "{width}");
    let (_folder, page) = index(Screen { scripts: false, ..DESKTOP }).unwrap();
    assert_eq!(page.count("document.querySelectorAll('input, button').length"), 0);
    assert_eq!(shown(&page).len(), 4);
}
