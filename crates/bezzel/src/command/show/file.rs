//! `bezzel show FILE`: the constraints of a file, and the size of every encoding of them.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::format::shell_word;
use bezzel_encode::{Constraints, Size};
use bezzel_experiment::packing::Packing;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::file::{Changes, Format};
use bezzel_problem::layout::{table, wrapped};
use bezzel_problem::{Alignment, Instance, Kind as _, Problem, ProblemFile};

use crate::arguments::{ShowArguments, note_unused, read_problem};
use crate::command::common::counted;
use crate::failure::{CommandResult, Failure, shown};
use crate::output::{refuse_replacing, write_file};
use crate::phase::{self, Phase};

/// Shows the file with this path, under the encodings of these ids, or under all.
pub(super) fn run(
    path: &Path,
    ids: &[String],
    arguments: &ShowArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.json {
        return Err(Failure::Input(format!(
            "--json is for profiles of encodings: `{}` is a file of constraints, and not an encoding",
            shown(path)
        )));
    }
    let mut file = read_problem(path)?;
    phase::begin(Phase::Generating);
    let read = file.clone();
    let mut found = None;
    if arguments.detect {
        let (line, stated) = detected((path, &file), arguments.output.as_deref())?;
        (found, file) = (Some(line), stated);
    }
    let instance = Instance::from(file);
    note_unused(&instance);
    let problem = instance.problem();
    print_summary(&read, found.as_deref(), &problem, out)?;
    print_families(&problem, out)?;
    if problem.families().is_empty() && ids.is_empty() {
        let detect = match (read.format(), &found) {
            (Some(Format::Cnf), None) => "; `--detect` searches groups in them",
            _ => "",
        };
        writeln!(out, "\nThere are no groups: every encoding writes these clauses{detect}")?;
    } else {
        print_alignment(&Alignment::of(&problem), out)?;
        print_sizes(&instance, &problem, ids, catalog, out)?;
    }
    if found.is_some() && !problem.families().is_empty() {
        let output = arguments.output.as_deref();
        let word = |path: &Path| shell_word(&path.to_string_lossy());
        let stated = output.map_or_else(|| "FILE.knf".to_owned(), word);
        let write = match output {
            None => format!("`bezzel show {} --detect -o {stated}` writes them, and ", word(path)),
            Some(_) => String::new(),
        };
        writeln!(out, "\n{write}`bezzel encode {stated} --encoding ID` encodes them anew")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches constraints in the clauses of a file. Returns the number of each in a line, and the file that states them,
/// which is written to `output`.
fn detected(
    (path, file): (&Path, &ProblemFile),
    output: Option<&Path>,
) -> Result<(String, ProblemFile), Failure> {
    let in_file = |error| Failure::Input(format!("{}: {error}", shown(path)));
    let found = file.detected().map_err(in_file)?;
    let text = file.with_detected(&found);
    if let Some(output) = output {
        refuse_replacing(Some(file), output)?;
        write_file(output, |file| {
            let mut packed = Packing::of(output).0.write(file)?;
            packed.write_all(text.as_bytes())?;
            Ok(packed.finish()?)
        })?;
    }
    let all = file.constraints().clauses().len();
    let [replaced, clauses] = [all - found.rest.len(), all].map(|number| grouped(number as u128));
    let at_most = found.at_most.iter().map(Vec::len).zip(1..).filter(|(number, _)| *number > 0);
    let parts: Vec<String> = at_most
        .map(|(number, k)| format!("{} at most {k}", counted(number, "constraint")))
        .collect();
    let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
    let end = if found.is_partial { "; the search ended at its limit" } else { "" };
    let line = format!("detected: {parts}, in the place of {replaced} of {clauses} clauses{end}");
    let name = output.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| file.name().to_owned());
    let stated = ProblemFile::read(name, output.map(Path::to_owned), text).map_err(in_file)?;
    Ok((line, stated))
}

/// Prints the numbers of variables and constraints, and of the constraints that reading the file changed.
fn print_summary(
    file: &ProblemFile,
    detected: Option<&str>,
    problem: &Problem,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Changes { constraints, merged, always_true, never_true } =
        file.changes().unwrap_or_default();
    let format = file.format().map_or("", |format| format.name());
    let variables = counted(problem.candidates() as usize, "variable");
    writeln!(
        out,
        "{file}: {format}, {variables}, {}",
        counted(constraints as usize, "constraint")
    )?;
    detected.map_or(Ok(()), |line| writeln!(out, "  {line}"))?;
    let changes = [
        (merged, "with a variable in two terms or without weight, merged"),
        (always_true, "always true, omitted"),
        (never_true, "never true, an empty clause"),
    ];
    for (constraints, what) in changes.iter().filter(|(constraints, _)| *constraints > 0) {
        writeln!(out, "  {}: {what}", counted(*constraints as usize, "constraint"))?;
    }
    if let Some(set) = file.projection() {
        let (variables, line) = (counted(set.variables.len(), "variable"), set.position.line);
        writeln!(
            out,
            "  projection set: {variables}, by `{}` in line {line}; `solve --count --projected` counts by it",
            set.word
        )?;
    }
    Ok(())
}

/// Prints a table of the families and the clauses: their number, the shortest, median and longest, all literals, and the
/// place of the first group.
fn print_families(problem: &Problem, out: &mut dyn Write) -> Result<(), Failure> {
    let head =
        ["family", "bounds", "groups", "shortest", "median", "longest", "literals", "first in"];
    let row = |name: &str, bounds: &str, mut lengths: Vec<u64>, place: String| {
        lengths.sort_unstable();
        let at = |index: usize| lengths.get(index).copied().unwrap_or(0);
        let (number, literals) = (lengths.len() as u64, lengths.iter().sum());
        let longest = lengths.last().copied().unwrap_or(0);
        let numbers = [number, at(0), at(lengths.len() / 2), longest, literals];
        let [number, shortest, median, longest, literals] = numbers.map(|it| grouped(it.into()));
        vec![name.into(), bounds.into(), number, shortest, median, longest, literals, place]
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(problem.families().iter().map(|family| {
        let place = family.origin();
        let place = place.map(|it| format!("line {}, column {}", it.line, it.column));
        let (bounds, lengths) = (family.bounds().to_string(), family.lengths().collect());
        row(family.name(), &bounds, lengths, place.unwrap_or_default())
    }));
    if !problem.clauses().is_empty() {
        let lengths = problem.clauses().iter().map(|clause| clause.len() as u64).collect();
        rows.push(row("clauses", "at least 1", lengths, String::new()));
    }
    writeln!(out)?;
    write_rows(&rows, |column| (2..7).contains(&column), out)
}

/// Prints the agreement of the groups on the order of their candidates.
fn print_alignment(found: &Alignment, out: &mut dyn Write) -> Result<(), Failure> {
    let sample = if found.is_sample { ", in a sample" } else { "" };
    let all = [("common", found.common), ("linked", found.linked)];
    for (place, (name, of)) in all.into_iter().filter(|(_, of)| of.pairs > 0).enumerate() {
        let share = 100.0 * of.aligned as f64 / of.pairs as f64;
        let [aligned, pairs] = [of.aligned, of.pairs].map(|number| grouped(number.into()));
        let line = if place == 0 { "\n" } else { "" };
        writeln!(
            out,
            "{line}aligned: {share:.0} % of the pairs of groups with {name} candidates ({aligned} of {pairs}{sample})"
        )?;
    }
    Ok(())
}

/// Prints the sizes of encodings, and the reasons of those that have none. Encodings for boards are left out unless they
/// are named.
fn print_sizes(
    instance: &Instance,
    problem: &Problem,
    ids: &[String],
    catalog: &Catalog,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let is_all = ids.is_empty();
    let has_weights = problem.families().iter().any(|family| family.weights().is_some());
    let sums = catalog.encodings.sums().filter(|_| has_weights).map(|encoder| encoder.info());
    let listed = catalog.encodings.infos().into_iter().chain(sums).map(|info| info.id);
    let ids = if is_all { listed.collect() } else { ids.to_vec() };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let head = ["encoding", "variables", "clauses", "literals"].map(str::to_owned).to_vec();
    let (mut rows, mut refused) = (vec![head], Vec::<(String, Vec<String>)>::new());
    for id in ids {
        let settings = Constraints::Full.into();
        let found = programs.find(&id, settings, instance).map_err(Failure::input)?;
        let encoding = found.with_settings(settings);
        let reason = match encoding.fits(problem) {
            Err(unsupported) if is_all && unsupported.kind.is_some() => continue,
            Err(unsupported) => format!("{}; {}", unsupported.why, unsupported.mend),
            Ok(()) if encoding.info().cardinality => {
                "at-most-one constraints are stated whole, and not in clauses".to_owned()
            }
            Ok(()) => match encoding.size(problem) {
                Some(Size { variables, clauses, literals }) => {
                    rows.push(
                        [vec![id], [variables, clauses, literals].map(grouped).to_vec()].concat(),
                    );
                    continue;
                }
                None => "the size is known only when the formula is written".to_owned(),
            },
        };
        match refused.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(id),
            None => refused.push((reason, vec![id])),
        }
    }
    if rows.len() > 1 {
        writeln!(out)?;
        write_rows(&rows, |column| column > 0, out)?;
    } else if is_all {
        writeln!(out, "\nNo encoding takes these constraints.")?;
    }
    if is_all && rows.len() > 1 {
        let number: usize = refused.iter().map(|(_, ids)| ids.len()).sum();
        if number > 0 {
            let more = counted(number, "further encoding");
            writeln!(out, "\n{more} left out; `bezzel show FILE ID` has the reason of one")?;
        }
        return Ok(());
    }
    for (reason, ids) in refused {
        let are = if ids.len() == 1 { "is" } else { "are" };
        writeln!(out, "\n{} {are} not listed: {reason}", counted(ids.len(), "encoding"))?;
        writeln!(out, "  {}", wrapped(&ids.join(", "), 2))?;
    }
    Ok(())
}

fn write_rows(
    rows: &[Vec<String>],
    is_right: impl Fn(usize) -> bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(table(rows, is_right).into_iter().try_for_each(|line| writeln!(out, "{line}"))?)
}
