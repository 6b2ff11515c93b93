//! What an encoding says about itself, and promises.

use bezzel_problem::named;
use serde::{Deserialize, Serialize};

/// An encoding's card: its name, its source, and the declared properties, which checks prove or refute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Card {
    /// The permanent name in configs, rows, figures and file names.
    ///
    /// Lower-case words joined by hyphens; a parameter follows a colon, variants a plus.
    pub id: String,
    /// Other spellings of the same id.
    pub aliases: Vec<String>,
    /// What it is, in a few words.
    pub title: String,
    /// The idea in a sentence or two, for somebody who knows clauses but not this encoding.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub idea: String,
    /// Where it comes from, down to the section where there is one.
    pub citation: String,
    /// Counted up whenever the clauses change, so that no row outlives the encoding it measured.
    pub revision: u32,
    /// How strongly it propagates.
    pub propagation: Propagation,
    /// What its auxiliary variables do to the number of models.
    pub auxiliaries: Auxiliaries,
    /// Which of the board's constraints are stated, and which left implied.
    pub constraints: String,
    /// Whether the promises are bounds, put together from those of its parts: a mixture may keep
    /// more than the weakest of them.
    #[serde(skip_serializing_if = "is_false")]
    pub bounds: bool,
    /// Whether it hands whole at-most-one constraints to a sink that takes them.
    #[serde(skip_serializing_if = "is_false")]
    pub cardinality: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Card {
    /// The name that an encoding shares with its variants: the id up to the parameter or the first variant.
    pub fn name(&self) -> &str {
        let end = self.id.find([':', '+']).filter(|_| !self.id.starts_with('{'));
        &self.id[..end.unwrap_or(self.id.len())]
    }

    /// The card of what is put together from parts: what all of them promise. Its revision counts
    /// up whenever that of a part does.
    pub(crate) fn of_parts(id: String, title: &str, parts: &[Self]) -> Self {
        let mut sources: Vec<&str> = Vec::new();
        for part in parts {
            if !sources.contains(&&*part.citation) {
                sources.push(&part.citation);
            }
        }
        Self {
            id,
            title: title.to_owned(),
            citation: sources.join("; "),
            // Wrapping, since a program's revision is a digest and as large as it pleases.
            revision: parts.iter().fold(0, |sum, part| sum.wrapping_add(part.revision)),
            propagation: parts.iter().map(|part| part.propagation).max().unwrap_or_default(),
            auxiliaries: Auxiliaries::of_all(parts.iter().map(|part| part.auxiliaries))
                .unwrap_or_default(),
            bounds: true,
            cardinality: parts.iter().any(|part| part.cardinality),
            ..Self::default()
        }
    }
}

/// A first revision that propagates completely and has no auxiliary variables, still without a
/// name: what most cards begin from.
impl Default for Card {
    fn default() -> Self {
        Self {
            id: String::new(),
            aliases: Vec::new(),
            title: String::new(),
            idea: String::new(),
            citation: String::new(),
            revision: 1,
            propagation: Propagation::default(),
            auxiliaries: Auxiliaries::default(),
            constraints: String::new(),
            bounds: false,
            cardinality: false,
        }
    }
}

named! {
    /// The strength of unit propagation after one queen is placed, from the strongest to the weakest.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Propagation {
        #[default]
        /// A true input makes every other input of its at-most-one false; on a board, a queen makes a
        /// literal of every attacked square's cube false.
        Complete = "complete",
        /// A queen does not rule an attacked square out, but a queen on both is refuted.
        Refuting = "refuting",
        /// Not even that: some conflict is found only by search.
        Weak = "weak",
    }
}

named! {
    /// The effect of auxiliary variables on the number of models.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Auxiliaries {
        #[default]
        /// There are none, so models and placements are the same in number.
        None = "none",
        /// The primary variables determine them, so models and placements are the same in number.
        Defined = "defined",
        /// Some placement extends to several models: count projected onto the primary variables.
        Free = "free",
    }
}

impl Auxiliaries {
    /// The kind of some formulas together; none if there is no formula.
    pub fn of_all(kinds: impl IntoIterator<Item = Self>) -> Option<Self> {
        kinds.into_iter().reduce(|one, other| match (one, other) {
            (Self::Free, _) | (_, Self::Free) => Self::Free,
            (Self::Defined, _) | (_, Self::Defined) => Self::Defined,
            (Self::None, Self::None) => Self::None,
        })
    }
}
