//! Instances: a kind of problem behind one type.

mod agreement;
mod any;
mod json;
pub(crate) mod list;

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use any::AnyKind;
use list::kinds;

use crate::file::ProblemFile;
use crate::kind::imported::Imported;
use crate::kind::{Kind, ReportedKind};

/// The instance that a job names: small, serialisable and hashed. It is cheap to clone.
///
/// In JSON it is a map with one entry, whose key is the [`ID`](Kind::ID) of the kind.
/// The [kinds of the process](kinds) can be read. A hash of kind and value is kept beside it, since reports look up
/// instances once for each row.
#[derive(Clone)]
pub struct Instance(Arc<dyn AnyKind>, u64);

impl<K: Kind> From<K> for Instance {
    fn from(instance: K) -> Self {
        let mut hasher = DefaultHasher::new();
        K::ID.hash(&mut hasher);
        instance.hash(&mut hasher);
        Self(Arc::new(instance), hasher.finish())
    }
}

impl Instance {
    /// The instance as a value of its kind; none if it is of another kind.
    pub fn get<K: Kind>(&self) -> Option<&K> {
        let value: &dyn Any = &*self.0;
        value.downcast_ref()
    }

    /// The title of the kind.
    pub fn title(&self) -> &'static str {
        self.info().title
    }

    /// See [`Kind::SIZE`].
    pub fn size_title(&self) -> &'static str {
        self.info().size
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

    /// True if the problem can be built: all but imported ones and those of files that this process has not read.
    pub fn has_problem(&self) -> bool {
        self.get::<Imported>().is_none() && self.file().is_none_or(ProblemFile::is_read)
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

/// The methods of its kind.
impl Deref for Instance {
    type Target = dyn AnyKind;

    fn deref(&self) -> &Self::Target {
        &*self.0
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
        Arc::ptr_eq(&self.0, &other.0) || (self.1 == other.1 && self.cmp(other).is_eq())
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
        state.write_u64(self.1);
    }
}
