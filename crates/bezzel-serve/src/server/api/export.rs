//! `GET /api/export`: the board as a file.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bezzel_problem::{Board, Geometry};

use crate::knowledge::export;
use crate::question::shortened;
use crate::server::refusal::Refusal;
use crate::server::shared::Shared;

pub(super) async fn export(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["format", "encoding", "second"])?;
    let board = question.board().clone();
    let encoding = |name: &str| crate::knowledge::encoding(&shared.encodings, name, &board);
    let first = question.text("encoding").unwrap_or("pairwise");
    let (text, ending) = match question.needed("format", "board")? {
        "board" => (export::drawing(&board).into_bytes(), "txt"),
        "config" => {
            let second = question.text("second").filter(|&second| second != first);
            let names = std::iter::once(first).chain(second);
            let ids = names.map(|id| encoding(id).map(|found| found.info().id));
            let ids = ids.collect::<Result<Vec<_>, _>>()?;
            (export::config(&board, &name(&board), &ids).into_bytes(), "yaml")
        }
        "dimacs" => {
            let encoding = encoding(first)?;
            let subject = board.clone();
            let written =
                shared.tasks(&board).run(move |_| export::dimacs(&subject, &*encoding)).await?;
            (written.map_err(Refusal::bad)?, "cnf")
        }
        other => {
            return Err(Refusal::bad(format!(
                "`format={}` is not known: it is board, config or dimacs",
                shortened(other)
            )));
        }
    };
    let disposition = format!("attachment; filename=\"{}.{ending}\"", name(&board));
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, text).into_response())
}

/// Returns the file name without its extension.
fn name(board: &Board) -> String {
    let torus = if board.geometry() == Geometry::Torus { "torus-" } else { "" };
    format!("{torus}{}s-{}", board.piece(), board.rows())
}
