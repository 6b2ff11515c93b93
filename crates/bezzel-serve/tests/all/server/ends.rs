//! Start and end of the server.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::question::Sides;
use bezzel_serve::{Compilable, Limits, Options, ServeError, Server};

use crate::server::test_server::{TEST_TIMEOUT, TestServer, until};

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
    let limits = Limits { compilable, time: Duration::from_mins(10), ..limits };
    let first = TestServer::within(limits);
    let port = first.address.port();
    assert_eq!(first.json("/api/board?size=16")["how"], "compiling");
    let mut client = first.client();
    assert_eq!(client.get("/api/limits").unwrap().status, 200);
    let begun = Instant::now();
    drop(first);
    assert!(begun.elapsed() < TEST_TIMEOUT, "{:?}", begun.elapsed());
    assert!(client.is_closed());
    // The port is free again at once.
    let again = Server::bind(Options { port, ..Options::default() });
    // Another process may have taken it meanwhile. Then it answers.
    let is_used = || TcpStream::connect(("127.0.0.1", port)).is_ok();
    assert!(again.is_ok() || is_used(), "{:?}", again.err());
}

/// Returns a board of rooks in which 14 columns are left for 15 rows: propagation finds nothing, and a search takes
/// hours.
fn hopeless() -> String {
    let blocked: Vec<_> =
        (1..=15).flat_map(|row| (15..=30).map(move |column| format!("{row}.{column}"))).collect();
    format!("/api/board?size=30&piece=rook&blocked={}", blocked.join("_"))
}

#[test]
fn a_client_that_goes_before_its_answer_takes_nothing_along() {
    let limits = Limits::default();
    let compilable = Compilable { plane_queen: 16, plane_rook: 8, ..limits.compilable };
    let time = Duration::from_mins(10);
    let sides = Sides { least: 4, max: 30 };
    // A permit that is not released is noticed at once, and for as long as the work takes.
    let server = TestServer::within(Limits {
        sides,
        compilable,
        time,
        requests: 2,
        tasks: 1,
        compilations: 1,
        ..limits
    });
    let searched = hopeless();
    for address in [&searched[..], "/api/why?size=16&queens=1.1&square=2.2"] {
        for number in 0..6 {
            let mut client = server.client();
            let request = format!("GET {address} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
            client.stream.write_all(request.as_bytes()).unwrap();
            // Before the work begins, or during it.
            thread::sleep(Duration::from_millis(60) * (number % 2));
            drop(client);
        }
        until(|| server.get("/api/board?size=8").status == 200);
    }
    assert_eq!(server.in_the_end("/api/board?size=8")["solutions"], "92");
}
