//! Refuses engines that cannot do their tasks, with the place in the config.
//!
//! Excluded cells are not checked.

use bezzel_encode::Unsupported;

use super::fit;
use super::plan_matrix::PlanMatrix;
use crate::backend::{Backend, Capabilities, InputKind};
use crate::config::{Arm, Config, ConfigError};

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
    refuse_unable(config, plan_matrix)
}

/// Refuses encodings under a solver or an engine that does not accept their constraints.
fn refuse_unstated(config: &Config, plan_matrix: &PlanMatrix<'_>) -> Result<(), ConfigError> {
    for (encoding, variant) in plan_matrix.variants.iter().enumerate() {
        for (place, arm) in plan_matrix.matrix.arms.iter().enumerate() {
            if arm.reads != InputKind::Instance
                && let Err(problem) = fit::stated(config, variant, arm)
                && plan_matrix.meet(Some(encoding), place)
            {
                return Err(problem);
            }
        }
    }
    Ok(())
}

/// Refuses a task that an engine cannot do.
fn refuse_unable(config: &Config, plan_matrix: &PlanMatrix<'_>) -> Result<(), ConfigError> {
    for (place, arm, engine) in engines(plan_matrix) {
        let refused = |message: String| config.source().error(arm.place, message);
        let (id, task) = (&arm.id, arm.task);
        let mut encodings = 0..plan_matrix.variants.len();
        let is_met = if arm.reads == InputKind::Instance {
            plan_matrix.meet(None, place)
        } else {
            encodings.any(|encoding| plan_matrix.meet(Some(encoding), place))
        };
        if !is_met {
            continue;
        }
        if engine.capabilities().query(task).is_none() {
            let message = format!("`{id}` cannot do `{task}`: {}", Capabilities::lack(task));
            let mend = format!(
                "ask another engine, or exclude it for this task, as in \
                 `exclude: {{solver: {}, task: {task}}}`",
                written(id)
            );
            return Err(refused(message).hint(mend));
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

/// Refuses an instance that an engine cannot read, and encodings of it.
pub(super) fn refuse_misfits(
    config: &Config,
    plan_matrix: &PlanMatrix<'_>,
    instance: usize,
) -> Result<(), ConfigError> {
    let on = &plan_matrix.matrix.instances[instance].instance;
    for (place, arm, engine) in engines(plan_matrix) {
        let refused = |unsupported: Unsupported, mend: &str| {
            let Unsupported { what, instance, why, mend: advice, .. } = unsupported;
            let message = format!("{what} does not fit {instance}: {why}");
            config.source().error(arm.place, message).hint(format!("{advice}; or {mend}"))
        };
        if plan_matrix.runs(instance, None, place)
            && let Err(unsupported) = engine.fits(on, None)
        {
            let mend = "exclude the engine here, or put it under `include` with instances that fit";
            return Err(refused(unsupported, mend));
        }
        let cells = plan_matrix.cells[instance].iter().enumerate();
        for (encoding, cell) in cells.filter_map(|(place, cell)| Some((place, cell.as_ref()?))) {
            // The encoding of a program is not known before the program was run.
            if cell.stands_in || !plan_matrix.runs(instance, Some(encoding), place) {
                continue;
            }
            if let Err(unsupported) = engine.fits(on, Some(cell.encoding.as_ref())) {
                let mend = format!(
                    "exclude it for this encoding, as in `exclude: {{solver: {}, encoding: {}}}`, or put \
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
