//! A server, and its page in Chromium.

use std::cell::Cell;
use std::ops::Deref;
use std::thread;

use bezzel_chromium::{DESKTOP, Page, Screen};

use crate::server::test_server::TestServer;

/// A board that is open in a browser. When it is dropped, it checks that there were no unseen errors: no console
/// message, and no request to another server.
pub(crate) struct Desk {
    page: Page,
    pub(crate) server: TestServer,
    loads: Cell<u32>,
}

impl Desk {
    /// Opens the board of an address' fragment; returns `None` without Chromium.
    pub(crate) fn new(fragment: &str) -> Option<Self> {
        Self::on(TestServer::new(), fragment, DESKTOP)
    }

    /// Opens a board on another screen, from a running server.
    pub(crate) fn on(server: TestServer, fragment: &str, screen: Screen) -> Option<Self> {
        let page = Page::open(&address(&server, fragment), screen)?;
        let desk = Self { page, server, loads: Cell::new(0) };
        desk.until("document.querySelectorAll('#propagation .view').length === 2");
        desk.is_answered();
        Some(desk)
    }

    /// Opens another board in the same page, with a new load, and waits for its answer.
    pub(crate) fn open(&self, fragment: &str) {
        self.load(fragment);
        self.is_answered();
    }

    /// Loads the page again. A change of the fragment alone would not load it.
    pub(crate) fn load(&self, fragment: &str) {
        self.loads.set(self.loads.get() + 1);
        self.go(&format!("http://{}/?{}#{fragment}", self.server.address, self.loads.get()));
    }

    /// Enters another fragment in the address bar, without a new load.
    pub(crate) fn enter(&self, fragment: &str) {
        let page = self.text("location.href.split('#')[0]");
        self.go(&format!("{page}#{fragment}"));
    }

    /// Waits for the first answer after the page was opened.
    pub(crate) fn is_answered(&self) {
        self.until(
            "grid.children.length && grid.ariaBusy === 'false' \
             && !document.querySelector('#grid [data-look=unknown]')",
        );
    }

    /// Returns the address of a board.
    pub(crate) fn address(&self, fragment: &str) -> String {
        address(&self.server, fragment)
    }

    /// Returns the look of a square.
    #[track_caller]
    pub(crate) fn look(&self, square: [u32; 2]) -> String {
        self.text(&format!("document.querySelector('{}').dataset.look", at(square)))
    }

    /// Waits until a square has this look.
    #[track_caller]
    pub(crate) fn until_look(&self, square: [u32; 2], look: &str) {
        self.until(&format!("document.querySelector('{}').dataset.look === '{look}'", at(square)));
    }

    /// Returns the looks of all squares, in reading order.
    pub(crate) fn looks(&self) -> Vec<String> {
        let looks =
            "[...document.querySelectorAll('#grid [role=gridcell]')].map((it) => it.dataset.look)";
        serde_json::from_value(self.evaluate(looks)).unwrap()
    }

    /// Returns the accessible name of a square.
    #[track_caller]
    pub(crate) fn name(&self, square: [u32; 2]) -> String {
        self.text(&format!("document.querySelector('{}').ariaLabel", at(square)))
    }

    /// Waits until the address contains these queens.
    #[track_caller]
    pub(crate) fn until_queens(&self, queens: &str) {
        self.until(&format!(
            "[...document.querySelectorAll('#grid [role=gridcell][data-look=queen]')]\
             .map((it) => it.dataset.row + '.' + it.dataset.column).join('_') === '{queens}'"
        ));
    }

    /// Waits until the heading has these words on the solutions that are left.
    #[track_caller]
    pub(crate) fn until_left(&self, words: &str) {
        self.until(&format!("document.getElementById('count').textContent === '{words}'"));
    }

    /// Waits until the page has announced these words to screen readers.
    #[track_caller]
    pub(crate) fn until_message(&self, words: &str) {
        self.until(&format!("message.textContent.includes('{words}')"));
    }

    /// Chooses an option of a small list, as a keyboard does.
    #[track_caller]
    pub(crate) fn choose(&self, select: &str, option: &str) {
        let list = format!("document.querySelector('{select}')");
        self.evaluate(&format!("{list}.focus() ?? 0"));
        let way = self.evaluate(&format!(
            "[...{list}.options].findIndex(({{value}}) => value === '{option}') - {list}.selectedIndex"
        ));
        let way = way.as_i64().unwrap();
        for _ in 0..way.abs() {
            self.press(if way < 0 { "ArrowUp" } else { "ArrowDown" });
        }
        assert_eq!(self.text(&format!("{list}.value")), option);
    }
}

/// Returns the selector of a square.
pub(crate) fn at([row, column]: [u32; 2]) -> String {
    format!("#grid [data-row=\"{row}\"][data-column=\"{column}\"]")
}

fn address(server: &TestServer, fragment: &str) -> String {
    format!("http://{}/#{fragment}", server.address)
}

impl Deref for Desk {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        // The page shows a refusal of the server, and Chromium logs it on the console as well.
        let messages = self
            .console_messages()
            .into_iter()
            .filter(|message| !message.contains("Failed to load resource"));
        assert_eq!(messages.collect::<Vec<_>>(), [""; 0]);
        let own = format!("http://{}/", self.server.address);
        let foreign = self
            .requests()
            .into_iter()
            .filter(|url| !url.strip_prefix("blob:").unwrap_or(url).starts_with(&own));
        assert_eq!(foreign.collect::<Vec<_>>(), [""; 0]);
    }
}
