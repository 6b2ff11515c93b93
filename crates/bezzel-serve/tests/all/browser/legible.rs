//! Contrast of texts and marks, in light and dark mode.

use crate::browser::desk::{Desk, at};

/// A script that counts elements with too little contrast.
const CONTRAST: &str = include_str!("contrast.js");

#[track_caller]
fn is_legible(desk: &Desk, state: &str) {
    let pictures = "[...document.querySelectorAll('#propagation .picture')]";
    desk.until(&format!("{pictures}.every((it) => it.checkVisibility())"));
    // Pictures are drawn later.
    let measured = || {
        desk.rest();
        desk.evaluate(CONTRAST)
    };
    let is_drawn = |found: &serde_json::Value| {
        found["texts"].as_u64() > Some(60) && found["marks"].as_u64() > Some(100)
    };
    let found = std::iter::repeat_with(measured).take(1000).find(is_drawn);
    let found = found.expect("the page has 60 texts and 100 marks");
    assert_eq!(found["faults"], serde_json::json!([]), "{state}");
}

#[test]
fn texts_stand_out_by_four_and_a_half_and_marks_by_three() {
    let Some(desk) = Desk::new("size=8") else { return };
    for theme in ["light", "dark"] {
        desk.prefer("prefers-color-scheme", theme);
        desk.open("size=8&queens=1.1_2.5&blocked=1.8_2.8");
        desk.click("#numbers");
        desk.until("!document.getElementById('propagation-table').hidden");
        is_legible(&desk, &format!("{theme}, the board"));
        desk.click(&at([6, 4]));
        desk.until("document.querySelector('#why .stepper button')");
        desk.click("#why .chain li:last-child button");
        is_legible(&desk, &format!("{theme}, a reason"));
        desk.click("#solution-next");
        desk.until("document.getElementById('solution-text').textContent.includes('1')");
        desk.enter("size=6&queens=1.2&rubbish");
        desk.until("!wrong.hidden");
        desk.until_left("1 solution left");
        is_legible(&desk, &format!("{theme}, a fault, and what is filled in"));
        desk.click("#keys-open");
        desk.until("document.getElementById('keys').open");
        is_legible(&desk, &format!("{theme}, the keys"));
    }
}

#[test]
fn insufficient_contrast_is_found() {
    let Some(desk) = Desk::new("size=6&queens=1.2") else { return };
    desk.prefer("prefers-color-scheme", "light");
    desk.evaluate("document.documentElement.style.setProperty('--soft', '#999') ?? 0");
    desk.evaluate("document.documentElement.style.setProperty('--bold', '#ffb080') ?? 0");
    desk.rest();
    let faults = desk.evaluate(CONTRAST)["faults"].to_string();
    assert!(faults.contains("Geometry"), "{faults}");
    assert!(faults.contains("dead in "), "{faults}");
}

#[test]
fn the_button_for_the_dark_says_what_it_does_and_is_remembered() {
    let Some(desk) = Desk::new("size=6&queens=1.2") else { return };
    let ground = "getComputedStyle(document.body).backgroundColor";
    desk.prefer("prefers-color-scheme", "light");
    let light = desk.text(ground);
    desk.click("#theme");
    let dark = desk.text(ground);
    assert_ne!(light, dark);
    is_legible(&desk, "dark by the button");
    desk.call("Page.reload", &serde_json::json!({}));
    desk.until(
        "document.readyState === 'complete' && document.getElementById('grid')?.children.length",
    );
    assert_eq!(desk.text(ground), dark);
    desk.click("#theme");
    assert_eq!(desk.text(ground), light);
    desk.click(&at([1, 2]));
    desk.until_queens("");
}
