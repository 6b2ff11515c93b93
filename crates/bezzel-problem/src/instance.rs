//! Instances: one variant for each kind of problem.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawing::Drawing;
use crate::entry::{EntryError, EntryKey, EntryValues};
use crate::file::ProblemFile;
use crate::kind::bin_packing::BinPacking;
use crate::kind::car_sequencing::CarSequencing;
use crate::kind::exact_cover::ExactCover;
use crate::kind::generalised_assignment::GeneralisedAssignment;
use crate::kind::graph_colouring::GraphColouring;
use crate::kind::langford::Langford;
use crate::kind::latin_square::LatinSquare;
use crate::kind::max_square::MaxSquare;
use crate::kind::multidimensional_knapsack::MultidimensionalKnapsack;
use crate::kind::pigeonhole::Pigeonhole;
use crate::kind::{EntryKind, Kind};
use crate::literal::Candidate;
use crate::problem::Problem;
use crate::queens::board::Board;
use crate::solution::Solution;

/// A function that makes the instance of an entry.
pub type InstanceConstructor = fn(&EntryValues) -> Result<Instance, EntryError>;

/// Makes the enum of instances from the list of kinds. The first kind, queens, has entries of its own form.
macro_rules! kinds {
    (
        $(#[$first_about:meta])* $first:ident($first_kind:ty) = $first_key:literal;
        $($(#[$about:meta])* $variant:ident($kind:ty) = $key:literal,)*
    ) => {
        kinds!(@ $(#[$first_about])* $first($first_kind) = $first_key, $($(#[$about])* $variant($kind) = $key,)*);

        impl Instance {
            /// Small instances of every kind but queens, on which tests try every encoding.
            pub fn examples() -> Vec<Self> {
                let mut all: Vec<Self> = Vec::new();
                $(all.extend(<$kind as EntryKind>::examples().into_iter().map(Into::into));)*
                all
            }

            /// The name, the keys and the maker of every kind with entries.
            pub const ENTRIES: &[(&str, &[EntryKey], InstanceConstructor)] = &[$((
                <$kind as Kind>::ID,
                <$kind as EntryKind>::ENTRY,
                |values| Ok(<$kind as EntryKind>::instance(values)?.into()),
            ),)*];
        }
    };
    (@ $($(#[$about:meta])* $variant:ident($kind:ty) = $key:literal,)+) => {
        /// The instance that a job names: small, serialisable and hashed.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Instance {
            $($(#[$about])* #[serde(rename = $key)] $variant($kind),)+
        }

        impl Instance {
            /// The names of the kinds.
            pub const KINDS: &[&str] = &[$(<$kind as Kind>::ID),+];

            /// The keys of the kinds in jobs.
            pub const KEYS: &[&str] = &[$($key),+];

            /// The name of the kind.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => <$kind as Kind>::ID,)+ }
            }

            /// The title of the kind.
            pub fn title(&self) -> &'static str {
                match self { $(Self::$variant(_) => <$kind as Kind>::TITLE,)+ }
            }

            /// The names of the families of groups of every kind, each once.
            pub fn families() -> Vec<&'static str> {
                let mut names: Vec<&'static str> = Vec::new();
                for &name in [$(<$kind as Kind>::FAMILIES),+].into_iter().flatten() {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                names
            }

            /// See [`Kind::problem`].
            pub fn problem(&self) -> Problem {
                match self { $(Self::$variant(instance) => instance.problem(),)+ }
            }

            /// See [`Kind::label`].
            pub fn label(&self, candidate: Candidate) -> String {
                match self { $(Self::$variant(instance) => instance.label(candidate),)+ }
            }

            /// See [`Kind::draw`].
            pub fn draw(&self, solution: &Solution) -> String {
                match self { $(Self::$variant(instance) => instance.draw(solution),)+ }
            }

            /// See [`Kind::drawing`].
            pub fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
                match self { $(Self::$variant(instance) => instance.drawing(solution),)+ }
            }

            /// See [`Kind::check`].
            ///
            /// # Errors
            ///
            /// The first rule that is violated, in words.
            pub fn check(&self, solution: &Solution) -> Result<(), String> {
                match self { $(Self::$variant(instance) => instance.check(solution),)+ }
            }

            /// See [`Kind::size`].
            pub fn size(&self) -> u32 {
                match self { $(Self::$variant(instance) => Kind::size(instance),)+ }
            }

            /// See [`Kind::SIZE`].
            pub fn size_title(&self) -> &'static str {
                match self { $(Self::$variant(_) => <$kind as Kind>::SIZE,)+ }
            }

            /// See [`Kind::known_count`].
            pub fn known_count(&self) -> Option<u128> {
                match self { $(Self::$variant(instance) => instance.known_count(),)+ }
            }
        }

        impl fmt::Display for Instance {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$variant(instance) => instance.fmt(f),)+ }
            }
        }

        $(impl From<$kind> for Instance {
            fn from(instance: $kind) -> Self {
                Self::$variant(instance)
            }
        })+
    };
}

kinds! {
    /// Queens or rooks on a board.
    Queens(Board) = "board";
    /// Latin squares with holes, and Sudoku.
    LatinSquare(LatinSquare) = "latin-square",
    /// Pigeons in holes.
    Pigeonhole(Pigeonhole) = "pigeonhole",
    /// Colourings of a graph.
    GraphColouring(GraphColouring) = "graph-colouring",
    /// Langford pairs.
    Langford(Langford) = "langford",
    /// Exact covers of items by options.
    ExactCover(ExactCover) = "exact-cover",
    /// Painted cells without a square.
    MaxSquare(MaxSquare) = "max-square",
    /// Cars with options on an assembly line.
    CarSequencing(CarSequencing) = "car-sequencing",
    /// Items with weights in several dimensions.
    MultidimensionalKnapsack(MultidimensionalKnapsack) = "multidimensional-knapsack",
    /// Items with sizes and conflicts in bins.
    BinPacking(BinPacking) = "bin-packing",
    /// Jobs for agents with capacities.
    GeneralisedAssignment(GeneralisedAssignment) = "generalised-assignment",
    /// A file of constraints.
    File(ProblemFile) = "file",
}

impl Instance {
    /// The board, if the instance is one of queens.
    pub fn board(&self) -> Option<&Board> {
        match self {
            Self::Queens(board) => Some(board),
            _ => None,
        }
    }

    /// The file, if the instance is one of constraints in a file.
    pub fn file(&self) -> Option<&ProblemFile> {
        match self {
            Self::File(file) => Some(file),
            _ => None,
        }
    }

    /// True if the problem can be built: all but those of files that this process has not read.
    pub fn has_problem(&self) -> bool {
        self.file().is_none_or(ProblemFile::is_read)
    }

    /// The instance without the parts that are only shown: the same for the same problem.
    pub fn identity(&self) -> Cow<'_, Self> {
        match self {
            Self::File(file) => Cow::Owned(Self::File(file.nameless())),
            Self::ExactCover(cover) => Cow::Owned(Self::ExactCover(cover.nameless())),
            other => Cow::Borrowed(other),
        }
    }

    /// The word for the instance in messages.
    pub fn noun(&self) -> &'static str {
        if self.board().is_some() { "board" } else { "instance" }
    }
}
