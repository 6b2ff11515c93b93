//! The information on encodings: the names, sources and declared properties.

use bezzel_problem::named;
use serde::{Deserialize, Serialize};

/// The information on an encoding: its name, its source, and the declared properties, which checks prove or refute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EncodingInfo {
    /// The permanent name in configs, rows, figures and file names.
    ///
    /// Lower-case words joined by hyphens; a parameter follows a colon, variants a plus.
    pub id: String,
    /// Other spellings of the same id.
    pub aliases: Vec<String>,
    /// A description in a few words.
    pub title: String,
    /// The idea in a sentence or two, for readers who know clauses but not this encoding.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub idea: String,
    /// The source, with the section where there is one.
    pub citation: String,
    /// A number that grows whenever the clauses change, so that no row outlives the encoding that it measured.
    pub revision: u32,
    /// The strength of unit propagation.
    pub propagation: Propagation,
    /// The effect of its auxiliary variables on the number of models.
    pub auxiliaries: Auxiliaries,
    /// The constraints of a grid that are stated, and those that are left implied.
    pub constraints: String,
    /// True if the declared properties are bounds that are derived from those of its parts: a mixture may have better
    /// properties than the weakest of them.
    #[serde(skip_serializing_if = "is_false")]
    pub bounds: bool,
    /// True if it passes whole at-most-one constraints to a sink that takes them.
    #[serde(skip_serializing_if = "is_false")]
    pub cardinality: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl EncodingInfo {
    /// The name that an encoding shares with its variants: the id up to the parameter or the first variant.
    pub fn name(&self) -> &str {
        let end = self.id.find([':', '+']).filter(|_| !self.id.starts_with('{'));
        &self.id[..end.unwrap_or(self.id.len())]
    }

    /// The information on a combination of parts, with the properties that all of them declare. Its revision grows whenever
    /// that of a part does.
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
            // Wrapping, since a program's revision is a digest and may be large.
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

/// A first revision that propagates completely and has no auxiliary variables, without a name: most encodings begin from
/// it.
impl Default for EncodingInfo {
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
    /// The strength of unit propagation after one candidate is chosen, from the strongest to the weakest.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Propagation {
        #[default]
        /// A true input makes every other input of its at-most-one false; a chosen candidate makes a literal of the cube
        /// of every candidate false that it excludes.
        Complete = "complete",
        /// A chosen candidate does not exclude the candidates with which it conflicts, but the choice of both is refuted.
        Refuting = "refuting",
        /// Neither is true: some conflict is found only by search.
        Weak = "weak",
    }
}

named! {
    /// The effect of auxiliary variables on the number of models.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Auxiliaries {
        #[default]
        /// There are none, so models and solutions are the same in number.
        None = "none",
        /// The primary variables determine them, so models and solutions are the same in number.
        Defined = "defined",
        /// Some solution extends to several models: count projected onto the primary variables.
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
