//! Boards that exceed a limit: time, nodes, permits, and the time without requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::{Compilable, Limits};
use serde_json::Value;

use crate::server::test_server::{TestServer, until};

/// The time limit for compiling a board: too short for the board of side 16, and ample for that of side 5.
const TIME: Duration = Duration::from_secs(3);

/// Returns limits that allow compilations of minutes.
fn daring() -> Limits {
    let limits = Limits::default();
    let compilable = Compilable { plane_queen: 16, ..limits.compilable };
    Limits { compilable, time: TIME, ..limits }
}

#[test]
fn a_board_that_takes_too_long_is_reported_as_compiling_and_is_searched_then() {
    let server = TestServer::within(daring());
    let answer = server.json("/api/board?size=16&queens=1.1");
    assert_eq!((&answer["how"], &answer["solutions"]), (&"compiling".into(), &Value::Null));
    assert!(answer["progress"]["seconds"].as_f64().unwrap() > 0.1);
    assert!(answer["progress"]["nodes"].is_u64());
    assert_eq!(answer["squares"][0][0]["mark"], "queen");
    assert_eq!(answer["squares"][0][1]["mark"], "attacked");
    assert_eq!(answer["squares"][2][1]["mark"], "unknown");
    // Other requests are answered meanwhile.
    assert_eq!(server.in_the_end("/api/board?size=5")["solutions"], "10");
    let answer = server.in_the_end("/api/board?size=16&queens=1.1");
    assert_eq!(answer["how"], "search");
    let note = answer["note"].as_str().unwrap();
    assert!(note.contains("it takes more than 3 s"), "{note}");
    // The failure is remembered.
    assert_eq!(server.json("/api/board?size=16&queens=1.2")["how"], "search");
}

#[test]
fn a_request_for_more_than_marks_waits_for_the_end_of_a_compilation() {
    let server = TestServer::within(daring());
    let begun = Instant::now();
    let answer = server.json("/api/why?size=16&queens=1.1&square=2.2");
    assert_eq!(answer["queens"], serde_json::json!([[1, 1]]));
    assert!(begun.elapsed() >= TIME);
}

#[test]
fn a_diagram_with_too_many_nodes_is_given_up() {
    let server = TestServer::within(Limits { nodes: 1_000, ..Limits::default() });
    let answer = server.in_the_end("/api/board?size=10");
    assert_eq!((&answer["how"], &answer["solutions"]), (&"search".into(), &Value::Null));
    let note = answer["note"].as_str().unwrap();
    assert!(note.contains("more than 1000 nodes would have to be kept"), "{note}");
    assert_eq!(server.in_the_end("/api/board?size=8")["how"], "diagram");
    let server = TestServer::within(Limits { bytes: 1 << 12, ..Limits::default() });
    let note = server.in_the_end("/api/board?size=10")["note"].to_string();
    assert!(note.contains("more than 4096 bytes would be needed"), "{note}");
}

#[test]
fn a_diagram_that_is_not_kept_is_answered_all_the_same() {
    let server = TestServer::within(Limits { cache_bytes: 0, ..Limits::default() });
    for _ in 0..2 {
        assert_eq!(server.in_the_end("/api/board?size=8")["solutions"], "92");
    }
}

#[test]
fn boards_compiled_at_a_time_are_limited() {
    let long = Duration::from_mins(10);
    let (time, interest, crowded_interest) = (long, long, long);
    let limits = Limits { compilations: 1, time, interest, crowded_interest, ..daring() };
    let server = TestServer::within(limits);
    assert_eq!(server.json("/api/board?size=16")["how"], "compiling");
    let answer = server.get("/api/board?size=15");
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    assert!(answer.json()["error"].as_str().unwrap().contains("as many boards are being compiled"));
    // All requests share one compilation of a board.
    assert_eq!(server.json("/api/board?size=16&queens=1.1")["how"], "compiling");
}

#[test]
fn a_board_without_open_requests_is_no_longer_compiled() {
    let limits = Limits {
        compilations: 1,
        time: Duration::from_mins(10),
        interest: Duration::from_millis(300),
        ..daring()
    };
    let server = TestServer::within(limits);
    assert_eq!(server.json("/api/board?size=16")["how"], "compiling");
    // Its permit is free again, long before its time is up.
    until(|| server.get("/api/board?size=15").status != 503);
}

#[test]
fn a_board_waits_for_its_place_as_long_as_its_client() {
    let interest = Duration::from_mins(10);
    let limits = Limits { compilations: 1, interest, crowded_interest: interest, ..daring() };
    let server = TestServer::within(limits);
    assert_eq!(server.json("/api/board?size=16")["how"], "compiling");
    // The time of the other board is up before that of this one.
    let answer = server.json("/api/why?size=8&queens=1.1&square=2.2");
    assert_eq!(answer["queens"], serde_json::json!([[1, 1]]));
}

#[test]
fn a_board_without_open_requests_is_evicted_for_another_and_others_are_not() {
    let long = Duration::from_mins(10);
    let crowded_interest = Duration::from_secs(5);
    // The compilations would take longer than this test waits.
    let (nodes, bytes) = (100_000_000, 4 << 30);
    let limits = Limits {
        compilations: 2,
        time: long,
        nodes,
        bytes,
        interest: long,
        crowded_interest,
        ..daring()
    };
    let server = &TestServer::within(limits);
    let address = "/api/board?size=16";
    let is_over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let asking = scope.spawn(move || {
            let mut seconds = 0.0;
            while !is_over.load(Ordering::Relaxed) {
                let answer = server.json(address);
                let now = answer["progress"]["seconds"].as_f64().unwrap();
                assert!(now > seconds, "it was begun anew");
                seconds = now;
            }
        });
        until(|| server.get("/api/board?size=16&blocked=1.1").status == 200);
        let answer = server.json("/api/why?size=8&queens=1.1&square=2.2");
        assert_eq!(answer["queens"], serde_json::json!([[1, 1]]));
        is_over.store(true, Ordering::Relaxed);
        asking.join().unwrap();
    });
}

#[test]
fn waiting_heavy_questions_are_limited_and_the_others_have_places_of_their_own() {
    let time = Duration::from_secs(10);
    let server = TestServer::within(Limits { requests: 1, time, ..daring() });
    // Each waits as long as its board is compiled, so one of several at a time is refused.
    until(|| {
        let answers = thread::scope(|scope| {
            let ask = |square| server.get(&format!("/api/board?size=16&blocked={square}"));
            let heavy = ["1.1", "1.2", "1.3", "1.4"].map(|square| scope.spawn(move || ask(square)));
            server.json("/api/limits");
            assert_eq!(server.in_the_end("/api/board?size=8&queens=1.1")["solutions"], "4");
            server.json("/api/why?size=8&queens=1.1&square=2.2");
            heavy.map(|thread| thread.join().unwrap())
        });
        let put_off = answers.each_ref().map(|answer| answer.status == 503);
        for (answer, put_off) in answers.iter().zip(put_off) {
            assert!(put_off || answer.status == 200, "{}", answer.status);
            assert_eq!(answer.header("retry-after").is_some(), put_off);
        }
        put_off.contains(&true)
    });
}
