//! `GET /reports/…`: the reports of experiments, which are files below one folder.
//!
//! No other part of the file system can be reached: a path of plain names is required, and the file must be below the
//! folder after all links are followed.
//!
//! A page that is missing or outdated is made, by one task for each report. A browser soon gets a page that says so and
//! loads itself again; other clients wait. Finished pages wait for no other.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFRESH};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tokio::sync::watch;
use tokio::{task, time};
use tower_http::services::ServeFile;

use super::Shared;
use super::answers::{Refusal, asks_for_html, escaped, page};
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

/// The time that a browser waits for a page that is made.
const PATIENCE: Duration = Duration::from_millis(400);
/// The time after which a browser asks again, in seconds.
const AGAIN: &str = "2";

/// The end of the task that makes a page; none before it.
type End = watch::Receiver<Option<Result<(), String>>>;

/// The reports below a folder.
pub(super) struct Reports {
    folder: PathBuf,
    maker: Option<Arc<dyn PageMaker>>,
    /// The tasks that make pages, and the ends that no client has seen.
    tasks: Mutex<HashMap<PathBuf, End>>,
    /// Held while a page is made: one at a time.
    turn: Arc<Mutex<()>>,
}

impl Reports {
    pub(super) fn new(folder: PathBuf, maker: Option<Arc<dyn PageMaker>>) -> Self {
        Self { folder, maker, tasks: Mutex::default(), turn: Arc::default() }
    }

    /// Makes the page that must be made before the file at `path` is sent, if there is one. It goes on without a client.
    /// Returns the page that is not made within `patience`.
    async fn make(&self, path: PathBuf, patience: Duration) -> Result<Option<PathBuf>, Refusal> {
        let Some(maker) = self.maker.clone() else { return Ok(None) };
        let asked = Arc::clone(&maker);
        let outdated = task::spawn_blocking(move || asked.outdated(&path)).await;
        let Some(page) = outdated.map_err(|_| Refusal::fault())? else { return Ok(None) };
        let mut end = self.task(&page, maker);
        let waited = time::timeout(patience, end.wait_for(Option::is_some)).await;
        let waited = waited.map(|ended| ended.map(|ended| ended.clone()));
        let Ok(ended) = waited else { return Ok(Some(page)) };
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        if tasks.get(&page).is_some_and(|known| known.same_channel(&end)) {
            tasks.remove(&page);
        }
        // The sender is gone if the maker panicked.
        match ended.map_err(|_| Refusal::fault())? {
            Some(Err(reason)) => {
                Err(Refusal::missing(format!("the page cannot be made: {reason}")))
            }
            Some(Ok(())) | None => Ok(None),
        }
    }

    /// The task that makes a page: the one that is running, or failed and no client knows, or else a new one.
    fn task(&self, page: &Path, maker: Arc<dyn PageMaker>) -> End {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |end: &End| !matches!(*end.borrow(), Some(Ok(())));
        if let Some(known) = tasks.get(page).cloned().filter(is_open) {
            return known;
        }
        let (sender, end) = watch::channel(None);
        tasks.insert(page.to_owned(), end.clone());
        let (turn, page) = (Arc::clone(&self.turn), page.to_owned());
        task::spawn_blocking(move || {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            sender.send_replace(Some(maker.make(&page)));
        });
        end
    }
}

/// The page that a browser shows until the page of a report is made.
fn being_written(of: &Path) -> Response {
    let name = of.parent().and_then(Path::to_str).filter(|name| !name.is_empty());
    let (title, about) = match name {
        Some(name) => ("This report is being written", format!("<code>{}</code>", escaped(name))),
        None => ("The list of reports is being written", "All reports".to_owned()),
    };
    let content = format!("<p>{about}. This page loads itself again until it is there.</p>");
    let headers = [(REFRESH, HeaderValue::from_static(AGAIN))];
    (StatusCode::ACCEPTED, headers, Html(page(title, &content))).into_response()
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
    let patience = if asks_for_html(request.headers()) { PATIENCE } else { Duration::MAX };
    if let Some(page) = reports.make(path.clone(), patience).await? {
        return Ok(being_written(&page));
    }
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
