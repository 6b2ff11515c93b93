//! The job of `bezzel solve`: the given names and options, and otherwise a choice that is fast on boards of every size and
//! on files.

use std::sync::Arc;
use std::thread::available_parallelism;

use bezzel_encode::Encoding;
use bezzel_experiment::backend::{self, Backend, InputKind, THREADS};
use bezzel_experiment::local::run_here;
use bezzel_experiment::transcript::JobOutput;
use bezzel_experiment::worker::{JobObserver, ResolvedJob, WorkError};
use bezzel_experiment::{BackendKind, Catalog, Job, Limits, NO_ENCODING, Permission, Task, fit};
use bezzel_problem::{Candidate, Instance};
use bezzel_queens::{Board, Geometry};
use bezzel_solve::{OptionValue, Options, SessionOptions};

use crate::arguments::SolveArguments;
use crate::failure::Failure;
use crate::output::print_picked;
use crate::phase::{self, Phase};

/// The default solver. On boards with a solution it is the faster of the two.
const SOLVER: &str = "batsat";
/// The solver where there may be no solution, or where a proof is wanted.
const REFUTER: &str = "cadical";

/// The options of the default solver under the default encoding, as the experiment `first-solution` found them: squares
/// alone are decided, a queen is tried first, and activities begin at random.
const OPTIONS: [(&str, OptionValue); 3] = [
    ("upol", OptionValue::Integer(1)),
    ("decide_auxiliary", OptionValue::Flag(false)),
    ("rnd_init_act", OptionValue::Flag(true)),
];

/// The default engines: for boards, and for files or named encodings.
const ENGINES: [&str; 2] = ["backtrack", "propagator"];
/// The engine that counts projections, and that finds a few solutions of a file.
const BLOCKING: &str = "blocking";
const FEW: u64 = 1_000;
/// The encoding for engines that read the circuit of a board, if none is named.
const CIRCUIT: &str = "bryant-circuit";

/// A job with the values that its names stand for.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) job: Job,
    pub(super) encoding: Option<Arc<dyn Encoding>>,
    pub(super) backend: Arc<dyn Backend>,
    pub(super) permission: Permission,
    /// The candidates to which solutions are projected, if not to all.
    pub(super) projection: Option<Vec<Candidate>>,
}

impl Request {
    /// Returns the job of finding one solution, or the optimum. Prints the picked names and options to stderr. Options are
    /// picked only if neither an encoding nor a numbering nor a solver is given, and the values of all variables are not
    /// printed.
    pub(super) fn of_solver(
        task: Task,
        instance: &Instance,
        arguments: &SolveArguments,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        let mut options = given_options(&arguments.options)?;
        phase::begin(Phase::Generating);
        let permission = Permission::of_names(arguments.solver.iter().map(String::as_str));
        let catalog = &catalog.with_permission(permission);
        let formula = &arguments.encoding;
        let mut picked = Vec::new();
        let memory_bytes = Some(arguments.limits.memory);
        let encoding = formula.find(catalog, instance, memory_bytes, &mut picked)?;
        let name = arguments.solver.as_deref().unwrap_or_else(|| {
            let is_proved = arguments.proof.is_some() || arguments.veripb.is_some();
            let refutes = is_proved || may_have_none(instance);
            let name = if refutes { REFUTER } else { SOLVER };
            picked.push(format!("--solver {name}"));
            // Without decisions on auxiliary variables, a model may leave some of them open.
            let is_default = formula.is_open() && !formula.numbers() && !arguments.dimacs_output;
            if name == SOLVER && is_default {
                for (option, value) in OPTIONS {
                    if !options.contains_key(option) {
                        picked.push(format!("--option {option}={value}"));
                        options.insert(option.to_owned(), value);
                    }
                }
            }
            name
        });
        let solver = catalog.solver(name).map_err(Failure::input)?;
        print_picked(&picked);
        refuse_absent(solver.as_ref(), &catalog.permission)?;
        fit::stated(&encoding.info(), Some(solver.as_ref()), task).map_err(Failure::input)?;
        let job = Job {
            options: Arc::new(options),
            ..job(task, instance, arguments, (&encoding.info().id, &solver.name()))
        };
        let permission = catalog.permission.clone();
        Ok(Self { job, encoding: Some(encoding), backend: solver, permission, projection: None })
    }

    /// Returns the job of an engine on all solutions, and refuses a task that the engine cannot do.
    pub(super) fn of_engine(
        task: Task,
        instance: &Instance,
        arguments: &SolveArguments,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        phase::begin(Phase::Generating);
        let wanted = &arguments.listing;
        let [of_boards, of_clauses] = ENGINES;
        let reads_clauses = arguments.encoding.is_named() || Board::of(instance).is_none();
        let default = match (wanted.projected, reads_clauses) {
            (true, _) => BLOCKING,
            (false, true) if wanted.max_solutions.is_some_and(|most| most <= FEW) => BLOCKING,
            (false, true) => of_clauses,
            (false, false) if catalog.engine(of_boards).is_err() => of_clauses,
            (false, false) => of_boards,
        };
        let name = wanted.engine.engine.as_deref().unwrap_or(default);
        let catalog = &catalog.with_permission(Permission::of_names([name]));
        let engine = catalog.engine(name).map_err(Failure::input)?;
        refuse_absent(engine.as_ref(), &catalog.permission)?;
        if engine.capabilities().query(task).is_none() {
            return Err(unable(name, task, catalog));
        }
        let mut picked = Vec::new();
        let is_choice = wanted.engine.engine.is_none() && !wanted.projected;
        if is_choice && engine.reads() != InputKind::Instance {
            picked.push(format!("--engine {name}"));
        }
        let encoding = read_encoding(engine.as_ref(), instance, arguments, catalog, &mut picked)?;
        print_picked(&picked);
        if let Err(unsupported) = engine.fits(instance, encoding.as_deref()) {
            let other = if engine.reads() == InputKind::Instance && Board::of(instance).is_some() {
                format!("; or `--engine {of_clauses}`, which reads clauses and takes any board")
            } else {
                String::new()
            };
            return Err(Failure::Input(format!("{unsupported}{other}")));
        }
        let options = engine_options(engine.as_ref(), wanted.engine.threads)?;
        let id = encoding.as_ref().map_or(NO_ENCODING.to_owned(), |found| found.info().id);
        let job = Job {
            options: Arc::new(options),
            max_solutions: wanted.max_solutions,
            ..job(task, instance, arguments, (&id, &engine.name()))
        };
        let permission = catalog.permission.clone();
        Ok(Self { job, encoding, backend: engine, permission, projection: None })
    }

    /// Runs the job in this process. The time and the memory of this process are limited by the process that started it.
    pub(super) fn run(
        &self,
        session_options: SessionOptions,
        observer: &mut dyn JobObserver,
    ) -> Result<JobOutput, WorkError> {
        let resolved = ResolvedJob {
            job: &self.job,
            encoding: self.encoding.as_deref(),
            backend: Some(self.backend.as_ref()),
            permission: &self.permission,
            projection: self.projection.as_deref(),
            is_watched: false,
            ends_process: false,
        };
        run_here(&resolved, session_options, observer)
    }

    /// The version of the solver or the engine.
    pub(super) fn version(&self) -> String {
        self.backend.version(&self.permission)
    }

    /// The number of threads that the engine may use. An engine that lists solutions uses one.
    pub(super) fn threads(&self) -> u32 {
        let query = self.backend.capabilities().query(self.job.task);
        if query == Some(backend::Query::List) { 1 } else { backend::threads(&self.job.options) }
    }
}

/// A job of this command, without options.
fn job(
    task: Task,
    instance: &Instance,
    arguments: &SolveArguments,
    (encoding, backend): (&str, &str),
) -> Job {
    let limits = &arguments.limits;
    let wall_s = limits.timeout.map_or(Limits::LONGEST_S, |timeout| timeout.as_secs_f64());
    let limits = Limits {
        cpu_s: Limits::LONGEST_S,
        wall_s: wall_s.min(Limits::LONGEST_S),
        memory_bytes: limits.memory,
        nodes: arguments.listing.engine.nodes,
    };
    Job {
        settings: arguments.encoding.settings_on(instance),
        numbering: arguments.encoding.numbering(),
        task,
        ..Job::solving(instance.clone(), encoding, backend, limits)
    }
}

/// True for instances that often have no solution: half of all tori, all boards of more rows than columns, and
/// files.
fn may_have_none(instance: &Instance) -> bool {
    Board::of(instance)
        .is_none_or(|board| board.geometry() == Geometry::Torus || board.rows() > board.columns())
}

/// The options of the solver, each given once.
fn given_options(given: &[(String, OptionValue)]) -> Result<Options, Failure> {
    let mut options = Options::new();
    for (name, value) in given {
        if options.insert(name.clone(), *value).is_some() {
            return Err(Failure::Input(format!("--option {name}: it is given twice")));
        }
    }
    Ok(options)
}

/// Refuses a program that is not installed, and names the folders that were searched.
fn refuse_absent(backend: &dyn Backend, permission: &Permission) -> Result<(), Failure> {
    let absence = backend.program().and_then(|program| program.absence(permission));
    let Some(absence) = absence else { return Ok(()) };
    let (kind, name) = (backend.kind().id(), backend.name());
    let path = std::env::var("PATH").unwrap_or_default();
    let searched =
        if absence.program.contains('/') { String::new() } else { format!(" (PATH is {path})") };
    Err(Failure::Input(format!("the {kind} `{name}` is not installed: {absence}{searched}")))
}

/// The reason why an engine cannot do a task, and the name of one that can.
fn unable(name: &str, task: Task, catalog: &Catalog) -> Failure {
    let mut engines = catalog.backends.linked(BackendKind::Engine).rev();
    let able = engines.find(|engine| engine.capabilities().query(task).is_some());
    let advice = able.map(|engine| {
        format!(
            ": take `{}`, or another that does; `bezzel list engines` shows which do",
            engine.name()
        )
    });
    let cannot = if task == Task::Enumerate { "shows no solutions" } else { "counts no solutions" };
    Failure::Input(format!("the engine `{name}` {cannot}{}", advice.unwrap_or_default()))
}

/// The encoding that the engine reads, if it reads one.
fn read_encoding(
    engine: &dyn Backend,
    instance: &Instance,
    arguments: &SolveArguments,
    catalog: &Catalog,
    picked: &mut Vec<String>,
) -> Result<Option<Arc<dyn Encoding>>, Failure> {
    let (formula, name) = (&arguments.encoding, engine.name());
    let memory_bytes = Some(arguments.limits.memory);
    let encoding = match engine.reads() {
        InputKind::Instance if formula.is_named() => {
            return Err(Failure::Input(format!(
                "the engine `{name}` reads the board itself: an encoding, its settings and a \
                 numbering make no difference to it; leave them out, or take an engine that reads \
                 clauses, such as `propagator`"
            )));
        }
        InputKind::Instance => return Ok(None),
        InputKind::Circuit | InputKind::Formula if formula.numbers() => {
            return Err(Failure::Input(format!(
                "the engine `{name}` reads the encoding's circuit: a numbering makes no difference \
                 to it"
            )));
        }
        InputKind::Circuit | InputKind::Formula if Board::of(instance).is_some() => {
            formula.find_or(CIRCUIT, catalog, instance, memory_bytes)?
        }
        InputKind::Circuit | InputKind::Formula | InputKind::Clauses => {
            formula.find(catalog, instance, memory_bytes, picked)?
        }
    };
    if encoding.info().cardinality {
        return Err(Failure::Input(format!(
            "`{}` states at-most-one constraints whole, and the engine `{name}` takes none: it \
             would get the pairs of `pairwise` under another name",
            encoding.info().id
        )));
    }
    Ok(Some(encoding))
}

/// The engine's options: the given number of threads, or as many as the machine has cores if the engine takes any.
fn engine_options(engine: &dyn Backend, threads: Option<u32>) -> Result<Options, Failure> {
    let with = |threads: u32| {
        let threads = OptionValue::Integer(threads.into());
        engine.settings(&Options::from([(THREADS.to_owned(), threads)]))
    };
    if let Some(threads) = threads {
        return with(threads).map_err(Failure::input);
    }
    let cores = available_parallelism().map_or(1, |cores| cores.get() as u32);
    with(cores).or_else(|_| engine.settings(&Options::new())).map_err(Failure::input)
}
