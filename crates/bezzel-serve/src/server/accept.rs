//! Accepts a limited number of connections, and closes idle ones.
//!
//! The framework's own loop has no limit on the time for reading the head of a request: a client that sends it byte
//! by byte would keep its connection for ever.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::{sleep, timeout};

use super::limits::Limits;
use super::timeout_stream::TimeoutStream;

/// The longest head of a request, in bytes, beside its address.
const HEAD_BYTES: usize = 24 << 10;
/// The largest number of clients at a time that get the answer 503; further ones are closed without an answer.
const MAX_REFUSALS: usize = 64;
/// The time limit for sending that answer.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);
/// The pause after a failed accept.
const PAUSE: Duration = Duration::from_millis(50);

/// The answer to a client beyond the limit of connections.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    Content-Type: application/json; charset=utf-8\r\n\
    Content-Length: 51\r\n\
    Retry-After: 1\r\n\
    Cache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Connection: close\r\n\r\n\
    {\"error\":\"too many connections at once; ask again\"}";

/// Accepts connections for ever.
pub(super) async fn accept(listener: TcpListener, router: Router, limits: Limits) {
    let limits = Arc::new(limits);
    let permits = Arc::new(Semaphore::new(limits.connections));
    let refusal_permits = Arc::new(Semaphore::new(MAX_REFUSALS));
    loop {
        // A client may be gone already, or the process may have no more files. Both are temporary.
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        if let Ok(permit) = Arc::clone(&permits).try_acquire_owned() {
            let (router, limits) = (router.clone(), Arc::clone(&limits));
            task::spawn(async move {
                answer(stream, router, &limits).await;
                drop(permit);
            });
        } else if let Ok(permit) = Arc::clone(&refusal_permits).try_acquire_owned() {
            task::spawn(async move {
                // A client that does not read gets no answer.
                let _ = timeout(REFUSAL_TIMEOUT, send_refusal(stream)).await;
                drop(permit);
            });
        }
    }
}

/// Answers the requests of a connection.
async fn answer(stream: TcpStream, router: Router, limits: &Limits) {
    // An answer is written at once, so a delay to gather data is useless.
    let _ = stream.set_nodelay(true);
    let stream = TimeoutStream::new(stream, limits.silence, limits.deafness);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(HEAD_BYTES + limits.address_bytes);
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    // Errors at the end of a connection concern the client only.
    if timeout(limits.connection, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.deafness, connection).await;
    }
}

/// Sends the answer that all connections are taken.
async fn send_refusal(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(FULL).await?;
    stream.shutdown().await?;
    // Closing a socket with unread data would reset the connection, and the answer would be lost.
    let mut rest = [0; 1 << 10];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_the_answer_is_what_it_says() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())),
            "{}",
            body.len()
        );
        assert!(!head.contains("    "), "{head}");
    }
}
