//! The versions of an experiment's config. `config.yaml` is the current one; `configs/1/`, `configs/2/` and so on
//! contain the earlier ones, each with the files that it names.
//!
//! The current version is copied before any file of it is replaced, and `config.yaml` is replaced last. If the program
//! ends in between, the old config stays in force. Files of the same names may then be those of the new config, but the
//! copy has the old ones, and the next run continues. Each copy has a file `replaced-by`, the digest of the version
//! that replaces it. If the current version has another digest and its config is still that of the copy, its writing
//! was interrupted, and it is not copied. Otherwise it was changed after it was written, and it is copied.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::OpenMode;
use super::error::failed;
use super::{Attached, CONFIG, ROWS, Store, StoreError, whole};
use crate::results::input::{self, LARGEST_DOCUMENT};

/// The folder of earlier configs.
pub const VERSIONS: &str = "configs";

/// The digest of the next version, in the folder of a version.
const NEXT: &str = "replaced-by";

/// The largest number of earlier versions of a config.
const MAX_VERSIONS: u32 = 9_999;

impl Store {
    /// Replaces the config with its files, and keeps the old config with its files.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written, or when all numbers of versions are taken. The old config is then kept,
    /// or still in force.
    pub fn renew(
        &self,
        before: (&str, &[Attached]),
        config: &str,
        files: &[Attached],
    ) -> Result<(), StoreError> {
        let (text, attached) = before;
        let versions = self.path(VERSIONS);
        let mut last = None;
        for number in 1..=MAX_VERSIONS {
            let folder = versions.join(number.to_string());
            if self.read(&folder.join(CONFIG))?.is_some() {
                last = Some(folder);
                continue;
            }
            let next = digest(config, files);
            let is_interrupted = match &last {
                Some(last) => {
                    let replaced_by = self.read(&last.join(NEXT))?;
                    let present = digest(text, attached);
                    replaced_by.is_some_and(|whole| whole != present.as_bytes())
                        && self.read(&last.join(CONFIG))?.as_deref() == Some(text.as_bytes())
                }
                None => false,
            };
            if let Some(last) = last.filter(|_| is_interrupted) {
                self.write(&last.join(NEXT), next.as_bytes())?;
            } else {
                // A folder with a config is complete, so the digest is written first.
                whole::make_folder(self.disk.as_ref(), &folder)?;
                self.write(&folder.join(NEXT), next.as_bytes())?;
                self.write_config(&folder, text, attached)?;
            }
            return self.write_config(&self.files.folder, config, files);
        }
        let full = io::Error::other(format!(
            "it has {MAX_VERSIONS} versions already, the most there can be"
        ));
        Err(failed("keep a config in", &versions)(full))
    }

    /// Returns the content of a file, if it exists.
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        let mut bytes = Vec::new();
        let opened = self.disk.open(path, OpenMode::Read);
        match opened.and_then(|file| input::read_all(file, LARGEST_DOCUMENT, &mut bytes)) {
            Ok(()) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read", path)(error)),
        }
    }
}

/// The digest of a config with its files.
fn digest(config: &str, files: &[Attached]) -> String {
    let mut hasher = blake3::Hasher::new();
    let parts = files.iter().flat_map(|Attached { path, bytes }| [path.as_bytes(), bytes]);
    for part in std::iter::once(config.as_bytes()).chain(parts) {
        hasher.update(&part.len().to_le_bytes()).update(part);
    }
    hasher.finalize().to_hex().to_string()
}

/// The earlier configs of an experiment, the first one first.
pub fn kept_versions(experiment: &Path) -> Vec<PathBuf> {
    let path = |number: u32| experiment.join(VERSIONS).join(number.to_string()).join(CONFIG);
    (1..=MAX_VERSIONS).map(path).take_while(|path| path.is_file()).collect()
}

/// True if a file is the config of an experiment, or an earlier version of it.
pub(crate) fn is_frozen_copy(path: &Path) -> bool {
    let is_config = path.file_name().is_some_and(|name| name == CONFIG);
    let version = path.parent().and_then(Path::parent);
    let version = version.filter(|folder| folder.file_name().is_some_and(|name| name == VERSIONS));
    is_config && version.unwrap_or(path).with_file_name(ROWS).is_file()
}
