//! Refuses jobs that could not be run, with the place in the config.

use bezzel_encode::{Misfit, Size};

use super::Cell;
use crate::config::{BoardEntry, Config, ConfigError};
use crate::fit::{self, TooLarge};

/// Refuses an encoding that cannot say the rules of a board.
pub(super) fn refuse_misfit(
    config: &Config,
    entry: &BoardEntry,
    cell: &Cell,
) -> Result<(), ConfigError> {
    cell.encoding.fits(&entry.board).map_err(|misfit| {
        let Misfit { what, board, why, mend } = misfit;
        let message = format!("{what} does not fit the board {board}: {why}");
        config.source().error(entry.place, message).hint(mend)
    })
}

/// Refuses a formula that surely does not fit.
pub(super) fn check(
    config: &Config,
    entry: &BoardEntry,
    cell: &Cell,
    size: Size,
) -> Result<(), ConfigError> {
    let shuffled = config.numberings.iter().any(|numbering| {
        numbering.count(entry.shuffles) > 0 && numbering.numbering(0).stores_formula()
    });
    let limit_bytes = config.limits.memory_bytes;
    fit::solvable(&entry.board, &cell.label(), size, shuffled, limit_bytes).map_err(|too_large| {
        let advice = match too_large {
            TooLarge::Variables { .. } => "take a smaller board",
            TooLarge::Memory { .. } => {
                "take a smaller board or another encoding, or raise `memory` in `limits`"
            }
        };
        config.source().error(entry.place, too_large.to_string()).hint(advice)
    })
}
