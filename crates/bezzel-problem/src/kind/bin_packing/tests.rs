//! Instances of bin packing, compared with the exhaustive search.

use super::*;
use crate::kind::optimum::assert_solvable;

#[test]
fn the_optimum_has_a_solution_and_one_bin_fewer_or_less_capacity_has_none() {
    for seed in 1..=10 {
        for (items, sizes, conflicts) in [(6, [2, 6], 0.0), (8, [2, 7], 0.2), (7, [1, 5], 0.5)] {
            for (goal, spare) in Goal::ALL.into_iter().flat_map(|goal| [(goal, 0), (goal, 1)]) {
                let capacity = 10;
                let draw = |goal| {
                    let entry = Entry { items, capacity, sizes, conflicts, goal, spare, seed };
                    BinPacking::draw(&entry).unwrap()
                };
                let (instance, optimum, tight) =
                    (draw(goal), draw(Goal::Optimum), draw(Goal::Tight));
                let (bins, capacity) = match goal {
                    Goal::Optimum => (optimum.bins, 10),
                    Goal::Below => (optimum.bins - 1, 10),
                    Goal::Tight => (optimum.bins, tight.capacity),
                    Goal::TooTight => (optimum.bins, tight.capacity - 1),
                };
                assert_eq!(instance, BinPacking { capacity, bins, ..optimum });
                let has_solution = matches!(goal, Goal::Optimum | Goal::Tight);
                assert_solvable(&instance, has_solution);
            }
        }
    }
}
