//! Beginnings and ends.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use bezzel_serve::{Compilable, Limits, Options, ServeError, Server};

use crate::place::Place;

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = Server::bind(Options { port, ..Options::default() }).map(|_| ()).unwrap_err();
    assert!(matches!(error, ServeError::Taken(_)));
    let message = error.to_string();
    assert!(message.starts_with(&format!("port {port} of 127.0.0.1 is taken")), "{message}");
    // Not an address of this machine.
    let address = "192.0.2.1".parse().unwrap();
    let error = Server::bind(Options { address, ..Options::default() }).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("cannot listen on 192.0.2.1:8080"), "{error}");
}

#[test]
fn a_server_that_is_stopped_with_work_under_way_ends_and_begins_again() {
    let limits = Limits::default();
    let compilable = Compilable { plane_queen: 16, ..limits.compilable };
    let limits = Limits { compilable, time: Duration::from_mins(1), ..limits };
    let first = Place::within(limits);
    let port = first.address.port();
    assert_eq!(first.json("/api/board?size=16")["how"], "compiling");
    let mut client = first.client();
    assert_eq!(client.get("/api/limits").unwrap().status, 200);
    let begun = Instant::now();
    drop(first);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(client.is_closed());
    // The same port again, at once.
    let again = Server::bind(Options { port, ..Options::default() });
    assert!(again.is_ok(), "{:?}", again.err());
}

#[test]
fn a_client_that_goes_before_its_answer_takes_nothing_along() {
    let place = Place::new();
    let host = place.address;
    for _ in 0..50 {
        let mut client = place.client();
        let request = format!("GET /api/board?size=12 HTTP/1.1\r\nHost: {host}\r\n\r\n");
        std::io::Write::write_all(&mut client.stream, request.as_bytes()).unwrap();
        drop(client);
    }
    assert_eq!(place.json("/api/board?size=8")["solutions"], "92");
}
