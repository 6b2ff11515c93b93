//! Queens placed and removed: by mouse, finger and keys.

use std::thread;
use std::time::Duration;

use bezzel_chromium::PHONE;

use crate::browser::desk::{Desk, at};
use crate::server::test_server::TestServer;

#[test]
fn a_click_places_a_queen_and_crosses_what_it_attacks() {
    let Some(desk) = Desk::new("size=8") else { return };
    desk.until_left("92 solutions left");
    desk.click(&at([1, 1]));
    desk.until_left("4 solutions left");
    desk.until_queens("1.1");
    assert!(desk.text("location.hash").ends_with("size=8&queens=1.1"));
    for square in [[1, 8], [8, 1], [8, 8], [4, 4]] {
        assert_eq!(desk.look(square), "attacked");
        assert!(desk.name(square).ends_with(": attacked"), "{}", desk.name(square));
    }
    // No queen attacks this one, and none of the four solutions uses it.
    assert_eq!(desk.look([2, 3]), "dead");
    assert_eq!(desk.look([2, 5]), "free");
    assert_eq!(desk.name([1, 1]), "Row 1, column 1: queen");
    // A second click on the square removes the queen.
    desk.click(&at([1, 1]));
    desk.until_left("92 solutions left");
    desk.until_queens("");
}

#[test]
fn a_finger_places_and_takes_away() {
    let Some(desk) = Desk::on(TestServer::new(), "size=6", PHONE) else { return };
    desk.touch(&at([1, 2]));
    desk.until_left("1 solution left");
    desk.until_queens("1.2");
    // Sooner, it would be the second touch of a double one.
    thread::sleep(Duration::from_millis(400));
    desk.touch(&at([1, 2]));
    desk.until_left("4 solutions left");
    desk.until_queens("");
}

#[test]
fn a_double_click_places_a_queen_and_keeps_it() {
    let Some(desk) = Desk::new("size=6") else { return };
    desk.double_click(&at([1, 2]));
    desk.until_left("1 solution left");
    desk.rest();
    desk.until_queens("1.2");
    // A click afterwards removes it.
    desk.click(&at([1, 2]));
    desk.until_queens("");
}

#[test]
fn keys_go_from_square_to_square_place_and_take_away() {
    let Some(desk) = Desk::new("size=5") else { return };
    let here = "document.activeElement.ariaLabel.split(':')[0]";
    desk.evaluate("grid.querySelector('[tabindex=\"0\"]').focus() ?? 0");
    let moves = [
        ("ArrowRight", "Row 1, column 2"),
        ("ArrowDown", "Row 2, column 2"),
        ("ArrowLeft", "Row 2, column 1"),
        // Keys do not move beyond the edge.
        ("ArrowLeft", "Row 2, column 1"),
        ("End", "Row 2, column 5"),
        ("ArrowUp", "Row 1, column 5"),
        ("Home", "Row 1, column 1"),
        ("Control+End", "Row 5, column 5"),
        ("Control+Home", "Row 1, column 1"),
    ];
    for (key, place) in moves {
        desk.press(key);
        assert_eq!(desk.text(here), place, "{key}");
    }
    for (place, take) in
        [("Enter", "Enter"), ("Space", "Space"), ("Enter", "Delete"), ("Space", "Backspace")]
    {
        desk.press(place);
        desk.until_queens("1.1");
        desk.until_left("2 solutions left");
        desk.press(take);
        desk.until_queens("");
        desk.until_left("10 solutions left");
    }
    // On a square without a queen, none is removed.
    desk.press("Delete");
    desk.until_message("No queen on (1, 1)");
    assert_eq!(desk.text(here), "Row 1, column 1");
}

#[test]
fn the_last_solution_is_outlined_and_completed() {
    let Some(desk) = Desk::new("size=6") else { return };
    desk.click(&at([1, 2]));
    desk.until_left("1 solution left");
    desk.until_message("One solution is left: the 5 missing queens are outlined");
    for square in [[2, 4], [3, 6], [4, 1], [5, 3], [6, 5]] {
        assert_eq!(desk.look(square), "outlined");
    }
    desk.click("#complete");
    desk.until_left("Solved: 6 queens");
    desk.until_queens("1.2_2.4_3.6_4.1_5.3_6.5");
    desk.until_message("5 queens added, as in the only solution.");
    desk.click("#complete");
    desk.until_message("The board is complete.");
    // The completion is one change.
    desk.press("Control+Z");
    desk.until_queens("1.2");
}

/// Returns the queens of the address, one for each row.
fn queens(desk: &Desk) -> Vec<String> {
    let queens = desk.text("new URLSearchParams(location.hash.slice(1)).get('queens') ?? ''");
    queens.split('_').map(str::to_owned).collect()
}

#[test]
fn a_board_with_many_solutions_is_completed_by_key_and_finger() {
    let Some(desk) = Desk::on(TestServer::new(), "size=8&queens=1.1", PHONE) else { return };
    desk.touch("#complete");
    desk.until_left("Solved: 8 queens");
    desk.until_message("7 queens added, as in one of the solutions.");
    assert_eq!(queens(&desk)[0], "1.1");
    desk.touch("#undo");
    desk.until_queens("1.1");
    desk.evaluate("document.getElementById('complete').focus() ?? 0");
    desk.press("Enter");
    desk.until_left("Solved: 8 queens");
    // Queens that no solution has stay, and the reply says so.
    desk.open("size=6&queens=1.1");
    desk.touch("#complete");
    desk.until_message("No solution has all of these pieces.");
    desk.until_queens("1.1");
}

#[test]
fn a_random_solution_is_drawn_where_solutions_are_counted_and_searched_elsewhere() {
    let Some(desk) = Desk::new("size=8&queens=1.1&blocked=8.8") else { return };
    desk.click("#random");
    desk.until_left("Solved: 8 queens");
    desk.until_message("each has the same probability");
    // The blocked square stays, the queen need not.
    desk.until_look([8, 8], "blocked");
    desk.press("Control+Z");
    desk.until_queens("1.1");
    desk.evaluate("document.getElementById('random').focus() ?? 0");
    desk.press("Space");
    desk.until_left("Solved: 8 queens");
    desk.open("size=15");
    desk.click("#random");
    desk.until_message("A solution of a SAT solver");
    assert_eq!(queens(&desk).len(), 15);
    desk.open("size=3");
    desk.click("#random");
    desk.until_message("This board has no solution.");
}

#[test]
fn the_heat_map_and_its_legend_go_where_nothing_is_counted() {
    let Some(desk) = Desk::new("size=8") else { return };
    let legend = "document.querySelector('#legend [data-for=heat]').hidden";
    assert!(desk.evaluate(legend) == false);
    desk.open("size=8&queens=1.1_2.5_3.8_4.6_5.3_6.7_7.2_8.4");
    desk.until(legend);
    assert!(desk.evaluate("frame.classList.contains('with-heat')") == false);
    assert_eq!(desk.text("heat.ariaDisabled"), "true");
    desk.click("#heat");
    desk.until_message("No square has a number of solutions to show.");
    // Marks that no square has are not explained.
    let shown = "[...document.querySelectorAll('#legend li')].filter((it) => !it.hidden).map((it) => it.dataset.for)";
    assert_eq!(desk.evaluate(shown), serde_json::json!(["attacked"]));
}

#[test]
fn a_crossed_square_takes_no_queen_and_says_why() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    for (square, reason) in [([1, 5], "In line: row 1."), ([2, 3], "Queen on (1, 1)")] {
        desk.click(&at(square));
        desk.until_message("No queen on");
        desk.until(&format!("why.textContent.includes('{reason}')"));
        desk.until("why.textContent.includes('not possible')");
        desk.until_queens("1.1");
    }
}

#[test]
fn the_heat_map_and_the_numbers_are_those_of_the_server() {
    let Some(desk) = Desk::new("size=6&queens=1.3") else { return };
    desk.open("size=8&queens=1.4");
    let board = desk.server.json("/api/board?size=8&queens=1.4");
    let counts: Vec<u64> = (0..64_usize)
        .map(|square| board["squares"][square / 8][square % 8]["count"].as_str())
        .map(|count| count.map_or(0, |count| count.parse().unwrap()))
        .collect();
    // All solutions use the queen's own square, but it is no target.
    let max = *counts[8..].iter().max().unwrap();
    desk.click("#numbers");
    for row in 2..=8 {
        for column in 1..=8 {
            let count = counts[(row - 1) * 8 + column - 1];
            let square = at([row as u32, column as u32]);
            let text = |part: &str| desk.text(&format!("document.querySelector('{square}'){part}"));
            let shown = if count == 0 { String::new() } else { count.to_string() };
            assert_eq!(text(".querySelector('.tally').textContent"), shown, "{square}");
            let heat: f64 = text(".style.getPropertyValue('--heat')").parse().unwrap();
            assert!((heat - count as f64 / max as f64).abs() < 0.001, "{square}: {heat}");
        }
    }
    let [hottest, coldest] = [max, 0].map(|wanted| {
        let index = 8 + counts[8..].iter().position(|&count| count == wanted).unwrap();
        // Both squares have the same colour.
        [index as u32 / 8 + 1, index as u32 % 8 + 1]
    });
    let colour = |square| {
        desk.evaluate(
            "Promise.allSettled(document.getAnimations().map((it) => it.finished)).then(() => 1)",
        );
        desk.text(&format!(
            "getComputedStyle(document.querySelector('{}')).backgroundColor",
            at(square)
        ))
    };
    assert_ne!(colour(hottest), colour(coldest));
    let hot = colour(hottest);
    desk.click("#heat");
    desk.rest();
    assert_ne!(colour(hottest), hot);
}
