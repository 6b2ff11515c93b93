//! What is said to the browser and to its pages, all through one pipe.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// No answer takes longer but that of a browser that has gone astray.
const PATIENCE: Duration = Duration::from_mins(1);

/// The pipe to a browser, which tests in several threads share.
pub(crate) struct Pipe {
    input: Mutex<ChildStdin>,
    next: AtomicU64,
    /// Whom messages are for, by their sessions; that of the browser itself has no name.
    lines: Mutex<HashMap<String, Sender<Json>>>,
}

impl Pipe {
    pub(crate) fn new(input: ChildStdin) -> Arc<Self> {
        Arc::new(Self {
            input: Mutex::new(input),
            next: AtomicU64::new(1),
            lines: Mutex::default(),
        })
    }

    /// Hands on what the browser says, until it ends.
    pub(crate) fn read(&self, mut output: impl BufRead) {
        let mut message = Vec::new();
        while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
            let text = message.strip_suffix(b"\0").unwrap_or(&message);
            if let Ok(json) = serde_json::from_slice::<Json>(text) {
                let session = json["sessionId"].as_str().unwrap_or_default();
                if let Some(line) = locked(&self.lines).get(session) {
                    // A page that is closed listens no more.
                    let _ = line.send(json);
                }
            }
            message.clear();
        }
        // Who still listens is told that nothing follows.
        locked(&self.lines).clear();
    }

    /// Sends a command, and does not wait.
    pub(crate) fn send(&self, session: &str, method: &str, parameters: &Json) -> u64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let text = message.to_string() + "\0";
        // A browser that has ended is noticed by who waits for its answer.
        let _ = locked(&self.input).write_all(text.as_bytes());
        id
    }
}

/// A session: that of a page, or of the browser itself.
pub(crate) struct Line {
    pipe: Arc<Pipe>,
    session: String,
    messages: Receiver<Json>,
    /// Events that nobody asked for yet.
    events: RefCell<Vec<Json>>,
}

impl Line {
    pub(crate) fn new(pipe: &Arc<Pipe>, session: &str) -> Self {
        let (sender, messages) = channel();
        locked(&pipe.lines).insert(session.to_owned(), sender);
        let session = session.to_owned();
        Self { pipe: Arc::clone(pipe), session, messages, events: RefCell::default() }
    }

    /// Sends commands, and waits only for the answer of the last: nothing comes between them.
    #[track_caller]
    pub(crate) fn at_once(&self, method: &str, commands: &[Json]) {
        let (last, before) = commands.split_last().expect("there is one");
        for parameters in before {
            self.pipe.send(&self.session, method, parameters);
        }
        self.call(method, last);
    }

    /// Sends a command and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, parameters: &Json) -> Json {
        let id = self.pipe.send(&self.session, method, parameters);
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.keep(message);
        }
    }

    /// Waits until so many events of this name were heard.
    #[track_caller]
    pub(crate) fn wait(&self, event: &str, times: usize) {
        while self.heard(event).len() < times {
            let message = self.receive();
            self.keep(message);
        }
    }

    /// The parameters of all events of this name up to now.
    pub(crate) fn heard(&self, event: &str) -> Vec<Json> {
        let events = self.events.borrow();
        let events = events.iter().filter(|told| told["method"] == event);
        events.map(|told| told["params"].clone()).collect()
    }

    /// Asks the browser to end, and waits until it says no more.
    pub(crate) fn end(&self) {
        self.pipe.send(&self.session, "Browser.close", &json!({}));
        while self.messages.recv_timeout(Duration::from_secs(10)).is_ok() {}
    }

    fn keep(&self, message: Json) {
        if !message["method"].is_null() {
            self.events.borrow_mut().push(message);
        }
    }

    #[track_caller]
    fn receive(&self) -> Json {
        self.messages.recv_timeout(PATIENCE).expect("Chromium answers")
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        locked(&self.pipe.lines).remove(&self.session);
    }
}

/// What is locked is whole at any time: a test that fails does not spoil it for others.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
