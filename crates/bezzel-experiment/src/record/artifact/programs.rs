//! The programs that the rows of a record name: those that encode are packed, the others are listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use bezzel_encode::registry::Name;

use super::ArtifactError;
use super::entry::ArchiveEntry;
use crate::backend::command;
use crate::record::evidence::ExperimentRecord;

/// The largest size of a packed script. A larger file is listed.
const MAX_BYTES: u64 = 16 << 20;

/// The files and programs that a record needs beside Bezzel.
#[derive(Clone, Debug, Default)]
pub struct ArtifactPrograms {
    /// The files that commands of encoders name, each under its own path.
    pub files: Vec<ArchiveEntry>,
    /// The commands of encoders, each with the words that name packed files.
    pub encoders: BTreeMap<String, Vec<String>>,
    /// Solvers and counters that are separate programs, with the versions that the rows name.
    pub solvers: BTreeMap<String, BTreeSet<String>>,
}

impl ArtifactPrograms {
    /// Finds the programs that rows name. A word of a command is a file of the encoder if it is the path of a regular
    /// file below `here`, where the command was run, and no component of it begins with a dot.
    ///
    /// # Errors
    ///
    /// When a file cannot be read.
    pub fn of(record: &ExperimentRecord, here: &Path) -> Result<Self, ArtifactError> {
        let mut found = Self::default();
        let names: BTreeSet<&str> = record.rows.iter().map(|row| &*row.job.encoding).collect();
        for name in names {
            // A malformed name names no program.
            let commands = Name::parse(name).ok().and_then(|name| name.commands().ok());
            for command in commands.into_iter().flatten() {
                let mut packed = Vec::new();
                for word in words(&command.line) {
                    if let Some(file) = file(here, &word) {
                        found.files.push(ArchiveEntry::file(file, word.clone())?);
                        packed.push(word);
                    }
                }
                found.encoders.insert(command.line, packed);
            }
        }
        for row in &record.rows {
            let name = &row.job.solver;
            if command::is_program_job(&row.job) {
                let versions = found.solvers.entry(name.clone()).or_default();
                versions.insert(row.solver_version.clone());
            }
        }
        Ok(found)
    }

    /// Returns the programs that must be installed, one line for each.
    pub(super) fn needed(&self) -> Vec<String> {
        let interpreter = |(line, packed): (&String, &Vec<String>)| {
            let program = words(line).into_iter().next().unwrap_or_default();
            let is_packed = packed.contains(&program);
            (!is_packed && !program.is_empty())
                .then(|| format!("`{program}`, which the encoder `{line}` begins with."))
        };
        let solver = |(name, versions): (&String, &BTreeSet<String>)| {
            let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
            format!("The solver or counter `{name}`, measured as version {}.", versions.join(", "))
        };
        let encoders = self.encoders.iter().filter_map(interpreter);
        encoders.chain(self.solvers.iter().map(solver)).collect()
    }

    /// True if the rows name no program.
    pub(super) fn is_empty(&self) -> bool {
        self.encoders.is_empty() && self.solvers.is_empty()
    }
}

/// Returns the words of a command line, without their quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (None, _) if letter.is_whitespace() => words.push(String::new()),
            _ => words.last_mut().expect("there is one").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The file below `here` that a word names, if it names one.
fn file(here: &Path, word: &str) -> Option<PathBuf> {
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        Component::CurDir => true,
        _ => false,
    };
    let path = Path::new(word);
    if !path.components().all(is_plain) {
        return None;
    }
    let path = here.join(path);
    // Links may lead outside of `here`.
    let there = path.symlink_metadata().ok()?;
    let within = path.canonicalize().ok()?.starts_with(here.canonicalize().ok()?);
    (there.is_file() && within && there.len() <= MAX_BYTES).then_some(path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn words_that_are_files_below_are_packed_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path().join("here");
        fs::create_dir_all(here.join("sub/.git")).unwrap();
        for name in ["a.py", "sub/b c.py", ".hidden", "sub/.git/config", "../outside.py"] {
            fs::write(here.join(name), "text").unwrap();
        }
        symlink("a.py", here.join("link.py")).unwrap();
        symlink("..", here.join("up")).unwrap();
        let line = "python3 a.py 'sub/b c.py' sub .hidden sub/.git/config ../outside.py link.py \
                    up/outside.py /etc/passwd none.py \"a.py\"";
        let found: Vec<String> =
            words(line).into_iter().filter(|word| file(&here, word).is_some()).collect();
        assert_eq!(found, ["a.py", "sub/b c.py", "a.py"]);
        assert_eq!(words("  ./enc   --n \"two words\" "), ["./enc", "--n", "two words"]);
    }
}
