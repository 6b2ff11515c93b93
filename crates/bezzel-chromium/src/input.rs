//! Keys, mouse and touch, as events of the browser instead of events of the page.

use serde_json::{Value as Json, json};

use crate::page::Page;

/// Keys by name: their key codes, which determine their effect, and their texts.
const KEYS: [(&str, u32, &str); 12] = [
    ("Backspace", 8, ""),
    ("Tab", 9, ""),
    ("Enter", 13, "\r"),
    ("Escape", 27, ""),
    ("Space", 32, " "),
    ("End", 35, ""),
    ("Home", 36, ""),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("Delete", 46, ""),
];

const CONTROL: u32 = 2;
const SHIFT: u32 = 8;

impl Page {
    /// Presses and releases a key, by its name or its character; with modifiers before it, as in `Control+Shift+Z`.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        let (held, key) = keys.rsplit_once('+').unwrap_or(("", keys));
        let modifiers = held.split('+').filter(|name| !name.is_empty()).map(|name| match name {
            "Control" => CONTROL,
            "Shift" => SHIFT,
            _ => panic!("{name} is held by no test yet"),
        });
        let modifiers: u32 = modifiers.sum();
        let mut event = match KEYS.iter().find(|known| known.0 == key) {
            Some(&(name, number, text)) => {
                // The name of the space bar's key is its text.
                let key = if text == " " { text } else { name };
                json!({"key": key, "code": name, "windowsVirtualKeyCode": number, "text": text})
            }
            None => letter(key, modifiers),
        };
        event["modifiers"] = modifiers.into();
        // Keys together with Control type no text.
        if modifiers & CONTROL != 0 {
            event["text"] = "".into();
        }
        event["type"] = "keyDown".into();
        self.call("Input.dispatchKeyEvent", &event);
        event["type"] = "keyUp".into();
        event["text"] = "".into();
        self.call("Input.dispatchKeyEvent", &event);
    }

    /// Clicks on the element of a selector.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.clicks(selector, 1);
    }

    /// Clicks twice on the element of a selector, as a double click.
    #[track_caller]
    pub fn double_click(&self, selector: &str) {
        self.clicks(selector, 2);
    }

    #[track_caller]
    fn clicks(&self, selector: &str, number: u32) {
        let event = |[x, y]: [f64; 2], kind: &str, button: &str, buttons: u32, count: u32| {
            json!({
                "type": kind, "x": x, "y": y, "button": button, "buttons": buttons,
                "clickCount": count,
            })
        };
        let moved = event(self.middle(selector), "mouseMoved", "none", 0, 1);
        self.at_once("Input.dispatchMouseEvent", &[moved]);
        // A page may change when the mouse enters and leaves, so the element is located again.
        let place = self.middle(selector);
        let presses = (1..=number).flat_map(|count| {
            [
                event(place, "mousePressed", "left", 1, count),
                event(place, "mouseReleased", "left", 0, count),
            ]
        });
        // An element that moves between press and release is not clicked.
        self.at_once("Input.dispatchMouseEvent", &presses.collect::<Vec<_>>());
    }

    /// Touches the element of a selector.
    #[track_caller]
    pub fn touch(&self, selector: &str) {
        let [x, y] = self.middle(selector);
        let event = |kind: &str, points: Json| json!({"type": kind, "touchPoints": points});
        let events = [event("touchStart", json!([{"x": x, "y": y}])), event("touchEnd", json!([]))];
        self.at_once("Input.dispatchTouchEvent", &events);
    }

    /// Returns the middle of an element that is visible, not covered, and no longer moves.
    #[track_caller]
    fn middle(&self, selector: &str) -> [f64; 2] {
        let middle = format!(
            "(() => {{
                const element = document.querySelector({});
                element?.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
                const {{ left, top, width, height }} = element?.getBoundingClientRect() ?? {{}};
                const [x, y] = [left + width / 2, top + height / 2];
                return element?.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
            }})()",
            json!(selector)
        );
        let mut before = Json::Null;
        for _ in 0..1000 {
            let now = self.evaluate(&middle);
            if now == before && now.is_array() {
                return serde_json::from_value(now).unwrap();
            }
            before = now;
            self.rest();
        }
        panic!("nothing can be clicked at {selector}");
    }
}

/// Returns the key event of a character.
#[track_caller]
fn letter(text: &str, modifiers: u32) -> Json {
    let mut characters = text.chars();
    let (character, None) = (characters.next().expect("a key"), characters.next()) else {
        panic!("no key is known as {text}")
    };
    let (number, code) = match character.to_ascii_uppercase() {
        letter @ 'A'..='Z' => (letter as u32, format!("Key{letter}")),
        digit @ '0'..='9' => (digit as u32, format!("Digit{digit}")),
        '?' => (191, "Slash".to_owned()),
        other => panic!("no key is known for {other}"),
    };
    // With Shift a letter is upper case, without modifiers lower case.
    let shifted = modifiers & SHIFT != 0;
    let key = if shifted { text.to_uppercase() } else { text.to_lowercase() };
    json!({"key": key, "code": code, "windowsVirtualKeyCode": number, "text": key})
}
