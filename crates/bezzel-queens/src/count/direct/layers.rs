//! Breadth-first search through the states of a board, which counts the ways to each.

use super::cost::DirectCost;
use super::key::Key;
use super::lines::{LineShift, OpenLines, RowMasks, Shape, bits};
use super::table::{Kept, Table};
use bezzel_count::budget::{Budget, Halt};

/// The number of states that are processed between two reads of the flag.
const CHECK_INTERVAL: usize = 1 << 8;

/// A number of ways, of a type that all numbers of the board fit.
pub(super) trait Ways: Copy + Default {
    const ONE: Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, completions: u64) -> Self;
}

impl Ways for u64 {
    const ONE: Self = 1;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, completions: u64) -> Self {
        self * completions
    }
}

impl Ways for u128 {
    const ONE: Self = 1;
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, completions: u64) -> Self {
        self * Self::from(completions)
    }
}

/// Goes from row to row with two tables: the states below the pieces above, and the states below one more piece.
struct Layers<'a, D, W> {
    rows: &'a RowMasks,
    shift: D,
    budget: Budget<'a>,
    /// True if a state and its mirror image have the same number of solutions.
    mirrored: bool,
    /// The solutions below processed states.
    total: W,
    effort: DirectCost,
}

impl<'a, D: LineShift, W: Ways> Layers<'a, D, W> {
    /// The number of solutions, which is known to fit.
    fn run<K: Key>(
        rows: &'a RowMasks,
        shift: D,
        budget: Budget<'a>,
    ) -> Result<(W, DirectCost), Halt> {
        let (mirrored, total) = (rows.is_mirrored(), W::default());
        let mut layers =
            Self { rows, shift, budget, mirrored, total, effort: DirectCost::default() };
        let mut here = Table::<K, W>::new();
        layers.add(&mut here, Kept::default(), 0, rows.start(), W::ONE)?;
        for row in 0..rows.count {
            here = layers.advance(&here, row)?;
        }
        Ok((layers.total, layers.effort))
    }

    /// The states of the next row, from those of this one.
    fn advance<K: Key>(&mut self, here: &Table<K, W>, row: usize) -> Result<Table<K, W>, Halt> {
        let mut below = Table::new();
        let kept = Kept { nodes: here.len() as u64, bytes: here.bytes() };
        for (number, (key, ways)) in here.each().enumerate() {
            if number.is_multiple_of(CHECK_INTERVAL) {
                self.budget.go_on()?;
            }
            let open = key.unpack(self.rows.width);
            let choices = self.rows.close(self.shift, row, open).map_or(0, |(_, choices)| choices);
            if choices <= self.rows.shallow {
                self.total = self.total.plus(ways.times(self.completions(row, open)));
                continue;
            }
            for column in bits(self.rows.free(row, open)) {
                let after = RowMasks::after(self.shift, open, column);
                self.add(&mut below, kept, row + 1, after, ways)?;
            }
        }
        Ok(below)
    }

    /// Adds `ways` ways that lead to this state. `kept` is kept in addition to its table.
    #[inline]
    fn add<K: Key>(
        &mut self,
        table: &mut Table<K, W>,
        kept: Kept,
        row: usize,
        open: OpenLines,
        ways: W,
    ) -> Result<(), Halt> {
        let Some((open, _)) = self.rows.close(self.shift, row, open) else { return Ok(()) };
        if table.is_full() {
            let taken = table.grow(kept, &self.budget)?;
            self.effort.bytes = self.effort.bytes.max(kept.bytes + taken);
        }
        let mut key = K::pack(open, self.rows.width);
        if self.mirrored {
            key = key.min(K::pack(self.rows.mirror(open), self.rows.width));
        }
        let (place, before) = table.find(key);
        if let Some(before) = before {
            table.set(place, before.plus(ways));
            return Ok(());
        }
        table.put(place, key, ways);
        self.effort.states += 1;
        let peak = kept.nodes + table.len() as u64;
        self.effort.peak = self.effort.peak.max(peak);
        if peak > self.budget.nodes { Err(Halt::Nodes(self.budget.nodes)) } else { Ok(()) }
    }

    /// The number of ways to fill the rows from this one on.
    fn completions(&self, row: usize, open: OpenLines) -> u64 {
        let free = self.rows.free(row, open);
        if row + 1 == self.rows.count {
            return free.count_ones().into();
        }
        let below = |column| self.completions(row + 1, RowMasks::after(self.shift, open, column));
        bits(free).map(below).sum()
    }
}

/// The number of solutions, by the smallest keys that the board allows.
pub(super) fn count<W: Ways>(rows: &RowMasks, budget: Budget) -> Result<(W, DirectCost), Halt> {
    match rows.shape() {
        Shape::Plane => with_shift(rows, rows.plane(), budget),
        Shape::Torus => with_shift(rows, rows.torus(), budget),
        Shape::Straight => with_shift(rows, rows.straight(), budget),
    }
}

fn with_shift<D: LineShift, W: Ways>(
    rows: &RowMasks,
    shift: D,
    budget: Budget,
) -> Result<(W, DirectCost), Halt> {
    if rows.width <= <u64 as Key>::COLUMNS {
        Layers::run::<u64>(rows, shift, budget)
    } else if rows.width <= <u128 as Key>::COLUMNS {
        Layers::run::<u128>(rows, shift, budget)
    } else {
        Layers::run::<[u64; 3]>(rows, shift, budget)
    }
}
