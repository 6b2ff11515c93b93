//! The seam between configs and kinds of problems.

use bezzel_problem::EntryForm;

use super::instances::InstanceEntry;
use super::node::Node;
use super::source::{ConfigError, Source};
use crate::results::store::Attached;

/// A key of the entries of a kind.
#[derive(Clone, Copy, Debug)]
pub struct KindKey {
    /// The key.
    pub name: &'static str,
    /// The meaning of its values, in a sentence.
    pub about: &'static str,
    /// The form of its values; none if the documentation of the kind describes them.
    pub form: Option<EntryForm>,
    /// True if an entry without it is refused.
    pub required: bool,
}

/// The reader of the entries of one kind of problems. This is all that configs know of a kind.
pub trait ReadEntry: Send + Sync {
    /// The key that names the kind.
    fn name(&self) -> &'static str;

    /// The keys of an entry.
    fn keys(&self) -> Vec<KindKey>;

    /// Reads the instances of an entry, and adds the files from which some of them were read.
    ///
    /// # Errors
    ///
    /// When the entry does not state instances of the kind, with the place of the fault.
    fn read(
        &self,
        source: &Source,
        node: &Node,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<InstanceEntry>, ConfigError>;
}
