//! `bezzel compare`: a comparison of two records.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_experiment::{Catalog, Config, StoredResults, git, store};
use bezzel_report::RecordComparison;

use super::{common, report};
use crate::arguments::{CompareArguments, ComparisonFormat};
use crate::failure::{CommandResult, Failure};
use crate::scratch;
use crate::terminal;

pub(crate) fn run(
    arguments: &CompareArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let read = |given| read(arguments.root.path(), given, catalog);
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    for of in [&a, &b] {
        // The output for programs must not begin with a warning.
        common::warn_of_unlisted(&of.unlisted, &mut terminal::stderr())?;
    }
    let comparison = RecordComparison::new(&a, &b);
    if comparison.matched == 0 {
        return Err(Failure::Input(format!(
            "`{}` and `{}` have no job in common: there is nothing to compare",
            a.name, b.name
        )));
    }
    let text = match arguments.format {
        _ if arguments.json => {
            serde_json::to_string_pretty(&comparison).map_err(Failure::work)? + "\n"
        }
        ComparisonFormat::Text => comparison.text(),
        ComparisonFormat::Markdown => comparison.markdown(),
    };
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::from(u8::from(!comparison.is_sound())))
}

/// Reads the measurements of an experiment, and names them as given: names of experiments may be equal.
fn read(root: &Path, given: &Path, catalog: &Catalog) -> Result<StoredResults, Failure> {
    let given_name = given.to_string_lossy().into_owned();
    match report::find(root, given) {
        Ok(folder) => Ok(StoredResults { name: given_name, ..open(&folder, catalog)? }),
        Err(unknown) => match given_name.split_once(':') {
            Some((revision, folder)) if git::commit(root, revision).is_some() => {
                of_revision(root, revision, folder, catalog)
                    .map(|found| StoredResults { name: given_name.clone(), ..found })
            }
            _ => Err(unknown),
        },
    }
}

/// The record in a folder, with the families of its config if the config can still be read.
fn open(folder: &Path, catalog: &Catalog) -> Result<StoredResults, Failure> {
    let mut record = StoredResults::open(folder).map_err(Failure::input)?;
    let path = folder.join(store::CONFIG).display().to_string();
    if let Ok(config) = Config::parse_frozen(&record.config, &path, catalog) {
        record.families = config.families;
    }
    Ok(record)
}

/// The measurements in a folder of another revision.
fn of_revision(
    root: &Path,
    revision: &str,
    folder: &str,
    catalog: &Catalog,
) -> Result<StoredResults, Failure> {
    let commit = git::commit(root, revision)
        .ok_or_else(|| Failure::Input(format!("git knows no revision `{revision}`")))?;
    let folder = folder.trim_end_matches('/');
    let files = git::files(root, &commit, folder, &[]).map_err(Failure::input)?;
    let scratch = scratch::new("compare")?;
    for file in &files {
        let path: PathBuf = scratch.path().join(&file.path);
        let above = path.parent().unwrap_or(scratch.path());
        fs::create_dir_all(above).and_then(|()| fs::write(&path, &file.bytes)).map_err(
            |error| Failure::Work(format!("cannot write `{}`: {error}", path.display())),
        )?;
    }
    open(&scratch.path().join(folder), catalog)
}
