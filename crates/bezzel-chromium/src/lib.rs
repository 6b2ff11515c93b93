//! Chromium without a window, in which tests open and use pages.
//!
//! It is controlled by its own protocol: JSON messages, each ended by a zero byte, through two pipes.
//! <https://chromedevtools.github.io/devtools-protocol/> documents the messages. No library is used: a pipe needs
//! neither a port nor a socket, and the available libraries require a TLS stack (`headless_chrome`), or a runtime
//! and a second program that supports neither the console nor requests (`fantoccini`).
//!
//! Without an installed `chromium` there is no [`Page`], and a message is printed; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, the test fails instead.
//!
//! ```no_run
//! use bezzel_chromium::{DESKTOP, Page};
//!
//! let Some(page) = Page::open("http://127.0.0.1:8080/", DESKTOP) else { return };
//! page.click("#undo");
//! page.press("Control+Z");
//! page.until("document.title === 'Bezzel'");
//! assert!(page.console_messages().is_empty());
//! ```

mod browser;
mod input;
mod page;
mod session;

pub use page::{DESKTOP, PHONE, Page, Screen};
