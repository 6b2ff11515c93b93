//! Refusals: a status, and a sentence with the error, its location and a fix.

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

use crate::knowledge::why::WhyError;
use crate::knowledge::{EncodingError, Stopped};
use crate::question::QuestionError;

/// The reason why a request is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
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

    /// Returns the refusal of a request that may succeed later.
    pub(super) fn later(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Returns the refusal after an error of the server.
    pub(super) fn fault() -> Self {
        let message = "the server failed; the terminal where it runs shows the error";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

/// Returns the page for an address without one: the reason, and links.
pub(super) fn missing(reason: &str) -> Response {
    let reason = reason.replace('&', "&amp;").replace('<', "&lt;");
    let page = include_str!("../../page/missing.html").replace("{reason}", &reason);
    (StatusCode::NOT_FOUND, [(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, json(&json!({ "error": self.message }))).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
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
        Ok(text) => ([(CONTENT_TYPE, "application/json; charset=utf-8")], text).into_response(),
        // No answer has keys or numbers that JSON does not allow.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
