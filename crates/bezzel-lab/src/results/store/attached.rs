//! Files that a config names.

/// A file that a config names, as it was when the config was read. It is frozen with the config.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Its path, relative to the config's folder.
    pub path: String,
    /// What is in it.
    pub text: String,
}
