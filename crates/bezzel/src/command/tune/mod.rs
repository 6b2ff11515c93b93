//! `bezzel tune`: the encoding, input order, numbering and solver for given instances.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use bezzel_encode::registry::{Name, NamedEncoding};
use bezzel_encode::{Encoding, Settings};
use bezzel_experiment::config::{check_name, written};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{BackendKind, ExperimentRecord, Job, Permission, PlannedExperiment, input};
use bezzel_problem::{Alignment, Instance};
use bezzel_process::StopReason;
use bezzel_report::treatment::{self, ClauseSet};
use serde_json::{Value as Json, json};

use crate::Workbench;
use crate::arguments::{FIRST_TUNED, RunArguments, TuneArguments};
use crate::command::common::{counted, named_config};
use crate::command::run;
use crate::failure::{CommandResult, Failure, cannot, shown};
use crate::interrupt;
use crate::phase::{self, Phase};

mod choice;
mod entries;
mod given;
mod new_files;
mod race;
mod replay;
mod summary;

use entries::Entries;
use given::{Given, GivenFile};
use new_files::NewFiles;

/// The encodings that are compared where they fit. The first is the default, with which the choice is compared.
const ENCODINGS: [&str; 10] = [
    FIRST_TUNED,
    "sequential-counter",
    "product",
    "commander:3",
    "bitwise",
    "totalizer:cut",
    "cardinality-network",
    "{short: pairwise, long: product, at: 7}",
    "binary",
    "order",
];

/// The mixtures by the shape of the constraints, where there are groups of both shapes.
const MIXTURES: [&str; 2] = [
    "{exactly-one: pairwise, at-most-one: product}",
    "{exactly-one: product, at-most-one: pairwise}",
];

/// The encoders of weighted sums that are compared where there are weights.
const SUMS: [&str; 3] = ["robdd", "global-watchdog", "adder-network"];

/// The largest number of clauses of a formula that is compared.
const MAX_CLAUSES: u128 = 5_000_000;

/// Each combination has at least this number of runs: fewer instances are shuffled several times. The limit of a run is
/// such that this number of runs of each ends within the budget.
const RUNS: usize = 8;

/// The number of shuffles of a single file: half of them suffice for a bound.
const SHUFFLES: usize = 28;

/// The question of a config.
const QUESTION: &str = "Which encoding, input order, numbering and solver take the least time?";

/// The key of the instances.
const PROBLEMS: &str = "problems";

/// The least CPU limit of a run, in seconds, and the largest.
const LIMITS: (f64, f64) = (0.4, 300.0);

/// The part of the budget for the runs. Generating, checking and the report take the rest.
const MEASURED: f64 = 0.8;

/// The part of the budget from which on no run begins.
const RESERVED: f64 = 0.1;

/// From this share of aligned pairs of groups on, a file counts as aligned.
const ALIGNED: f64 = 0.9;

/// The first line of a config that this command writes, without the minutes of the budget.
const BUDGET: &str = "# bezzel tune --budget ";

/// The first line of a config while its limits are not known.
const DRAFT: &str = "# An unfinished draft of `bezzel tune`. Remove this file.";

pub(crate) fn run(
    arguments: &TuneArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Reading);
    if !arguments.replay.is_empty() {
        return replay::run(arguments, catalog, out);
    }
    let root = arguments.root.path();
    let given = Given::new(arguments)?;
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => given.experiment(arguments),
    };
    check_name(&name).map_err(|reason| Failure::Input(format!("--name `{name}` {reason}")))?;
    let config = named_config(root, &name);
    let mut notes = Vec::new();
    let new = if config.exists() {
        check_budget(arguments, &config)?;
        check_instances(&given, &name, &config)?;
        NewFiles::default()
    } else {
        prepare(arguments, &given, &name, &config, catalog, &mut notes)?
    };
    let run = RunArguments {
        config: config.clone(),
        plan: arguments.plan,
        root: arguments.root.clone(),
        quiet: arguments.quiet,
        ..RunArguments::default()
    };
    let planned = run::planned(&run, None, catalog)?;
    let (_, found) = planned.found().map_err(Failure::input)?;
    planned.refuse(&found).map_err(Failure::input)?;
    new.keep();
    out.write_all(&notes)?;
    if arguments.plan {
        return run::plan(&run, &planned, out);
    }
    let entries = {
        let jobs: Vec<&Job> = planned.plan.jobs.iter().map(|planned| &planned.job).collect();
        let seconds = seconds(arguments.budget, planned.config.parallel as usize);
        let reserve = Duration::from_mins(arguments.budget.into()).mul_f64(RESERVED);
        Entries::new(&jobs, planned.config.families.clone(), seconds, reserve)
    };
    let code = run::whole(planned, &run, Some(&entries), catalog, out)?;
    if interrupt::stop_reason() == Some(StopReason::Wall) {
        return Err(Failure::Spent(format!(
            "the budget of {} was spent while measuring; the rows are kept: the same command continues for as long",
            counted(arguments.budget as usize, "minute")
        )));
    }
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }
    phase::begin(Phase::Checking);
    let folder = root.join("experiments").join(&name);
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::work)?;
    let chosen = choice::choose(&record.rows, &entries, ENCODINGS[0]);
    let chosen = chosen.ok_or_else(|| {
        Failure::Work(
            "nothing is chosen: no run has an answer that is checked; take a larger --budget and another --name, \
             or smaller instances"
                .into(),
        )
    })?;
    let file = arguments.files.first().filter(|file| file.is_file());
    summary::print(&chosen, file, out)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses to continue an experiment with another budget than that of its config.
fn check_budget(arguments: &TuneArguments, config: &Path) -> Result<(), Failure> {
    let shown = shown(config);
    let text = config_text(config)?;
    let budget = text.lines().next().and_then(|line| line.strip_prefix(BUDGET));
    let asked = arguments.budget;
    match budget {
        Some(budget) if budget == asked.to_string() => Ok(()),
        Some(budget) => Err(Failure::Input(format!(
            "the limits in `{shown}` are those of --budget {budget}, not of --budget {asked}: give --budget {budget} \
             to continue this experiment, or --name NAME for another one"
        ))),
        None => Err(Failure::Input(format!(
            "`{shown}` does not begin with `{BUDGET}…`, so it is no config of `bezzel tune`: give --name NAME for \
             another one"
        ))),
    }
}

fn config_text(config: &Path) -> Result<String, Failure> {
    input::read_text(config, input::LARGEST_DOCUMENT).map_err(cannot("read", config))
}

/// Refuses to continue an experiment with other files than those of its config. Files that are no longer there are not
/// compared.
fn check_instances(given: &Given, name: &str, config: &Path) -> Result<(), Failure> {
    let Given::Files(files) = given else { return Ok(()) };
    let folder = config.with_extension("");
    let entries = given.entries(name, &folder);
    let is_of_others = !config_text(config)?.contains(&written(&[(PROBLEMS, entries.into())]));
    let is_other = |file: &&GivenFile| {
        let copy = given::bytes(&folder.join(&file.name));
        file.path.exists()
            && !matches!((copy, given::bytes(&file.path)), (Ok(one), Ok(two)) if one == two)
    };
    let other = files.iter().find(is_other).map_or(String::new(), |file| {
        format!(" (`{}` is not the file that was copied)", shown(&file.path))
    });
    if is_of_others || !other.is_empty() {
        return Err(Failure::Input(format!(
            "`{}` is the config of other files{other}: give --name NAME for another experiment",
            shown(config)
        )));
    }
    Ok(())
}

/// Writes the config, with copies of the files in a folder beside it.
fn prepare(
    arguments: &TuneArguments,
    given: &Given,
    name: &str,
    config: &Path,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> Result<NewFiles, Failure> {
    let configs = config.parent().unwrap_or(Path::new(""));
    let (instances, problems) = given.read(name, configs)?;
    let compared = compared(&instances, catalog)?;
    let mut new = NewFiles::default();
    new.folder(configs)?;
    if let Given::Files(files) = given {
        let folder = config.with_extension("");
        new.folder(&folder)?;
        for file in files {
            new.file(&folder.join(&file.name), &given::bytes(&file.path)?)?;
        }
    }
    let mut file = new.new_file(config)?;
    let count = instances.len();
    let shuffles = if count == 1 { SHUFFLES } else { RUNS.div_ceil(count) };
    let runs = count * shuffles;
    let draft = Draft { name, problems, compared: &compared, shuffles, runs };
    write_config(arguments, &draft, config, catalog, |text| file.replace(text.as_bytes()))?;
    writeln!(out, "config:   {}", shown(config))?;
    let same = |(first, ids): (&&str, &Vec<&str>)| format!("{} (as {first})", ids.join(", "));
    let left_out: Vec<String> = compared.equal.iter().map(same).collect();
    if !left_out.is_empty() {
        writeln!(out, "left out, with the same clauses: {}", left_out.join("; "))?;
    }
    let is_plain = |files: &[GivenFile]| files.iter().all(|file| file.family.is_none());
    let is_of_files = matches!(given, Given::Files(files) if is_plain(files));
    if is_of_files && (2..SHUFFLES).contains(&count) {
        let judges = count / 2;
        writeln!(
            out,
            "{judges} of the {count} files judge the choice; a bound for new files needs {SHUFFLES} files"
        )?;
    }
    Ok(new)
}

/// The content of a config without its limits.
struct Draft<'a> {
    name: &'a str,
    problems: Vec<Json>,
    compared: &'a Compared,
    shuffles: usize,
    /// The number of runs of each combination.
    runs: usize,
}

/// The encodings and input orders that are compared.
#[derive(Default)]
struct Compared {
    encodings: Vec<(&'static str, Arc<dyn Encoding>)>,
    /// The input orders beside the stated one.
    input_orders: Vec<&'static str>,
    /// The encodings with input orders whose clauses are the same under all of them.
    orderless: Vec<&'static str>,
    /// The encodings that are left out, by the compared one that has the same clauses on all instances.
    equal: BTreeMap<&'static str, Vec<&'static str>>,
}

/// The time of all cores for the runs, in seconds.
fn seconds(budget: u32, cores: usize) -> f64 {
    MEASURED * f64::from(budget) * 60.0 * cores as f64
}

/// The CPU limit of a run, in seconds with one decimal place, such that [`RUNS`] runs of each combination end in time.
fn cpu_limit(seconds: f64, arms: usize) -> f64 {
    let cpu_s = seconds / (arms * RUNS) as f64;
    (cpu_s.clamp(LIMITS.0, LIMITS.1) * 10.0).floor() / 10.0
}

/// Finds the limit that the budget allows, and writes the config.
fn write_config(
    arguments: &TuneArguments,
    draft: &Draft<'_>,
    config: &Path,
    catalog: &Workbench,
    mut write: impl FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let cores = available_parallelism().map_or(1, usize::from);
    let mut solvers = vec!["cadical", "batsat"];
    if has_kissat(catalog) {
        solvers.push("kissat");
    }
    let ids = draft.compared.encodings.iter().map(|&(id, _)| id);
    let encodings: Json =
        ids.map(|id| Name::parse(id).map_or(json!(id), |name| name_data(&name))).collect();
    let text = |orders: Vec<(&'static str, Json)>, limit: f64| {
        let keys = [
            ("name", json!(draft.name)),
            ("question", json!(QUESTION)),
            (PROBLEMS, json!(draft.problems)),
            ("encodings", encodings.clone()),
        ];
        let rest = [
            ("solvers", json!(solvers)),
            ("proofs", json!(false)),
            ("limits", json!({"cpu": format!("{limit} s"), "memory": "4 GiB"})),
            ("parallel", json!(cores)),
        ];
        let keys: Vec<_> = keys.into_iter().chain(orders).chain(rest).collect();
        written(&keys)
    };
    let mut orders = all_orders(draft);
    let mut arms = |orders: &[(&'static str, Json)]| -> Result<usize, Failure> {
        // A draft has no budget, so no later command continues it.
        write(&format!("{DRAFT}\n{}", text(orders.to_vec(), 1.0)))?;
        let planned = PlannedExperiment::read(arguments.root.path(), config, None, catalog);
        Ok(planned.map_err(Failure::input)?.plan.jobs.len() / draft.runs)
    };
    let seconds = seconds(arguments.budget, cores);
    let mut count = arms(&orders)?;
    if seconds < LIMITS.0 * (count * RUNS) as f64 {
        orders = kept_orders(draft);
        count = arms(&orders)?;
    }
    let cpu_s = cpu_limit(seconds, count);
    write(&format!("{BUDGET}{}\n{}", arguments.budget, text(orders, cpu_s)))
}

/// One order of inputs and one numbering, with shuffled literals and clauses.
fn kept_orders(draft: &Draft<'_>) -> Vec<(&'static str, Json)> {
    let numbering = json!({
        "squares": "row-major", "shuffles": draft.shuffles, "literals": true, "clauses": true
    });
    vec![("numberings", numbering)]
}

/// The stated input order under two numberings, and the other input orders under the second.
fn all_orders(draft: &Draft<'_>) -> Vec<(&'static str, Json)> {
    let random = json!({"random": {"shuffles": draft.shuffles, "literals": true, "clauses": true}});
    let numberings = kept_orders(draft).into_iter().map(|(_, kept)| kept).chain([random]);
    let mut keys = vec![("numberings", numberings.collect())];
    let Compared { input_orders: others, orderless, .. } = draft.compared;
    if !others.is_empty() {
        let orders: Vec<&str> = ["as-stated"].into_iter().chain(others.iter().copied()).collect();
        keys.insert(0, ("input_order", json!(orders)));
        let mut excluded =
            vec![json!({"input_order": others, "numbering": "shuffled literals+clauses"})];
        if !orderless.is_empty() {
            excluded.push(json!({"encoding": orderless, "input_order": others}));
        }
        keys.push(("exclude", excluded.into()));
    }
    keys
}

/// The input orders that are compared with the stated one: none if the groups of all instances are aligned, and `common`
/// only if some pairs of groups have candidates whose order can be compared.
fn input_orders(instances: &[Instance]) -> Vec<&'static str> {
    let shares: Vec<Option<f64>> =
        instances.iter().map(|instance| Alignment::of(&instance.problem()).share()).collect();
    let is_crossed = shares.iter().flatten().any(|&share| share < ALIGNED);
    let is_shown = shares.iter().all(|share| share.is_some_and(|share| share >= ALIGNED));
    let common = is_crossed.then_some("common:1");
    common.into_iter().chain((!is_shown).then_some("proximity")).collect()
}

/// The encodings that take all instances, with formulas that are not too large. Of those with the same clauses, the first
/// is compared.
fn compared(instances: &[Instance], catalog: &Workbench) -> Result<Compared, Failure> {
    let (mut fitting, mut reason) = (Vec::new(), None);
    let has_weights = |instance: &Instance| {
        instance.problem().families().iter().any(|family| family.weights().is_some())
    };
    let sums = SUMS.into_iter().filter(|_| instances.iter().any(has_weights));
    for id in ENCODINGS.into_iter().chain(MIXTURES).chain(sums) {
        match fit(id, instances, catalog) {
            Ok(found) => fitting.push((id, found)),
            Err(misfit) => reason = reason.or(Some(misfit)),
        }
    }
    if fitting.len() < 2 {
        let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        return Err(Failure::Input(format!(
            "fewer than two of the compared encodings fit all instances{reason}"
        )));
    }
    let (mut all, input_orders) = (Compared::default(), input_orders(instances));
    for (id, found) in fitting {
        let encoding = found.with_settings(Settings::default());
        let is_same = |other: &dyn Encoding| have_same_clauses(&*encoding, other, instances);
        if let Some(&(first, _)) = all.encodings.iter().find(|(_, first)| is_same(&**first)) {
            all.equal.entry(first).or_default().push(id);
            continue;
        }
        let is_orderless = |order: &&str| {
            let input_order = order.parse().expect("it is an input order");
            is_same(&*found.with_settings(Settings { input_order, ..Settings::default() }))
        };
        if !input_orders.iter().all(is_orderless) {
            all.input_orders.clone_from(&input_orders);
        } else if !matches!(found, NamedEncoding::Whole(_)) {
            all.orderless.push(id);
        }
        all.encodings.push((id, encoding));
    }
    Ok(all)
}

/// True if two encodings have the same clauses on all instances. Formulas that state more than
/// [`MAX_CLAUSES`](treatment::MAX_CLAUSES) clauses are not made, and count as different.
fn have_same_clauses(one: &dyn Encoding, other: &dyn Encoding, instances: &[Instance]) -> bool {
    instances.iter().map(|instance| instance.problem()).all(|problem| {
        let size = one.size(&problem);
        size == other.size(&problem)
            && size.is_none_or(|size| size.clauses <= treatment::MAX_CLAUSES.into())
            && ClauseSet::of(one, &problem) == ClauseSet::of(other, &problem)
    })
}

/// The name of an encoding as a config has it.
fn name_data(name: &Name) -> Json {
    match name {
        Name::Id(id) => id.parse::<u32>().map_or(json!(id), |number| json!(number)),
        Name::Map(parts) => {
            parts.iter().map(|(key, part)| (key.clone(), name_data(part))).collect()
        }
    }
}

/// An encoding that takes all instances, with formulas that are not too large, or the reason why it is none.
fn fit(id: &str, instances: &[Instance], catalog: &Workbench) -> Result<NamedEncoding, String> {
    let found = catalog.encodings.find(id).map_err(|error| error.to_string())?;
    let encoding = found.with_settings(Settings::default());
    for instance in instances {
        let problem = instance.problem();
        encoding.fits(&problem).map_err(|unfit| format!("on `{instance}`, {unfit}"))?;
        if encoding.size(&problem).is_some_and(|size| size.clauses > MAX_CLAUSES) {
            let max = grouped(MAX_CLAUSES);
            return Err(format!("`{instance}` has more than {max} clauses under `{id}`"));
        }
    }
    Ok(found)
}

/// True if Kissat is installed. Nothing is started.
fn has_kissat(catalog: &Workbench) -> bool {
    let mut solvers = catalog.backends.of(BackendKind::Solver);
    let kissat = solvers.find(|solver| solver.name() == "kissat");
    let program = kissat.and_then(|kissat| kissat.program());
    program.is_some_and(|program| program.absence(&Permission::none()).is_none())
}
