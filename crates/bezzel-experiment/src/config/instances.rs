//! The instances of an experiment, with the settings that an entry of `problems` gives them.

use std::collections::HashMap;

use bezzel_encode::{SettingAxis, Settings};
use bezzel_problem::Instance;

use super::axes::SettingValues;
use super::fields::Fields;
use super::label;
use super::source::{ConfigError, Source, SourceLocation};

/// An instance with its own settings: shuffles, family and constraints.
#[derive(Clone, Debug)]
pub struct InstanceEntry {
    /// The instance.
    pub instance: Instance,
    /// The largest number of shuffles of each numbering on it.
    pub shuffles: Option<u32>,
    /// The family of instances to which it belongs, if the config names one. Reports group by family. No job has it
    /// in its key.
    pub family: Option<String>,
    /// The names of its sets of constraints; none if it has those of the matrix.
    pub constraints: Option<Vec<String>>,
    /// True for a file with an objective whose use the entry does not state.
    pub has_open_objective: bool,
    /// The place of the entry in the config.
    pub place: SourceLocation,
}

/// The axis of constraints. A board may have its own constraints.
pub const CONSTRAINTS: &SettingAxis = &Settings::AXES[0];
const _: () = assert!(matches!(CONSTRAINTS.key.as_bytes(), b"constraints"));

impl InstanceEntry {
    /// Returns an instance without settings of its own.
    pub fn new(instance: Instance, place: SourceLocation) -> Self {
        Self {
            instance,
            shuffles: None,
            family: None,
            constraints: None,
            has_open_objective: false,
            place,
        }
    }

    /// The names of the values of a setting on this board.
    pub(crate) fn values<'a>(&'a self, of_matrix: &'a SettingValues) -> &'a [String] {
        match &self.constraints {
            Some(own) if of_matrix.axis.key == CONSTRAINTS.key => own,
            _ => &of_matrix.stated,
        }
    }
}

/// The keys of entries of every kind.
pub(super) const OF_ENTRIES: [&str; 2] = ["shuffles", "family"];

/// Reads the values of [`OF_ENTRIES`]: the largest number of shuffles, and the family.
pub(super) fn of_entry(
    source: &Source,
    fields: &Fields<'_>,
) -> Result<(Option<u32>, Option<String>), ConfigError> {
    let shuffles = fields.whole("shuffles", 0..=u32::MAX.into())?.map(|shuffles| shuffles as u32);
    let family = fields.get("family").map(|node| label::read(source, node, &label::FAMILY));
    Ok((shuffles, family.transpose()?))
}

/// Returns the stated families, by board.
///
/// Refuses a board of two families. A board may be in the matrix and in an inclusion.
pub(super) fn families<'a>(
    source: &Source,
    entries: impl Iterator<Item = &'a InstanceEntry>,
) -> Result<HashMap<Instance, String>, ConfigError> {
    let mut families: HashMap<&Instance, (&str, SourceLocation)> = HashMap::new();
    for entry in entries {
        let Some(family) = entry.family.as_deref() else { continue };
        let (known, place) = *families.entry(&entry.instance).or_insert((family, entry.place));
        if known != family {
            let message = format!(
                "the {} {} is of the family `{family}` here, and of `{known}` in line {}, column {}",
                entry.instance.noun(),
                entry.instance,
                place.line,
                place.column
            );
            return Err(source.error(entry.place, message).hint("name the same family in both"));
        }
    }
    let owned = |(instance, (family, _)): (&Instance, (&str, SourceLocation))| {
        (instance.clone(), family.to_owned())
    };
    Ok(families.into_iter().map(owned).collect())
}
