//! The configs, records and reports that come with the sources. The user's own lie beside them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The names in a folder of the sources that git tracks; all names where it tracks none, as in an unpacked archive.
pub(crate) fn committed(folder: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git =
        Command::new("git").args(["ls-files", "-z", "--", folder]).current_dir(&root).output();
    let tracked = git.map(|found| found.stdout).unwrap_or_default();
    let tracked = String::from_utf8_lossy(&tracked);
    let first = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let below = |path: &str| Some(first(path.strip_prefix(folder)?.strip_prefix('/')?));
    let names: BTreeSet<String> = tracked.split('\0').filter_map(below).collect();
    if !names.is_empty() {
        return names;
    }
    let entries = fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap);
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}
