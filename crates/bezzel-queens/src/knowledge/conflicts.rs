//! Conflicts of CaDiCaL on a board under an encoding, over scramblings of the formula.
//!
//! A scrambling is the numbering `random` of a config: variables renamed and literals shuffled by a seed. No proof is
//! written. Every model is decoded to a solution, which must keep the rules of the board.

use bezzel_encode::{Encoding, FormulaStats, Numbering};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Interrupt, Options, SessionOptions, Solver};
use bezzel_statistics::{Spread, Value};
use serde::Serialize;

use crate::{Board, Placement};

/// The number of scramblings: that of the numbering `random` of configs.
pub const SCRAMBLINGS: u64 = 10;

/// The conflicts over the scramblings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conflicts {
    /// The encoding's id.
    pub encoding: String,
    /// The version of CaDiCaL.
    pub version: String,
    /// The number of scramblings.
    pub scramblings: u64,
    /// The number of those that were answered before the interrupt.
    pub answered: usize,
    /// True if the board has a solution; `None` if no scrambling was answered.
    pub is_solvable: Option<bool>,
    /// The smallest number of conflicts. This and the next two are `None` if an unanswered scrambling decides them.
    pub least: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// The largest.
    pub most: Option<f64>,
}

/// Solves the formula of the board under the encoding, which fits it, once for each scrambling. Raising `interrupt` makes
/// it stop; the scramblings that are left then have no answer.
///
/// # Panics
///
/// The solver gives a wrong solution, or two different answers.
pub fn conflicts(board: &Board, encoding: &dyn Encoding, interrupt: &Interrupt) -> Conflicts {
    let mut is_solvable = None;
    let values: Vec<Value> = (1..=SCRAMBLINGS)
        .map(|seed| {
            let Some((found, conflicts)) = solved(board, encoding, seed, interrupt) else {
                return Value::OverLimit;
            };
            assert_eq!(*is_solvable.get_or_insert(found), found, "two answers for {board}");
            Value::Measured(conflicts)
        })
        .collect();
    let spread = Spread::of(&values).expect("there are scramblings");
    let number = |value: Value| value.measured();
    Conflicts {
        encoding: encoding.info().id,
        version: Cadical::Default.info().version,
        scramblings: SCRAMBLINGS,
        answered: values.iter().filter(|value| value.measured().is_some()).count(),
        is_solvable,
        least: number(spread.least),
        median: number(spread.median),
        most: number(spread.max),
    }
}

/// True if the scrambled formula has a model, and the number of conflicts; `None` after an interrupt.
fn solved(
    board: &Board,
    encoding: &dyn Encoding,
    seed: u64,
    interrupt: &Interrupt,
) -> Option<(bool, f64)> {
    let (problem, numbering) = (board.problem(), Numbering::random(seed));
    let mut stats = FormulaStats::new();
    let map = encoding.encode(&problem, &mut stats);
    let images = numbering.images(&problem, stats.variables(), &map);
    let session_options = SessionOptions::from(interrupt.clone());
    let mut session = Cadical::Default.open(&Options::new(), &session_options).expect("no option");
    numbering.encode(encoding, &problem, &images, &mut *session);
    let is_solvable = match session.solve() {
        Answer::Unknown => return None,
        answer => answer == Answer::Sat,
    };
    if is_solvable {
        let solution = map.decode(|lit| session.holds(images.of(lit)));
        let judged = Placement::of(board, &solution).judge(board);
        assert!(judged.is_ok(), "{} on {board}: {judged:?}", encoding.info().id);
    }
    Some((is_solvable, session.effort().conflicts? as f64))
}
