//! The facts that hold in all solutions of an instance.
//!
//! For each candidate that all known solutions omit, an exhaustive search looks for a solution that chooses it, and for
//! each candidate that all of them choose, for one that omits it.

use bezzel_problem::{Instance, Literal, Solution};

use super::exhaustive::Exhaustive;
use crate::model::measure::{CandidateFact, Marks, Truth};

/// The number of nodes that each search may visit, about a tenth of a second. Boards of side 20 take some thousands.
const BUDGET: u64 = 2_000_000;

/// Returns the facts; none if the instance is too large for the search, or a search takes too long.
pub(super) fn truth(instance: &Instance) -> Option<Truth> {
    let search = Exhaustive::new(instance)?;
    let Some(first) = search.first(None, BUDGET).ok()? else {
        return Some(Truth { solvable: false, implied: None });
    };
    let candidates = instance.problem().candidates();
    let mut known: Vec<Option<CandidateFact>> =
        vec![Some(CandidateFact::Empty); candidates as usize];
    first.chosen().iter().for_each(|&chosen| known[chosen as usize] = Some(CandidateFact::Queen));
    for candidate in 0..candidates {
        let negation = match known[candidate as usize] {
            Some(CandidateFact::Empty) => Literal::new(candidate, false),
            Some(CandidateFact::Queen) => Literal::new(candidate, true),
            None => continue,
        };
        if let Some(solution) = search.first(Some(negation), BUDGET).ok()? {
            forget(&mut known, &solution);
        }
    }
    let implied = Marks::of(instance, candidates, |candidate| known[candidate as usize]);
    Some(Truth { solvable: true, implied: Some(implied) })
}

/// Removes the facts that do not hold in a solution.
fn forget(known: &mut [Option<CandidateFact>], solution: &Solution) {
    let mut chosen = solution.chosen().iter().peekable();
    for (candidate, known) in (0..).zip(known) {
        let is_chosen = chosen.next_if_eq(&&candidate).is_some();
        if *known == Some(if is_chosen { CandidateFact::Empty } else { CandidateFact::Queen }) {
            *known = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use bezzel_queens::search;
    use bezzel_queens::{Board, Geometry, Piece, Placement, Recipe};

    use super::*;

    /// Returns the facts by enumerating all placements that satisfy the rules.
    fn by_all(board: &Board) -> Truth {
        let all: Vec<Placement> = search::solutions(board).into_iter().collect();
        let implied = Marks::of(&board.clone().into(), board.squares(), |candidate| {
            let square = board.square(candidate);
            let holding = all.iter().filter(|placement| placement.holds(square)).count();
            match holding {
                0 => Some(CandidateFact::Empty),
                number if number == all.len() => Some(CandidateFact::Queen),
                _ => None,
            }
        });
        Truth { solvable: !all.is_empty(), implied: (!all.is_empty()).then_some(implied) }
    }

    #[test]
    fn it_is_what_all_solutions_agree_on() {
        let (mut solvable, mut impossible) = (0, 0);
        for side in 1..=6 {
            let plane = Board::new(side).unwrap();
            let kinds = [
                plane.clone().with_geometry(Geometry::Torus),
                plane.clone().with_piece(Piece::Rook),
                Board::rectangle(side, side + 1).unwrap(),
                Board::rectangle(side + 1, side).unwrap(),
                plane,
            ];
            for board in kinds {
                let found = truth(&board.clone().into());
                assert_eq!(found, Some(by_all(&board)), "{board}");
                for seed in 0..4 {
                    for recipe in [
                        Recipe::Completion { queens: 2 },
                        Recipe::Prefix { queens: 2 },
                        Recipe::Blocked { density: 0.3 },
                    ] {
                        let Ok(board) = recipe.draw(&board, None, seed, 0) else { continue };
                        let facts = truth(&board.clone().into()).unwrap();
                        assert_eq!(facts, by_all(&board), "{board}");
                        let count = if facts.solvable { &mut solvable } else { &mut impossible };
                        *count += 1;
                    }
                }
            }
        }
        assert!(solvable > 50 && impossible > 50, "{solvable} {impossible}");
    }

    #[test]
    fn a_board_beyond_the_search_has_no_truth() {
        assert_eq!(truth(&Board::new(65).unwrap().into()), None);
    }
}
