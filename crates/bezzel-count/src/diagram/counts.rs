//! How many models there are, below every node.

use num_bigint::BigUint;

use super::{Diagram, Node, Ref};

/// The exact number of models of a diagram, and below each of its nodes.
///
/// A number is 8 bytes as long as all of them fit, then 16, then of any size.
#[derive(Clone, Debug)]
pub struct Counts<'a> {
    pub(super) diagram: &'a Diagram,
    pub(super) table: Table,
}

#[derive(Clone, Debug)]
pub(super) enum Table {
    Words(Vec<u64>),
    Wide(Vec<u128>),
    Big(Vec<BigUint>),
}

/// A number of models.
pub(super) trait Number: Clone + PartialOrd {
    fn bit(one: bool) -> Self;
    /// The sum, if it fits.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// The difference; `other` is not larger.
    fn minus(&self, other: &Self) -> Self;
    /// The product, if it fits.
    fn times(&self, other: &Self) -> Option<Self>;
    /// The number times 2 to the power of `bits`, if it fits.
    fn shifted(&self, bits: usize) -> Option<Self>;
}

macro_rules! machine_number {
    ($number:ty) => {
        impl Number for $number {
            fn bit(one: bool) -> Self {
                one.into()
            }
            fn plus(&self, other: &Self) -> Option<Self> {
                self.checked_add(*other)
            }
            fn minus(&self, other: &Self) -> Self {
                self - other
            }
            fn times(&self, other: &Self) -> Option<Self> {
                self.checked_mul(*other)
            }
            fn shifted(&self, bits: usize) -> Option<Self> {
                (*self == 0 || bits <= self.leading_zeros() as usize).then(|| match *self {
                    0 => 0,
                    number => number << bits,
                })
            }
        }
    };
}

machine_number!(u64);
machine_number!(u128);

impl Number for BigUint {
    fn bit(one: bool) -> Self {
        Self::from(u8::from(one))
    }
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }
    fn shifted(&self, bits: usize) -> Option<Self> {
        Some(self << bits)
    }
}

impl Diagram {
    /// The number of its models.
    pub fn count(&self) -> BigUint {
        self.counts().total()
    }

    /// Counts the models below every node, once for all questions.
    pub fn counts(&self) -> Counts<'_> {
        // Free levels at the root come on top of what the table has.
        let words = self.table::<u64>().filter(|table| self.total(table).is_some());
        let wide = || self.table::<u128>().filter(|table| self.total(table).is_some());
        let table = match words {
            Some(table) => Table::Words(table),
            None => wide().map_or_else(
                || Table::Big(self.table().expect("a number of any size")),
                Table::Wide,
            ),
        };
        Counts { diagram: self, table }
    }

    /// For each node, the number of models over the variables from its level on; if all fit.
    fn table<N: Number>(&self) -> Option<Vec<N>> {
        let mut table = Vec::with_capacity(self.nodes());
        for &Node { level, low, high } in &self.nodes {
            let low: N = self.below(&table, level.into(), low)?;
            let high = self.below(&table, level.into(), high)?;
            table.push(low.plus(&high)?);
        }
        Some(table)
    }

    /// The number of models, over the variables below level `above`, of what an edge from there
    /// leads to; if it fits.
    #[inline]
    pub(super) fn below<N: Number>(&self, table: &[N], above: usize, at: Ref) -> Option<N> {
        let free = self.free_between(above, at);
        match at.index() {
            None => N::bit(at == Ref::TRUE).shifted(free),
            Some(index) if free == 0 => Some(table[index].clone()),
            Some(index) => table[index].shifted(free),
        }
    }

    /// The number of all models, if it fits.
    fn total<N: Number>(&self, table: &[N]) -> Option<N> {
        let root = self.root.index();
        let free = match self.kind {
            super::Kind::Bdd => self.level(self.root),
            super::Kind::Zdd => 0,
        };
        root.map_or(N::bit(self.root == Ref::TRUE), |index| table[index].clone()).shifted(free)
    }
}

impl Counts<'_> {
    /// The number of models.
    pub fn total(&self) -> BigUint {
        let diagram = self.diagram;
        match &self.table {
            Table::Words(table) => diagram.total(table).map(BigUint::from),
            Table::Wide(table) => diagram.total(table).map(BigUint::from),
            Table::Big(table) => diagram.total(table),
        }
        .expect("the table was chosen so that it fits")
    }
}
