//! Vendoring of dependencies into an archive, so that it builds without a network.

use std::env;
use std::fs;
use std::path::Path;
use std::time::Duration;

use bezzel_process::{Exit, Program};

use super::entry::{ArchiveEntry, below};
use super::{ArtifactError, Sources};
use crate::record::git::ENVIRONMENT;
use crate::results::store::failed;

/// The time limit, which suffices for a slow network.
const WALL: Duration = Duration::from_mins(30);

/// The config by which cargo finds the dependencies.
const CONFIG: &str = "\
[source.crates-io]
replace-with = \"vendored-sources\"

[source.vendored-sources]
directory = \"vendor\"
";

/// Runs `cargo vendor` on the sources in the folder `scratch`, and returns the files of the dependencies. The folder
/// must exist as long as the files are read.
///
/// # Errors
///
/// When cargo cannot be run, or a dependency is missing.
pub fn vendor(sources: &Sources, scratch: &Path) -> Result<Vec<ArchiveEntry>, ArtifactError> {
    // Files that determine which programs cargo and rustup run are packed, but have no effect here.
    let is_obeyed = |path: &str| {
        path.split('/').any(|part| part == ".cargo" || part.starts_with("rust-toolchain"))
    };
    for entry in sources.files.iter().filter(|entry| !is_obeyed(&entry.path)) {
        let path = scratch.join(&entry.path);
        let folder = path.parent().unwrap_or(scratch);
        fs::create_dir_all(folder).map_err(failed("make", folder))?;
        fs::write(&path, entry.bytes()?).map_err(failed("write", &path))?;
    }
    let given = |name: &&str| Some(((*name).into(), env::var_os(name)?));
    let program = Program {
        args: ["cargo", "vendor", "--locked", "--quiet", "vendor"].map(Into::into).into(),
        environment: ENVIRONMENT.iter().filter_map(given).collect(),
        directory: Some(scratch.to_owned()),
        ..Program::new("/usr/bin/env", WALL)
    };
    let outcome = program.run(None).map_err(|error| ArtifactError::Vendor(error.to_string()))?;
    if outcome.exit != Exit::Code(0) {
        return Err(ArtifactError::Vendor(outcome.stderr.text().trim().to_owned()));
    }
    // Without dependencies cargo creates no folder.
    if !scratch.join("vendor").exists() {
        return Ok(Vec::new());
    }
    let mut entries = below(&scratch.join("vendor"), "sources/vendor", &[], &mut Vec::new())?;
    let own = sources.files.iter().find(|entry| entry.path == ".cargo/config.toml");
    let own = own.map(ArchiveEntry::bytes).transpose()?;
    let own = own.map_or(String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
    entries.push(ArchiveEntry::text("sources/.cargo/config.toml", format!("{own}\n{CONFIG}")));
    Ok(entries)
}
