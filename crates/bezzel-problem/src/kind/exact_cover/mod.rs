//! Exact covers: options are chosen so that every item is covered exactly once.
//!
//! *Rules.* Each option covers some items. Primary items are covered exactly once, secondary ones at most once.
//!
//! *Candidates.* The options, in their order.
//!
//! *Families.* `items`: for each primary item exactly one of the options that cover it. `secondary`: for each
//! secondary item at most one.
//!
//! *Source.* D. E. Knuth, "Dancing links", Millennial Perspectives in Computer Science, 2000; "The Art of Computer
//! Programming", volume 4B, 2022, section 7.2.2.1. [`file`](mod@file) reads the form of his programs.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::drawing::{Cell, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily, Lists};
use crate::kind::{EntryKind, Kind};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

pub mod file;

/// Items and options. Equality, order and hash ignore the name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactCover {
    /// The name of the file, which is only shown; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    items: Vec<String>,
    /// The number of secondary items, which are the last ones.
    secondary: u32,
    /// The numbers of the items of each option, from 0.
    options: Vec<Vec<u32>>,
}

impl ExactCover {
    /// The covers of items by options, which name items by their numbers from 0; the last `secondary` items are
    /// secondary ones.
    ///
    /// # Errors
    ///
    /// When a name of an item is none or stands twice, or an option names an item that there is not, one twice, or no
    /// primary one.
    pub fn new(
        items: Vec<String>,
        secondary: u32,
        options: Vec<Vec<u32>>,
    ) -> Result<Self, EntryError> {
        let number = items.len() as u32;
        if secondary > number {
            let message = format!("{secondary} of {number} items cannot be secondary");
            return Err(EntryError::new("file", message));
        }
        let primary = number - secondary;
        let mut names: Vec<&str> = items.iter().map(String::as_str).collect();
        names.sort_unstable();
        if let Some(name) = names.iter().find(|name| !file::is_name(name)) {
            return Err(EntryError::new("file", format!("{}, not `{name}`", file::IS_NAME)));
        }
        if let Some([name, _]) = names.array_windows().find(|[one, next]| one == next) {
            return Err(EntryError::new("file", format!("the item `{name}` is listed twice")));
        }
        for (place, option) in (1..).zip(&options) {
            if option.iter().all(|&item| item >= primary) {
                let message = format!("option {place} has no primary item: delete it");
                return Err(EntryError::new("file", message));
            }
            if let Some(item) = option.iter().find(|&&item| item >= number) {
                let message =
                    format!("option {place} names item {item}, and there are {number} from 0");
                return Err(EntryError::new("file", message));
            }
            let mut sorted = option.clone();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                let message =
                    format!("option {place} names the item `{}` twice", items[pair[0] as usize]);
                return Err(EntryError::new("file", message));
            }
        }
        Ok(Self::of(items, secondary, options))
    }

    /// The same without a look at the options, which are right.
    pub(super) fn of(items: Vec<String>, secondary: u32, options: Vec<Vec<u32>>) -> Self {
        Self { name: String::new(), items, secondary, options }
    }

    /// The same exact cover without the name of its file, which is no part of its identity.
    #[must_use]
    pub fn nameless(&self) -> Self {
        Self::of(self.items.clone(), self.secondary, self.options.clone())
    }

    /// The parts that equality, order and hash compare.
    fn identity(&self) -> (&[String], u32, &[Vec<u32>]) {
        (self.items.as_slice(), self.secondary, self.options.as_slice())
    }

    /// The options: the numbers of their items.
    pub fn options(&self) -> &[Vec<u32>] {
        &self.options
    }

    /// The family of the groups of some items: exactly one of the options that cover it for a primary item, at most one
    /// for a secondary one.
    pub(super) fn family(&self, name: &'static str, items: Range<u32>) -> GroupFamily {
        let primary = self.items.len() as u32 - self.secondary;
        let bounds = if items.start < primary { Bounds::EXACTLY_ONE } else { Bounds::AT_MOST_ONE };
        let mut groups = vec![Vec::new(); items.len()];
        for (candidate, option) in (0..).zip(&self.options) {
            for item in option.iter().filter(|item| items.contains(item)) {
                groups[(item - items.start) as usize].push(Literal::chosen(candidate));
            }
        }
        GroupFamily::new(name, bounds, groups.into_iter().collect::<Lists<_>>())
    }
}

impl PartialEq for ExactCover {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for ExactCover {}

impl PartialOrd for ExactCover {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ExactCover {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for ExactCover {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// As in `exact-cover pieces.txt, 24 items, 77 options (#1a2b3c)`. Without a name the numbers follow the kind.
impl fmt::Display for ExactCover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.secondary.to_le_bytes());
        for item in &self.items {
            hasher.update(item.as_bytes()).update(b"\n");
        }
        for option in &self.options {
            for item in option {
                hasher.update(&item.to_le_bytes());
            }
            hasher.update(&u32::MAX.to_le_bytes());
        }
        let (items, options) = (self.items.len(), self.options.len());
        let digest = hasher.finalize().to_hex();
        let comma = if self.name.is_empty() { "" } else { ", " };
        let [of_items, of_options] =
            [items, options].map(|number| if number == 1 { "" } else { "s" });
        write!(
            f,
            "exact-cover {}{comma}{items} item{of_items}, {options} option{of_options} (#{})",
            self.name,
            &digest[..6]
        )
    }
}

impl Kind for ExactCover {
    const ID: &'static str = "exact-cover";
    const TITLE: &'static str = "exact cover";
    const FAMILIES: &'static [&'static str] = &["items", "secondary"];
    const SIZE: &'static str = "Options";
    const RANK: u16 = 5;

    fn checked(self) -> Result<Self, EntryError> {
        Ok(Self { name: self.name, ..Self::new(self.items, self.secondary, self.options)? })
    }

    fn identity(&self) -> Option<Self> {
        Some(self.nameless())
    }

    fn constraints(&self) -> Problem {
        let all = self.items.len() as u32;
        let primary = all - self.secondary;
        let problem =
            Problem::new(self.options.len() as u32).with_family(self.family("items", 0..primary));
        if self.secondary == 0 {
            return problem;
        }
        problem.with_family(self.family("secondary", primary..all))
    }

    /// The items of the option.
    fn size(&self) -> u32 {
        self.options.len() as u32
    }

    fn label(&self, candidate: Candidate) -> String {
        let items = self.options.get(candidate as usize).into_iter().flatten();
        let names: Vec<&str> = items.map(|&item| &*self.items[item as usize]).collect();
        format!("{{{}}}", names.join(","))
    }

    /// The chosen options, one on a line.
    fn draw(&self, solution: &Solution) -> String {
        let options = solution.chosen().iter().map(|&candidate| self.label(candidate));
        options.collect::<Vec<_>>().join("\n")
    }

    /// A row for each chosen option, with a cross for each of its items. Without a solution each option has a row with the
    /// names of its items.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let name = |candidate: u32| Cell::name(format!("option {}", candidate + 1));
        let options = (0..).zip(&self.options);
        let Some(solution) = solution else {
            return Drawing::grid(options.map(|(candidate, option)| {
                let items = option.iter().map(|&item| &self.items[item as usize]);
                std::iter::once(name(candidate)).chain(items.map(Cell::name)).collect()
            }));
        };
        let heads = std::iter::once("").chain(self.items.iter().map(String::as_str));
        let heads: Vec<Cell> = heads.map(Cell::name).collect();
        let shown = options.filter(|&(candidate, _)| solution.chooses(candidate));
        let rows = shown.map(|(candidate, option)| {
            let items = 0..self.items.len() as u32;
            let cells = items.map(|item| Cell::chosen(option.contains(&item)));
            std::iter::once(name(candidate)).chain(cells).collect()
        });
        Drawing::grid(std::iter::once(heads).chain(rows))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let mut covered = vec![0; self.items.len()];
        for &candidate in solution.chosen() {
            let Some(option) = self.options.get(candidate as usize) else {
                return Err(format!("there is no option {}", u64::from(candidate) + 1));
            };
            for &item in option {
                covered[item as usize] += 1;
            }
        }
        let primary = self.items.len() - self.secondary as usize;
        for (place, (item, covered)) in self.items.iter().zip(covered).enumerate() {
            if covered > 1 || covered == 0 && place < primary {
                return Err(format!("the item `{item}` is covered {covered} times"));
            }
        }
        Ok(())
    }
}

impl EntryKind for ExactCover {
    const ENTRY: &'static [EntryKey] = &[EntryKey::required(
        "file",
        "A file with the items on its first line and an option on each further one.",
        EntryForm::File,
    )];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let name = values.file("file")?.name.clone();
        Ok(Self { name, ..values.read_text("file", file::read)? })
    }

    fn examples() -> Vec<Self> {
        let read = |text| file::read(text).expect("an example");
        vec![
            // Knuth's example has one cover, { a d f } { b g } { c e }.
            read("a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"),
            read("a b | x y\na x\na y\nb x\nb y\nb\n"),
            read("a b x | y\na x\na y\nb x\nb y\nb\n"),
            read("a b\na\n"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;

    #[test]
    fn the_covers_of_small_examples_are_found() {
        let count = |cover: &ExactCover| Search::new(&cover.problem()).count(u64::MAX).unwrap();
        let examples = ExactCover::examples();
        assert_eq!(examples.iter().map(count).collect::<Vec<_>>(), [1, 4, 3, 0]);
        let solution = Search::new(&examples[0].problem()).first(u64::MAX).unwrap().unwrap();
        assert_eq!(examples[0].draw(&solution), "{c,e}\n{a,d,f}\n{b,g}");
    }
}
