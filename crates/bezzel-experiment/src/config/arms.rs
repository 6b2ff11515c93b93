//! The axis of solvers and engines. Solvers find one solution; engines find all solutions, or their number. A formula
//! that is only measured needs neither.
//!
//! The axis has two lists: `solvers` for the task `solve`, `engines` for the tasks about all solutions. Each list
//! must be there if a task needs it. A list that no task needs is refused, unless it was taken over from another
//! config, which may serve several.

use std::borrow::Cow;

use bezzel_solve::ProofFormat;

use super::arm::{Arm, found};
use super::axes;
use super::engines;
use super::fields::Fields;
use super::node::Node;
use super::solvers::{self, SWITCHES};
use super::source::{ConfigError, Source};
use crate::backend::catalog::Catalog;
use crate::model::job::{BackendKind, Task};

/// The keys that make up the axis.
pub(super) const KEYS: [&str; 7] =
    ["task", "max_solutions", "solvers", "bva", "bve", "proofs", "engines"];

/// Reads the tasks. A key is taken from the first of the maps that has it. If a config beside a matrix names solvers
/// alone, only the tasks of solvers remain; if it names engines alone, only those of engines.
pub(super) fn tasks(source: &Source, maps: &[&Fields<'_>]) -> Result<Vec<Task>, ConfigError> {
    let mut tasks = match found(maps, "task")? {
        None => vec![Task::Solve],
        Some(nodes) => axes::tasks(source, nodes)?,
    };
    let [own, _] = maps else { return Ok(tasks) };
    let has = |key: &str| own.get(key).is_some();
    let solvers = has("solvers") || SWITCHES.into_iter().any(has);
    let engines = has("engines") || has("max_solutions");
    let is_meant = |task: &Task| match task.backend() {
        Some(BackendKind::Solver) => solvers,
        Some(BackendKind::Engine) => engines,
        None => false,
    };
    if !has("task") && solvers != engines && tasks.iter().any(is_meant) {
        tasks.retain(is_meant);
    }
    Ok(tasks)
}

/// Reads the arms: solvers in all their combinations, and each engine with each task of engines. A key is taken from
/// the first of the maps that has it.
pub(super) fn read(
    source: &Source,
    maps: &[&Fields<'_>],
    catalog: &Catalog,
) -> Result<Vec<Arm>, ConfigError> {
    let all = tasks(source, maps)?;
    let own = maps[0];
    let of = |kind| all.iter().copied().filter(move |task| task.backend() == kind);
    let of_solvers: Vec<Task> = of(Some(BackendKind::Solver)).collect();
    let has_solve = !of_solvers.is_empty();
    if all.contains(&Task::Optimise) && all.len() > 1 {
        let nodes = found(maps, "task")?.unwrap_or_default();
        let node = nodes.first().expect("tasks are stated");
        let message =
            "`optimise` asks for the best value of files, and the other tasks read no objective";
        return Err(source
            .error(node.place, message)
            .hint("put the others into a config of their own"));
    }
    let tasks: Vec<Task> = of(Some(BackendKind::Engine)).collect();
    if !has_solve {
        refuse_solvers(source, own, &all)?;
    }
    if let (true, Some(node)) = (tasks.is_empty(), stated_here(own, "engines")) {
        return Err(engines_without_task(source, node, &all));
    }
    let max_solutions = max_solutions(source, maps, &tasks)?;
    let mut arms = Vec::new();
    if has_solve {
        let Some(nodes) = found(maps, "solvers")? else {
            own.need("solvers", "solvers: [cadical]")?;
            return Ok(arms);
        };
        let read = solvers::read(source, nodes, maps, catalog)?;
        if of_solvers.contains(&Task::Optimise) {
            // An optimum has no single proof.
            for arm in read {
                if arm.proof == Some(ProofFormat::Veripb) {
                    let message = "`proofs: file` proves that there is no solution, and the task is `optimise`";
                    let mend = "remove it; `bezzel solve FILE --veripb PROOF` proves an optimum";
                    return Err(source.error(arm.place, message).hint(mend));
                }
                let arm = Arm { task: Task::Optimise, proof: None, ..arm };
                let is_same = |other: &Arm| (&other.id, &other.options) == (&arm.id, &arm.options);
                if !arms.iter().any(is_same) {
                    arms.push(arm);
                }
            }
        } else {
            arms.extend(read);
        }
    }
    if !tasks.is_empty() {
        let Some(nodes) = found(maps, "engines")? else {
            own.need("engines", "engines: [blocking, backtrack]")?;
            return Ok(arms);
        };
        arms.extend(engines::read(source, nodes, &tasks, max_solutions, catalog)?);
    }
    let stated = found(maps, "task")?.unwrap_or_default();
    for task in of(None) {
        let is_it = |node: &&Node| node.is(task.id());
        if let Some(node) = stated.iter().find(is_it) {
            arms.push(Arm::measured(task, node.place));
        }
    }
    Ok(arms)
}

/// Refuses solvers and their switches if no task is one of solvers.
fn refuse_solvers(source: &Source, own: &Fields<'_>, tasks: &[Task]) -> Result<(), ConfigError> {
    let task_list = task_list(tasks);
    if let Some(node) = stated_here(own, "solvers") {
        let message = format!("`solvers` find one solution, and {task_list}");
        let is_done = !tasks.iter().any(|task| task.backend() == Some(BackendKind::Engine));
        let mend = if is_done || own.get("engines").is_some() {
            "remove them, or add `solve` to the tasks"
        } else {
            "this is done by engines, as in `engines: [blocking, backtrack]`"
        };
        return Err(source.error(node.place, message).hint(mend));
    }
    for key in SWITCHES {
        let Some(node) = stated_here(own, key) else { continue };
        // Engines write no proofs either, so `proofs: off` is accepted.
        if axes::has_effect(source, node.one_or_more(), key)? {
            let message = format!("`{key}` is an option of solvers, and {task_list}");
            let mend = "remove it, or add `solve` to the tasks";
            return Err(source.error(node.place, message).hint(mend));
        }
    }
    Ok(())
}

/// Reads the number of solutions that suffices.
fn max_solutions(
    source: &Source,
    maps: &[&Fields<'_>],
    tasks: &[Task],
) -> Result<Option<u64>, ConfigError> {
    let enumerates = tasks.contains(&Task::Enumerate);
    if let (false, Some(node)) = (enumerates, stated_here(maps[0], "max_solutions")) {
        let message = "`max_solutions` limits the enumerated solutions, and no task enumerates";
        let mend = "remove it, or add `enumerate` to the tasks";
        return Err(source.error(node.place, message).hint(mend));
    }
    let node = maps.iter().find_map(|map| map.get("max_solutions")).filter(|_| enumerates);
    node.map(|node| source.whole(node, "`max_solutions`", 1..=u64::MAX)).transpose()
}

/// The tasks as the end of a sentence.
pub(super) fn task_list(tasks: &[Task]) -> Cow<'static, str> {
    match tasks {
        [] => "there is no task".into(),
        [task] => format!("the task is `{task}`").into(),
        tasks => {
            let tasks: Vec<_> = tasks.iter().map(|task| format!("`{task}`")).collect();
            format!("the tasks are {}", tasks.join(", ")).into()
        }
    }
}

/// Returns the value of a key, if the config itself states it. A value that was taken over from another config may
/// have its meaning there; the config of a session does not show which values these are.
pub(super) fn stated_here<'a>(own: &Fields<'a>, key: &str) -> Option<&'a Node> {
    own.get(key).filter(|node| node.place.file == 0 && !own.source().is_of_session())
}

/// Returns the error of engines without a task.
pub(super) fn engines_without_task(source: &Source, engines: &Node, tasks: &[Task]) -> ConfigError {
    let message = format!("`engines` find all solutions, and {}", task_list(tasks));
    let mend = "state a task, as in `task: count`, or remove them";
    source.error(engines.place, message).hint(mend)
}
