//! `GET /reports/…`: the reports of experiments, which are files below one folder.
//!
//! No other part of the file system can be reached: a path of plain names is required, and the file must be below the
//! folder after all links are followed.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tokio::time::timeout;
use tower_http::services::ServeFile;

use super::refusal::missing;
use super::shared::Shared;
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

/// Returns the routes of reports.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/reports", get(reports))
        .route("/reports/", get(reports))
        .route("/reports/{*path}", get(reports))
}

async fn reports(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let address = request.uri().path().to_owned();
    let Some(root) = shared.reports.clone() else {
        return missing("there is no folder of reports where the server was started");
    };
    let Some(path) = file_path(address.strip_prefix("/reports").unwrap_or_default()) else {
        return missing(ABSENT);
    };
    let maker = shared.maker.clone();
    let found = shared.pages.run(move |_| {
        // If a page cannot be made, an outdated one is not sent in its place.
        let made = maker.map_or(Ok(()), |maker| maker(&path));
        made.map_err(|reason| format!("the page cannot be made: {reason}"))?;
        below(&root, &path).ok_or_else(|| ABSENT.to_owned())
    });
    let found = match timeout(shared.limits.page_wait, found).await {
        Ok(Ok(Ok(found))) => found,
        Ok(Ok(Err(reason))) => return missing(&reason),
        Ok(Err(refusal)) => return refusal.into_response(),
        // The page is made in any case.
        Err(_) => return being_made(),
    };
    if found.is_dir() {
        // Without the final slash relative links would fail. The address begins with our own prefix, so it leads to
        // no other site.
        return Redirect::permanent(&format!("{address}/")).into_response();
    }
    match ServeFile::new(found).try_call(request).await {
        Ok(response) => with_policy(response.map(Body::new)),
        Err(_) => missing(ABSENT),
    }
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
    let is_text = kind.starts_with("text/");
    let text = is_text.then(|| HeaderValue::from_str(&format!("{kind}; charset=utf-8")).ok());
    if let Some(text) = text.flatten() {
        headers.insert(CONTENT_TYPE, text);
    }
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}

/// Returns a page that reloads until the requested page is made.
fn being_made() -> Response {
    let headers = [(CONTENT_SECURITY_POLICY, PAGE), (RETRY_AFTER, "2")];
    let page = "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\">\
                <title>The report is being made</title><p>The page of this report is being made from its evidence. \
                It opens by itself, within two minutes.</p></html>\n";
    (StatusCode::SERVICE_UNAVAILABLE, headers, Html(page)).into_response()
}
