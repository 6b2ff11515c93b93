//! The shapes at which an encoder is tried when no problem gives them.

use std::collections::{BTreeMap, BTreeSet};

use crate::bound::Limit;
use crate::shape::Shape;

/// The number of inputs up to which all bounds are tried.
const ALL: u64 = 8;

/// Larger numbers of inputs: beside small numbers, squares and powers of two, where encoders change their structure.
const LARGE: [u64; 11] = [9, 10, 12, 13, 16, 17, 25, 33, 64, 100, 150];

/// A rule that gives the bound for each number of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Column {
    /// All bounds of few inputs.
    Any,
    /// The same bound for each.
    Bound(u64),
    /// A part of the inputs.
    Part(u64),
    /// All but some inputs.
    AllBut(u64),
}

/// The larger bounds of n inputs that are tried, each with its rule: from small ones to nearly all inputs.
const COLUMNS: [Column; 7] = [
    Column::Bound(2),
    Column::Bound(3),
    Column::Bound(4),
    Column::Part(4),
    Column::Part(2),
    Column::AllBut(2),
    Column::AllBut(1),
];

impl Column {
    fn bound(self, n: u64) -> u64 {
        match self {
            Self::Any => unreachable!("few inputs have all bounds"),
            Self::Bound(k) => k,
            Self::Part(parts) => n / parts,
            Self::AllBut(count) => n - count,
        }
    }
}

/// The shapes at which an encoder is tried, from few to many inputs, in stages. A stage leaves out shapes whose formulas
/// grow too fast: those of binomial encoders have more clauses than any memory holds.
#[derive(Clone, Debug, Default)]
pub struct ShapeGrid {
    /// The shapes of later stages, each with its rules. Shapes are in the order of their numbers of inputs.
    open: BTreeMap<Shape, Vec<Column>>,
    /// The rules of all stages until now.
    columns: BTreeMap<Shape, Vec<Column>>,
    /// The rules that are left out.
    dropped: BTreeSet<(Limit, Column)>,
    left_out: usize,
}

/// The most inputs of the stages; a last stage has all others.
const STAGES: [u64; 7] = [ALL, 17, 25, 33, 64, 100, 150];

impl ShapeGrid {
    /// At most one and exactly one of up to 150 inputs.
    pub fn of_one() -> Self {
        let mut grid = Self::default();
        for n in (0..=ALL).chain(LARGE) {
            grid.add(n, 1, Column::Bound(1), &[Limit::AtMost, Limit::Exactly]);
        }
        grid
    }

    /// At most, at least and exactly k: all bounds from 2 on of up to 8 inputs, and some of up to 150.
    pub fn of_bounds() -> Self {
        let mut grid = Self::default();
        for (n, k) in (3..=ALL).flat_map(|n| (2..n).map(move |k| (n, k))) {
            grid.add(n, k, Column::Any, &Limit::ALL);
        }
        for n in LARGE {
            for column in COLUMNS {
                let k = column.bound(n);
                if (2..n).contains(&k) {
                    grid.add(n, k, column, &Limit::ALL);
                }
            }
        }
        grid
    }

    /// At most, at least and exactly this k, of more inputs than k: up to 8, and some larger numbers up to 150 or a little
    /// above k.
    pub fn of_bound(k: u64) -> Self {
        let mut grid = Self::default();
        let beside = [1, 2, 3].map(|more| k + more);
        let numbers: BTreeSet<u64> = (0..=ALL).chain(LARGE).chain(beside).chain([2 * k]).collect();
        for n in numbers.into_iter().filter(|&n| n > k && n <= (k + 3).max(150)) {
            // A binomial formula is small if nearly all inputs may hold.
            let column = if n <= k + 3 { Column::AllBut(n - k) } else { Column::Bound(k) };
            grid.add(n, k, column, &Limit::ALL);
        }
        grid
    }

    fn add(&mut self, n: u64, k: u64, column: Column, limits: &[Limit]) {
        for &limit in limits {
            self.open.entry(Shape { n, limit, k }).or_default().push(column);
        }
    }

    /// This grid and another one.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.open.extend(other.open);
        self
    }

    /// The number of shapes of later stages.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// The shapes of the next stage; none after the last one.
    pub fn next_stage(&mut self) -> Option<Vec<Shape>> {
        let least = self.open.first_key_value()?.0.n;
        let most = STAGES.into_iter().find(|&most| least <= most).unwrap_or(u64::MAX);
        let later = self.open.iter().find(|(shape, _)| shape.n > most).map(|(shape, _)| *shape);
        let later = later.map_or_else(BTreeMap::new, |first| self.open.split_off(&first));
        let mut stage = std::mem::replace(&mut self.open, later);
        let all = stage.len();
        stage.retain(|shape, columns| {
            columns.iter().all(|&column| !self.dropped.contains(&(shape.limit, column)))
        });
        self.left_out += all - stage.len();
        let shapes = stage.keys().copied().collect();
        self.columns.append(&mut stage);
        Some(shapes)
    }

    /// Takes the number of literals in the clauses for a shape of a stage. If they are far more than those of encoders
    /// whose formulas have a size of n³ at most, later stages leave out the shapes by the same rule.
    pub fn note_size(&mut self, shape: Shape, literals: u128) {
        let n = u128::from(shape.n);
        if literals > 4 * n * n * n {
            let columns = self.columns.get(&shape).into_iter().flatten();
            let dropped = columns.filter(|&&column| column != Column::Any);
            self.dropped.extend(dropped.map(|&column| (shape.limit, column)));
        }
    }

    /// The number of shapes that stages left out.
    pub fn left_out(&self) -> usize {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amo::AtMostOne;
    use crate::amo::pairwise::Pairwise;
    use crate::amo::sequential_counter::SequentialCounter;

    /// All stages for an encoder.
    fn stages(mut grid: ShapeGrid, encoder: &dyn AtMostOne) -> (Vec<Vec<Shape>>, usize) {
        let mut stages = Vec::new();
        while let Some(stage) = grid.next_stage() {
            for shape in &stage {
                grid.note_size(*shape, shape.size(encoder).unwrap().literals);
            }
            stages.push(stage);
        }
        (stages, grid.left_out())
    }

    #[test]
    fn stages_have_all_bounds_of_few_inputs_and_bounds_to_nearly_all_of_many() {
        let grid = ShapeGrid::of_one().and(ShapeGrid::of_bounds());
        let (counter, left_out) = stages(grid.clone(), &SequentialCounter);
        assert_eq!((counter.len(), left_out), (STAGES.len(), 0));
        // Bounds from 2 to n − 1 of 3 to 8 inputs, and 1 of 0 to 8.
        assert_eq!(counter[0].len(), 3 * 21 + 2 * 9);
        let last: Vec<Shape> =
            counter[STAGES.len() - 1].iter().filter(|shape| shape.n == 150).copied().collect();
        let bounds: BTreeSet<u64> = last.iter().map(|shape| shape.k).collect();
        assert_eq!(bounds.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 37, 75, 148, 149]);
        let (pairwise, left_out) = stages(grid, &Pairwise);
        assert!(left_out > 0);
        let sizes = pairwise.iter().flatten().map(|shape| shape.size(&Pairwise).unwrap().literals);
        assert!(sizes.max().unwrap() < 3_000_000, "no formula fills the memory");
        let at_most = |k| Shape { n: 150, limit: Limit::AtMost, k };
        let last = pairwise.last().unwrap();
        assert!(last.contains(&at_most(2)) && last.contains(&at_most(149)));
        assert!(!last.contains(&at_most(75)));
    }

    #[test]
    fn a_given_bound_is_tried_with_more_inputs_than_it() {
        for k in [1, 2, 7, 8, 12, 149, 150, 1_000] {
            let (stages, left_out) = stages(ShapeGrid::of_bound(k), &SequentialCounter);
            let all: Vec<Shape> = stages.concat();
            assert!(all.iter().all(|shape| shape.k == k && shape.n > k), "{k}");
            assert!(left_out == 0 && all.len() >= 9, "{k}: {}", all.len());
        }
    }
}
