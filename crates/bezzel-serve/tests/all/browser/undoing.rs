//! Undo and redo, by buttons and by keys.

use crate::browser::desk::{Desk, at};

/// Returns true if a button is disabled.
fn is_off(desk: &Desk, button: &str) -> bool {
    desk.evaluate(&format!("{button}.ariaDisabled")) == "true"
}

#[test]
fn buttons_undo_and_redo_to_both_ends() {
    let Some(desk) = Desk::new("size=8") else { return };
    assert!(is_off(&desk, "undo") && is_off(&desk, "redo"));
    for (square, queens) in [([1, 1], "1.1"), ([2, 5], "1.1_2.5"), ([3, 8], "1.1_2.5_3.8")] {
        desk.click(&at(square));
        desk.until_queens(queens);
    }
    assert!(!is_off(&desk, "undo") && is_off(&desk, "redo"));
    for queens in ["1.1_2.5", "1.1", ""] {
        desk.click("#undo");
        desk.until_queens(queens);
    }
    desk.click("#undo");
    desk.until_message("Nothing to undo");
    for queens in ["1.1", "1.1_2.5", "1.1_2.5_3.8"] {
        desk.click("#redo");
        desk.until_queens(queens);
    }
    desk.until_message("Redone.");
    desk.click("#redo");
    desk.until_message("Nothing to redo");
    // A new change drops the undone ones.
    desk.click("#undo");
    desk.until_queens("1.1_2.5");
    desk.click(&at([2, 5]));
    desk.until_queens("1.1");
    assert!(is_off(&desk, "redo"));
}

#[test]
fn keys_undo_and_redo_wherever_one_is() {
    let Some(desk) = Desk::new("size=8") else { return };
    desk.click(&at([1, 1]));
    desk.until_queens("1.1");
    for place in [
        "grid.querySelector('[tabindex=\"0\"]').focus()",
        "heat.focus()",
        "size.focus()",
        "document.activeElement.blur()",
    ] {
        desk.evaluate(&format!("{place} ?? 0"));
        for redo in ["Control+Y", "Control+Shift+Z"] {
            desk.press("Control+Z");
            desk.until_queens("");
            desk.press(redo);
            desk.until_queens("1.1");
        }
    }
}

#[test]
fn where_text_is_written_undo_is_that_of_the_text() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    desk.click(&at([2, 5]));
    desk.until_queens("1.1_2.5");
    desk.click("#solution-number");
    desk.press("1");
    desk.press("Control+Z");
    desk.rest();
    desk.until_queens("1.1_2.5");
}

#[test]
fn a_change_of_the_rules_is_undone_like_any_other() {
    let Some(desk) = Desk::new("size=6&queens=1.2") else { return };
    desk.choose("#piece", "rook");
    desk.until("grid.querySelector('[data-look=queen]').firstChild.dataset.piece === 'rook'");
    desk.until_left("120 solutions left");
    desk.press("Control+Z");
    desk.until_left("1 solution left");
    assert_eq!(desk.text("piece.value"), "queen");
}
