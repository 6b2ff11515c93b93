//! Figures that tell their values: to a mouse, to a finger, to a keyboard.

use std::fs;

use bezzel_chromium::{DESK, PHONE, Page};
use serde_json::{Value as Json, json};

use crate::browser::place::{opened, report};

/// A mark as the file has it, before any script saw it: its place and its words.
struct Mark {
    x: f64,
    y: f64,
    text: String,
}

/// A place in the window, in pixels.
#[derive(Clone, Copy)]
struct Point {
    x: f64,
    y: f64,
}

/// Where no figure is.
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

/// Where a mark is on the screen, its figure in sight.
fn place(page: &Page, figure: &str, mark: &Mark) -> Point {
    page.ask(&format!(
        "document.querySelector('#{figure} svg').scrollIntoView({{block: 'center'}}) ?? 0"
    ));
    let card = format!("document.querySelector('#{figure} .card')");
    let svg = format!("document.querySelector('#{figure} svg')");
    let scale =
        page.number(&format!("{svg}.getBoundingClientRect().width / {svg}.viewBox.baseVal.width"));
    // On a phone the figure is wider than its card.
    page.ask(&format!("{card}.scrollLeft = {} - {card}.clientWidth / 2", mark.x * scale));
    let box_of = |side: &str| page.number(&format!("{svg}.getBoundingClientRect().{side}"));
    Point { x: box_of("left") + mark.x * scale, y: box_of("top") + mark.y * scale }
}

/// What stands beside the mark, when the page has come to rest.
fn told(page: &Page) -> String {
    page.rest();
    page.text("document.querySelector('.tip').textContent")
}

/// The same after `act`, which is done again as long as `wanted` does not stand there: a busy browser may
/// still look for what is under a pointer where the page was before it scrolled.
fn told_after(page: &Page, wanted: &str, act: impl Fn()) -> String {
    const TIMES: usize = 50;
    let mut text = String::new();
    for _ in 0..TIMES {
        act();
        text = told(page);
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
fn a_mouse_over_a_mark_is_told_its_value_within_the_window() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESK) else { return };
    let file = fs::read_to_string(&paths.index).unwrap();
    let marks = marks(&file, "sizes");
    // Pairwise on 8 × 8: 16 lines of at least one, 28 pairs for each of 16 full lines, and on the
    // diagonals both ways 2 · (1 + 3 + 6 + 10 + 15 + 21) + 28 pairs: 16 + 448 + 280.
    let known =
        marks.iter().find(|mark| mark.text.starts_with("pairwise") && mark.text.contains("744"));
    assert!(known.is_some(), "{:?}", marks.iter().map(|mark| &mark.text).collect::<Vec<_>>());
    for mark in marks.iter().take(4).chain(known) {
        let at = place(&page, "sizes", mark);
        let told = told_after(&page, &mark.text, || {
            move_mouse(&page, AWAY);
            move_mouse(&page, at);
        });
        assert!(told.lines().any(|line| line == mark.text), "{told:?} is not {:?}", mark.text);
        is_inside_the_window(&page);
    }
    // Away from all marks nothing is told.
    move_mouse(&page, AWAY);
    assert_eq!(told(&page), "");
    assert!(page.told().is_empty(), "{:?}", page.told());
}

#[test]
fn a_finger_on_a_mark_is_told_its_value_within_the_window() {
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
        let told = told_after(&page, &mark.text, || {
            touch("touchStart", &points);
            touch("touchEnd", &json!([]));
        });
        assert!(told.lines().any(|line| line == mark.text), "{told:?} is not {:?}", mark.text);
        is_inside_the_window(&page);
    }
}

#[test]
fn the_arrow_keys_go_through_all_marks_of_a_figure() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESK) else { return };
    let marks = marks(&fs::read_to_string(&paths.index).unwrap(), "sizes");
    page.ask("document.querySelector('#sizes .card').focus() ?? 0");
    let mut heard = Vec::new();
    for _ in &marks {
        page.press("ArrowRight");
        heard.extend(told(&page).lines().map(str::to_owned));
        is_inside_the_window(&page);
    }
    for mark in &marks {
        assert!(heard.contains(&mark.text), "{} in {heard:?}", mark.text);
    }
    page.press("ArrowUp");
    assert_ne!(told(&page), "");
    page.press("Escape");
    assert_eq!(told(&page), "");
}
