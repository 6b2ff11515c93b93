//! The methods of a kind behind a pointer.

use std::any::{Any, TypeId};
use std::cmp::Ordering;

use super::Instance;
use super::list::KindInfo;
use crate::drawing::Drawing;
use crate::grid::Grid;
use crate::kind::{Kind, KindSearch, KnownFacts, ReportedKind};
use crate::problem::{Describe, Problem};
use crate::solution::Solution;

/// A value of any kind. Every [`Kind`] is one.
pub trait AnyKind: Describe + erased_serde::Serialize {
    /// The constants of its kind.
    fn info(&self) -> &'static KindInfo;
    /// The order by kind, then by value.
    fn order(&self, other: &Instance) -> Ordering;
    /// See [`Kind::identity`].
    fn identity(&self) -> Option<Instance>;
    /// See [`Kind::problem`].
    fn problem(&self) -> Problem;
    /// See [`Kind::draw`].
    fn draw(&self, solution: &Solution) -> String;
    /// See [`Kind::drawing`].
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing>;
    /// See [`Kind::check`].
    fn check(&self, solution: &Solution) -> Result<(), String>;
    /// See [`Kind::size`].
    fn size(&self) -> u32;
    /// See [`Kind::grid`].
    fn grid(&self) -> Option<Grid>;
    /// See [`Kind::without_given`].
    fn without_given(&self) -> Option<Instance>;
    /// See [`Kind::known`].
    fn known(&self) -> KnownFacts;
    /// See [`Kind::search`].
    fn search(&self) -> KindSearch;
    /// See [`Kind::reported`].
    fn reported(&self) -> Option<&dyn ReportedKind>;
}

impl<K: Kind> AnyKind for K {
    fn info(&self) -> &'static KindInfo {
        const { &KindInfo::of::<K>() }
    }

    fn order(&self, other: &Instance) -> Ordering {
        if let Some(other) = other.get::<K>() {
            return self.cmp(other);
        }
        // Two types may have one name, if a program replaces a kind.
        let value: &dyn Any = &*other.0;
        let others = (other.info().rank, other.kind(), value.type_id());
        (K::RANK, K::ID, TypeId::of::<K>()).cmp(&others)
    }

    fn identity(&self) -> Option<Instance> {
        Kind::identity(self).map(Instance::from)
    }

    fn problem(&self) -> Problem {
        Kind::problem(self)
    }

    fn draw(&self, solution: &Solution) -> String {
        Kind::draw(self, solution)
    }

    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        Kind::drawing(self, solution)
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        Kind::check(self, solution)
    }

    fn size(&self) -> u32 {
        Kind::size(self)
    }

    fn grid(&self) -> Option<Grid> {
        Kind::grid(self)
    }

    fn without_given(&self) -> Option<Instance> {
        Kind::without_given(self).map(Instance::from)
    }

    fn known(&self) -> KnownFacts {
        Kind::known(self)
    }

    fn search(&self) -> KindSearch {
        Kind::search(self)
    }

    fn reported(&self) -> Option<&dyn ReportedKind> {
        Kind::reported(self)
    }
}
