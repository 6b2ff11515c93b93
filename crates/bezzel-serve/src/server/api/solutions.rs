//! `GET /api/solution`, one of the solutions by its number, and `GET /api/fundamental`, the solutions up to turns
//! and reflections.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_problem::Square;
use bezzel_solve::Interrupt;
use num_bigint::BigUint;
use serde::Serialize;

use crate::knowledge::fundamental;
use crate::question::shortened;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

#[derive(Serialize)]
struct Numbered {
    queens: Vec<Square>,
    of: String,
}

/// The largest number of digits of a solution's number.
const MAX_DIGITS: usize = 100;

pub(super) async fn solution(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["number"])?;
    let text = question.needed("number", "1")?;
    let number = number(text)?;
    let board = question.board().clone();
    let compiled_board = shared.diagram(&board).await?.ok_or_else(|| {
        Refusal::bad(
            "solutions are numbered where a diagram knows all of them, and this board's does not \
             compile within the limits of this server",
        )
    })?;
    let read_tasks = shared.read_tasks(&compiled_board);
    let work = move |_: &Interrupt| {
        let solution = compiled_board.compiled.nth(board.placed(), &(&number - 1_u32));
        let (of, _) = compiled_board.compiled.counts(board.placed());
        (solution, of.to_string())
    };
    let (solution, of) = read_tasks.run(work).await?;
    let text = shortened(text);
    let solution = solution.ok_or_else(|| {
        Refusal::bad(format!("there is no solution number {text}: the board has {of} of them"))
    })?;
    Ok(json(&Numbered { queens: solution.squares().collect(), of }))
}

/// Parses a number from 1 on.
fn number(text: &str) -> Result<BigUint, Refusal> {
    let plain = (1..=MAX_DIGITS).contains(&text.len());
    let digits = plain && text.bytes().all(|byte| byte.is_ascii_digit());
    let number: Option<BigUint> = if digits { text.parse().ok() } else { None };
    number.filter(|number| *number > BigUint::ZERO).ok_or_else(|| {
        let text = shortened(text);
        Refusal::bad(format!("`number={text}` means nothing here: solutions are counted from 1"))
    })
}

pub(super) async fn fundamental(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &[])?;
    let board = question.board().clone();
    let work = move |interrupt: &Interrupt| fundamental::fundamental(&board, interrupt.flag());
    let found = shared.tasks.run(work).await?;
    Ok(json(&found?))
}
