//! Latin squares and colourings under two encodings.

use bezzel_chromium::{DESKTOP, PHONE, Page, Screen};
use serde_json::json;

use crate::server::test_server::TestServer;

/// Opens the page at a fragment; returns `None` without Chromium.
fn open(server: &TestServer, fragment: &str, screen: Screen) -> Option<Page> {
    let page = Page::open(&format!("http://{}/problems#{fragment}", server.address), screen)?;
    page.until("document.querySelectorAll('#views .cell[data-state]').length > 7");
    page.until("document.getElementById('difference').textContent");
    Some(page)
}

/// Returns the selector of a cell by its number in the view of the first or the second encoding.
fn cell(view: usize, number: usize) -> String {
    format!("#views .view:nth-child({view}) .cell:nth-of-type({number})")
}

/// Returns the accessible name of a cell.
fn name(page: &Page, view: usize, number: usize) -> String {
    page.text(&format!("document.querySelector('{}').ariaLabel", cell(view, number)))
}

#[test]
fn a_latin_square_shows_what_two_encodings_derive() {
    let server = TestServer::new();
    let Some(page) = open(&server, "", DESKTOP) else { return };
    // The fourth cell of the first row follows by pairwise, and not by binary.
    assert_eq!(name(&page, 1, 1), "Row 1, column 1: filled in with 1");
    assert_eq!(name(&page, 1, 4), "Row 1, column 4: derived: 4; the encodings differ");
    assert!(name(&page, 2, 4).starts_with("Row 1, column 4: left: "), "{}", name(&page, 2, 4));
    assert_eq!(
        page.text("document.getElementById('name').textContent"),
        "Latin square of order 4: 13 of 16 cells are empty"
    );
    let differing = "document.querySelectorAll('#views .differing').length";
    assert!(page.count(differing) >= 2);
    // A click fills in the chosen value, and a second one takes it back.
    page.click("#values [value='2']");
    page.click(&cell(1, 5));
    page.until(&format!("document.querySelector('{}').dataset.state === 'given'", cell(2, 5)));
    assert!(page.text("location.hash").contains("given=1.1.1_1.2.2_1.3.3_2.1.2"));
    page.click(&cell(2, 5));
    page.until(&format!("document.querySelector('{}').dataset.state !== 'given'", cell(1, 5)));
    // Digits and Delete do the same, and arrows move.
    page.evaluate(&format!("document.querySelector('{}').focus() ?? 0", cell(1, 1)));
    page.press("ArrowDown");
    page.press("1");
    page.until("document.getElementById('views').textContent.includes('conflict')");
    page.until(
        "document.getElementById('difference').textContent === \
         'Column 1 has 1 twice: both encodings find the contradiction.'",
    );
    page.press("Delete");
    page.until("!document.getElementById('views').textContent.includes('conflict')");
    page.evaluate("history.back() ?? 0");
    page.until("document.getElementById('views').textContent.includes('conflict')");
    page.click("#clear");
    page.until("!location.hash.includes('given')");
    page.until(
        "document.getElementById('difference').textContent.startsWith('No difference here')",
    );
    assert_eq!(page.console_messages(), [""; 0]);
}

#[test]
fn a_contradiction_names_the_rule_or_the_encodings_that_find_it() {
    let server = TestServer::new();
    for (fragment, words, title) in [
        (
            "kind=latin-square&order=4&given=2.1.1_2.3.1",
            "Row 2 has 1 twice: both encodings find the contradiction.",
            "Latin square of order 4: 14 of 16 cells are empty",
        ),
        // No rule is broken, but (1, 4) has no value left.
        (
            "kind=latin-square&order=4&given=1.1.1_1.2.2_1.3.3_2.4.4",
            "No solution is left: pairwise finds the contradiction, binary does not.",
            "Latin square of order 4: 12 of 16 cells are empty",
        ),
        (
            "kind=graph-colouring&graph=mycielski&number=3&colours=3&given=1.1_2.1",
            "Vertices 1 and 2 are joined, and both have colour 1: both encodings find the \
             contradiction.",
            "Colouring mycielski 3, 3 colours: 3 of 5 vertices are empty",
        ),
    ] {
        let address = format!("http://{}/problems#{fragment}", server.address);
        let Some(page) = Page::open(&address, DESKTOP) else { return };
        page.until(&format!("document.getElementById('difference').textContent === '{words}'"));
        assert_eq!(page.text("document.getElementById('name').textContent"), title);
    }
}

#[test]
fn a_colouring_is_filled_in_by_a_finger() {
    let server = TestServer::new();
    let fragment = "kind=graph-colouring&graph=mycielski&number=3&colours=3&given=1.1";
    let Some(page) = open(&server, fragment, PHONE) else { return };
    assert_eq!(page.count("document.querySelectorAll('#views .view:nth-child(1) line').length"), 5);
    assert_eq!(name(&page, 1, 1), "Vertex 1: filled in with 1");
    page.touch("#values label:nth-of-type(3)");
    page.touch(&cell(1, 3));
    page.until("location.hash.includes('given=1.1_3.3')");
    page.until(&format!("document.querySelector('{}').dataset.state === 'given'", cell(1, 3)));
    page.rest();
    let wide = page.number("document.documentElement.scrollWidth");
    assert!(wide <= f64::from(PHONE.width), "{wide}");
    page.touch("#find-encoding");
    page.until("document.activeElement.id === 'find-encoding'");
    page.touch("#clear");
    page.until("!location.hash.includes('given')");
    assert_eq!(page.console_messages(), [""; 0]);
}

#[test]
fn an_instance_a_value_and_an_encoding_are_chosen_by_keys() {
    let server = TestServer::new();
    let Some(page) = open(&server, "kind=latin-square&order=3", DESKTOP) else { return };
    let press = |selector: &str, key: &str| {
        page.evaluate(&format!("document.querySelector(\"{selector}\").focus() ?? 0"));
        page.press(key);
    };
    let options = "document.querySelectorAll('#views .view:nth-child(1) option').length";
    page.until(&format!("{options} > 50"));
    press("#values [value='1']", "ArrowRight");
    press(&cell(1, 1), "Enter");
    page.until("location.hash.includes('given=1.1.2')");
    press("#clear", "Space");
    page.until("!location.hash.includes('given')");
    press("#find-encoding", "End");
    page.call("Input.insertText", &json!({"text": "commander"}));
    page.until("document.getElementById('found-encodings').textContent.includes(' of ')");
    assert!(page.count(options) < 50);
    press("#order", "ArrowDown");
    page.until("document.querySelectorAll('#views .view:nth-child(1) .cell').length === 16");
    press("#kind", "ArrowDown");
    // The Grötzsch graph has 11 vertices and 20 edges.
    page.until("document.querySelectorAll('#views .view:nth-child(1) .cell').length === 11");
    let edges = "document.querySelectorAll('#views .view:nth-child(1) line').length";
    assert_eq!(page.count(edges), 20);
    press("#colours", "ArrowDown");
    page.until("location.hash.includes('colours=4')");
    assert_eq!(page.console_messages(), [""; 0]);
}

#[test]
fn an_encoding_that_fits_boards_only_gives_the_reason() {
    let server = TestServer::new();
    let fragment = "kind=latin-square&order=3&second=bryant-circuit";
    let address = format!("http://{}/problems#{fragment}", server.address);
    let Some(page) = Page::open(&address, DESKTOP) else { return };
    page.until(
        "document.getElementById('views').textContent.includes('for queens on a board only')",
    );
    page.until("document.querySelectorAll('#views .cell[data-state]').length === 9");
}
