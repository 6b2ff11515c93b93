//! `bezzel show FILE`: the constraints of a file, and the size of every encoding of them.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::{Constraints, Size};
use bezzel_experiment::packing::Packing;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::file::{Changes, Format};
use bezzel_problem::layout::{table, wrapped};
use bezzel_problem::{
    AlignedPairs, Alignment, Instance, Kind as _, Lists, Literal, Problem, ProblemFile,
};
use serde::Serialize;

use crate::arguments::{ShowArguments, note_unused, read_problem};
use crate::command::common::{counted, print_json};
use crate::failure::{CommandResult, Failure};
use crate::output::{refuse_replacing, write_file};
use crate::phase::{self, Phase};

/// The constraints of a file and the sizes of their encodings.
#[derive(Serialize)]
struct FileProfile {
    file: ProblemFile,
    format: &'static str,
    /// Constraints of the file.
    constraints: u64,
    /// Those with a variable in two or more terms, or without weight.
    merged: u64,
    always_true: u64,
    never_true: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    projection: Option<ProjectionSummary>,
    /// Content that is not used, and wrong numbers of the header.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detected: Option<DetectedSummary>,
    families: Vec<GroupFamilySummary>,
    clauses: LengthSummary,
    alignment: AlignmentSummary,
    encodings: Vec<EncodingSize>,
    refused: Vec<RefusedEncodings>,
}

/// The variables by which `solve --count --projected` tells solutions apart.
#[derive(Serialize)]
struct ProjectionSummary {
    variables: usize,
    word: &'static str,
    line: u64,
}

/// The constraints that were found in clauses.
#[derive(Serialize)]
struct DetectedSummary {
    /// The numbers of constraints at most 1, at most 2 and at most 3.
    at_most: Vec<usize>,
    /// The clauses that they replace, and all.
    replaced: usize,
    clauses: usize,
    /// True if the search ended early, at its limit.
    partial: bool,
}

impl DetectedSummary {
    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { at_most, replaced, clauses, partial } = self;
        let found = at_most.iter().zip(1..).filter(|(number, _)| **number > 0);
        let found: Vec<String> = found
            .map(|(number, k)| format!("{} at most {k}", counted(*number, "constraint")))
            .collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        let end = if *partial { "; the search ended at its limit" } else { "" };
        let [replaced, clauses] = [replaced, clauses].map(|number| grouped(*number as u128));
        Ok(writeln!(
            out,
            "  detected: {found}, in the place of {replaced} of {clauses} clauses{end}"
        )?)
    }
}

/// Searches constraints in the clauses of a file. Returns the file that states them, which is written to `output`.
fn detected(
    (path, file): (&Path, &ProblemFile),
    output: Option<&Path>,
) -> Result<(DetectedSummary, ProblemFile), Failure> {
    let in_file = |error| Failure::Input(format!("{}: {error}", path.display()));
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
    let clauses = file.constraints().clauses().len();
    let summary = DetectedSummary {
        at_most: found.at_most.iter().map(Vec::len).collect(),
        replaced: clauses - found.rest.len(),
        clauses,
        partial: found.is_partial,
    };
    let name = output.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| file.name().to_owned());
    let stated = ProblemFile::read(name, output.map(Path::to_owned), text).map_err(in_file)?;
    Ok((summary, stated))
}

/// Groups with the same bounds.
#[derive(Serialize)]
struct GroupFamilySummary {
    name: String,
    bounds: String,
    groups: LengthSummary,
    /// The place of the first group.
    line: Option<u64>,
    column: Option<u64>,
}

/// The lengths of groups or clauses.
#[derive(Serialize)]
struct LengthSummary {
    number: usize,
    shortest: u64,
    median: u64,
    longest: u64,
    literals: u64,
}

/// The agreement of the groups on the order of their candidates, in numbers of pairs of groups.
#[derive(Serialize)]
struct AlignmentSummary {
    common: PairSummary,
    linked: PairSummary,
    is_sample: bool,
}

/// Pairs of groups.
#[derive(Serialize)]
struct PairSummary {
    pairs: u64,
    aligned: u64,
}

impl From<Alignment> for AlignmentSummary {
    fn from(found: Alignment) -> Self {
        let summary = |of: AlignedPairs| PairSummary { pairs: of.pairs, aligned: of.aligned };
        let (common, linked) = (summary(found.common), summary(found.linked));
        Self { common, linked, is_sample: found.is_sample }
    }
}

impl AlignmentSummary {
    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let sample = if self.is_sample { ", in a sample" } else { "" };
        if self.common.pairs + self.linked.pairs > 0 {
            writeln!(out)?;
        }
        for (name, PairSummary { pairs, aligned }) in
            [("common", &self.common), ("linked", &self.linked)]
        {
            if *pairs == 0 {
                continue;
            }
            let share = 100.0 * *aligned as f64 / *pairs as f64;
            let (aligned, pairs) = (grouped((*aligned).into()), grouped((*pairs).into()));
            writeln!(
                out,
                "aligned: {share:.0} % of the pairs of groups with {name} candidates ({aligned} of {pairs}{sample})"
            )?;
        }
        Ok(())
    }
}

/// The exact size of an encoding.
#[derive(Serialize)]
struct EncodingSize {
    id: String,
    size: Size,
}

/// Encodings without a size, for one reason.
#[derive(Serialize)]
struct RefusedEncodings {
    reason: String,
    encodings: Vec<String>,
}

impl LengthSummary {
    fn of(lengths: impl Iterator<Item = u64>) -> Self {
        let mut lengths: Vec<u64> = lengths.collect();
        lengths.sort_unstable();
        let at = |index: usize| lengths.get(index).copied().unwrap_or(0);
        Self {
            number: lengths.len(),
            shortest: at(0),
            median: at(lengths.len() / 2),
            longest: lengths.last().copied().unwrap_or(0),
            literals: lengths.iter().sum(),
        }
    }
}

/// Shows the file with this path, under the encodings of these ids, or under all.
pub(super) fn run(
    path: &Path,
    ids: &[String],
    arguments: &ShowArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let mut file = read_problem(path)?;
    phase::begin(Phase::Generating);
    let mut found = None;
    if arguments.detect {
        let (summary, stated) = detected((path, &file), arguments.output.as_deref())?;
        (found, file) = (Some(summary), stated);
    }
    let instance = Instance::from(file.clone());
    note_unused(&instance);
    let problem = instance.problem();
    let (encodings, refused) = sizes(&instance, &problem, ids, catalog)?;
    let Changes { constraints, merged, always_true, never_true } =
        file.changes().unwrap_or_default();
    let families = problem.families().iter().map(|family| GroupFamilySummary {
        name: family.name().to_owned(),
        bounds: family.bounds().to_string(),
        groups: LengthSummary::of(family.lengths()),
        line: family.origin().map(|origin| origin.line),
        column: family.origin().map(|origin| origin.column),
    });
    let clauses: &Lists<Literal> = problem.clauses();
    let profile = FileProfile {
        format: file.format().map_or("", |format| format.name()),
        constraints,
        merged,
        always_true,
        never_true,
        projection: file.projection().map(|set| ProjectionSummary {
            variables: set.variables.len(),
            word: set.word,
            line: set.position.line,
        }),
        notes: file.notes().into_iter().chain(file.objective_note()).collect(),
        detected: found,
        families: families.collect(),
        clauses: LengthSummary::of(clauses.iter().map(|clause| clause.len() as u64)),
        alignment: Alignment::of(&problem).into(),
        encodings,
        refused,
        file,
    };
    if arguments.json {
        print_json(&profile, out)?;
    } else {
        profile.print(problem.candidates(), ids.is_empty(), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The sizes of encodings, and the reasons of those that have none. Encodings for boards are left out unless they are
/// named.
fn sizes(
    instance: &Instance,
    problem: &Problem,
    ids: &[String],
    catalog: &Catalog,
) -> Result<(Vec<EncodingSize>, Vec<RefusedEncodings>), Failure> {
    let listed: Vec<String>;
    let is_all = ids.is_empty();
    let ids = if is_all {
        let has_weights = problem.families().iter().any(|family| family.weights().is_some());
        let sums = catalog.encodings.sums().filter(|_| has_weights).map(|encoder| encoder.info());
        let all = catalog.encodings.infos().into_iter().chain(sums);
        listed = all.map(|info| info.id).collect();
        &listed
    } else {
        ids
    };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let (mut sizes, mut refused): (Vec<EncodingSize>, Vec<RefusedEncodings>) =
        (Vec::new(), Vec::new());
    for id in ids {
        let settings = Constraints::Full.into();
        let found = programs.find(id, settings, instance).map_err(Failure::input)?;
        let encoding = found.with_settings(settings);
        let reason = match encoding.fits(problem) {
            Err(unsupported) if is_all && unsupported.kind.is_some() => continue,
            Err(unsupported) => format!("{}; {}", unsupported.why, unsupported.mend),
            Ok(()) if encoding.info().cardinality => {
                "at-most-one constraints are stated whole, and not in clauses".to_owned()
            }
            Ok(()) => match encoding.size(problem) {
                Some(size) => {
                    sizes.push(EncodingSize { id: id.clone(), size });
                    continue;
                }
                None => "the size is known only when the formula is written".to_owned(),
            },
        };
        match refused.iter_mut().find(|refused| refused.reason == reason) {
            Some(refused) => refused.encodings.push(id.clone()),
            None => refused.push(RefusedEncodings { reason, encodings: vec![id.clone()] }),
        }
    }
    Ok((sizes, refused))
}

impl FileProfile {
    fn print(&self, variables: u32, is_all: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let number = |number: u64| grouped(number.into());
        writeln!(
            out,
            "{}: {}, {}, {}",
            self.file,
            self.format,
            counted(variables as usize, "variable"),
            counted(self.constraints as usize, "constraint"),
        )?;
        if let Some(detected) = &self.detected {
            detected.print(out)?;
        }
        let changes = [
            (self.merged, "with a variable in two terms or without weight, merged"),
            (self.always_true, "always true, omitted"),
            (self.never_true, "never true, an empty clause"),
        ];
        for (constraints, what) in changes.iter().filter(|(constraints, _)| *constraints > 0) {
            writeln!(out, "  {}: {what}", counted(*constraints as usize, "constraint"))?;
        }
        if let Some(ProjectionSummary { variables, word, line }) = self.projection {
            let set = counted(variables, "variable");
            writeln!(
                out,
                "  projection set: {set}, by `{word}` in line {line}; `solve --count --projected` counts by it"
            )?;
        }
        let head =
            ["family", "bounds", "groups", "shortest", "median", "longest", "literals", "first in"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let row = |name: &str, bounds: &str, groups: &LengthSummary, place: String| {
            let LengthSummary { number: count, shortest, median, longest, literals } = *groups;
            let [count, shortest, median, longest, literals] =
                [count as u64, shortest, median, longest, literals].map(number);
            vec![name.into(), bounds.into(), count, shortest, median, longest, literals, place]
        };
        for GroupFamilySummary { name, bounds, groups, line, column } in &self.families {
            let place = line.zip(*column);
            let place = place.map(|(line, column)| format!("line {line}, column {column}"));
            rows.push(row(name, bounds, groups, place.unwrap_or_default()));
        }
        if self.clauses.number > 0 {
            rows.push(row("clauses", "at least 1", &self.clauses, String::new()));
        }
        writeln!(out)?;
        write_rows(&rows, |column| (2..7).contains(&column), out)?;
        if self.families.is_empty() && is_all {
            let detect = match (self.file.format(), &self.detected) {
                (Some(Format::Cnf), None) => "; `--detect` searches groups in them",
                _ => "",
            };
            writeln!(out, "\nThere are no groups: every encoding writes these clauses{detect}")?;
            return Ok(());
        }
        self.alignment.print(out)?;
        self.print_encodings(is_all, out)
    }

    fn print_encodings(&self, is_all: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let sizes = self.encodings.iter().map(|EncodingSize { id, size }| {
            let Size { variables, clauses, literals } = *size;
            vec![id.clone(), grouped(variables), grouped(clauses), grouped(literals)]
        });
        let head = ["encoding", "variables", "clauses", "literals"].map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> = [head].into_iter().chain(sizes).collect();
        if rows.len() > 1 {
            writeln!(out)?;
            write_rows(&rows, |column| column > 0, out)?;
        } else if is_all {
            writeln!(out, "\nNo encoding takes these constraints.")?;
        }
        if is_all && rows.len() > 1 {
            let refused: usize = self.refused.iter().map(|refused| refused.encodings.len()).sum();
            let more = "`bezzel show FILE ID` has the reason of one, `--json` all reasons";
            if refused > 0 {
                writeln!(out, "\n{} left out; {more}", counted(refused, "further encoding"))?;
            }
            return Ok(());
        }
        for RefusedEncodings { reason, encodings } in &self.refused {
            let ids = encodings.join(", ");
            let are = if encodings.len() == 1 { "is" } else { "are" };
            let number = counted(encodings.len(), "encoding");
            writeln!(out, "\n{number} {are} not listed: {reason}")?;
            writeln!(out, "  {}", wrapped(&ids, 2))?;
        }
        Ok(())
    }
}

fn write_rows(
    rows: &[Vec<String>],
    is_right: impl Fn(usize) -> bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(table(rows, is_right).into_iter().try_for_each(|line| writeln!(out, "{line}"))?)
}
