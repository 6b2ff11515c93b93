//! `bezzel report`: the answer, rendered again from the evidence.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_encode::format::shell_word;
use bezzel_experiment::experiment::PlannedExperiment;
use bezzel_experiment::{Catalog, Config, Experiment, ExperimentRecord, ReportFile, store};
use bezzel_problem::{UnknownId, harmless_line};
use bezzel_report::{Paths, ReportError};

use super::common::{self, counted};
use crate::Workbench;
use crate::arguments::ReportArguments;
use crate::failure::{CommandResult, Failure, shown};
use crate::progress::Steps;
use crate::scratch;

pub(crate) fn run(
    arguments: &ReportArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let root = arguments.root.path();
    if arguments.experiment.is_none() && !arguments.all {
        return list(root, false, out);
    }
    if arguments.pdf && !bezzel_report::HAS_PDF {
        return Err(Failure::Input(
            "--pdf: this program was built without PDF; `cargo install --locked --path crates/bezzel --features pdf` installs \
             one that writes PDF and PNG"
                .into(),
        ));
    }
    if let Some(given) = &arguments.experiment {
        let mut catalog = catalog.clone();
        catalog.parts.columns.clone_from(&arguments.columns);
        return checked(&[render_or_check(given, arguments, &catalog, out)?]);
    }
    let names = names(root);
    if names.is_empty() {
        let folder = root.join("reports");
        return Err(Failure::Input(format!("no report is in `{}`", shown(&folder))));
    }
    let (mut checks, mut failed) = (Vec::new(), 0);
    for name in &names {
        match render_or_check(Path::new(name), arguments, catalog, out) {
            Ok(check) => checks.push(check),
            Err(Failure::Input(problem) | Failure::Work(problem)) => {
                failed += 1;
                Failure::Input(format!("{name}: {problem}")).report();
            }
            Err(failure) => return Err(failure),
        }
    }
    if failed > 0 {
        let all = counted(names.len(), "report");
        return Err(Failure::Input(format!("{failed} of {all} not rendered")));
    }
    checked(&checks)
}

/// Lists the experiments with their sessions, the reports over several, and their pages.
pub(super) fn list(root: &Path, json: bool, out: &mut dyn Write) -> CommandResult {
    let mut all = names(root);
    all.extend(experiments(root));
    if json {
        common::print_json(&all, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for name in &all {
        let files = store::session_files(&Experiment::folder(root, name)).unwrap_or_default();
        let page = folder(root, name).join("index.html");
        let page = if page.is_file() { shown(&page) } else { "no page".to_owned() };
        writeln!(out, "{name:<40}  {:>11}  {page}", counted(files.len(), "session"))?;
    }
    writeln!(
        out,
        "`bezzel report NAME` writes the page of one, `bezzel status NAME` counts its jobs, `bezzel run CONFIG` adds one."
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The findings of the check of a report.
#[derive(Clone, Copy, Default)]
struct Check {
    /// A new rendering has other bytes.
    differs: bool,
    /// A claim of the author does not hold, or a number of the answer is missing.
    unconfirmed: bool,
}

/// Renders or checks the report of this name, folder or config, after the warnings of its record.
fn render_or_check(
    given: &Path,
    arguments: &ReportArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<(String, Check), Failure> {
    let root = arguments.root.path();
    let record = of_name(root, given, catalog, out)?;
    let is_config = given.extension().is_some_and(|ending| ending == "yaml");
    let command = command_of(&if is_config { shown(given) } else { record.name.clone() });
    warn(&record, out)?;
    if arguments.check {
        let check = check_rendered(&record, &command, arguments, catalog, out)?;
        return Ok((record.name, check));
    }
    let paths = render_by(&command, &record, catalog, root, arguments.quiet)?;
    // The last line is a path: the Python package reads it.
    warn_unconfirmed(&record.name, &paths, out)?;
    writeln!(out, "{}", shown(&paths.index))?;
    if let Some(width) = arguments.width {
        let folder = folder(root, &record.name);
        bezzel_report::lay_out(&folder, &paths.figures, width).map_err(Failure::work)?;
    }
    if arguments.pdf {
        let written = bezzel_report::write_pdf(&folder(root, &record.name), &paths.figures);
        for path in written.map_err(Failure::work)? {
            writeln!(out, "{}", shown(&path))?;
        }
    }
    Ok((record.name, Check::default()))
}

/// Prints the claims and the numbers of the author that the rows do not confirm. Returns true if there are some.
pub(super) fn warn_unconfirmed(
    name: &str,
    paths: &Paths,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let unconfirmed = paths.answer.iter().flat_map(|answer| &answer.unconfirmed);
    for sentence in unconfirmed.clone() {
        writeln!(out, "WARNING: {name}: {sentence}")?;
    }
    Ok(unconfirmed.count() > 0)
}

/// Prints warnings of several versions of a solver and of damage.
fn warn(record: &ExperimentRecord, out: &mut dyn Write) -> Result<(), Failure> {
    for (solver, versions) in record.several_versions() {
        let versions: Vec<_> = versions.into_iter().collect();
        let versions = harmless_line(&versions.join(", "));
        writeln!(out, "WARNING: rows of {solver} are of versions {versions}")?;
    }
    for warning in &record.damage {
        writeln!(out, "WARNING: {warning}")?;
    }
    if record.repeated > 0 {
        let jobs = counted(record.repeated, "job");
        writeln!(out, "{jobs} measured by several sessions: the first session counts")?;
    }
    Ok(())
}

/// The names of all reports. They are those with a file in `configs/reports`, and those in `reports` with the name of
/// an experiment.
pub(super) fn names(root: &Path) -> BTreeSet<String> {
    let entries = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    let named = entries(root.join("configs").join("reports"));
    let named = named.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    let named = named.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let made = entries(root.join("reports")).filter(|path| path.join("report.md").is_file());
    let made = made.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let made = made.filter(|name| Experiment::folder(root, name).is_dir());
    named.chain(made).collect()
}

/// The files from which a report is made, and its committed Markdown.
pub(super) fn inputs(root: &Path, name: &str) -> Vec<PathBuf> {
    let file = ReportFile::path(root, name);
    let parts = ReportFile::read(&file).map(|file| file.experiments);
    let parts = parts.unwrap_or_else(|_| vec![name.to_owned()]);
    // A config may have been run under another name than its own.
    let own = store::config_name(&Experiment::folder(root, name));
    let configs = own.into_iter().chain([name.to_owned()]);
    let configs = configs.map(|name| common::named_config(root, &name));
    let evidence = parts.iter().flat_map(|part| {
        let files = store::session_files(&Experiment::folder(root, part)).unwrap_or_default();
        files.into_iter().map(|file| file.path)
    });
    let report = folder(root, name).join("report.md");
    [file, report].into_iter().chain(configs).chain(evidence).collect()
}

/// Compares a new rendering with the files of the report that a repository keeps. Prints the names of files that
/// differ and the claims that do not hold, and writes no file.
fn check_rendered(
    record: &ExperimentRecord,
    command: &str,
    arguments: &ReportArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<Check, Failure> {
    let scratch = scratch::new("report")?;
    let paths = rendered(record, command, scratch.path(), catalog, arguments.quiet)?;
    let kept = folder(arguments.root.path(), &record.name);
    let files = |folder: &Path| -> BTreeSet<String> {
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| bezzel_report::is_kept(name)).collect()
    };
    let all: BTreeSet<String> = files(scratch.path()).union(&files(&kept)).cloned().collect();
    let text = |folder: &Path, name: &str| std::fs::read(folder.join(name)).ok();
    let differs = |name: &&String| text(scratch.path(), name) != text(&kept, name);
    let differing: Vec<_> = all.iter().filter(differs).map(String::as_str).collect();
    let name = &record.name;
    if differing.is_empty() {
        writeln!(out, "{name}: equal in {}", counted(all.len(), "file"))?;
    } else {
        writeln!(out, "{name}: differs in {}", differing.join(", "))?;
    }
    let unconfirmed = warn_unconfirmed(name, &paths, out)?;
    Ok(Check { differs: !differing.is_empty(), unconfirmed })
}

/// Fails if a check has found something.
fn checked(checks: &[(String, Check)]) -> CommandResult {
    let named = |is: fn(&Check) -> bool| -> Vec<&str> {
        checks.iter().filter(|(_, check)| is(check)).map(|(name, _)| &**name).collect()
    };
    let mut problems = Vec::new();
    let differing = named(|check| check.differs);
    if let [first, others @ ..] = &differing[..] {
        let (differ, given) = match others.len() {
            0 => ("1 report differs".to_owned(), *first),
            number => (format!("{} reports differ", number + 1), "--all"),
        };
        problems.push(format!(
            "{differ} from what is rendered now: `bezzel report {given}` writes the files again"
        ));
    }
    let unconfirmed = named(|check| check.unconfirmed);
    if !unconfirmed.is_empty() {
        problems.push(format!(
            "the rows do not confirm the answer of {}: mend the claims, or the question",
            unconfirmed.join(", ")
        ));
    }
    if problems.is_empty() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Failure::Work(problems.join("; ")))
    }
}

/// The record of the report or the experiment with this name, with the statements of its author.
fn of_name(
    root: &Path,
    given: &Path,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<ExperimentRecord, Failure> {
    let own = given.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // The path of another folder names no report.
    let is_name = given == Path::new(own) || given == Experiment::folder(root, own);
    if let Some(file) = own_file(root, own).map_err(Failure::input)?.filter(|_| is_name) {
        let is_own = file.experiments == [own];
        let records = file.experiments.iter().map(|name| open(root, Path::new(name), catalog));
        let mut records = records.collect::<Result<Vec<_>, _>>()?;
        let record = match records.pop() {
            Some(record) if is_own => record,
            last => {
                records.extend(last);
                ExperimentRecord::combined(own, records)
            }
        };
        return Ok(record.stated(file));
    }
    if is_config(given) {
        return of_config(root, given, catalog, out);
    }
    stated(open(root, given, catalog)?, root, None, catalog, out)
}

fn is_config(given: &Path) -> bool {
    given.extension().is_some_and(|ending| ending == "yaml") && given.is_file()
}

/// The record of the experiment of a config, by this config instead of that of the last session.
pub(super) fn of_config(
    root: &Path,
    file: &Path,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<ExperimentRecord, Failure> {
    let name = Config::read(file, &catalog.catalog).map_err(Failure::input)?.name;
    let folder = find(root, Path::new(&name), catalog)?;
    by_config(&folder, root, file, catalog, out)
}

/// The record in a folder by the config in a file, with the statements of its author.
pub(super) fn by_config(
    folder: &Path,
    root: &Path,
    file: &Path,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<ExperimentRecord, Failure> {
    let record = ExperimentRecord::open_by(folder, Some(file), catalog).map_err(Failure::input)?;
    stated(record, root, Some(file), catalog, out)
}

/// The file of the report with this name, if there is one. A report over several experiments has a name of its own.
fn own_file(root: &Path, name: &str) -> Result<Option<ReportFile>, String> {
    let path = ReportFile::path(root, name);
    if !path.is_file() {
        return Ok(None);
    }
    let file = ReportFile::read(&path).map_err(|error| error.to_string())?;
    if file.experiments != [name] && Experiment::folder(root, name).exists() {
        return Err(format!(
            "`{}` is of other experiments, and there is an experiment `{name}`, which has a report of this name: give \
             the file another name",
            shown(&path)
        ));
    }
    Ok(Some(file))
}

fn open(root: &Path, given: &Path, catalog: &Workbench) -> Result<ExperimentRecord, Failure> {
    ExperimentRecord::open(&find(root, given, catalog)?, catalog).map_err(Failure::input)
}

/// Refuses an author's part that names figures or tables that no report has, or arms and cells that no job has. No
/// evidence is needed for this.
pub(super) fn check(
    root: &Path,
    PlannedExperiment { config, plan, .. }: &PlannedExperiment,
    catalog: &Workbench,
) -> Result<(), Failure> {
    let file = own_file(root, &config.name).map_err(Failure::input)?;
    let spec = file.as_ref().map_or(&config.report, |file| &file.spec);
    bezzel_report::check(spec, &catalog.parts).map_err(Failure::input)?;
    if file.as_ref().is_some_and(|file| file.experiments != [&*config.name]) {
        return Ok(());
    }
    let names = ExperimentRecord::of_names(config, plan);
    bezzel_report::check_names(spec, &names, &catalog.encodings).map_err(Failure::input)
}

/// The config in which a report looks for its author's part, if the report has no file of its own.
fn config_of(root: &Path, record: &ExperimentRecord) -> PathBuf {
    common::named_config(root, &record.config_name)
}

/// True if `bezzel report` reads the author's part of a record from the file from which it was read.
pub(super) fn is_found_by_name(root: &Path, record: &ExperimentRecord) -> bool {
    let files = [ReportFile::path(root, &record.name), config_of(root, record)];
    files.iter().any(|file| shown(file) == record.report.source.path())
}

/// The record of an experiment with the statements of its author, from the report's file or else from the config. A
/// config that was not just run must plan all jobs of the record. Else it describes another experiment by now.
pub(super) fn stated(
    record: ExperimentRecord,
    root: &Path,
    run: Option<&Path>,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<ExperimentRecord, Failure> {
    if let Some(file) = own_file(root, &record.name).map_err(Failure::input)? {
        return Ok(record.stated(file));
    }
    let named = config_of(root, &record);
    let config = run.unwrap_or(&named);
    if run.is_none() && !named.is_file() {
        // A config that lies elsewhere is not found again. The last session has its author's part.
        return stated_in_session(record, catalog, out);
    }
    let file = ReportFile::find(root, &record.name, config, &record.config_name);
    let Some(file) = file.map_err(Failure::input)? else { return Ok(record) };
    // The plan of a config that cannot be planned here is unknown.
    if run.is_some() || record.is_planned_by(config, catalog).unwrap_or(false) {
        return Ok(record.stated(file));
    }
    writeln!(
        out,
        "WARNING: `{}` does not plan all jobs of `{}` now: the report states no answer of this file; write one in `{}`",
        shown(config),
        record.name,
        shown(&ReportFile::path(root, &record.name))
    )?;
    stated_in_session(record, catalog, out)
}

/// The record with the author's part that its last session states, as far as this version reads it.
fn stated_in_session(
    record: ExperimentRecord,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<ExperimentRecord, Failure> {
    let session = &record.config_from;
    let (mut file, ignored) =
        ReportFile::of_session(&record.name, session, &record.stated_in_session);
    if let Some(ignored) = ignored {
        writeln!(out, "note: {ignored}")?;
    }
    if let Err(unknown) = bezzel_report::check(&file.spec, &catalog.parts) {
        let unknown = unknown.to_string();
        let first = unknown.lines().next().unwrap_or_default();
        writeln!(out, "note: the report has its default figures and tables: {first}")?;
        let spec = &mut file.spec;
        (spec.lead_figure, spec.figures, spec.tables) = (None, None, None);
    }
    Ok(record.stated(file))
}

/// The experiment's folder: the given one if it holds an experiment, that of a given config, or the one of that name.
pub(super) fn find(root: &Path, given: &Path, catalog: &Catalog) -> Result<PathBuf, Failure> {
    let config = is_config(given).then(|| Config::read(given, catalog).ok()).flatten();
    let given = config.as_ref().map_or(given, |config| Path::new(&config.name));
    let folder = root.join("experiments");
    let named = folder.join(given);
    // A name alone is one of this root, wherever the command was started.
    let is_name = given.components().count() == 1;
    let looked = if is_name { [&named, given] } else { [given, &named] };
    for folder in looked {
        if store::is_experiment(folder) {
            return Ok(folder.to_owned());
        }
    }
    let names = experiments(root);
    // A config and a report have the name of their experiment.
    let stem = given.file_stem().unwrap_or_default().to_string_lossy();
    if let Some(name) = names.iter().find(|name| **name == stem) {
        let given = shown(given);
        return Err(Failure::Input(format!("`{given}` is no experiment; did you mean `{name}`?")));
    }
    let unknown = UnknownId::new("experiment", &given.to_string_lossy(), &names);
    let others = match (&unknown.near, unknown.known.is_empty() && !names.is_empty()) {
        (None, true) => "; `bezzel status` lists all",
        _ => "",
    };
    Err(Failure::Input(format!(
        "{unknown}{others} (looked in `{}` for a folder with sessions)",
        shown(&folder)
    )))
}

/// The names of the experiments below `root`, in their order.
pub(crate) fn experiments(root: &Path) -> Vec<String> {
    let known = std::fs::read_dir(root.join("experiments")).into_iter().flatten().flatten();
    let known = known.filter(|entry| store::is_experiment(&entry.path()));
    let names = known.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// The folder of the report of an experiment.
pub(crate) fn folder(root: &Path, name: &str) -> PathBuf {
    root.join("reports").join(name)
}

/// Renders the report into its folder, and the index of all reports beside it.
pub(crate) fn render(
    record: &ExperimentRecord,
    catalog: &Workbench,
    root: &Path,
    quiet: bool,
) -> Result<Paths, Failure> {
    render_by(&command_of(&record.name), record, catalog, root, quiet)
}

/// Renders the report into its folder by another command, which the report names.
fn render_by(
    command: &str,
    record: &ExperimentRecord,
    catalog: &Workbench,
    root: &Path,
    quiet: bool,
) -> Result<Paths, Failure> {
    let paths = rendered(record, command, &folder(root, &record.name), catalog, quiet)?;
    bezzel_report::index(&root.join("reports")).map_err(Failure::work)?;
    Ok(paths)
}

/// Renders the report into this folder.
fn rendered(
    record: &ExperimentRecord,
    command: &str,
    folder: &Path,
    catalog: &Workbench,
    quiet: bool,
) -> Result<Paths, Failure> {
    let mut shown = Steps::new(quiet);
    let observe =
        &mut |step: bezzel_report::RenderProgress| shown.show(step.next, step.done, step.of);
    let registry = &catalog.encodings;
    let paths =
        bezzel_report::render_watched(record, registry, &catalog.parts, folder, command, observe);
    shown.finish();
    paths.map_err(|error| match error {
        ReportError::Stated { .. } | ReportError::Columns(_) => Failure::input(error),
        _ => Failure::work(error),
    })
}

/// The command that makes a report by its name. It does not depend on the typed command line, so that the same rows
/// give the same bytes.
fn command_of(name: &str) -> String {
    format!("bezzel report {}", shell_word(name))
}
