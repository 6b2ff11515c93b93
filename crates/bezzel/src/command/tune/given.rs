//! The instances that the command line gives.

use std::fs;
use std::path::{Path, PathBuf};

use bezzel_experiment::config::{derived_name, exact_pattern, given_instances};
use bezzel_experiment::{input, packing};
use bezzel_problem::{Goal, Instance, ProblemFile, harmless_line, is_obeyed};
use serde_json::{Value as Json, json};

use crate::arguments::{TuneArguments, note_unused, read_problem};
use crate::failure::{Failure, cannot, shown};

/// Endings of compressed files.
const PACKED: [&str; 3] = [".gz", ".xz", ".bz2"];

/// The given files, or the given entry of `problems`.
pub(super) enum Given<'a> {
    Files(Vec<GivenFile>),
    Entry(&'a str),
}

/// A file with its name, which is that of its copy.
pub(super) struct GivenFile {
    pub(super) path: PathBuf,
    pub(super) name: String,
    /// The name of its folder, if several folders are given.
    pub(super) family: Option<String>,
}

impl<'a> Given<'a> {
    /// The files of the command line and of its folders, or its entry. Files are not read yet.
    pub(super) fn new(arguments: &'a TuneArguments) -> Result<Self, Failure> {
        if let Some(entry) = &arguments.problem {
            return Ok(Self::Entry(entry));
        }
        let mut files: Vec<GivenFile> = Vec::new();
        let is_family = |path: &&PathBuf| path.is_dir();
        let has_families = arguments.files.iter().filter(is_family).count() > 1;
        for path in &arguments.files {
            let family = if has_families && path.is_dir() { Some(name_of(path)?) } else { None };
            let found = if path.is_dir() { files_of(path)? } else { vec![path.clone()] };
            for path in found {
                let name = name_of(&path)?;
                if let Some(GivenFile { path: other, .. }) =
                    files.iter().find(|other| other.name == name)
                {
                    let whole = |path: &Path| path.canonicalize().unwrap_or(path.to_owned());
                    let is_same = whole(other) == whole(&path);
                    let (other, path) = (shown(other), shown(&path));
                    return Err(Failure::Input(if is_same {
                        format!("`{path}` is given twice")
                    } else {
                        format!("`{other}` and `{path}` have the same name: rename one")
                    }));
                }
                files.push(GivenFile { path, name, family: family.clone() });
            }
        }
        Ok(Self::Files(files))
    }

    /// The name of the experiment if none is given: from the first file or folder, or from the kind.
    pub(super) fn experiment(&self, arguments: &TuneArguments) -> String {
        let text = match (self, arguments.files.first()) {
            (Self::Entry(entry), _) => {
                let entry = entry.trim_start_matches(['{', ' ', '"', '\'']);
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
                entry.split(|c| !is_part(c)).next().unwrap_or_default().to_owned()
            }
            (Self::Files(_), Some(path)) => {
                // A path such as `..` has no name of its own.
                let whole = path.canonicalize();
                let named = path.file_name().or(whole.as_deref().ok().and_then(Path::file_name));
                let name = named.unwrap_or_default().to_string_lossy().into_owned();
                if path.is_dir() { name } else { without_endings(&name).to_owned() }
            }
            (Self::Files(_), None) => String::new(),
        };
        derived_name("tune-", &text)
    }

    /// The instances, and the entries of `problems` for them in the config of the experiment `name`.
    pub(super) fn read(
        &self,
        name: &str,
        configs: &Path,
    ) -> Result<(Vec<Instance>, Vec<Json>), Failure> {
        match self {
            Self::Entry(text) => {
                let (entry, mut instances) =
                    given_instances("--problem", text, configs).map_err(Failure::input)?;
                instances.sort();
                instances.dedup();
                Ok((instances, vec![entry]))
            }
            Self::Files(files) => {
                let instances = files.iter().map(|file| read_problem(&file.path));
                let mut instances: Vec<Instance> =
                    instances.map(|file| file.map(Instance::from)).collect::<Result<_, _>>()?;
                instances.iter().for_each(note_unused);
                instances.sort();
                for (one, other) in instances.iter().zip(instances.iter().skip(1)) {
                    if one == other {
                        return Err(Failure::Input(format!(
                            "`{one}` and `{other}` have the same constraints: give one of them"
                        )));
                    }
                }
                Ok((instances, self.entries(name, &configs.join(name))))
            }
        }
    }

    /// The entries of `problems` for the copies of the files, which are in this folder. A copy stands for a file that is no
    /// longer there.
    pub(super) fn entries(&self, name: &str, copies: &Path) -> Vec<Json> {
        let Self::Files(files) = self else { return Vec::new() };
        let entry = |file: &GivenFile| {
            let named = format!("{name}/{}", exact_pattern(&file.name));
            let copy = copies.join(&file.name);
            let mut entry = json!({"file": named});
            if has_objective(if file.path.exists() { &file.path } else { &copy }) {
                entry["objective"] = json!(Goal::IGNORED);
            }
            if let Some(family) = &file.family {
                entry["family"] = json!(family);
            }
            entry
        };
        files.iter().map(entry).collect()
    }
}

/// True for a file with an objective. One that cannot be read is refused elsewhere.
fn has_objective(path: &Path) -> bool {
    let read = packing::read_whole(path).ok().and_then(|it| ProblemFile::read("", None, it).ok());
    read.is_some_and(|file| file.objective().is_some())
}

/// The regular files in a folder, in the order of their names.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(cannot("read", folder))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        return Err(Failure::Input(format!("the folder `{}` has no file", shown(folder))));
    }
    files.sort();
    Ok(files)
}

/// The name of a file, which must be text that a terminal shows.
fn name_of(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().unwrap_or_default();
    let refused = |reason: &str| {
        let shown = harmless_line(&path.to_string_lossy());
        Failure::Input(format!("the name of the file `{shown}` {reason}: rename the file"))
    };
    let name = name.to_str().ok_or_else(|| refused("is not UTF-8 text"))?;
    if name.chars().any(is_obeyed) {
        return Err(refused("has control characters"));
    }
    Ok(name.to_owned())
}

/// The name of a file without its last ending, and without that of a compressed file.
fn without_endings(name: &str) -> &str {
    let packed = PACKED.iter().find_map(|ending| name.strip_suffix(ending));
    let name = packed.unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// Reads a given file as it is, to be copied.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    input::read(path, packing::MAX_CONTENT).map_err(cannot("read", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_left_out_of_names() {
        for (name, stem) in [
            ("lo_8x8_009.opb", "lo_8x8_009"),
            ("a.b.opb.gz", "a.b"),
            ("plain", "plain"),
            (".knf", ".knf"),
            ("x.xz", "x"),
        ] {
            assert_eq!(without_endings(name), stem);
        }
    }
}
