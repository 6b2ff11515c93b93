//! `GET /api/board`: the marks and counts of a board and of each of its squares.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_count::published;
use bezzel_problem::{Board, Geometry, Piece, Square};
use bezzel_solve::Interrupt;
use serde::Serialize;

use crate::knowledge::squares::{Mark, Squares, rows};
use crate::knowledge::{search, theorem};
use crate::server::Limits;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

#[derive(Serialize)]
struct Answer<'a> {
    board: BoardDescription<'a>,
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagram: Option<Diagram>,
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
struct Cell {
    count: Option<String>,
    mark: Mark,
}

pub(super) async fn board(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &[])?;
    let (board, subject) = (question.board(), question.board().clone());
    let limits = shared.limits.clone();
    let work = move |interrupt: &Interrupt| known(&subject, &limits, interrupt);
    let (found, diagram, note) = shared.tasks(board).run(work).await?;
    let how = if diagram.is_some() { "diagram" } else { "search" };
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
        solutions: found.solutions.map(|count| count.to_string()),
        squares,
        completion: found.completion,
        published,
        theorem: theorem(board),
        note,
    }))
}

/// Returns the marks and counts by the diagram of the board or, with a note, by a search.
fn known(
    board: &Board,
    limits: &Limits,
    interrupt: &Interrupt,
) -> (Squares, Option<Diagram>, Option<String>) {
    let began = Instant::now();
    let why = match limits.compiled(board, interrupt) {
        Ok(compiled) => {
            let seconds = began.elapsed().as_secs_f64();
            let (nodes, bytes) = (compiled.nodes(), compiled.bytes());
            let found = Squares::by_diagram(board, &compiled);
            return (found, Some(Diagram { nodes, bytes, seconds }), None);
        }
        Err(why) => why,
    };
    let found = search::squares(board, interrupt);
    let is_open = found.marks.contains(&Mark::Unknown);
    let rest = if is_open { "; some squares were not settled in time" } else { "" };
    // If the search found the number, the note does not call it unknown.
    let note = match &found.solutions {
        None => format!("{why}{rest}"),
        Some(_) => "the squares were searched by SAT, one by one".to_owned(),
    };
    (found, None, Some(note))
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
