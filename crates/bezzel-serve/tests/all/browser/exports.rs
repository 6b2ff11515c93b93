//! Files of the board.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::browser::desk::{Desk, at};

/// Clicks on a link and returns the saved file when it is complete.
fn saved(desk: &Desk, link: &str, name: &str, length: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    desk.download_into(folder.path());
    desk.click(link);
    for _ in 0..3000 {
        let bytes = fs::read(folder.path().join(name)).unwrap_or_default();
        if bytes.len() >= length {
            return bytes;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{link} saves no {name}");
}

#[test]
fn each_file_is_the_one_that_the_server_gives() {
    let Some(desk) = Desk::new("size=6") else { return };
    desk.click(&at([1, 2]));
    desk.until_queens("1.2");
    for (link, format, name) in [
        ("#export-board", "format=board", "queens-6.txt"),
        ("#export-instance", "format=instance", "queens-6.yaml"),
        ("#export-dimacs", "format=dimacs&encoding=pairwise", "queens-6.cnf"),
    ] {
        let answer = desk.server.get(&format!("/api/export?size=6&queens=1.2&{format}"));
        assert_eq!(answer.status, 200);
        assert_eq!(saved(&desk, link, name, answer.bytes.len()), answer.bytes, "{link}");
        // The link has its address, for users who open or copy it.
        let address = desk.text(&format!("document.querySelector('{link}').href"));
        assert_eq!(
            address,
            format!("http://{}/api/export?size=6&queens=1.2&{format}", desk.server.address)
        );
    }
    // Another encoding gives another file.
    desk.choose("#export-encoding", "sequential-counter");
    let answer =
        desk.server.get("/api/export?size=6&queens=1.2&format=dimacs&encoding=sequential-counter");
    let bytes = saved(&desk, "#export-dimacs", "queens-6.cnf", answer.bytes.len());
    assert_eq!(bytes, answer.bytes);
}

#[test]
fn a_failed_export_is_reported_and_not_saved() {
    let Some(desk) = Desk::new("size=8") else { return };
    let folder = tempfile::tempdir().unwrap();
    desk.download_into(folder.path());
    desk.load("size=8&queens=1.1_1.2");
    desk.until("!wrong.hidden");
    desk.click("#wrong-close");
    desk.until("wrong.hidden");
    desk.click("#export-board");
    desk.until("document.getElementById('wrong-text').textContent.startsWith('Export of')");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
