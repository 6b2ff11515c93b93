//! The reason why a square is ruled out.

use crate::browser::desk::{Desk, at};

/// Returns the squares that are highlighted as `how`, such as `cause`.
fn lit(desk: &Desk, how: &str) -> Vec<String> {
    let squares = format!(
        "[...document.querySelectorAll('#grid [data-lit~={how}]')].map((it) => it.dataset.row + '.' + it.dataset.column)"
    );
    serde_json::from_value(desk.evaluate(&squares)).unwrap()
}

#[test]
fn a_dead_square_tells_the_smallest_set_and_every_link_of_the_chain() {
    let board = "size=8&queens=1.1_2.5";
    let Some(desk) = Desk::new(board) else { return };
    let squares = desk.server.json(&format!("/api/board?{board}"))["squares"].clone();
    let dead = (1..=64_u32).map(|index| [index.div_ceil(8), (index - 1) % 8 + 1]);
    let dead = dead
        .filter(|&[row, column]| squares[row as usize - 1][column as usize - 1]["mark"] == "dead");
    let mut links = 0;
    for square @ [row, column] in dead.take(4) {
        let answer = desk.server.json(&format!("/api/why?{board}&square={row}.{column}"));
        desk.click(&at(square));
        desk.until(&format!(
            "why.textContent.includes('Row {row}, column {column}: not possible')"
        ));
        let text = desk.text("why.textContent");
        assert!(text.contains(answer["text"].as_str().unwrap()), "{text}");
        let queens = answer["queens"].as_array().unwrap();
        let causes = desk.count("document.querySelectorAll('#why .causes li').length");
        assert_eq!(causes, queens.len() as u64);
        let queens = queens.iter().map(|queen| format!("{}.{}", queen[0], queen[1]));
        assert_eq!(lit(&desk, "cause"), queens.collect::<Vec<_>>());
        assert_eq!(lit(&desk, "target"), [format!("{row}.{column}")]);
        let Some(chain) = answer["chain"].as_array() else { continue };
        let items = desk.count("document.querySelectorAll('#why .chain li').length");
        assert_eq!(items, chain.len() as u64 + 1, "the supposition, and each link");
        for (number, link) in chain.iter().enumerate() {
            desk.click("#why .stepper button:nth-of-type(2)");
            let now = desk.text("document.querySelector('#why .chain [aria-current]').textContent");
            assert!(
                now.eq_ignore_ascii_case(&format!("{}.", link["text"].as_str().unwrap())),
                "{now}"
            );
            let steps = chain[..=number].iter().filter(|link| !link["square"].is_null()).count();
            assert_eq!(lit(&desk, "step").len(), steps);
            links += 1;
        }
        assert_eq!(
            desk.evaluate(
                "document.querySelector('#why .stepper button:nth-of-type(2)').ariaDisabled"
            ),
            "true"
        );
    }
    assert!(links > 0, "some square has a chain");
}

#[test]
fn an_attacked_square_tells_its_queen_and_the_line() {
    let Some(desk) = Desk::new("size=8&queens=3.3_4.5") else { return };
    desk.click(&at([8, 8]));
    desk.until("document.querySelectorAll('#why .causes li').length === 1");
    let text = desk.text("why.textContent");
    assert!(text.contains("Queen on row 3, column 3"), "{text}");
    assert!(text.contains("diagonal down to the right"), "{text}");
    assert_eq!(lit(&desk, "cause"), ["3.3"]);
}

#[test]
fn w_asks_and_escape_puts_the_answer_away() {
    let Some(desk) = Desk::new("size=6&queens=1.2") else { return };
    let nothing = desk.text("why.textContent");
    desk.evaluate("grid.querySelector('[tabindex=\"0\"]').focus() ?? 0");
    for key in ["ArrowRight", "ArrowRight", "w"] {
        desk.press(key);
    }
    desk.until("document.querySelectorAll('#why .causes li').length === 1");
    desk.until_queens("1.2");
    desk.press("Escape");
    assert_eq!(desk.text("why.textContent"), nothing);
    assert_eq!(lit(&desk, "cause"), [""; 0]);
    // A square that is not ruled out has no reason.
    desk.press("ArrowLeft");
    desk.press("w");
    desk.until_said("holds a piece");
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "Shift+W"] {
        desk.press(key);
    }
    assert_eq!(desk.look([2, 4]), "outlined");
    desk.until_said("is not ruled out");
}

#[test]
fn the_answer_goes_when_the_board_changes() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    let nothing = desk.text("why.textContent");
    desk.click(&at([1, 5]));
    desk.until("document.querySelectorAll('#why .causes li').length === 1");
    desk.click(&at([1, 1]));
    desk.until_queens("");
    assert_eq!(desk.text("why.textContent"), nothing);
}

#[test]
fn a_board_without_solution_says_so_and_why() {
    let Some(desk) = Desk::new("size=6&queens=1.1") else { return };
    desk.until_left("No solution left");
    desk.click(&at([2, 3]));
    desk.until("why.textContent.includes('Queen on row 1, column 1')");
    // The board alone rules out its corner.
    desk.open("size=6");
    assert_eq!(desk.look([1, 1]), "dead");
    desk.click(&at([1, 1]));
    desk.until("why.textContent.includes('The board alone')");
}
