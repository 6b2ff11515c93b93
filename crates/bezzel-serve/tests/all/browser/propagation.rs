//! The propagation of two encodings on the page.

use serde_json::Value as Json;

use crate::browser::desk::Desk;

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

#[test]
fn two_encodings_stand_side_by_side_and_see_different_squares() {
    let Some(desk) = Desk::new(BOARD) else { return };
    for encodings in [["pairwise", "support"], ["pairwise", "binary"]] {
        let mut shown = Vec::new();
        for (index, encoding) in encodings.into_iter().enumerate() {
            let answer = look_through(&desk, index + 1, encoding);
            assert_eq!(looks(&desk, index + 1), expected(&answer), "{encoding}");
            let column = format!(
                "[...document.querySelectorAll('#propagation-table td:nth-child({})')].map((it) => it.textContent.replaceAll(',', ''))",
                index + 2
            );
            let cells: Vec<String> = serde_json::from_value(desk.evaluate(&column)).unwrap();
            let counts = &answer["counts"];
            let numbers = [
                &counts["attacked"],
                &counts["attacked_seen"],
                &counts["propagated"],
                &counts["diagram"],
                &answer["variables"],
                &answer["auxiliary"],
                &answer["clauses"],
            ];
            assert_eq!(cells, numbers.map(ToString::to_string), "{encoding}");
            shown.push((looks(&desk, index + 1), cells));
        }
        assert_ne!(shown[0].0, shown[1].0, "the marks of {encodings:?}");
        assert_ne!(shown[0].1, shown[1].1, "the counts of {encodings:?}");
    }
}

#[test]
fn propagation_is_gone_through_step_by_step_with_the_clause_of_each() {
    let Some(desk) = Desk::new(BOARD) else { return };
    let answer = look_through(&desk, 1, "pairwise");
    let steps = answer["steps"].as_array().unwrap();
    let clause = "document.querySelector('#propagation .view .clause').textContent";
    let end = looks(&desk, 1);
    desk.evaluate("document.querySelector('#propagation .view [type=range]').focus() ?? 0");
    desk.press("Home");
    let step_text = desk.text(clause);
    assert!(step_text.contains(&format!("Step 0 of {}", steps.len())), "{step_text}");
    // At first only the given squares have a state.
    assert!(looks(&desk, 1).iter().all(|look| look == "queen" || look == "free"));
    let mut out = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if index % 2 == 0 {
            desk.press("ArrowRight");
        } else {
            desk.click("#propagation .view .stepper button:last-of-type");
        }
        let step_text = desk.text(clause);
        assert!(step_text.contains(&format!("Step {} of", index + 1)), "{step_text}");
        assert!(step_text.contains(step["section"].as_str().unwrap()), "{step_text}");
        for literal in step["clause"].as_array().unwrap() {
            assert!(step_text.contains(literal.as_str().unwrap()), "{step_text}");
        }
        assert!(
            step_text.contains(&format!("gives {}", step["gives"].as_str().unwrap())),
            "{step_text}"
        );
        out.extend(
            step["rules_out"].as_array().unwrap().iter().map(|square| {
                (square[0].as_u64().unwrap() - 1) * 6 + square[1].as_u64().unwrap() - 1
            }),
        );
        desk.evaluate("document.querySelector('#propagation .view [type=range]').focus() ?? 0");
        if index + 1 < steps.len() {
            let marked = looks(&desk, 1);
            for square in 0..36 {
                let is_marked = marked[square as usize] == "attacked";
                assert_eq!(is_marked, out.contains(&square), "step {}, square {square}", index + 1);
            }
        }
    }
    assert_eq!(looks(&desk, 1), end);
    desk.click("#propagation .view .stepper button:first-of-type");
    assert!(desk.text(clause).contains(&format!("Step {} of", steps.len() - 1)));
}

#[test]
fn a_conflict_is_reported_with_the_clause_that_has_no_literal_left() {
    let Some(desk) = Desk::new("size=4&queens=1.1_2.3") else { return };
    let clause = "document.querySelector('#propagation .view .clause')?.textContent";
    desk.until(&format!("{clause}.includes('no literal left')"));
    assert!(desk.text(clause).contains("ends in a conflict"));
}
