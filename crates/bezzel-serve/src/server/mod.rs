//! The server: the page, the API and the reports, on one address, within limits.

mod accept;
mod api;
mod cache;
mod compiler;
mod guard;
mod hosts;
mod limits;
mod page;
mod patient;
mod pieces;
mod refusal;
mod reports;
mod sending;
mod shared;
mod tasks;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::{Router, middleware};
use bezzel_encode::Registry;
use thiserror::Error;
use tokio::runtime;
use tokio::sync::Notify;
use tokio::task;

use self::compiler::SMALL_COMPILATIONS;
use self::hosts::Hosts;
use self::refusal::Refusal;
use self::shared::{READERS, Shared};
pub use limits::{Compilable, Limits};

/// For so long the end waits for what was told to stop.
const GRACE: Duration = Duration::from_secs(2);

/// Makes the file at a path below the folder of reports, if the file is missing or outdated. An error has the reason
/// for which it cannot be made.
pub type Maker = Arc<dyn Fn(&Path) -> Result<(), String> + Send + Sync>;

/// The address of a server, and its reports and encodings.
#[derive(Clone)]
pub struct Options {
    /// The address of this machine that it is bound to.
    pub address: IpAddr,
    /// The port; any that is free, if it is 0.
    pub port: u16,
    /// The folder of the reports, if there is one.
    pub reports: Option<PathBuf>,
    /// Makes pages of reports; without it the server sends only files that are there.
    pub maker: Option<Maker>,
    /// The encodings through whose eyes a board can be seen.
    pub encodings: Registry,
    /// What the server may be made to do.
    pub limits: Limits,
}

/// On loopback, port 8080, with the encodings that Bezzel comes with and without reports.
impl Default for Options {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 8080,
            reports: None,
            maker: None,
            encodings: Registry::standard(),
            limits: Limits::default(),
        }
    }
}

/// Why nothing is served.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The port is another program's.
    #[error(
        "port {} of {} is taken: end the program that has it, or choose another by --port (0 takes any \
         that is free)", .0.port(), .0.ip()
    )]
    Taken(SocketAddr),
    /// The address is not to be had.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address with its port.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The system did not give what a server needs.
    #[error("the server cannot start: {0}")]
    Start(#[from] io::Error),
}

/// A server that has its address, and answers when it is run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
    stop: Stop,
}

/// Stops a server.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Stops it, now or as soon as it runs.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    ///
    /// When another program has it, and when it is none of this machine.
    pub fn bind(options: Options) -> Result<Self, ServeError> {
        let address = SocketAddr::new(options.address, options.port);
        let listener = TcpListener::bind(address).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(address),
            _ => ServeError::Address { address, source },
        })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, options, stop: Stop::default() })
    }

    /// Where it is, with the port that it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What stops it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    ///
    /// When the system does not give it threads.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { listener, address, options, stop } = self;
        let Options { reports, maker, encodings, limits, .. } = options;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            // Each task has a thread of its own. Pieces of files share one thread.
            .max_blocking_threads(
                limits.tasks
                    + limits.compilations
                    + limits.pages
                    + SMALL_COMPILATIONS
                    + 2 * READERS
                    + 1,
            )
            .enable_all()
            .build()?;
        let hosts = Hosts { address: address.ip(), port: address.port() };
        let shared = Arc::new(Shared::new(limits.clone(), hosts, encodings, reports, maker));
        let router = router(&shared);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let accepting = task::spawn(accept::accept(listener, router, limits));
            stop.0.notified().await;
            accepting.abort();
            Ok(())
        });
        shared.compiler.give_up();
        runtime.shutdown_timeout(GRACE);
        served
    }
}

/// Who answers what.
fn router(shared: &Arc<Shared>) -> Router {
    Router::new()
        .merge(page::routes())
        .merge(api::routes())
        .merge(reports::routes())
        .fallback(nothing)
        .layer(middleware::from_fn_with_state(Arc::clone(shared), guard::guard))
        .with_state(Arc::clone(shared))
}

async fn nothing() -> Refusal {
    Refusal::absent("there is nothing at this address; docs/board-in-the-browser.md has the API")
}
