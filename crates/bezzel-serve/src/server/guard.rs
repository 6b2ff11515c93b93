//! The checks of every request before it is answered, and of every answer before it is sent.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName,
    ORIGIN, REFERRER_POLICY, TRANSFER_ENCODING, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::refusal::{Refusal, as_page};
use super::shared::Shared;

/// The policy of answers: the page may load only files of this server; no page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Refuses invalid requests, limits the number of bytes that are sent at a time, and sets the headers for browsers
/// on each answer.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let is_for_page = asks_for_page(&request);
    let mut response = match check(&shared, &request) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => next.run(request).await,
    };
    if is_for_page && response.status() == StatusCode::NOT_FOUND {
        response = as_page(response);
    }
    response = shared.sending.reserve(response).unwrap_or_else(IntoResponse::into_response);
    let headers = response.headers_mut();
    // Reports set a policy of their own.
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // For browsers without support for `frame-ancestors`, which all answers have in their policy.
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// True if a browser asks for a page at an address that is no question of the API.
fn asks_for_page(request: &Request) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
        && !request.uri().path().starts_with("/api/")
}

fn check(shared: &Shared, request: &Request) -> Result<(), Refusal> {
    let (headers, uri) = (request.headers(), request.uri());
    let length = uri.path().len() + uri.query().map_or(0, str::len);
    if length > shared.limits.address_bytes {
        let max = shared.limits.address_bytes;
        return Err(Refusal::long(format!("the address is longer than {max} bytes")));
    }
    let is_own = |host: &HeaderValue| host.to_str().is_ok_and(|host| shared.hosts.has(host));
    // An address may contain a host, which then counts as well.
    let is_meant = uri.authority().is_none_or(|authority| shared.hosts.has(authority.as_str()));
    if !is_meant || !one(headers, HOST).is_some_and(is_own) {
        return Err(Refusal::foreign(
            "this server is called localhost, or by its address, with its port; it does not answer to \
             other names",
        ));
    }
    let is_page =
        |origin: &HeaderValue| origin.to_str().is_ok_and(|it| shared.hosts.has_origin(it));
    if headers.contains_key(ORIGIN) && !one(headers, ORIGIN).is_some_and(is_page) {
        return Err(Refusal::foreign("pages of other servers are not answered"));
    }
    let is_elsewhere =
        headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    // A link from another site may open the page or a report. The policy of reports forbids frames.
    let is_link = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if is_elsewhere && (!is_link || uri.path().starts_with("/api/")) {
        return Err(Refusal::foreign("pages of other sites are not answered"));
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let message = "nothing can be changed here: ask by GET";
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message));
    }
    let is_empty = headers.get(CONTENT_LENGTH).is_none_or(|length| length == "0");
    if !is_empty || headers.contains_key(TRANSFER_ENCODING) {
        return Err(Refusal::long("a question has no body: all of it is in its address"));
    }
    Ok(())
}

/// Returns the header, if it occurs exactly once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}
