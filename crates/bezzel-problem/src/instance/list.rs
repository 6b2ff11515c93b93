//! The kinds that can be read and named.
//!
//! Reading a value by serde has no context, so the list belongs to the process. A program adds kinds of its own once,
//! before it reads anything, when it builds its catalog.

use std::ops::Deref;
use std::sync::{LazyLock, PoisonError, RwLock};

use serde::de::{self, DeserializeOwned};

use super::Instance;
use crate::entry::{EntryError, EntryKey, EntryValues};
use crate::file::ProblemFile;
use crate::kind::bin_packing::BinPacking;
use crate::kind::car_sequencing::CarSequencing;
use crate::kind::exact_cover::ExactCover;
use crate::kind::generalised_assignment::GeneralisedAssignment;
use crate::kind::graph_colouring::GraphColouring;
use crate::kind::imported::Imported;
use crate::kind::langford::Langford;
use crate::kind::latin_square::LatinSquare;
use crate::kind::max_square::MaxSquare;
use crate::kind::multidimensional_knapsack::MultidimensionalKnapsack;
use crate::kind::pigeonhole::Pigeonhole;
use crate::kind::{EntryKind, InstanceField, Kind};

/// A function that makes the instance of an entry.
pub type InstanceConstructor = fn(&EntryValues) -> Result<Instance, EntryError>;

/// The constants of a [`Kind`].
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// See [`Kind::ID`].
    pub id: &'static str,
    /// See [`Kind::TITLE`].
    pub title: &'static str,
    /// See [`Kind::NOUN`].
    pub noun: &'static str,
    /// See [`Kind::SIZE`].
    pub size: &'static str,
    /// See [`Kind::FAMILIES`].
    pub families: &'static [&'static str],
    /// See [`Kind::SUBJECT`].
    pub subject: &'static str,
    /// See [`Kind::GIVEN`].
    pub given: &'static str,
    /// See [`Kind::EXCLUDED`].
    pub excluded: &'static str,
    /// See [`Kind::JOINT_FAMILIES`].
    pub joint_families: &'static [&'static str],
    /// See [`Kind::FAMILY_FALLBACKS`].
    pub family_fallbacks: &'static [(&'static str, &'static str)],
    /// See [`Kind::FIELDS`].
    pub fields: &'static [InstanceField],
    /// See [`Kind::RANK`].
    pub rank: u16,
}

impl KindInfo {
    /// The constants of this kind.
    pub const fn of<K: Kind>() -> Self {
        Self {
            id: K::ID,
            title: K::TITLE,
            noun: K::NOUN,
            size: K::SIZE,
            families: K::FAMILIES,
            subject: K::SUBJECT,
            given: K::GIVEN,
            excluded: K::EXCLUDED,
            joint_families: K::JOINT_FAMILIES,
            family_fallbacks: K::FAMILY_FALLBACKS,
            fields: K::FIELDS,
            rank: K::RANK,
        }
    }
}

/// A kind in the list, with functions that make its instances.
#[derive(Clone, Debug)]
pub struct KindEntry {
    /// Its constants.
    pub info: KindInfo,
    /// The keys of an entry of a config and its constructor; none if the kind has no [`EntryKind`].
    pub entry: Option<(&'static [EntryKey], InstanceConstructor)>,
    /// See [`EntryKind::examples`].
    pub examples: fn() -> Vec<Instance>,
    pub(crate) read:
        fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<Instance, erased_serde::Error>,
}

impl KindEntry {
    /// The entry of a kind whose instances a config does not describe by keys.
    pub const fn of<K: Kind>() -> Self {
        Self {
            info: KindInfo::of::<K>(),
            entry: None,
            examples: Vec::new,
            read: |value| read::<K>(value),
        }
    }

    /// The entry of a kind whose instances a config describes by keys.
    pub const fn with_entries<K: EntryKind>() -> Self {
        Self {
            entry: Some((K::ENTRY, |values| Ok(K::instance(values)?.into()))),
            examples: || K::examples().into_iter().map(Into::into).collect(),
            ..Self::of::<K>()
        }
    }
}

impl Deref for KindEntry {
    type Target = KindInfo;

    fn deref(&self) -> &KindInfo {
        &self.info
    }
}

fn read<K: Kind + DeserializeOwned>(
    value: &mut dyn erased_serde::Deserializer<'_>,
) -> Result<Instance, erased_serde::Error> {
    let instance = erased_serde::deserialize::<K>(value)?.checked();
    instance.map(Into::into).map_err(de::Error::custom)
}

/// The kinds of a process, in order.
#[derive(Clone, Debug)]
pub struct Kinds {
    entries: Vec<KindEntry>,
    ids: Vec<&'static str>,
}

impl Kinds {
    /// The names of the kinds.
    pub fn ids(&self) -> &[&'static str] {
        &self.ids
    }

    /// The kind of this name.
    pub fn find(&self, id: &str) -> Option<&KindEntry> {
        self.entries.iter().find(|kind| kind.id == id)
    }

    /// The name, the keys and the constructor of every kind with entries.
    pub fn with_entries(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static [EntryKey], InstanceConstructor)> + '_ {
        self.entries.iter().filter_map(|kind| kind.entry.map(|(keys, make)| (kind.id, keys, make)))
    }

    fn of(mut entries: Vec<KindEntry>) -> &'static Self {
        entries.sort_by_key(|kind| (kind.rank, kind.id));
        let ids = entries.iter().map(|kind| kind.id).collect();
        Box::leak(Box::new(Self { entries, ids }))
    }
}

impl Deref for Kinds {
    type Target = [KindEntry];

    fn deref(&self) -> &[KindEntry] {
        &self.entries
    }
}

static KINDS: LazyLock<RwLock<&'static Kinds>> = LazyLock::new(|| {
    RwLock::new(Kinds::of(vec![
        KindEntry::with_entries::<LatinSquare>(),
        KindEntry::with_entries::<Pigeonhole>(),
        KindEntry::with_entries::<GraphColouring>(),
        KindEntry::with_entries::<Langford>(),
        KindEntry::with_entries::<ExactCover>(),
        KindEntry::with_entries::<MaxSquare>(),
        KindEntry::with_entries::<CarSequencing>(),
        KindEntry::with_entries::<MultidimensionalKnapsack>(),
        KindEntry::with_entries::<BinPacking>(),
        KindEntry::with_entries::<GeneralisedAssignment>(),
        KindEntry::with_entries::<ProblemFile>(),
        KindEntry::of::<Imported>(),
    ]))
});

/// The kinds of this process, by [rank](Kind::RANK).
pub fn kinds() -> &'static Kinds {
    *KINDS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a kind to those of this process. A kind with the name of a known one takes its place.
pub fn add_kind(kind: &KindEntry) {
    let mut all = KINDS.write().unwrap_or_else(PoisonError::into_inner);
    let others = all.iter().filter(|known| known.id != kind.id).cloned();
    *all = Kinds::of(others.chain([kind.clone()]).collect());
}
