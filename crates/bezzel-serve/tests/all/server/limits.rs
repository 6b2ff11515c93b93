//! Slow clients, many clients, and questions that take too long.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use bezzel_serve::{Limits, Options};

use crate::server::test_server::{Client, TestServer, hopeless, until};

/// A time-out that ends within a test.
const SHORT: Duration = Duration::from_millis(60);

#[test]
fn a_client_with_a_slow_head_or_a_slow_body_is_closed() {
    let server = TestServer::within(Limits { head: SHORT, ..Limits::default() });
    let host = format!("Host: {}\r\n", server.address);
    for sent in [
        // No data at all.
        String::new(),
        "GET / HTTP/1.1\r\nHost".to_owned(),
        format!("GET / HTTP/1.1\r\n{host}Content-Length: 100\r\n\r\nx"),
        format!("GET / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n2\r\nx"),
        // One question, and then no word.
        format!("GET /api/limits HTTP/1.1\r\n{host}\r\n"),
    ] {
        let mut client = server.client();
        client.stream.write_all(sent.as_bytes()).unwrap();
        assert!(client.is_closed(), "{sent}");
    }
    // A byte now and then is no head in time.
    let mut client = server.client();
    let begun = Instant::now();
    let mut send = || client.stream.write_all(b"G").and_then(|()| client.stream.flush());
    while send().is_ok() {
        assert!(begun.elapsed() < Duration::from_mins(1));
        std::thread::sleep(SHORT / 3);
    }
    server.json("/api/limits");
}

#[test]
fn a_client_that_does_not_read_its_answers_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    File::create(folder.path().join("long.txt")).unwrap().set_len(1 << 20).unwrap();
    let reports = Some(folder.path().to_owned());
    let limits = Limits { deafness: SHORT, ..Limits::default() };
    let server = TestServer::start(Options { reports, limits, ..Options::default() });
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

#[test]
fn a_client_beyond_the_limit_of_connections_waits_for_its_turn() {
    let server = TestServer::within(Limits { connections: 2, ..Limits::default() });
    let mut open = [server.client(), server.client()];
    for client in &mut open {
        assert_eq!(client.get("/api/limits").unwrap().status, 200);
    }
    let mut next = server.client();
    next.stream.set_read_timeout(Some(SHORT)).unwrap();
    let error = next.get("/api/limits").map(|answer| answer.status).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    drop(open);
    next.stream.set_read_timeout(None).unwrap();
    assert_eq!(next.read().unwrap().status, 200);
}

#[test]
fn two_hundred_connections_and_long_searches_leave_a_small_board_alone() {
    let (limits, question) = hopeless(&Limits::default());
    let server = TestServer::within(Limits { time: Duration::from_mins(10), ..limits });
    let idle: Vec<Client> = (0..200).map(|_| server.client()).collect();
    let mut searches: Vec<Client> = (0..8).map(|_| server.client()).collect();
    for client in &mut searches {
        client.ask(&question);
    }
    for column in 1..=8 {
        server.json(&format!("/api/board?size=8&queens=1.{column}"));
        server.json(&format!("/api/why?size=8&queens=1.{column}&square=2.{column}"));
    }
    drop((idle, searches));
    // The searches of clients that are gone have ended: their places are free.
    let address = "/api/propagation?size=9&queens=1.1&encoding=pairwise";
    assert_eq!(server.json(address)["encoding"], "pairwise");
}

#[test]
fn a_question_is_answered_when_its_time_is_spent() {
    let (limits, question) = hopeless(&Limits { time: SHORT, ..Limits::default() });
    let server = TestServer::within(limits);
    let answer = server.json(&question);
    assert_eq!((&answer["how"], &answer["solutions"]), (&"search".into(), &().into()));
    assert_eq!(answer["squares"][0][0]["mark"], "unknown");
    let note = answer["note"].as_str().unwrap();
    assert!(note.ends_with("; some squares were not settled in time"), "{note}");
    // A reason has no part that could be answered.
    let why = question.replace("board?", "why?square=1.1&");
    assert!(server.refused(&why, 503).contains("stopped"));
}

#[test]
fn a_board_that_does_not_compile_within_the_limits_is_searched() {
    for (limits, reason) in [
        (
            Limits { nodes: 1_000, ..Limits::default() },
            "more than 1000 nodes would have to be kept",
        ),
        (Limits { bytes: 1 << 12, ..Limits::default() }, "more than 4096 bytes would be needed"),
    ] {
        let server = TestServer::within(limits);
        let answer = server.json("/api/board?size=10");
        assert_eq!((&answer["how"], &answer["solutions"]), (&"search".into(), &().into()));
        let note = answer["note"].as_str().unwrap();
        assert!(note.contains(reason), "{note}");
        let error = server.refused("/api/solution?size=10&number=1", 400);
        assert!(error.contains("does not compile within the limits"), "{error}");
    }
}
