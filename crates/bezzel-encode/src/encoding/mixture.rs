//! Mixtures: an at-most-one encoding for each family of groups.
//!
//! *Idea.* The families of a problem differ: rows and columns of a grid are long and have exactly one; its diagonals
//! are of all lengths and have at most one. A mixture is the [direct](super::direct) encoding with an at-most-one
//! encoding for each family, by the family's name, and one for all families that it does not name. A kind of problem
//! may have families that take the encoding of another one if the mixture does not name one.
//!
//! *Size, propagation, models.* The sums of the parts; the weakest; free if one is. *Source.*
//! Common practice. *Departures.* None.

use std::sync::Arc;

use crate::amo::AtMostOne;
use crate::info::EncodingInfo;

/// The name in the place of all families that a mixture does not name.
pub const DEFAULT: &str = "default";

/// The at-most-one encoding of each family of groups.
#[derive(Clone)]
pub enum Mixture {
    /// The same encoding for all families, which is no mixture.
    Pure(Arc<dyn AtMostOne>),
    /// The encoding of each family by its name, or by [`DEFAULT`].
    Parts(Vec<(String, Arc<dyn AtMostOne>)>),
}

impl Mixture {
    /// The encoding of the family of this name; none if the mixture has none.
    pub fn of(&self, family: &str) -> Option<&Arc<dyn AtMostOne>> {
        match self {
            Self::Pure(at_most_one) => Some(at_most_one),
            Self::Parts(parts) => {
                let named = |wanted: &str| parts.iter().find(|(name, _)| name == wanted);
                named(family).or_else(|| named(DEFAULT)).map(|(_, part)| part)
            }
        }
    }

    /// The information on the mixture; that of its part where all families have the same.
    pub fn info(&self) -> EncodingInfo {
        let parts = match self {
            Self::Pure(at_most_one) => return at_most_one.info(),
            Self::Parts(parts) => parts,
        };
        let infos: Vec<EncodingInfo> = parts.iter().map(|(_, part)| part.info()).collect();
        if infos.iter().all(|info| info.id == infos[0].id) {
            return infos[0].clone();
        }
        EncodingInfo::of_parts(self.spelt(), "mixture", &infos)
    }

    /// The name of the mixture with all of its keys, or that of the encoding of all families.
    pub fn spelt(&self) -> String {
        let parts = match self {
            Self::Pure(at_most_one) => return at_most_one.info().id,
            Self::Parts(parts) => parts,
        };
        let id_of = |family| self.of(family).map(|part| part.info().id);
        let named = parts.iter().map(|(name, part)| (name, part.info().id));
        let named = named.filter(|(name, id)| {
            *name != "antidiagonals" || id_of("diagonals").as_ref() != Some(id)
        });
        let named: Vec<String> = named.map(|(name, id)| format!("{name}: {id}")).collect();
        format!("{{{}}}", named.join(", "))
    }
}
