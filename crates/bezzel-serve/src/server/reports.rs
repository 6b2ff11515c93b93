//! `GET /reports/…`: the reports of experiments, which are files below one folder.
//!
//! Nothing else of the file system can be reached: an address is taken apart before it becomes a
//! path, names that are no plain names are not looked up, and what is found must lie below the
//! folder with all links followed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, RETRY_AFTER,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::time::timeout;

use super::pieces::Pieces;
use super::refusal::Refusal;
use super::shared::Shared;
use crate::question::decode_path;

/// Where they are.
const PLACE: &str = "/reports/";

/// What a page of a report may do: show its own styles and pictures, and run its own script, which
/// its policy within names by digest. It is not of this server's origin, so whatever it holds can ask
/// this server nothing; links lead on, also to files that are kept.
const PAGE: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                    img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// What a picture may do that can hold a script: be shown.
const PICTURE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                       img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// What anything else may do. It is in no sandbox, since browsers show no PDF in one.
const FILE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                    img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'";

/// What can hold a script.
const HTML: &str = "text/html; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// What is sent, by the ending of its name. Whatever ends otherwise is not.
const KINDS: [(&str, &str); 11] = [
    ("html", HTML),
    ("svg", SVG),
    ("png", "image/png"),
    ("pdf", "application/pdf"),
    ("csv", "text/csv; charset=utf-8"),
    ("json", "application/json; charset=utf-8"),
    ("md", "text/plain; charset=utf-8"),
    ("tex", "text/plain; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
    ("yaml", "text/plain; charset=utf-8"),
    ("pgf", "text/plain; charset=utf-8"),
];

/// The addresses of reports.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/reports", get(reports))
        .route(PLACE, get(reports))
        .route("/reports/{*path}", get(reports))
}

/// What is at a path below the folder.
enum Found {
    /// A file, what it is, and its length in bytes.
    File(File, &'static str, u64),
    /// A folder, named without the slash at the end that makes links within it right.
    Folder,
    /// A file that is longer than is sent.
    Long,
}

async fn reports(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Refusal> {
    let Some(root) = shared.reports.clone() else {
        return Err(Refusal::absent("there is no folder of reports where the server was started"));
    };
    let address = uri.path().to_owned();
    if address.len() < PLACE.len() {
        return Ok(moved(&address));
    }
    let absent = || Refusal::absent("there is no such report");
    let path = plain(&address[PLACE.len()..]).ok_or_else(absent)?;
    let most = shared.limits.file_bytes;
    if let Some(maker) = shared.maker.clone() {
        let path = path.clone();
        // An outdated page is not sent in place of one that cannot be made.
        let made = shared.making.run(move |_| maker(&path));
        // The connection must not fall silent. The page is made in any case.
        let Ok(made) = timeout(shared.limits.silence / 2, made).await else {
            return Ok(being_made());
        };
        made?.map_err(|reason| Refusal::absent(format!("the page cannot be made: {reason}")))?;
    }
    match shared.tasks.run(move |_| find(&root, &path, most)).await?.ok_or_else(absent)? {
        Found::File(file, kind, length) => {
            let headers = [
                (CONTENT_TYPE, kind.to_owned()),
                (CONTENT_SECURITY_POLICY, policy(kind).to_owned()),
                (CONTENT_LENGTH, length.to_string()),
            ];
            Ok((headers, Body::new(Pieces::new(file, length))).into_response())
        }
        Found::Folder => Ok(moved(&address)),
        Found::Long => {
            Err(Refusal::absent(format!("this file is longer than {most} bytes and is not sent")))
        }
    }
}

/// A page that asks again for the page that is being made.
fn being_made() -> Response {
    let headers = [
        (CONTENT_TYPE, HTML),
        (CONTENT_SECURITY_POLICY, policy(HTML)),
        (RETRY_AFTER, "2"),
        (CACHE_CONTROL, "no-store"),
    ];
    let page = "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\">\
                <title>The report is being made</title><p>The page of this report is being made from its evidence. \
                It opens by itself, within two minutes.</p></html>\n";
    (StatusCode::SERVICE_UNAVAILABLE, headers, page).into_response()
}

/// What a file of this kind may do.
fn policy(kind: &str) -> &'static str {
    match kind {
        HTML => PAGE,
        SVG => PICTURE,
        _ => FILE,
    }
}

/// Sends on to the same address as that of a folder. It begins with a name of ours, so it leads
/// nowhere else.
fn moved(address: &str) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(LOCATION, format!("{address}/"))]).into_response()
}

/// The path of an address below the folder, if all that it names are plain names. Of a folder it is
/// the page in it.
fn plain(address: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    let mut names = address.split('/').peekable();
    while let Some(name) = names.next() {
        let name = decode_path(name)?;
        if name.is_empty() && names.peek().is_none() {
            path.push("index.html");
            break;
        }
        let is_plain = !name.is_empty()
            && !name.starts_with('.')
            && !name.contains(['/', '\\', '\0', ':'])
            && !name.chars().any(char::is_control);
        if !is_plain {
            return None;
        }
        path.push(name);
    }
    Some(path)
}

/// What is there, if it is below `root`, a file or a folder, and of a kind that is sent.
fn find(root: &Path, path: &Path, most: u64) -> Option<Found> {
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    if !found.starts_with(&root) {
        return None;
    }
    let metadata = found.metadata().ok()?;
    if metadata.is_dir() {
        return Some(Found::Folder);
    }
    let ending = found.extension()?.to_str()?;
    let (_, kind) = KINDS.into_iter().find(|(known, _)| *known == ending)?;
    if !metadata.is_file() {
        return None;
    }
    let file = File::open(&found).ok()?;
    // Of the file that is open now, whatever has become of its name. It may grow; no more is sent.
    let length = file.metadata().ok()?.len();
    Some(if length > most { Found::Long } else { Found::File(file, kind, length) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_make_a_path() {
        for (address, path) in [
            ("", "index.html"),
            ("a/", "a/index.html"),
            ("a/index.html", "a/index.html"),
            ("a%20b/c%2Bd+.svg", "a b/c+d+.svg"),
            ("a..b", "a..b"),
        ] {
            assert_eq!(plain(address), Some(PathBuf::from(path)), "{address}");
        }
        for address in [
            "..",
            "../",
            "a/../b",
            "%2e%2e/a",
            "%2E%2E",
            ".git/config",
            "a/.",
            "//etc/passwd",
            "/etc",
            "a//b",
            "%2fetc%2fpasswd",
            "a%2f..%2fb",
            "a%00.html",
            "..%5cb",
            "a\\b",
            "%",
            "%ff",
            "a%0a",
            "%252e%252e/%",
            "C:/b",
        ] {
            assert_eq!(plain(address), None, "{address}");
        }
        // Decoded once and no more: what is left is a name like others.
        assert_eq!(plain("%252e%252e"), Some(PathBuf::from("%2e%2e")));
    }
}
