//! `GET /api/why`: why a square is ruled out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_solve::Interrupt;

use crate::knowledge::search::Search;
use crate::knowledge::why;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::{Known, Shared};

pub(super) async fn why(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["square"])?;
    let square = question.square("square")?;
    let board = question.board().clone();
    let why = match shared.know_in_the_end(&board).await? {
        Known::Diagram(made) => {
            let work = move |_: &Interrupt| {
                let mut compiled = &made.compiled;
                let (solutions, _) = compiled.counts(board.placed());
                why::why(&board, square, Some(solutions), &mut compiled)
            };
            shared.tasks.run(work).await?
        }
        Known::Making { .. } | Known::Search(_) => {
            let work = move |interrupt: &Interrupt| {
                why::why(&board, square, None, &mut Search::new(&board, interrupt))
            };
            shared.tasks.run(work).await?
        }
    };
    Ok(json(&why?))
}
