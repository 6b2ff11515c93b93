//! Latin squares with holes, Sudoku among them.
//!
//! *Rules.* Each cell of a square of order n holds one of n symbols. No row and no column holds a symbol twice. With
//! boxes, no box does. Given cells keep their symbols.
//!
//! *Candidates.* Row r, column c, symbol s, in this order: n³.
//!
//! *Families.* `cells`: for each cell exactly one symbol. `row-symbols`, `column-symbols` and, with boxes,
//! `box-symbols`: for each row, column or box and each symbol one cell. An instance names how many of the first three
//! families are stated as exactly one: all (the 3-D model of the literature), `cells` and `row-symbols`, or `cells`
//! alone (the 2-D model). The others, and then boxes too, are stated as at most one. All three mean the same squares,
//! since a row has as many cells as there are symbols.
//!
//! *Known answers.* Empty squares: 1, 2, 12, 576, 161,280, 812,851,200, 61,479,419,904,000 (OEIS A002860). Empty Sudoku
//! squares of order 4: 288, of order 9: 6,670,903,752,021,072,936,960 (B. Felgenhauer, F. Jarvis, "Mathematics of
//! Sudoku I", Mathematical Spectrum 39, 2006).
//!
//! *Source.* C. P. Gomes, D. Shmoys, "Completing quasigroups or Latin squares: a structured graph coloring problem",
//! Computational Symposium on Graph Coloring and Generalizations 2002. [`draw`] has the generators.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawing::{Cell, CellLook, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily};
use crate::kind::{EntryKind, Kind, short_digest};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

pub mod draw;

use draw::{Fill, GivensRecipe, Pattern};

/// The largest order: candidates are numbered by 31 bits.
const MAX_VALUE: u32 = 1_000;

/// A Latin square with given cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatinSquare {
    order: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    box_rows: Option<u32>,
    exactly_one: u32,
    /// Row, column and symbol of each given cell, counted from 1.
    given: Vec<(u32, u32, u32)>,
}

impl LatinSquare {
    /// The empty square of this order, in boxes of `box_rows` rows if there are boxes. The first `exactly_one` of the
    /// families `cells`, `row-symbols` and `column-symbols` are stated as exactly one.
    ///
    /// # Errors
    ///
    /// When there is no such square.
    pub fn new(order: u32, box_rows: Option<u32>, exactly_one: u32) -> Result<Self, EntryError> {
        let refused = |key, message: String| Err(EntryError::new(key, message));
        if !(1..=MAX_VALUE).contains(&order) {
            return refused("order", format!("an order is from 1 to {MAX_VALUE}, not {order}"));
        }
        if let Some(rows) = box_rows.filter(|&rows| rows == 0 || !order.is_multiple_of(rows)) {
            let message = format!("a box of {rows} rows does not divide a square of order {order}");
            return refused("box-rows", message);
        }
        if !(1..=3).contains(&exactly_one) {
            let message = format!("1 to 3 families are stated as exactly one, not {exactly_one}");
            return refused("exactly-one", message);
        }
        let families = if box_rows.is_some() { 4 } else { 3 };
        let groups = families * u64::from(order).pow(2);
        super::refuse_large("order", groups, groups * u64::from(order))?;
        Ok(Self { order, box_rows, exactly_one, given: Vec::new() })
    }

    /// The same square with these cells given: row, column and symbol, counted from 1.
    ///
    /// # Errors
    ///
    /// When one is outside the square, or a cell is given twice.
    pub fn with_given(mut self, mut given: Vec<(u32, u32, u32)>) -> Result<Self, EntryError> {
        given.sort_unstable();
        let is_inside = |number: u32| (1..=self.order).contains(&number);
        let outside = given
            .iter()
            .find(|&&(row, column, symbol)| ![row, column, symbol].into_iter().all(is_inside));
        if let Some((row, column, symbol)) = outside {
            let message =
                format!("({row}, {column}) = {symbol} is outside a square of order {}", self.order);
            return Err(EntryError::new("given", message));
        }
        if let Some(pair) =
            given.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
        {
            let (row, column, _) = pair[0];
            return Err(EntryError::new(
                "given",
                format!("the cell ({row}, {column}) is given twice"),
            ));
        }
        self.given = given;
        Ok(self)
    }

    /// The order.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// The number of rows of a box; none if there are no boxes.
    pub fn box_rows(&self) -> Option<u32> {
        self.box_rows
    }

    /// The given cells: row, column and symbol, counted from 1.
    pub fn given(&self) -> &[(u32, u32, u32)] {
        &self.given
    }

    fn candidate(&self, row: u32, column: u32, symbol: u32) -> Candidate {
        (row * self.order + column) * self.order + symbol
    }

    /// The row, the column and the symbol of a candidate, from 0.
    fn cell(&self, candidate: Candidate) -> (u32, u32, u32) {
        let (cell, symbol) = (candidate / self.order, candidate % self.order);
        (cell / self.order, cell % self.order, symbol)
    }

    /// The candidates of the given cells.
    fn given_candidates(&self) -> impl Iterator<Item = Candidate> {
        self.given.iter().map(move |&(r, c, s)| self.candidate(r - 1, c - 1, s - 1))
    }

    /// The symbols row by row, 0 where a cell has none; or the cell with two symbols.
    fn symbols(&self, solution: &Solution) -> Result<Vec<u32>, String> {
        let mut symbols = vec![0; (self.order * self.order) as usize];
        for &candidate in solution.chosen() {
            let (row, column, symbol) = self.cell(candidate);
            let Some(entry) = symbols.get_mut((row * self.order + column) as usize) else {
                return Err(format!("there is no row {}", u64::from(row) + 1));
            };
            if *entry != 0 {
                return Err(format!("the cell ({}, {}) holds two symbols", row + 1, column + 1));
            }
            *entry = symbol + 1;
        }
        Ok(symbols)
    }
}

/// As in `latin-square 10, 42 holes (#1a2b3c)`, `sudoku 9, 81 holes`, `sudoku 6 in boxes of 2 x 3, 36 holes`.
impl fmt::Display for LatinSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holes = self.order * self.order - self.given.len() as u32;
        let name = if self.box_rows.is_some() { "sudoku" } else { "latin-square" };
        write!(f, "{name} {}", self.order)?;
        if let Some(rows) = self.box_rows.filter(|rows| rows * rows != self.order) {
            write!(f, " in boxes of {rows} x {}", self.order / rows)?;
        }
        write!(f, ", {holes} holes")?;
        if self.exactly_one < 3 {
            write!(f, ", {} exactly one", self.exactly_one)?;
        }
        if self.given.is_empty() {
            return Ok(());
        }
        let numbers = self.given.iter().flat_map(|&(row, column, symbol)| [row, column, symbol]);
        write!(f, " (#{})", short_digest(numbers))
    }
}

impl Kind for LatinSquare {
    const ID: &'static str = "latin-square";
    const TITLE: &'static str = "Latin squares";
    const FAMILIES: &'static [&'static str] =
        &["cells", "row-symbols", "column-symbols", "box-symbols"];
    const SIZE: &'static str = "Order of the square";
    const RANK: u16 = 1;

    fn checked(self) -> Result<Self, EntryError> {
        Self::new(self.order, self.box_rows, self.exactly_one)?.with_given(self.given)
    }

    fn constraints(&self) -> Problem {
        let n = self.order;
        // A group for each pair of numbers below n; each has a literal for each further one.
        let groups = |candidate: &dyn Fn(u32, u32, u32) -> Candidate| {
            let pairs = (0..n).flat_map(|first| (0..n).map(move |second| (first, second)));
            pairs
                .map(|(first, second)| {
                    (0..n)
                        .map(|third| Literal::chosen(candidate(first, second, third)))
                        .collect::<Vec<_>>()
                })
                .collect()
        };
        let bounds = |place: u32| {
            if place < self.exactly_one { Bounds::EXACTLY_ONE } else { Bounds::AT_MOST_ONE }
        };
        let cells = groups(&|row, column, symbol| self.candidate(row, column, symbol));
        let rows = groups(&|row, symbol, column| self.candidate(row, column, symbol));
        let columns = groups(&|column, symbol, row| self.candidate(row, column, symbol));
        let mut problem = Problem::new(n * n * n)
            .with_family(GroupFamily::new("cells", bounds(0), cells))
            .with_family(GroupFamily::new("row-symbols", bounds(1), rows))
            .with_family(GroupFamily::new("column-symbols", bounds(2), columns));
        if let Some(height) = self.box_rows {
            let width = n / height;
            let boxes = groups(&|number, symbol, place| {
                // n / width boxes stand beside each other.
                let (down, across) = (number / height * height, number % height * width);
                self.candidate(down + place / width, across + place % width, symbol)
            });
            problem = problem.with_family(GroupFamily::new("box-symbols", bounds(2), boxes));
        }
        problem.with_fixed(self.given_candidates(), [])
    }

    fn size(&self) -> u32 {
        self.order
    }

    fn label(&self, candidate: Candidate) -> String {
        let (row, column, symbol) = self.cell(candidate);
        format!("({}, {})={}", row + 1, column + 1, symbol + 1)
    }

    fn draw(&self, solution: &Solution) -> String {
        let symbols = self.symbols(solution).unwrap_or_default();
        let width = self.order.to_string().len();
        let text = |&symbol: &u32| match symbol {
            0 => format!("{:>width$}", "."),
            _ => format!("{symbol:>width$}"),
        };
        let row = |row: &[u32]| row.iter().map(text).collect::<Vec<_>>().join(" ");
        symbols.chunks(self.order as usize).map(row).collect::<Vec<_>>().join("\n")
    }

    /// The symbol of each cell. Without a solution, holes are empty.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let given: Solution = self.given_candidates().collect();
        let symbols = self.symbols(solution.unwrap_or(&given)).ok()?;
        let given = self.symbols(&given).ok()?;
        let cell = |(&symbol, &given): (&u32, &u32)| {
            let text = if symbol == 0 { String::new() } else { symbol.to_string() };
            Cell::new(text, if given == 0 { CellLook::Found } else { CellLook::Given })
        };
        let order = self.order as usize;
        let rows = symbols.chunks(order).zip(given.chunks(order));
        let rows = rows.map(|(symbols, given)| symbols.iter().zip(given).map(cell).collect());
        let boxes = self.box_rows.map(|rows| (rows, self.order / rows));
        Drawing::boxed(rows, boxes)
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let (n, symbols) = (self.order, self.symbols(solution)?);
        let at = |row: u32, column: u32| symbols[(row * n + column) as usize];
        if let Some(hole) = symbols.iter().position(|&symbol| symbol == 0) {
            let (row, column) = (hole as u32 / n + 1, hole as u32 % n + 1);
            return Err(format!("the cell ({row}, {column}) holds no symbol"));
        }
        for row in 0..n {
            for column in 0..n {
                let (here, place) = (at(row, column), format!("({}, {})", row + 1, column + 1));
                if (0..column).any(|other| at(row, other) == here) {
                    return Err(format!("{place} repeats the symbol {here} of its row"));
                }
                if (0..row).any(|other| at(other, column) == here) {
                    return Err(format!("{place} repeats the symbol {here} of its column"));
                }
                if let Some(height) = self.box_rows {
                    let width = n / height;
                    let (down, across) = (row / height * height, column / width * width);
                    let mut others = (down..down + height).flat_map(|other| {
                        (across..across + width).map(move |column| (other, column))
                    });
                    if others.any(|other| other != (row, column) && at(other.0, other.1) == here) {
                        return Err(format!("{place} repeats the symbol {here} of its box"));
                    }
                }
            }
        }
        match self.given.iter().find(|&&(row, column, symbol)| at(row - 1, column - 1) != symbol) {
            Some((row, column, symbol)) => {
                Err(format!("the cell ({row}, {column}) does not hold the given symbol {symbol}"))
            }
            None => Ok(()),
        }
    }

    fn known_count(&self) -> Option<u128> {
        if !self.given.is_empty() {
            return None;
        }
        match (self.box_rows, self.order) {
            (None | Some(1), order) => {
                let counts = [
                    1,
                    2,
                    12,
                    576,
                    161_280,
                    812_851_200,
                    61_479_419_904_000,
                    108_776_032_459_082_956_800,
                    5_524_751_496_156_892_842_531_225_600,
                    9_982_437_658_213_039_871_725_064_756_920_320_000,
                ];
                counts.get(order as usize - 1).copied()
            }
            (Some(2), 4) => Some(288),
            (Some(3), 9) => Some(6_670_903_752_021_072_936_960),
            _ => None,
        }
    }
}

impl EntryKind for LatinSquare {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required(
            "order",
            "The number of rows, columns and symbols.",
            EntryForm::Whole(1, MAX_VALUE as u64),
        ),
        EntryKey::optional(
            "holes",
            "The share of the cells that are not given; without it none is given.",
            EntryForm::Share,
        ),
        EntryKey::optional(
            "pattern",
            "The choice of the holes: at random, or such that the numbers of holes in rows and columns differ \
             by at most one (`balanced`).",
            EntryForm::Word(&["random", "balanced"]),
        ),
        EntryKey::optional(
            "fill",
            "The given cells are of a random square (`planted`), or random symbols without a clash (`free`), \
             which may have no completion.",
            EntryForm::Word(&["planted", "free"]),
        ),
        EntryKey::optional(
            "box-rows",
            "The number of rows of a box, as in Sudoku; without it there are no boxes.",
            EntryForm::Whole(1, MAX_VALUE as u64),
        ),
        EntryKey::optional(
            "exactly-one",
            "The number of constraint families stated as exactly one, in the order cells, row-symbols, \
             column-symbols; the others are stated as at most one; 3 if it is not given.",
            EntryForm::Whole(1, 3),
        ),
        EntryKey::optional(
            "seeds",
            "The seeds by which given cells are drawn.",
            EntryForm::Whole(0, u64::MAX),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let whole = |key| values.whole(key).map(|number| number as u32);
        let order = whole("order").unwrap_or(0);
        let empty = Self::new(order, whole("box-rows"), whole("exactly-one").unwrap_or(3))?;
        let Some(holes) = values.share("holes") else {
            let read = ["order", "box-rows", "exactly-one"];
            return values.refuse_unread("a square without `holes`", &read).map(|()| empty);
        };
        let Some(seed) = values.whole("seeds") else {
            return Err(EntryError::new("holes", "holes are drawn by `seeds`: write `seeds: 1`"));
        };
        let holes = (holes * f64::from(order) * f64::from(order)).round() as u32;
        let pattern = match values.word("pattern") {
            Some("balanced") => Pattern::Balanced,
            _ => Pattern::Random,
        };
        let fill = if values.word("fill") == Some("free") { Fill::Free } else { Fill::Planted };
        GivensRecipe { holes, pattern, fill, seed }.draw(&empty)
    }

    fn examples() -> Vec<Self> {
        let empty =
            |order, box_rows, exactly_one| Self { order, box_rows, exactly_one, given: Vec::new() };
        let with =
            |square: Self, given: &[(u32, u32, u32)]| Self { given: given.to_vec(), ..square };
        vec![
            empty(1, None, 3),
            empty(2, None, 1),
            empty(3, None, 1),
            empty(3, None, 2),
            empty(3, None, 3),
            empty(4, Some(2), 3),
            empty(4, Some(1), 3),
            with(empty(4, None, 2), &[(1, 1, 1), (2, 2, 1), (3, 4, 2)]),
            // The first row needs symbol 3 where the column has it.
            with(empty(3, None, 3), &[(1, 1, 1), (1, 2, 2), (2, 3, 3)]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;

    fn count(square: &LatinSquare) -> u64 {
        Search::new(&square.problem()).count(u64::MAX).unwrap()
    }

    #[test]
    fn the_published_numbers_of_squares_are_found() {
        for exactly_one in 1..=3 {
            for (order, number) in (1..).zip([1, 2, 12, 576]) {
                assert_eq!(count(&LatinSquare::new(order, None, exactly_one).unwrap()), number);
            }
            assert_eq!(count(&LatinSquare::new(4, Some(2), exactly_one).unwrap()), 288);
        }
        assert_eq!(count(&LatinSquare::new(5, None, 3).unwrap()), 161_280);
    }

    #[test]
    fn numbers_of_squares_are_those_of_reduced_squares_times_permutations() {
        // OEIS A000315: squares whose first row and column are in order.
        let reduced: [u128; 10] = [
            1,
            1,
            1,
            4,
            56,
            9_408,
            16_942_080,
            535_281_401_856,
            377_597_570_964_258_816,
            7_580_721_483_160_132_811_489_280,
        ];
        for (order, reduced) in (1..).zip(reduced) {
            let factorial = |n: u32| (1..=u128::from(n)).product::<u128>();
            let count = LatinSquare::new(order, None, 3).unwrap().known_count();
            assert_eq!(count, Some(factorial(order) * factorial(order - 1) * reduced), "{order}");
        }
    }
}
