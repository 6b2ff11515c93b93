//! The encoders of bounds, by their ids.

use std::path::Path;
use std::sync::Arc;

use bezzel_encode::AtMostOne;
use bezzel_encode::amk::{self, AtMostK};
use bezzel_encode::registry::NamedEncoding;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::UnknownId;

use crate::failure::Failure;

/// An encoder of bounds.
pub(super) enum Encoder {
    Listed(Arc<dyn AtMostK>),
    /// The record of a program.
    Recorded(Arc<dyn AtMostOne>),
}

impl Encoder {
    pub(super) fn of_bounds(&self) -> &dyn AtMostK {
        match self {
            Self::Listed(encoder) => &**encoder,
            Self::Recorded(encoder) => encoder.of_bounds().expect("a program of bounds"),
        }
    }
}

/// The ids of all encoders.
pub(super) fn ids() -> Vec<String> {
    amk::all().iter().map(|encoder| encoder.about().id).collect()
}

/// The encoder with this id, or with this alias.
pub(super) fn listed(id: &str) -> Option<Arc<dyn AtMostK>> {
    amk::all().into_iter().find(|encoder| {
        let about = encoder.about();
        about.id == id || about.aliases.iter().any(|alias| alias == id)
    })
}

/// The refusal of a name that no encoder has.
fn refusal(id: &str, catalog: &Catalog) -> Failure {
    let list = "docs/at-most-k.md lists the encoders for --k";
    if catalog.encodings.find(id).is_ok() {
        return Failure::Input(format!("`{id}` does not encode at most k: {list}"));
    }
    if Path::new(id).is_file() {
        return Failure::Input(format!("`{id}` is a file, and no encoder of at most k: {list}"));
    }
    let unknown = UnknownId::new("encoder of at most k", id, ids());
    if unknown.near.is_some() {
        Failure::input(unknown)
    } else {
        Failure::Input(format!("{unknown}: {list}"))
    }
}

/// The named encoders. Programs are asked for these numbers of literals.
pub(super) fn encoders(
    ids: &[String],
    k: u64,
    numbers: &[u64],
    catalog: &Catalog,
) -> Result<Vec<Encoder>, Failure> {
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let mut found = Vec::new();
    for id in ids {
        if program::needs_programs(id) {
            match programs.find_for_bounds(id, k, numbers).map_err(Failure::input)? {
                Some(NamedEncoding::AtMostOne(encoder)) => found.push(Encoder::Recorded(encoder)),
                _ => {
                    return Err(Failure::Input(format!(
                        "`{id}` has no bounds to encode: a program of bounds is \
                         `{{command: ..., kind: at-most-k}}`"
                    )));
                }
            }
            continue;
        }
        let listed = listed(id).ok_or_else(|| refusal(id, catalog))?;
        found.push(Encoder::Listed(listed));
    }
    Ok(found)
}
