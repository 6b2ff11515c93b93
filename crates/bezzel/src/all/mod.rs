//! All solutions, by an engine in this process, for `bezzel solve --all` and `--count`.

use std::sync::Arc;

use bezzel_encode::{Encoding, Numbering};
use bezzel_experiment::backend::{self, Backend, InputKind, Query, THREADS};
use bezzel_experiment::{BackendKind, Catalog, Permission, Task};
use bezzel_problem::Instance;
use bezzel_solve::{OptionValue, Options};

use crate::arguments::{EncodingArguments, EngineArguments, LimitArguments, SolveArguments};
use crate::failure::Failure;
use crate::output::print_picked;
use crate::phase::{self, Phase};

mod engine_result;
mod listing_observer;
mod projected;
mod run;

pub(crate) use engine_result::EngineResult;
pub(crate) use listing_observer::Show;
pub(crate) use projected::count_projections;
pub(crate) use run::{program_failure, refused, run};

/// The default engines: for boards, and for files or named encodings.
const DEFAULTS: [&str; 2] = ["backtrack", "propagator"];
/// The encoding for engines that read the circuit of a board, if none is named.
const CIRCUIT: &str = "bryant-circuit";

/// An engine and its task.
pub(crate) struct EngineRequest {
    pub(crate) instance: Instance,
    pub(crate) task: Task,
    /// The number of solutions that suffices.
    pub(crate) max_solutions: Option<u64>,
    pub(crate) engine: Arc<dyn Backend>,
    query: Query,
    /// The programs that the engine may start.
    pub(crate) permission: Permission,
    /// The encoding that the engine reads, if it reads one.
    pub(crate) encoding: Option<Arc<dyn Encoding>>,
    numbering: Numbering,
    options: Options,
    limits: Limits,
}

/// The limits of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) nodes: Option<u64>,
    pub(crate) memory_bytes: u64,
    /// The time limit of programs, in seconds.
    wall_s: f64,
}

/// The longest time limit: a year.
const LONGEST_S: f64 = 31_536_000.0;

impl Limits {
    /// The given limits.
    pub(crate) fn of(engine: &EngineArguments, limits: &LimitArguments) -> Self {
        Self {
            nodes: engine.nodes,
            memory_bytes: limits.memory,
            wall_s: limits.timeout.map_or(LONGEST_S, |time| time.as_secs_f64().min(LONGEST_S)),
        }
    }
}

impl EngineRequest {
    /// Finds the engine and its encoding, and refuses a task that the engine cannot do.
    pub(crate) fn new(
        task: Task,
        instance: Instance,
        given: &SolveArguments,
        catalog: &Catalog,
    ) -> Result<Self, Failure> {
        let (arguments, formula) = (&given.listing.engine, &given.encoding);
        phase::begin(Phase::Generating);
        let [default, reading] = DEFAULTS;
        let is_board = instance.board().is_some();
        let default = if formula.is_named() || !is_board { reading } else { default };
        let name = arguments.engine.as_deref().unwrap_or(default);
        let catalog = &catalog.with_permission(Permission::of_names([name]));
        let engine = catalog.engine(name).map_err(Failure::input)?;
        let program = engine.program();
        if let Some(absence) = program.and_then(|program| program.absence(&catalog.permission)) {
            let problem = format!("the engine `{name}` is not installed: {absence}");
            return Err(Failure::Input(problem));
        }
        let query = engine.capabilities().query(task).ok_or_else(|| unable(name, task, catalog))?;
        let limits = Limits::of(arguments, &given.limits);
        let mut picked = Vec::new();
        if arguments.engine.is_none() && engine.reads() != InputKind::Board {
            picked.push(format!("--engine {name}"));
        }
        let encoding =
            encoding((engine.as_ref(), name), &instance, formula, catalog, limits, &mut picked)?;
        print_picked(&picked);
        if let Err(unsupported) = engine.fits(&instance, encoding.as_deref()) {
            let other = if engine.reads() == InputKind::Board && is_board {
                format!("; or `--engine {reading}`, which reads clauses and takes any board")
            } else {
                String::new()
            };
            return Err(Failure::Input(format!("{unsupported}{other}")));
        }
        let options = options(engine.as_ref(), arguments.threads)?;
        Ok(Self {
            instance,
            task,
            max_solutions: None,
            engine,
            query,
            permission: catalog.permission.clone(),
            encoding,
            numbering: formula.numbering(),
            options,
            limits,
        })
    }

    /// The number of threads that the engine may use. An engine that lists solutions uses one.
    pub(crate) fn threads(&self) -> u32 {
        if self.query == Query::List { 1 } else { backend::threads(&self.options) }
    }
}

/// The reason why an engine cannot do a task, and the name of one that can.
fn unable(name: &str, task: Task, catalog: &Catalog) -> Failure {
    let mut engines = catalog.backends.linked(BackendKind::Engine).rev();
    let able = engines.find(|engine| engine.capabilities().query(task).is_some());
    let advice = able.map(|engine| {
        format!(": take `{}`, or another that does; `bezzel list` shows which do", engine.name())
    });
    let cannot = if task == Task::Enumerate { "shows no solutions" } else { "counts no solutions" };
    Failure::Input(format!("the engine `{name}` {cannot}{}", advice.unwrap_or_default()))
}

/// The encoding that the engine reads, if it reads one.
fn encoding(
    (engine, name): (&dyn Backend, &str),
    instance: &Instance,
    formula: &EncodingArguments,
    catalog: &Catalog,
    limits: Limits,
    picked: &mut Vec<String>,
) -> Result<Option<Arc<dyn Encoding>>, Failure> {
    let memory_bytes = Some(limits.memory_bytes);
    let encoding = match engine.reads() {
        InputKind::Board if formula.is_named() => {
            return Err(Failure::Input(format!(
                "the engine `{name}` reads the board itself: an encoding, its settings and a \
                 numbering make no difference to it; leave them out, or take an engine that reads \
                 clauses, such as `propagator`"
            )));
        }
        InputKind::Board => return Ok(None),
        InputKind::Circuit | InputKind::Formula if formula.numbers() => {
            return Err(Failure::Input(format!(
                "the engine `{name}` reads the encoding's circuit: a numbering makes no difference \
                 to it"
            )));
        }
        InputKind::Circuit | InputKind::Formula if instance.board().is_some() => {
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
fn options(engine: &dyn Backend, threads: Option<u32>) -> Result<Options, Failure> {
    let with = |threads: u32| {
        let threads = OptionValue::Integer(threads.into());
        engine.settings(&Options::from([(THREADS.to_owned(), threads)]))
    };
    if let Some(threads) = threads {
        return with(threads).map_err(Failure::input);
    }
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    with(cores).or_else(|_| engine.settings(&Options::new())).map_err(Failure::input)
}
