//! `GET /api/board`: the marks and counts of a board and of each of its squares.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_count::published;
use bezzel_problem::{Board, Geometry, Piece, Square};
use serde::Serialize;

use super::squares;
use crate::knowledge::squares::{Mark, Squares, rows};
use crate::knowledge::theorem;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::{Shared, SquaresSource};

/// The time that an answer waits for a diagram, so that small boards get it at once.
const DIAGRAM_WAIT: Duration = Duration::from_millis(250);

#[derive(Serialize)]
struct Answer<'a> {
    board: BoardDescription<'a>,
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagram: Option<Diagram>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
    /// The number of solutions in decimal digits, since it may exceed the numbers of JavaScript.
    solutions: Option<String>,
    squares: Vec<Vec<Cell>>,
    completion: Option<Vec<Square>>,
    /// The published number of solutions of the empty board.
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<Published>,
    /// The theorem by which the board has no solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    theorem: Option<String>,
    note: Option<String>,
}

#[derive(Serialize)]
struct Published {
    count: String,
    source: &'static str,
}

#[derive(Serialize)]
struct BoardDescription<'a> {
    size: u32,
    geometry: Geometry,
    piece: Piece,
    queens: &'a [Square],
    blocked: &'a [Square],
}

#[derive(Serialize)]
struct Diagram {
    nodes: usize,
    bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Progress {
    seconds: f64,
    nodes: u64,
}

#[derive(Serialize)]
struct Cell {
    count: Option<String>,
    mark: Mark,
}

pub(super) async fn board(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &[])?;
    let board = question.board();
    let source = shared.squares_source(board, DIAGRAM_WAIT).await?;
    let found = match &source {
        SquaresSource::Diagram(compiled_board) => {
            squares(&shared, board, Some(Arc::clone(compiled_board))).await?
        }
        SquaresSource::Search(_) => squares(&shared, board, None).await?,
        SquaresSource::Compiling { .. } => Squares::by_rules(board),
    };
    let (mut diagram, mut progress, mut note) = (None, None, None);
    let how = match source {
        SquaresSource::Diagram(compiled_board) => {
            let (nodes, bytes) = (compiled_board.compiled.nodes(), compiled_board.compiled.bytes());
            diagram = Some(Diagram { nodes, bytes, seconds: compiled_board.seconds });
            "diagram"
        }
        SquaresSource::Compiling { seconds, nodes } => {
            progress = Some(Progress { seconds, nodes });
            "compiling"
        }
        SquaresSource::Search(why) => {
            let is_open = found.marks.contains(&Mark::Unknown);
            let rest = if is_open { "; some squares were not settled in time" } else { "" };
            // If the search found the number, the note does not call it unknown.
            note = Some(match &found.solutions {
                None => format!("{why}{rest}"),
                Some(_) => "the squares were searched by SAT, one by one".to_owned(),
            });
            "search"
        }
    };
    let description = BoardDescription {
        size: board.rows(),
        geometry: board.geometry(),
        piece: board.piece(),
        queens: board.placed(),
        blocked: board.blocked(),
    };
    let squares = cells(board, &found);
    let published = published::solutions(board)
        .map(|known| Published { count: known.count.to_string(), source: known.source });
    Ok(json(&Answer {
        board: description,
        how,
        diagram,
        progress,
        solutions: found.solutions.map(|count| count.to_string()),
        squares,
        completion: found.completion,
        published,
        theorem: theorem(board),
        note,
    }))
}

/// Returns the squares, row after row.
fn cells(board: &Board, found: &Squares) -> Vec<Vec<Cell>> {
    let cell = |square: Square| {
        let place = square.index(board.columns());
        let count = found.counts.as_ref().map(|counts| counts[place].to_string());
        Cell { count, mark: found.marks[place] }
    };
    rows(board, cell)
}
