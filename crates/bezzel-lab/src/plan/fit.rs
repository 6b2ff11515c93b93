//! Whether a formula can be run at all.

use bezzel_encode::sink::MAX_VARIABLES;
use bezzel_encode::{Board, Encoding, Size, Tally};

use super::{Cell, summary};
use crate::config::{BoardEntry, Config, ConfigError};

/// Up to this side a formula without a closed form is counted by making it, which takes some
/// milliseconds. Beyond it, the memory limit of the job itself must do.
const TALLIED_SIDE: u32 = 64;

/// The least that a solver keeps of a clause besides its literals, in bytes: a header, an entry in
/// the list of clauses, and two watches. Loading pairwise at side 150 took 30 in BatSat and 88 in
/// CaDiCaL.
///
/// What is refused must be certain, so the model stays below the thriftiest solver. What it lets
/// pass may still run into its memory limit, and that is a row like others.
const CLAUSE_BYTES: u128 = 24;
/// The least that a solver keeps of a literal.
const LITERAL_BYTES: u128 = 4;
/// The least that a solver keeps of a variable: value, reason, level, activity, phase, its place in
/// the queue and two lists of watches. Loading sequential-counter at side 500 took 120 in BatSat
/// and 260 in CaDiCaL.
const VARIABLE_BYTES: u128 = 96;
/// What a formula in memory needs for each clause besides its literals, so that clauses can be
/// shuffled: a pointer and a length.
const STORED_CLAUSE_BYTES: u128 = 16;

/// The size of the rules of a board, if there is a closed form or the board is small.
pub(super) fn size(encoding: &dyn Encoding, board: &Board) -> Option<Size> {
    encoding.size(board).or_else(|| {
        (board.side() <= TALLIED_SIDE).then(|| {
            let mut tally = Tally::new();
            encoding.rules(board, &mut tally);
            tally.size()
        })
    })
}

/// The memory in bytes that the formula needs in any solver, at least.
pub(super) fn least_bytes(size: Size) -> u128 {
    VARIABLE_BYTES * size.variables + CLAUSE_BYTES * size.clauses + LITERAL_BYTES * size.literals
}

/// Refuses a formula that surely does not fit.
pub(super) fn check(
    config: &Config,
    entry: &BoardEntry,
    cell: &Cell,
    size: Size,
) -> Result<(), ConfigError> {
    let whole = || {
        format!(
            "the board {} under `{}` has {} variables and {} clauses",
            entry.board,
            cell.label(),
            summary::grouped(size.variables),
            summary::grouped(size.clauses),
        )
    };
    if size.variables > MAX_VARIABLES.into() {
        let message = format!(
            "{}; solvers number at most {} variables",
            whole(),
            summary::grouped(MAX_VARIABLES.into())
        );
        return Err(config.source().error(entry.place, message).hint("take a smaller board"));
    }
    let shuffled = config.numberings.iter().any(|numbering| {
        numbering.count(entry.shuffles) > 0 && numbering.numbering(0).stores_formula()
    });
    let stored = if shuffled {
        STORED_CLAUSE_BYTES * size.clauses + LITERAL_BYTES * size.literals
    } else {
        0
    };
    let bytes = least_bytes(size) + stored;
    if bytes > config.limits.memory_bytes.into() {
        let message = format!(
            "{}, which take at least {} in a solver{}: more than the memory limit of {}",
            whole(),
            summary::memory(bytes),
            if shuffled { " and in the order that is shuffled" } else { "" },
            summary::memory(config.limits.memory_bytes.into()),
        );
        let advice = "take a smaller board or another encoding, or raise `memory` in `limits`";
        return Err(config.source().error(entry.place, message).hint(advice));
    }
    Ok(())
}
