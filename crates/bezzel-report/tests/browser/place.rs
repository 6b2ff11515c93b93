//! A report in a folder of its own, opened in Chromium.

use std::path::Path;

use bezzel_lab::ExperimentRecord;
use bezzel_report::Paths;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::chromium::Chromium;
use crate::sample;

/// The small record's report, and the index beside it.
pub(crate) fn report() -> (TempDir, Paths) {
    report_of(&sample::small())
}

/// A record's report, and the index beside it.
pub(crate) fn report_of(record: &ExperimentRecord) -> (TempDir, Paths) {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports");
    let command = format!("bezzel report {}", record.name);
    let paths = bezzel_report::render(record, &reports.join(&record.name), &command).unwrap();
    bezzel_report::index(&reports).unwrap();
    (folder, paths)
}

/// How a page is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Screen {
    /// In pixels.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Whether it is touched, as a phone's is.
    pub(crate) touched: bool,
    pub(crate) scripts: bool,
}

pub(crate) const DESK: Screen = Screen { width: 1280, height: 800, touched: false, scripts: true };
pub(crate) const PHONE: Screen = Screen { width: 360, height: 740, touched: true, scripts: true };

/// A page in a browser of its own.
pub(crate) struct Opened(Chromium);

impl Opened {
    /// Opens a file on such a screen; none if there is no Chromium.
    pub(crate) fn new(page: &Path, screen: Screen) -> Option<Self> {
        let browser = Chromium::start()?;
        for domain in ["Log", "Runtime", "Network", "Page"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        let Screen { width, height, touched, scripts } = screen;
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touched});
        browser.call("Emulation.setDeviceMetricsOverride", &metrics);
        browser.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": touched}));
        browser.call("Emulation.setScriptExecutionDisabled", &json!({"value": !scripts}));
        let opened = browser.call("Page.navigate", &json!({"url": address(page)}));
        assert!(opened["errorText"].is_null(), "{opened}");
        browser.wait("Page.loadEventFired");
        Some(Self(browser))
    }

    /// Sends a command of Chrome's protocol.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, parameters: &Json) -> Json {
        self.0.call(method, parameters)
    }

    /// What an expression of the page's language is.
    #[track_caller]
    pub(crate) fn ask(&self, expression: &str) -> Json {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let told = self.call("Runtime.evaluate", &asked);
        assert!(told["exceptionDetails"].is_null(), "{expression}: {told}");
        told["result"]["value"].clone()
    }

    #[track_caller]
    pub(crate) fn text(&self, expression: &str) -> String {
        let told = self.ask(expression);
        told.as_str().unwrap_or_else(|| panic!("{expression} is {told}")).to_owned()
    }

    #[track_caller]
    pub(crate) fn number(&self, expression: &str) -> f64 {
        let told = self.ask(expression);
        told.as_f64().unwrap_or_else(|| panic!("{expression} is {told}"))
    }

    #[track_caller]
    pub(crate) fn count(&self, expression: &str) -> u64 {
        let told = self.ask(expression);
        told.as_u64().unwrap_or_else(|| panic!("{expression} is {told}"))
    }

    /// Waits until all that was begun is shown.
    pub(crate) fn rest(&self) {
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    /// Presses a key and lets it go.
    pub(crate) fn press(&self, key: &str) {
        // By its number a key does what it does; Enter is a letter as well.
        let numbers = [
            ("Tab", 9),
            ("Enter", 13),
            ("Escape", 27),
            ("ArrowLeft", 37),
            ("ArrowUp", 38),
            ("ArrowRight", 39),
        ];
        let number = numbers.iter().find(|known| known.0 == key).expect("the key is known").1;
        let mut event =
            json!({"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": number});
        if key == "Enter" {
            event["text"] = "\r".into();
        }
        self.call("Input.dispatchKeyEvent", &event);
        event["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", &event);
    }

    /// What the console was told.
    pub(crate) fn told(&self) -> Vec<String> {
        // What was told before comes before the answer.
        self.ask("1");
        let told = ["Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"];
        told.iter().flat_map(|event| self.0.heard(event)).map(|event| event.to_string()).collect()
    }

    /// What was asked for beside the page itself.
    pub(crate) fn asked(&self) -> Vec<String> {
        let page = self.text("location.href.split('#')[0]");
        let requests = self.0.heard("Network.requestWillBeSent").into_iter();
        let urls = requests.map(|event| event["request"]["url"].as_str().unwrap().to_owned());
        urls.filter(|url| *url != page && !url.starts_with("data:")).collect()
    }

    /// Looks at the page as it is printed.
    pub(crate) fn as_printed(&self) {
        self.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    }
}

/// The address of a file.
fn address(page: &Path) -> String {
    format!("file://{}", page.display())
}
