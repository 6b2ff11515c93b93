//! `GET /reports/…`: the reports of experiments, which are files below one folder.
//!
//! No other part of the file system can be reached: a path of plain names is required, and the file must be below the
//! folder after all links are followed.
//!
//! A page that is missing or outdated is made while its client waits. Finished pages wait for no other.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use tokio::task;
use tower_http::services::ServeFile;

use super::Shared;
use super::answers::Refusal;
use crate::question::decode_path;

/// The reason if there is no file.
const ABSENT: &str = "there is no such report";

/// The policy of a page of a report: it may use its own styles, show pictures of this server (the index shows those of
/// the reports), and run its own script, which the policy inside the page names by digest. Its origin differs from this
/// server's, so its script cannot read answers of this server; links work, also to kept files.
const PAGE: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                    img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// The policy of a picture that can contain a script: it may only be displayed.
const PICTURE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                       img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// The policy of all other files. It has no sandbox, since browsers show no PDF in one.
const FILE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                    img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'";

/// The means to make pages of reports that are missing, or older than their evidence.
pub trait PageMaker: Send + Sync {
    /// Returns the page that must be made before the file at `path` is sent, if there is one. Both are paths below the
    /// folder of reports.
    fn outdated(&self, path: &Path) -> Option<PathBuf>;

    /// Makes a page, unless it was made meanwhile.
    ///
    /// # Errors
    ///
    /// The page cannot be made, for this reason.
    fn make(&self, page: &Path) -> Result<(), String>;
}

/// The reports below a folder.
pub(super) struct Reports {
    folder: PathBuf,
    maker: Option<Arc<dyn PageMaker>>,
    /// Held while a page is made: one at a time.
    turn: Arc<Mutex<()>>,
}

impl Reports {
    pub(super) fn new(folder: PathBuf, maker: Option<Arc<dyn PageMaker>>) -> Self {
        Self { folder, maker, turn: Arc::default() }
    }

    /// Makes the page that must be made before the file at `path` is sent, if there is one. It goes on without a client.
    async fn make(&self, path: PathBuf) -> Result<(), Refusal> {
        let Some(maker) = self.maker.clone() else { return Ok(()) };
        let turn = Arc::clone(&self.turn);
        let made = task::spawn_blocking(move || {
            let Some(page) = maker.outdated(&path) else { return Ok(()) };
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            maker.make(&page)
        });
        let made = made.await.map_err(|_| Refusal::fault())?;
        made.map_err(|reason| Refusal::missing(format!("the page cannot be made: {reason}")))
    }
}

/// Returns the routes of reports.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/reports", get(report))
        .route("/reports/", get(report))
        .route("/reports/{*path}", get(report))
}

async fn report(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Refusal> {
    let address = request.uri().path().to_owned();
    let none = "there is no folder of reports where the server was started";
    let reports = shared.reports.as_ref().ok_or_else(|| Refusal::missing(none))?;
    let absent = || Refusal::missing(ABSENT);
    let path =
        file_path(address.strip_prefix("/reports").unwrap_or_default()).ok_or_else(absent)?;
    // If a page cannot be made, an outdated one is not sent in its place.
    reports.make(path.clone()).await?;
    let found = below(&reports.folder, &path).ok_or_else(absent)?;
    if found.is_dir() {
        // Without the final slash relative links would fail. The address begins with our own prefix, so it leads to
        // no other site.
        return Ok(Redirect::permanent(&format!("{address}/")).into_response());
    }
    let sent = ServeFile::new(found).try_call(request).await.map_err(|_| absent())?;
    Ok(with_policy(sent.map(Body::new)))
}

/// Returns the path of an address below the folder, if all its parts are plain names. For a folder it is the path of
/// its page.
fn file_path(address: &str) -> Option<PathBuf> {
    let names = decode_path(address.strip_prefix('/').unwrap_or_default())?;
    let mut path = PathBuf::from(&names);
    if address.ends_with('/') {
        path.push("index.html");
    }
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// Returns the file or folder at `path`, if it is below `root` after all links are followed.
fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    found.starts_with(&root).then_some(found)
}

/// Sets the policy of a file of this kind. Texts are UTF-8.
fn with_policy(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let policy = match kind {
        "text/html" => PAGE,
        "image/svg+xml" => PICTURE,
        _ => FILE,
    };
    let is_picture = kind.starts_with("image/");
    let is_text = kind.starts_with("text/");
    let text = is_text.then(|| HeaderValue::from_str(&format!("{kind}; charset=utf-8")).ok());
    if let Some(text) = text.flatten() {
        headers.insert(CONTENT_TYPE, text);
    }
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    if is_picture {
        // The origin of a page of a report differs from this server's, and the page shows pictures.
        let policy = HeaderValue::from_static("cross-origin");
        headers.insert(HeaderName::from_static("cross-origin-resource-policy"), policy);
    }
    response
}
