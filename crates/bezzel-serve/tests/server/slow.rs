//! Clients that are slow with their questions, or never take their answers.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::{Limits, Options};

use crate::place::{Client, Place};

/// The limits of a server that has little patience.
fn impatient() -> Limits {
    Limits {
        head: Duration::from_millis(400),
        silence: Duration::from_millis(900),
        deafness: Duration::from_millis(400),
        ..Limits::default()
    }
}

/// So long anything of this may take on a busy machine.
const SOON: Duration = Duration::from_secs(6);

/// Sends the text byte by byte, as slowly as that, until the connection is closed.
fn trickle(mut client: Client, text: &str, pause: Duration) -> Duration {
    let begun = Instant::now();
    for byte in text.bytes() {
        if client.stream.write_all(&[byte]).is_err() {
            break;
        }
        thread::sleep(pause);
        assert!(begun.elapsed() < SOON, "it still takes what comes");
    }
    assert!(client.is_closed());
    begun.elapsed()
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
                        0 => trickle(client, "", Duration::ZERO),
                        1 => trickle(client, head, Duration::from_millis(40)),
                        _ => trickle(client, "GET / HTTP/1.1\r\nHost", Duration::from_millis(90)),
                    }
                })
            })
            .collect();
        for _ in 0..20 {
            let begun = Instant::now();
            place.json("/api/board?size=8");
            assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
            thread::sleep(Duration::from_millis(20));
        }
        for client in slow {
            let taken = client.join().unwrap();
            assert!(taken < SOON, "{taken:?}");
        }
    });
}

#[test]
fn a_connection_without_a_word_is_closed() {
    let place = Place::within(impatient());
    let mut client = place.client();
    assert_eq!(client.get("/api/limits").unwrap().status, 200);
    let begun = Instant::now();
    assert!(client.is_closed());
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn a_connection_does_not_last_for_ever() {
    let connection = Duration::from_millis(600);
    let place = Place::within(Limits { connection, ..Limits::default() });
    let mut client = place.client();
    let begun = Instant::now();
    while client.get("/api/limits").is_ok() {
        assert!(begun.elapsed() < SOON);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(begun.elapsed() >= connection);
}

#[test]
fn whoever_never_takes_an_answer_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("long.txt"), "x".repeat(1 << 20)).unwrap();
    let reports = Some(folder.path().to_owned());
    let place = Place::start(Options { reports, limits: impatient(), ..Options::default() });
    let mut client = place.client();
    let request = format!("GET /reports/long.txt HTTP/1.1\r\nHost: {}\r\n\r\n", place.address);
    // More answers than any buffer between the two would hold.
    let asked = 100;
    let mut sent = client.stream.write_all(request.repeat(asked).as_bytes());
    thread::sleep(Duration::from_millis(1_500));
    if sent.is_ok() {
        sent = client.stream.write_all(b"GET");
    }
    let mut taken = 0;
    while let Ok(answer) = client.read() {
        taken += answer.bytes.len();
    }
    assert!(taken < asked << 20, "{taken} bytes came all the same, {sent:?}");
    place.json("/api/board?size=8");
}
