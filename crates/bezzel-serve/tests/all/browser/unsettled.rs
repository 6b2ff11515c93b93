//! Squares without a known mark: while a board is compiled, and after a search that was cut short.

use serde_json::json;

use crate::browser::desk::{Desk, at};

/// Replaces the board answers that the page gets: their marks follow from the rules only, and their method is
/// `how`. The server's reasons are unchanged. `window.asked` contains the questions for reasons, which wait until
/// `window.held` resolves.
fn know_only_the_rules(desk: &Desk, how: &str) {
    desk.evaluate(&format!(
        "(() => {{
            const real = window.fetch;
            window.how = '{how}';
            window.asked = [];
            window.held = Promise.resolve();
            window.fetch = async (address, options) => {{
                if (address.startsWith('/api/why')) {{
                    asked.push(address);
                    await held;
                }}
                const response = await real(address, options);
                if (!how || !address.startsWith('/api/board') || !response.ok) return response;
                const answer = await response.json();
                for (const square of answer.squares.flat()) {{
                    square.count = null;
                    if (['free', 'dead'].includes(square.mark)) square.mark = 'unknown';
                }}
                const progress = {{ seconds: 1, nodes: 1000 }};
                return Response.json({{ ...answer, how, progress, solutions: null, completion: null }});
            }};
            return 1;
        }})()"
    ));
}

/// Returns the squares of the questions to the server.
fn asked(desk: &Desk) -> Vec<String> {
    let squares =
        "asked.map((address) => new URLSearchParams(address.split('?')[1]).get('square'))";
    serde_json::from_value(desk.evaluate(squares)).unwrap()
}

#[test]
fn a_press_asks_first_and_places_only_what_is_not_ruled_out() {
    let Some(desk) = Desk::new("size=8") else { return };
    for how in ["compiling", "search"] {
        desk.load("size=8");
        desk.until_left("92 solutions left");
        know_only_the_rules(&desk, how);
        desk.click(&at([1, 1]));
        desk.until_queens("1.1");
        desk.until_look([2, 3], "unknown");
        // No piece attacks it, and no solution uses it.
        desk.click(&at([2, 3]));
        desk.until("why.textContent.includes('(2, 3): not possible')");
        desk.until_message("No queen on (2, 3)");
        desk.until_queens("1.1");
        desk.click(&at([2, 5]));
        desk.until_queens("1.1_2.5");
        desk.until_message("Queen on (2, 5).");
        assert!(desk.evaluate("wrong.hidden") == true);
        assert_eq!(asked(&desk), ["2.3", "2.5"], "{how}");
        // A question for the reason only is answered as well, and places no queen.
        desk.until_look([3, 8], "unknown");
        desk.press("w");
        desk.until_message("holds a piece");
        for key in ["ArrowDown", "End", "w"] {
            desk.press(key);
        }
        desk.until_message("(3, 8) is not ruled out.");
        desk.until_queens("1.1_2.5");
        assert!(desk.evaluate("wrong.hidden") == true);
    }
}

#[test]
fn a_press_that_waits_is_forgotten_when_the_board_changes() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    know_only_the_rules(&desk, "compiling");
    desk.click(&at([1, 1]));
    desk.until_look([2, 5], "unknown");
    desk.evaluate("(window.held = new Promise((done) => { window.release = done; })) && 1");
    desk.click(&at([2, 5]));
    desk.until("asked.length === 1");
    assert_eq!(desk.look([2, 5]), "unknown");
    desk.click("#undo");
    desk.until_queens("1.1");
    desk.evaluate("release() ?? 0");
    // A wrong queen would be there after this answer.
    desk.evaluate("fetch('/api/why?size=8&queens=1.1&square=2.5').then(() => 1)");
    desk.rest();
    desk.until_queens("1.1");
}

#[test]
fn unknown_squares_get_no_queen() {
    let Some(desk) = Desk::new("size=8") else { return };
    know_only_the_rules(&desk, "search");
    desk.click(&at([1, 1]));
    desk.until_queens("1.1");
    desk.until_look([2, 5], "unknown");
    // Both propagations of this board are answered: only the next question is without an answer.
    desk.until(
        "performance.getEntriesByType('resource').filter(({ name, responseEnd }) => \
            responseEnd > 0 && name.includes('/api/propagation') && name.includes('queens=1.1')).length >= 2",
    );
    let offline =
        json!({"offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    desk.call("Network.emulateNetworkConditions", &offline);
    desk.click(&at([2, 5]));
    desk.until("!wrong.hidden");
    let text = desk.text("document.getElementById('wrong-text').textContent");
    assert!(text.starts_with("If a queen can stand on (2, 5)"), "{text}");
    let command = format!("`bezzel serve --port {}`", desk.server.address.port());
    assert!(text.contains(&command), "{text}");
    desk.until_queens("1.1");
}

#[test]
fn a_queen_on_a_known_square_is_placed_without_a_question() {
    let Some(desk) = Desk::new("size=8") else { return };
    know_only_the_rules(&desk, "");
    for (square, queens) in [([1, 1], "1.1"), ([2, 5], "1.1_2.5")] {
        desk.click(&at(square));
        desk.until_queens(queens);
    }
    assert!(asked(&desk).is_empty());
    // The marks of most squares of a searched board are known as well.
    desk.enter("size=15&queens=1.1");
    desk.until_left("Solutions not counted");
    desk.until_look([2, 5], "free");
    desk.click(&at([2, 5]));
    desk.until_queens("1.1_2.5");
    assert!(asked(&desk).is_empty());
}

#[test]
fn the_page_below_the_view_does_not_move_while_a_board_is_compiled() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    desk.click("#mirror");
    desk.until_queens("1.8");
    desk.until_left("4 solutions left");
    desk.until("[...document.querySelectorAll('#propagation-table thead th')].length === 3");
    desk.rest();
    let below = "document.getElementById('solutions-title').getBoundingClientRect().top + scrollY";
    let top = desk.number(below);
    know_only_the_rules(&desk, "compiling");
    desk.evaluate("document.getElementById('step').focus() ?? 0");
    desk.press("Control+Z");
    desk.until_queens("1.1");
    desk.until("document.getElementById('propagation-table').hidden");
    desk.until(
        "document.querySelector('#propagation .view').textContent.includes('Waiting for the diagram')",
    );
    assert!(
        (desk.number(below) - top).abs() < 1.0,
        "it moves from {top} to {}",
        desk.number(below)
    );
    // The slider is gone, and its list of encodings has the focus.
    assert!(desk.evaluate("document.activeElement.matches('#propagation .view select')") == true);
    // After the compilation the part is as high as its content.
    desk.evaluate("(window.how = '') || 1");
    desk.until("!document.getElementById('propagation-table').hidden");
    desk.until(
        "[...document.querySelectorAll('#propagation .view')].every((it) => !it.style.minHeight)",
    );
    // Without encodings the part takes no space.
    for number in [1, 2] {
        desk.choose(&format!("#propagation .view:nth-child({number}) select"), "");
    }
    desk.until(&format!("{below} < {top} - 100"));
}
