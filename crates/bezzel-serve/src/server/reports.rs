//! `GET /reports/…`: the reports of experiments, which are files below one folder.
//!
//! No other part of the file system can be reached: an address is split before it becomes a path, names that are no
//! plain names are rejected, and a file must be below the folder after all links are followed.

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

/// The prefix of their addresses.
const PREFIX: &str = "/reports/";

/// The policy of a page of a report: it may use its own styles and pictures, and run its own script, which the
/// policy inside the page names by digest. Its origin differs from this server's, so its content cannot send
/// requests to this server; links work, also to kept files.
const PAGE: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                    img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// The policy of a picture that can contain a script: it may only be displayed.
const PICTURE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                       img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// The policy of all other files. It has no sandbox, since browsers show no PDF in one.
const FILE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                    img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'";

/// The kinds of files that can contain a script.
const HTML: &str = "text/html; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The kinds of files that are sent, by extension. Files with other extensions are not sent.
const KINDS: [(&str, &str); 10] = [
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
];

/// Returns the routes of reports.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/reports", get(reports))
        .route(PREFIX, get(reports))
        .route("/reports/{*path}", get(reports))
}

/// The entry at a path below the folder.
enum ReportEntry {
    /// A file, its kind, and its length in bytes.
    File(File, &'static str, u64),
    /// A folder whose address lacks the final slash, without which relative links would fail.
    Folder,
    /// A file beyond the largest length.
    Long,
}

async fn reports(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Refusal> {
    let Some(root) = shared.reports.clone() else {
        return Err(Refusal::absent("there is no folder of reports where the server was started"));
    };
    let address = uri.path().to_owned();
    if address.len() < PREFIX.len() {
        return Ok(moved(&address));
    }
    let absent = || Refusal::absent("there is no such report");
    let path = file_path(&address[PREFIX.len()..]).ok_or_else(absent)?;
    let max_bytes = shared.limits.file_bytes;
    if let Some(maker) = shared.maker.clone() {
        let path = path.clone();
        // If a page cannot be made, an outdated one is not sent in its place.
        let page = shared.page_tasks.run(move |_| maker(&path));
        // The answer must come before the idle timeout. The page is made in any case.
        let Ok(page) = timeout(shared.limits.silence / 2, page).await else {
            return Ok(being_made());
        };
        page?.map_err(|reason| Refusal::absent(format!("the page cannot be made: {reason}")))?;
    }
    match shared.tasks.run(move |_| find(&root, &path, max_bytes)).await?.ok_or_else(absent)? {
        ReportEntry::File(file, kind, length) => {
            let headers = [
                (CONTENT_TYPE, kind.to_owned()),
                (CONTENT_SECURITY_POLICY, policy(kind).to_owned()),
                (CONTENT_LENGTH, length.to_string()),
            ];
            Ok((headers, Body::new(Pieces::new(file, length))).into_response())
        }
        ReportEntry::Folder => Ok(moved(&address)),
        ReportEntry::Long => Err(Refusal::absent(format!(
            "this file is longer than {max_bytes} bytes and is not sent"
        ))),
    }
}

/// Returns a page that reloads until the requested page is made.
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

/// Returns the policy of files of this kind.
fn policy(kind: &str) -> &'static str {
    match kind {
        HTML => PAGE,
        SVG => PICTURE,
        _ => FILE,
    }
}

/// Redirects to the same address with the final slash of a folder. It begins with our own prefix, so it leads to no
/// other site.
fn moved(address: &str) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(LOCATION, format!("{address}/"))]).into_response()
}

/// Returns the path of an address below the folder, if all its parts are plain names. For a folder it is the path
/// of its page.
fn file_path(address: &str) -> Option<PathBuf> {
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

/// Returns the entry at `path` if it is below `root`, a file or a folder, and of a kind that is sent.
fn find(root: &Path, path: &Path, max_bytes: u64) -> Option<ReportEntry> {
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    if !found.starts_with(&root) {
        return None;
    }
    let metadata = found.metadata().ok()?;
    if metadata.is_dir() {
        return Some(ReportEntry::Folder);
    }
    let ending = found.extension()?.to_str()?;
    let (_, kind) = KINDS.into_iter().find(|(known, _)| *known == ending)?;
    if !metadata.is_file() {
        return None;
    }
    let file = File::open(&found).ok()?;
    // The length of the open file, also if its name has been changed. It may grow; no more is sent.
    let length = file.metadata().ok()?.len();
    Some(if length > max_bytes { ReportEntry::Long } else { ReportEntry::File(file, kind, length) })
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
            assert_eq!(file_path(address), Some(PathBuf::from(path)), "{address}");
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
            assert_eq!(file_path(address), None, "{address}");
        }
        // Decoded only once: the rest is an ordinary name.
        assert_eq!(file_path("%252e%252e"), Some(PathBuf::from("%2e%2e")));
    }
}
