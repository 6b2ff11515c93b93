//! Taking connections, as many as there may be, and keeping none for whoever does nothing with it.
//!
//! The framework's own loop has no limit on the time for reading the head of a request: a client
//! that sends it byte by byte would hold its place for ever.

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
use super::patient::Patient;

/// The longest head of a request, in bytes, beside its address.
const HEAD_BYTES: usize = 24 << 10;
/// So many clients are told at a time that there is no place; others are sent away without a word.
const TOLD: usize = 64;
/// For so long they are told.
const TELLING: Duration = Duration::from_secs(1);
/// After so long the system is asked again for a connection that it would not give.
const PAUSE: Duration = Duration::from_millis(50);

/// What a client is told who gets no place.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    Content-Type: application/json; charset=utf-8\r\n\
    Content-Length: 51\r\n\
    Retry-After: 1\r\n\
    Cache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Connection: close\r\n\r\n\
    {\"error\":\"too many connections at once; ask again\"}";

/// Takes connections for ever.
pub(super) async fn accept(listener: TcpListener, router: Router, limits: Limits) {
    let limits = Arc::new(limits);
    let places = Arc::new(Semaphore::new(limits.connections));
    let tellers = Arc::new(Semaphore::new(TOLD));
    loop {
        // A client that is gone already, or no more files for this process: neither is the end.
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            let (router, limits) = (router.clone(), Arc::clone(&limits));
            task::spawn(async move {
                answer(stream, router, &limits).await;
                drop(place);
            });
        } else if let Ok(teller) = Arc::clone(&tellers).try_acquire_owned() {
            task::spawn(async move {
                // Whoever does not listen is not told.
                let _ = timeout(TELLING, send_away(stream)).await;
                drop(teller);
            });
        }
    }
}

/// Answers what comes over a connection.
async fn answer(stream: TcpStream, router: Router, limits: &Limits) {
    // An answer is written at once, so there is nothing to be gathered.
    let _ = stream.set_nodelay(true);
    let stream = Patient::new(stream, limits.silence, limits.deafness);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(HEAD_BYTES + limits.address_bytes);
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    // How a connection ends, and that it failed, is the client's business.
    if timeout(limits.connection, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.deafness, connection).await;
    }
}

/// Tells a client that there is no place.
async fn send_away(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(FULL).await?;
    stream.shutdown().await?;
    // What is closed with something unread is reset, and the answer with it.
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
