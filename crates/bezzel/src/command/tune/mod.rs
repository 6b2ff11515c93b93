//! `bezzel tune`: the encoding, input order, numbering and solver for given instances.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use bezzel_encode::Settings;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{
    BackendKind, Catalog, ExperimentRecord, Permission, PlannedExperiment, input,
};
use bezzel_problem::Instance;
use bezzel_process::StopReason;

use crate::arguments::{RunArguments, TuneArguments};
use crate::command::common::{counted, named_config};
use crate::command::run;
use crate::failure::{CommandResult, Failure};
use crate::interrupt;
use crate::phase::{self, Phase};

mod choice;
mod summary;

/// The encodings that are compared where they fit. The first is the default, with which the choice is compared.
const ENCODINGS: [&str; 10] = [
    "pairwise",
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

/// The largest number of clauses of a formula that is compared.
const MAX_CLAUSES: u128 = 5_000_000;

/// Each combination has at least this number of runs: fewer instances are shuffled several times.
const RUNS: usize = 8;

/// The input orders and numberings of a config, from the fewest arms to the most.
const NUMBERINGS: [&str; 2] = [
    "numberings: {squares: row-major, shuffles: SHUFFLES, literals: true, clauses: true}\n",
    "input_order: [as-stated, random:1]\nnumberings:\n  \
     - {squares: row-major, shuffles: SHUFFLES, literals: true, clauses: true}\n  \
     - {random: {shuffles: SHUFFLES, literals: true, clauses: true}}\n\
     exclude:\n  - {input_order: random:1, numbering: shuffled literals+clauses}\n",
];

/// The least CPU limit of a run, in seconds, and the largest.
const LIMITS: (f64, f64) = (0.5, 300.0);

/// The part of the budget for the runs if each ends at its limit. Generating, checking and the report take the rest.
const MEASURED: f64 = 0.8;

/// The first line of a config that this command writes, without the minutes of the budget.
const BUDGET: &str = "# bezzel tune --budget ";

pub(crate) fn run(
    arguments: &TuneArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Reading);
    let root = arguments.root.path();
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => format!("tune-{}", stem(arguments)?),
    };
    let config = named_config(root, &name);
    if config.exists() {
        check_budget(arguments, &config)?;
    } else {
        prepare(arguments, &name, &config, catalog)?;
        writeln!(out, "config:   {}", config.display())?;
    }
    let run = RunArguments {
        config: config.clone(),
        plan: arguments.plan,
        json: false,
        name: None,
        shard: None,
        sample: None,
        only: None,
        seed: 1,
        programs: false,
        root: arguments.root.clone(),
        quiet: arguments.quiet,
    };
    let code = run::run(&run, catalog, out)?;
    if interrupt::stop_reason() == Some(StopReason::Wall) {
        return Err(Failure::Spent(format!(
            "the budget of {} was spent while measuring; the rows are kept: the same command continues for as long",
            counted(arguments.budget as usize, "minute")
        )));
    }
    if arguments.plan || code != ExitCode::SUCCESS {
        return Ok(code);
    }
    phase::begin(Phase::Checking);
    let folder = root.join("experiments").join(&name);
    let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::work)?;
    let chosen = choice::choose(&record.rows, ENCODINGS[0]);
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
    let shown = config.display();
    let text = fs::read_to_string(config)
        .map_err(|error| Failure::Input(format!("cannot read `{shown}`: {error}")))?;
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

/// The name of the first file, folder or kind.
fn stem(arguments: &TuneArguments) -> Result<String, Failure> {
    let text = match (&arguments.problem, arguments.files.first()) {
        (Some(entry), _) => entry.trim_start_matches(['{', ' ']).to_owned(),
        (None, Some(file)) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        (None, None) => String::new(),
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let stem: String = text.chars().take_while(|&c| is_part(c)).collect();
    if stem.is_empty() {
        return Err(Failure::Input(format!("no name follows from `{text}`: add --name")));
    }
    Ok(stem)
}

/// Writes the config and the copies of the files, or neither.
fn prepare(
    arguments: &TuneArguments,
    name: &str,
    config: &Path,
    catalog: &Catalog,
) -> Result<(), Failure> {
    let copies = config.with_extension("");
    let is_new = !copies.exists();
    let written = write_config(arguments, name, config, catalog);
    if written.is_err() {
        // Nothing that cannot be used is kept. A file that is not there need not be removed.
        let _ = fs::remove_file(config);
        if is_new {
            let _ = fs::remove_dir_all(copies);
        }
    }
    written
}

/// Writes the config, with copies of the files in a folder beside it.
fn write_config(
    arguments: &TuneArguments,
    name: &str,
    config: &Path,
    catalog: &Catalog,
) -> Result<(), Failure> {
    let mut problems = String::from("problems:\n");
    if let Some(entry) = &arguments.problem {
        let _ = writeln!(problems, "  - {entry}");
    } else {
        for copied in copy(arguments, name, config)? {
            let _ = writeln!(problems, "  - {{file: \"{copied}\"}}");
        }
    }
    let budget = arguments.budget;
    let head = format!(
        "{BUDGET}{budget}\nname: {name}\nquestion: Which encoding, input order, numbering and solver take the least time?\n{problems}"
    );
    let write = |text: &str| {
        let folder = config.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).and_then(|()| fs::write(config, text)).map_err(|error| {
            Failure::Input(format!("cannot write `{}`: {error}", config.display()))
        })
    };
    draft(arguments, &head, config, catalog, write)
}

/// Copies the files, and returns their paths beside the config.
fn copy(arguments: &TuneArguments, name: &str, config: &Path) -> Result<Vec<String>, Failure> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Failure::Input(format!("cannot read `{}`: {error}", path.display()))
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &arguments.files {
        if path.is_dir() {
            let entries = fs::read_dir(path).map_err(|error| unreadable(path, error))?;
            let found = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file());
            let mut found: Vec<PathBuf> = found.collect();
            if found.is_empty() {
                return Err(Failure::Input(format!("the folder `{}` has no file", path.display())));
            }
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    let folder = config.with_extension("");
    fs::create_dir_all(&folder).map_err(|error| {
        Failure::Input(format!("cannot make the folder `{}`: {error}", folder.display()))
    })?;
    let mut copied: Vec<String> = Vec::new();
    for path in files {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let relative = format!("{name}/{file}");
        if copied.contains(&relative) {
            return Err(Failure::Input(format!("two files have the name `{file}`: rename one")));
        }
        let copy = || -> io::Result<u64> {
            let mut from = input::open(&path)?;
            io::copy(&mut from, &mut File::create(folder.join(&file))?)
        };
        copy().map_err(|error| unreadable(&path, error))?;
        copied.push(relative);
    }
    Ok(copied)
}

/// Finds the encodings that fit and the limit that the budget allows, and writes the config.
fn draft(
    arguments: &TuneArguments,
    head: &str,
    config: &Path,
    catalog: &Catalog,
    write: impl Fn(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    write(&format!("{head}encodings: [pairwise]\ntask: size\n"))?;
    let read = || {
        PlannedExperiment::read(arguments.root.path(), config, None, catalog)
            .map_err(Failure::input)
    };
    let planned = read()?;
    let mut instances: Vec<Instance> =
        planned.plan.jobs.iter().map(|planned| planned.job.instance.clone()).collect();
    instances.sort();
    instances.dedup();
    let encodings: Vec<&str> =
        ENCODINGS.into_iter().chain(MIXTURES).filter(|id| fits(id, &instances, catalog)).collect();
    if encodings.len() < 2 {
        return Err(Failure::Input(format!(
            "fewer than two encodings fit all instances and have at most {} clauses there",
            grouped(MAX_CLAUSES)
        )));
    }
    let quoted: Vec<String> = encodings
        .iter()
        .map(|id| if id.starts_with('{') { (*id).to_owned() } else { format!("\"{id}\"") })
        .collect();
    let shuffles = RUNS.div_ceil(instances.len());
    let cores = available_parallelism().map_or(1, usize::from);
    let solvers = if has_kissat(catalog) { "cadical, batsat, kissat" } else { "cadical, batsat" };
    let seconds = MEASURED * f64::from(arguments.budget) * 60.0 * cores as f64;
    let mut jobs = 0;
    for numberings in NUMBERINGS.iter().rev() {
        let text = format!(
            "{head}encodings: [{}]\n{}solvers: [{solvers}]\nproofs: off\nlimits: {{cpu: LIMIT s, memory: 4 GiB}}\nparallel: {cores}\n",
            quoted.join(", "),
            numberings.replace("SHUFFLES", &shuffles.to_string()),
        );
        write(&text.replace("LIMIT", "1"))?;
        jobs = read()?.plan.jobs.len();
        let limit = seconds / jobs as f64;
        if limit >= LIMITS.0 {
            // With one decimal place.
            let limit = (limit.min(LIMITS.1) * 10.0).floor() / 10.0;
            return write(&text.replace("LIMIT", &limit.to_string()));
        }
    }
    let minutes = (jobs as f64 * LIMITS.0 / MEASURED / 60.0 / cores as f64).ceil();
    Err(Failure::Input(format!(
        "{} of at least {} s do not fit into {}: take --budget {minutes}, or fewer files",
        counted(jobs, "run"),
        LIMITS.0,
        counted(arguments.budget as usize, "minute")
    )))
}

/// True if the encoding takes all instances, with formulas that are not too large.
fn fits(id: &str, instances: &[Instance], catalog: &Catalog) -> bool {
    let Ok(found) = catalog.encodings.find(id) else { return false };
    let encoding = found.on_board(Settings::default());
    instances.iter().all(|instance| {
        let problem = instance.problem();
        encoding.fits(&problem).is_ok()
            && encoding.size(&problem).is_none_or(|size| size.clauses <= MAX_CLAUSES)
    })
}

/// True if Kissat is installed. Nothing is started.
fn has_kissat(catalog: &Catalog) -> bool {
    let mut solvers = catalog.backends.of(BackendKind::Solver);
    let kissat = solvers.find(|solver| solver.name() == "kissat");
    let program = kissat.and_then(|kissat| kissat.program());
    program.is_some_and(|program| program.absence(&Permission::none()).is_none())
}
