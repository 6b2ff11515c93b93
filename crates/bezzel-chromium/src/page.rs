//! A page: what it shows, what it told the console, and what it asked for.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::browser::Chromium;
use crate::line::Line;

/// How a page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Whether it is touched, as a phone's is.
    pub touched: bool,
    /// Whether the page may run its scripts.
    pub scripts: bool,
}

/// A window on a desk.
pub const DESK: Screen = Screen { width: 1280, height: 800, touched: false, scripts: true };
/// A narrow phone.
pub const PHONE: Screen = Screen { width: 360, height: 740, touched: true, scripts: true };

/// A page in a window of its own. All pages of a process share one browser.
pub struct Page {
    browser: Arc<Chromium>,
    /// What it has stored goes with it.
    context: Json,
    line: Line,
}

impl Page {
    /// Opens an address on such a screen; none if there is no Chromium.
    pub fn open(address: &str, screen: Screen) -> Option<Self> {
        let browser = Chromium::shared()?;
        let (context, line) = browser.page();
        let page = Self { browser, context, line };
        for domain in ["Log", "Runtime", "Network", "Page"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        // Only one window of a desk has the keys; here each does.
        page.call("Emulation.setFocusEmulationEnabled", &json!({"enabled": true}));
        page.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": screen.touched}));
        page.call("Emulation.setScriptExecutionDisabled", &json!({"value": !screen.scripts}));
        page.fit(screen);
        page.go(address);
        Some(page)
    }

    /// Gives the window the size of a screen.
    pub fn fit(&self, Screen { width, height, touched, .. }: Screen) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touched});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Goes to an address, and waits until it is loaded. If only the fragment is another, there is nothing
    /// to wait for.
    #[track_caller]
    pub fn go(&self, address: &str) {
        let loaded = "Page.loadEventFired";
        let before = self.line.heard(loaded).len();
        let gone = self.call("Page.navigate", &json!({"url": address}));
        assert!(gone["errorText"].is_null(), "{gone}");
        if !gone["loaderId"].is_null() {
            self.line.wait(loaded, before + 1);
        }
    }

    /// Sends a command of the protocol and waits for its answer.
    #[track_caller]
    pub fn call(&self, method: &str, parameters: &Json) -> Json {
        self.line.call(method, parameters)
    }

    /// Sends commands with nothing between them.
    #[track_caller]
    pub(crate) fn at_once(&self, method: &str, commands: &[Json]) {
        self.line.at_once(method, commands);
    }

    /// What an expression of the page's language is.
    #[track_caller]
    pub fn ask(&self, expression: &str) -> Json {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let told = self.call("Runtime.evaluate", &asked);
        assert!(told["exceptionDetails"].is_null(), "{expression}: {told}");
        told["result"]["value"].clone()
    }

    /// An expression that is a text.
    #[track_caller]
    pub fn text(&self, expression: &str) -> String {
        let told = self.ask(expression);
        told.as_str().unwrap_or_else(|| panic!("{expression} is {told}")).to_owned()
    }

    /// An expression that is a number.
    #[track_caller]
    pub fn number(&self, expression: &str) -> f64 {
        let told = self.ask(expression);
        told.as_f64().unwrap_or_else(|| panic!("{expression} is {told}"))
    }

    /// An expression that is a natural number.
    #[track_caller]
    pub fn count(&self, expression: &str) -> u64 {
        let told = self.ask(expression);
        told.as_u64().unwrap_or_else(|| panic!("{expression} is {told}"))
    }

    /// Waits until an expression holds, and for a minute at most.
    #[track_caller]
    pub fn until(&self, expression: &str) {
        for _ in 0..3000 {
            if self.ask(&format!("Boolean({expression})")) == true {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("{expression} does not come true on {}", self.text("document.body.innerText"));
    }

    /// Waits until all that was begun is shown.
    pub fn rest(&self) {
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// What the console was told.
    pub fn told(&self) -> Vec<String> {
        // What was told before comes before the answer.
        self.ask("1");
        let told = ["Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"];
        told.iter().flat_map(|event| self.line.heard(event)).map(|told| told.to_string()).collect()
    }

    /// What was asked for beside the page itself.
    pub fn asked(&self) -> Vec<String> {
        let page = self.text("location.href.split('#')[0]");
        let requests = self.line.heard("Network.requestWillBeSent").into_iter();
        let urls = requests.map(|event| event["request"]["url"].as_str().unwrap().to_owned());
        urls.filter(|url| *url != page && !url.starts_with("data:")).collect()
    }

    /// Looks at the page as it is printed.
    pub fn as_printed(&self) {
        self.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    }

    /// Looks at the page as those do whose system has this preference, such as `dark` for
    /// `prefers-color-scheme`.
    pub fn prefer(&self, preference: &str, value: &str) {
        let features = json!({"features": [{"name": preference, "value": value}]});
        self.call("Emulation.setEmulatedMedia", &features);
    }

    /// Saves what is downloaded in this folder.
    pub fn download_into(&self, folder: &Path) {
        let allow = json!({
            "behavior": "allow", "downloadPath": folder, "browserContextId": self.context,
        });
        self.browser.call("Browser.setDownloadBehavior", &allow);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Nobody waits: a browser that is gone is no fault any more.
        let context = json!({"browserContextId": self.context});
        self.browser.pipe.send("", "Target.disposeBrowserContext", &context);
    }
}
