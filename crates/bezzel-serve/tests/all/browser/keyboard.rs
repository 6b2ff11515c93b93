//! A whole session without a mouse: everything is reached, the focus is seen and never lost.

use serde_json::json;

use crate::browser::desk::{Desk, at};

/// What has the focus, as its id or its name; nothing has, where it is lost.
const FOCUSED: &str = "(() => {
    const it = document.activeElement;
    if (!it || it === document.body || !it.checkVisibility()) return '';
    return it.id || it.ariaLabel || it.textContent || it.name || it.localName;
})()";

/// Whether it is seen which element has the focus: it is in the window, and ringed.
const SEEN: &str = "(() => {
    const it = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(it);
    const { top, bottom, left, right } = it.getBoundingClientRect();
    const inside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    return inside && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
})()";

/// Presses a key, and finds the focus seen.
#[track_caller]
fn press(desk: &Desk, key: &str) -> String {
    desk.press(key);
    let focused = desk.text(FOCUSED);
    assert!(!focused.is_empty(), "{key}: nothing has the focus");
    assert!(desk.ask(SEEN) == true, "{key}: it is not seen that {focused} has the focus");
    focused
}

/// Goes on by Tab until an element has the focus, if need be once more from the beginning.
#[track_caller]
fn tab_to(desk: &Desk, selector: &str) {
    for _ in 0..100 {
        if desk.ask(&format!("document.activeElement.matches('{selector}')")) == true {
            assert!(desk.ask(SEEN) == true, "it is not seen that {selector} has the focus");
            return;
        }
        desk.press("Tab");
    }
    panic!("Tab does not come to {selector}");
}

/// Waits until something has the focus again, when what had it is gone.
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
    desk.until("!document.getElementById('eyes-table').hidden");
    // Radio buttons and squares are one stop each.
    let controls = "[...document.querySelectorAll('a[href], button, select, input, [role=gridcell]')]\
        .filter((it) => !it.disabled && it.checkVisibility() && it.tabIndex >= 0 && (it.type !== 'radio' || it.checked))";
    desk.ask("(window.visited = new Set()) && 1");
    desk.ask("document.querySelector('#export-encoding').focus() ?? 0");
    while desk.ask("document.activeElement === document.body") == false {
        desk.press("Tab");
    }
    for way in ["Tab", "Shift+Tab"] {
        // Beyond the last one is the window of the browser.
        loop {
            desk.press(way);
            if desk.ask("document.activeElement === document.body") == true {
                break;
            }
            assert!(
                desk.ask(SEEN) == true,
                "it is not seen that {} has the focus",
                desk.text(FOCUSED)
            );
            desk.ask("visited.add(document.activeElement) && 1");
        }
        let missed = format!(
            "{controls}.filter((it) => !visited.has(it)).map((it) => it.outerHTML.slice(0, 80))"
        );
        assert_eq!(desk.ask(&missed), json!([]), "{way}");
        desk.ask("visited.clear() ?? 1");
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
    tab_to(&desk, "#accept");
    desk.until("!document.getElementById('completion').hidden");
    desk.press("Enter");
    desk.until_left("Solved: 6 queens");
    is_not_lost(&desk);
    assert!(desk.ask("grid.contains(document.activeElement)") == true);
    desk.press("Control+Z");
    desk.until_queens("1.2");
    // The keys, and back to the square that one came from.
    let square = desk.text(FOCUSED);
    desk.press("Shift+?");
    desk.until("document.getElementById('keys').open");
    desk.press("Escape");
    desk.until("!document.getElementById('keys').open");
    assert_eq!(desk.text(FOCUSED), square);
    // Why, step by step.
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
fn what_goes_away_does_not_take_the_focus_with_it() {
    let Some(desk) = Desk::new("size=8&queens=1.1") else { return };
    // A step of the chain, when the board changes.
    desk.click(&at([2, 5]));
    desk.until_queens("1.1_2.5");
    desk.click(&at([6, 4]));
    desk.until("document.querySelector('#why .stepper button')");
    desk.ask("document.querySelector('#why .stepper button').focus() ?? 0");
    desk.press("Control+Z");
    desk.until_queens("1.1");
    is_not_lost(&desk);

    // What is filled in, when it is no longer.
    desk.open("size=6");
    desk.click(&at([1, 2]));
    desk.until("!document.getElementById('completion').hidden");
    desk.ask("accept.focus() ?? 0");
    desk.press("Control+Z");
    desk.until("document.getElementById('completion').hidden");
    is_not_lost(&desk);

    // A message that is closed, or done with.
    desk.open("rubbish");
    desk.until("!wrong.hidden");
    tab_to(&desk, "#wrong-close");
    desk.press("Enter");
    desk.until("wrong.hidden");
    is_not_lost(&desk);
    desk.enter("size=8&queens=1.1_1.2");
    desk.until("document.getElementById('wrong-again').checkVisibility()");
    desk.ask("document.getElementById('wrong-again').focus() ?? 0");
    desk.press("Enter");
    is_not_lost(&desk);

    // The solution that was shown, when the rules are others.
    desk.open("size=6");
    desk.click("#solution-next");
    desk.until("!document.getElementById('solution-mirror').disabled");
    desk.choose("#size", "5");
    desk.until_left("10 solutions left");
    desk.click("#solution-next");
    desk.until("!document.getElementById('solution-mirror').disabled");
    desk.ask("document.getElementById('solution-mirror').focus() ?? 0");
    desk.press("Control+Z");
    desk.until_left("4 solutions left");
    is_not_lost(&desk);

    // The last blocked square, when it is free.
    desk.open("size=6&blocked=1.1");
    desk.ask("document.getElementById('unblock').focus() ?? 0");
    desk.press("Enter");
    desk.until_left("4 solutions left");
    is_not_lost(&desk);

    // What an encoding sees, when the next answer takes its time.
    desk.click(&at([1, 3]));
    desk.until_queens("1.3");
    desk.until("!document.getElementById('eyes-table').hidden");
    let slow =
        json!({"offline": false, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1});
    desk.call("Network.emulateNetworkConditions", &slow);
    desk.ask("document.querySelector('#eyes [type=range]').focus() ?? 0");
    desk.press("Control+Z");
    desk.until("document.getElementById('eyes-table').hidden");
    is_not_lost(&desk);
}
