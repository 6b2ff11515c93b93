//! Solutions on the page: completions by number.

use crate::browser::desk::{Desk, at};

/// Returns the columns of the picture's queens, row after row.
fn shown(desk: &Desk) -> Vec<u32> {
    let columns = "[...document.querySelectorAll('#solution-board .glyph')]\
                   .flatMap((it, at, all) => it.dataset.look === 'queen' ? [at % Math.sqrt(all.length) + 1] : [])";
    serde_json::from_value(desk.evaluate(columns)).unwrap()
}

/// Waits until the field contains this number, and its picture is shown.
fn until_number(desk: &Desk, number: u64) {
    desk.until(&format!("document.getElementById('solution-number').value === '{number}'"));
    desk.until(&format!(
        "document.getElementById('solution-text').textContent.includes(' {number} of')"
    ));
}

#[test]
fn completions_come_one_after_the_other_and_by_number() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    desk.until("document.getElementById('solution-of').textContent === 'of 4'");
    let all: Vec<Vec<u32>> = (1..=4)
        .map(|number| {
            let answer =
                desk.server.json(&format!("/api/solution?size=8&queens=1.1&number={number}"));
            let queens = answer["queens"].as_array().unwrap().iter();
            queens.map(|queen| queen[1].as_u64().unwrap() as u32).collect()
        })
        .collect();
    // The first follows the last.
    for number in [1, 2, 3, 4, 1] {
        desk.click("#solution-next");
        until_number(&desk, number);
        assert_eq!(shown(&desk), all[number as usize - 1]);
    }
    desk.click("#solution-previous");
    until_number(&desk, 4);
    desk.evaluate("document.getElementById('solution-number').select() ?? 0");
    desk.press("2");
    desk.press("Enter");
    until_number(&desk, 2);
    assert_eq!(shown(&desk), all[1]);
    desk.evaluate("document.getElementById('solution-number').select() ?? 0");
    desk.press("x");
    desk.press("Enter");
    desk.until("document.getElementById('solution-text').textContent.includes('no number')");
}

#[test]
fn a_solution_is_mirrored_turned_and_put_on_the_board() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    desk.click("#solution-next");
    until_number(&desk, 1);
    let first = shown(&desk);
    let text = || desk.text("document.getElementById('solution-text').textContent");
    desk.click("#solution-mirror");
    let mirrored: Vec<u32> = first.iter().map(|column| 9 - column).collect();
    assert_eq!(shown(&desk), mirrored);
    assert_eq!(text(), "Completion 1 of 4, in reading order; mirrored.");
    // A queen on row r, column c moves to row c, column 9 − r.
    desk.click("#solution-turn");
    let row_of = |column: u32| mirrored.iter().position(|&other| other == column).unwrap() as u32;
    let turned: Vec<u32> = (1..=8).map(|row| 8 - row_of(row)).collect();
    assert_eq!(shown(&desk), turned);
    desk.click("#solution-put");
    desk.until_left("Solved: 8 queens");
    let squares = (1..).zip(&turned).map(|(row, column)| format!("{row}.{column}"));
    desk.until_queens(&squares.collect::<Vec<_>>().join("_"));
    desk.press("Control+Z");
    desk.until_queens("1.1");
}

/// Runs this in the page whenever its grid has changed: from here, a change can be missed, or followed by the next one.
fn when_grid_changes(desk: &Desk, script: &str) {
    desk.evaluate(&format!(
        "new MutationObserver((_, observer) => {{
            const grid = document.getElementById('grid');
            const queens = [...grid.querySelectorAll('[role=gridcell][data-look=queen]')]
                .map((it) => it.dataset.row + '.' + it.dataset.column).join('_');
            {script}
        }}).observe(document.getElementById('grid'), {{ subtree: true, attributes: true, childList: true }}) ?? 0"
    ));
}

#[test]
fn a_solution_is_played_piece_by_piece_and_is_one_change() {
    let Some(desk) = Desk::new("size=4") else { return };
    desk.click("#solution-next");
    until_number(&desk, 1);
    desk.evaluate("(window.played = []).length");
    when_grid_changes(&desk, "if (played.at(-1) !== queens) played.push(queens);");
    desk.click("#solution-play");
    desk.until_queens("1.2_2.4_3.1_4.3");
    let played = "1.2 1.2_2.4 1.2_2.4_3.1 1.2_2.4_3.1_4.3";
    assert_eq!(desk.evaluate("played.filter(Boolean).join(' ')"), played);
    desk.until("document.getElementById('solution-play').textContent === 'Play'");
    desk.click("#undo");
    desk.until_queens("");
    // A click on the board stops the animation.
    desk.click("#solution-next");
    until_number(&desk, 1);
    let click = format!(
        "if (queens !== '1.2') return;
         observer.disconnect();
         document.querySelector('{}').click();
         window.clicked = true;",
        at([1, 2])
    );
    when_grid_changes(&desk, &click);
    desk.click("#solution-play");
    desk.until("window.clicked && document.getElementById('solution-play').textContent === 'Play'");
    desk.until_queens("");
}

#[test]
fn a_board_without_solution_has_none_to_show() {
    let Some(desk) = Desk::new("size=6&queens=1.1") else { return };
    desk.click("#solution-next");
    desk.until("document.getElementById('solution-text').textContent.includes('no solution')");
    assert!(desk.evaluate("document.getElementById('solution-play').disabled") == true);
}

#[test]
fn a_solution_that_stays_possible_loses_its_number_and_another_one_goes() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    let text = "document.getElementById('solution-text').textContent";
    let number = "document.getElementById('solution-number').value";
    desk.click("#solution-previous");
    until_number(&desk, 4);
    let last = shown(&desk);
    assert_eq!(last[..2], [1, 7]);
    // Fewer solutions are left, and this one is among them.
    desk.click(&at([2, 7]));
    desk.until_queens("1.1_2.7");
    desk.until_left("2 solutions left");
    assert_eq!(desk.text(text), "One of the solutions left.");
    assert_eq!(desk.text(number), "");
    assert_eq!(shown(&desk), last);
    desk.click("#solution-next");
    until_number(&desk, 1);
    assert!(desk.text(text).contains("1 of 2"), "{}", desk.text(text));
    // More are possible again: the same result.
    desk.click(&at([2, 7]));
    desk.until_left("4 solutions left");
    assert_eq!(desk.text(text), "One of the solutions left.");
    // A solution that uses a blocked square is not shown.
    desk.click("#edit-blocked");
    desk.click(&at([2, 7]));
    desk.until_look([2, 7], "blocked");
    desk.until("document.getElementById('solution-board').hidden");
    assert_eq!(desk.text(text), "Choose a number, or the next one.");
}

#[test]
fn the_notice_of_no_solution_goes_away_when_there_are_some() {
    let Some(desk) = Desk::new("size=6&queens=1.1") else { return };
    let text = "document.getElementById('solution-text').textContent";
    desk.click("#solution-next");
    desk.until(&format!("{text}.includes('no solution')"));
    desk.click(&at([1, 1]));
    desk.until_left("4 solutions left");
    assert_eq!(desk.text(text), "Choose a number, or the next one.");
}
