//! The JSON API, one file for each kind of question.

mod board;
mod export;
mod eyes;
mod limits;
mod solutions;
mod why;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use bezzel_problem::Board;
use bezzel_solve::Interrupt;

use super::compiler::Made;
use super::refusal::Refusal;
use super::shared::Shared;
use crate::knowledge::search;
use crate::knowledge::squares::Squares;

/// The questions that can be asked.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/limits", get(limits::limits))
        .route("/api/board", get(board::board))
        .route("/api/why", get(why::why))
        .route("/api/eyes", get(eyes::eyes))
        .route("/api/solution", get(solutions::solution))
        .route("/api/fundamental", get(solutions::fundamental))
        .route("/api/export", get(export::export))
}

/// What is known of the squares of a board, by its diagram or, without one, by searching.
async fn squares(
    shared: &Shared,
    board: &Board,
    diagram: Option<Arc<Made>>,
) -> Result<Squares, Refusal> {
    let board = board.clone();
    let Some(made) = diagram else {
        return shared.tasks.run(move |interrupt| search::squares(&board, interrupt)).await;
    };
    let readers = shared.readers(&made);
    readers.run(move |_: &Interrupt| Squares::by_diagram(&board, &made.compiled)).await
}
