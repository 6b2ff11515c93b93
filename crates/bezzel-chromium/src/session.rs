//! The messages to and from the browser and its pages, all through one pipe.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// The longest time for an answer. Only a hanging browser needs longer.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// The pipe to a browser, which tests in several threads share.
pub(crate) struct Pipe {
    input: Mutex<ChildStdin>,
    next: AtomicU64,
    /// The receivers of messages, by their sessions; the session of the browser itself has an empty name.
    sessions: Mutex<HashMap<String, Sender<Json>>>,
}

impl Pipe {
    pub(crate) fn new(input: ChildStdin) -> Arc<Self> {
        Arc::new(Self {
            input: Mutex::new(input),
            next: AtomicU64::new(1),
            sessions: Mutex::default(),
        })
    }

    /// Distributes the messages of the browser, until it ends.
    pub(crate) fn read(&self, mut output: impl BufRead) {
        let mut message = Vec::new();
        while output.read_until(0, &mut message).is_ok_and(|length| length > 0) {
            let text = message.strip_suffix(b"\0").unwrap_or(&message);
            if let Ok(json) = serde_json::from_slice::<Json>(text) {
                let session = json["sessionId"].as_str().unwrap_or_default();
                if let Some(sender) = locked(&self.sessions).get(session) {
                    // A closed page does not receive any more.
                    let _ = sender.send(json);
                }
            }
            message.clear();
        }
        // The remaining receivers see that no message follows.
        locked(&self.sessions).clear();
    }

    /// Sends a command, and does not wait.
    pub(crate) fn send(&self, session: &str, method: &str, parameters: &Json) -> u64 {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let text = message.to_string() + "\0";
        // The receiver of the answer notices a browser that has ended.
        let _ = locked(&self.input).write_all(text.as_bytes());
        id
    }
}

/// A session: that of a page, or of the browser itself.
pub(crate) struct Session {
    pipe: Arc<Pipe>,
    id: String,
    messages: Receiver<Json>,
    /// Received events.
    events: RefCell<Vec<Json>>,
}

impl Session {
    pub(crate) fn new(pipe: &Arc<Pipe>, session: &str) -> Self {
        let (sender, messages) = channel();
        locked(&pipe.sessions).insert(session.to_owned(), sender);
        let id = session.to_owned();
        Self { pipe: Arc::clone(pipe), id, messages, events: RefCell::default() }
    }

    /// Sends commands, and waits only for the answer of the last: no other command comes between them.
    #[track_caller]
    pub(crate) fn at_once(&self, method: &str, commands: &[Json]) {
        let (last, before) = commands.split_last().expect("there is one");
        for parameters in before {
            self.pipe.send(&self.id, method, parameters);
        }
        self.call(method, last);
    }

    /// Sends a command and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, parameters: &Json) -> Json {
        let id = self.pipe.send(&self.id, method, parameters);
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.store(message);
        }
    }

    /// Waits until `times` events of this name were received.
    #[track_caller]
    pub(crate) fn wait(&self, event: &str, times: usize) {
        while self.events_named(event).len() < times {
            let message = self.receive();
            self.store(message);
        }
    }

    /// Returns the parameters of all events of this name up to now.
    pub(crate) fn events_named(&self, event: &str) -> Vec<Json> {
        let events = self.events.borrow();
        let events = events.iter().filter(|message| message["method"] == event);
        events.map(|message| message["params"].clone()).collect()
    }

    /// Asks the browser to end, and waits until it sends no more messages.
    pub(crate) fn end(&self) {
        self.pipe.send(&self.id, "Browser.close", &json!({}));
        while self.messages.recv_timeout(Duration::from_secs(10)).is_ok() {}
    }

    fn store(&self, message: Json) {
        if !message["method"].is_null() {
            self.events.borrow_mut().push(message);
        }
    }

    #[track_caller]
    fn receive(&self) -> Json {
        self.messages.recv_timeout(ANSWER_TIMEOUT).expect("Chromium answers")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        locked(&self.pipe.sessions).remove(&self.id);
    }
}

/// Locks a mutex. Its value is always consistent: a failed test does not make it unusable for others.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
