//! The methods of a kind behind a pointer.

use std::any::{Any, TypeId};
use std::cmp::Ordering;
use std::fmt;

use super::Instance;
use super::list::KindInfo;
use crate::drawing::Drawing;
use crate::grid::Grid;
use crate::kind::{Kind, KindSearch, KnownFacts, ReportedKind};
use crate::literal::Candidate;
use crate::problem::{EncoderRequest, Problem};
use crate::solution::Solution;

/// A value of any kind. Every [`Kind`] is one.
pub(super) trait AnyKind: fmt::Display + erased_serde::Serialize + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn info(&self) -> &'static KindInfo;
    fn order(&self, other: &Instance) -> Ordering;
    fn identity(&self) -> Option<Instance>;
    fn problem(&self) -> Problem;
    fn label(&self, candidate: Candidate) -> String;
    fn draw(&self, solution: &Solution) -> String;
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing>;
    fn check(&self, solution: &Solution) -> Result<(), String>;
    fn size(&self) -> u32;
    fn grid(&self) -> Option<Grid>;
    fn without_given(&self) -> Option<Instance>;
    fn encoder_request(&self) -> Option<EncoderRequest>;
    fn known(&self) -> KnownFacts;
    fn search(&self) -> KindSearch;
    fn reported(&self) -> Option<&dyn ReportedKind>;
}

impl<K: Kind> AnyKind for K {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn info(&self) -> &'static KindInfo {
        const { &KindInfo::of::<K>() }
    }

    fn order(&self, other: &Instance) -> Ordering {
        if let Some(other) = other.get::<K>() {
            return self.cmp(other);
        }
        // Two types may have one name, if a program replaces a kind.
        let others = (other.info().rank, other.kind(), other.0.as_any().type_id());
        (K::RANK, K::ID, TypeId::of::<K>()).cmp(&others)
    }

    fn identity(&self) -> Option<Instance> {
        Kind::identity(self).map(Instance::from)
    }

    fn problem(&self) -> Problem {
        Kind::problem(self)
    }

    fn label(&self, candidate: Candidate) -> String {
        Kind::label(self, candidate)
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

    fn encoder_request(&self) -> Option<EncoderRequest> {
        Kind::encoder_request(self)
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
