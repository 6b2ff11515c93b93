//! The page while other clients keep the server busy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::browser::desk::{Desk, at};

#[test]
fn the_page_goes_on_while_dozens_of_others_ask() {
    let Some(desk) = Desk::new("size=8") else { return };
    let is_over = &AtomicBool::new(false);
    let address = desk.server.address;
    thread::scope(|scope| {
        for number in 0..36 {
            scope.spawn(move || {
                let mut client = crate::server::test_server::Client::new(address).unwrap();
                for turn in (number..).take_while(|_| !is_over.load(Ordering::Relaxed)) {
                    let (row, column) = (turn % 8 + 1, turn / 8 % 8 + 1);
                    let question = match turn % 3 {
                        0 => format!("/api/board?size=8&queens={row}.{column}"),
                        1 => format!("/api/why?size=8&queens=1.1&square={row}.{column}"),
                        _ => format!(
                            "/api/propagation?size=8&queens={row}.{column}&encoding=pairwise"
                        ),
                    };
                    let status = client.get(&question).unwrap().status;
                    assert!([200, 400, 503].contains(&status), "{question}: {status}");
                }
            });
        }
        // The other clients stop as well if an assertion fails here.
        let _over = FinishedFlag(is_over);
        for (square, queens, left) in
            [([1, 4], "1.4", 18), ([2, 7], "1.4_2.7", 4), ([1, 4], "2.7", 16)]
        {
            desk.click(&at(square));
            // The page shows a longer delay of the server, with a button to ask again.
            desk.until(&format!(
                "document.getElementById('wrong').hidden || document.getElementById('wrong-again').click(), \
                 location.hash.endsWith('queens={queens}') \
                 && document.getElementById('count').textContent === '{left} solutions left'"
            ));
        }
    });
    desk.until_queens("2.7");
    desk.click(&at([2, 7]));
    desk.until_left("92 solutions left");
}

/// A guard that stops the other clients when it is dropped.
struct FinishedFlag<'a>(&'a AtomicBool);

impl Drop for FinishedFlag<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
