//! What can be named: the encodings, by their ids.
//!
//! The registry is a value. A program outside this repository adds its own encodings to
//! [`Registry::standard`] and hands the result to the command line; configs, workers, laws and
//! listings then know them like the others.

use std::collections::HashSet;
use std::sync::Arc;

use thiserror::Error;

use crate::amo::{self, AtMostOne};
use crate::card::Card;
use crate::constraints::Constraints;
use crate::encoding::direct::Direct;
use crate::encoding::{self, Encoding};

/// The encodings that can be named.
#[derive(Clone, Default)]
pub struct Registry {
    at_most_ones: Vec<Arc<dyn AtMostOne>>,
    encodings: Vec<Arc<dyn Encoding>>,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// The encodings that Bezzel comes with.
    pub fn standard() -> Self {
        Self { at_most_ones: amo::standard(), encodings: encoding::standard() }
    }

    /// This registry and one more board encoding.
    #[must_use]
    pub fn with(mut self, encoding: impl Encoding + 'static) -> Self {
        self.encodings.push(Arc::new(encoding));
        self
    }

    /// This registry and one more at-most-one encoding.
    #[must_use]
    pub fn with_at_most_one(mut self, at_most_one: impl AtMostOne + 'static) -> Self {
        self.at_most_ones.push(Arc::new(at_most_one));
        self
    }

    /// The at-most-one encodings, in order.
    pub fn at_most_ones(&self) -> &[Arc<dyn AtMostOne>] {
        &self.at_most_ones
    }

    /// The encodings that are not lifted from an at-most-one, in order.
    pub fn board_encodings(&self) -> &[Arc<dyn Encoding>] {
        &self.encodings
    }

    /// The cards of everything that can be named, at-most-one encodings first.
    pub fn cards(&self) -> Vec<Card> {
        let at_most_ones = self.at_most_ones.iter().map(|encoding| encoding.card());
        at_most_ones.chain(self.encodings.iter().map(|encoding| encoding.card())).collect()
    }

    /// Every id and alias.
    fn names(&self) -> impl Iterator<Item = String> {
        self.cards().into_iter().flat_map(|card| std::iter::once(card.id).chain(card.aliases))
    }

    /// An id or alias that two encodings share, so that only the first could ever be named.
    pub fn twin(&self) -> Option<String> {
        let mut seen = HashSet::new();
        self.names().find(|name| !seen.insert(name.clone()))
    }

    /// The encoding of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the error names the nearest id.
    pub fn find(&self, id: &str) -> Result<Found, UnknownId> {
        let named = |card: &Card| card.id == id || card.aliases.iter().any(|alias| alias == id);
        if let Some(found) = self.at_most_ones.iter().find(|entry| named(&entry.card())) {
            return Ok(Found::AtMostOne(Arc::clone(found)));
        }
        if let Some(found) = self.encodings.iter().find(|entry| named(&entry.card())) {
            return Ok(Found::Board(Arc::clone(found)));
        }
        Err(UnknownId::new("encoding", id, self.names()))
    }
}

/// What a name stands for.
#[derive(Clone)]
pub enum Found {
    /// An at-most-one encoding, still to be lifted to the board.
    AtMostOne(Arc<dyn AtMostOne>),
    /// An encoding of the whole board, with its own set of constraints.
    Board(Arc<dyn Encoding>),
}

impl Found {
    /// The card, without a word on the constraints of what is still to be lifted.
    pub fn card(&self) -> Card {
        match self {
            Self::AtMostOne(at_most_one) => at_most_one.card(),
            Self::Board(encoding) => encoding.card(),
        }
    }

    /// Whether the set of constraints is a setting, as it is for whatever is lifted by
    /// [`Direct`].
    pub fn takes_constraints(&self) -> bool {
        matches!(self, Self::AtMostOne(_))
    }

    /// The encoding of the board; `constraints` matters only to what is lifted.
    pub fn on_board(&self, constraints: Constraints) -> Arc<dyn Encoding> {
        match self {
            Self::AtMostOne(at_most_one) => {
                Arc::new(Direct::new(Arc::clone(at_most_one), constraints))
            }
            Self::Board(encoding) => Arc::clone(encoding),
        }
    }
}

/// A name that nothing bears.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {kind} `{id}`{}", .near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
pub struct UnknownId {
    /// What was looked for: `encoding`, `solver`.
    pub kind: &'static str,
    /// The name that nothing bears.
    pub id: String,
    /// The nearest name that something bears, where one is near.
    pub near: Option<String>,
}

impl UnknownId {
    /// Reports that `id` is none of the known ids of this kind, and finds the nearest.
    pub fn new<S: AsRef<str>>(
        kind: &'static str,
        id: &str,
        known: impl IntoIterator<Item = S>,
    ) -> Self {
        let lower = id.to_lowercase();
        let near = known
            .into_iter()
            .map(|known| (strsim::damerau_levenshtein(&lower, known.as_ref()), known))
            .min_by_key(|&(distance, _)| distance)
            // Farther than a third of its length, a guess would rather confuse.
            .filter(|(distance, known)| *distance <= 1 + known.as_ref().len() / 3)
            .map(|(_, known)| known.as_ref().to_owned());
        Self { kind, id: id.to_owned(), near }
    }
}
