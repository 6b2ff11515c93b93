//! Messages that several commands print.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_experiment::packing::Packing;
pub(super) use bezzel_experiment::quantity::counted;
use bezzel_experiment::{Config, ExperimentRecord, NO_ENCODING, Verdict};
use bezzel_problem::{UnknownId, harmless_line};
use serde::Serialize;

use crate::failure::{CommandResult, Failure, shown};
use crate::terminal;

/// Prints a value as JSON, on lines of their own for its parts.
pub(super) fn print_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::work)?;
    Ok(writeln!(out, "{text}")?)
}

/// The config with this name below `root`.
pub(super) fn named_config(root: &Path, name: &str) -> PathBuf {
    root.join("configs").join(format!("{name}.yaml"))
}

/// The names of the configs below `root`.
pub(crate) fn config_names(root: &Path) -> Vec<String> {
    configs_in(&root.join("configs"))
}

/// The names of the configs in a folder, in their order.
fn configs_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut names: Vec<_> = files.filter(|path| is_config(path)).map(|path| stem(&path)).collect();
    names.sort();
    names
}

fn is_config(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "yaml")
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The file of a config: the given path, or `configs/NAME.yaml` for a name.
pub(super) fn config_file(root: &Path, given: &Path) -> Result<PathBuf, Failure> {
    let configs = root.join("configs");
    let named = named_config(root, &given.to_string_lossy());
    let is_bare = given.components().count() == 1;
    // A given file with the ending `.yaml` is no name of a config.
    let is_name = is_bare && !is_config(given);
    if is_name && !given.is_file() && named.is_file() {
        return Ok(named);
    }
    if is_constraints(given) {
        let given = shown(given);
        return Err(Failure::Input(format!(
            "`{given}` is a file of constraints, and not a config: `bezzel solve {given}` finds a solution, \
             `bezzel show {given}` its sizes under each encoding, `bezzel tune {given}` the best encoding for it"
        )));
    }
    // The reader of a path that cannot be examined gives the reason.
    if given.try_exists().unwrap_or(true) {
        return Ok(given.to_owned());
    }
    let folder = if is_bare { &configs } else { given.parent().unwrap_or(&configs) };
    // Names are compared without the folder and the ending, in which all are equal.
    let name = stem(given);
    let near = UnknownId::new("config", name.trim_end_matches(".yaml"), configs_in(folder)).near;
    let near = near.map(|near| folder.join(near).with_added_extension("yaml"));
    let beside = given.with_added_extension("yaml");
    let near = if is_name && beside.is_file() { Some(beside) } else { near };
    let near = near.map_or(String::new(), |near| format!("; did you mean `{}`?", shown(&near)));
    let given = shown(given);
    let looked = if is_name {
        format!(" (looked for `{given}` and `{}`)", shown(&named))
    } else {
        String::new()
    };
    Err(Failure::Input(format!("no config `{given}`{near}{looked}")))
}

/// The endings of files of constraints, before that of a compression.
const CONSTRAINTS: [&str; 7] = ["opb", "knf", "cnf", "cnfp", "wcnf", "wbo", "lp"];

/// True for the name of a file of constraints, by its ending.
pub(super) fn is_constraints(given: &Path) -> bool {
    let (_, plain) = Packing::of(given);
    plain.extension().is_some_and(|ending| CONSTRAINTS.iter().any(|known| ending == *known))
}

/// Success if nothing is at fault; otherwise the failure with the number of `faulty` things among all.
pub(super) fn all_right(what: &str, faulty: usize, all: usize) -> CommandResult {
    match faulty {
        0 => Ok(ExitCode::SUCCESS),
        _ => Err(Failure::Work(format!("{what}: {faulty} of {all}"))),
    }
}

/// Names every wrong answer and every contradiction; there must be none for the run to be a success.
pub(super) fn print_faults(record: &ExperimentRecord, out: &mut dyn Write) -> CommandResult {
    let wrong: Vec<_> = record.rows.iter().filter(|row| row.verdict == Verdict::Wrong).collect();
    for row in &wrong {
        let job = &row.job;
        let note = row.note.as_deref().unwrap_or_default();
        if job.task.backend().is_none() {
            let (encoding, board) = (job.encoding_label(), &job.instance);
            writeln!(out, "WRONG: {} of {encoding} on {board}: {note}", job.task)?;
            continue;
        }
        let formula = match job.encoding.as_str() {
            NO_ENCODING => String::new(),
            _ => format!(" with {} ({})", job.encoding_label(), job.numbering.id()),
        };
        writeln!(
            out,
            "WRONG: {} on {}{} answered {}: {}",
            job.solver, job.instance, formula, row.status, note
        )?;
    }
    for contradiction in &record.contradictions {
        writeln!(out, "CONTRADICTION: {}", harmless_line(&contradiction.to_string()))?;
    }
    match (wrong.len(), record.contradictions.len()) {
        (0, 0) => Ok(ExitCode::SUCCESS),
        (0, 1) => Err(Failure::Work("two answers contradict each other".into())),
        (0, _) => Err(Failure::Work("answers contradict each other".into())),
        (1, _) => Err(Failure::Work("1 answer is wrong".into())),
        (wrong, _) => Err(Failure::Work(format!("{wrong} answers are wrong"))),
    }
}

/// Prints the notes on a config to stderr.
pub(super) fn print_notes(config: &Config) {
    for note in &config.notes {
        // A closed stderr has no reader.
        let _ = writeln!(terminal::stderr(), "note: {note}");
    }
}

/// Warns of damage in the files of sessions, on the standard error.
pub(super) fn warn_of_damage(warnings: &[String]) {
    for warning in warnings {
        // A closed stderr has no reader.
        let _ = writeln!(terminal::stderr(), "WARNING: {warning}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_config_is_named_once_with_its_ending_and_a_near_one() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("configs")).unwrap();
        let smallest = named_config(root.path(), "smallest");
        fs::write(&smallest, "").unwrap();
        assert_eq!(config_file(root.path(), Path::new("smallest")).unwrap(), smallest);
        assert_eq!(config_file(root.path(), &smallest).unwrap(), smallest);
        let near = format!("; did you mean `{}`?", smallest.display());
        let twice = named_config(root.path(), "smallest.yaml").display().to_string();
        let other = named_config(root.path(), "smalest").display().to_string();
        let named = format!("{near} (looked for `smalest` and `{other}`)");
        for (given, end) in [
            ("smalest", &*named),
            ("smallest.yaml", &*near),
            ("smalest.yaml", &*near),
            (&*twice, &*near),
            (&*other, &*near),
            ("unlike.yaml", ""),
        ] {
            let Failure::Input(message) = config_file(root.path(), Path::new(given)).unwrap_err()
            else {
                panic!("{given}: a message about the input")
            };
            assert_eq!(message, format!("no config `{given}`{end}"));
        }
    }
}
