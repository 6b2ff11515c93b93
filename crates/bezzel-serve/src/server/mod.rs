//! The server: the page, the API and the reports, on one address, within limits.

mod answers;
mod api;
mod connections;
mod limits;
mod reports;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, header};
use axum::{Router, middleware};
use bezzel_encode::Registry;
use bezzel_encode::info::Propagation;
use serde::Serialize;
use thiserror::Error;
use tokio::runtime;
use tokio::sync::Notify;
use tokio::task;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use self::answers::Refusal;
use self::limits::Compilations;
use self::reports::Reports;
use crate::question::{Question, QuestionError};
use bezzel_queens::knowledge::solutions::{FindSolution, InServer};
pub use limits::{Compilable, Limits};
pub use reports::PageMaker;

/// The time that the end of the server waits for interrupted tasks.
const GRACE: Duration = Duration::from_secs(5);

/// The address of a server, and its reports and encodings.
#[derive(Clone)]
pub struct Options {
    /// The address of this machine that it is bound to.
    pub address: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The folder of the reports, if there is one.
    pub reports: Option<PathBuf>,
    /// The maker of pages of reports; without it the server sends only existing files.
    pub maker: Option<Arc<dyn PageMaker>>,
    /// The finder of solutions of large boards.
    pub finder: Arc<dyn FindSolution>,
    /// The encodings of questions.
    pub encodings: Registry,
    /// The limits of the server.
    pub limits: Limits,
}

/// Loopback, port 8080, the encodings of Bezzel, and no reports.
impl Default for Options {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 8080,
            reports: None,
            maker: None,
            finder: Arc::new(InServer),
            encodings: bezzel_queens::register(Registry::standard()),
            limits: Limits::default(),
        }
    }
}

/// The reason why a server cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program has the port.
    #[error(
        "port {} of {} is taken: end the program that has it, or choose another by --port (0 takes any \
         that is free)", .0.port(), .0.ip()
    )]
    Taken(SocketAddr),
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address with its port.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The system refused a resource that a server needs.
    #[error("the server cannot start: {0}")]
    Start(#[from] io::Error),
}

/// A server with a bound address. It answers when it is run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
    stop: Stop,
}

/// A handle that stops a server.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Stops the server, now or as soon as it runs.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Binds the address.
    ///
    /// # Errors
    ///
    /// Another program has it, or it is no address of this machine.
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

    /// Returns the address, with the port that it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the handle that stops it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers requests until it is stopped.
    ///
    /// # Errors
    ///
    /// The system refuses threads.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { listener, address, options, stop } = self;
        let limits = options.limits.clone();
        let runtime =
            runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let router = router(Shared::new(options), address);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let accepting = task::spawn(connections::accept(listener, router, limits));
            stop.0.notified().await;
            accepting.abort();
            Ok(())
        });
        // All requests are dropped, which interrupts their tasks.
        runtime.shutdown_timeout(GRACE);
        served
    }
}

/// The state that all requests share.
struct Shared {
    limits: Limits,
    finder: Arc<dyn FindSolution>,
    encodings: Registry,
    /// The encodings for questions.
    listed: Vec<ListedEncoding>,
    /// The reports, if there is a folder of them.
    reports: Option<Reports>,
    compilations: Compilations,
}

/// An encoding by id, with its title and the strength of its propagation.
#[derive(Clone, Debug, Serialize)]
struct ListedEncoding {
    id: String,
    title: String,
    propagation: Propagation,
    /// True if it encodes each constraint by itself, with variables of its own.
    lines: bool,
}

impl Shared {
    fn new(options: Options) -> Self {
        let Options { reports, maker, finder, encodings, limits, .. } = options;
        // Encodings with at-most-one constraints beside clauses cannot be propagated.
        let infos = encodings.infos().into_iter().filter(|info| !info.cardinality);
        let listed = infos.map(|info| ListedEncoding {
            lines: encodings.find(&info.id).is_ok_and(|found| found.has_lines()),
            id: info.id,
            title: info.title,
            propagation: info.propagation,
        });
        Self {
            listed: listed.collect(),
            finder,
            encodings,
            reports: reports.map(|folder| Reports::new(folder, maker)),
            compilations: Compilations::new(&limits),
            limits,
        }
    }

    /// Parses the question of a query string.
    fn question(
        &self,
        query: Option<&str>,
        more: &[&'static str],
    ) -> Result<Question, QuestionError> {
        Question::read(query.unwrap_or_default(), self.limits.sides, more)
    }
}

/// The headers of every answer that does not set them itself. The page may load only files of this server, and no
/// page may frame it; `X-Frame-Options` is for browsers without support for `frame-ancestors`.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Returns the routes of the server at this address.
fn router(shared: Shared, address: SocketAddr) -> Router {
    let shared = Arc::new(shared);
    let router = Router::new()
        .merge(answers::routes())
        .merge(api::routes())
        .merge(reports::routes())
        .fallback(async || Refusal::missing("there is nothing at this address"))
        // A question has no body: all of it is in its address.
        .layer(RequestBodyLimitLayer::new(0))
        .layer(middleware::from_fn_with_state(address, connections::check_host))
        .layer(middleware::from_fn(answers::for_client))
        .with_state(shared);
    HEADERS.into_iter().fold(router, |router, (name, value)| {
        let value = HeaderValue::from_static(value);
        router.layer(SetResponseHeaderLayer::if_not_present(name, value))
    })
}
