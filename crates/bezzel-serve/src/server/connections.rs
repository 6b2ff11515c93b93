//! Connections: a limited number, within time limits, and for the names of this server only.
//!
//! The framework's own loop has no limit on the time for reading the head of a request: a client that sends it byte
//! by byte would keep its connection for ever. Hyper limits this time. It does not limit the time for which a client may
//! leave its answer unread, nor in every version the time for which an idle connection stays open. While an answer is
//! written, the timeout for reading is extended: a client that reads an answer need not send data.
//!
//! A page of any site may make a browser send requests to a server on loopback, by a name of its own that it makes
//! point there (DNS rebinding). Such a request has that name as its `Host`.

use std::io::{self, ErrorKind, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
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
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::{Instant, Sleep, sleep};

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
        let stream = TokioIo::new(TimeoutStream::new(stream, limits.silence, limits.deafness));
        let service = TowerToHyperService::new(router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(stream, service);
        task::spawn(async move {
            // Errors at the end of a connection concern the client only.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// A stream that fails if the client reads nothing for too long, or neither sends nor reads data.
struct TimeoutStream<S> {
    stream: S,
    reading: DirectionTimeout,
    writing: DirectionTimeout,
}

impl<S> TimeoutStream<S> {
    /// Returns the stream with the timeouts `reading` and `writing`.
    fn new(stream: S, reading: Duration, writing: Duration) -> Self {
        Self {
            stream,
            reading: DirectionTimeout::new(reading),
            writing: DirectionTimeout::new(writing),
        }
    }
}

/// The timeout in one direction.
struct DirectionTimeout {
    longest: Duration,
    /// The end of the current wait, if there is one.
    end: Option<Pin<Box<Sleep>>>,
}

impl DirectionTimeout {
    fn new(longest: Duration) -> Self {
        Self { longest, end: None }
    }

    /// Returns the result of the operation, or an error after the timeout.
    fn poll<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.end = None;
            return result;
        }
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(self.longest)));
        ready!(end.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }

    /// Restarts the timeout if a wait is in progress.
    fn restart(&mut self, context: &mut Context<'_>) {
        if let Some(end) = &mut self.end {
            end.as_mut().reset(Instant::now() + self.longest);
            // The task must be woken at the new end, even if the old one has just passed.
            let _ = end.as_mut().poll(context);
        }
    }
}

impl<S> TimeoutStream<S> {
    /// Returns the result of a write, or an error if the client has read nothing for too long.
    fn written(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if matches!(result, Poll::Ready(Ok(1..))) {
            self.reading.restart(context);
        }
        self.writing.poll(context, result)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, reading, .. } = self.get_mut();
        let result = Pin::new(stream).poll_read(context, into);
        reading.poll(context, result)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.written(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, writing, .. } = self.get_mut();
        let result = Pin::new(stream).poll_flush(context);
        writing.poll(context, result)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, writing, .. } = self.get_mut();
        let result = Pin::new(stream).poll_shutdown(context);
        writing.poll(context, result)
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
