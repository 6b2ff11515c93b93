//! Clients that are slow with their questions, or never take their answers.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::{Limits, Options};

use crate::server::place::{Client, PATIENCE, Place, until};

/// The limits of a server that has little patience.
fn impatient() -> Limits {
    Limits {
        head: Duration::from_millis(400),
        silence: Duration::from_millis(900),
        deafness: Duration::from_millis(400),
        ..Limits::default()
    }
}

/// Sends the text byte by byte, as slowly as that, until the connection is closed. Returns whether it was
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
fn slow_clients_are_closed_and_keep_nobody_waiting() {
    let place = Place::within(impatient());
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}", place.address, "x".repeat(200));
    thread::scope(|scope| {
        let slow: Vec<_> = (0..100)
            .map(|number| {
                let (place, head) = (&place, &head);
                scope.spawn(move || {
                    let client = place.client();
                    match number % 3 {
                        // Nothing at all.
                        0 => assert!(!trickle(client, "", Duration::ZERO)),
                        // Much longer than a head may take.
                        1 => assert!(trickle(client, head, Duration::from_millis(40))),
                        _ => {
                            trickle(client, "GET / HTTP/1.1\r\nHost", Duration::from_millis(90));
                        }
                    }
                })
            })
            .collect();
        for _ in 0..20 {
            place.json("/api/board?size=8");
            thread::sleep(Duration::from_millis(20));
        }
        for client in slow {
            client.join().unwrap();
        }
    });
}

#[test]
fn a_connection_without_a_word_is_closed() {
    let place = Place::within(impatient());
    let mut client = place.client();
    assert_eq!(client.get("/api/limits").unwrap().status, 200);
    assert!(client.is_closed());
}

#[test]
fn a_connection_does_not_last_for_ever() {
    let connection = Duration::from_millis(600);
    let place = Place::within(Limits { connection, ..Limits::default() });
    let begun = Instant::now();
    let mut client = place.client();
    while client.get("/api/limits").is_ok() {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(begun.elapsed() >= connection);
}

/// A server with one report, `long.txt`, of so many bytes.
fn with_report(bytes: u64, limits: Limits) -> (Place, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    File::create(folder.path().join("long.txt")).unwrap().set_len(bytes).unwrap();
    let reports = Some(folder.path().to_owned());
    (Place::start(Options { reports, limits, ..Options::default() }), folder)
}

#[test]
fn whoever_takes_an_answer_steadily_gets_all_of_it() {
    let silence = Duration::from_secs(2);
    // Much more than the buffers between the two hold.
    let (bytes, piece) = (32 << 20, 1 << 16);
    let (place, _folder) = with_report(bytes as u64, Limits { silence, ..Limits::default() });
    let mut client = place.client();
    let request = format!("GET /reports/long.txt HTTP/1.1\r\nHost: {}\r\n\r\n", place.address);
    client.stream.write_all(request.as_bytes()).unwrap();
    let begun = Instant::now();
    for _ in 0..bytes / piece {
        client.stream.read_exact(&mut vec![0; piece]).unwrap();
        thread::sleep(Duration::from_millis(13));
    }
    assert!(begun.elapsed() > 3 * silence, "it was not slow: {:?}", begun.elapsed());
}

/// A client that asks for this many times, and takes nothing of it.
fn deaf(place: &Place, address: &str, times: usize) -> Client {
    let mut client = place.client();
    let request = format!("GET {address} HTTP/1.1\r\nHost: {}\r\n\r\n", place.address);
    // What is still asked when the server reads no more is not waited for.
    client.stream.set_nonblocking(true).unwrap();
    let _ = client.stream.write_all(request.repeat(times).as_bytes());
    client
}

#[test]
fn long_answers_that_nobody_takes_are_few_and_keep_no_question_waiting() {
    // A file counts 256 KiB.
    let sending_bytes = 600 << 10;
    let limits = Limits { sending_bytes, requests: 2, deafness: PATIENCE, ..Limits::default() };
    let (place, _folder) = with_report(64 << 20, limits);
    let asked = || {
        let mut client = deaf(&place, "/reports/long.txt", 1);
        client.stream.set_nonblocking(false).unwrap();
        (client.status().unwrap(), client)
    };
    let (first, second) = (asked(), asked());
    assert_eq!((first.0, second.0), (200, 200));
    for _ in 0..20 {
        assert_eq!(asked().0, 503);
        place.json("/api/board?size=8");
        assert_eq!(place.get("/reports/none.txt").status, 404);
    }
    // Their room is free when they are gone.
    drop((first, second));
    until(|| asked().0 == 200);
}

#[test]
fn long_answers_to_questions_count_by_their_bytes() {
    let long = "/api/export?size=16&geometry=torus&format=dimacs&encoding=pairwise";
    let length = Place::new().get(long).bytes.len();
    assert!(length > 64 << 10, "{length} bytes");
    let sending_bytes = u32::try_from(length * 3 / 2).unwrap();
    let limits = Limits { sending_bytes, deafness: PATIENCE, ..Limits::default() };
    let place = Place::within(limits);
    assert_eq!(place.get(long).status, 200);
    let client = deaf(&place, long, 200);
    // Others are put off while one is being sent, in the end for as long as nobody takes it.
    let mut put_off = 0;
    until(|| {
        put_off = if place.get(long).status == 503 { put_off + 1 } else { 0 };
        put_off == 20
    });
    place.json("/api/board?size=8");
    drop(client);
    until(|| place.get(long).status == 200);
}

#[test]
fn whoever_never_takes_an_answer_is_closed() {
    let (place, _folder) = with_report(1 << 20, impatient());
    let mut client = place.client();
    let request = format!("GET /reports/long.txt HTTP/1.1\r\nHost: {}\r\n\r\n", place.address);
    // More answers than any buffer between the two would hold.
    let asked = 100;
    client.stream.set_nonblocking(true).unwrap();
    let _ = client.stream.write_all(request.repeat(asked).as_bytes());
    until(|| {
        let sent = client.stream.write_all(b"GET");
        sent.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
    });
    client.stream.set_nonblocking(false).unwrap();
    let mut taken = 0;
    while let Ok(answer) = client.read() {
        taken += answer.bytes.len();
    }
    assert!(taken < asked << 20, "{taken} bytes came all the same");
    place.json("/api/board?size=8");
}
