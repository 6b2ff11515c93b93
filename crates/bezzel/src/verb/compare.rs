//! `bezzel compare`: two records held against each other.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_lab::{Config, Measured, Workbench, git, store};
use bezzel_report::Comparison;

use super::{common, report};
use crate::arguments::{CompareArguments, ComparisonFormat};
use crate::failure::{Done, Failure, harmless};
use crate::scratch::Scratch;

pub(crate) fn run(
    arguments: &CompareArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Done {
    let read = |given| read(arguments.root.path(), given, workbench);
    let (a, b) = (read(&arguments.a)?, read(&arguments.b)?);
    for of in [&a, &b] {
        // What is printed for programs has nothing before it.
        common::warn_of_unlisted(&of.unlisted, &mut io::stderr())?;
    }
    let comparison = Comparison::new(&a, &b);
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
        ComparisonFormat::Text => harmless(&comparison.text()),
        ComparisonFormat::Markdown => harmless(&comparison.markdown()),
    };
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::from(u8::from(!comparison.is_sound())))
}

/// What was measured in an experiment, under the name by which it was asked for where its own would
/// not tell it from others.
fn read(root: &Path, given: &Path, workbench: &Workbench) -> Result<Measured, Failure> {
    let asked = given.to_string_lossy().into_owned();
    match report::find(root, given) {
        Ok(folder) => Ok(Measured { name: asked, ..open(&folder, workbench)? }),
        Err(unknown) => match asked.split_once(':') {
            Some((revision, folder)) if git::commit(root, revision).is_some() => {
                of_revision(root, revision, folder, workbench)
                    .map(|found| Measured { name: asked.clone(), ..found })
            }
            _ => Err(unknown),
        },
    }
}

/// The record in a folder, with the families that its config states if it can still be understood.
fn open(folder: &Path, workbench: &Workbench) -> Result<Measured, Failure> {
    let mut record = Measured::open(folder).map_err(Failure::input)?;
    let path = folder.join(store::CONFIG).display().to_string();
    let recalling = workbench.recalling(&record.rows);
    if let Ok(config) = Config::parse_frozen(&record.config, &path, &recalling) {
        record.families = config.families;
    }
    Ok(record)
}

/// What was measured in a folder of another revision.
fn of_revision(
    root: &Path,
    revision: &str,
    folder: &str,
    workbench: &Workbench,
) -> Result<Measured, Failure> {
    let commit = git::commit(root, revision)
        .ok_or_else(|| Failure::Input(format!("git knows no revision `{revision}`")))?;
    let folder = folder.trim_end_matches('/');
    let files = git::files(root, &commit, folder, &[]).map_err(Failure::input)?;
    let scratch = Scratch::new("compare")?;
    for file in &files {
        let path: PathBuf = scratch.path().join(&file.path);
        let above = path.parent().unwrap_or(scratch.path());
        fs::create_dir_all(above).and_then(|()| fs::write(&path, &file.bytes)).map_err(
            |error| Failure::Work(format!("cannot write `{}`: {error}", path.display())),
        )?;
    }
    open(&scratch.path().join(folder), workbench)
}
