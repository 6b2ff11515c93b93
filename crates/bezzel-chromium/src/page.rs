//! A page: its content, its console messages, and its requests.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::browser::Chromium;
use crate::session::Session;

/// The screen of a page.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// True if the screen is a touch screen, as a phone's is.
    pub touched: bool,
    /// True if the page may run its scripts.
    pub scripts: bool,
}

/// A window on a desktop.
pub const DESKTOP: Screen = Screen { width: 1280, height: 800, touched: false, scripts: true };
/// A narrow phone.
pub const PHONE: Screen = Screen { width: 360, height: 740, touched: true, scripts: true };

/// A page in a window of its own. All pages of a process share one browser.
pub struct Page {
    browser: Arc<Chromium>,
    /// The browser context. Its stored data are deleted with the page.
    context: Json,
    session: Session,
}

impl Page {
    /// Opens an address on a screen; returns `None` without Chromium.
    pub fn open(address: &str, screen: Screen) -> Option<Self> {
        let browser = Chromium::shared()?;
        let (context, session) = browser.page();
        let page = Self { browser, context, session };
        for domain in ["Log", "Runtime", "Network", "Page"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        // On a desktop only one window has the keyboard focus; here each one has it.
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

    /// Opens an address, and waits until it is loaded. If only the fragment differs, there is no load to wait for.
    #[track_caller]
    pub fn go(&self, address: &str) {
        let loaded = "Page.loadEventFired";
        let before = self.session.events_named(loaded).len();
        let gone = self.call("Page.navigate", &json!({"url": address}));
        assert!(gone["errorText"].is_null(), "{gone}");
        if !gone["loaderId"].is_null() {
            self.session.wait(loaded, before + 1);
        }
    }

    /// Sends a command of the protocol and waits for its answer.
    #[track_caller]
    pub fn call(&self, method: &str, parameters: &Json) -> Json {
        self.session.call(method, parameters)
    }

    /// Sends commands with no other command between them.
    #[track_caller]
    pub(crate) fn at_once(&self, method: &str, commands: &[Json]) {
        self.session.at_once(method, commands);
    }

    /// Returns the value of a JavaScript expression.
    #[track_caller]
    pub fn evaluate(&self, expression: &str) -> Json {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let value = self.call("Runtime.evaluate", &parameters);
        assert!(value["exceptionDetails"].is_null(), "{expression}: {value}");
        value["result"]["value"].clone()
    }

    /// Returns the value of an expression that is a text.
    #[track_caller]
    pub fn text(&self, expression: &str) -> String {
        let value = self.evaluate(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// Returns the value of an expression that is a number.
    #[track_caller]
    pub fn number(&self, expression: &str) -> f64 {
        let value = self.evaluate(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Returns the value of an expression that is a natural number.
    #[track_caller]
    pub fn count(&self, expression: &str) -> u64 {
        let value = self.evaluate(expression);
        value.as_u64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Waits until an expression is true, for a minute at most.
    #[track_caller]
    pub fn until(&self, expression: &str) {
        for _ in 0..3000 {
            if self.evaluate(&format!("Boolean({expression})")) == true {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("{expression} does not come true on {}", self.text("document.body.innerText"));
    }

    /// Waits until all pending changes are drawn.
    pub fn rest(&self) {
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// Returns the console messages and uncaught exceptions of the page.
    pub fn console_messages(&self) -> Vec<String> {
        // Earlier events arrive before the answer.
        self.evaluate("1");
        let events = ["Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"];
        events
            .iter()
            .flat_map(|event| self.session.events_named(event))
            .map(|message| message.to_string())
            .collect()
    }

    /// Returns the requests beside the page itself.
    pub fn requests(&self) -> Vec<String> {
        let page = self.text("location.href.split('#')[0]");
        let requests = self.session.events_named("Network.requestWillBeSent").into_iter();
        let urls = requests.map(|event| event["request"]["url"].as_str().unwrap().to_owned());
        urls.filter(|url| *url != page && !url.starts_with("data:")).collect()
    }

    /// Switches the page to print media.
    pub fn as_printed(&self) {
        self.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    }

    /// Sets a preference of the user's system, such as `dark` for `prefers-color-scheme`.
    pub fn prefer(&self, preference: &str, value: &str) {
        let features = json!({"features": [{"name": preference, "value": value}]});
        self.call("Emulation.setEmulatedMedia", &features);
    }

    /// Saves downloads in this folder.
    pub fn download_into(&self, folder: &Path) {
        let allow = json!({
            "behavior": "allow", "downloadPath": folder, "browserContextId": self.context,
        });
        self.browser.call("Browser.setDownloadBehavior", &allow);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The answer is not awaited: a browser that has ended is no error here.
        let context = json!({"browserContextId": self.context});
        self.browser.pipe.send("", "Target.disposeBrowserContext", &context);
    }
}
