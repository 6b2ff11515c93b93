//! The JSON API, one file for each kind of question.

mod board;
mod export;
mod instance;
mod limits;
mod propagation_view;
mod solutions;
mod why;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::shared::Shared;

/// Returns the routes of the questions.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/limits", get(limits::limits))
        .route("/api/board", get(board::board))
        .route("/api/why", get(why::why))
        .route("/api/propagation", get(propagation_view::propagation_view))
        .route("/api/solution", get(solutions::solution))
        .route("/api/export", get(export::export))
        .route("/api/instance", get(instance::instance))
}
