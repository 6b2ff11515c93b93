//! The JSON API: questions about a board.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bezzel_count::Budget;
use bezzel_queens::published;
use bezzel_queens::{Board, Geometry, Square};
use bezzel_solve::Interrupt;
use num_bigint::BigUint;
use serde::Serialize;

use super::answers::{Refusal, json};
use super::limits::{Compilable, Limits};
use super::{ListedEncoding, Shared};
use bezzel_queens::knowledge::propagation::propagation_view;
use bezzel_queens::knowledge::shortened;
use bezzel_queens::knowledge::solutions::{Compiled, Mark, Search, Squares, rows};
use bezzel_queens::knowledge::{self, conflicts, export, theorem, why};

/// The largest number of steps of propagation in an answer.
const MAX_STEPS: usize = 2_000;

/// The largest number of digits of a solution's number.
const MAX_DIGITS: usize = 100;

/// The answer to a question.
type Answer = Result<Response, Refusal>;

/// Returns the routes of the questions.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/limits", get(limits))
        .route("/api/board", get(board))
        .route("/api/why", get(why))
        .route("/api/propagation", get(propagation))
        .route("/api/conflicts", get(conflicts))
        .route("/api/solution", get(solution))
        .route("/api/export", get(export))
}

#[derive(Serialize)]
struct LimitsAnswer<'a> {
    sizes: [u32; 2],
    compiled: Compilable,
    encodings: &'a [ListedEncoding],
    seconds: f64,
    nodes: u64,
    reports: bool,
}

/// `GET /api/limits`: the limits of questions.
async fn limits(State(shared): State<Arc<Shared>>) -> Response {
    let limits = &shared.limits;
    json(&LimitsAnswer {
        sizes: [limits.sides.least, limits.sides.max],
        compiled: limits.compilable,
        encodings: &shared.listed,
        seconds: limits.time.as_secs_f64(),
        nodes: limits.nodes,
        reports: shared.reports.is_some(),
    })
}

#[derive(Serialize)]
struct BoardAnswer<'a> {
    board: &'a Board,
    how: &'static str,
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
struct Cell {
    count: Option<String>,
    mark: Mark,
}

/// `GET /api/board`: the marks and counts of a board and of each of its squares.
async fn board(State(shared): State<Arc<Shared>>, uri: Uri) -> Answer {
    let question = shared.question(uri.query(), &[])?;
    let (board, subject) = (question.board(), question.board().clone());
    let limits = shared.limits.clone();
    let work = move |interrupt: &Interrupt| known(&subject, &limits, interrupt);
    let (found, note) = shared.compilations.run_on(board, work).await?;
    let cell = |square: Square| {
        let place = square.index(board.columns());
        let count = found.counts.as_ref().map(|counts| counts[place].to_string());
        Cell { count, mark: found.marks[place] }
    };
    let published = published::solutions(board)
        .map(|known| Published { count: known.count.to_string(), source: known.source });
    Ok(json(&BoardAnswer {
        board,
        how: if note.is_some() { "search" } else { "diagram" },
        solutions: found.solutions.as_ref().map(ToString::to_string),
        squares: rows(board, cell),
        completion: found.completion.clone(),
        published,
        theorem: theorem(board),
        note,
    }))
}

/// Returns the marks and counts by the diagram of the board or, with a note, by a search.
fn known(board: &Board, limits: &Limits, interrupt: &Interrupt) -> (Squares, Option<String>) {
    let why = match compiled(limits, board, interrupt) {
        Ok(compiled) => return (Squares::by_diagram(board, &compiled), None),
        Err(why) => why,
    };
    let found = Squares::by_search(board, interrupt);
    let is_open = found.marks.contains(&Mark::Unknown);
    let rest = if is_open { "; some squares were not settled in time" } else { "" };
    // If the search found the number, the note does not call it unknown.
    let note = match &found.solutions {
        None => format!("{why}{rest}"),
        Some(_) => "the squares were searched by SAT, one by one".to_owned(),
    };
    (found, Some(note))
}

/// Compiles a board with its placed pieces. The error is the reason why it is searched instead, as a sentence without its
/// full stop.
fn compiled(limits: &Limits, board: &Board, interrupt: &Interrupt) -> Result<Compiled, String> {
    if !limits.compilable.has(board) {
        return Err(format!(
            "N = {} is searched by SAT, square by square: its diagram would take too long, so \
             solutions are not counted",
            board.rows()
        ));
    }
    let budget = Budget { nodes: limits.nodes, bytes: limits.bytes, stop: interrupt.flag() };
    Compiled::new(board, budget).map_err(|halt| {
        format!(
            "this board is searched by SAT, square by square, since its diagram does not compile \
             within the limits of this server ({halt}): solutions are not counted"
        )
    })
}

/// `GET /api/why`: the reason why a square is ruled out.
async fn why(State(shared): State<Arc<Shared>>, uri: Uri) -> Answer {
    let question = shared.question(uri.query(), &["square"])?;
    let square = question.square("square")?;
    let board = question.board().clone();
    let work =
        move |interrupt: &Interrupt| why::why(&board, square, &mut Search::new(&board, interrupt));
    Ok(json(&shared.compilations.run_on(question.board(), work).await??))
}

/// `GET /api/propagation`: the squares that unit propagation of an encoding rules out.
async fn propagation(State(shared): State<Arc<Shared>>, uri: Uri) -> Answer {
    let question = shared.question(uri.query(), &["encoding"])?;
    let name = question.needed("encoding", "pairwise")?;
    let board = question.board().clone();
    let encoding = knowledge::encoding(&shared.encodings, name, &board)?;
    let work = move |interrupt: &Interrupt| {
        let known = Squares::by_search(&board, interrupt).marks;
        propagation_view(&board, &*encoding, &known, MAX_STEPS)
    };
    Ok(json(&shared.compilations.run_on(question.board(), work).await?))
}

/// `GET /api/conflicts`: the conflicts of CaDiCaL over scramblings of the formula of an encoding.
async fn conflicts(State(shared): State<Arc<Shared>>, uri: Uri) -> Answer {
    let question = shared.question(uri.query(), &["encoding"])?;
    let name = question.needed("encoding", "pairwise")?;
    let board = question.board().clone();
    let encoding = knowledge::encoding(&shared.encodings, name, &board)?;
    let work = move |interrupt: &Interrupt| conflicts::conflicts(&board, &*encoding, interrupt);
    Ok(json(&shared.compilations.run(work).await?))
}

#[derive(Serialize)]
struct SolutionAnswer {
    queens: Vec<Square>,
    /// The number of solutions, if it is known.
    of: Option<String>,
}

/// `GET /api/solution`, one of the solutions by its number or any of them.
async fn solution(State(shared): State<Arc<Shared>>, uri: Uri) -> Answer {
    let question = shared.question(uri.query(), &["number"])?;
    let text = question.text("number");
    let asked = text.map(number).transpose()?;
    let is_any = asked.is_none();
    let (board, limits) = (question.board().clone(), shared.limits.clone());
    let finder = Arc::clone(&shared.finder);
    let work = move |interrupt: &Interrupt| match compiled(&limits, &board, interrupt) {
        Ok(compiled) => {
            let number = asked.unwrap_or_else(|| BigUint::from(1_u32));
            Ok((compiled.nth(&(number - 1_u32)), Some(compiled.counts().0.to_string())))
        }
        Err(_) if is_any && knowledge::is_hopeless(&board) => Ok((None, None)),
        Err(_) if is_any => Ok((finder.solution(&board, interrupt)?, None)),
        Err(_) => Err(Refusal::bad(
            "solutions are numbered where a diagram has all of them, and the diagram of this board \
             does not compile within the limits of this server; leave out `number` for any solution",
        )),
    };
    let (solution, of) = shared.compilations.run_on(question.board(), work).await??;
    let solution = solution.ok_or_else(|| match (text.map(shortened), &of) {
        (Some(text), Some(of)) => {
            Refusal::bad(format!("there is no solution number {text}: the board has {of} of them"))
        }
        _ if question.board().placed().is_empty() => Refusal::bad("this board has no solution"),
        _ => Refusal::bad("no solution has all of these pieces"),
    })?;
    Ok(json(&SolutionAnswer { queens: solution.squares().collect(), of }))
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

/// `GET /api/export`: the board as a file.
async fn export(State(shared): State<Arc<Shared>>, uri: Uri) -> Answer {
    let question = shared.question(uri.query(), &["format", "encoding", "second"])?;
    let board = question.board().clone();
    let encoding = |name: &str| knowledge::encoding(&shared.encodings, name, question.board());
    let first = question.text("encoding").unwrap_or("pairwise");
    let torus = if board.geometry() == Geometry::Torus { "torus-" } else { "" };
    let name = format!("{torus}{}s-{}", board.piece(), board.rows());
    let (text, ending) = match question.needed("format", "board")? {
        "board" => (export::drawing(&board).into_bytes(), "txt"),
        "config" => {
            let second = question.text("second").filter(|&second| second != first);
            let names = std::iter::once(first).chain(second);
            let ids = names.map(|id| encoding(id).map(|found| found.info().id));
            let ids = ids.collect::<Result<Vec<_>, _>>()?;
            (export::config(&board, &name, &ids).into_bytes(), "yaml")
        }
        "dimacs" => {
            let encoding = encoding(first)?;
            let work = move |_: &Interrupt| export::dimacs(&board, &*encoding);
            let written = shared.compilations.run_on(question.board(), work).await?;
            (written.map_err(Refusal::bad)?, "cnf")
        }
        other => {
            return Err(Refusal::bad(format!(
                "`format={}` is not known: it is board, config or dimacs",
                shortened(other)
            )));
        }
    };
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{ending}\"")),
    ];
    Ok((headers, text).into_response())
}
