//! Instances: a kind of problem behind one type.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::drawing::Drawing;
use crate::file::ProblemFile;
use crate::grid::Grid;
use crate::kind::{Kind, KindEntry, KindSearch, KnownFacts, ReportedKind, kinds};
use crate::literal::Candidate;
use crate::problem::{EncoderRequest, Problem};
use crate::solution::Solution;
use crate::unknown::UnknownId;

/// The instance that a job names: small, serialisable and hashed. It is cheap to clone.
///
/// In JSON it is a map with one entry, whose key is the [`KEY`](Kind::KEY) of the kind.
/// The [kinds of the process](kinds) can be read.
#[derive(Clone)]
pub struct Instance(Arc<dyn AnyKind>);

/// A value of any kind. Every [`Kind`] is one.
trait AnyKind: fmt::Display + erased_serde::Serialize + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn entry(&self) -> &'static KindEntry;
    fn order(&self, other: &Instance) -> Ordering;
    fn hash(&self, state: &mut dyn Hasher);
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

    fn entry(&self) -> &'static KindEntry {
        const { &KindEntry::of::<K>() }
    }

    fn order(&self, other: &Instance) -> Ordering {
        match other.get::<K>() {
            Some(other) => self.cmp(other),
            None => (K::RANK, K::ID).cmp(&(other.entry().rank, other.kind())),
        }
    }

    fn hash(&self, mut state: &mut dyn Hasher) {
        K::ID.hash(&mut state);
        Hash::hash(self, &mut state);
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

impl<K: Kind> From<K> for Instance {
    fn from(instance: K) -> Self {
        Self(Arc::new(instance))
    }
}

impl Instance {
    /// The instance as a value of its kind; none if it is of another kind.
    pub fn get<K: Kind>(&self) -> Option<&K> {
        self.0.as_any().downcast_ref()
    }

    /// The entry of its kind.
    pub fn entry(&self) -> &'static KindEntry {
        self.0.entry()
    }

    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        self.entry().id
    }

    /// The title of the kind.
    pub fn title(&self) -> &'static str {
        self.entry().title
    }

    /// The word for the instance in messages: see [`Kind::NOUN`].
    pub fn noun(&self) -> &'static str {
        self.entry().noun
    }

    /// See [`Kind::SIZE`].
    pub fn size_title(&self) -> &'static str {
        self.entry().size
    }

    /// See [`Kind::size`].
    pub fn size(&self) -> u32 {
        self.0.size()
    }

    /// See [`Kind::problem`].
    pub fn problem(&self) -> Problem {
        self.0.problem()
    }

    /// See [`Kind::label`].
    pub fn label(&self, candidate: Candidate) -> String {
        self.0.label(candidate)
    }

    /// See [`Kind::draw`].
    pub fn draw(&self, solution: &Solution) -> String {
        self.0.draw(solution)
    }

    /// See [`Kind::drawing`].
    pub fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        self.0.drawing(solution)
    }

    /// See [`Kind::check`].
    ///
    /// # Errors
    ///
    /// The first rule that is violated, in words.
    pub fn check(&self, solution: &Solution) -> Result<(), String> {
        self.0.check(solution)
    }

    /// See [`Kind::grid`].
    pub fn grid(&self) -> Option<Grid> {
        self.0.grid()
    }

    /// See [`Kind::without_given`].
    pub fn without_given(&self) -> Option<Self> {
        self.0.without_given()
    }

    /// See [`Kind::encoder_request`].
    pub fn encoder_request(&self) -> Option<EncoderRequest> {
        self.0.encoder_request()
    }

    /// See [`Kind::known`].
    pub fn known(&self) -> KnownFacts {
        self.0.known()
    }

    /// See [`Kind::search`].
    pub fn search(&self) -> KindSearch {
        self.0.search()
    }

    /// The answers of its kind to the questions of reports.
    pub fn reported(&self) -> &dyn ReportedKind {
        /// A kind that has the default answers.
        struct DefaultKind;

        impl ReportedKind for DefaultKind {}

        self.0.reported().unwrap_or(&DefaultKind)
    }

    /// The file, if the instance is one of constraints in a file.
    pub fn file(&self) -> Option<&ProblemFile> {
        self.get()
    }

    /// True if the problem can be built: all but those of files that this process has not read.
    pub fn has_problem(&self) -> bool {
        self.file().is_none_or(ProblemFile::is_read)
    }

    /// See [`Kind::identity`].
    pub fn identity(&self) -> Option<Self> {
        self.0.identity()
    }

    /// Small instances of every kind with entries, on which tests try every encoding.
    pub fn examples() -> Vec<Self> {
        kinds().iter().flat_map(|kind| (kind.examples)()).collect()
    }

    /// The names of the families of groups of every kind, each once.
    pub fn families() -> Vec<&'static str> {
        let mut names: Vec<&'static str> = Vec::new();
        for name in kinds().iter().flat_map(|kind| kind.families) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        names
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instance({}: {self})", self.kind())
    }
}

impl PartialEq for Instance {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.cmp(other).is_eq()
    }
}

impl Eq for Instance {}

impl PartialOrd for Instance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By kind, then by value.
impl Ord for Instance {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.order(other)
    }
}

impl Hash for Instance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Serialize for Instance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &dyn erased_serde::Serialize = &*self.0;
        serializer.serialize_newtype_variant("Instance", 0, self.entry().key, value)
    }
}

impl<'de> Deserialize<'de> for Instance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As an enum: so the instance may stand among the keys of a job.
        deserializer.deserialize_enum("Instance", kinds().keys(), OneEntry)
    }
}

/// Reads a map with one entry, whose key is that of a kind.
struct OneEntry;

impl<'de> Visitor<'de> for OneEntry {
    type Value = Instance;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map whose one key is a kind of instance")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Instance, A::Error> {
        let (key, value) = data.variant::<String>()?;
        let kinds = kinds();
        match kinds.iter().find(|kind| kind.key == key) {
            Some(kind) => value.newtype_variant_seed(OfKind(kind)),
            None => Err(de::Error::custom(UnknownId::new("kind of instance", &key, kinds.keys()))),
        }
    }
}

/// Reads the value of an instance of this kind.
struct OfKind(&'static KindEntry);

impl<'de> DeserializeSeed<'de> for OfKind {
    type Value = Instance;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Instance, D::Error> {
        let mut erased = <dyn erased_serde::Deserializer<'_>>::erase(deserializer);
        (self.0.read)(&mut erased).map_err(de::Error::custom)
    }
}
