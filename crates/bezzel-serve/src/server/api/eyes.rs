//! `GET /api/eyes`: what the unit propagation of an encoding sees of a board.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::squares;
use crate::knowledge::eyes;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

pub(super) async fn eyes(State(shared): State<Arc<Shared>>, uri: Uri) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["encoding"])?;
    let name = question.needed("encoding", "pairwise")?;
    let board = question.board();
    let encoding = crate::knowledge::encoding(&shared.encodings, name, board)?;
    let known = shared.know_in_the_end(board).await?;
    let found = squares(&shared, board, &known).await?;
    let board = board.clone();
    let seen = shared.tasks.run(move |_| eyes::look(&board, &*encoding, &found.marks)).await?;
    Ok(json(&seen))
}
