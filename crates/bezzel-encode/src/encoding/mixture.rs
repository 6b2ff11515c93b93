//! Mixtures: an at-most-one encoding for each family of lines.
//!
//! *Idea.* Rows and columns are long and hold exactly one queen; diagonals are of all lengths and
//! hold at most one. What is best for the ones need not be best for the others. A mixture is the
//! [direct](super::direct) encoding with a choice for rows, for columns, for diagonals, and, where
//! it is to differ, for antidiagonals.
//!
//! *Size, propagation, models.* The sums of the parts; the weakest; free if one is. *Source.*
//! Common practice. *Departures.* None.

use std::sync::Arc;

use bezzel_problem::Family;

use crate::amo::AtMostOne;
use crate::card::Card;

/// The at-most-one encoding of each family of lines, in the order of [`Family::ALL`].
#[derive(Clone)]
pub struct Mixture(pub [Arc<dyn AtMostOne>; 4]);

impl Mixture {
    /// The same encoding for all lines: no mixture at all.
    pub fn pure(at_most_one: &Arc<dyn AtMostOne>) -> Self {
        Self(Family::ALL.map(|_| Arc::clone(at_most_one)))
    }

    /// The encoding of this family's lines.
    pub fn of(&self, family: Family) -> &dyn AtMostOne {
        &*self.0[family as usize]
    }

    /// The card of the mixture; the part's own where all families have the same.
    pub fn card(&self) -> Card {
        let parts = Family::ALL.map(|family| self.of(family).card());
        let [rows, columns, diagonals, antidiagonals] = &parts;
        if parts.iter().all(|part| part.id == rows.id) {
            return rows.clone();
        }
        let mut id =
            format!("{{rows: {}, columns: {}, diagonals: {}", rows.id, columns.id, diagonals.id);
        if antidiagonals.id != diagonals.id {
            id.push_str(", antidiagonals: ");
            id.push_str(&antidiagonals.id);
        }
        id.push('}');
        Card::of_parts(id, "mixture", &parts)
    }
}
