//! Refuses engines that cannot do what they are asked, with the place in the config.
//!
//! What is excluded is not asked.

use bezzel_encode::{Misfit, Symmetry};

use super::fit;
use super::side::Side;
use crate::backend::{Backend, Capabilities, Reads};
use crate::config::{Arm, Config, ConfigError, SettingValues};
use crate::model::job::Task;

/// The engines of a matrix.
fn engines<'s>(side: &'s Side<'_>) -> impl Iterator<Item = (usize, &'s Arm, &'s dyn Backend)> {
    let arms = side.matrix.arms.iter().enumerate().filter(|(_, arm)| arm.is_engine());
    arms.filter_map(|(place, arm)| Some((place, arm, arm.backend.as_deref()?)))
}

/// Refuses what a matrix asks and its solvers and engines cannot do.
pub(super) fn refuse(config: &Config, side: &Side<'_>) -> Result<(), ConfigError> {
    refuse_unstated(config, side)?;
    refuse_unable(config, side)?;
    refuse_broken_symmetry(config, side)
}

/// Refuses encodings that meet a solver or an engine that does not take what they state.
fn refuse_unstated(config: &Config, side: &Side<'_>) -> Result<(), ConfigError> {
    for (encoding, wanted) in side.wanted.iter().enumerate() {
        for (place, arm) in side.matrix.arms.iter().enumerate() {
            if arm.reads != Reads::Board
                && let Err(problem) = fit::stated(config, wanted, arm)
                && side.meet(Some(encoding), place)
            {
                return Err(problem);
            }
        }
    }
    Ok(())
}

/// Refuses a task that is beyond an engine, and symmetry that is broken where it must not be.
fn refuse_unable(config: &Config, side: &Side<'_>) -> Result<(), ConfigError> {
    for (place, arm, engine) in engines(side) {
        let refused = |message: String| config.source().error(arm.place, message);
        let (id, task) = (&arm.id, arm.task);
        let encodings = || 0..side.wanted.len();
        let meets = |encoding: &usize| side.meet(Some(*encoding), place);
        if arm.reads == Reads::Board {
            if !side.meet(None, place) {
                continue;
            }
            let settings = side.matrix.settings.iter().filter(|values| values.axis.leaves_out);
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
            let symmetry = side.wanted[encoding].settings.symmetry;
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

/// Refuses symmetry that is broken where unit propagation is held against what is true of the board:
/// of the solutions that are left something else is true.
fn refuse_broken_symmetry(config: &Config, side: &Side<'_>) -> Result<(), ConfigError> {
    for (place, arm) in side.matrix.arms.iter().enumerate() {
        if arm.task != Task::Propagate {
            continue;
        }
        let mut wanted = side.wanted.iter().enumerate();
        let broken = wanted.find(|(encoding, wanted)| {
            wanted.settings.symmetry != Symmetry::None && side.meet(Some(*encoding), place)
        });
        if let Some((_, wanted)) = broken {
            let symmetry = wanted.settings.symmetry;
            let message = format!(
                "`symmetry: {symmetry}` leaves solutions out, and `propagate` is held against all of them"
            );
            let mend = "take `symmetry: none`; in a list, exclude it for this task, as in \
                        `exclude: {task: propagate, symmetry: full}`";
            return Err(config.source().error(arm.place, message).hint(mend));
        }
    }
    Ok(())
}

/// A name as it is written in a config, with quotes where it needs some.
fn written(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match () {
        () if is_plain => name.to_owned(),
        () if name.contains('"') => format!("'{}'", name.replace('\'', "''")),
        () => format!("\"{name}\""),
    }
}

/// Refuses a board, and encodings of it, that an engine cannot read.
pub(super) fn refuse_misfits(
    config: &Config,
    side: &Side<'_>,
    board: usize,
) -> Result<(), ConfigError> {
    let on = &side.matrix.instances[board].instance;
    for (place, arm, engine) in engines(side) {
        let refused = |misfit: Misfit, mend: &str| {
            let Misfit { what, instance, why, mend: advice } = misfit;
            let message = format!("{what} does not fit {instance}: {why}");
            config.source().error(arm.place, message).hint(format!("{advice}; or {mend}"))
        };
        if side.runs(board, None, place)
            && let Err(misfit) = engine.fits(on, None)
        {
            let mend = "exclude the engine here, or put it under `include` with instances that fit";
            return Err(refused(misfit, mend));
        }
        let cells = side.cells[board].iter().enumerate();
        for (encoding, cell) in cells.filter_map(|(place, cell)| Some((place, cell.as_ref()?))) {
            // What a program encodes is not known before it was run.
            if cell.stands_in || !side.runs(board, Some(encoding), place) {
                continue;
            }
            if let Err(misfit) = engine.fits(on, Some(cell.encoding.as_ref())) {
                let mend = format!(
                    "exclude it for this encoding, as in `exclude: {{engine: {}, encoding: {}}}`, or put \
                     it under `include` with encodings that fit",
                    written(&arm.id),
                    written(&cell.id)
                );
                return Err(refused(misfit, &mend));
            }
        }
    }
    Ok(())
}
