//! Legends that show and hide series, by click, double click, key and finger.

use bezzel_chromium::{DESKTOP, PHONE, Page};
use serde_json::json;

use crate::browser::open::{opened, report};

/// The looks of `pairwise` and `sequential-counter`.
const LOOKS: [usize; 2] = [0, 1];

/// For each encoding, whether its parts of the figure of sizes are shown; all parts of one agree.
fn shown(page: &Page) -> [bool; 2] {
    LOOKS.map(|look| {
        let parts = format!("[...document.querySelectorAll('#sizes svg g[data-s=\"{look}\"]')]");
        let states = page.evaluate(&format!(
            "[...new Set({parts}.map((part) => getComputedStyle(part).display !== 'none'))]"
        ));
        let states: Vec<bool> = serde_json::from_value(states).unwrap();
        assert_eq!(states.len(), 1, "the parts of {look} agree");
        states[0]
    })
}

/// The states of the buttons, as they are read aloud.
fn pressed(page: &Page) -> Vec<String> {
    let keys = page.evaluate(
        "[...document.querySelectorAll('#sizes .key')].map((key) => key.getAttribute('aria-pressed'))",
    );
    serde_json::from_value(keys).unwrap()
}

#[test]
fn an_entry_hides_and_shows_its_series_and_another_button_shows_it_alone() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    assert_eq!((shown(&page), pressed(&page)), ([true, true], vec!["true".into(), "true".into()]));
    page.click("#sizes .key");
    assert_eq!(
        (shown(&page), pressed(&page)),
        ([false, true], vec!["false".into(), "true".into()])
    );
    page.click("#sizes .key");
    assert_eq!(shown(&page), [true, true]);
    page.click("#sizes .only");
    assert_eq!(shown(&page), [true, false]);
    page.click("#sizes .only");
    assert_eq!(shown(&page), [true, true]);
    // The drawn entries have the same effect. The address has the state.
    page.click("#sizes [data-key='1']");
    assert_eq!(shown(&page), [true, false]);
    assert_eq!(page.text("location.hash"), "#off=sizes.1");
    let again = opened(&paths.index, DESKTOP).unwrap();
    again.go(&format!("file://{}#off=sizes.0", paths.index.display()));
    again.until("document.querySelector('#sizes .key').ariaPressed === 'false'");
    assert_eq!(shown(&again), [false, true]);
    assert!(page.console_messages().is_empty(), "{:?}", page.console_messages());
}

#[test]
fn a_double_click_shows_a_series_alone() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('#sizes .key').scrollIntoView({block: 'center'}) ?? 0");
    page.rest();
    let side = |side: &str| {
        page.number(&format!(
            "document.querySelector('#sizes .key').getBoundingClientRect().{side}"
        ))
    };
    let (x, y) = (side("left") + side("width") / 2.0, side("top") + side("height") / 2.0);
    for count in [1, 2] {
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": count});
            page.call("Input.dispatchMouseEvent", &event);
        }
    }
    page.until("document.querySelectorAll('#sizes .key')[1].ariaPressed === 'false'");
    assert_eq!(shown(&page), [true, false]);
}

#[test]
fn entries_are_pressed_by_keys_and_arrows_pass_over_hidden_marks() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('#sizes .key').focus() ?? 0");
    page.press("Space");
    assert_eq!(shown(&page), [false, true]);
    page.press("Tab");
    page.press("Enter");
    assert_eq!(shown(&page), [true, false]);
    page.evaluate("document.querySelector('#sizes .card').focus() ?? 0");
    page.press("End");
    for _ in 0..12 {
        page.rest();
        let text = page.text("document.querySelector('.tip').textContent");
        assert!(text.starts_with("pairwise") && !text.contains("sequential"), "{text}");
        page.press("ArrowLeft");
    }
}

#[test]
fn entries_are_pressed_by_a_finger() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, PHONE) else { return };
    page.touch("#sizes .key");
    page.until("document.querySelector('#sizes .key').ariaPressed === 'false'");
    assert_eq!(shown(&page), [false, true]);
    page.touch("#sizes .only");
    page.until("document.querySelector('#sizes .key').ariaPressed === 'true'");
    assert_eq!(shown(&page), [true, false]);
    // The drawn entry has the same effect.
    page.touch("#sizes [data-key='1']");
    page.until("document.querySelectorAll('#sizes .key')[1].ariaPressed === 'true'");
    assert_eq!(shown(&page), [true, true]);
    let height =
        page.number("document.querySelector('#sizes .only').getBoundingClientRect().height");
    assert!(height >= 24.0, "{height}");
}
