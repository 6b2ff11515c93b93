//! A whole session without a mouse: every element is reachable, the focus is visible and never lost.

use serde_json::json;

use crate::browser::desk::{Desk, at};

/// The focused element, as its id or its name; empty if the focus is lost.
const FOCUSED: &str = "(() => {
    const it = document.activeElement;
    if (!it || it === document.body || !it.checkVisibility()) return '';
    return it.id || it.ariaLabel || it.textContent || it.name || it.localName;
})()";

/// True if the focused element is visible: it is in the window, and outlined.
const SEEN: &str = "(() => {
    const it = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(it);
    const { top, bottom, left, right } = it.getBoundingClientRect();
    const inside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    return inside && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
})()";

/// Presses a key, and checks that the focus is visible.
#[track_caller]
fn press(desk: &Desk, key: &str) -> String {
    desk.press(key);
    let focused = desk.text(FOCUSED);
    assert!(!focused.is_empty(), "{key}: nothing has the focus");
    assert!(desk.evaluate(SEEN) == true, "{key}: it is not seen that {focused} has the focus");
    focused
}

/// Presses Tab until an element has the focus, if necessary past the end of the page.
#[track_caller]
fn tab_to(desk: &Desk, selector: &str) {
    for _ in 0..100 {
        if desk.evaluate(&format!("document.activeElement.matches('{selector}')")) == true {
            assert!(desk.evaluate(SEEN) == true, "it is not seen that {selector} has the focus");
            return;
        }
        desk.press("Tab");
    }
    panic!("Tab does not come to {selector}");
}

/// Waits, and checks that an element has the focus after the focused one was removed.
#[track_caller]
fn is_not_lost(desk: &Desk) {
    desk.rest();
    assert_ne!(desk.text(FOCUSED), "");
}

#[test]
fn tab_comes_to_every_control_and_back() {
    let Some(desk) = Desk::new("size=6&queens=1.2&blocked=6.1") else { return };
    desk.click("#solution-next");
    desk.until("!document.getElementById('solution-play').disabled");
    desk.until("!document.getElementById('propagation-table').hidden");
    // All radio buttons of a group are one stop, and so are all squares.
    let controls = "[...document.querySelectorAll('a[href], button, select, input, [role=gridcell]')]\
        .filter((it) => !it.disabled && it.checkVisibility() && it.tabIndex >= 0 && (it.type !== 'radio' || it.checked))";
    desk.evaluate("(window.visited = new Set()) && 1");
    desk.evaluate("document.querySelector('#export-second').focus() ?? 0");
    while desk.evaluate("document.activeElement === document.body") == false {
        desk.press("Tab");
    }
    for way in ["Tab", "Shift+Tab"] {
        // After the last one the browser's own window has the focus.
        loop {
            desk.press(way);
            if desk.evaluate("document.activeElement === document.body") == true {
                break;
            }
            assert!(
                desk.evaluate(SEEN) == true,
                "it is not seen that {} has the focus",
                desk.text(FOCUSED)
            );
            desk.evaluate("visited.add(document.activeElement) && 1");
        }
        let missed = format!(
            "{controls}.filter((it) => !visited.has(it)).map((it) => it.outerHTML.slice(0, 80))"
        );
        assert_eq!(desk.evaluate(&missed), json!([]), "{way}");
        desk.evaluate("visited.clear() ?? 1");
    }
}

#[test]
fn a_session_by_keys_alone() {
    let Some(desk) = Desk::new("size=6") else { return };
    tab_to(&desk, "[role=gridcell]");
    for key in [
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowDown",
        "ArrowUp",
        "Home",
        "ArrowRight",
        "Enter",
    ] {
        press(&desk, key);
    }
    desk.until_queens("1.2");
    desk.until_left("1 solution left");
    tab_to(&desk, "#undo");
    press(&desk, "Space");
    desk.until_queens("");
    tab_to(&desk, "#redo");
    press(&desk, "Enter");
    desk.until_queens("1.2");
    tab_to(&desk, "#complete");
    desk.press("Enter");
    desk.until_left("Solved: 6 queens");
    is_not_lost(&desk);
    desk.press("Control+Z");
    desk.until_queens("1.2");
    tab_to(&desk, "[role=gridcell]");
    // The list of keys, and back to the same square.
    let square = desk.text(FOCUSED);
    desk.press("Shift+?");
    desk.until("document.getElementById('keys').open");
    desk.press("Escape");
    desk.until("!document.getElementById('keys').open");
    assert_eq!(desk.text(FOCUSED), square);
    // The reason, step by step.
    press(&desk, "ArrowDown");
    press(&desk, "End");
    press(&desk, "w");
    desk.until("document.querySelector('#why .verdict')");
    tab_to(&desk, "#solution-next");
    press(&desk, "Enter");
    desk.until("!document.getElementById('solution-put').disabled");
    tab_to(&desk, "#solution-put");
    press(&desk, "Enter");
    desk.until_left("Solved: 6 queens");
    is_not_lost(&desk);
}

#[test]
fn the_focus_is_kept_if_its_element_disappears() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    // A step of the chain, after a change of the board.
    desk.click(&at([2, 5]));
    desk.until_queens("1.1_2.5");
    desk.click(&at([6, 4]));
    desk.until("document.querySelector('#why .stepper button')");
    desk.evaluate("document.querySelector('#why .stepper button').focus() ?? 0");
    desk.press("Control+Z");
    desk.until_queens("1.1");
    is_not_lost(&desk);

    // The offer of another board, after it was taken.
    desk.open("size=6");
    desk.until("document.getElementById('find-difference').checkVisibility()");
    desk.evaluate("document.getElementById('find-difference').focus() ?? 0");
    desk.press("Enter");
    desk.until_queens("1.3_5.4");
    desk.until("document.getElementById('find-difference').hidden");
    is_not_lost(&desk);

    // The steps for a first visit.
    desk.evaluate("document.getElementById('tour-close').focus() ?? 0");
    desk.press("Enter");
    desk.until("document.getElementById('tour').hidden");
    is_not_lost(&desk);

    // A message that is closed, or obsolete.
    desk.open("rubbish");
    desk.until("!wrong.hidden");
    tab_to(&desk, "#wrong-close");
    desk.press("Enter");
    desk.until("wrong.hidden");
    is_not_lost(&desk);
    desk.enter("size=8&queens=1.1_1.2");
    desk.until("document.getElementById('wrong-again').checkVisibility()");
    desk.evaluate("document.getElementById('wrong-again').focus() ?? 0");
    desk.press("Enter");
    is_not_lost(&desk);

    // The solution that was shown, after a change of the rules.
    desk.open("size=6");
    desk.click("#solution-next");
    desk.until("!document.getElementById('solution-mirror').disabled");
    desk.choose("#size", "5");
    desk.until_left("10 solutions left");
    desk.click("#solution-next");
    desk.until("!document.getElementById('solution-mirror').disabled");
    desk.evaluate("document.getElementById('solution-mirror').focus() ?? 0");
    desk.press("Control+Z");
    desk.until_left("4 solutions left");
    is_not_lost(&desk);

    // The last blocked square, after it was freed.
    desk.open("size=6&blocked=1.1");
    desk.evaluate("document.getElementById('unblock').focus() ?? 0");
    desk.press("Enter");
    desk.until_left("4 solutions left");
    is_not_lost(&desk);

    // The view of an encoding, while the next answer is slow.
    desk.click(&at([1, 3]));
    desk.until_queens("1.3");
    desk.until("!document.getElementById('propagation-table').hidden");
    let slow =
        json!({"offline": false, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1});
    desk.call("Network.emulateNetworkConditions", &slow);
    desk.evaluate("document.getElementById('step').focus() ?? 0");
    desk.press("Control+Z");
    desk.until("document.getElementById('propagation-table').hidden");
    is_not_lost(&desk);
}
