//! The registry: the encodings, by their ids.
//!
//! The registry is a value. A program outside this repository adds its own encodings to [`Registry::standard`] and
//! passes the result to the command line. Configs, workers, checks and listings then have them like the others.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use bezzel_problem::{Instance, UnknownId, is_family, kinds};
use thiserror::Error;

use crate::amk::{self, AtMostOneAsK};
use crate::amo::cutoff::Cutoff;
use crate::amo::{self, AtMostOne, Family};
use crate::bound::{AtMostK, AtMostSum};
use crate::encoding::direct::Direct;
use crate::encoding::mixture::{DEFAULT, Mixture};
use crate::encoding::{self, Encoding};
use crate::info::EncodingInfo;
use crate::settings::{SettingAxis, Settings};
use crate::sums::{self, SumEncoding};

mod command;
mod name;
mod whole_properties;

pub use command::{COMMAND_KEYS, Command, CommandKind};
pub use name::{Name, NameSyntaxError, quoted};
pub use whole_properties::WholeProperties;

/// The keys of a name that is a mixture: the names of the families of groups of every kind of problem, and the key of all
/// other families. Mixtures have the names of the [families of files](is_family) as keys, too.
pub fn mixture_keys() -> Vec<&'static str> {
    let mut keys = Instance::families();
    keys.push(DEFAULT);
    keys
}

/// True if a name with this key is a mixture.
pub fn is_mixture_key(key: &str) -> bool {
    mixture_keys().contains(&key) || is_family(key)
}

/// The families of files that a mixture may name where a file has none.
const USUAL: [&str; 2] = ["at-most-one", "exactly-one"];

/// Refuses a mixture with a key that is the name of a family of files and names none of these families, but one of the two
/// usual ones. The other keys would encode its groups, and the name would tell of an encoding that is not used. The families
/// are made only if the mixture has such a key.
///
/// # Errors
///
/// The key, with the nearest family.
pub fn refuse_unmatched(
    name: &Name,
    families: impl FnOnce() -> BTreeSet<String>,
) -> Result<(), String> {
    let Name::Map(parts) = name else { return Ok(()) };
    let families = LazyCell::new(families);
    let is_unmatched = |(key, _): &&(String, Name)| {
        is_family(key) && !USUAL.contains(&&**key) && !families.contains(key)
    };
    let Some((key, _)) = parts.iter().find(is_unmatched) else { return Ok(()) };
    let listed = families.iter().cloned().collect::<Vec<_>>().join(", ");
    let help = match UnknownId::new("family", key, &*families).near {
        Some(near) => format!("did you mean `{near}`?"),
        None if families.is_empty() => "such families are in files".to_owned(),
        None => format!("the families are {listed}"),
    };
    Err(format!("no constraint is in the family `{key}`; {help}"))
}

/// The keys of a name that is a cut-off.
pub const CUTOFF_KEYS: [&str; 3] = ["short", "long", "at"];

/// The encodings that can be named.
#[derive(Clone, Default)]
pub struct Registry {
    at_most_ones: Vec<Arc<dyn AtMostOne>>,
    /// At-most-one encodings that can be named, and that no list and no pattern of names contains.
    unlisted: Vec<Arc<dyn AtMostOne>>,
    families: Vec<Family>,
    encodings: Vec<Arc<dyn Encoding>>,
    properties: Option<Arc<dyn WholeProperties>>,
}

impl amo::AtMostOneList for Registry {
    fn with_at_most_ones(self, all: impl IntoIterator<Item = Arc<dyn AtMostOne>>) -> Self {
        self.with_at_most_ones(all)
    }

    fn with_family(self, family: Family) -> Self {
        self.with_family(family)
    }
}

impl encoding::EncodingList for Registry {
    fn with_all<E: Encoding + 'static>(self, encodings: impl IntoIterator<Item = E>) -> Self {
        self.with_all(encodings)
    }
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// The encodings of Bezzel.
    pub fn standard() -> Self {
        let all = amo::register(Self::new()).with_at_most_ones(amk::as_at_most_one());
        let unlisted = sums::all().into_iter().chain(amk::unlisted_at_most_one());
        Self { unlisted: unlisted.collect(), ..encoding::register(all) }
    }

    /// This registry and one more encoding of whole problems.
    #[must_use]
    pub fn with(self, encoding: impl Encoding + 'static) -> Self {
        self.with_all([encoding])
    }

    /// This registry and more encodings of whole problems, of one type.
    #[must_use]
    pub fn with_all<E: Encoding + 'static>(
        mut self,
        encodings: impl IntoIterator<Item = E>,
    ) -> Self {
        let encodings = encodings.into_iter().map(|encoding| Arc::new(encoding) as _);
        self.encodings.extend(encodings);
        self
    }

    /// This registry and one more at-most-one encoding.
    #[must_use]
    pub fn with_at_most_one(self, at_most_one: impl AtMostOne + 'static) -> Self {
        self.with_at_most_ones([Arc::new(at_most_one) as Arc<dyn AtMostOne>])
    }

    /// This registry and one more encoder of larger bounds.
    #[must_use]
    pub fn with_at_most_k(self, encoder: impl AtMostK + 'static) -> Self {
        self.with_at_most_one(AtMostOneAsK(encoder))
    }

    /// This registry and one more encoder of weighted sums, whose counts have the clauses of `totalizer:cut`.
    #[must_use]
    pub fn with_sum(mut self, encoder: impl AtMostSum + 'static) -> Self {
        self.unlisted.push(SumEncoding::above_totalizer(encoder));
        self
    }

    /// This registry and more at-most-one encodings.
    #[must_use]
    pub fn with_at_most_ones(
        mut self,
        at_most_ones: impl IntoIterator<Item = Arc<dyn AtMostOne>>,
    ) -> Self {
        self.at_most_ones.extend(at_most_ones);
        self
    }

    /// This registry and one more family of at-most-one encodings.
    #[must_use]
    pub fn with_family(mut self, family: Family) -> Self {
        self.at_most_ones.extend(family.members());
        self.families.push(family);
        self
    }

    /// This registry, whose encodings of whole problems are tried by these properties.
    #[must_use]
    pub fn with_properties(self, properties: impl WholeProperties + 'static) -> Self {
        Self { properties: Some(Arc::new(properties)), ..self }
    }

    /// The properties by which encodings of whole problems are tried, if some were given.
    pub fn properties(&self) -> Option<&dyn WholeProperties> {
        self.properties.as_deref()
    }

    /// The at-most-one encodings that are listed, in order.
    pub fn at_most_ones(&self) -> &[Arc<dyn AtMostOne>] {
        &self.at_most_ones
    }

    /// The at-most-one encodings that can be named and are not listed.
    pub fn unlisted(&self) -> &[Arc<dyn AtMostOne>] {
        &self.unlisted
    }

    /// The encoders of weighted sums, in order. Their groups without weights have the clauses of other encodings.
    pub fn sums(&self) -> impl Iterator<Item = &Arc<dyn AtMostOne>> {
        self.unlisted.iter().filter(|encoding| encoding.of_sums().is_some())
    }

    /// The families of at-most-one encodings, in order: more of their members can be named than are listed.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The encodings that are not lifted from an at-most-one, in order.
    pub fn whole_encodings(&self) -> &[Arc<dyn Encoding>] {
        &self.encodings
    }

    /// The information on all listed encodings, at-most-one encodings first.
    pub fn infos(&self) -> Vec<EncodingInfo> {
        let at_most_ones = self.at_most_ones.iter().map(|encoding| encoding.info());
        at_most_ones.chain(self.encodings.iter().map(|encoding| encoding.info())).collect()
    }

    /// Every id and alias.
    fn names(&self) -> impl Iterator<Item = String> {
        let unlisted = self.unlisted.iter().map(|encoding| encoding.info());
        self.infos()
            .into_iter()
            .chain(unlisted)
            .flat_map(|info| std::iter::once(info.id).chain(info.aliases))
    }

    /// An id or alias that two encodings share, so that only the first could be named.
    pub fn duplicate_name(&self) -> Option<String> {
        let mut seen = HashSet::new();
        self.names().find(|name| !seen.insert(name.clone()))
    }

    /// Finds the encoding of this name: an id or alias, a family's name with a number, a mixture or a cut-off.
    ///
    /// # Errors
    ///
    /// When there is none; the error contains the nearest id, or the fault of the name.
    pub fn find(&self, name: &str) -> Result<NamedEncoding, NameError> {
        if name.trim_start().starts_with('{') {
            self.find_name(&Name::parse(name)?)
        } else {
            self.find_id(name)
        }
    }

    /// The encoding of a parsed name.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find).
    pub fn find_name(&self, name: &Name) -> Result<NamedEncoding, NameError> {
        match name {
            Name::Id(id) => self.find_id(id),
            Name::Map(parts) => self.find_parts(parts),
        }
    }

    /// The encoding that was registered under this id or alias.
    fn registered(&self, id: &str) -> Option<NamedEncoding> {
        let named = |info: &EncodingInfo| bears(info, id);
        let mut at_most_ones = self.at_most_ones.iter().chain(&self.unlisted);
        if let Some(found) = at_most_ones.find(|entry| named(&entry.info())) {
            return Some(NamedEncoding::AtMostOne(Arc::clone(found)));
        }
        let found = self.encodings.iter().find(|entry| named(&entry.info()));
        found.map(|found| NamedEncoding::Whole(Arc::clone(found)))
    }

    fn find_id(&self, id: &str) -> Result<NamedEncoding, NameError> {
        if let Some(found) = self.registered(id) {
            return Ok(found);
        }
        let (name, parameter) = id.split_once(':').unwrap_or((id, ""));
        let Some(family) = self.families.iter().find(|family| family.name == name) else {
            return Err(self.unknown(id));
        };
        let digits = parameter.split('+').next().unwrap_or_default();
        let number = digits.parse().ok().filter(|number| family.range.contains(number));
        let Some(number) = number else {
            return Err(NameError::Parameter {
                id: id.to_owned(),
                parameter: family.parameter,
                least: *family.range.start(),
                max: *family.range.end(),
                example: format!("{name}:{}", family.listed[0]),
            });
        };
        let variants = (family.make)(number);
        let Some(found) = variants.iter().find(|variant| bears(&variant.info(), id)) else {
            let ids = variants.iter().map(|variant| variant.info().id);
            return Err(UnknownId::new("encoding", id, ids).into());
        };
        Ok(NamedEncoding::AtMostOne(Arc::clone(found)))
    }

    /// The error for an id that no encoding has, or that several have with a word after it.
    fn unknown(&self, id: &str) -> NameError {
        let beginning = format!("{id}:");
        let ids: Vec<String> = self.names().filter(|name| name.starts_with(&beginning)).collect();
        if ids.is_empty() {
            UnknownId::new("encoding", id, self.names()).into()
        } else {
            NameError::Ambiguous { id: id.to_owned(), ids }
        }
    }

    /// A program, a mixture or a cut-off.
    fn find_parts(&self, parts: &[(String, Name)]) -> Result<NamedEncoding, NameError> {
        let part = |key: &str| parts.iter().find(|(other, _)| other == key).map(|(_, part)| part);
        if Command::is_meant(parts) {
            let id = Command::of(parts)?.to_string();
            return self.registered(&id).ok_or(NameError::Unrecorded(id));
        }
        let is_cutoff = CUTOFF_KEYS.iter().any(|key| part(key).is_some());
        let mixture_keys = mixture_keys();
        let is_mixture = parts.iter().any(|(key, _)| is_mixture_key(key));
        let all = [&COMMAND_KEYS[..], &mixture_keys, &CUTOFF_KEYS].concat();
        let keys: &[&str] = match (is_cutoff, is_mixture) {
            (true, _) => &CUTOFF_KEYS,
            (false, true) => &mixture_keys,
            // It may be meant for any of them.
            (false, false) => &all,
        };
        let is_known = |key: &str| keys.contains(&key) || !is_cutoff && is_family(key);
        if let Some((unknown, _)) = parts.iter().find(|(key, _)| !is_known(key)) {
            let keys = keys.iter().copied().chain(USUAL);
            return Err(UnknownId::new("key of an encoding", unknown, keys).into());
        }
        let needed = |key: &'static str, keys: &[&str]| {
            part(key).ok_or(NameError::Missing { key, keys: keys.join(", ") })
        };
        let line = |key: &'static str| self.find_at_most_one(needed(key, keys)?);
        if is_cutoff {
            let at = match needed("at", keys)? {
                Name::Id(text) => text.parse().map_err(|_| NameError::Length(text.clone()))?,
                Name::Map(_) => return Err(NameError::Length("{…}".into())),
            };
            let cutoff = Cutoff { short: line("short")?, long: line("long")?, at };
            return Ok(NamedEncoding::AtMostOne(Arc::new(cutoff)));
        }
        // A mixture with some families of a kind has those that belong together, or an encoding of all others.
        let joint = || kinds().iter().filter(|kind| !kind.joint_families.is_empty());
        if !is_mixture {
            let (first, keys) = joint().next().map_or((DEFAULT, &mixture_keys[..]), |kind| {
                (kind.joint_families[0], kind.families)
            });
            needed(first, keys)?;
        }
        for kind in joint().filter(|_| part(DEFAULT).is_none()) {
            if kind.families.iter().any(|key| part(key).is_some()) {
                let mut families = kind.joint_families.iter().copied();
                families.try_for_each(|key| needed(key, kind.families).map(drop))?;
            }
        }
        let fallback = |key: &str| {
            let all = kinds().iter().flat_map(|kind| kind.family_fallbacks);
            all.filter(|(family, _)| *family == key).find_map(|(_, other)| part(other))
        };
        // Keys of kinds are in the order of their list, and those of files in that of their names.
        let mut of_files: Vec<&str> = parts.iter().map(|(key, _)| key.as_str()).collect();
        of_files.retain(|key| !mixture_keys.contains(key));
        of_files.sort_unstable();
        let (default, of_kinds) = mixture_keys.split_last().expect("it has a default");
        let mut named = Vec::new();
        for key in of_kinds.iter().chain(&of_files).chain([default]).copied() {
            if let Some(name) = part(key).or_else(|| fallback(key)) {
                named.push((key.to_owned(), self.find_at_most_one(name)?));
            }
        }
        Ok(NamedEncoding::Mixture(Mixture::Parts(named)))
    }

    fn find_at_most_one(&self, name: &Name) -> Result<Arc<dyn AtMostOne>, NameError> {
        match self.find_name(name)? {
            NamedEncoding::AtMostOne(at_most_one) => Ok(at_most_one),
            found => Err(NameError::NotOfLines(found.info().id)),
        }
    }
}

/// True if this is the id or an alias in the information.
fn bears(info: &EncodingInfo, id: &str) -> bool {
    info.id == id || info.aliases.iter().any(|alias| alias == id)
}

/// An encoding that was found by its name.
#[derive(Clone)]
pub enum NamedEncoding {
    /// An at-most-one encoding, still to be lifted to problems.
    AtMostOne(Arc<dyn AtMostOne>),
    /// An at-most-one encoding for each family of groups, still to be lifted to problems.
    Mixture(Mixture),
    /// An encoding of whole problems, with its own set of constraints.
    Whole(Arc<dyn Encoding>),
}

impl NamedEncoding {
    /// The information on the encoding, without the constraints of an encoding that is not yet lifted.
    pub fn info(&self) -> EncodingInfo {
        match self {
            Self::AtMostOne(at_most_one) => at_most_one.info(),
            Self::Mixture(mixture) => mixture.info(),
            Self::Whole(encoding) => encoding.info(),
        }
    }

    /// True if it encodes groups, which [`Direct`] lifts to problems. Some settings are for these only.
    pub fn has_lines(&self) -> bool {
        matches!(self, Self::AtMostOne(_) | Self::Mixture(_))
    }

    /// True if its encodings have this setting.
    pub fn has(&self, axis: &SettingAxis) -> bool {
        axis.lines_only.is_none() || self.has_lines()
    }

    /// The encoding of problems under these settings; settings of groups apply only to lifted encodings.
    pub fn with_settings(&self, settings: impl Into<Settings>) -> Arc<dyn Encoding> {
        let settings = settings.into();
        match self {
            Self::AtMostOne(at_most_one) => Arc::new(Direct::new(at_most_one, settings)),
            Self::Mixture(mixture) => Arc::new(Direct::mixed(mixture.clone(), settings)),
            Self::Whole(encoding) => Arc::clone(encoding),
        }
    }
}

/// The reason why a name names no encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// No encoding has it.
    #[error(transparent)]
    Unknown(#[from] UnknownId),
    /// Several have it, with different words after a colon.
    #[error("`{id}` alone names no encoding; choose one of `{}`", .ids.join("`, `"))]
    Ambiguous {
        /// The name.
        id: String,
        /// The ids that begin with it.
        ids: Vec<String>,
    },
    /// It is no id, and no map of ids.
    #[error(transparent)]
    Malformed(#[from] NameSyntaxError),
    /// The number after the colon is missing, or out of range.
    #[error("`{id}`: the {parameter} is {least} to {max}, as in `{example}`")]
    Parameter {
        /// The name.
        id: String,
        /// The meaning of the number.
        parameter: &'static str,
        /// The least value.
        least: u32,
        /// The largest value.
        max: u32,
        /// A name with a number.
        example: String,
    },
    /// A map without one of its keys.
    #[error("the key `{key}` is missing; the keys are {keys}")]
    Missing {
        /// The key.
        key: &'static str,
        /// All of them.
        keys: String,
    },
    /// A cut-off at a value that is no length.
    #[error("`at` is the length from which lines are long, a whole number, not `{0}`")]
    Length(String),
    /// An encoding of whole problems in the place of one for groups.
    #[error("`{0}` encodes whole problems, so it cannot be a part of a mixture or a cut-off")]
    NotOfLines(String),
    /// A program's name that is malformed, with the reason.
    #[error("{0}")]
    Command(String),
    /// A program without a record, where no programs run.
    #[error("`{0}` is a program, and what it prints is not recorded")]
    Unrecorded(String),
}

impl NameError {
    /// The nearest known name, where one is near.
    pub fn near(&self) -> Option<&str> {
        match self {
            Self::Unknown(unknown) => unknown.near.as_deref(),
            _ => None,
        }
    }
}
