//! The address contains the board.

use bezzel_chromium::{DESKTOP, Page};

use crate::browser::desk::{Desk, at};
use crate::server::test_server::TestServer;

#[test]
fn a_link_opens_the_same_board_in_another_window() {
    let Some(desk) = Desk::new("size=7") else { return };
    desk.click("#edit-blocked");
    desk.click(&at([4, 4]));
    desk.until_look([4, 4], "blocked");
    desk.click("#edit-blocked");
    desk.click(&at([1, 2]));
    desk.until_queens("1.2");
    let address = desk.text("location.href");
    assert_eq!(address, desk.address("size=7&queens=1.2&blocked=4.4"));
    let looks = desk.looks();
    let left = "document.getElementById('count').textContent";
    let page = Page::open(&address, DESKTOP).expect("there is a browser");
    page.until(&format!("{left} === {:?}", desk.text(left)));
    let same =
        "[...document.querySelectorAll('#grid [role=gridcell]')].map((it) => it.dataset.look)";
    assert_eq!(page.evaluate(same), serde_json::json!(looks));
    // The link to copy is the address, copied or shown.
    desk.click("#copy");
    desk.until("/link/i.test(message.textContent)");
    assert_eq!(desk.text("document.getElementById('link').value"), address);
}

#[test]
fn back_and_forward_go_through_the_boards() {
    let Some(desk) = Desk::new("size=6") else { return };
    desk.click(&at([1, 3]));
    desk.until_queens("1.3");
    desk.click(&at([2, 6]));
    desk.until_queens("1.3_2.6");
    for (step, queens, left) in [
        ("back", "1.3", "1 solution left"),
        ("back", "", "4 solutions left"),
        ("forward", "1.3", "1 solution left"),
    ] {
        desk.evaluate(&format!("history.{step}() ?? 0"));
        desk.until_queens(queens);
        desk.until_left(left);
    }
    // A typed address opens a board as well, and can be undone.
    desk.enter("size=5&queens=1.1");
    desk.until_left("2 solutions left");
    desk.click("#undo");
    desk.until_queens("1.3");
    desk.until_left("1 solution left");
}

#[test]
fn nonsense_in_the_address_is_reported_and_the_page_goes_on() {
    let Some(desk) = Desk::new("size=8") else { return };
    for (fragment, word) in [
        ("size=99", "size=99"),
        ("size=-1&queens=1.1", "size=-1"),
        ("rubbish", "rubbish"),
        ("size=8&queens=one", "queens=one"),
        ("size=8&geometry=sphere", "sphere"),
        // Inherited properties of JavaScript objects are no keys of a board.
        ("size=8&toString=1", "the key toString is unknown"),
        ("size=8&constructor=1", "the key constructor is unknown"),
        ("size=8&__proto__=1", "the key __proto__ is unknown"),
        ("%ff%00<img src=x onerror=alert(1)>", "is unknown"),
        ("size=8&step=last", "step=last"),
        ("size=8&heat=1", "heat=1 is neither on nor off"),
        // The page parses these, and the server refuses them.
        ("size=8&queens=9.9", "(9, 9)"),
        ("size=8&queens=1.1_1.2", "(1, 2)"),
        ("size=8&queens=1.1&blocked=1.1", "(1, 1)"),
        ("size=0", "not a size from 1 to 27"),
        ("size=40", "not a size from 1 to 27"),
    ] {
        desk.load(fragment);
        desk.until("!wrong.hidden");
        let text = desk.text("document.getElementById('wrong-text').textContent");
        assert!(text.contains(word) && text.len() > 20, "{fragment}: {text}");
        // The page stays usable.
        desk.enter("size=6&queens=1.2");
        desk.until_left("1 solution left");
        desk.until_queens("1.2");
        desk.until("wrong.hidden");
    }
}

#[test]
fn a_board_that_the_server_refuses_can_be_mended_by_hand() {
    let Some(desk) = Desk::new("size=8") else { return };
    for fragment in ["size=8&queens=1.1_1.2", "size=8&queens=9.9"] {
        desk.load(fragment);
        desk.until("!wrong.hidden");
        desk.until_left("Not a board");
        desk.click("#clear");
        desk.until_left("92 solutions left");
        desk.until("wrong.hidden");
        // Undo to the refused board is refused again; redo shows the valid board.
        desk.click("#undo");
        desk.until("!wrong.hidden");
        desk.until_left("Not a board");
        desk.click("#redo");
        desk.until_left("92 solutions left");
    }
}

#[test]
fn a_refused_link_clears_the_reply_and_offers_the_empty_board() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    desk.click(&at([1, 5]));
    desk.until_message("No queen on (1, 5)");
    desk.enter("size=8&queens=1.1_1.2&blocked=4.4");
    desk.until_left("Not a board");
    desk.until("!message.textContent.includes('No queen')");
    desk.click("#wrong-without");
    desk.until_left("92 solutions left");
    desk.until("wrong.hidden");
    desk.until_queens("");
    // By a key, too.
    desk.enter("size=8&queens=9.9");
    desk.until("document.getElementById('wrong-without').checkVisibility()");
    desk.evaluate("document.getElementById('wrong-without').focus() ?? 0");
    desk.press("Enter");
    desk.until_left("92 solutions left");
    desk.until("wrong.hidden");
}

#[test]
fn a_link_has_the_encodings_the_step_and_the_toggles() {
    let Some(desk) = Desk::new("size=6&queens=1.2") else { return };
    desk.choose("#propagation .view:nth-child(2) select", "support");
    desk.until("!document.getElementById('propagation-table').hidden");
    desk.until(
        "document.querySelector('#propagation-table th:nth-child(3)')?.textContent === 'support'",
    );
    desk.click("#step-next");
    desk.click("#heat");
    desk.click("#numbers");
    let address = desk.text("location.href");
    let fragment = "size=6&queens=1.2&second=support&step=1&heat=off&numbers=on";
    assert_eq!(address, desk.address(fragment));
    assert_eq!(desk.text("document.getElementById('link').value"), address);
    // Loaded again, the page shows the same.
    desk.open(fragment);
    desk.until(
        "document.querySelector('#propagation-table th:nth-child(3)')?.textContent === 'support'",
    );
    desk.until("document.getElementById('step').value === '1'");
    assert_eq!(desk.text("heat.ariaPressed"), "false");
    assert_eq!(desk.text("numbers.ariaPressed"), "true");
    // A step belongs to its board: the next board shows the end.
    desk.click(&at([1, 2]));
    desk.until_queens("");
    assert!(!desk.text("location.hash").contains("step"));
    // An encoding that is not listed, but has a name.
    desk.open("size=6&queens=1.2&first=commander:5%2Bflat");
    desk.until(
        "document.querySelector('#propagation-table th:nth-child(2)')?.textContent === 'commander:5+flat'",
    );
}

#[test]
fn a_refused_board_is_mended_step_by_step_and_what_was_before_stays_in_the_trail() {
    let Some(desk) = Desk::new("size=8&queens=2.2") else { return };
    desk.enter("size=8&queens=1.3_1.5_1.7");
    desk.until("!wrong.hidden");
    desk.until_left("Not a board");
    // Two of them still attack each other: the page reports it, and the step is kept.
    desk.click(&at([1, 7]));
    desk.until("!wrong.hidden");
    desk.until_queens("1.3_1.5");
    desk.until_left("Not a board");
    assert!(desk.text("location.hash").ends_with("queens=1.3_1.5"));
    desk.click(&at([1, 5]));
    desk.until("wrong.hidden");
    desk.until_queens("1.3");
    desk.until_left("16 solutions left");
    // Every step can be undone; by keys, since messages that appear and disappear move the buttons.
    for queens in ["1.3_1.5", "1.3_1.5_1.7", "2.2"] {
        desk.press("Control+Z");
        desk.until_queens(queens);
    }
    desk.until_left("16 solutions left");
    for queens in ["1.3_1.5_1.7", "1.3_1.5", "1.3"] {
        desk.press("Control+Y");
        desk.until_queens(queens);
    }
    desk.until_left("16 solutions left");
}

#[test]
fn a_square_that_is_written_twice_holds_one_queen() {
    let Some(desk) = Desk::new("size=6&queens=1.2_1.2_1.2_1.02_1.2_1.2&blocked=6.1_6.1") else {
        return;
    };
    desk.until_left("1 solution left");
    desk.until_queens("1.2");
    desk.until_message("the 5 missing queens are outlined");
    assert_eq!(
        desk.text("document.getElementById('link').value"),
        desk.address("size=6&queens=1.2&blocked=6.1")
    );
    // It is removed at once.
    desk.click(&at([1, 2]));
    desk.until_queens("");
}

#[test]
fn the_state_of_the_tab_comes_back_after_another_page() {
    let Some(desk) = Desk::new("size=6&second=support") else { return };
    let other_page_and_back = || {
        desk.go(&format!("http://{}/problems", desk.server.address));
        desk.click("header nav a[href='/']");
        desk.until("location.pathname === '/' && document.readyState === 'complete'");
        desk.is_answered();
    };
    // The state of a link comes back, and so does a change of it.
    for queens in ["", "1.2"] {
        other_page_and_back();
        desk.until_queens(queens);
        desk.until_message("The last board of this tab is restored.");
        let second = "document.querySelector('#propagation .view:nth-child(2) select')?.value";
        desk.until(&format!("{second} === 'support'"));
        desk.until("location.hash.includes('size=6') && location.hash.includes('second=support')");
        if queens.is_empty() {
            desk.click(&at([1, 2]));
            desk.until_queens("1.2");
        }
    }
    // An address with a board shows that board.
    desk.open("size=5&queens=1.1");
    desk.until_queens("1.1");
    assert!(!desk.text("message.textContent").contains("restored"));
    // Without storage the page has the board of a first visit.
    let source =
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new Error(); } });";
    desk.call("Page.addScriptToEvaluateOnNewDocument", &serde_json::json!({"source": source}));
    other_page_and_back();
    desk.until_queens("1.3_5.4");
    assert!(desk.evaluate("wrong.hidden") == true);
}

#[test]
fn an_address_without_a_page_leads_to_the_board() {
    let server = TestServer::new();
    let address = format!("http://{}/reports/none/", server.address);
    let Some(page) = Page::open(&address, DESKTOP) else { return };
    assert_eq!(
        page.text("document.querySelector('h1').textContent"),
        "There is no page at this address"
    );
    page.click("a[href='/']");
    page.until("location.pathname === '/' && document.querySelector('#grid')");
}
