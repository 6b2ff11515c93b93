//! The accessibility tree of the page, which browsers pass to screen readers.

use bezzel_chromium::{PHONE, Screen};
use serde_json::{Value as Json, json};

use crate::browser::desk::{Desk, at};
use crate::server::test_server::TestServer;

/// The roles whose elements must have a name.
const NAMED: [&str; 16] = [
    "button",
    "link",
    "combobox",
    "listbox",
    "radio",
    "radiogroup",
    "slider",
    "spinbutton",
    "textbox",
    "checkbox",
    "grid",
    "gridcell",
    "image",
    "dialog",
    "progressbar",
    "region",
];

/// Returns the role and the name of each node of the tree.
fn tree(desk: &Desk) -> Vec<[String; 2]> {
    let nodes = desk.call("Accessibility.getFullAXTree", &json!({}))["nodes"].clone();
    let nodes = nodes.as_array().unwrap().iter().filter(|node| node["ignored"] == false);
    let text = |part: &Json| part["value"].as_str().unwrap_or_default().trim().to_owned();
    nodes.map(|node| [text(&node["role"]), text(&node["name"])]).collect()
}

/// Returns the names of all nodes with a role.
fn names<'a>(tree: &'a [[String; 2]], role: &str) -> Vec<&'a str> {
    tree.iter().filter(|node| node[0] == role).map(|node| &*node[1]).collect()
}

#[track_caller]
fn everything_is_named(desk: &Desk) -> Vec<[String; 2]> {
    let tree = tree(desk);
    let nameless = tree.iter().filter(|[role, name]| NAMED.contains(&&**role) && name.is_empty());
    let nameless: Vec<_> = nameless.map(|[role, _]| role).collect();
    assert!(nameless.is_empty(), "without a name: {nameless:?}");
    tree
}

#[test]
fn every_control_has_a_name_whatever_is_shown() {
    let Some(desk) = Desk::new("size=8&queens=1.1_2.5") else { return };
    desk.click(&at([3, 3]));
    desk.until("document.querySelector('#why .verdict')");
    desk.click("#solution-next");
    desk.until("!document.getElementById('solution-play').disabled");
    desk.until("!document.getElementById('propagation-table').hidden");
    let tree = everything_is_named(&desk);
    for name in
        ["Undo", "Redo", "Heat map", "Numbers", "Play", "Previous solution", "Next solution"]
    {
        assert!(names(&tree, "button").contains(&name), "{name}");
    }
    // The names of pictures describe their content.
    let images = names(&tree, "image");
    assert!(images.iter().any(|name| name.contains("columns of the rows")), "{images:?}");
    assert!(images.iter().any(|name| name.contains("the end of propagation")), "{images:?}");
    desk.click("#keys-open");
    desk.until("document.getElementById('keys').open");
    let tree = everything_is_named(&desk);
    assert_eq!(names(&tree, "dialog").len(), 1);
    desk.press("Escape");
    desk.enter("rubbish");
    desk.until("!wrong.hidden");
    let tree = everything_is_named(&desk);
    assert_eq!(names(&tree, "alert").len(), 1);
}

#[test]
fn each_square_tells_its_row_its_column_and_its_state() {
    let board = "size=6&queens=1.2&blocked=6.6";
    let Some(desk) = Desk::new(board) else { return };
    let tree = tree(&desk);
    assert_eq!(names(&tree, "grid"), ["Board of 6 rows and 6 columns"]);
    let squares = names(&tree, "gridcell");
    assert_eq!(squares.len(), 36);
    for (index, name) in squares.iter().enumerate() {
        let place = format!("Row {}, column {}: ", index / 6 + 1, index % 6 + 1);
        assert!(name.starts_with(&place) && name.len() > place.len(), "{name}");
    }
    for (place, state) in [
        ([1, 2], "queen"),
        ([6, 6], "blocked"),
        ([1, 1], "attacked"),
        ([2, 5], "in no solution"),
        ([2, 4], "in the only solution left"),
    ] {
        let [row, column] = place;
        let name = squares[(row - 1) * 6 + column - 1];
        assert!(name.ends_with(&format!(": {state}")), "{name}");
    }
    // A row of squares is a row in the tree as well.
    let rows =
        desk.count("document.querySelectorAll('#grid > [role=row] > [role=gridcell]').length");
    assert_eq!(rows, 36);
}

#[test]
fn changes_are_announced_to_screen_readers() {
    let Some(desk) = Desk::new("size=8") else { return };
    for region in ["message", "solution-text"] {
        assert_eq!(desk.text(&format!("document.getElementById('{region}').role")), "status");
    }
    assert_eq!(desk.text("document.getElementById('wrong').role"), "alert");
    desk.click(&at([1, 1]));
    desk.until_message("Queen on (1, 1).");
    desk.until_message("4 solutions left.");
    desk.press("Delete");
    desk.until_message("Queen on (1, 1) removed.");
    desk.until_message("92 solutions left.");
}

#[test]
fn nothing_is_wider_than_a_phone() {
    let Some(desk) = Desk::on(TestServer::new(), "size=8&queens=1.1_2.5", PHONE) else { return };
    for width in [360, 320] {
        desk.fit(Screen { width, ..PHONE });
        for board in
            ["size=8&queens=1.1_2.5", "size=16&piece=rook&queens=1.1", "queens=1.1&rubbish"]
        {
            desk.load(board);
            desk.until("document.querySelector('#propagation-table td')");
            desk.touch(&at([1, 3]));
            desk.until("document.querySelector('#why .verdict')");
            desk.touch("#solution-next");
            desk.until("!document.getElementById('solution-play').disabled");
            desk.touch("#more summary");
            desk.touch("#copy");
            desk.until("/link/i.test(message.textContent)");
            desk.rest();
            let wide = desk.number("document.documentElement.scrollWidth");
            assert!(wide <= f64::from(width), "{board}: {wide} on {width}");
        }
    }
}
