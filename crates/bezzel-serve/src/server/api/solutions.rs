//! `GET /api/solution`, one of the solutions by its number or any of them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use bezzel_problem::Square;
use bezzel_solve::Interrupt;
use num_bigint::BigUint;
use serde::Serialize;

use crate::knowledge::search::Search;
use crate::question::shortened;
use crate::server::refusal::{Refusal, json};
use crate::server::shared::Shared;

#[derive(Serialize)]
struct Found {
    queens: Vec<Square>,
    /// The number of solutions, if it is known.
    of: Option<String>,
}

/// The largest number of digits of a solution's number.
const MAX_DIGITS: usize = 100;

pub(super) async fn solution(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let question = shared.question(uri.query(), &["number"])?;
    let text = question.text("number");
    let asked = text.map(number).transpose()?;
    let board = question.board().clone();
    let none = if board.placed().is_empty() {
        "this board has no solution"
    } else {
        "no solution has all of these pieces"
    };
    let limits = shared.limits.clone();
    let (subject, wanted) = (board.clone(), asked);
    let work = move |interrupt: &Interrupt| match limits.compiled(&subject, interrupt) {
        Ok(compiled) => {
            let number = wanted.unwrap_or_else(|| BigUint::from(1_u32));
            Ok((compiled.nth(&(number - 1_u32)), Some(compiled.counts().0.to_string())))
        }
        Err(_) if wanted.is_some() => Err(Refusal::bad(
            "solutions are numbered where a diagram has all of them, and the diagram of this board \
             does not compile within the limits of this server; leave out `number` for any solution",
        )),
        Err(_) => {
            let found = Search::new(&subject, interrupt).solution(subject.placed())?;
            Ok((found, None))
        }
    };
    let (solution, of) = shared.tasks(&board).run(work).await??;
    let solution = solution.ok_or_else(|| match (text.map(shortened), &of) {
        (Some(text), Some(of)) => {
            Refusal::bad(format!("there is no solution number {text}: the board has {of} of them"))
        }
        _ => Refusal::bad(none),
    })?;
    Ok(json(&Found { queens: solution.squares().collect(), of }))
}

/// Parses a number from 1 on.
fn number(text: &str) -> Result<BigUint, Refusal> {
    let plain = (1..=MAX_DIGITS).contains(&text.len());
    let digits = plain && text.bytes().all(|byte| byte.is_ascii_digit());
    let number: Option<BigUint> = if digits { text.parse().ok() } else { None };
    number.filter(|number| *number > BigUint::ZERO).ok_or_else(|| {
        let text = shortened(text);
        Refusal::bad(format!("`number={text}` is not valid: solutions are counted from 1"))
    })
}
