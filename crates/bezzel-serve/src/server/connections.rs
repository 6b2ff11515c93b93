//! Accepts a limited number of connections, and closes idle ones.
//!
//! The framework's own loop has no limit on the time for reading the head of a request: a client that sends it byte
//! by byte would keep its connection for ever.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::sleep;

use super::limits::Limits;
use super::timeout_stream::TimeoutStream;

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
