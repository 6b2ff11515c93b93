//! Other boards: tori, rooks, blocked squares, other sides, and images of a board.

use crate::browser::desk::{Desk, at};

#[test]
fn on_a_torus_lines_continue_at_the_opposite_edge() {
    let Some(desk) = Desk::new("size=5&queens=1.1") else { return };
    desk.until_left("2 solutions left");
    assert_eq!(desk.look([3, 4]), "dead");
    desk.choose("#geometry", "torus");
    desk.until("location.hash.includes('geometry=torus')");
    let torus =
        "On a torus, a line that leaves the board at one edge continues at the opposite edge.";
    desk.until_message(torus);
    let how = desk.text("document.getElementById('how').textContent");
    assert!(how.contains(torus), "{how}");
    desk.until_left("2 solutions left");
    // Down to the left from the corner: row 2 at column 5.
    desk.until_look([2, 5], "attacked");
    assert_eq!(desk.look([3, 4]), "attacked");
    desk.choose("#size", "6");
    desk.until_left("No solution exists");
    assert!(desk.looks().iter().all(|look| look == "dead"));
}

#[test]
fn another_size_names_the_removed_pieces_and_blocked_squares() {
    let Some(desk) = Desk::new("size=6&queens=1.2_2.4&blocked=6.6") else { return };
    desk.choose("#size", "5");
    desk.until_message("2 queens and 1 blocked square were removed. Undo restores them.");
    desk.until_queens("");
    desk.press("Control+Z");
    desk.until_queens("1.2_2.4");
    desk.until_look([6, 6], "blocked");
    desk.open("size=6&queens=1.2");
    desk.choose("#size", "5");
    desk.until_message("1 queen was removed. Undo restores it.");
    // An empty board loses nothing.
    desk.choose("#size", "4");
    desk.until_message("Board of 4 rows and 4 columns.");
    assert!(!desk.text("message.textContent").contains("removed"));
}

#[test]
fn rooks_attack_in_rows_and_columns_alone() {
    let Some(desk) = Desk::new("size=4") else { return };
    desk.until_left("2 solutions left");
    desk.choose("#piece", "rook");
    desk.until_left("24 solutions left");
    desk.click(&at([1, 1]));
    desk.until_left("6 solutions left");
    assert_eq!(desk.name([1, 1]), "Row 1, column 1: rook");
    assert_eq!(desk.look([1, 4]), "attacked");
    assert_eq!(desk.look([2, 2]), "free");
    // The change of the rules is undone if the queens do not fit them.
    desk.click(&at([2, 2]));
    desk.until_left("2 solutions left");
    desk.choose("#piece", "queen");
    desk.until_left("2 solutions left");
    desk.until_queens("");
    desk.until_message("2 rooks were removed. Undo restores them.");
    desk.press("Control+Z");
    desk.until_queens("1.1_2.2");
}

#[test]
fn squares_are_blocked_by_hand_by_key_and_all_unblocked() {
    let Some(desk) = Desk::new("size=6") else { return };
    desk.click("#edit-blocked");
    desk.click(&at([1, 2]));
    desk.until_look([1, 2], "blocked");
    desk.until_left("3 solutions left");
    assert!(desk.name([1, 2]).ends_with(": blocked"));
    // The same control frees a blocked square.
    desk.click(&at([1, 2]));
    desk.until_left("4 solutions left");
    desk.click("#edit-blocked");
    desk.click(&at([1, 3]));
    desk.until_queens("1.3");
    // The server's reply has a message, too.
    desk.until_left("1 solution left");
    desk.press("b");
    desk.until_message("remove it first");
    for key in ["Delete", "b"] {
        desk.press(key);
    }
    desk.until_look([1, 3], "blocked");
    desk.press("Enter");
    desk.until_message("is blocked");
    desk.until_queens("");
    desk.click("#unblock");
    desk.until_left("4 solutions left");
    assert!(!desk.looks().contains(&"blocked".to_owned()));
}

#[test]
fn a_board_is_mirrored_and_turned_with_all_that_is_on_it() {
    let Some(desk) = Desk::new("size=6&queens=1.2&blocked=6.6") else { return };
    desk.click("#mirror");
    desk.until_queens("1.5");
    desk.until_look([6, 1], "blocked");
    desk.click("#turn");
    desk.until_message("Rotated by 90 degrees.");
    desk.until_queens("5.6");
    desk.until_look([1, 1], "blocked");
    for queens in ["6.2", "2.1", "1.5"] {
        desk.click("#turn");
        desk.until_queens(queens);
    }
}

#[test]
fn a_large_board_is_searched_and_says_what_it_does_not_know() {
    let Some(desk) = Desk::new("size=15&queens=1.1") else { return };
    desk.until_left("Solutions not counted");
    assert_eq!(desk.look([1, 15]), "attacked");
    assert_eq!(desk.name([2, 5]), "Row 2, column 5: free");
    assert_eq!(desk.looks().len(), 225);
    // Of an empty board the number is published.
    desk.open("size=16");
    desk.until_left("14,772,512 solutions (OEIS A000170)");
    desk.click("#solution-next");
    desk.until("document.getElementById('solution-text').textContent.includes('a SAT solver')");
    assert!(desk.evaluate("document.getElementById('solution-put').disabled") == false);
}

#[test]
fn the_smallest_boards_are_shown() {
    let Some(desk) = Desk::new("size=1") else { return };
    desk.until_left("1 solution left");
    assert_eq!(desk.text("grid.ariaLabel"), "Board of 1 row and 1 column");
    desk.click(&at([1, 1]));
    desk.until_left("Solved: 1 queen");
    for size in ["2", "3"] {
        desk.choose("#size", size);
        desk.until_left("No solution exists");
        desk.until_message("if and only if N is neither 2 nor 3 (Pauls 1874).");
    }
}
