//! The host names under which the server answers.
//!
//! A page of any site may make a browser send requests to a server on loopback, by a name of its own that it makes
//! point there (DNS rebinding). Such a request has that name as its `Host`.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// The port of a host without one.
const HTTP: u16 = 80;

/// Refuses a request to another host. The state is the address that the server is bound to.
pub(super) async fn check(
    State(address): State<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(|host| is_own(address, host)) {
        return next.run(request).await;
    }
    let reason = "this server is called localhost, or by its address, with its port; it does not \
                  answer to other names";
    Refusal::new(StatusCode::FORBIDDEN, reason).into_response()
}

/// Returns true if a `Host` names the server that is bound to this address.
fn is_own(address: SocketAddr, host: &str) -> bool {
    let port = address.port();
    let is_localhost = |host: &str| host.eq_ignore_ascii_case(&format!("localhost:{port}"));
    // A server that is bound to all addresses of the machine accepts any address. That is safe: no name can be made
    // to point to it that is an address itself.
    let is_address = |host: &str| {
        host.parse::<SocketAddr>().is_ok_and(|named| {
            let is_bound = address.ip().is_unspecified() || named.ip() == address.ip();
            named.port() == port && (is_bound || named.ip().is_loopback())
        })
    };
    let is_named = |host: &str| is_localhost(host) || is_address(host);
    is_named(host) || (port == HTTP && is_named(&format!("{host}:{HTTP}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_names_of_the_server_with_its_port_are_its_own() {
        for (address, host, expected) in [
            ("127.0.0.1:8080", "localhost:8080", true),
            ("127.0.0.1:8080", "LocalHost:8080", true),
            ("127.0.0.1:8080", "127.0.0.1:8080", true),
            ("127.0.0.1:8080", "[::1]:8080", true),
            ("127.0.0.1:8080", "", false),
            ("127.0.0.1:8080", ":8080", false),
            ("127.0.0.1:8080", "localhost", false),
            ("127.0.0.1:8080", "localhost:80", false),
            ("127.0.0.1:8080", "localhost:+8080", false),
            ("127.0.0.1:8080", "localhost.:8080", false),
            ("127.0.0.1:8080", "localhost.evil.example:8080", false),
            ("127.0.0.1:8080", "evil.example:8080", false),
            ("127.0.0.1:8080", "127.0.0.1.evil.example:8080", false),
            ("127.0.0.1:8080", "127.1:8080", false),
            ("127.0.0.1:8080", "2130706433:8080", false),
            ("127.0.0.1:8080", "192.168.0.7:8080", false),
            ("127.0.0.1:8080", "[::1]8080", false),
            ("127.0.0.1:8080", "user@localhost:8080", false),
            ("127.0.0.1:80", "localhost", true),
            ("127.0.0.1:80", "evil.example", false),
            ("192.168.0.7:9", "192.168.0.7:9", true),
            ("192.168.0.7:9", "192.168.0.8:9", false),
            ("0.0.0.0:9", "192.168.0.8:9", true),
            ("[::]:9", "[fe80::1]:9", true),
            ("0.0.0.0:9", "evil.example:9", false),
        ] {
            assert_eq!(is_own(address.parse().unwrap(), host), expected, "{host} at {address}");
        }
    }
}
