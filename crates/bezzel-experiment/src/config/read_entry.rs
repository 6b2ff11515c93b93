//! The seam between configs and kinds of problems.

use serde_json::Value as Json;

use super::fields::KeySpec;
use super::instances::InstanceEntry;
use super::node::Node;
use super::source::{ConfigError, Source};
use crate::backend::catalog::Catalog;
use crate::results::store::Attached;

/// The reader of the entries of one kind of problems. This is all that configs know of a kind.
pub trait ReadEntry: Send + Sync {
    /// The key that names the kind.
    fn name(&self) -> &'static str;

    /// The keys of an entry.
    fn keys(&self) -> Vec<KeySpec>;

    /// The schema of an entry.
    fn schema(&self, catalog: &Catalog) -> Json;

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
