//! `bezzel report --against`: a comparison of two records.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::{Catalog, Config, StoredResults};
use bezzel_report::RecordComparison;

use super::{common, report};
use crate::arguments::ReportArguments;
use crate::failure::{CommandResult, Failure};

/// The largest width of a table in the text, in characters.
const WIDTH: usize = 120;

pub(crate) fn run(
    given: &Path,
    other: &Path,
    arguments: &ReportArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let read = |given| read(arguments.root.path(), given, catalog);
    let (a, b) = (read(given)?, read(other)?);
    for of in [&a, &b] {
        // The output for programs must not begin with a warning.
        common::warn_of_damage(&of.sessions.warnings());
    }
    let comparison = RecordComparison::new(&a, &b);
    if comparison.jobs.both == 0 {
        return Err(Failure::Input(format!(
            "`{}` and `{}` have no job in common: there is nothing to compare",
            a.name, b.name
        )));
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(&comparison).map_err(Failure::work)? + "\n"
    } else {
        comparison.text(WIDTH)
    };
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::from(u8::from(!comparison.is_sound())))
}

/// Reads the record of an experiment with the families of its config, if the config can still be read. It is named as
/// given, since names of experiments may be equal.
fn read(root: &Path, given: &Path, catalog: &Catalog) -> Result<StoredResults, Failure> {
    let folder = report::find(root, given, catalog)?;
    let mut record = StoredResults::open(&folder).map_err(Failure::input)?;
    record.name = given.to_string_lossy().into_owned();
    if let Some(last) = record.sessions.list.last()
        && let Ok(config) = Config::of_session(last, &folder, catalog)
    {
        record.families = config.families;
    }
    Ok(record)
}
