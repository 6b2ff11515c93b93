//! The propagation of two encodings on the page.

use serde_json::Value as Json;

use crate::browser::desk::{Desk, at};

const BOARD: &str = "size=6&queens=1.2";

/// Returns the selector of the first or the second encoding's part.
fn view(number: usize) -> String {
    format!("#propagation .view:nth-child({number})")
}

/// Returns the looks of the squares of the picture, in reading order.
fn looks(desk: &Desk, number: usize) -> Vec<String> {
    let looks = format!(
        "[...document.querySelectorAll('{} .picture .glyph')].map((it) => it.dataset.look)",
        view(number)
    );
    serde_json::from_value(desk.evaluate(&looks)).unwrap()
}

/// Chooses an encoding, waits for its picture, and returns the server's answer for it.
fn look_through(desk: &Desk, number: usize, encoding: &str) -> Json {
    let select = format!("{} select", view(number));
    desk.choose(&select, encoding);
    let answer = desk.server.json(&format!("/api/propagation?{BOARD}&encoding={encoding}"));
    desk.until(&format!(
        "document.querySelector('#propagation-table thead th:nth-child({})')?.textContent === '{encoding}'",
        number + 1
    ));
    answer
}

/// Returns the expected looks of the squares of the server's answer at the end of propagation.
fn expected(answer: &Json) -> Vec<String> {
    let forced: Vec<&str> = answer["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["gives"].as_str())
        .collect();
    let mut expected = Vec::new();
    for row in 0..6 {
        for column in 0..6 {
            let mark = answer["squares"][row][column].as_str().unwrap();
            let own = format!("x({},{})", row + 1, column + 1);
            expected.push(
                match mark {
                    "queen" | "blocked" => mark,
                    _ if forced.contains(&&*own) => "ghost",
                    "attacked" if answer["sees"][row][column] == false => "missed",
                    other => other,
                }
                .to_owned(),
            );
        }
    }
    expected
}

/// Returns the squares that one answer rules out and the other does not.
fn beyond(first: &Json, second: &Json) -> usize {
    let squares = (0..36_usize).map(|square| [square / 6, square % 6]);
    squares
        .filter(|&[row, column]| {
            first["sees"][row][column] == true && second["sees"][row][column] == false
        })
        .count()
}

#[test]
fn two_encodings_stand_side_by_side_and_their_difference_is_framed() {
    let Some(desk) = Desk::new(BOARD) else { return };
    for encodings in [["pairwise", "support"], ["pairwise", "binary"]] {
        let answers = [0, 1].map(|index| look_through(&desk, index + 1, encodings[index]));
        let only = [beyond(&answers[0], &answers[1]), beyond(&answers[1], &answers[0])];
        for (index, answer) in answers.iter().enumerate() {
            let encoding = encodings[index];
            assert_eq!(looks(&desk, index + 1), expected(answer), "{encoding}");
            let column = format!(
                "[...document.querySelectorAll('#propagation-table td:nth-child({})')].map((it) => it.textContent.replaceAll(',', ''))",
                index + 2
            );
            let cells: Vec<String> = serde_json::from_value(desk.evaluate(&column)).unwrap();
            let (alone, counts) = (Json::from(only[index]), &answer["counts"]);
            let numbers = [
                &alone,
                &counts["attacked"],
                &counts["attacked_seen"],
                &counts["propagated"],
                &counts["diagram"],
                &answer["variables"],
                &answer["auxiliary"],
                &answer["clauses"],
            ];
            assert_eq!(cells, numbers.map(ToString::to_string), "{encoding}");
            let framed =
                format!("document.querySelectorAll('{} .differing').length", view(index + 1));
            assert_eq!(desk.count(&framed), (only[0] + only[1]) as u64, "{encoding}");
        }
        assert!(only[0] + only[1] > 0, "{encodings:?} differ");
        let difference = desk.text("document.getElementById('difference').textContent");
        for (index, number) in only.iter().enumerate().filter(|(_, number)| **number > 0) {
            let words = format!("{} rules out {number} square", encodings[index]);
            assert!(difference.contains(&words), "{difference}");
        }
    }
}

#[test]
fn where_nothing_differs_the_page_says_so_and_shows_a_board_that_does() {
    let Some(desk) = Desk::new("size=8") else { return };
    let difference = "document.getElementById('difference').textContent";
    desk.until(&format!("{difference} === 'Neither encoding rules out a square.'"));
    desk.click("#find-difference");
    desk.until_queens("1.3_5.4");
    desk.until_message("The board is now 8 × 8, plane. Undo returns to yours.");
    desk.until(&format!("{difference}.includes('that binary does not')"));
    desk.until("document.getElementById('find-difference').hidden");
    // Undo leads back.
    desk.press("Control+Z");
    desk.until_left("92 solutions left");
    // One encoding on both sides cannot differ. The reply about the encodings before is removed.
    desk.until_message("Undone.");
    desk.choose("#propagation .view:nth-child(2) select", "pairwise");
    desk.until("!message.textContent.trim()");
    desk.until(&format!("{difference}.startsWith('Both sides show the same encoding')"));
    assert!(desk.evaluate("document.getElementById('find-difference').hidden") == true);
}

#[test]
fn blocked_squares_are_given_and_are_no_difference() {
    // A unit clause of pairwise excludes a blocked square; binary has a clause of three bits instead.
    let Some(desk) = Desk::new("size=8&blocked=4.4_4.5_5.4_5.5") else { return };
    let difference = "document.getElementById('difference').textContent";
    desk.until(&format!("{difference} === 'Neither encoding rules out a square.'"));
    let framed = "document.querySelectorAll('#propagation .differing').length";
    assert_eq!(desk.count(framed), 0);
    assert!(desk.evaluate("document.getElementById('differing').hidden") == true);
    let numbers = "document.getElementById('differs').textContent";
    assert_eq!(desk.text(numbers), "Squares ruled out: pairwise 0, binary 0");
    // No queen attacks (8, 8): the encodings differ in the same squares, whether (8, 8) is blocked or free.
    for board in ["size=8&queens=1.3_5.4", "size=8&queens=1.3_5.4&blocked=8.8"] {
        desk.open(board);
        desk.until(&format!(
            "{difference} === 'pairwise rules out 27 squares that binary does not.'"
        ));
        assert_eq!(desk.count(framed), 2 * 27, "{board}");
        assert_eq!(desk.text(numbers), "Squares ruled out: pairwise 41, binary 14", "{board}");
        let list = desk.text("document.querySelector('#differing div').textContent");
        assert_eq!(list.matches('(').count(), 27, "{list}");
        assert!(!list.contains("(8, 8)"), "{list}");
    }
}

#[test]
fn a_board_of_another_geometry_and_size_is_announced() {
    // Every row of the position is complete, so these encodings rule out the same squares.
    let Some(desk) = Desk::new("size=5&geometry=torus&queens=1.1_2.3_3.5_4.2_5.4") else { return };
    desk.until(
        "document.getElementById('difference').textContent.startsWith('No difference here: both')",
    );
    desk.click("#find-difference");
    desk.until_message("The board is now 8 × 8, plane. Undo returns to yours.");
    desk.press("Control+Z");
    desk.until("location.hash.includes('size=5&geometry=torus')");
}

/// Returns the constraint and the clauses of each step: those that follow each other belong together.
fn groups(answer: &Json) -> Vec<(String, Vec<Json>)> {
    let mut groups: Vec<(String, Vec<Json>)> = Vec::new();
    for step in answer["steps"].as_array().unwrap() {
        let section = step["section"].as_str().unwrap();
        if groups.last().is_none_or(|(last, _)| last != section) {
            groups.push((section.to_owned(), Vec::new()));
        }
        groups.last_mut().unwrap().1.push(step.clone());
    }
    groups
}

#[test]
fn both_views_step_together_from_constraint_to_constraint() {
    let Some(desk) = Desk::new(BOARD) else { return };
    let answers = [look_through(&desk, 1, "pairwise"), look_through(&desk, 2, "binary")];
    let groups = answers.each_ref().map(groups);
    assert!(groups[0].len() > groups[1].len() && !groups[1].is_empty(), "{groups:?}");
    let ends = [looks(&desk, 1), looks(&desk, 2)];
    let step = "document.getElementById('step').value";
    // From the end the first step follows.
    assert_eq!(desk.text("document.getElementById('step-next').textContent"), "First step");
    for number in 1..=groups[0].len() {
        match number % 3 {
            0 => {
                desk.evaluate("document.getElementById('step').focus() ?? 0");
                desk.press("ArrowRight");
            }
            1 => desk.click("#step-next"),
            _ => {
                desk.evaluate("document.getElementById('step-next').focus() ?? 0");
                desk.press("Enter");
            }
        }
        assert_eq!(desk.text(step), number.to_string());
        if number == groups[0].len() {
            // The last step is the end, which is no number in the address.
            break;
        }
        for (index, groups) in groups.iter().enumerate() {
            let text = desk.text(&format!(
                "document.querySelector('{} .clauses').textContent",
                view(index + 1)
            ));
            let Some((section, steps)) = groups.get(number - 1) else {
                assert!(text.contains(&format!("The end, after {}", groups.len())), "{text}");
                continue;
            };
            let step =
                format!("Step {number} of {}: {section}, {} clause", groups.len(), steps.len());
            assert!(text.contains(&step), "{text}, not {step}");
            for clause in steps {
                for literal in clause["clause"].as_array().unwrap() {
                    assert!(text.contains(literal.as_str().unwrap()), "{text}");
                }
            }
            // The squares that are ruled out so far, and no others.
            let done = groups[..number].iter().flat_map(|(_, steps)| steps);
            let out: Vec<u64> = done
                .flat_map(|step| step["rules_out"].as_array().unwrap())
                .map(|square| {
                    (square[0].as_u64().unwrap() - 1) * 6 + square[1].as_u64().unwrap() - 1
                })
                .collect();
            if number < groups.len() {
                for (square, look) in (0..).zip(looks(&desk, index + 1)) {
                    assert_eq!(look == "attacked", out.contains(&square), "{number}: {square}");
                }
            }
        }
    }
    assert_eq!([looks(&desk, 1), looks(&desk, 2)], ends);
    desk.click("#step-start");
    assert_eq!(desk.text(step), "0");
    assert!(looks(&desk, 1).iter().all(|look| look == "queen" || look == "free"));
    desk.click("#step-end");
    desk.click("#step-previous");
    assert_eq!(desk.text(step), (groups[0].len() - 1).to_string());
    // Play goes on from there, and Stop ends it.
    desk.click("#step-play");
    desk.until("document.getElementById('step-next').textContent === 'First step'");
    desk.until("document.getElementById('step-play').textContent === 'Play'");
    desk.click("#step-play");
    desk.until("document.getElementById('step-play').textContent === 'Stop'");
    desk.click("#step-play");
    desk.until("document.getElementById('step-play').textContent === 'Play'");
}

#[test]
fn a_click_on_a_small_board_gives_the_effect_of_each_encoding() {
    let Some(desk) = Desk::new(BOARD) else { return };
    let answers = [look_through(&desk, 1, "pairwise"), look_through(&desk, 2, "binary")];
    let square = |first: bool, second: bool| {
        let is_wanted = |&at: &usize| {
            let [row, column] = [at / 6, at % 6];
            answers[0]["sees"][row][column] == first
                && answers[1]["sees"][row][column] == second
                && answers.iter().all(|answer| answer["squares"][row][column] == "attacked")
        };
        (0..36_usize).find(is_wanted).expect("there is such a square")
    };
    let place = |at: usize| format!("({}, {})", at / 6 + 1, at % 6 + 1);
    let click = |number: usize, at: usize| {
        desk.click(&format!("{} .picture rect:nth-of-type({})", view(number), at + 1));
    };
    let (differing, same) = (square(true, false), square(true, true));
    for number in [1, 2] {
        click(number, differing);
        desk.until_message(&format!(
            "{}: pairwise rules it out, binary does not.",
            place(differing)
        ));
        click(number, same);
        desk.until_message(&format!("{}: both encodings rule it out.", place(same)));
        click(number, 1);
        desk.until_message("(1, 2) holds a queen.");
    }
    // A key on the board does the same.
    let cell = at([differing as u32 / 6 + 1, differing as u32 % 6 + 1]);
    desk.evaluate(&format!("document.querySelector('{cell}').focus() ?? 0"));
    desk.press("e");
    desk.until_message(&format!("{}: pairwise rules it out, binary does not.", place(differing)));
    // The list has all of these squares, when it is unfolded.
    let list = "document.querySelector('#differing div')";
    assert!(desk.evaluate(&format!("{list}.checkVisibility()")) == false);
    desk.click("#differing summary");
    desk.until(&format!("{list}.checkVisibility()"));
    let text = desk.text(&format!("{list}.textContent"));
    assert!(text.starts_with("pairwise alone rules out (") && text.contains(&place(differing)));
    let only = beyond(&answers[0], &answers[1]) + beyond(&answers[1], &answers[0]);
    assert_eq!(text.matches('(').count(), only, "{text}");
}

#[test]
fn small_boards_have_numbers_of_rows_and_columns() {
    let Some(desk) = Desk::new("size=8") else { return };
    for (board, numbers) in [("size=6&queens=1.2", "123456"), ("size=12&queens=1.2", "1510")] {
        desk.enter(board);
        for side in ["across", "down"] {
            let text = format!("document.querySelector('{} .{side}').textContent", view(2));
            desk.until(&format!("{text} === '{numbers}'"));
        }
    }
}

#[test]
fn a_button_leads_to_the_first_step_that_rules_out_a_framed_square() {
    let Some(desk) = Desk::new(BOARD) else { return };
    let answers = [look_through(&desk, 1, "pairwise"), look_through(&desk, 2, "binary")];
    let is_out = |answer: &Json, square: &Json| {
        let [row, column] = [0_usize, 1].map(|at| square[at].as_u64().unwrap() as usize - 1);
        answer["sees"][row][column] == true
    };
    let is_framed = |square: &Json| is_out(&answers[0], square) != is_out(&answers[1], square);
    let firsts = answers.iter().filter_map(|answer| {
        let has_framed = |(_, steps): &(String, Vec<Json>)| {
            steps.iter().flat_map(|step| step["rules_out"].as_array().unwrap()).any(is_framed)
        };
        groups(answer).iter().position(has_framed)
    });
    let first = (1 + firsts.min().expect("a square is framed")).to_string();
    let step = "document.getElementById('step').value";
    desk.until("document.querySelector('#propagation .differing')");
    desk.click("#step-difference");
    assert_eq!(desk.text(step), first);
    desk.click("#step-start");
    desk.evaluate("document.getElementById('step-difference').focus() ?? 0");
    desk.press("Enter");
    assert_eq!(desk.text(step), first);
    // Without a difference the step stays.
    desk.choose("#propagation .view:nth-child(2) select", "pairwise");
    desk.until("document.getElementById('difference').textContent.startsWith('Both sides')");
    desk.click("#step-difference");
    assert_eq!(desk.text(step), first);
}

#[test]
fn the_buttons_of_steps_stay_where_they_are_from_step_to_step() {
    let Some(desk) = Desk::new(BOARD) else { return };
    desk.until("document.querySelector('#propagation .differing')");
    let top = "document.getElementById('steps').getBoundingClientRect().top + scrollY";
    desk.click("#step-start");
    let before = desk.number(top);
    for _ in 0..4 {
        desk.click("#step-next");
        assert!((desk.number(top) - before).abs() < 1.0, "{} after {before}", desk.number(top));
    }
}

#[test]
fn encodings_are_grouped_and_found_by_words_of_their_titles() {
    let Some(desk) = Desk::new(BOARD) else { return };
    let listed = desk.server.json("/api/limits")["encodings"].as_array().unwrap().len();
    let options = |side: usize| {
        desk.count(&format!(
            "[...document.querySelectorAll('{} option')].filter((it) => it.value).length",
            view(side)
        ))
    };
    assert_eq!((options(1), options(2)), (listed as u64, listed as u64));
    let group =
        "document.querySelector('#propagation .view optgroup[label=commander]').children.length";
    assert!(desk.count(group) > 3);
    desk.click("#find-encoding");
    for key in ["c", "o", "m", "m", "a", "n", "d", "e", "r"] {
        desk.press(key);
    }
    desk.until("document.getElementById('found-encodings').textContent.includes(' of ')");
    assert!(options(1) < listed as u64 / 3, "{} are found", options(1));
    // The chosen encodings stay chosen.
    for (side, encoding) in [(1, "pairwise"), (2, "binary")] {
        let value = format!("document.querySelector('{} select').value", view(side));
        assert_eq!(desk.text(&value), encoding);
    }
    // Enter leads to the list.
    desk.press("Enter");
    assert!(desk.evaluate("document.activeElement.matches('#propagation .view select')") == true);
    desk.choose("#propagation .view:nth-child(1) select", "commander:2");
    desk.until(
        "document.querySelector('#propagation-table th:nth-child(2)')?.textContent === 'commander:2'",
    );
}

#[test]
fn a_conflict_is_shown_with_the_clause_that_has_no_literal_left() {
    let Some(desk) = Desk::new("size=4&queens=1.1_2.3") else { return };
    let clauses = "document.querySelector('#propagation .view .clauses')?.textContent";
    desk.until(&format!("{clauses}?.includes('ends in a conflict')"));
    desk.click("#step-start");
    assert!(!desk.text(clauses).contains("ends in a conflict"));
}
