//! The browser process: its program, its start and its end.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::thread;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::session::{Pipe, Session, locked};

/// The command that starts Chromium. The pipes of the protocol are descriptors 3 and 4, which only a shell can set.
const START: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const OPTIONS: [&str; 13] = [
    "--headless",
    // Root has no sandbox, other users have one only if the system allows it; the pages are ours.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Pages of several tests are open at a time, and none of them may be throttled in the background.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--remote-debugging-pipe",
    "about:blank",
];

/// The browser of the open pages.
static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// A browser, which ends with its last page.
pub(crate) struct Chromium {
    pub(crate) pipe: Arc<Pipe>,
    own: Mutex<Session>,
    child: Child,
    // The last field is dropped last: the browser has ended by then.
    _home: TempDir,
}

/// Returns the path of Chromium; without it, prints that the test is skipped.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join("chromium"))
        .find(|program| program.is_file());
    if found.is_none() {
        let skipped = "chromium is not installed";
        assert!(std::env::var_os("BEZZEL_REQUIRE_OUTSIDE").is_none(), "{skipped}");
        // Written past the capture of passing tests' output.
        writeln!(std::io::stderr(), "skipped: {skipped}").unwrap();
    }
    found
}

impl Chromium {
    /// Returns the browser of the pages that are open now, or else a new one: its start takes far longer than
    /// opening a page. Returns `None` without Chromium.
    pub(crate) fn shared() -> Option<Arc<Self>> {
        let mut shared = locked(&SHARED);
        if let Some(browser) = shared.upgrade() {
            return Some(browser);
        }
        let browser = Arc::new(Self::start()?);
        *shared = Arc::downgrade(&browser);
        Some(browser)
    }

    fn start() -> Option<Self> {
        let program = program()?;
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", START])
            .arg(program)
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            // The user's home may be missing or read-only.
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pipe = Pipe::new(child.stdin.take().unwrap());
        let own = Mutex::new(Session::new(&pipe, ""));
        let output = BufReader::new(child.stdout.take().unwrap());
        let reader = Arc::clone(&pipe);
        thread::spawn(move || reader.read(output));
        Some(Self { pipe, own, child, _home: home })
    }

    /// Sends a command to the browser itself and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, parameters: &Json) -> Json {
        locked(&self.own).call(method, parameters)
    }

    /// Opens a new page in a window of its own, which shares no stored data with other pages. Returns its browser
    /// context and its session.
    pub(crate) fn page(&self) -> (Json, Session) {
        let context = self.call("Target.createBrowserContext", &json!({}));
        let context = context["browserContextId"].clone();
        let blank = json!({"url": "about:blank", "browserContextId": context, "newWindow": true});
        let target = self.call("Target.createTarget", &blank);
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call("Target.attachToTarget", &attach);
        let session = attached["sessionId"].as_str().expect("a page has a session");
        (context, Session::new(&self.pipe, session))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // On request it ends with all its processes; the messages end with it.
        locked(&self.own).end();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
