//! Families of groups while a file is read.

use crate::group::{Bounds, Lists};
use crate::literal::Literal;
use crate::position::Position;

/// Groups with the same bounds.
pub(super) struct FamilyBuilder {
    pub(super) bounds: Bounds,
    pub(super) is_weighted: bool,
    /// The position of the first group.
    pub(super) origin: Position,
    pub(super) literals: Lists<Literal>,
    pub(super) weights: Lists<u64>,
}

impl FamilyBuilder {
    pub(super) fn new(bounds: Bounds, is_weighted: bool, origin: Position) -> Self {
        let (literals, weights) = (Lists::default(), Lists::default());
        Self { bounds, is_weighted, origin, literals, weights }
    }
}
