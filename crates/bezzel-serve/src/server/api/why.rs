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
    let subject = board.clone();
    let work = move |interrupt: &Interrupt| {
        why::why(&subject, square, &mut Search::new(&subject, interrupt))
    };
    Ok(json(&shared.tasks(&board).run(work).await??))
}
