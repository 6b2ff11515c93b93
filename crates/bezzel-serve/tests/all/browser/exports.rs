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
        ("#export-dimacs", "format=dimacs&encoding=pairwise", "queens-6.cnf"),
        ("#export-second", "format=dimacs&encoding=binary", "queens-6.cnf"),
    ] {
        let answer = desk.server.get(&format!("/api/export?size=6&queens=1.2&{format}"));
        assert_eq!(answer.status, 200);
        assert_eq!(saved(&desk, link, name, answer.bytes.len()), answer.bytes, "{link}");
        desk.until_message(&format!("The browser saves {name}."));
        // The link has its address, for users who open or copy it.
        let address = desk.text(&format!("document.querySelector('{link}').href"));
        assert_eq!(
            address,
            format!("http://{}/api/export?size=6&queens=1.2&{format}", desk.server.address)
        );
    }
    // Files have the encodings of the comparison.
    desk.choose("#propagation .view:nth-child(1) select", "sequential-counter");
    let answer =
        desk.server.get("/api/export?size=6&queens=1.2&format=dimacs&encoding=sequential-counter");
    let bytes = saved(&desk, "#export-dimacs", "queens-6.cnf", answer.bytes.len());
    assert_eq!(bytes, answer.bytes);
}

#[test]
fn a_position_is_measured_by_a_config_and_a_command() {
    let Some(desk) = Desk::new("size=6&queens=1.2&blocked=6.6") else { return };
    let config = desk.server.get(
        "/api/export?size=6&queens=1.2&blocked=6.6&format=config&encoding=pairwise&second=binary",
    );
    desk.click("#measure-open");
    desk.until("document.getElementById('measure').open");
    assert_eq!(
        desk.text("document.getElementById('measure-config').textContent"),
        config.text(),
        "the config of the server"
    );
    let command = "document.getElementById('measure-command').textContent";
    assert_eq!(desk.text(command), "bezzel run queens-6.yaml");
    let bytes = saved(&desk, "#export-config", "queens-6.yaml", config.bytes.len());
    assert_eq!(bytes, config.bytes);
    desk.until(
        "document.getElementById('measure-copied').textContent === 'The browser saves queens-6.yaml.'",
    );
    for part in ["#copy-config", "#copy-command"] {
        desk.evaluate("(document.getElementById('measure-copied').textContent = '') || 1");
        desk.click(part);
        desk.until("document.getElementById('measure-copied').textContent !== ''");
    }
    desk.press("Escape");
    desk.until("!document.getElementById('measure').open");
    // By keys, and for a single encoding.
    desk.choose("#propagation .view:nth-child(2) select", "");
    desk.evaluate("document.getElementById('measure-open').focus() ?? 0");
    desk.press("Enter");
    desk.until("document.getElementById('measure').open");
    desk.until(
        "document.getElementById('measure-config').textContent.includes('encodings: [pairwise]')",
    );
    desk.click("#measure-close");
    desk.until("!document.getElementById('measure').open");
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
