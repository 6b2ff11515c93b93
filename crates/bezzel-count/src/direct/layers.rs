//! Breadth first through the states of a board, counting the ways to each.

use super::effort::Effort;
use super::key::Key;
use super::lines::{Drift, Lines, Rows, Shape, bits};
use super::table::{Kept, Table};
use crate::budget::{Budget, Halt};

/// How many states are left behind between two looks at the flag.
const PATIENCE: usize = 1 << 8;

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

/// Goes from row to row with two tables: the states that pieces above lead to, and those that
/// one more piece leads to.
struct Layers<'a, D, W> {
    rows: &'a Rows,
    drift: D,
    budget: Budget<'a>,
    /// Whether a state and its mirror image have as many solutions.
    mirrored: bool,
    /// The solutions below states that are done with.
    total: W,
    effort: Effort,
}

impl<'a, D: Drift, W: Ways> Layers<'a, D, W> {
    /// The number of solutions, which is known to fit.
    fn run<K: Key>(rows: &'a Rows, drift: D, budget: Budget<'a>) -> Result<(W, Effort), Halt> {
        let (mirrored, total) = (rows.is_mirrored(), W::default());
        let mut layers = Self { rows, drift, budget, mirrored, total, effort: Effort::default() };
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
            if number.is_multiple_of(PATIENCE) {
                self.budget.go_on()?;
            }
            let open = key.unpack(self.rows.width);
            let choices = self.rows.close(self.drift, row, open).map_or(0, |(_, choices)| choices);
            if choices <= self.rows.shallow {
                self.total = self.total.plus(ways.times(self.completions(row, open)));
                continue;
            }
            for column in bits(self.rows.free(row, open)) {
                let after = Rows::after(self.drift, open, column);
                self.add(&mut below, kept, row + 1, after, ways)?;
            }
        }
        Ok(below)
    }

    /// So many more ways lead to this state. `kept` is what is kept beside its table.
    #[inline]
    fn add<K: Key>(
        &mut self,
        table: &mut Table<K, W>,
        kept: Kept,
        row: usize,
        open: Lines,
        ways: W,
    ) -> Result<(), Halt> {
        let Some((open, _)) = self.rows.close(self.drift, row, open) else { return Ok(()) };
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

    /// In how many ways the rows from this one on can be filled.
    fn completions(&self, row: usize, open: Lines) -> u64 {
        let free = self.rows.free(row, open);
        if row + 1 == self.rows.count {
            return free.count_ones().into();
        }
        let below = |column| self.completions(row + 1, Rows::after(self.drift, open, column));
        bits(free).map(below).sum()
    }
}

/// The number of solutions, by the smallest keys that the board allows.
pub(super) fn count<W: Ways>(rows: &Rows, budget: Budget) -> Result<(W, Effort), Halt> {
    match rows.shape() {
        Shape::Plane => drifting(rows, rows.plane(), budget),
        Shape::Torus => drifting(rows, rows.torus(), budget),
        Shape::Straight => drifting(rows, rows.straight(), budget),
    }
}

fn drifting<D: Drift, W: Ways>(rows: &Rows, drift: D, budget: Budget) -> Result<(W, Effort), Halt> {
    if rows.width <= <u64 as Key>::COLUMNS {
        Layers::run::<u64>(rows, drift, budget)
    } else if rows.width <= <u128 as Key>::COLUMNS {
        Layers::run::<u128>(rows, drift, budget)
    } else {
        Layers::run::<[u64; 3]>(rows, drift, budget)
    }
}
