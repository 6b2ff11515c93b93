//! All solutions, asked of an engine in this process, for `bezzel solve --all` and `--count`.

use std::sync::Arc;

use bezzel_encode::{Encoding, Numbering, Symmetry};
use bezzel_lab::backend::{self, Backend, Query, Reads, THREADS};
use bezzel_lab::{BackendKind, Permission, Task, Workbench, this_machine};
use bezzel_problem::Instance;
use bezzel_solve::{OptionValue, Options};

use crate::arguments::{EncodingArguments, EngineArguments};
use crate::failure::Failure;

mod found;
mod looker;
mod run;

pub(crate) use found::Found;
pub(crate) use looker::Show;
pub(crate) use run::{run, spent, watch};

/// The engine that is asked if none is named, and the one that reads an encoding.
const DEFAULTS: [&str; 2] = ["backtrack", "blocking"];

/// An engine, and what it is asked.
pub(crate) struct Asked {
    pub(crate) instance: Instance,
    pub(crate) task: Task,
    /// So many solutions are enough.
    pub(crate) most: Option<u64>,
    pub(crate) engine: Arc<dyn Backend>,
    query: Query,
    /// The programs that the engine may start.
    pub(crate) permission: Permission,
    /// What the engine reads, if it reads an encoding.
    pub(crate) encoding: Option<Arc<dyn Encoding>>,
    numbering: Numbering,
    symmetry: Symmetry,
    options: Options,
    limits: Limits,
}

/// What may be used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) nodes: Option<u64>,
    pub(crate) memory_bytes: u64,
    pub(crate) wall_s: f64,
}

/// Nobody waits longer: a year.
const LONGEST_S: f64 = 31_536_000.0;
/// What is taken for the machine's memory where it does not tell.
const MEMORY_BYTES: u64 = 4 << 30;

impl Limits {
    /// What is asked for, or nearly all that the machine has.
    pub(crate) fn of(arguments: &EngineArguments) -> Self {
        let machine = || this_machine::memory_bytes().map_or(MEMORY_BYTES, |bytes| bytes / 4 * 3);
        Self {
            nodes: arguments.nodes,
            memory_bytes: arguments.memory.unwrap_or_else(machine),
            wall_s: arguments.timeout.map_or(LONGEST_S, |time| time.as_secs_f64().min(LONGEST_S)),
        }
    }
}

impl Asked {
    /// Finds the engine and what it reads, and refuses what it cannot do; `shows` tells whether
    /// solutions are to be shown.
    pub(crate) fn new(
        (task, shows): (Task, bool),
        instance: Instance,
        arguments: &EngineArguments,
        formula: &EncodingArguments,
        workbench: &Workbench,
    ) -> Result<Self, Failure> {
        let [default, reading] = DEFAULTS;
        let is_board = instance.board().is_some();
        if task == Task::Fundamental && !is_board {
            return Err(Failure::Input(format!(
                "fundamental solutions are those of boards, and `{instance}` is none: `--all` and \
                 `--count` take all solutions"
            )));
        }
        let default = if formula.is_named() || !is_board { reading } else { default };
        let name = arguments.engine.as_deref().unwrap_or(default);
        let workbench = &workbench.permitting(Permission::of_names([name]));
        let engine = workbench.engine(name).map_err(Failure::input)?;
        let program = engine.program();
        if let Some(absence) = program.and_then(|program| program.absence(&workbench.permission)) {
            let problem = format!("the engine `{name}` is not installed: {absence}");
            return Err(Failure::Input(problem));
        }
        let wished = if shows { Task::Enumerate } else { task };
        let query = engine
            .capabilities()
            .query(wished)
            .ok_or_else(|| unable(name, (task, shows), workbench))?;
        let limits = Limits::of(arguments);
        let encoding = encoding(engine.as_ref(), name, &instance, formula, workbench, limits)?;
        if let Err(misfit) = engine.fits(&instance, encoding.as_deref()) {
            let other = if engine.reads() == Reads::Board && is_board {
                format!("; or `--engine {reading}`, which reads clauses and takes any board")
            } else {
                String::new()
            };
            return Err(Failure::Input(format!("{misfit}{other}")));
        }
        if task == Task::Fundamental && formula.symmetry() != Symmetry::None {
            return Err(Failure::Input(format!(
                "--symmetry {} leaves some images away, among which the fundamental solutions may be: \
                 take one of the two away",
                formula.symmetry()
            )));
        }
        let options = options(engine.as_ref(), arguments.threads)?;
        let (numbering, symmetry) = (formula.numbering(), formula.symmetry());
        Ok(Self {
            instance,
            task,
            most: None,
            engine,
            query,
            permission: workbench.permission.clone(),
            encoding,
            numbering,
            symmetry,
            options,
            limits,
        })
    }

    /// How many threads the engine may use; what shows solutions, shows them one after the other.
    pub(crate) fn threads(&self) -> u32 {
        if self.query == Query::List { 1 } else { backend::threads(&self.options) }
    }
}

/// Why an engine cannot do what is asked, and which one can.
fn unable(name: &str, (task, shows): (Task, bool), workbench: &Workbench) -> Failure {
    let wished = if shows { Task::Enumerate } else { task };
    let mut engines = workbench.backends.linked(BackendKind::Engine).rev();
    let able = engines.find(|engine| engine.capabilities().query(wished).is_some());
    let advice = able.map(|engine| {
        format!(": take `{}`, or another that does; `bezzel list` tells which do", engine.name())
    });
    let cannot = if shows { "shows no solutions" } else { "counts no fundamental solutions" };
    Failure::Input(format!("the engine `{name}` {cannot}{}", advice.unwrap_or_default()))
}

/// The encoding that the engine reads, if it reads one.
fn encoding(
    engine: &dyn Backend,
    name: &str,
    instance: &Instance,
    formula: &EncodingArguments,
    workbench: &Workbench,
    limits: Limits,
) -> Result<Option<Arc<dyn Encoding>>, Failure> {
    let id = match engine.reads() {
        Reads::Board if formula.is_named() => {
            return Err(Failure::Input(format!(
                "the engine `{name}` reads the board itself: an encoding, its settings and a \
                 numbering make no difference to it; leave them away, or take an engine that reads \
                 clauses, such as `blocking`"
            )));
        }
        Reads::Board => return Ok(None),
        Reads::Circuit | Reads::Formula if formula.numbers() => {
            return Err(Failure::Input(format!(
                "the engine `{name}` reads the encoding's circuit: a numbering makes no difference \
                 to it"
            )));
        }
        Reads::Circuit | Reads::Formula if instance.board().is_some() => formula.circuit_id(),
        Reads::Circuit | Reads::Formula | Reads::Clauses => formula.id(),
    };
    let encoding = formula.find_by(id, workbench, instance, Some(limits.memory_bytes))?;
    if encoding.card().cardinality {
        return Err(Failure::Input(format!(
            "`{id}` states at-most-one constraints whole, and the engine `{name}` takes none: it \
             would get the pairs of `pairwise` under another name"
        )));
    }
    Ok(Some(encoding))
}

/// The engine's options: so many threads, or as many as the machine has cores where it takes any.
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
