//! `GET /api/why`: the reason why a square is ruled out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_solve::Interrupt;

use crate::knowledge::search::Search;
use crate::knowledge::why;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

pub(super) async fn why(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["square"])?;
    let square = question.square("square")?;
    let board = question.board().clone();
    let diagram = shared.diagram(&board).await?;
    let tasks =
        diagram.as_ref().map_or(&shared.tasks, |compiled_board| shared.query_tasks(compiled_board));
    let work = move |interrupt: &Interrupt| match diagram {
        Some(compiled_board) => {
            let (solutions, _) = compiled_board.compiled.counts(board.placed());
            why::why(&board, square, Some(solutions), &mut compiled_board.compiled.until(interrupt))
        }
        None => why::why(&board, square, None, &mut Search::new(&board, interrupt)),
    };
    Ok(json(&tasks.run(work).await??))
}
