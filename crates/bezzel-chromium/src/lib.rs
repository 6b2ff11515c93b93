//! Chromium without a window, in which tests open a page, use it and look at it.
//!
//! It is driven by its own protocol: messages of JSON, each ended by a zero byte, through two
//! pipes. <https://chromedevtools.github.io/devtools-protocol/> has the words. No library stands
//! between: a pipe needs neither a port nor a socket, and what there is of libraries for this brings
//! a TLS stack to build (`headless_chrome`), or a runtime and a second program that knows neither the
//! console nor requests (`fantoccini`).
//!
//! Where `chromium` is not installed there is no [`Page`], and that is said; with
//! `BEZZEL_REQUIRE_OUTSIDE` set, as in `.ci/run`, it is a failure instead.
//!
//! ```no_run
//! use bezzel_chromium::{DESK, Page};
//!
//! let Some(page) = Page::open("http://127.0.0.1:8080/", DESK) else { return };
//! page.click("#undo");
//! page.press("Control+Z");
//! page.until("document.title === 'Bezzel'");
//! assert!(page.told().is_empty());
//! ```

mod browser;
mod input;
mod line;
mod page;

pub use page::{DESK, PHONE, Page, Screen};
