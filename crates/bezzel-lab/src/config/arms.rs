//! Who does the jobs: solvers find one solution, engines find all of them, or their number; nobody is
//! needed where a formula is only measured.
//!
//! The axis is made of two lists: `solvers` is that of the task `first`, `engines` that of the tasks
//! about all solutions, and each must be there if a task needs it. What no task needs does not mean what it seems to
//! mean, and is refused; unless it was taken over from another config, which may serve several.

use std::borrow::Cow;

use super::arm::{Arm, found};
use super::axes;
use super::engines;
use super::fields::Fields;
use super::node::{Node, Value};
use super::solvers::{self, SWITCHES};
use super::source::{ConfigError, Source};
use super::switch;
use crate::backend::workbench::Workbench;
use crate::model::job::{BackendKind, Task};

/// The keys that make up the axis.
pub(super) const KEYS: [&str; 7] =
    ["task", "most", "solvers", "reencode", "eliminate", "proofs", "engines"];

/// The tasks. A key is taken from the first of the maps that has it; but who names solvers alone
/// beside a matrix means the task that these do, and who names engines alone those of the others.
pub(super) fn tasks(source: &Source, maps: &[&Fields<'_>]) -> Result<Vec<Task>, ConfigError> {
    let mut tasks = match found(maps, "task")? {
        None => vec![Task::First],
        Some(nodes) => axes::tasks(source, nodes)?,
    };
    let [own, _] = maps else { return Ok(tasks) };
    let has = |key: &str| own.get(key).is_some();
    let solvers = has("solvers") || SWITCHES.into_iter().any(has);
    let engines = has("engines") || has("most");
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

/// The arms: solvers in all their combinations, and each engine with each task that is its own. A
/// key is taken from the first of the maps that has it.
pub(super) fn read(
    source: &Source,
    maps: &[&Fields<'_>],
    workbench: &Workbench,
) -> Result<Vec<Arm>, ConfigError> {
    let all = tasks(source, maps)?;
    let own = maps[0];
    let of = |kind| all.iter().copied().filter(move |task| task.backend() == kind);
    let has_first = all.contains(&Task::First);
    let tasks: Vec<Task> = of(Some(BackendKind::Engine)).collect();
    if !has_first {
        refuse_solvers(source, own, &all)?;
    }
    if let (true, Some(node)) = (tasks.is_empty(), stated_here(own, "engines")) {
        return Err(unasked(source, node, &all));
    }
    let most = most(source, maps, &tasks)?;
    let mut arms = Vec::new();
    if has_first {
        let Some(nodes) = found(maps, "solvers")? else {
            own.need("solvers", "solvers: [cadical]")?;
            return Ok(arms);
        };
        arms.extend(solvers::read(source, nodes, maps, workbench)?);
    }
    if !tasks.is_empty() {
        let Some(nodes) = found(maps, "engines")? else {
            own.need("engines", "engines: [blocking, backtrack]")?;
            return Ok(arms);
        };
        arms.extend(engines::read(source, nodes, &tasks, most, workbench)?);
    }
    let stated = found(maps, "task")?.unwrap_or_default();
    for task in of(None) {
        let is_it = |node: &&Node| matches!(&node.value, Value::Text(id) if id == task.id());
        if let Some(node) = stated.iter().find(is_it) {
            arms.push(Arm::measured(task, node.place));
        }
    }
    Ok(arms)
}

/// Refuses solvers, and what is switched in them, where no task is theirs.
fn refuse_solvers(source: &Source, own: &Fields<'_>, tasks: &[Task]) -> Result<(), ConfigError> {
    let told = told(tasks);
    if let Some(node) = stated_here(own, "solvers") {
        let message = format!("`solvers` find one solution, and {told}");
        let is_done = !tasks.iter().any(|task| task.backend() == Some(BackendKind::Engine));
        let mend = if is_done || own.get("engines").is_some() {
            "take them away, or add `first` to the tasks"
        } else {
            "this is done by engines, as in `engines: [blocking, backtrack]`"
        };
        return Err(source.error(node.place, message).hint(mend));
    }
    for key in SWITCHES {
        let Some(node) = stated_here(own, key) else { continue };
        let values = switch::axis(source, node.one_or_more(), &format!("`{key}`"))?;
        // That no proof is written is true of engines as well.
        if key != "proofs" || values.iter().any(|(on, _)| *on) {
            let message = format!("`{key}` switches something in solvers, and {told}");
            let mend = "take it away, or add `first` to the tasks";
            return Err(source.error(node.place, message).hint(mend));
        }
    }
    Ok(())
}

/// So many solutions are enough.
fn most(source: &Source, maps: &[&Fields<'_>], tasks: &[Task]) -> Result<Option<u64>, ConfigError> {
    let enumerates = tasks.contains(&Task::Enumerate);
    if let (false, Some(node)) = (enumerates, stated_here(maps[0], "most")) {
        let message = "`most` says how many solutions are enough, and none are enumerated";
        let mend = "take it away, or add `enumerate` to the tasks";
        return Err(source.error(node.place, message).hint(mend));
    }
    let node = maps.iter().find_map(|map| map.get("most")).filter(|_| enumerates);
    node.map(|node| source.whole(node, "`most`", 1..=u64::MAX)).transpose()
}

/// The tasks as the end of a sentence.
pub(super) fn told(tasks: &[Task]) -> Cow<'static, str> {
    match tasks {
        [] => "there is no task".into(),
        [task] => format!("the task is `{task}`").into(),
        tasks => {
            let tasks: Vec<_> = tasks.iter().map(|task| format!("`{task}`")).collect();
            format!("the tasks are {}", tasks.join(", ")).into()
        }
    }
}

/// The value of a key, if it is written in the config itself: what was taken over from another one
/// may have its meaning there.
pub(super) fn stated_here<'a>(own: &Fields<'a>, key: &str) -> Option<&'a Node> {
    own.get(key).filter(|node| node.place.file == 0)
}

/// Engines that nothing is asked of.
pub(super) fn unasked(source: &Source, engines: &Node, tasks: &[Task]) -> ConfigError {
    let message = format!("`engines` find all solutions, and {}", told(tasks));
    let mend = "say what is asked of them, as in `task: count`, or take them away";
    source.error(engines.place, message).hint(mend)
}
