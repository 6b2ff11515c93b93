//! The facts that hold in all solutions of an instance.
//!
//! For each candidate that all known solutions omit, an exhaustive search looks for a solution that chooses it, and for
//! each candidate that all of them choose, for one that omits it.

use bezzel_problem::{Instance, Literal, Solution};

use super::exhaustive::exhaustive;
use crate::model::measure::{CandidateFact, Marks, Truth};

/// The number of nodes that each search may visit, about a tenth of a second.
const BUDGET: u64 = 2_000_000;

/// Returns the facts; none if the instance is too large for the search, or a search takes too long.
pub(super) fn truth(instance: &Instance) -> Option<Truth> {
    let search = exhaustive(instance)?;
    let Some(first) = search.first(None, BUDGET).ok()? else {
        return Some(Truth { solvable: false, implied: None });
    };
    let candidates = instance.problem().candidates();
    let mut known: Vec<Option<CandidateFact>> =
        vec![Some(CandidateFact::Empty); candidates as usize];
    first.chosen().iter().for_each(|&chosen| known[chosen as usize] = Some(CandidateFact::Chosen));
    for candidate in 0..candidates {
        let negation = match known[candidate as usize] {
            Some(CandidateFact::Empty) => Literal::new(candidate, false),
            Some(CandidateFact::Chosen) => Literal::new(candidate, true),
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
        if *known == Some(if is_chosen { CandidateFact::Empty } else { CandidateFact::Chosen }) {
            *known = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::tests::seating::Seating;

    /// Returns the facts by trying all seatings.
    fn by_all(seating: &Seating, candidates: u32) -> Truth {
        let all = seating.solutions();
        let implied = Marks::of(&seating.clone().into(), candidates, |candidate| {
            match all.iter().filter(|chosen| chosen.contains(&candidate)).count() {
                0 => Some(CandidateFact::Empty),
                number if number == all.len() => Some(CandidateFact::Chosen),
                _ => None,
            }
        });
        Truth { solvable: !all.is_empty(), implied: (!all.is_empty()).then_some(implied) }
    }

    #[test]
    fn it_is_what_all_solutions_agree_on() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let (mut solvable, mut impossible) = (0, 0);
        for (guests, chairs) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (3, 4), (4, 6), (4, 3)] {
            let mut check = |seating: &Seating| {
                let facts = truth(&seating.clone().into()).unwrap();
                assert_eq!(facts, by_all(seating, guests * chairs), "{seating}");
                let count = if facts.solvable { &mut solvable } else { &mut impossible };
                *count += 1;
            };
            check(&Seating::new(guests, chairs));
            for _ in 0..20 {
                let mut seat =
                    || (random.random_range(1..=guests), random.random_range(1..=chairs));
                check(&Seating::new(guests, chairs).with_given(&[seat(), seat()]));
                let excluded: Vec<_> = (0..guests * chairs / 2).map(|_| seat()).collect();
                check(&Seating::new(guests, chairs).with_excluded(&excluded));
            }
        }
        assert!(solvable > 50 && impossible > 50, "{solvable} {impossible}");
    }

    #[test]
    fn an_instance_beyond_the_search_has_no_truth() {
        assert_eq!(truth(&Seating::new(65, 65).into()), None);
    }
}
