//! Chromium without a window, in which scenarios use the pages.
//!
//! It is controlled by its own protocol (<https://chromedevtools.github.io/devtools-protocol/>): JSON messages, each
//! ended by a zero byte, through two pipes. A scenario is a list of steps, one a line or several
//! with ` | ` between them. Each step waits until it is possible or true:
//!
//! ```text
//! click SELECTOR      also double, touch, focus
//! press KEY KEY …     as Control+Z
//! type TEXT
//! choose SELECTOR = OPTION
//! shows SELECTOR = TEXT     the element is visible, and its text contains TEXT
//! hides SELECTOR      nothing that matches is visible
//! is EXPRESSION       of JavaScript
//! run STATEMENT       of JavaScript
//! width PIXELS        a touch screen of this width
//! ```

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// The longest time for an answer of the browser, and for a step.
const PATIENCE: Duration = Duration::from_mins(1);

/// The command that starts Chromium. The pipes of the protocol are descriptors 3 and 4, which only a shell can set.
const START: &str = "exec chromium \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const OPTIONS: [&str; 9] = [
    "--headless",
    // Root has no sandbox, other users have one only if the system allows it; the pages are ours.
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
    "about:blank",
];

/// A browser, which ends with this value.
pub(crate) struct Browser {
    input: RefCell<ChildStdin>,
    messages: Receiver<Json>,
    events: RefCell<Vec<Json>>,
    next: Cell<u64>,
    child: Child,
    // The last field is dropped last: the browser has ended by then.
    _home: TempDir,
}

impl Browser {
    pub(crate) fn start() -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", START, "sh"])
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = RefCell::new(child.stdin.take().unwrap());
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                let json = serde_json::from_slice(&message[..message.len() - 1]).unwrap();
                if sender.send(json).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let (events, next) = (RefCell::default(), Cell::new(1));
        Self { input, messages, events, next, child, _home: home }
    }

    fn send(&self, session: &str, method: &str, parameters: &Json) -> u64 {
        let id = self.next.replace(self.next.get() + 1);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        // The receiver of the answer notices a browser that has ended.
        let _ = self.input.borrow_mut().write_all((message.to_string() + "\0").as_bytes());
        id
    }

    /// Sends a command and waits for its answer. The session of the browser itself has no name.
    #[track_caller]
    fn call(&self, session: &str, method: &str, parameters: &Json) -> Json {
        let message = self.answer(session, method, parameters);
        assert!(message["error"].is_null(), "{method}: {}", message["error"]);
        message["result"].clone()
    }

    /// The same, with the answer to an impossible command, too.
    #[track_caller]
    fn answer(&self, session: &str, method: &str, parameters: &Json) -> Json {
        let id = self.send(session, method, parameters);
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("`chromium` answers");
            if message["id"] == id {
                return message;
            }
            self.events.borrow_mut().push(message);
        }
    }

    /// Opens an address in a window of its own, which shares no stored data with others, on a touch screen if it is as
    /// narrow as a phone.
    pub(crate) fn open(&self, address: &str, width: u32) -> Page<'_> {
        let context = self.call("", "Target.createBrowserContext", &json!({}));
        let context = context["browserContextId"].clone();
        let blank = json!({"url": "about:blank", "browserContextId": context, "newWindow": true});
        let target = self.call("", "Target.createTarget", &blank)["targetId"].clone();
        let attached =
            self.call("", "Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        let session = attached["sessionId"].as_str().unwrap().to_owned();
        let page = Page { browser: self, context, session };
        for domain in ["Log", "Runtime", "Network", "Page"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        page.call("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}));
        page.fit(width);
        page.go(address);
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // On request it ends with all its processes; the messages end with it.
        self.send("", "Browser.close", &json!({}));
        while self.messages.recv_timeout(Duration::from_secs(10)).is_ok() {}
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page, which is closed with this value.
pub(crate) struct Page<'a> {
    browser: &'a Browser,
    context: Json,
    session: String,
}

impl Page<'_> {
    #[track_caller]
    pub(crate) fn call(&self, method: &str, parameters: &Json) -> Json {
        self.browser.call(&self.session, method, parameters)
    }

    /// Returns the parameters of all events of this name up to now.
    fn events(&self, name: &str) -> Vec<Json> {
        let events = self.browser.events.borrow();
        let own = events.iter().filter(|event| event["sessionId"] == *self.session);
        own.filter(|event| event["method"] == name).map(|event| event["params"].clone()).collect()
    }

    /// Opens an address, and waits until it is loaded. If only the fragment differs, there is no load to wait for.
    #[track_caller]
    pub(crate) fn go(&self, address: &str) {
        let before = self.events("Page.loadEventFired").len();
        let gone = self.call("Page.navigate", &json!({"url": address}));
        assert!(gone["errorText"].is_null(), "{gone}");
        while !gone["loaderId"].is_null() && self.events("Page.loadEventFired").len() == before {
            self.evaluate("1");
        }
    }

    /// Gives the window a width; that of a phone is a touch screen.
    pub(crate) fn fit(&self, width: u32) {
        let is_phone = width < 600;
        let metrics =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": is_phone});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
        self.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": is_phone}));
    }

    /// Returns the value of a JavaScript expression.
    #[track_caller]
    pub(crate) fn evaluate(&self, expression: &str) -> Json {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let value = self.call("Runtime.evaluate", &parameters);
        assert!(value["exceptionDetails"].is_null(), "{expression}: {value}");
        value["result"]["value"].clone()
    }

    /// Returns the value of an expression as a type of Rust.
    #[track_caller]
    pub(crate) fn get<T: serde::de::DeserializeOwned>(&self, expression: &str) -> T {
        let value = self.evaluate(expression);
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression is true. While a page loads, no expression is.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        let begun = Instant::now();
        let asked = json!({"expression": format!("Boolean({expression})")});
        let answer = || self.browser.answer(&self.session, "Runtime.evaluate", &asked);
        while answer()["result"]["result"]["value"] != true {
            if begun.elapsed() > PATIENCE / 4 {
                let page = "location.href + ': ' + document.body.innerText";
                panic!("{expression} is not so at {}", self.evaluate(page));
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until all pending changes are drawn.
    pub(crate) fn rest(&self) {
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// Returns the console messages, the uncaught exceptions, and the requests to addresses that do not begin with
    /// `own`.
    pub(crate) fn faults(&self, own: &str) -> Vec<String> {
        self.evaluate("1");
        let messages = ["Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"]
            .iter()
            .flat_map(|event| self.events(event))
            .map(|message| message.to_string())
            // A page shows a refusal of its server, and Chromium logs it as well.
            .filter(|message| !message.contains("Failed to load resource"));
        let requests = self.events("Network.requestWillBeSent").into_iter();
        let urls = requests.map(|event| event["request"]["url"].as_str().unwrap().to_owned());
        let is_foreign = |url: &String| {
            let url = url.strip_prefix("blob:").unwrap_or(url);
            !url.starts_with(own) && !url.starts_with("data:")
        };
        messages.chain(urls.filter(is_foreign)).collect()
    }

    /// Follows the steps of a scenario. `own` takes those that only one kind of page has, and returns false for
    /// others.
    #[expect(clippy::print_stdout, reason = "a failed test shows its steps")]
    pub(crate) fn follow(&self, steps: &str, own: impl Fn(&str, &str) -> bool) {
        let steps = steps.lines().flat_map(|line| line.split(" | ")).map(str::trim);
        for step in steps.filter(|step| !step.is_empty()) {
            println!("    {step}");
            let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
            let pair = || {
                let (selector, text) = rest.split_once(" =").expect("a selector and a text");
                (selector, text.trim_start())
            };
            match verb {
                "click" => self.click(rest, 1),
                "double" => self.click(rest, 2),
                "touch" => self.touch(rest),
                "focus" => drop(self.evaluate(&format!("{}.focus() ?? 0", element(rest)))),
                "press" => rest.split(' ').for_each(|key| self.press(key)),
                "type" => drop(self.call("Input.insertText", &json!({"text": rest}))),
                "choose" => self.choose(pair().0, pair().1),
                "shows" => {
                    let (selector, text) = pair();
                    let one = "it.checkVisibility() && (it.value || it.textContent).includes";
                    self.until(&format!(
                        "[...document.querySelectorAll({})].some((it) => {one}({}))",
                        json!(selector),
                        json!(text)
                    ));
                }
                "hides" => self.until(&format!(
                    "![...document.querySelectorAll({})].some((it) => it.checkVisibility())",
                    json!(rest)
                )),
                "is" => self.until(rest),
                "run" => drop(self.evaluate(&format!("(() => {{ {rest} }})() ?? 0"))),
                "width" => self.fit(rest.parse().unwrap()),
                _ => assert!(own(verb, rest), "no such step"),
            }
        }
    }

    /// Clicks on the element of a selector.
    #[track_caller]
    fn click(&self, selector: &str, times: u32) {
        let mouse = |[x, y]: [f64; 2], kind: &str, button: &str, count: u32| {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": count});
            self.browser.send(&self.session, "Input.dispatchMouseEvent", &event);
        };
        mouse(self.middle(selector), "mouseMoved", "none", 0);
        // A page may change when the mouse enters and leaves, so the element is located again.
        let place = self.middle(selector);
        for count in 1..=times {
            mouse(place, "mousePressed", "left", count);
            mouse(place, "mouseReleased", "left", count);
        }
        // Waits until the page has the click. A link leaves the page, which then answers with an error.
        self.browser.answer(&self.session, "Runtime.evaluate", &json!({"expression": "1"}));
    }

    /// Touches the element of a selector.
    #[track_caller]
    fn touch(&self, selector: &str) {
        let [x, y] = self.middle(selector);
        for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
            self.call("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": points}));
        }
    }

    /// Returns the middle of an element that is visible, not covered, and no longer moves.
    #[track_caller]
    fn middle(&self, selector: &str) -> [f64; 2] {
        let middle = format!(
            "(() => {{
                const element = {};
                element?.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
                const {{ left, top, width, height }} = element?.getBoundingClientRect() ?? {{}};
                const [x, y] = [left + width / 2, top + height / 2];
                return element?.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
            }})()",
            element(selector)
        );
        let (mut before, begun) = (Json::Null, Instant::now());
        loop {
            let now = self.evaluate(&middle);
            if now == before && now.is_array() {
                return serde_json::from_value(now).unwrap();
            }
            assert!(begun.elapsed() < PATIENCE / 4, "nothing can be clicked at {selector}");
            before = now;
            self.rest();
        }
    }

    /// Presses and releases a key, by its name or its character; with modifiers before it, as in `Control+Shift+Z`.
    #[track_caller]
    pub(crate) fn press(&self, keys: &str) {
        const KEYS: [(&str, u32, &str); 11] = [
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
        let (held, key) = keys.rsplit_once('+').unwrap_or(("", keys));
        let modifiers =
            u32::from(held.contains("Control")) * 2 + u32::from(held.contains("Shift")) * 8;
        let named = KEYS.iter().find(|known| known.0 == key);
        let (name, code, text) = match named {
            // The name of the space bar's key is its text.
            Some(&(name, code, text)) => (if text == " " { text } else { name }, code, text),
            None => (key, u32::from(key.to_uppercase().as_bytes()[0]), key),
        };
        let text = if modifiers & 2 == 2 { "" } else { text };
        let event = json!({"type": "keyDown", "key": name, "windowsVirtualKeyCode": code, "text": text,
            "modifiers": modifiers});
        self.call("Input.dispatchKeyEvent", &event);
        let event = json!({"type": "keyUp", "key": name, "windowsVirtualKeyCode": code,
            "modifiers": modifiers});
        self.call("Input.dispatchKeyEvent", &event);
    }

    /// Chooses an option of a list, as a keyboard does.
    #[track_caller]
    fn choose(&self, selector: &str, option: &str) {
        let list = element(selector);
        let way: i64 = self.get(&format!(
            "({list}.focus(), [...{list}.options].findIndex(({{value}}) => value === '{option}') - {list}.selectedIndex)"
        ));
        for _ in 0..way.abs() {
            self.press(if way < 0 { "ArrowUp" } else { "ArrowDown" });
        }
        self.until(&format!("{list}.value === '{option}'"));
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        // The answer is not awaited: a browser that has ended is no error here.
        let context = json!({"browserContextId": self.context});
        self.browser.send("", "Target.disposeBrowserContext", &context);
    }
}

/// Returns the expression of a selector's first element.
fn element(selector: &str) -> String {
    format!("document.querySelector({})", json!(selector))
}

/// Reads scenarios: a title after `###`, the page after `on`, and the steps.
pub(crate) fn scenarios(text: &str) -> Vec<(&str, (&str, &str))> {
    let scenarios = text.split("\n### ").skip(1).map(|scenario| {
        let (title, rest) = scenario.split_once("\non").expect("a page");
        let (page, steps) = rest.split_once('\n').expect("steps");
        (title, (page.trim_start(), steps))
    });
    scenarios.collect()
}

/// Runs scenarios, and names those that fail.
#[expect(clippy::print_stdout, reason = "a failed test shows its steps")]
pub(crate) fn run<T>(scenarios: &[(&str, T)], run: impl Fn(&T)) {
    let failed: Vec<&str> = scenarios
        .iter()
        .filter(|(name, scenario)| {
            println!("{name}");
            catch_unwind(AssertUnwindSafe(|| run(scenario))).is_err()
        })
        .map(|(name, _)| *name)
        .collect();
    assert!(failed.is_empty(), "{} of {} fail: {failed:#?}", failed.len(), scenarios.len());
}
