//! Kinds of problems, one file each. A new kind needs its file and its line in [`crate::kinds`], or a program of its own that
//! [adds](crate::add_kind) it.

use std::fmt;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::drawing::Drawing;
use crate::entry::{EntryError, EntryKey, EntryValues};
use crate::grid::Grid;
use crate::literal::Candidate;
use crate::problem::{Describe, EncoderRequest, Problem};
use crate::solution::Solution;

pub mod bin_packing;
pub mod car_sequencing;
pub mod exact_cover;
mod facts;
pub mod generalised_assignment;
pub mod graph_colouring;
pub mod imported;
pub mod langford;
pub mod latin_square;
pub mod max_square;
pub mod multidimensional_knapsack;
mod optimum;
pub mod pigeonhole;
mod reported;

pub use facts::{ExhaustiveSearch, InstanceField, KindSearch, KnownFacts, NodesSpent};
pub use reported::{Form, FormRank, KnownNodes, ReportedKind};

/// The largest memory of the problem of an instance, in bytes.
pub const MAX_PROBLEM_BYTES: u64 = 4 << 30;

/// The memory of a literal of a problem, and of a group, in bytes. A list has twice its size while it grows.
const LITERAL_BYTES: u64 = 8;
const GROUP_BYTES: u64 = 16;

/// Refuses an instance whose problem has these many groups and literals, before the problem is built, if it takes more
/// than [`MAX_PROBLEM_BYTES`]. `key` is the key of the entry that makes it large.
///
/// # Errors
///
/// When it takes more.
fn refuse_large(key: &'static str, groups: u64, literals: u64) -> Result<(), EntryError> {
    let bytes =
        GROUP_BYTES.saturating_mul(groups).saturating_add(LITERAL_BYTES.saturating_mul(literals));
    if bytes <= MAX_PROBLEM_BYTES {
        return Ok(());
    }
    let gib = |bytes: u64| bytes.div_ceil(1 << 30);
    Err(EntryError::new(
        key,
        format!(
            "the constraints have {literals} literals in {groups} groups, which take about {} GiB: an instance has at \
             most {} GiB, so take a smaller one",
            gib(bytes),
            gib(MAX_PROBLEM_BYTES)
        ),
    ))
}

/// The first six digits of the hash of some numbers, by which the names of drawn instances differ.
fn short_digest(numbers: impl Iterator<Item = u32>) -> String {
    let mut hasher = blake3::Hasher::new();
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    hasher.finalize().to_hex()[..6].to_owned()
}

/// Reads a solution as one value for each of `variables` variables. Candidate v · `values` + w means that variable v has
/// the value w. The words are the noun of a variable, and the faults that it has two values or none.
///
/// # Errors
///
/// When a candidate belongs to no variable, or a variable has two values or none.
fn assignment(
    chosen: &[Candidate],
    variables: u32,
    values: u32,
    [noun, two_values, no_value]: [&str; 3],
) -> Result<Vec<u32>, String> {
    let mut found = vec![None; variables as usize];
    for &candidate in chosen {
        let (place, value) = (candidate / values, candidate % values);
        let Some(entry) = found.get_mut(place as usize) else {
            return Err(format!("there is no {noun} {}", u64::from(place) + 1));
        };
        if entry.replace(value).is_some() {
            return Err(format!("{noun} {} {two_values}", place + 1));
        }
    }
    let all = (1..).zip(found);
    all.map(|(number, value)| value.ok_or_else(|| format!("{noun} {number} {no_value}"))).collect()
}

/// A kind of problem. Its instances are small, and contain all data from which their problem is built. They are displayed
/// as the name of the instance. JSON, order and hash are part of the keys of jobs and of their order.
pub trait Kind:
    fmt::Display + Clone + Ord + Hash + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The permanent name, in configs and in the JSON of jobs and rows.
    const ID: &'static str;
    /// The word for an instance in messages: `the puzzle 8x8`.
    const NOUN: &'static str = "instance";
    /// The name in sentences: `it is for queens on a board only`.
    const SUBJECT: &'static str = Self::TITLE;
    /// The section of the clauses for given candidates in formulas, and the word before them in comments.
    const GIVEN: &'static str = "given";
    /// The section of the clauses for excluded candidates in formulas, and the word before them in comments.
    const EXCLUDED: &'static str = "excluded";
    /// Families for which a mixture has an encoding each as soon as it has one for some family of the kind, unless it
    /// has one for all other families.
    const JOINT_FAMILIES: &'static [&'static str] = &[];
    /// Families that take the encoding of another one in a mixture that has none for them: the family, and the other.
    const FAMILY_FALLBACKS: &'static [(&'static str, &'static str)] = &[];
    /// The place of the kind in tables with several kinds: by this number, then by name.
    const RANK: u16 = u16::MAX;
    /// The name in titles.
    const TITLE: &'static str;
    /// The names of the families of groups, in their order.
    const FAMILIES: &'static [&'static str];
    /// The meaning of the [size](Self::size), as the title of an axis: `Vertices`.
    const SIZE: &'static str;
    /// The fields of an instance in JSON that have columns in the table of rows. If there are any, they are all fields.
    const FIELDS: &'static [InstanceField] = &[];

    /// The same instance, if there is one of these values. Deserialising refuses values of wrong types only, so that
    /// an instance is read as an [`Instance`](crate::Instance), which calls this.
    ///
    /// # Errors
    ///
    /// When there is no such instance.
    fn checked(self) -> Result<Self, EntryError> {
        Ok(self)
    }

    /// The candidates and constraints. The order of candidates, families, groups and literals is fixed.
    fn constraints(&self) -> Problem;

    /// The problem, with the name of the instance, the labels of its candidates and the [grid](Self::grid).
    fn problem(&self) -> Problem {
        let problem = self.constraints().described_by(self.clone());
        match self.grid() {
            Some(Grid { rows, columns }) => problem.with_grid(rows, columns),
            None => problem,
        }
    }

    /// The size by which the instances of the kind are ordered: order of a square, vertices of
    /// a graph.
    fn size(&self) -> u32;

    /// The name of a candidate, as in `(3, 5)` or `v7=red`.
    fn label(&self, candidate: Candidate) -> String;

    /// The solution as text that a person can read.
    fn draw(&self, solution: &Solution) -> String;

    /// The drawing of a solution for figures, or of the instance for pages if there is no solution. None for a file, for
    /// a malformed solution, and for a drawing with too many cells, vertices or edges.
    fn drawing(&self, _solution: Option<&Solution>) -> Option<Drawing> {
        None
    }

    /// Checks the solution by the rules of the instance. The groups of its problem are not used.
    ///
    /// # Errors
    ///
    /// The first rule that is violated, in words.
    fn check(&self, solution: &Solution) -> Result<(), String>;

    /// The instance without the parts that are only shown; none if it has no such parts.
    fn identity(&self) -> Option<Self> {
        None
    }

    /// The rows and columns in which the candidates stand, row by row, if they do.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The instance without its given candidates; none if there are none, or if it cannot be without them.
    fn without_given(&self) -> Option<Self> {
        None
    }

    /// The request to a program that encodes instances of the kind whole; none if no program is asked for them. Such an
    /// instance has a [grid](Self::grid).
    fn encoder_request(&self) -> Option<EncoderRequest> {
        None
    }

    /// The published or proven number of solutions; none where there is no such number.
    fn known_count(&self) -> Option<u128> {
        None
    }

    /// The published or proven facts, by which the judge checks answers.
    fn known(&self) -> KnownFacts {
        KnownFacts::of_count(self.known_count())
    }

    /// The answers to the questions of reports, if they are not the default ones.
    fn reported(&self) -> Option<&dyn ReportedKind> {
        None
    }

    /// The exhaustive search by which the judge checks answers.
    fn search(&self) -> KindSearch {
        KindSearch::OfProblem
    }
}

/// A kind whose instances an entry of a config describes by keys and values.
pub trait EntryKind: Kind {
    /// The keys of an entry.
    const ENTRY: &'static [EntryKey];

    /// The instance of these values, one for each key that the entry has. All are of their keys' forms.
    ///
    /// # Errors
    ///
    /// When there is no such instance.
    fn instance(values: &EntryValues) -> Result<Self, EntryError>;

    /// A few small instances, with and without solutions, on which tests try every encoding.
    fn examples() -> Vec<Self>;
}

impl<K: Kind> Describe for K {
    fn kind(&self) -> &'static str {
        K::ID
    }

    fn noun(&self) -> &'static str {
        K::NOUN
    }

    fn label(&self, candidate: Candidate) -> String {
        Kind::label(self, candidate)
    }

    fn given(&self) -> &'static str {
        K::GIVEN
    }

    fn excluded(&self) -> &'static str {
        K::EXCLUDED
    }

    fn encoder_request(&self) -> Option<EncoderRequest> {
        Kind::encoder_request(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::car_sequencing::CarSequencing;
    use super::graph_colouring::GraphColouring;
    use super::graph_colouring::graph::Graph;
    use super::latin_square::LatinSquare;
    use super::pigeonhole::Pigeonhole;
    use super::*;

    #[test]
    fn an_instance_is_refused_by_its_size_before_its_problem_is_built() {
        let words = |error: EntryError| error.to_string();
        let square = |order| LatinSquare::new(order, None, 3).map(drop).map_err(words);
        let colouring = |vertices| {
            let graph = Graph::Random { vertices, density_ppm: 1_000_000, seed: 1 };
            GraphColouring::new(graph, 8).map(drop).map_err(words)
        };
        let cars = |classes: usize| {
            let classes = vec![json!({"demand": 1, "options": [0]}); classes];
            let row = json!({"options": [[1, 2_000]], "classes": classes});
            serde_json::from_value::<CarSequencing>(row).unwrap().checked().map(drop).map_err(words)
        };
        for (largest, larger) in [
            (square(560), square(570)),
            (colouring(5_000), colouring(6_000)),
            (cars(800), cars(830)),
        ] {
            assert_eq!(largest, Ok(()));
            assert!(larger.is_err());
        }
        let error = LatinSquare::new(1_000, None, 3).unwrap_err();
        assert_eq!(
            error.message,
            "the constraints have 3000000000 literals in 3000000 groups, which take about 23 GiB: an instance has at \
             most 4 GiB, so take a smaller one"
        );
        assert_eq!(Pigeonhole::new(10_000, 10_000).map(drop), Ok(()), "the largest one");
    }
}
