//! Chromium without a window, driven by its own protocol: messages of JSON, each ended by a zero
//! byte, through two pipes. <https://chromedevtools.github.io/devtools-protocol/> has the words.
//!
//! No library stands between: a pipe needs neither a port nor a socket, and what there is of
//! libraries for this brings a TLS stack to build (`headless_chrome`), or a runtime and a second
//! program that knows neither the console nor requests (`fantoccini`).

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// No answer takes longer but that of a browser that has gone astray.
const PATIENCE: Duration = Duration::from_mins(1);

/// The pipes of the protocol are the descriptors 3 and 4, which only a shell can give a child.
const START: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const OPTIONS: [&str; 10] = [
    "--headless",
    // Root has no sandbox, others have one only where the system lets them; the pages are ours.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
    "about:blank",
];

/// A browser with one page.
pub(crate) struct Chromium {
    child: Child,
    input: RefCell<ChildStdin>,
    messages: Receiver<Json>,
    /// Events that nobody asked for yet.
    events: RefCell<Vec<Json>>,
    next: Cell<u64>,
    session: String,
    // Dropped last: the browser has ended by then.
    _home: TempDir,
}

/// Where Chromium is; where it is not, says that it is skipped.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join("chromium"))
        .find(|program| program.is_file());
    if found.is_none() {
        let skipped = "chromium is not installed";
        assert!(std::env::var_os("BEZZEL_REQUIRE_OUTSIDE").is_none(), "{skipped}");
        // Past the capture of passing tests' output.
        writeln!(std::io::stderr(), "skipped: {skipped}").unwrap();
    }
    found
}

impl Chromium {
    /// Starts a browser; none if there is no Chromium.
    pub(crate) fn start() -> Option<Self> {
        let program = program()?;
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", START])
            .arg(program)
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            // Whoever runs the tests may have no home that can be written to.
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
                let json = serde_json::from_slice(message.strip_suffix(b"\0").unwrap_or(&message));
                if json.is_ok_and(|json: Json| sender.send(json).is_err()) {
                    break;
                }
                message.clear();
            }
        });
        let (events, next, session) = (RefCell::default(), Cell::new(0), String::new());
        let mut browser = Self { child, input, messages, events, next, session, _home: home };
        let page = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", &attach);
        let session = attached["sessionId"].as_str().expect("a page has a session");
        session.clone_into(&mut browser.session);
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, parameters: &Json) -> Json {
        let id = self.send(method, parameters);
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.borrow_mut().push(message);
        }
    }

    /// Waits for an event of this name.
    pub(crate) fn wait(&self, event: &str) {
        while !self.events.borrow().iter().any(|told| told["method"] == event) {
            let message = self.receive();
            self.events.borrow_mut().push(message);
        }
    }

    /// The parameters of all events of this name up to now.
    pub(crate) fn heard(&self, event: &str) -> Vec<Json> {
        let events = self.events.borrow();
        let events = events.iter().filter(|told| told["method"] == event);
        events.map(|told| told["params"].clone()).collect()
    }

    fn send(&self, method: &str, parameters: &Json) -> u64 {
        let id = self.next.get() + 1;
        self.next.set(id);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        let text = message.to_string() + "\0";
        self.input.borrow_mut().write_all(text.as_bytes()).expect("Chromium listens");
        id
    }

    fn receive(&self) -> Json {
        self.messages.recv_timeout(PATIENCE).expect("Chromium answers")
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        self.session.clear();
        // Asked to, it ends with all its processes; the messages end with it.
        self.send("Browser.close", &json!({}));
        while self.messages.recv_timeout(Duration::from_secs(10)).is_ok() {}
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
