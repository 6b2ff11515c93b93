//! Depth first through the states of a board, each worked out once.

use std::sync::atomic::{AtomicU64, Ordering};

use super::effort::Effort;
use super::key::Key;
use super::lines::{Drift, Lines, Rows, Shape, bits};
use super::table::{Kept, Table};
use crate::budget::{Budget, Halt};

/// How many states are entered between two looks at the flag.
const PATIENCE: u32 = 1 << 8;

/// What is worked out for each state, from the lowest row up.
pub(super) trait Fold {
    /// What there is to know of a state; the default is that of one without a solution.
    type Value: Copy + Default + Eq;

    /// That of the state below the last row.
    fn end(&self) -> Self::Value;

    /// That of a state, from those that pieces in the columns of its next row lead to: from left
    /// to right, and none of them without a solution. There is at least one.
    fn row(&mut self, row: usize, ways: &[(u32, Self::Value)]) -> Result<Self::Value, Halt>;

    /// What it keeps.
    fn kept(&self) -> Kept {
        Kept::default()
    }

    /// Tells it what else is kept.
    fn set_beside(&mut self, _: Kept) {}
}

/// Goes down from state to state.
struct Descent<'a, D, K, F: Fold> {
    rows: &'a Rows,
    drift: D,
    budget: Budget<'a>,
    fold: &'a mut F,
    /// For each row, the states met.
    tables: Vec<Table<K, F::Value>>,
    /// The ways out of all states that are being worked out.
    ways: Vec<(u32, F::Value)>,
    kept: Kept,
    patience: u32,
    /// Where it says, from time to time, how many nodes and states are kept.
    progress: &'a AtomicU64,
    effort: Effort,
}

impl<'a, D: Drift, K: Key, F: Fold> Descent<'a, D, K, F> {
    /// The value of the board.
    fn run(
        rows: &'a Rows,
        drift: D,
        fold: &'a mut F,
        budget: Budget<'a>,
        progress: &'a AtomicU64,
    ) -> Result<(F::Value, Effort), Halt> {
        let tables = (0..rows.count).map(|_| Table::new()).collect();
        let mut descent = Descent::<D, K, F> {
            rows,
            drift,
            budget,
            fold,
            tables,
            ways: Vec::new(),
            kept: Kept::default(),
            patience: PATIENCE,
            progress,
            effort: Effort::default(),
        };
        let value = descent.visit(0, rows.start())?;
        let mut effort = descent.effort;
        effort.states = descent.kept.nodes;
        effort.bytes = effort.bytes.max(descent.kept.bytes + descent.fold.kept().bytes);
        Ok((value, effort))
    }

    fn visit(&mut self, row: usize, open: Lines) -> Result<F::Value, Halt> {
        let Some((open, choices)) = self.rows.close(self.drift, row, open) else {
            return Ok(F::Value::default());
        };
        self.patience -= 1;
        if self.patience == 0 {
            self.patience = PATIENCE;
            self.progress.store(self.kept.nodes + self.fold.kept().nodes, Ordering::Relaxed);
            self.budget.go_on()?;
        }
        if choices <= self.rows.shallow {
            return self.ways::<false>(row, open);
        }
        if self.tables[row].is_full() {
            self.grow(row)?;
        }
        let key = K::pack(open, self.rows.width);
        let (place, known) = self.tables[row].find(key);
        if let Some(value) = known {
            return Ok(value);
        }
        self.remember()?;
        self.tables[row].put(place, key, F::Value::default());
        // Whatever comes of it has tables further down, so the place stays.
        let value = self.ways::<true>(row, open)?;
        self.tables[row].set(place, value);
        Ok(value)
    }

    /// Goes all ways out of a state, with or without remembering those that they lead to.
    fn ways<const REMEMBER: bool>(&mut self, row: usize, open: Lines) -> Result<F::Value, Halt> {
        let begin = self.ways.len();
        for column in bits(self.rows.free(row, open)) {
            let value = if row + 1 == self.rows.count {
                self.fold.end()
            } else {
                let open = Rows::after(self.drift, open, column);
                if REMEMBER {
                    self.visit(row + 1, open)?
                } else {
                    self.ways::<false>(row + 1, open)?
                }
            };
            if value != F::Value::default() {
                self.ways.push((column.trailing_zeros(), value));
            }
        }
        if begin == self.ways.len() {
            return Ok(F::Value::default());
        }
        let value = self.fold.row(row, &self.ways[begin..])?;
        self.ways.truncate(begin);
        Ok(value)
    }

    /// Counts one more state.
    fn remember(&mut self) -> Result<(), Halt> {
        self.kept.nodes += 1;
        if self.kept.nodes + self.fold.kept().nodes > self.budget.nodes {
            return Err(Halt::Nodes(self.budget.nodes));
        }
        self.fold.set_beside(self.kept);
        Ok(())
    }

    fn grow(&mut self, row: usize) -> Result<(), Halt> {
        let fold = self.fold.kept().bytes;
        let before = self.tables[row].bytes();
        let others = self.kept.bytes - before;
        let beside = Kept { nodes: 0, bytes: others + fold };
        let taken = self.tables[row].grow(beside, &self.budget)?;
        self.effort.bytes = self.effort.bytes.max(beside.bytes + taken);
        self.kept.bytes = others + self.tables[row].bytes();
        self.fold.set_beside(self.kept);
        Ok(())
    }
}

/// The value of the board, by the smallest keys that it allows. How many nodes and states are kept is
/// told in `progress`, from time to time.
pub(super) fn run<F: Fold>(
    rows: &Rows,
    fold: &mut F,
    budget: Budget,
    progress: &AtomicU64,
) -> Result<(F::Value, Effort), Halt> {
    match rows.shape() {
        Shape::Plane => drifting(rows, rows.plane(), fold, budget, progress),
        Shape::Torus => drifting(rows, rows.torus(), fold, budget, progress),
        Shape::Straight => drifting(rows, rows.straight(), fold, budget, progress),
    }
}

fn drifting<D: Drift, F: Fold>(
    rows: &Rows,
    drift: D,
    fold: &mut F,
    budget: Budget,
    progress: &AtomicU64,
) -> Result<(F::Value, Effort), Halt> {
    if rows.width <= <u64 as Key>::COLUMNS {
        Descent::<D, u64, F>::run(rows, drift, fold, budget, progress)
    } else if rows.width <= <u128 as Key>::COLUMNS {
        Descent::<D, u128, F>::run(rows, drift, fold, budget, progress)
    } else {
        Descent::<D, [u64; 3], F>::run(rows, drift, fold, budget, progress)
    }
}
