//! The nodes of a row, from the nodes below its columns.

use super::descent::Fold;
use super::row_code::RowCode;
use super::table::Kept;
use bezzel_count::budget::Halt;
use bezzel_count::diagram::{Builder, DiagramKind, Ref};

/// Makes a diagram row by row from below.
pub(super) struct Assembly<'a> {
    pub(super) builder: Builder<'a>,
    kind: DiagramKind,
    code: RowCode,
    width: u32,
    /// The nodes below each number of a binary code.
    leaves: Vec<Ref>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(builder: Builder<'a>, kind: DiagramKind, code: RowCode, width: u32) -> Self {
        Self { builder, kind, code, width, leaves: Vec::new() }
    }

    /// A variable for each square.
    fn one_hot(&mut self, row: usize, ways: &[(u32, Ref)]) -> Result<Ref, Halt> {
        let first = row * self.width as usize;
        let mut ways = ways.iter().rev().peekable();
        // Of the squares from here on to the right, exactly one has the piece.
        let mut one = Ref::FALSE;
        for column in (0..self.width).rev() {
            let way = ways.next_if(|(at, _)| *at == column);
            let high = match way {
                None => Ref::FALSE,
                Some(&(_, below)) => self.alone(row, column, below)?,
            };
            one = self.builder.node(first + column as usize, one, high)?;
        }
        Ok(one)
    }

    /// No other piece stands to the right of this one.
    fn alone(&mut self, row: usize, column: u32, mut below: Ref) -> Result<Ref, Halt> {
        // In a zero-suppressed diagram, skipped variables are false.
        if self.kind == DiagramKind::Bdd {
            let first = row * self.width as usize;
            for column in (column + 1..self.width).rev() {
                below = self.builder.node(first + column as usize, below, Ref::FALSE)?;
            }
        }
        Ok(below)
    }

    /// The column as a number, its most significant bit first.
    fn binary(&mut self, row: usize, ways: &[(u32, Ref)]) -> Result<Ref, Halt> {
        let bits = self.code.levels(self.width) as usize;
        self.leaves.clear();
        self.leaves.resize(1 << bits, Ref::FALSE);
        for &(column, below) in ways {
            self.leaves[self.code.number(column, self.width) as usize] = below;
        }
        for bit in (0..bits).rev() {
            for part in 0..1 << bit {
                let (low, high) = (self.leaves[2 * part], self.leaves[2 * part + 1]);
                self.leaves[part] = self.builder.node(row * bits + bit, low, high)?;
            }
        }
        Ok(self.leaves[0])
    }
}

impl Fold for Assembly<'_> {
    type Value = Ref;

    fn end(&self) -> Ref {
        Ref::TRUE
    }

    fn row(&mut self, row: usize, ways: &[(u32, Ref)]) -> Result<Ref, Halt> {
        match self.code {
            RowCode::OneHot => self.one_hot(row, ways),
            RowCode::Binary | RowCode::Bryant => self.binary(row, ways),
        }
    }

    fn kept(&self) -> Kept {
        Kept { nodes: self.builder.nodes() as u64, bytes: self.builder.bytes() }
    }

    fn set_beside(&mut self, kept: Kept) {
        self.builder.set_beside(kept.nodes, kept.bytes);
    }
}
