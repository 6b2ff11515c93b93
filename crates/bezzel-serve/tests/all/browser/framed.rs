//! Pages of other servers that frame the board or a report.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use bezzel_chromium::{DESKTOP, Page};
use bezzel_serve::Options;
use serde_json::json;

use crate::server::test_server::TestServer;

/// Serves `page` at `/` of another port, and a page without frames at every other address.
fn other_server(page: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let read = stream.read(&mut head).unwrap_or(0);
            let body = if head[..read].starts_with(b"GET / ") { &page } else { "<p>its own" };
            let length = body.len();
            // A browser that has disconnected does not read.
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{body}"
            );
        }
    });
    address
}

#[test]
fn no_page_of_another_server_frames_the_board_or_a_report() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>All reports").unwrap();
    let reports = Some(folder.path().to_owned());
    let server = TestServer::start(Options { reports, ..Options::default() });
    let board = format!("http://{}/", server.address);
    let outer = other_server(format!(
        "<iframe src='{board}'></iframe><iframe src='{board}reports/'></iframe><iframe src='/own'></iframe>"
    ));
    let Some(page) = Page::open(&outer, DESKTOP) else { return };
    let tree = page.call("Page.getFrameTree", &json!({}));
    let frames = tree["frameTree"]["childFrames"].as_array().unwrap();
    let addresses: Vec<_> = frames.iter().map(|it| it["frame"]["url"].as_str().unwrap()).collect();
    // The third address shows that frames are loaded there at all.
    let refused = "chrome-error://chromewebdata/";
    assert_eq!(addresses, [refused, refused, &format!("{outer}own")]);
    let messages = page.console_messages().join("\n");
    assert_eq!(messages.matches("frame-ancestors").count(), 2, "{messages}");
    // The board itself, outside a frame, is shown.
    page.go(&board);
    page.until("document.querySelectorAll('#grid [role=gridcell]').length === 64");
}
