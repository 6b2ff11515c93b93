//! Given cells by a seed.
//!
//! *Planted.* A random Latin square is the n²-th proper square on the chain of Jacobson and Matthews from the cyclic
//! square; cells are then taken out of it. The number of proper squares ends the chain: after a fixed number of moves,
//! the next proper square would not be uniform. A Sudoku square is a fixed one whose rows and columns, within and with
//! their boxes, and whose symbols are permuted: of the 288 squares of order 4 it reaches 96.
//!
//! *Free.* Cells in random order get a random symbol that their row, column and box do not hold yet.
//!
//! *Holes.* At random; or balanced, by the symbols of a second random square: each symbol marks one cell of every row
//! and column, but not of every box.
//!
//! *Source.* M. T. Jacobson, P. Matthews, "Generating uniformly distributed random Latin squares", Journal of
//! Combinatorial Designs 4, 1996. C. P. Gomes, B. Selman, "Problem structure in the presence of perturbations", AAAI
//! 1997 (free). H. Kautz, Y. Ruan, D. Achlioptas, C. Gomes, B. Selman, M. Stickel, "Balance and filtering in structured
//! satisfiable problems", IJCAI 2001 (planted and balanced).

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::LatinSquare;
use crate::entry::EntryError;

/// The first ChaCha8 stream of Latin squares. Numberings have smaller ones.
const STREAM: u64 = 5 << 32;

/// The largest order whose squares are drawn: the chain takes about n³ moves.
const MAX_DRAWN: u32 = 200;

/// The choice of the holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// At random.
    Random,
    /// The same number in each row and column, up to one.
    Balanced,
}

/// The symbols of the given cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Those of a random square, so that there is a completion.
    Planted,
    /// At random without a clash, so that there may be none.
    Free,
}

/// A rule by which given cells are drawn.
#[derive(Clone, Copy, Debug)]
pub struct GivensRecipe {
    /// The number of cells that are not given.
    pub holes: u32,
    /// The choice of the holes.
    pub pattern: Pattern,
    /// The symbols of the other cells.
    pub fill: Fill,
    /// The seed.
    pub seed: u64,
}

impl GivensRecipe {
    /// Draws the given cells of an empty square.
    ///
    /// # Errors
    ///
    /// When the order is too large, or no symbol is left for a cell that is to be given.
    pub fn draw(&self, square: &LatinSquare) -> Result<LatinSquare, EntryError> {
        let n = square.order();
        if n > MAX_DRAWN {
            let message = format!("squares are drawn up to order {MAX_DRAWN}, not {n}");
            return Err(EntryError::new("order", message));
        }
        let generator = |stream| {
            let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
            generator.set_stream(STREAM + stream);
            generator
        };
        let is_hole = self.holes(n, &mut generator(1));
        let symbols = match self.fill {
            Fill::Planted => match square.box_rows() {
                None => latin(n, &mut generator(0)),
                Some(rows) => sudoku(n, rows, &mut generator(0)),
            },
            Fill::Free => self.free(square, &is_hole, &mut generator(0))?,
        };
        let given = (0..n * n).filter(|&cell| !is_hole[cell as usize]).map(|cell| {
            let (row, column) = (cell / n, cell % n);
            (row + 1, column + 1, symbols[cell as usize] + 1)
        });
        square.clone().with_given(given.collect())
    }

    /// True for each cell that is not given, row by row.
    fn holes(&self, n: u32, random: &mut ChaCha8Rng) -> Vec<bool> {
        let mut is_hole = vec![false; (n * n) as usize];
        let mut cells: Vec<u32> = (0..n * n).collect();
        cells.shuffle(random);
        if self.pattern == Pattern::Balanced {
            // The cells of one symbol after those of another; the last ones stay as they were shuffled.
            let symbols = latin(n, random);
            cells.sort_by_key(|&cell| symbols[cell as usize]);
        }
        for &cell in cells.iter().take(self.holes as usize) {
            is_hole[cell as usize] = true;
        }
        is_hole
    }

    /// Random symbols without a clash in the cells that are given.
    fn free(
        &self,
        square: &LatinSquare,
        is_hole: &[bool],
        random: &mut ChaCha8Rng,
    ) -> Result<Vec<u32>, EntryError> {
        const TRIES: u32 = 100;
        let n = square.order();
        let (height, width) = match square.box_rows() {
            Some(rows) => (rows, n / rows),
            None => (1, n),
        };
        let mut cells: Vec<u32> = (0..n * n).filter(|&cell| !is_hole[cell as usize]).collect();
        for _ in 0..TRIES {
            cells.shuffle(random);
            let mut symbols = vec![u32::MAX; (n * n) as usize];
            let is_filled = cells.iter().all(|&cell| {
                let (row, column) = (cell / n, cell % n);
                let clash = |other: u32| {
                    let (r, c) = (other / n, other % n);
                    r == row
                        || c == column
                        || (r / height, c / width) == (row / height, column / width)
                };
                let used: Vec<u32> = (0..n * n)
                    .filter(|&other| clash(other))
                    .map(|other| symbols[other as usize])
                    .collect();
                let left: Vec<u32> = (0..n).filter(|symbol| !used.contains(symbol)).collect();
                let Some(last) = left.len().checked_sub(1) else { return false };
                symbols[cell as usize] = left[random.random_range(0..=last)];
                true
            });
            if is_filled {
                return Ok(symbols);
            }
        }
        let message = format!(
            "no symbol was left for some given cell in {TRIES} tries by seed {}: take more holes, or \
             `fill: planted`",
            self.seed
        );
        Err(EntryError::new("holes", message))
    }
}

/// A random Latin square by the chain of Jacobson and Matthews: symbols row by row, from 0.
fn latin(n: u32, random: &mut ChaCha8Rng) -> Vec<u32> {
    let side = n as usize;
    let at = |row: usize, column: usize, symbol: usize| (row * side + column) * side + symbol;
    // The entries of a line of the cube are 0 and one 1; in an improper square one entry is −1.
    let mut cube = vec![0_i8; side.pow(3)];
    for row in 0..side {
        for column in 0..side {
            cube[at(row, column, (row + column) % side)] = 1;
        }
    }
    let mut improper: Option<(usize, usize, usize)> = None;
    // Proper squares that are still to be passed. The chain is uniform over these.
    let mut left = if n < 2 { 0 } else { side.pow(2) };
    while left > 0 {
        let (row, column, symbol) = improper.unwrap_or_else(|| {
            loop {
                let [row, column, symbol] = [(); 3].map(|()| random.random_range(0..n) as usize);
                if cube[at(row, column, symbol)] == 0 {
                    break (row, column, symbol);
                }
            }
        });
        // A line through the cell has one entry of 1, or two if the cell has −1.
        let mut one = |entry: &dyn Fn(usize) -> i8| {
            let ones: Vec<usize> = (0..side).filter(|&place| entry(place) == 1).collect();
            ones[random.random_range(0..ones.len() as u32) as usize]
        };
        let other_row = one(&|place| cube[at(place, column, symbol)]);
        let other_column = one(&|place| cube[at(row, place, symbol)]);
        let other_symbol = one(&|place| cube[at(row, column, place)]);
        for (r, down) in [(row, 0), (other_row, 1)] {
            for (c, right) in [(column, 0), (other_column, 1)] {
                for (s, deep) in [(symbol, 0), (other_symbol, 1)] {
                    cube[at(r, c, s)] += if (down + right + deep) % 2 == 0 { 1 } else { -1 };
                }
            }
        }
        let last = (other_row, other_column, other_symbol);
        improper = (cube[at(last.0, last.1, last.2)] < 0).then_some(last);
        left -= usize::from(improper.is_none());
    }
    let symbol =
        |cell: usize| (0..side).find(|&symbol| cube[cell * side + symbol] == 1).unwrap_or(0);
    (0..side * side).map(|cell| symbol(cell) as u32).collect()
}

/// A Sudoku square in boxes of `height` rows: a fixed one, permuted.
fn sudoku(n: u32, height: u32, random: &mut ChaCha8Rng) -> Vec<u32> {
    let width = n / height;
    // The lines of each box in random order, and the boxes too.
    let mut lines = |boxes: u32, each: u32| -> Vec<u32> {
        let mut shuffled = |count: u32| -> Vec<u32> {
            let mut numbers: Vec<u32> = (0..count).collect();
            numbers.shuffle(random);
            numbers
        };
        let order = shuffled(boxes);
        order
            .into_iter()
            .flat_map(|number| shuffled(each).into_iter().map(move |line| number * each + line))
            .collect()
    };
    let (rows, columns) = (lines(width, height), lines(height, width));
    let symbols = lines(1, n);
    let base = |row: u32, column: u32| (width * (row % height) + row / height + column) % n;
    rows.iter()
        .flat_map(|&row| columns.iter().map(move |&column| base(row, column)))
        .map(|symbol| symbols[symbol as usize])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::search::Search;
    use crate::solution::Solution;

    fn recipe(holes: u32, seed: u64) -> GivensRecipe {
        GivensRecipe { holes, pattern: Pattern::Random, fill: Fill::Planted, seed }
    }

    #[test]
    fn a_planted_square_is_one_and_has_as_many_holes_as_asked_for() {
        for (order, box_rows) in
            [(1, None), (2, None), (5, None), (9, None), (6, Some(2)), (9, Some(3))]
        {
            let empty = LatinSquare::new(order, box_rows, 3).unwrap();
            for seed in 0..20 {
                let full = recipe(0, seed).draw(&empty).unwrap();
                let all: Solution = full.problem().given().iter().copied().collect();
                assert_eq!(full.check(&all), Ok(()), "{full}");
                let holes = order * order / 2;
                for pattern in [Pattern::Random, Pattern::Balanced] {
                    let with_holes =
                        GivensRecipe { pattern, ..recipe(holes, seed) }.draw(&empty).unwrap();
                    assert_eq!(with_holes.given().len() as u32, order * order - holes);
                    assert!(with_holes.given().iter().all(|cell| full.given().contains(cell)));
                    let solution = Search::new(&with_holes.problem()).first(u64::MAX).unwrap();
                    assert!(solution.is_some_and(|solution| with_holes.check(&solution).is_ok()));
                }
            }
        }
    }

    #[test]
    fn balanced_holes_are_as_many_in_each_row_and_column_up_to_one() {
        let empty = LatinSquare::new(10, None, 3).unwrap();
        let square =
            GivensRecipe { pattern: Pattern::Balanced, ..recipe(42, 7) }.draw(&empty).unwrap();
        for line in 1..=10 {
            let in_row = square.given().iter().filter(|cell| cell.0 == line).count();
            let in_column = square.given().iter().filter(|cell| cell.1 == line).count();
            assert!((5..=6).contains(&in_row) && (5..=6).contains(&in_column));
        }
    }

    #[test]
    fn free_cells_do_not_clash_and_some_squares_have_no_completion() {
        let empty = LatinSquare::new(5, None, 3).unwrap();
        let mut with_completion = 0;
        for seed in 0..60 {
            let free = GivensRecipe { fill: Fill::Free, ..recipe(14, seed) };
            let square = free.draw(&empty).unwrap();
            for &(row, column, symbol) in square.given() {
                let clash =
                    |&&(r, c, s): &&(u32, u32, u32)| s == symbol && (r == row) != (c == column);
                assert_eq!(square.given().iter().find(clash), None);
            }
            let solution = Search::new(&square.problem()).first(u64::MAX).unwrap();
            with_completion += u32::from(solution.is_some());
        }
        assert!((5..55).contains(&with_completion), "{with_completion}");
    }

    #[test]
    fn a_seed_means_the_same_square_for_ever() {
        let empty = LatinSquare::new(4, None, 3).unwrap();
        let given = recipe(10, 1).draw(&empty).unwrap().given().to_vec();
        assert_eq!(given, KEPT);
    }

    const KEPT: [(u32, u32, u32); 6] =
        [(2, 2, 3), (2, 4, 4), (3, 4, 1), (4, 1, 4), (4, 2, 1), (4, 3, 3)];

    #[test]
    fn every_square_of_order_four_is_drawn_about_as_often() {
        const DRAWN: u32 = 20 * 576;
        let mut times: std::collections::HashMap<Vec<u32>, u32> = std::collections::HashMap::new();
        for seed in 0..u64::from(DRAWN) {
            *times.entry(latin(4, &mut ChaCha8Rng::seed_from_u64(seed))).or_default() += 1;
        }
        assert_eq!(times.len(), 576);
        let square = |times: &u32| (f64::from(*times) - 20.0).powi(2) / 20.0;
        let distance: f64 = times.values().map(square).sum();
        // A value above 684 has a probability of 0.001 where all squares are equally likely (575 degrees of freedom).
        assert!(distance < 684.0, "{distance}");
    }
}
