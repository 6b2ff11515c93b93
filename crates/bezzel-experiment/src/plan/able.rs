//! Refuses engines that cannot do their tasks, with the place in the config.
//!
//! Excluded cells are not checked.

use bezzel_encode::{Symmetry, Unsupported};

use super::fit;
use super::plan_matrix::PlanMatrix;
use crate::backend::{Backend, Capabilities, InputKind};
use crate::config::{Arm, Config, ConfigError, SettingValues};
use crate::model::job::Task;

/// The engines of a matrix.
fn engines<'s>(
    plan_matrix: &'s PlanMatrix<'_>,
) -> impl Iterator<Item = (usize, &'s Arm, &'s dyn Backend)> {
    let arms = plan_matrix.matrix.arms.iter().enumerate().filter(|(_, arm)| arm.is_engine());
    arms.filter_map(|(place, arm)| Some((place, arm, arm.backend.as_deref()?)))
}

/// Refuses tasks and encodings of a matrix that its solvers and engines cannot handle.
pub(super) fn refuse(config: &Config, plan_matrix: &PlanMatrix<'_>) -> Result<(), ConfigError> {
    refuse_unstated(config, plan_matrix)?;
    refuse_unable(config, plan_matrix)?;
    refuse_broken_symmetry(config, plan_matrix)
}

/// Refuses encodings under a solver or an engine that does not accept their constraints.
fn refuse_unstated(config: &Config, plan_matrix: &PlanMatrix<'_>) -> Result<(), ConfigError> {
    for (encoding, variant) in plan_matrix.variants.iter().enumerate() {
        for (place, arm) in plan_matrix.matrix.arms.iter().enumerate() {
            if arm.reads != InputKind::Board
                && let Err(problem) = fit::stated(config, variant, arm)
                && plan_matrix.meet(Some(encoding), place)
            {
                return Err(problem);
            }
        }
    }
    Ok(())
}

/// Refuses a task that an engine cannot do, and broken symmetry where it must not be.
fn refuse_unable(config: &Config, plan_matrix: &PlanMatrix<'_>) -> Result<(), ConfigError> {
    for (place, arm, engine) in engines(plan_matrix) {
        let refused = |message: String| config.source().error(arm.place, message);
        let (id, task) = (&arm.id, arm.task);
        let encodings = || 0..plan_matrix.variants.len();
        let meets = |encoding: &usize| plan_matrix.meet(Some(*encoding), place);
        if arm.reads == InputKind::Board {
            if !plan_matrix.meet(None, place) {
                continue;
            }
            let settings =
                plan_matrix.matrix.settings.iter().filter(|values| values.axis.leaves_out);
            let mut broken =
                settings.filter_map(|values| Some((values, values.other_than_default()?)));
            if let Some((SettingValues { axis, .. }, name)) = broken.next() {
                let message = format!(
                    "`{}: {name}` leaves solutions out, and `{id}` reads the board alone: it would \
                     find all of them",
                    axis.key
                );
                let default = axis.default();
                let mend =
                    format!("put the engine under `include`, with `{}: {default}`", axis.key);
                return Err(refused(message).hint(mend));
            }
        } else if !encodings().any(|encoding| meets(&encoding)) {
            continue;
        }
        if engine.capabilities().query(task).is_none() {
            let message = format!("`{id}` cannot do `{task}`: {}", Capabilities::lack(task));
            let mend = format!(
                "ask another engine, or exclude it for this task, as in \
                 `exclude: {{engine: {}, task: {task}}}`",
                written(id)
            );
            return Err(refused(message).hint(mend));
        }
        if task != Task::Fundamental {
            continue;
        }
        for encoding in encodings().filter(meets) {
            let symmetry = plan_matrix.variants[encoding].settings.symmetry;
            if symmetry != Symmetry::None {
                let message = format!(
                    "`symmetry: {symmetry}` leaves images out of what `{id}` reads, and \
                     `fundamental` leaves them out of what it finds: both are too much"
                );
                let mend = format!(
                    "count what the formula leaves by `task: count`, or take `symmetry: none`; in a \
                     list, `exclude: {{task: fundamental, symmetry: {symmetry}}}`"
                );
                return Err(refused(message).hint(mend));
            }
        }
    }
    Ok(())
}

/// Refuses broken symmetry for the task `propagate`. This task compares unit propagation with all solutions of the
/// board, and broken symmetry leaves some of them out.
fn refuse_broken_symmetry(
    config: &Config,
    plan_matrix: &PlanMatrix<'_>,
) -> Result<(), ConfigError> {
    for (place, arm) in plan_matrix.matrix.arms.iter().enumerate() {
        if arm.task != Task::Propagate {
            continue;
        }
        let mut variants = plan_matrix.variants.iter().enumerate();
        let broken = variants.find(|(encoding, variant)| {
            variant.settings.symmetry != Symmetry::None && plan_matrix.meet(Some(*encoding), place)
        });
        if let Some((_, variant)) = broken {
            let symmetry = variant.settings.symmetry;
            let message = format!(
                "`symmetry: {symmetry}` leaves solutions out, and `propagate` is compared with \
                 all of them"
            );
            let mend = "take `symmetry: none`; in a list, exclude it for this task, as in \
                        `exclude: {task: propagate, symmetry: full}`";
            return Err(config.source().error(arm.place, message).hint(mend));
        }
    }
    Ok(())
}

/// Returns a name as it is written in a config, with quotes if it needs some.
fn written(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match () {
        () if is_plain => name.to_owned(),
        () if name.contains('"') => format!("'{}'", name.replace('\'', "''")),
        () => format!("\"{name}\""),
    }
}

/// Refuses a board that an engine cannot read, and encodings of it.
pub(super) fn refuse_misfits(
    config: &Config,
    plan_matrix: &PlanMatrix<'_>,
    board: usize,
) -> Result<(), ConfigError> {
    let on = &plan_matrix.matrix.instances[board].instance;
    for (place, arm, engine) in engines(plan_matrix) {
        let refused = |unsupported: Unsupported, mend: &str| {
            let Unsupported { what, instance, why, mend: advice } = unsupported;
            let message = format!("{what} does not fit {instance}: {why}");
            config.source().error(arm.place, message).hint(format!("{advice}; or {mend}"))
        };
        if plan_matrix.runs(board, None, place)
            && let Err(unsupported) = engine.fits(on, None)
        {
            let mend = "exclude the engine here, or put it under `include` with instances that fit";
            return Err(refused(unsupported, mend));
        }
        let cells = plan_matrix.cells[board].iter().enumerate();
        for (encoding, cell) in cells.filter_map(|(place, cell)| Some((place, cell.as_ref()?))) {
            // The encoding of a program is not known before the program was run.
            if cell.stands_in || !plan_matrix.runs(board, Some(encoding), place) {
                continue;
            }
            if let Err(unsupported) = engine.fits(on, Some(cell.encoding.as_ref())) {
                let mend = format!(
                    "exclude it for this encoding, as in `exclude: {{engine: {}, encoding: {}}}`, or put \
                     it under `include` with encodings that fit",
                    written(&arm.id),
                    written(&cell.id)
                );
                return Err(refused(unsupported, &mend));
            }
        }
    }
    Ok(())
}
