//! `bezzel solve --count --fundamental`: the number of solutions of a board up to its turns and reflections, by bit masks.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::thread;

use bezzel_count::bitmask::MAX_COLUMNS;
use bezzel_count::{Backtrack, Bitmask, Budget, published};
use bezzel_experiment::quantity::grouped;
use bezzel_problem::queens::dihedral::stabilizer;
use bezzel_problem::{Board, Geometry, Instance, Piece, Placement};
use serde::Serialize;

use crate::arguments::SolveArguments;
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};
use crate::{interrupt, limited, terminal};

/// The nodes that the search for a comparison may visit, about a second or two.
const SEARCH_NODES: u64 = 20_000_000;

/// The number as JSON, with the source of its verification.
#[derive(Serialize)]
struct FundamentalOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    fundamental: bool,
    count: String,
    verified_by: Option<String>,
}

pub(super) fn run(
    instance: &Instance,
    arguments: &SolveArguments,
    out: &mut dyn Write,
) -> CommandResult {
    let Some(board) = instance.board() else {
        return Err(Failure::Input(format!(
            "--fundamental: fundamental solutions are those of boards, and `{instance}` is none"
        )));
    };
    if arguments.encoding.is_named() {
        return Err(Failure::input(
            "--fundamental reads the board itself: an encoding, its settings and a numbering make no difference to it",
        ));
    }
    let search = Bitmask::new(board).ok_or_else(|| {
        Failure::Input(format!("--fundamental: take a board of at most {MAX_COLUMNS} columns"))
    })?;
    let given = arguments.listing.engine.threads.map(|threads| threads as usize);
    let threads = given.and_then(NonZeroUsize::new).map_or_else(thread::available_parallelism, Ok);
    let interrupt = interrupt::listing_begins();
    phase::begin(Phase::Searching);
    let budget = Budget::unlimited(interrupt.flag());
    let counted = search.fundamental(threads.unwrap_or(NonZeroUsize::MIN), budget);
    if let Some(reason) = interrupt::stop_reason() {
        return Err(limited::stopped(reason, ""));
    }
    let count = counted.map_err(Failure::work)?.solutions;
    phase::begin(Phase::Checking);
    let known = known(board);
    let verified_by = match known {
        Some((expected, source)) if expected != count => {
            return Err(Failure::Work(format!(
                "{} fundamental solutions were counted, and the board has {}: {source}",
                grouped(count),
                grouped(expected)
            )));
        }
        known => known.map(|(_, source)| source),
    };
    if arguments.json {
        let output = FundamentalOutput {
            instance,
            fundamental: true,
            count: count.to_string(),
            verified_by,
        };
        let text = serde_json::to_string(&output).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        let because =
            verified_by.map_or_else(|| "unchecked".into(), |source| format!("verified: {source}"));
        // A closed stderr has no reader.
        let _ = writeln!(terminal::stderr(), "{because}");
        writeln!(out, "{count}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of fundamental solutions by another source: a publication, or the search of the judge.
fn known(board: &Board) -> Option<(u128, String)> {
    let is_plain = board.is_empty()
        && board.is_square()
        && board.geometry() == Geometry::Plane
        && board.piece() == Piece::Queen;
    if let Some(published) = published::fundamental(board.rows()).filter(|_| is_plain) {
        return Some((published.count, format!("published: {}", published.source)));
    }
    let group = stabilizer(board);
    let mut count = 0;
    let search = Backtrack::new(board)?.each(SEARCH_NODES, |placement| {
        let mut images = group.iter().map(|map| -> Placement {
            placement.squares().map(|it| map.image(it, board.rows(), board.columns())).collect()
        });
        count += u128::from(images.all(|image| placement <= image));
        ControlFlow::Continue(())
    });
    search.is_ok().then(|| (count, "exhaustive search".into()))
}
