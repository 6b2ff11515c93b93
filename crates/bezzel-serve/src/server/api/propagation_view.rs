//! `GET /api/propagation`: the squares that unit propagation of an encoding rules out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_solve::Interrupt;

use crate::knowledge::{propagation_view, search};
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

/// The largest number of steps in an answer.
const MAX_STEPS: usize = 2_000;

pub(super) async fn propagation_view(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["encoding"])?;
    let name = question.needed("encoding", "pairwise")?;
    let board = question.board();
    let encoding = crate::knowledge::encoding(&shared.encodings, name, board)?;
    let subject = board.clone();
    let work = move |interrupt: &Interrupt| {
        let known = search::squares(&subject, interrupt).marks;
        propagation_view::propagation_view(&subject, &*encoding, &known, MAX_STEPS)
    };
    Ok(json(&shared.tasks(board).run(work).await?))
}
