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
use bezzel_problem::Board;
use bezzel_solve::Interrupt;

use super::compiler::CompiledBoard;
use super::refusal::Refusal;
use super::shared::Shared;
use crate::knowledge::search;
use crate::knowledge::squares::Squares;

/// Returns the routes of the questions.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/limits", get(limits::limits))
        .route("/api/board", get(board::board))
        .route("/api/why", get(why::why))
        .route("/api/propagation", get(propagation_view::propagation_view))
        // The former address.
        .route("/api/eyes", get(propagation_view::propagation_view))
        .route("/api/solution", get(solutions::solution))
        .route("/api/export", get(export::export))
        .route("/api/instance", get(instance::instance))
}

/// Returns the marks and counts of the squares of a board, by its diagram or, without one, by a search.
async fn squares(
    shared: &Shared,
    board: &Board,
    diagram: Option<Arc<CompiledBoard>>,
) -> Result<Squares, Refusal> {
    let board = board.clone();
    let Some(compiled_board) = diagram else {
        return shared.tasks.run(move |interrupt| search::squares(&board, interrupt)).await;
    };
    let read_tasks = shared.read_tasks(&compiled_board);
    read_tasks.run(move |_: &Interrupt| Squares::by_diagram(&board, &compiled_board.compiled)).await
}
