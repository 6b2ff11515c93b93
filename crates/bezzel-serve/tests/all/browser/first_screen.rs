//! The first screen: a position where two encodings differ, with all that a task needs in view.

use bezzel_chromium::{PHONE, Screen};

use crate::browser::desk::{Desk, at};
use crate::server::test_server::TestServer;

/// The window of a common laptop.
const LAPTOP: Screen = Screen { width: 1366, height: 768, touched: false, scripts: true };

#[track_caller]
fn is_in_view(desk: &Desk, parts: &[&str]) {
    desk.rest();
    assert!(desk.number("scrollY") < 1.0);
    for part in parts {
        let seen = format!(
            "[...document.querySelectorAll('{part}')].every((it) => {{
                const {{ top, bottom, height }} = it.getBoundingClientRect();
                return height > 0 && top >= 0 && bottom <= innerHeight;
            }})"
        );
        let bottom = format!("document.querySelector('{part}').getBoundingClientRect().bottom");
        assert!(desk.evaluate(&seen) == true, "{part} ends at {}", desk.number(&bottom));
    }
}

#[test]
fn a_first_visit_shows_a_position_where_the_encodings_differ() {
    let Some(desk) = Desk::on(TestServer::new(), "", LAPTOP) else { return };
    desk.until_queens("1.3_5.4");
    desk.until_left("3 solutions left");
    let difference = "document.getElementById('difference').textContent";
    desk.until(&format!("{difference} === 'pairwise rules out 27 squares that binary does not.'"));
    let differing =
        "document.querySelectorAll('#propagation .view:nth-child(1) .differing').length";
    assert_eq!(desk.count(differing), 27);
    assert_eq!(desk.count("document.querySelectorAll('#tour li').length"), 3);
    // Both axes of the board are labelled.
    for (axis, label) in [("across", "column"), ("down", "row")] {
        let style = format!("getComputedStyle(document.getElementById('{axis}'), '::before')");
        assert_eq!(desk.text(&format!("{style}.content")), format!("\"{label}\""));
    }
    let how = desk.text("document.getElementById('how').textContent");
    assert!(how.ends_with("Squares are written (row, column)."), "{how}");
    is_in_view(
        &desk,
        &[
            "h1",
            "#purpose",
            "#size",
            "#undo",
            "#complete",
            "#random",
            "#copy",
            "#files-open",
            "#measure-open",
            "#grid",
            "#here",
            "#tour",
            "#difference",
            "#steps",
            "#propagation .picture",
        ],
    );
    desk.click("#tour-close");
    desk.until("document.getElementById('tour').hidden");
    desk.call("Page.reload", &serde_json::json!({}));
    desk.until("document.readyState === 'complete' && grid.children.length");
    assert!(desk.evaluate("document.getElementById('tour').hidden") == true);
}

#[test]
fn the_reply_is_in_view_on_laptop_and_phone_whatever_the_size() {
    for screen in [LAPTOP, PHONE] {
        let Some(desk) = Desk::on(TestServer::new(), "size=8&queens=1.3_5.4", screen) else {
            return;
        };
        for fragment in ["size=8&queens=1.3_5.4", "size=12&queens=1.3_5.4", "size=4&queens=1.2"] {
            desk.open(fragment);
            // A click or a touch on a cell scrolls it to the middle, so the page goes back to its top.
            desk.click(&at([1, 1]));
            desk.until_message("No queen on (1, 1)");
            desk.evaluate("scrollTo(0, 0) ?? 0");
            is_in_view(&desk, &["#undo", "#complete", "#grid", "#message"]);
        }
    }
}

#[test]
fn on_a_phone_a_line_below_the_board_compares_the_encodings() {
    let Some(desk) = Desk::on(TestServer::new(), "size=8&queens=1.3_5.4", PHONE) else { return };
    let line = "document.getElementById('differs')";
    desk.until(&format!("{line}.textContent.startsWith('Squares ruled out: pairwise ')"));
    // All squares that binary rules out are among those of pairwise.
    let [one, other] = [0, 1].map(|at| format!("Number({line}.textContent.match(/\\d+/g)[{at}])"));
    assert_eq!(desk.count(&format!("{one} - {other}")), 27);
    is_in_view(&desk, &["#undo", "#complete", "#grid", "#message", "#differs"]);
    // The reply to a tap on a small board is below these boards, too.
    desk.touch("#propagation .view:nth-child(1) .picture rect:nth-of-type(3)");
    desk.until_message("(1, 3) holds a queen.");
    let effect = "document.getElementById('effect')";
    assert_eq!(desk.text(&format!("{effect}.textContent")), "(1, 3) holds a queen.");
    assert!(desk.evaluate(&format!("{effect}.checkVisibility()")) == true);
    desk.fit(LAPTOP);
    desk.until(&format!("!{line}.checkVisibility()"));
}

#[test]
fn keys_use_every_new_control() {
    let Some(desk) = Desk::new("size=8&queens=1.3_5.4") else { return };
    desk.until("document.getElementById('difference').textContent.includes('binary does not')");
    let press = |control: &str, key: &str| {
        desk.evaluate(&format!("document.getElementById('{control}').focus() ?? 0"));
        desk.press(key);
    };
    let step = "document.getElementById('step').value";
    let last = desk.text(step);
    press("step-start", "Enter");
    assert_eq!(desk.text(step), "0");
    press("step-difference", "Space");
    assert_ne!(desk.text(step), "0");
    press("step-end", "Enter");
    assert_eq!(desk.text(step), last);
    press("step-previous", "Space");
    assert_ne!(desk.text(step), last);
    press("step-play", "Enter");
    desk.until(&format!("{step} === '{last}'"));
    press("heat", "Space");
    desk.until("location.hash.includes('heat=off')");
    press("numbers", "Enter");
    desk.until("location.hash.includes('numbers=on')");
    press("copy", "Enter");
    desk.until("/link/i.test(message.textContent)");
    press("files-open", "Enter");
    assert_eq!(desk.text("document.activeElement.id"), "export-board");
    press("measure-open", "Enter");
    desk.until("document.getElementById('measure').open");
    press("copy-config", "Enter");
    desk.until("document.getElementById('measure-copied').textContent !== ''");
    press("measure-close", "Space");
    desk.until("!document.getElementById('measure').open");
}

#[test]
fn a_finger_uses_every_new_control() {
    let Some(desk) = Desk::on(TestServer::new(), "size=8", PHONE) else { return };
    desk.touch("#tour-close");
    desk.until("document.getElementById('tour').hidden");
    desk.until("document.getElementById('find-difference').checkVisibility()");
    desk.touch("#find-difference");
    desk.until_queens("1.3_5.4");
    desk.until("document.getElementById('difference').textContent.includes('binary does not')");
    let step = "document.getElementById('step').value";
    desk.touch("#step-next");
    assert_eq!(desk.text(step), "1");
    desk.touch("#step-previous");
    assert_eq!(desk.text(step), "0");
    desk.touch("#step-play");
    desk.until(&format!("{step} === '1'"));
    desk.touch("#step-end");
    desk.until("document.getElementById('step-play').textContent === 'Play'");
    desk.touch("#step-start");
    desk.until(&format!("{step} === '0'"));
    desk.touch("#step-difference");
    desk.until(&format!("{step} !== '0'"));
    desk.touch("#more summary");
    desk.touch("#numbers");
    desk.until("location.hash.includes('numbers=on')");
    desk.touch("#heat");
    desk.until("location.hash.includes('heat=off')");
    desk.touch("#files-open");
    desk.until("document.activeElement.id === 'export-board'");
    desk.touch("#find-encoding");
    desk.until("document.activeElement.id === 'find-encoding'");
    desk.touch("#measure-open");
    desk.until("document.getElementById('measure').open");
    desk.touch("#copy-command");
    desk.until("document.getElementById('measure-copied').textContent !== ''");
    desk.touch("#measure-close");
    desk.until("!document.getElementById('measure').open");
    desk.touch("#random");
    desk.until_left("Solved: 8 queens");
}
