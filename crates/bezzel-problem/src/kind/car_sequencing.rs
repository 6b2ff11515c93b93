//! Car sequencing: cars with options on an assembly line.
//!
//! *Rules.* Every slot of the line has one car. A class of cars has some options, and d cars of it are built. Of every
//! q consecutive cars at most u have an option with the capacity u/q.
//!
//! *Candidates.* A car of class c in slot s, slot by slot: slots × classes.
//!
//! *Families.* `slots`: in each slot exactly one class. `demands`: each class in exactly d slots, a family for each d.
//! `windows`: of each option and of every q consecutive slots at most u, a family for each u.
//!
//! *Instances* have the five options 1/2, 2/3, 1/3, 2/5 and 1/5 of CSPLib. A planted one is drawn around a line: in
//! each slot a random class that keeps all windows, one without options if there is no other. One without a solution is
//! drawn in the same way, and then one option has one car more than any line can hold.
//!
//! *Source.* B. Smith, "prob001: Car Sequencing", CSPLib. B. D. Parrello, W. C. Kabat, L. Wos, "Job-shop scheduling
//! using automated reasoning", Journal of Automated Reasoning 2, 1986.

use std::fmt;

use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use crate::drawing::{Cell, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily, Lists};
use crate::kind::{EntryKind, Kind, assignment};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

/// The most cars.
const MAX_VALUE: u64 = 2_000;

/// The most classes that are drawn: all sets of five options.
const MAX_CLASSES: u64 = 32;

/// The capacities of the options.
const CAPACITIES: [[u32; 2]; 5] = [[1, 2], [2, 3], [1, 3], [2, 5], [1, 5]];

/// Options and classes of cars.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarSequencing {
    /// Of each option u and q: at most u of q consecutive cars.
    options: Vec<[u32; 2]>,
    classes: Vec<Class>,
}

/// A class of cars.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// The number of cars.
    demand: u32,
    /// The numbers of its options, from 0, in order.
    options: Vec<u32>,
}

impl CarSequencing {
    /// Classes of cars with these options.
    ///
    /// # Errors
    ///
    /// When there are no cars or more than 2,000, a capacity is not from 1/1 on with u ≤ q, or a class has no car, an
    /// option that there is not, or options out of order.
    pub fn new(options: Vec<[u32; 2]>, classes: Vec<Class>) -> Result<Self, EntryError> {
        let error = |message: String| Err(EntryError::new("cars", message));
        let cars: u64 = classes.iter().map(|class| u64::from(class.demand)).sum();
        if !(1..=MAX_VALUE).contains(&cars) {
            return error(format!("there are from 1 to {MAX_VALUE} cars, not {cars}"));
        }
        if let Some([u, q]) = options.iter().find(|[u, q]| !(1..=*q).contains(u)) {
            return error(format!("the capacity {u}/{q} is none: u is from 1 to q"));
        }
        for (number, class) in (1..).zip(&classes) {
            let is_sorted = class.options.windows(2).all(|pair| pair[0] < pair[1]);
            let is_known = class.options.iter().all(|&option| (option as usize) < options.len());
            if class.demand == 0 || !is_sorted || !is_known {
                return error(format!("class {number} has no car, or options that there are not"));
            }
        }
        let number = classes.len() as u64;
        // The cars of a window with an option are a group.
        let in_windows = classes.iter().flat_map(|class| &class.options).map(|&option| {
            let [_, q] = options[option as usize];
            u64::from(q).min(cars) * cars
        });
        let literals = in_windows.fold(2 * cars * number, u64::saturating_add);
        super::refuse_large("cars", cars.saturating_mul(options.len() as u64 + 2), literals)?;
        Ok(Self { options, classes })
    }

    /// Draws cars by a seed: with a solution, or with one car too many that has some option.
    fn draw(cars: u32, classes: u32, is_planted: bool, seed: u64) -> Result<Self, EntryError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // The class without options fits everywhere.
        let mut sets: Vec<u32> = (1..1 << CAPACITIES.len()).collect();
        sets.shuffle(&mut random);
        sets.truncate(classes as usize - 1);
        let mut line: Vec<u32> = Vec::with_capacity(cars as usize);
        for slot in 0..cars as usize {
            let fits = |set: &u32| {
                (0..).zip(CAPACITIES).all(|(option, [u, q])| {
                    let before = &line[(slot + 1).saturating_sub(q as usize)..];
                    let used = before.iter().filter(|&&set| set >> option & 1 == 1).count();
                    set >> option & 1 == 0 || used < u as usize
                })
            };
            let fitting: Vec<u32> = sets.iter().copied().filter(fits).collect();
            line.push(fitting.choose(&mut random).copied().unwrap_or(0));
        }
        if !is_planted {
            overfill(&mut line)?;
        }
        let mut numbers = line.clone();
        numbers.sort_unstable();
        let classes = numbers.chunk_by(|one, other| one == other).map(|same| Class {
            demand: same.len() as u32,
            options: (0..CAPACITIES.len() as u32)
                .filter(|option| same[0] >> option & 1 == 1)
                .collect(),
        });
        Self::new(CAPACITIES.into(), classes.collect())
    }

    fn cars(&self) -> u32 {
        self.classes.iter().map(|class| class.demand).sum()
    }

    /// The slot and the class of a candidate, both from 0.
    fn place(&self, candidate: Candidate) -> (u32, u32) {
        let classes = self.classes.len() as u32;
        (candidate / classes, candidate % classes)
    }

    fn at(&self, slot: u32, class: u32) -> Literal {
        Literal::chosen(slot * self.classes.len() as u32 + class)
    }

    /// The number of cars with an option.
    fn demand(&self, option: u32) -> u32 {
        let with = self.classes.iter().filter(|class| class.options.contains(&option));
        with.map(|class| class.demand).sum()
    }

    /// The class of each slot.
    fn line(&self, solution: &Solution) -> Result<Vec<u32>, String> {
        let words = ["slot", "has two cars", "has no car"];
        assignment(solution.chosen(), self.cars(), self.classes.len() as u32, words)
    }
}

/// The most cars with a capacity u/q on a line.
fn capacity(cars: u32, [u, q]: [u32; 2]) -> u32 {
    cars / q * u + u.min(cars % q)
}

/// Gives cars the option that is nearest to its capacity, until one car more than fits has it.
fn overfill(line: &mut [u32]) -> Result<(), EntryError> {
    let cars = line.len() as u32;
    let missing = |option: usize| {
        let used = line.iter().filter(|&&set| set >> option & 1 == 1).count() as u32;
        capacity(cars, CAPACITIES[option]) + 1 - used
    };
    let option = (0..CAPACITIES.len()).min_by_key(|&option| missing(option)).expect("five options");
    let missing = missing(option) as usize;
    let without = line.iter_mut().filter(|set| **set >> option & 1 == 0);
    let given = without.take(missing).map(|set| *set |= 1 << option).count();
    if given < missing {
        let message = "so few cars always fit: take more cars, or planted ones";
        return Err(EntryError::new("cars", message));
    }
    Ok(())
}

impl fmt::Display for CarSequencing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = blake3::Hasher::new();
        for [u, q] in &self.options {
            hasher.update(&u.to_le_bytes()).update(&q.to_le_bytes());
        }
        for class in &self.classes {
            hasher.update(b"class").update(&class.demand.to_le_bytes());
            for option in &class.options {
                hasher.update(&option.to_le_bytes());
            }
        }
        let digest = hasher.finalize().to_hex();
        let (cars, classes) = (self.cars(), self.classes.len());
        write!(f, "car-sequencing {cars} cars, {classes} classes (#{})", &digest[..6])
    }
}

impl Kind for CarSequencing {
    const ID: &'static str = "car-sequencing";
    const TITLE: &'static str = "car sequencing";
    const FAMILIES: &'static [&'static str] = &["slots", "demands", "windows"];
    const SIZE: &'static str = "Cars";
    const RANK: u16 = 7;

    fn checked(self) -> Result<Self, EntryError> {
        Self::new(self.options, self.classes)
    }

    fn constraints(&self) -> Problem {
        let (cars, classes) = (self.cars(), self.classes.len() as u32);
        let slots = (0..cars).map(|slot| (0..classes).map(move |class| self.at(slot, class)));
        let mut problem = Problem::new(cars * classes).with_family(GroupFamily::new(
            "slots",
            Bounds::EXACTLY_ONE,
            slots.collect(),
        ));
        let mut demands: Vec<u32> = self.classes.iter().map(|class| class.demand).collect();
        demands.sort_unstable();
        demands.dedup();
        for demand in demands {
            let k = Some(demand.into());
            let classes = (0..).zip(&self.classes).filter(|(_, class)| class.demand == demand);
            let groups = classes.map(|(class, _)| (0..cars).map(move |slot| self.at(slot, class)));
            let bounds = Bounds { at_least: k, at_most: k };
            problem = problem.with_family(GroupFamily::new("demands", bounds, groups.collect()));
        }
        let mut max: Vec<u32> = self.options.iter().map(|[u, _]| *u).collect();
        max.sort_unstable();
        max.dedup();
        for u in max {
            let mut groups: Lists<Literal> = Lists::default();
            for (option, &[_, q]) in
                (0..).zip(&self.options).filter(|(_, capacity)| capacity[0] == u)
            {
                let with = |class: &u32| self.classes[*class as usize].options.contains(&option);
                let with: Vec<u32> = (0..classes).filter(with).collect();
                for first in 0..=cars.saturating_sub(q) {
                    let window = first..cars.min(first + q);
                    groups.push(
                        window.flat_map(|slot| with.iter().map(move |&class| self.at(slot, class))),
                    );
                }
            }
            let bounds = Bounds { at_least: None, at_most: Some(u.into()) };
            problem = problem.with_family(GroupFamily::new("windows", bounds, groups));
        }
        problem
    }

    fn size(&self) -> u32 {
        self.cars()
    }

    fn label(&self, candidate: Candidate) -> String {
        let (slot, class) = self.place(candidate);
        format!("s{}=c{}", slot + 1, class + 1)
    }

    /// The class of each slot.
    fn draw(&self, solution: &Solution) -> String {
        let classes = solution.chosen().iter().map(|&candidate| self.place(candidate).1 + 1);
        classes.map(|class| class.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// A row for each slot, with a cross for each option of its car. Without a solution, a row for each class, with the
    /// number of its cars and a cross for each of its options.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let numbered: Vec<([u32; 2], &Class)> = match solution {
            Some(solution) => (1..)
                .zip(self.line(solution).ok()?)
                .map(|(slot, class)| ([slot, class + 1], &self.classes[class as usize]))
                .collect(),
            None => (1..)
                .zip(&self.classes)
                .map(|(number, class)| ([number, class.demand], class))
                .collect(),
        };
        let names = if solution.is_some() { ["slot", "class"] } else { ["class", "cars"] };
        let capacities = self.options.iter().map(|[u, q]| Cell::name(format!("{u}/{q}")));
        let heads: Vec<Cell> = names.map(Cell::name).into_iter().chain(capacities).collect();
        let rows = numbered.into_iter().map(|(numbers, class)| {
            let crosses = (0..self.options.len() as u32)
                .map(|option| Cell::chosen(class.options.contains(&option)));
            let names = numbers.map(|number| Cell::name(number.to_string()));
            names.into_iter().chain(crosses).collect()
        });
        Drawing::grid(std::iter::once(heads).chain(rows))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let line = self.line(solution)?;
        for (number, class) in (0..).zip(&self.classes) {
            let built = line.iter().filter(|&&car| car == number).count();
            if built != class.demand as usize {
                return Err(format!(
                    "{built} cars of class {} are built, not {}",
                    number + 1,
                    class.demand
                ));
            }
        }
        for (option, &[u, q]) in (0..).zip(&self.options) {
            let has = |car: &u32| self.classes[*car as usize].options.contains(&option);
            for (first, window) in (1..).zip(line.windows((q as usize).min(line.len()))) {
                let used = window.iter().filter(|car| has(car)).count();
                if used > u as usize {
                    return Err(format!(
                        "{used} of the {q} cars from slot {first} have option {}, not {u}",
                        option + 1
                    ));
                }
            }
        }
        Ok(())
    }

    /// None, if more cars have an option than a line can hold.
    fn known_count(&self) -> Option<u128> {
        let mut options = (0..).zip(&self.options);
        let is_over = options.any(|(option, &of)| self.demand(option) > capacity(self.cars(), of));
        is_over.then_some(0)
    }
}

impl EntryKind for CarSequencing {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required("cars", "The number of cars.", EntryForm::Whole(1, MAX_VALUE)),
        EntryKey::optional(
            "classes",
            "The number of classes that cars are drawn from; 12 if it is not given.",
            EntryForm::Whole(1, MAX_CLASSES),
        ),
        EntryKey::optional(
            "demand",
            "`planted` cars have a solution; `over` has one car too many with some option.",
            EntryForm::Word(&["planted", "over"]),
        ),
        EntryKey::optional(
            "seeds",
            "The seeds by which cars are drawn; 1 if it is not given.",
            EntryForm::Whole(0, u64::MAX),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let cars = values.whole("cars").unwrap_or(0);
        let classes = values.whole("classes").unwrap_or(12);
        for (key, number, max) in [("cars", cars, MAX_VALUE), ("classes", classes, MAX_CLASSES)] {
            if !(1..=max).contains(&number) {
                let message = format!("`{key}` is from 1 to {max}, not {number}");
                return Err(EntryError::new(key, message));
            }
        }
        let is_planted = values.word("demand") != Some("over");
        Self::draw(cars as u32, classes as u32, is_planted, values.whole("seeds").unwrap_or(1))
    }

    fn examples() -> Vec<Self> {
        let drawn = [(4, 3, true, 1), (6, 4, true, 2), (6, 3, false, 3)];
        let drawn = drawn.map(|(cars, classes, is_planted, seed)| {
            Self::draw(cars, classes, is_planted, seed).expect("an example")
        });
        drawn.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;

    #[test]
    fn planted_cars_have_a_solution_and_one_car_too_many_has_none() {
        for seed in 1..=20 {
            for (cars, is_planted) in [(6, true), (10, true), (8, false)] {
                let instance = CarSequencing::draw(cars, 5, is_planted, seed).unwrap();
                assert_eq!(instance.cars(), cars);
                let found = Search::new(&instance.problem()).first(u64::MAX).unwrap();
                assert_eq!(found.is_some(), is_planted, "{instance:?}");
                assert_eq!(instance.known_count(), (!is_planted).then_some(0), "{instance:?}");
                assert!(found.is_none_or(|solution| instance.check(&solution).is_ok()));
            }
        }
    }
}
