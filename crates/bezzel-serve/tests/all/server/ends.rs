//! Start and end of the server.

use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use bezzel_serve::{Limits, Options, ServeError, Server};

use crate::server::test_server::{TestServer, hopeless};

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
fn the_end_of_the_server_ends_its_searches_and_frees_its_port() {
    let (limits, question) = hopeless(&Limits::default());
    let server = TestServer::within(Limits { time: Duration::from_mins(10), ..limits });
    let port = server.address.port();
    let mut client = server.client();
    client.ask(&question);
    // Until the search has begun.
    thread::sleep(Duration::from_millis(90));
    let begun = Instant::now();
    drop(server);
    // The end waits five seconds for a search that is not interrupted.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(client.is_closed());
    let again = Server::bind(Options { port, ..Options::default() });
    // Another process may have taken the port meanwhile. Then it answers.
    let is_used = || TcpStream::connect(("127.0.0.1", port)).is_ok();
    assert!(again.is_ok() || is_used(), "{:?}", again.err());
}
