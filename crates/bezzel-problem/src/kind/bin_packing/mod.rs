//! Bin packing with conflicts: items of different sizes in bins of one capacity.
//!
//! *Rules.* Each item is in one bin. The items of a bin have at most its capacity as the sum of their sizes. Items in
//! conflict are in different bins. Bins are interchangeable, so item i is in one of the first i bins: every packing has
//! such a numbering of its bins. With spare bins, at most as many bins as asked for are used, and only used bins have items.
//!
//! *Candidates.* Item i in bin b, item by item: items × bins. With spare bins also each bin, used or not.
//!
//! *Families.* `items`: for each item exactly one bin. `capacities`: the sizes in each bin, with spare bins under the
//! condition that it is used. `conflicts`: at most one of two items in each bin. `unused`: no item in a bin, under the
//! condition that it is not used. `used`: the number of used bins. The later bins of an item are excluded candidates.
//!
//! *Instances* have sizes that are uniform between two numbers, and each pair of items is in conflict with one probability.
//! Larger items come first. There are as many bins as needed, or one fewer. Or there are as many as needed, with the least
//! capacity, or with one less: most packings of random items leave much room, so that these are harder. All are for the
//! same items for the same seed.
//!
//! *Optimum.* A depth-first search for each number of bins, and for some capacities.
//!
//! *Source.* M. Gendreau, G. Laporte, F. Semet, "Heuristics and lower bounds for the bin packing problem with conflicts",
//! Computers & Operations Research 31, 2004.

use std::fmt;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::optimum::{Steps, refuse_steps};
use crate::drawing::{Cell, CellLook, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily, Lists};
use crate::kind::{EntryKind, Kind, assignment, short_digest};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

mod packing;
#[cfg(test)]
mod tests;

/// The least and the largest numbers of items, of spare bins, and of a capacity.
const ITEMS: [u64; 2] = [1, 100];
const SPARE: [u64; 2] = [0, 100];
const CAPACITIES: [u64; 2] = [1, 100_000];

/// Items and bins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinPacking {
    /// The sizes of the items, the largest first.
    sizes: Vec<u32>,
    /// The pairs of items that are in different bins: numbers from 0, the smaller one first.
    conflicts: Vec<[u32; 2]>,
    capacity: u32,
    /// The number of bins that may be used.
    bins: u32,
    /// The number of bins beside those.
    #[serde(default, skip_serializing_if = "is_zero")]
    spare: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The values of an entry.
struct Entry {
    items: u32,
    capacity: u32,
    /// The least and the largest size.
    sizes: [u32; 2],
    /// The probability of a conflict.
    conflicts: f64,
    goal: Goal,
    spare: u32,
    seed: u64,
}

/// The bins that are asked for.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    /// As many as needed.
    Optimum,
    /// One fewer than needed.
    Below,
    /// As many as needed, with the least capacity with which they hold the items.
    Tight,
    /// As many as needed, with a capacity one below that.
    TooTight,
}

impl Goal {
    const NAMES: &[&str] = &["optimum", "below", "tight", "too-tight"];
    /// In the order of their names.
    const ALL: [Self; 4] = [Self::Optimum, Self::Below, Self::Tight, Self::TooTight];
}

impl BinPacking {
    /// Draws items by a seed, and asks for as few bins as they need, or for one fewer.
    fn draw(entry: &Entry) -> Result<Self, EntryError> {
        let &Entry { items, capacity, sizes: [least, max], conflicts, goal, spare, seed } = entry;
        if !(least..=capacity).contains(&max) {
            let message = format!(
                "sizes are from {least} to {max}: `largest` is not less than `smallest`, and not more than the capacity \
                 {capacity}"
            );
            return Err(EntryError::new("largest", message));
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sizes: Vec<u32> = (0..items).map(|_| random.random_range(least..=max)).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let pairs = (0..items).flat_map(|one| (one + 1..items).map(move |other| [one, other]));
        let conflicts = pairs.filter(|_| random.random_bool(conflicts)).collect();
        let drawn = Self { sizes, conflicts, capacity, bins: 1, spare };
        let refused = refuse_steps("items", seed);
        let (bins, least) =
            drawn.optimum(matches!(goal, Goal::Tight | Goal::TooTight)).map_err(refused)?;
        let bins = bins - u32::from(goal == Goal::Below);
        let capacity = least - u32::from(goal == Goal::TooTight);
        if bins == 0 || capacity == 0 {
            let message = format!(
                "the items of seed {seed} need one bin, and there are no fewer: take more items"
            );
            return Err(EntryError::new("items", message));
        }
        Ok(Self { capacity, bins, ..drawn })
    }

    fn items(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// The number of bins, with the spare ones.
    fn all_bins(&self) -> u32 {
        self.bins + self.spare
    }

    fn at(&self, item: u32, bin: u32) -> Literal {
        Literal::chosen(item * self.all_bins() + bin)
    }

    /// The literal that the bin is used.
    fn used(&self, bin: u32) -> Literal {
        Literal::chosen(self.items() * self.all_bins() + bin)
    }

    /// The bin of each item, and of each bin true if it is used.
    fn packed(&self, solution: &Solution) -> Result<(Vec<u32>, Vec<bool>), String> {
        let (items, bins) = (self.items(), self.all_bins());
        // The candidates of used bins follow those of items.
        let end = if self.spare > 0 { items * bins } else { u32::MAX };
        let place = solution.chosen().partition_point(|&candidate| candidate < end);
        let (of_items, of_bins) = solution.chosen().split_at(place);
        let mut used = vec![self.spare == 0; bins as usize];
        for &candidate in of_bins {
            let Some(is_used) = used.get_mut((candidate - items * bins) as usize) else {
                return Err(format!("there is no item {}", u64::from(candidate / bins) + 1));
            };
            *is_used = true;
        }
        let words = ["item", "is in two bins", "is in no bin"];
        Ok((assignment(of_items, items, bins, words)?, used))
    }
}

impl fmt::Display for BinPacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.sizes.iter().chain(self.conflicts.iter().flatten());
        let digest = short_digest(numbers.chain([&self.capacity]).copied());
        write!(f, "bin-packing {} items, {} bins", self.sizes.len(), self.bins)?;
        if self.spare > 0 {
            write!(f, " of {}", self.all_bins())?;
        }
        write!(f, " (#{digest})")
    }
}

impl Kind for BinPacking {
    const ID: &'static str = "bin-packing";
    const TITLE: &'static str = "bin packing with conflicts";
    const FAMILIES: &'static [&'static str] =
        &["items", "capacities", "conflicts", "unused", "used"];
    const SIZE: &'static str = "Items";
    const RANK: u16 = 9;

    fn checked(self) -> Result<Self, EntryError> {
        let Self { sizes, conflicts, .. } = &self;
        let error = |message: &str| Err(EntryError::new("items", message));
        let has = |[least, max]: [u64; 2], number: u64| (least..=max).contains(&number);
        let items = sizes.len() as u64;
        if !has(ITEMS, items)
            || !has([1, items], self.bins.into())
            || !has(SPARE, self.spare.into())
        {
            return error(
                "there are from 1 to 100 items, at most as many bins, and at most 100 spare ones",
            );
        }
        let are_small = sizes.iter().all(|&size| has(CAPACITIES, size.into()));
        let are_sorted = sizes.windows(2).all(|pair| pair[0] >= pair[1]);
        if !has(CAPACITIES, self.capacity.into()) || !are_small || !are_sorted {
            return error(
                "sizes and the capacity are from 1 to 100000, and the largest size is first",
            );
        }
        let are_sorted = conflicts.windows(2).all(|pair| pair[0] < pair[1]);
        let are_items = |&[one, other]: &[u32; 2]| one < other && u64::from(other) < items;
        if !are_sorted || !conflicts.iter().all(are_items) {
            return error(
                "a conflict is one of two items, the smaller number first, and conflicts are in order",
            );
        }
        Ok(self)
    }

    fn constraints(&self) -> Problem {
        let (items, bins) = (self.items(), self.all_bins());
        let of_bin = |bin| (0..items).map(move |item| self.at(item, bin));
        let each_bin = || (0..bins).map(of_bin).collect::<Lists<Literal>>();
        let of_item = |item| (0..bins).map(move |bin| self.at(item, bin));
        let sizes = (0..bins).map(|_| self.sizes.iter().map(|&size| size.into())).collect();
        let at_most = |bound| Bounds { at_least: None, at_most: Some(bound) };
        let family = at_most(self.capacity.into());
        let mut capacities = GroupFamily::weighted("capacities", family, each_bin(), sizes);
        if self.spare > 0 {
            capacities = capacities.with_conditions((0..bins).map(|bin| self.used(bin)));
        }
        let apart = self.conflicts.iter().flat_map(|&[one, other]| {
            (0..bins).map(move |bin| [self.at(one, bin), self.at(other, bin)])
        });
        let all = (0..items).map(of_item).collect();
        let mut problem = Problem::new(bins * (items + u32::from(self.spare > 0)))
            .with_family(GroupFamily::new("items", Bounds::EXACTLY_ONE, all))
            .with_family(capacities)
            .with_family(GroupFamily::new("conflicts", Bounds::AT_MOST_ONE, apart.collect()));
        if self.spare > 0 {
            let unused = GroupFamily::new("unused", at_most(0), each_bin());
            let used = std::iter::once((0..bins).map(|bin| self.used(bin))).collect();
            problem = problem
                .with_family(unused.with_conditions((0..bins).map(|bin| !self.used(bin))))
                .with_family(GroupFamily::new("used", at_most(self.bins.into()), used));
        }
        let later = (0..items).flat_map(|item| (item + 1..bins).map(move |bin| self.at(item, bin)));
        problem.with_fixed([], later.map(Literal::candidate))
    }

    fn size(&self) -> u32 {
        self.items()
    }

    fn label(&self, candidate: Candidate) -> String {
        let (item, bin) = (candidate / self.all_bins(), candidate % self.all_bins() + 1);
        if item == self.items() {
            format!("used{bin}")
        } else {
            format!("item{}=bin{bin}", item + 1)
        }
    }

    /// The bin of each item.
    fn draw(&self, solution: &Solution) -> String {
        let bins = self.packed(solution).map(|(bins, _)| bins).unwrap_or_default();
        bins.iter().map(|bin| (bin + 1).to_string()).collect::<Vec<_>>().join(" ")
    }

    /// A row for each item, with its size and the items in conflict with it. With a solution, the bin of each.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let bins = match solution {
            Some(solution) => Some(self.packed(solution).ok()?.0),
            None => None,
        };
        let heads = ["item", "size", "conflicts", "bin"].map(Cell::name).to_vec();
        let rows = (0..self.items()).map(|item| {
            let with = self.conflicts.iter().filter(|pair| pair.contains(&item));
            let others = with.map(|&[one, other]| (one + other - item + 1).to_string());
            let names = [(item + 1).to_string(), self.sizes[item as usize].to_string()];
            let names = names.into_iter().chain([others.collect::<Vec<_>>().join(" ")]);
            let bin =
                bins.as_ref().map_or(String::new(), |bins| (bins[item as usize] + 1).to_string());
            names.map(Cell::name).chain([Cell::new(bin, CellLook::Found)]).collect()
        });
        Drawing::grid(std::iter::once(heads).chain(rows))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let (packed, used) = self.packed(solution)?;
        let mut loads = vec![0; used.len()];
        for (item, &bin) in packed.iter().enumerate() {
            let number = bin + 1;
            if bin as usize > item {
                return Err(format!(
                    "item {} is in bin {number}, which is not one of the first {0}",
                    item + 1
                ));
            }
            if !used[bin as usize] {
                return Err(format!("item {} is in bin {number}, which is not used", item + 1));
            }
            loads[bin as usize] += self.sizes[item];
            if loads[bin as usize] > self.capacity {
                return Err(format!("the items of bin {number} are larger than {}", self.capacity));
            }
        }
        let is_shared = |[one, other]: &&[u32; 2]| packed[*one as usize] == packed[*other as usize];
        if let Some([one, other]) = self.conflicts.iter().find(is_shared) {
            return Err(format!(
                "items {} and {} are in conflict, and in one bin",
                one + 1,
                other + 1
            ));
        }
        let number = used.iter().filter(|&&is_used| is_used).count();
        if number > self.bins as usize {
            return Err(format!("{number} bins are used, and {} may be", self.bins));
        }
        Ok(())
    }

    /// None, if the items need more bins.
    fn known_count(&self) -> Option<u128> {
        let fit = self.fit(self.bins, self.capacity, &mut Steps::new()).ok()?;
        (!fit).then_some(0)
    }
}

impl EntryKind for BinPacking {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required("items", "The number of items.", EntryForm::Whole(ITEMS[0], ITEMS[1])),
        EntryKey::optional(
            "capacity",
            "The capacity of each bin; 100 if it is not given.",
            EntryForm::Whole(CAPACITIES[0], CAPACITIES[1]),
        ),
        EntryKey::optional(
            "smallest",
            "The least size of an item; 20 if it is not given.",
            EntryForm::Whole(CAPACITIES[0], CAPACITIES[1]),
        ),
        EntryKey::optional(
            "largest",
            "The largest size of an item; 60 if it is not given.",
            EntryForm::Whole(CAPACITIES[0], CAPACITIES[1]),
        ),
        EntryKey::optional(
            "conflicts",
            "The share of all pairs of items that are in conflict; 10 % if it is not given.",
            EntryForm::Share,
        ),
        EntryKey::optional(
            "bins",
            "`optimum` is as many bins as needed, and `below` one fewer; `tight` is as many as needed with the least \
             capacity, and `too-tight` with one less. `below` and `too-tight` have no solution.",
            EntryForm::Word(Goal::NAMES),
        ),
        EntryKey::optional(
            "spare",
            "The number of further bins: as many bins as before are used, and it is open which ones; 0 if it is \
             not given.",
            EntryForm::Whole(SPARE[0], SPARE[1]),
        ),
        EntryKey::optional(
            "seeds",
            "The seeds by which items are drawn; 1 if it is not given.",
            EntryForm::Whole(0, u64::MAX),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let sizes = ["smallest", "largest"].map(|key| {
            let default = if key == "smallest" { 20 } else { 60 };
            values.whole_within(key, CAPACITIES, default)
        });
        let [least, max] = sizes;
        let word = values.word("bins");
        let place = Goal::NAMES.iter().position(|known| Some(*known) == word);
        Self::draw(&Entry {
            items: values.whole_within("items", ITEMS, 0)?,
            capacity: values.whole_within("capacity", CAPACITIES, 100)?,
            sizes: [least?, max?],
            conflicts: values.share_or("conflicts", 0.1)?,
            goal: Goal::ALL[place.unwrap_or(0)],
            spare: values.whole_within("spare", SPARE, 0)?,
            seed: values.whole("seeds").unwrap_or(1),
        })
    }

    fn examples() -> Vec<Self> {
        let drawn = [
            (4, Goal::Optimum, 0, 1),
            (4, Goal::Below, 0, 1),
            (4, Goal::Tight, 1, 2),
            (3, Goal::Below, 1, 4),
        ];
        let drawn = drawn.map(|(items, goal, spare, seed)| {
            let (capacity, sizes, conflicts) = (5, [1, 3], 0.2);
            Self::draw(&Entry { items, capacity, sizes, conflicts, goal, spare, seed })
                .expect("an example")
        });
        drawn.into()
    }
}
