//! Unknown names, with the nearest known one.

use thiserror::Error;

/// A name that is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {kind} `{id}`{}", self.help())]
pub struct UnknownId {
    /// The kind of the values: `encoding`, `solver`.
    pub kind: &'static str,
    /// The unknown name.
    pub id: String,
    /// The nearest known name, where one is near.
    pub near: Option<String>,
    /// Every known name, where these are few.
    pub known: Vec<String>,
}

/// At most this many names are listed.
const FEW: usize = 9;

impl UnknownId {
    /// Reports that `id` is none of the known ids of this kind, and finds the nearest.
    pub fn new<S: AsRef<str>>(
        kind: &'static str,
        id: &str,
        known: impl IntoIterator<Item = S>,
    ) -> Self {
        let lower = id.to_lowercase();
        let mut known: Vec<String> = known.into_iter().map(|name| name.as_ref().into()).collect();
        let near = known
            .iter()
            .map(|known| (strsim::damerau_levenshtein(&lower, known), known))
            .min_by_key(|&(distance, _)| distance)
            // Beyond a third of its length, a suggestion would mislead.
            .filter(|(distance, known)| *distance <= 1 + known.len() / 3)
            .map(|(_, known)| known.clone());
        if known.len() > FEW {
            known.clear();
        }
        Self { kind, id: id.to_owned(), near, known }
    }

    /// The help: the nearest name, all names, or the place where they are listed.
    fn help(&self) -> String {
        match (&self.near, &*self.known) {
            (Some(near), _) => format!("; did you mean `{near}`?"),
            (None, []) if ["encoding", "solver"].contains(&self.kind) => {
                "; `bezzel list` shows what there is".into()
            }
            (None, []) => String::new(),
            (None, [one]) => format!("; there is only `{one}`"),
            (None, known) => format!("; there are {}", known.join(", ")),
        }
    }
}
