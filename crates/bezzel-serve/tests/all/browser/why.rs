//! The reason why a square is ruled out.

use bezzel_chromium::PHONE;

use crate::browser::desk::{Desk, at};
use crate::server::test_server::TestServer;

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
        desk.until(&format!("why.textContent.includes('({row}, {column}): not possible')"));
        let text = desk.text("message.textContent");
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
    assert!(text.contains("Queen on (3, 3)"), "{text}");
    assert!(text.contains("diagonal down to the right"), "{text}");
    assert_eq!(lit(&desk, "cause"), ["3.3"]);
}

#[test]
fn the_line_of_an_attack_is_drawn_around_the_edges_of_a_torus() {
    let Some(desk) = Desk::new("size=7&geometry=torus&queens=1.1") else { return };
    let path = "document.querySelector('#lines .over')?.getAttribute('d') ?? ''";
    assert_eq!(desk.text(path), "");
    // One step down to the left leads over the left edge.
    desk.click(&at([2, 7]));
    desk.until_message("attacks (2, 7)");
    assert_eq!(desk.text(path), "M0.5 0.5L-0.5 1.5M7.5 0.5L6.5 1.5");
    desk.press("Escape");
    assert_eq!(desk.text(path), "");
    // A key asks as well. The clicked square has the focus.
    desk.press("w");
    desk.until(&format!("({path}) === 'M0.5 0.5L-0.5 1.5M7.5 0.5L6.5 1.5'"));
    desk.press("Escape");
    desk.open("size=8&queens=3.3");
    desk.click(&at([5, 5]));
    desk.until_message("attacks (5, 5)");
    assert_eq!(desk.text(path), "M2.5 2.5L3.5 3.5M3.5 3.5L4.5 4.5");
    // It goes with the board.
    desk.click(&at([3, 3]));
    desk.until_queens("");
    assert_eq!(desk.text(path), "");
}

#[test]
fn a_finger_on_a_crossed_square_draws_the_line() {
    let fragment = "size=8&queens=3.3";
    let Some(desk) = Desk::on(TestServer::new(), fragment, PHONE) else { return };
    desk.touch(&at([5, 5]));
    desk.until_message("attacks (5, 5)");
    let path = "document.querySelector('#lines .over').getAttribute('d')";
    assert_eq!(desk.text(path), "M2.5 2.5L3.5 3.5M3.5 3.5L4.5 4.5");
}

#[test]
fn a_torus_without_solution_names_the_theorem() {
    let Some(desk) = Desk::new("size=8&geometry=torus") else { return };
    desk.until_left("No solution exists");
    desk.until_message("if and only if neither 2 nor 3 divides N (Pólya 1918).");
    desk.click(&at([3, 4]));
    desk.until_message("No solution uses (3, 4), since this board has none");
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
    desk.until_message("holds a piece");
    for key in ["ArrowDown", "ArrowRight", "ArrowRight", "Shift+W"] {
        desk.press(key);
    }
    assert_eq!(desk.look([2, 4]), "outlined");
    desk.until_message("is not ruled out");
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
    desk.until("why.textContent.includes('Queen on (1, 1)')");
    // The board alone rules out its corner.
    desk.open("size=6");
    assert_eq!(desk.look([1, 1]), "dead");
    desk.click(&at([1, 1]));
    desk.until("why.textContent.includes('The board alone')");
}
