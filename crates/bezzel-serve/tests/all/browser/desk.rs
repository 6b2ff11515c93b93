//! A server, and its page in Chromium.

use std::cell::Cell;
use std::ops::Deref;
use std::thread;

use bezzel_chromium::{DESK, Page, Screen};

use crate::server::place::Place;

/// A board that is open in a browser. When it is put away, nothing must have gone wrong unseen: no
/// word on the console, and no request to anybody else.
pub(crate) struct Desk {
    page: Page,
    pub(crate) place: Place,
    loads: Cell<u32>,
}

impl Desk {
    /// Opens the board of an address' fragment; none if there is no Chromium.
    pub(crate) fn new(fragment: &str) -> Option<Self> {
        Self::on(Place::new(), fragment, DESK)
    }

    /// The same on another screen, and of a server that is there already.
    pub(crate) fn on(place: Place, fragment: &str, screen: Screen) -> Option<Self> {
        let page = Page::open(&address(&place, fragment), screen)?;
        let desk = Self { page, place, loads: Cell::new(0) };
        desk.until("document.querySelectorAll('#eyes .eye').length === 2");
        desk.is_answered();
        Some(desk)
    }

    /// Opens another board in the same page, from the beginning, and waits for its answer.
    pub(crate) fn open(&self, fragment: &str) {
        self.load(fragment);
        self.is_answered();
    }

    /// Loads the page anew. If only the fragment were another, it would go on as it is.
    pub(crate) fn load(&self, fragment: &str) {
        self.loads.set(self.loads.get() + 1);
        self.go(&format!("http://{}/?{}#{fragment}", self.place.address, self.loads.get()));
    }

    /// Enters another fragment in the address bar; the page goes on.
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

    /// The address of a board.
    pub(crate) fn address(&self, fragment: &str) -> String {
        address(&self.place, fragment)
    }

    /// What a square looks like.
    #[track_caller]
    pub(crate) fn look(&self, square: [u32; 2]) -> String {
        self.text(&format!("document.querySelector('{}').dataset.look", at(square)))
    }

    /// Waits until a square looks like this.
    #[track_caller]
    pub(crate) fn until_look(&self, square: [u32; 2], look: &str) {
        self.until(&format!("document.querySelector('{}').dataset.look === '{look}'", at(square)));
    }

    /// What all squares look like, in reading order.
    pub(crate) fn looks(&self) -> Vec<String> {
        let looks =
            "[...document.querySelectorAll('#grid [role=gridcell]')].map((it) => it.dataset.look)";
        serde_json::from_value(self.ask(looks)).unwrap()
    }

    /// What a square is called.
    #[track_caller]
    pub(crate) fn name(&self, square: [u32; 2]) -> String {
        self.text(&format!("document.querySelector('{}').ariaLabel", at(square)))
    }

    /// The queens on the board, as the address has them.
    #[track_caller]
    pub(crate) fn until_queens(&self, queens: &str) {
        self.until(&format!(
            "[...document.querySelectorAll('#grid [role=gridcell][data-look=queen]')]\
             .map((it) => it.dataset.row + '.' + it.dataset.column).join('_') === '{queens}'"
        ));
    }

    /// Waits until the heading says this of what is left.
    #[track_caller]
    pub(crate) fn until_left(&self, words: &str) {
        self.until(&format!("document.getElementById('count').textContent === '{words}'"));
    }

    /// Waits until this is said aloud.
    #[track_caller]
    pub(crate) fn until_said(&self, words: &str) {
        self.until(&format!("said.textContent.includes('{words}')"));
    }

    /// Chooses an option of a list that is small, as a keyboard does.
    #[track_caller]
    pub(crate) fn choose(&self, select: &str, option: &str) {
        let list = format!("document.querySelector('{select}')");
        self.ask(&format!("{list}.focus() ?? 0"));
        let way = self.ask(&format!(
            "[...{list}.options].findIndex(({{value}}) => value === '{option}') - {list}.selectedIndex"
        ));
        let way = way.as_i64().unwrap();
        for _ in 0..way.abs() {
            self.press(if way < 0 { "ArrowUp" } else { "ArrowDown" });
        }
        assert_eq!(self.text(&format!("{list}.value")), option);
    }
}

/// The selector of a square.
pub(crate) fn at([row, column]: [u32; 2]) -> String {
    format!("#grid [data-row=\"{row}\"][data-column=\"{column}\"]")
}

fn address(place: &Place, fragment: &str) -> String {
    format!("http://{}/#{fragment}", place.address)
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
        // What the server refuses is told on the page, and by Chromium on the console as well.
        let told = self.told().into_iter().filter(|told| !told.contains("Failed to load resource"));
        assert_eq!(told.collect::<Vec<_>>(), [""; 0]);
        let own = format!("http://{}/", self.place.address);
        let foreign = self
            .asked()
            .into_iter()
            .filter(|asked| !asked.strip_prefix("blob:").unwrap_or(asked).starts_with(&own));
        assert_eq!(foreign.collect::<Vec<_>>(), [""; 0]);
    }
}
