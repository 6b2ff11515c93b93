//! Connections: a limited number, within time limits, and for the names of this server only.
//!
//! The framework's own loop has no limit on the time for reading the head of a request: a client that sends it byte
//! by byte would keep its connection for ever. Hyper limits this time, from the end of the answer before it. The kernel
//! limits the time for which a client may leave its answer unread (`TCP_USER_TIMEOUT`, see tcp(7)).
//!
//! A page of any site may make a browser send requests to a server on loopback, by a name of its own that it makes
//! point there (DNS rebinding). Such a request has that name as its `Host`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::sleep;

use super::answers::Refusal;
use super::limits::Limits;

/// The longest head of a request, in bytes.
const HEAD_BYTES: usize = 32 << 10;
/// The pause after a failed accept.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections for ever. Clients beyond the limit wait until a connection ends.
pub(super) async fn accept(listener: TcpListener, router: Router, limits: Limits) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        // A client may be gone already, or the process may have no more files. Both are temporary.
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        // An answer is written at once, so a delay to gather data is useless.
        let _ = stream.set_nodelay(true);
        // A client that has gone needs no answer, and none is served without the limit.
        if SockRef::from(&stream).set_tcp_user_timeout(Some(limits.deafness)).is_err() {
            continue;
        }
        let service = TowerToHyperService::new(router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        task::spawn(async move {
            // Errors at the end of a connection concern the client only.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// The port of a host without one.
const HTTP: u16 = 80;

/// Refuses a request to another host (`Host`). The state is the address that the server is bound to.
pub(super) async fn check_host(
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
