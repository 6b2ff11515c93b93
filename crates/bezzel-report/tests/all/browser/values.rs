//! Figures that show their values for a mouse, a finger and a keyboard.

use std::fs;

use bezzel_chromium::{DESKTOP, PHONE, Page};
use serde_json::{Value as Json, json};

use crate::browser::open::{opened, report};

/// A mark in the file, before any script changes it: its position and its text.
struct Mark {
    x: f64,
    y: f64,
    text: String,
}

/// A position in the window, in pixels.
#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

/// A position without a figure.
const AWAY: Point = Point { x: 3.0, y: 3.0 };

fn move_mouse(page: &Page, Point { x, y }: Point) {
    page.call("Input.dispatchMouseEvent", &json!({"type": "mouseMoved", "x": x, "y": y}));
}

/// The marks of a figure.
fn marks(page: &str, figure: &str) -> Vec<Mark> {
    let (_, rest) = page.split_once(&format!(" id=\"{figure}\">")).expect("the figure");
    let (_, rest) = rest.split_once("<g class=\"spots\"").expect("the figure has spots");
    let (spots, _) = rest.split_once("</g>").unwrap();
    let field = |spot: &str, name: &str| {
        let (_, rest) = spot.split_once(&format!("{name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let words = |spot: &str| {
        let (_, rest) = spot.split_once("<title>").unwrap();
        rest.split_once("</title>").unwrap().0.to_owned()
    };
    let spots = spots.split("<circle").skip(1);
    spots
        .map(|spot| Mark { x: field(spot, "cx"), y: field(spot, "cy"), text: words(spot) })
        .collect()
}

/// The position of a mark on the screen, after scrolling to its figure.
fn place(page: &Page, figure: &str, mark: &Mark) -> Point {
    page.evaluate(&format!(
        "document.querySelector('#{figure} svg').scrollIntoView({{block: 'center'}}) ?? 0"
    ));
    let card = format!("document.querySelector('#{figure} .card')");
    let svg = format!("document.querySelector('#{figure} svg')");
    let scale =
        page.number(&format!("{svg}.getBoundingClientRect().width / {svg}.viewBox.baseVal.width"));
    // On a phone the figure is wider than its card.
    page.evaluate(&format!("{card}.scrollLeft = {} - {card}.clientWidth / 2", mark.x * scale));
    let box_of = |side: &str| page.number(&format!("{svg}.getBoundingClientRect().{side}"));
    Point { x: box_of("left") + mark.x * scale, y: box_of("top") + mark.y * scale }
}

/// The text beside the mark, when the page has come to rest.
fn shown_text(page: &Page) -> String {
    page.rest();
    page.text("document.querySelector('.tip').textContent")
}

/// The text after `act`, which is repeated until `wanted` appears. A busy browser may still use the position of the
/// page before it scrolled.
fn shown_text_after(page: &Page, wanted: &str, act: impl Fn()) -> String {
    const TIMES: usize = 50;
    let mut text = String::new();
    for _ in 0..TIMES {
        act();
        text = shown_text(page);
        if text.lines().any(|line| line == wanted) {
            break;
        }
    }
    text
}

fn is_inside_the_window(page: &Page) {
    let side = |side: &str| {
        page.number(&format!("document.querySelector('.tip').getBoundingClientRect().{side}"))
    };
    assert!(side("left") >= 0.0 && side("top") >= 0.0);
    assert!(side("right") <= page.number("document.documentElement.clientWidth"));
    assert!(side("bottom") <= page.number("innerHeight"));
}

#[test]
fn a_mouse_over_a_mark_shows_its_value_within_the_window() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let file = fs::read_to_string(&paths.index).unwrap();
    let marks = marks(&file, "sizes");
    // Pairwise on 8 × 8: 16 lines of at least one, 28 pairs for each of 16 full lines, and on the
    // diagonals both ways 2 · (1 + 3 + 6 + 10 + 15 + 21) + 28 pairs: 16 + 448 + 280.
    let known =
        marks.iter().find(|mark| mark.text.starts_with("pairwise") && mark.text.contains("744"));
    assert!(known.is_some(), "{:?}", marks.iter().map(|mark| &mark.text).collect::<Vec<_>>());
    for mark in marks.iter().take(4).chain(known) {
        let at = place(&page, "sizes", mark);
        let text_shown = shown_text_after(&page, &mark.text, || {
            move_mouse(&page, AWAY);
            move_mouse(&page, at);
        });
        assert!(
            text_shown.lines().any(|line| line == mark.text),
            "{text_shown:?} is not {:?}",
            mark.text
        );
        is_inside_the_window(&page);
    }
    // Away from all marks no text is shown.
    move_mouse(&page, AWAY);
    assert_eq!(shown_text(&page), "");
    assert!(page.console_messages().is_empty(), "{:?}", page.console_messages());
}

#[test]
fn a_finger_on_a_mark_shows_its_value_within_the_window() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, PHONE) else { return };
    let marks = marks(&fs::read_to_string(&paths.index).unwrap(), "sizes");
    for mark in &marks[..2] {
        let Point { x, y } = place(&page, "sizes", mark);
        let points = json!([{"x": x, "y": y}]);
        let touch = |kind: &str, points: &Json| {
            let event = json!({"type": kind, "touchPoints": points});
            page.call("Input.dispatchTouchEvent", &event);
        };
        let text_shown = shown_text_after(&page, &mark.text, || {
            touch("touchStart", &points);
            touch("touchEnd", &json!([]));
        });
        assert!(
            text_shown.lines().any(|line| line == mark.text),
            "{text_shown:?} is not {:?}",
            mark.text
        );
        is_inside_the_window(&page);
    }
}

#[test]
fn the_arrow_keys_go_through_all_marks_of_a_figure() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let marks = marks(&fs::read_to_string(&paths.index).unwrap(), "sizes");
    page.evaluate("document.querySelector('#sizes .card').focus() ?? 0");
    let mut spoken_texts = Vec::new();
    for _ in &marks {
        page.press("ArrowRight");
        spoken_texts.extend(shown_text(&page).lines().map(str::to_owned));
        is_inside_the_window(&page);
    }
    for mark in &marks {
        assert!(spoken_texts.contains(&mark.text), "{} in {spoken_texts:?}", mark.text);
    }
    page.press("ArrowUp");
    assert_ne!(shown_text(&page), "");
    page.press("Escape");
    assert_eq!(shown_text(&page), "");
}
