//! The number of solutions up to the turns and reflections of an empty square board.

use num_bigint::BigUint;

/// The most rows of a board whose turned solutions are searched: all its lines are bits of one word.
pub const MAX_SIDE: usize = 26;

/// Returns the number of fundamental solutions of the empty board: none is an image of another under the eight turns
/// and reflections. `all` is the number of all solutions. `None` if the board cannot have that number.
///
/// *Source.* Burnside's lemma: the mean, over the symmetries, of the number of solutions that the symmetry keeps. From
/// two rows on, a reflection keeps none: it would keep every queen, and all queens would be in one line.
///
/// # Panics
///
/// If the board has no rows, or more than [`MAX_SIDE`].
pub fn fundamental(side: usize, all: &BigUint) -> Option<BigUint> {
    assert!((1..=MAX_SIDE).contains(&side), "a board of {side} rows");
    if side == 1 {
        return Some(all.clone());
    }
    let mut turns = Turns { side, columns: vec![side / 2; side], half: 0, quarter: 0 };
    // A half turn keeps the queen of a middle row, which is therefore in the centre.
    turns.visit(0, if side % 2 == 1 { turns.lines(side / 2, side / 2) } else { 0 });
    let kept = all + turns.half + 2 * turns.quarter;
    let classes = &kept / 8_u32;
    (&classes * 8_u32 == kept).then_some(classes)
}

/// A search for the solutions that a half turn keeps: each queen is placed together with its image.
struct Turns {
    side: usize,
    /// The column of the queen in each row.
    columns: Vec<usize>,
    /// The number of solutions that a half turn keeps.
    half: u64,
    /// The number of those that a quarter turn keeps, too.
    quarter: u64,
}

impl Turns {
    fn visit(&mut self, row: usize, taken: u128) {
        let last = self.side - 1;
        if row == self.side / 2 {
            self.half += 1;
            let mut queens = self.columns.iter().enumerate();
            self.quarter += u64::from(queens.all(|(row, &at)| self.columns[at] == last - row));
            return;
        }
        for column in 0..self.side {
            let (lines, image) = (self.lines(row, column), self.lines(last - row, last - column));
            if taken & (lines | image) == 0 && lines & image == 0 {
                (self.columns[row], self.columns[last - row]) = (column, last - column);
                self.visit(row + 1, taken | lines | image);
            }
        }
    }

    /// The column, the diagonal and the antidiagonal of a square, a bit each.
    fn lines(&self, row: usize, column: usize) -> u128 {
        let diagonal = 2 * self.side - 1 + row - column;
        1 << column | 1 << diagonal | 1 << (3 * self.side - 1 + row + column)
    }
}
