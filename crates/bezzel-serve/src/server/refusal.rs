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

    /// Returns the refusal of an unknown address.
    pub(super) fn absent(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Returns the refusal of a request from another site.
    pub(super) fn foreign(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// Returns the refusal of a request that is too long.
    pub(super) fn long(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
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

/// The message of a refusal, beside its response.
#[derive(Clone)]
struct Reason(String);

/// Returns a page with the reason and with links in place of a refusal; another response is returned as it is.
pub(super) fn as_page(response: Response) -> Response {
    let Some(Reason(message)) = response.extensions().get::<Reason>().cloned() else {
        return response;
    };
    let reason = message.replace('&', "&amp;").replace('<', "&lt;");
    let page = include_str!("../../page/missing.html").replace("{reason}", &reason);
    (response.status(), [(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, json(&json!({ "error": self.message }))).into_response();
        response.extensions_mut().insert(Reason(self.message));
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
