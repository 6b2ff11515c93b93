//! Depth-first search through the states of a board, with each value computed once.

use super::cost::DirectCost;
use super::key::Key;
use super::lines::{LineShift, OpenLines, RowMasks, Shape, bits};
use super::table::{Kept, Table};
use bezzel_count::budget::{Budget, Halt};

/// The number of states that are entered between two reads of the flag.
const CHECK_INTERVAL: u32 = 1 << 8;

/// A value that is computed for each state, from the lowest row up.
pub(super) trait Fold {
    /// The value of a state; the default is that of one without a solution.
    type Value: Copy + Default + Eq;

    /// The value of the state below the last row.
    fn end(&self) -> Self::Value;

    /// The value of a state, from the values below the columns of its next row: from left to right, and none of them
    /// without a solution. There is at least one.
    fn row(&mut self, row: usize, ways: &[(u32, Self::Value)]) -> Result<Self::Value, Halt>;

    /// The nodes and bytes that it keeps.
    fn kept(&self) -> Kept {
        Kept::default()
    }

    /// Sets the nodes and bytes that are kept elsewhere.
    fn set_beside(&mut self, _: Kept) {}
}

/// The search from state to state.
struct Descent<'a, D, K, F: Fold> {
    rows: &'a RowMasks,
    shift: D,
    budget: Budget<'a>,
    fold: &'a mut F,
    /// For each row, the states found.
    tables: Vec<Table<K, F::Value>>,
    /// The values below all states whose value is being computed.
    ways: Vec<(u32, F::Value)>,
    kept: Kept,
    until_check: u32,
    effort: DirectCost,
}

impl<'a, D: LineShift, K: Key, F: Fold> Descent<'a, D, K, F> {
    /// The value of the board.
    fn run(
        rows: &'a RowMasks,
        shift: D,
        fold: &'a mut F,
        budget: Budget<'a>,
    ) -> Result<(F::Value, DirectCost), Halt> {
        let tables = (0..rows.count).map(|_| Table::new()).collect();
        let mut descent = Descent::<D, K, F> {
            rows,
            shift,
            budget,
            fold,
            tables,
            ways: Vec::new(),
            kept: Kept::default(),
            until_check: CHECK_INTERVAL,
            effort: DirectCost::default(),
        };
        let value = descent.visit(0, rows.start())?;
        let mut effort = descent.effort;
        effort.states = descent.kept.nodes;
        effort.bytes = effort.bytes.max(descent.kept.bytes + descent.fold.kept().bytes);
        Ok((value, effort))
    }

    fn visit(&mut self, row: usize, open: OpenLines) -> Result<F::Value, Halt> {
        let Some((open, choices)) = self.rows.close(self.shift, row, open) else {
            return Ok(F::Value::default());
        };
        self.until_check -= 1;
        if self.until_check == 0 {
            self.until_check = CHECK_INTERVAL;
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
        // All states below are in tables of later rows, so the place stays.
        let value = self.ways::<true>(row, open)?;
        self.tables[row].set(place, value);
        Ok(value)
    }

    /// Visits all states below a state, with or without storing them.
    fn ways<const REMEMBER: bool>(
        &mut self,
        row: usize,
        open: OpenLines,
    ) -> Result<F::Value, Halt> {
        let begin = self.ways.len();
        for column in bits(self.rows.free(row, open)) {
            let value = if row + 1 == self.rows.count {
                self.fold.end()
            } else {
                let open = RowMasks::after(self.shift, open, column);
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

/// The value of the board, by the smallest keys that it allows.
pub(super) fn run<F: Fold>(
    rows: &RowMasks,
    fold: &mut F,
    budget: Budget,
) -> Result<(F::Value, DirectCost), Halt> {
    match rows.shape() {
        Shape::Plane => with_shift(rows, rows.plane(), fold, budget),
        Shape::Torus => with_shift(rows, rows.torus(), fold, budget),
        Shape::Straight => with_shift(rows, rows.straight(), fold, budget),
    }
}

fn with_shift<D: LineShift, F: Fold>(
    rows: &RowMasks,
    shift: D,
    fold: &mut F,
    budget: Budget,
) -> Result<(F::Value, DirectCost), Halt> {
    if rows.width <= <u64 as Key>::COLUMNS {
        Descent::<D, u64, F>::run(rows, shift, fold, budget)
    } else if rows.width <= <u128 as Key>::COLUMNS {
        Descent::<D, u128, F>::run(rows, shift, fold, budget)
    } else {
        Descent::<D, [u64; 3], F>::run(rows, shift, fold, budget)
    }
}
