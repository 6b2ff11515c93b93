//! The multidimensional knapsack: items with a profit, and a weight in each of several dimensions.
//!
//! *Rules.* In each dimension the chosen items weigh at most its capacity. Their profits add up to at least a value.
//!
//! *Candidates.* The items.
//!
//! *Families.* `capacities`: the weights in each dimension, a family for each. `value`: the profits.
//!
//! *Instances* are drawn as those of Chu and Beasley: weights are uniform from 1 to W, a capacity is a share of the sum
//! of the weights of its dimension, and a profit is the mean weight of the item and a uniform number up to W/2. The value
//! is the optimum, or one above it. Both are of the same items for the same seed.
//!
//! *Optimum.* Branch and bound over the items by profit for weight. The bound fills the sum of all capacities, each of
//! which weighs the same, with fractions of items.
//!
//! *Source.* P. C. Chu, J. E. Beasley, "A Genetic Algorithm for the Multidimensional Knapsack Problem", Journal of
//! Heuristics 4, 1998.

use std::fmt;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::optimum::{Steps, StepsSpent, refuse_steps};
use crate::drawing::{Cell, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily};
use crate::kind::{EntryKind, Kind, short_digest};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

/// The least and the largest numbers of items, of dimensions, and of a weight.
const ITEMS: [u64; 2] = [1, 200];
const DIMENSIONS: [u64; 2] = [1, 30];
const WEIGHTS: [u64; 2] = [1, 100_000];

/// Items, capacities, and a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultidimensionalKnapsack {
    profits: Vec<u32>,
    /// The weights of all items, for each dimension.
    weights: Vec<Vec<u32>>,
    capacities: Vec<u32>,
    value: u64,
}

impl MultidimensionalKnapsack {
    /// Draws items by a seed, and asks for their optimum, or for one above it.
    fn draw(
        items: u32,
        dimensions: u32,
        largest: u32,
        share: f64,
        is_above: bool,
        seed: u64,
    ) -> Result<Self, EntryError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let weights: Vec<Vec<u32>> = (0..dimensions)
            .map(|_| (0..items).map(|_| random.random_range(1..=largest)).collect())
            .collect();
        let capacities =
            weights.iter().map(|row| (share * f64::from(row.iter().sum::<u32>())) as u32).collect();
        let profit = |item: usize| {
            let mean = weights.iter().map(|row| row[item]).sum::<u32>() / dimensions;
            mean + random.random_range(0..=largest / 2)
        };
        let profits = (0..items as usize).map(profit).collect();
        let drawn = Self { profits, weights, capacities, value: 0 };
        let optimum = drawn.best(0).map_err(refuse_steps("items", seed))?;
        Ok(Self { value: optimum + u64::from(is_above), ..drawn })
    }

    /// The largest profit, if it is more than `known`, and else `known`.
    fn best(&self, known: u64) -> Result<u64, StepsSpent> {
        /// The sum of the weights that fill a capacity.
        const WHOLE: u64 = 1 << 30;
        let surrogate = |item: usize| -> u64 {
            let capacities = self.weights.iter().zip(&self.capacities);
            capacities.map(|(row, &c)| u64::from(row[item]) * WHOLE / u64::from(c.max(1))).sum()
        };
        let items = (0..self.profits.len()).map(|item| (item, surrogate(item)));
        // Items that weigh more than a capacity are in no knapsack.
        let mut items: Vec<(usize, u64)> = items
            .filter(|&(item, _)| {
                self.weights.iter().zip(&self.capacities).all(|(row, &c)| row[item] <= c)
            })
            .collect();
        let profit = |item: usize| u128::from(self.profits[item]);
        items.sort_by(|&(one, light), &(other, heavy)| {
            (profit(other) * u128::from(light)).cmp(&(profit(one) * u128::from(heavy)))
        });
        let mut search = Search { knapsack: self, items, best: known, steps: Steps::new() };
        search.visit(0, &mut self.capacities.clone(), WHOLE * self.weights.len() as u64, 0)?;
        Ok(search.best)
    }
}

/// A branch and bound.
struct Search<'a> {
    knapsack: &'a MultidimensionalKnapsack,
    /// The items, and the sum of their weights as shares of the capacities.
    items: Vec<(usize, u64)>,
    best: u64,
    steps: Steps,
}

impl Search<'_> {
    /// Decides the items from `first` on. `room` is the sum of the shares of the capacities that are left.
    fn visit(
        &mut self,
        first: usize,
        free: &mut [u32],
        room: u64,
        value: u64,
    ) -> Result<(), StepsSpent> {
        self.best = self.best.max(value);
        let (mut bound, mut left) = (value, room);
        for &(item, weight) in &self.items[first..] {
            self.steps.take(1)?;
            let profit = u64::from(self.knapsack.profits[item]);
            if weight > left {
                bound += (u128::from(profit) * u128::from(left) / u128::from(weight)) as u64;
                break;
            }
            (bound, left) = (bound + profit, left - weight);
        }
        let Some(&(item, weight)) = self.items.get(first).filter(|_| bound > self.best) else {
            return Ok(());
        };
        let rows = &self.knapsack.weights;
        self.steps.take(rows.len())?;
        if rows.iter().zip(&*free).all(|(row, &free)| row[item] <= free) {
            free.iter_mut().zip(rows).for_each(|(free, row)| *free -= row[item]);
            let value = value + u64::from(self.knapsack.profits[item]);
            self.visit(first + 1, free, room - weight, value)?;
            free.iter_mut().zip(rows).for_each(|(free, row)| *free += row[item]);
        }
        self.visit(first + 1, free, room, value)
    }
}

impl fmt::Display for MultidimensionalKnapsack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.profits.iter().chain(self.weights.iter().flatten());
        let digest = short_digest(numbers.chain(&self.capacities).copied());
        let (items, dimensions, value) = (self.profits.len(), self.weights.len(), self.value);
        write!(
            f,
            "multidimensional-knapsack {items} items, {dimensions} dimensions, value {value} (#{digest})"
        )
    }
}

impl Kind for MultidimensionalKnapsack {
    const ID: &'static str = "multidimensional-knapsack";
    const TITLE: &'static str = "multidimensional knapsack";
    const FAMILIES: &'static [&'static str] = &["capacities", "value"];
    const SIZE: &'static str = "Items";
    const RANK: u16 = 8;

    fn checked(self) -> Result<Self, EntryError> {
        let Self { profits, weights, capacities, .. } = &self;
        let error = |message: &str| Err(EntryError::new("items", message));
        let has = |[least, max]: [u64; 2], number: u64| (least..=max).contains(&number);
        if !has(ITEMS, profits.len() as u64) || !has(DIMENSIONS, weights.len() as u64) {
            return error("there are from 1 to 200 items, in 1 to 30 dimensions");
        }
        let are_whole = weights.iter().all(|row| row.len() == profits.len());
        if !are_whole || capacities.len() != weights.len() {
            return error(
                "every item has a weight in each dimension, and every dimension has a capacity",
            );
        }
        let is_small = |&weight: &u32| has([1, 2 * WEIGHTS[1]], weight.into());
        if !profits.iter().chain(weights.iter().flatten()).all(is_small) {
            return error("profits and weights are from 1 to 200000");
        }
        Ok(self)
    }

    fn constraints(&self) -> Problem {
        let items = self.profits.len() as u32;
        let family = |name, bounds, weights: &[u32]| {
            let literals = std::iter::once((0..items).map(Literal::chosen)).collect();
            let weights = std::iter::once(weights.iter().map(|&weight| weight.into())).collect();
            GroupFamily::weighted(name, bounds, literals, weights)
        };
        let mut problem = Problem::new(items);
        for (row, &capacity) in self.weights.iter().zip(&self.capacities) {
            let bounds = Bounds { at_least: None, at_most: Some(capacity.into()) };
            problem = problem.with_family(family("capacities", bounds, row));
        }
        let bounds = Bounds { at_least: Some(self.value), at_most: None };
        problem.with_family(family("value", bounds, &self.profits))
    }

    fn size(&self) -> u32 {
        self.profits.len() as u32
    }

    fn label(&self, candidate: Candidate) -> String {
        format!("item{}", candidate + 1)
    }

    /// The chosen items.
    fn draw(&self, solution: &Solution) -> String {
        let items = solution.chosen().iter().map(|&item| (item + 1).to_string());
        items.collect::<Vec<_>>().join(" ")
    }

    /// A row for each item: its number, a cross if it is chosen, its profit and its weights.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let dimensions = (1..=self.weights.len()).map(|number| format!("weight {number}"));
        let heads = ["item", "", "profit"].map(String::from).into_iter().chain(dimensions);
        let heads: Vec<Cell> = heads.map(Cell::name).collect();
        let rows = (0..self.profits.len()).map(|item| {
            let is_chosen = solution.is_some_and(|solution| solution.chooses(item as u32));
            let weights = self.weights.iter().map(|row| row[item]);
            let numbers = std::iter::once(self.profits[item]).chain(weights);
            [Cell::name((item + 1).to_string()), Cell::chosen(is_chosen)]
                .into_iter()
                .chain(numbers.map(|number| Cell::name(number.to_string())))
                .collect()
        });
        Drawing::grid(std::iter::once(heads).chain(rows))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let mut value = 0;
        let mut loads = vec![0; self.capacities.len()];
        for &item in solution.chosen() {
            let Some(&profit) = self.profits.get(item as usize) else {
                return Err(format!("there is no item {}", u64::from(item) + 1));
            };
            value += u64::from(profit);
            for (load, row) in loads.iter_mut().zip(&self.weights) {
                *load += row[item as usize];
            }
        }
        for (number, (load, capacity)) in (1..).zip(loads.iter().zip(&self.capacities)) {
            if load > capacity {
                return Err(format!(
                    "in dimension {number} the items weigh {load}, more than {capacity}"
                ));
            }
        }
        if value < self.value {
            return Err(format!("the profit is {value}, less than {}", self.value));
        }
        Ok(())
    }

    /// None, if the value is above the optimum.
    fn known_count(&self) -> Option<u128> {
        let below = self.value.checked_sub(1)?;
        (self.best(below).ok()? == below).then_some(0)
    }
}

impl EntryKind for MultidimensionalKnapsack {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required("items", "The number of items.", EntryForm::Whole(ITEMS[0], ITEMS[1])),
        EntryKey::optional(
            "dimensions",
            "The number of dimensions; 5 if it is not given.",
            EntryForm::Whole(DIMENSIONS[0], DIMENSIONS[1]),
        ),
        EntryKey::optional(
            "weights",
            "The largest weight of an item; 100 if it is not given.",
            EntryForm::Whole(WEIGHTS[0], WEIGHTS[1]),
        ),
        EntryKey::optional(
            "capacity",
            "The share of the sum of all weights that a capacity is; 50 % if it is not given.",
            EntryForm::Share,
        ),
        EntryKey::optional(
            "value",
            "The least profit: `optimum` has a solution, and `above`, one more, has none.",
            EntryForm::Word(&["optimum", "above"]),
        ),
        EntryKey::optional(
            "seeds",
            "The seeds by which items are drawn; 1 if it is not given.",
            EntryForm::Whole(0, u64::MAX),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        Self::draw(
            values.whole_within("items", ITEMS, 0)?,
            values.whole_within("dimensions", DIMENSIONS, 5)?,
            values.whole_within("weights", WEIGHTS, 100)?,
            values.share_or("capacity", 0.5)?,
            values.word("value") == Some("above"),
            values.whole("seeds").unwrap_or(1),
        )
    }

    fn examples() -> Vec<Self> {
        // An encoder of counts takes a literal for each unit of weight, so weights are small.
        let drawn =
            [(3, 1, 3, true, 1), (4, 2, 3, false, 1), (4, 2, 3, true, 1), (4, 3, 3, false, 2)];
        let drawn = drawn.map(|(items, dimensions, largest, is_above, seed)| {
            Self::draw(items, dimensions, largest, 0.5, is_above, seed).expect("an example")
        });
        drawn.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::optimum::assert_solvable;

    #[test]
    fn the_optimum_has_a_solution_and_one_above_it_has_none() {
        for seed in 1..=12 {
            for (items, dimensions, share) in [(6, 1, 0.5), (10, 3, 0.25), (12, 5, 0.6)] {
                let [optimum, above] = [false, true].map(|is_above| {
                    MultidimensionalKnapsack::draw(items, dimensions, 30, share, is_above, seed)
                        .unwrap()
                });
                assert_eq!(
                    above,
                    MultidimensionalKnapsack { value: optimum.value + 1, ..optimum.clone() }
                );
                assert_solvable(&optimum, true);
                assert_solvable(&above, false);
            }
        }
    }
}
