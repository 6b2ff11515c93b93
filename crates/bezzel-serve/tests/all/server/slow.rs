//! Clients that send their questions slowly, or never read their answers.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::{Limits, Options};

use crate::server::test_server::{Client, TEST_TIMEOUT, TestServer, until};

/// Returns limits with a short timeout for clients that do not read, and one for a head that a client which sends at
/// once keeps on a busy machine, too.
fn impatient() -> Limits {
    Limits {
        silence: Duration::from_secs(5),
        deafness: Duration::from_millis(400),
        ..Limits::default()
    }
}

/// Sends the text byte by byte, with a pause after each, until the connection is closed. Returns true if it was
/// closed before all was sent.
fn trickle(mut client: Client, text: &str, pause: Duration) -> bool {
    let cut = text.bytes().any(|byte| {
        thread::sleep(pause);
        client.stream.write_all(&[byte]).is_err()
    });
    assert!(client.is_closed());
    cut
}

#[test]
fn slow_clients_are_closed_and_delay_no_other() {
    let server = TestServer::within(impatient());
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}", server.address, "x".repeat(200));
    thread::scope(|scope| {
        let slow: Vec<_> = (0..100)
            .map(|number| {
                let (server, head) = (&server, &head);
                scope.spawn(move || {
                    let client = server.client();
                    match number % 3 {
                        // No data at all.
                        0 => assert!(!trickle(client, "", Duration::ZERO)),
                        // Much longer than the limit for a head.
                        1 => assert!(trickle(client, head, Duration::from_millis(80))),
                        _ => {
                            trickle(client, "GET / HTTP/1.1\r\nHost", Duration::from_millis(90));
                        }
                    }
                })
            })
            .collect();
        for _ in 0..20 {
            server.json("/api/board?size=8");
            thread::sleep(Duration::from_millis(20));
        }
        for client in slow {
            client.join().unwrap();
        }
    });
}

#[test]
fn a_connection_without_a_word_is_closed() {
    let server = TestServer::within(impatient());
    let mut client = server.client();
    assert_eq!(client.get("/api/limits").unwrap().status, 200);
    assert!(client.is_closed());
}

#[test]
fn a_connection_does_not_last_for_ever() {
    let connection = Duration::from_millis(600);
    let server = TestServer::within(Limits { connection, ..Limits::default() });
    let begun = Instant::now();
    let mut client = server.client();
    while client.get("/api/limits").is_ok() {
        assert!(begun.elapsed() < TEST_TIMEOUT);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(begun.elapsed() >= connection);
}

/// Returns a server with one report, `long.txt`, of `bytes` bytes.
fn with_report(bytes: u64, limits: Limits) -> (TestServer, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    File::create(folder.path().join("long.txt")).unwrap().set_len(bytes).unwrap();
    let reports = Some(folder.path().to_owned());
    (TestServer::start(Options { reports, limits, ..Options::default() }), folder)
}

#[test]
fn a_client_that_reads_steadily_gets_the_whole_answer() {
    let silence = Duration::from_secs(2);
    // Much more than the capacity of the buffers between the two.
    let (bytes, piece) = (32 << 20, 1 << 16);
    let (server, _folder) = with_report(bytes as u64, Limits { silence, ..Limits::default() });
    let mut client = server.client();
    let request = format!("GET /reports/long.txt HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    client.stream.write_all(request.as_bytes()).unwrap();
    let begun = Instant::now();
    for _ in 0..bytes / piece {
        client.stream.read_exact(&mut vec![0; piece]).unwrap();
        thread::sleep(Duration::from_millis(13));
    }
    assert!(begun.elapsed() > 3 * silence, "it was not slow: {:?}", begun.elapsed());
}

/// Returns a client that requests `address` `times` times, and reads no answer.
fn deaf(server: &TestServer, address: &str, times: usize) -> Client {
    let mut client = server.client();
    let request = format!("GET {address} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // Requests that the server does not read any more are not waited for.
    client.stream.set_nonblocking(true).unwrap();
    let _ = client.stream.write_all(request.repeat(times).as_bytes());
    client
}

#[test]
fn long_answers_that_no_client_reads_are_few_and_delay_no_question() {
    // A file counts as 256 KiB.
    let sending_bytes = 600 << 10;
    let limits = Limits { sending_bytes, requests: 2, deafness: TEST_TIMEOUT, ..Limits::default() };
    let (server, _folder) = with_report(64 << 20, limits);
    let status = || {
        let mut client = deaf(&server, "/reports/long.txt", 1);
        client.stream.set_nonblocking(false).unwrap();
        (client.status().unwrap(), client)
    };
    let (first, second) = (status(), status());
    assert_eq!((first.0, second.0), (200, 200));
    for _ in 0..20 {
        assert_eq!(status().0, 503);
        server.json("/api/board?size=8");
        assert_eq!(server.get("/reports/none.txt").status, 404);
    }
    // Their memory is free after they have disconnected.
    drop((first, second));
    until(|| status().0 == 200);
}

#[test]
fn long_answers_to_questions_count_by_their_bytes() {
    let long = "/api/export?size=16&geometry=torus&format=dimacs&encoding=pairwise";
    let length = TestServer::new().get(long).bytes.len();
    assert!(length > 64 << 10, "{length} bytes");
    let sending_bytes = u32::try_from(length * 3 / 2).unwrap();
    let limits = Limits { sending_bytes, deafness: TEST_TIMEOUT, ..Limits::default() };
    let server = TestServer::within(limits);
    assert_eq!(server.get(long).status, 200);
    let client = deaf(&server, long, 200);
    // Other requests are refused while one answer is being sent, also if its client never reads it.
    let mut put_off = 0;
    until(|| {
        put_off = if server.get(long).status == 503 { put_off + 1 } else { 0 };
        put_off == 20
    });
    server.json("/api/board?size=8");
    drop(client);
    until(|| server.get(long).status == 200);
}

#[test]
fn a_client_that_never_reads_an_answer_is_closed() {
    let (server, _folder) = with_report(1 << 20, impatient());
    let mut client = server.client();
    let request = format!("GET /reports/long.txt HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // More answers than the capacity of the buffers between the two.
    let requests = 100;
    client.stream.set_nonblocking(true).unwrap();
    let _ = client.stream.write_all(request.repeat(requests).as_bytes());
    until(|| {
        let sent = client.stream.write_all(b"GET");
        sent.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
    });
    client.stream.set_nonblocking(false).unwrap();
    let mut taken = 0;
    while let Ok(answer) = client.read() {
        taken += answer.bytes.len();
    }
    assert!(taken < requests << 20, "{taken} bytes came all the same");
    server.json("/api/board?size=8");
}
