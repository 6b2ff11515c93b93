//! `GET /api/eyes`: what the unit propagation of an encoding sees of a board.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_solve::Interrupt;

use super::squares;
use crate::knowledge::eyes;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

/// So many steps are told.
const MOST_STEPS: usize = 2_000;

pub(super) async fn eyes(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["encoding"])?;
    let name = question.needed("encoding", "pairwise")?;
    let board = question.board();
    let encoding = crate::knowledge::encoding(&shared.encodings, name, board)?;
    let diagram = shared.diagram(board).await?;
    let found = squares(&shared, board, diagram).await?;
    let board = board.clone();
    let work = move |_: &Interrupt| eyes::look(&board, &*encoding, &found.marks, MOST_STEPS);
    Ok(json(&shared.tasks.run(work).await?))
}
