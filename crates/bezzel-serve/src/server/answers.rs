//! Answers: the files of the page, JSON, and refusals, each in the form that its client can read.
//!
//! A browser that opens an address asks for HTML, and never gets JSON: a refusal is a page with the reason and links,
//! and an answer of the API is shown in a page. The scripts of the page and other programs do not ask for HTML.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Serialize;

use super::Shared;
use crate::question::QuestionError;
use bezzel_queens::knowledge::why::WhyError;
use bezzel_queens::knowledge::{EncodingError, Stopped};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";

/// A list of the files of the page: address, kind and content of each.
macro_rules! parts {
    ($($address:literal $kind:ident $file:literal;)*) => {
        &[$(($address, $kind, include_str!(concat!("../../page/", $file)))),*]
    };
}

const PARTS: &[(&str, &str, &str)] = parts! {
    "/" HTML "index.html";
    "/board.css" CSS "board.css";
    "/page.css" CSS "page.css";
    "/api.js" SCRIPT "api.js";
    "/board.js" SCRIPT "board.js";
    "/compare.js" SCRIPT "compare.js";
    "/draw.js" SCRIPT "draw.js";
    "/encodings.js" SCRIPT "encodings.js";
    "/grid.js" SCRIPT "grid.js";
    "/hand.js" SCRIPT "hand.js";
    "/lines.js" SCRIPT "lines.js";
    "/link.js" SCRIPT "link.js";
    "/measure.js" SCRIPT "measure.js";
    "/propagation.js" SCRIPT "propagation.js";
    "/session.js" SCRIPT "session.js";
    "/share.js" SCRIPT "share.js";
    "/solutions.js" SCRIPT "solutions.js";
    "/squares.js" SCRIPT "squares.js";
    "/theme.js" SCRIPT "theme.js";
    "/why.js" SCRIPT "why.js";
    "/words.js" SCRIPT "words.js";
};

/// Returns the routes of the page.
pub(super) fn routes() -> Router<Arc<Shared>> {
    PARTS.iter().fold(Router::new(), |router, &(address, kind, text)| {
        router.route(address, get(move || async move { ([(CONTENT_TYPE, kind)], text) }))
    })
}

/// The reason why a request is refused: the error, its location and a fix.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Refusal {
    #[serde(skip)]
    status: StatusCode,
    #[serde(rename = "error")]
    message: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// Returns the refusal of an invalid question.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
    pub(super) fn bad(problem: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, problem.to_string())
    }

    /// Returns the refusal of an address without a page.
    pub(super) fn missing(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, reason)
    }

    /// Returns the refusal of a request that may succeed later.
    pub(super) fn later(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Returns the refusal after an error of the server.
    pub(super) fn fault() -> Self {
        let message = "the server failed; the terminal where it runs shows the error";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// Returns the refusal as a page.
    fn page(&self) -> String {
        let title = match self.status {
            StatusCode::NOT_FOUND => "There is no page at this address",
            StatusCode::SERVICE_UNAVAILABLE => "The server is busy",
            StatusCode::INTERNAL_SERVER_ERROR => "The server failed",
            _ => "The server does not answer this request",
        };
        let reason = escaped(&self.message);
        page(title, &format!("<p>The server answers: {reason}.</p>"))
    }
}

/// The response has no body until [`for_client`] gives it one.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<QuestionError> for Refusal {
    fn from(error: QuestionError) -> Self {
        Self::bad(error)
    }
}

impl From<EncodingError> for Refusal {
    fn from(error: EncodingError) -> Self {
        Self::bad(error)
    }
}

impl From<Stopped> for Refusal {
    fn from(stopped: Stopped) -> Self {
        Self::later(stopped.to_string())
    }
}

impl From<WhyError> for Refusal {
    fn from(error: WhyError) -> Self {
        match error {
            WhyError::Stopped(stopped) => stopped.into(),
            other => Self::bad(other),
        }
    }
}

/// Returns an answer as JSON.
pub(super) fn json(answer: &impl Serialize) -> Response {
    match serde_json::to_vec(answer) {
        Ok(text) => ([(CONTENT_TYPE, JSON)], text).into_response(),
        // No answer has keys or numbers that JSON does not allow.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// True for the request of a browser that opens an address.
pub(super) fn asks_for_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    accepted.filter_map(|kinds| kinds.to_str().ok()).any(|kinds| kinds.contains("text/html"))
}

/// Gives a response the form that its client reads.
pub(super) async fn for_client(request: Request, next: Next) -> Response {
    let is_of_api = request.uri().path().starts_with("/api/");
    let is_browser = asks_for_html(request.headers());
    let mut response = next.run(request).await;
    // The router and the layers below it refuse without a reason.
    let reason = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => Some("only GET is answered"),
        StatusCode::PAYLOAD_TOO_LARGE => Some("a request has no body: all of it is in its address"),
        _ => None,
    };
    if let Some(reason) = reason {
        let status = response.status();
        response.extensions_mut().insert(Refusal::new(status, reason));
        response.headers_mut().remove(CONTENT_TYPE);
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        let is_page = is_browser || !is_of_api;
        let words = if is_page { Html(refusal.page()).into_response() } else { json(&refusal) };
        return (refusal.status, response.into_parts().0.headers, words).into_response();
    }
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == JSON);
    if is_of_api && is_browser && is_json { shown(response.into_body()).await } else { response }
}

/// Returns a page that shows an answer of the API.
async fn shown(json: Body) -> Response {
    let text = to_bytes(json, usize::MAX).await.unwrap_or_default();
    let value: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let text = escaped(&format!("{value:#}"));
    let content = format!(
        "<p>Scripts and other programs get the answer of this address as JSON.</p>\n\
         <details><summary>The answer</summary><pre>{text}</pre></details>"
    );
    Html(page("This address is for programs", &content)).into_response()
}

/// Returns a page with links to the other pages.
pub(super) fn page(title: &str, content: &str) -> String {
    let page = include_str!("../../page/plain.html");
    page.replace("{title}", title).replace("{content}", content)
}

/// Returns a text for a page.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Limits;

    #[test]
    fn links_have_the_largest_size_of_the_server() {
        let max = Limits::default().sides.max;
        let stated = format!("const MAX_SIZE = {max};");
        assert!(include_str!("../../page/link.js").contains(&stated));
    }

    #[test]
    fn the_page_is_all_there_small_and_loads_nothing_from_elsewhere() {
        let mut size = 0;
        for (address, kind, text) in PARTS {
            assert!(!text.is_empty(), "{address}");
            size += text.len();
            // A module that is imported must be one that is sent.
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (_, module) = line.rsplit_once("\"./").unwrap();
                let name = format!("/{}", module.trim_end_matches("\";"));
                let is_sent = PARTS.iter().any(|(address, ..)| *address == name);
                assert!(is_sent, "{address}: {line}");
            }
            let is_page = *kind == HTML;
            for way in ["src=\"http", "href=\"http", "src=\"//", "@import", "url(http"] {
                assert!(!text.contains(way), "{address} has {way}");
            }
            // The policy forbids inline styles.
            assert!(
                !is_page || (!text.contains(" style=") && !text.contains("<style")),
                "{address}"
            );
            assert!(!is_page || !text.contains(" onclick="), "{address}");
        }
        assert!(size < 150_000, "{size} bytes");
    }
}
