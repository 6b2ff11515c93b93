//! The program: where it is, how it is started, and how it ends.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::thread;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::line::{Line, Pipe, locked};

/// The pipes of the protocol are the descriptors 3 and 4, which only a shell can give a child.
const START: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const OPTIONS: [&str; 13] = [
    "--headless",
    // Root has no sandbox, others have one only where the system lets them; the pages are ours.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Pages of several tests are open at a time, and none of them waits in the background.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--remote-debugging-pipe",
    "about:blank",
];

/// The browser that has pages now.
static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());

/// A browser, which ends with its last page.
pub(crate) struct Chromium {
    pub(crate) pipe: Arc<Pipe>,
    own: Mutex<Line>,
    child: Child,
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
    /// The browser of the pages that are open now, or else a new one: starting it takes far longer
    /// than opening a page. None if there is no Chromium.
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
            // Whoever runs the tests may have no home that can be written to.
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pipe = Pipe::new(child.stdin.take().unwrap());
        let own = Mutex::new(Line::new(&pipe, ""));
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

    /// A new page in a window of its own, which keeps nothing that other pages have stored: where it
    /// is kept, and its session.
    pub(crate) fn page(&self) -> (Json, Line) {
        let context = self.call("Target.createBrowserContext", &json!({}));
        let context = context["browserContextId"].clone();
        let blank = json!({"url": "about:blank", "browserContextId": context, "newWindow": true});
        let target = self.call("Target.createTarget", &blank);
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = self.call("Target.attachToTarget", &attach);
        let session = attached["sessionId"].as_str().expect("a page has a session");
        (context, Line::new(&self.pipe, session))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Asked to, it ends with all its processes; the messages end with it.
        locked(&self.own).end();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
