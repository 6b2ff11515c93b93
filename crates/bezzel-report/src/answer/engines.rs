//! Of each task the engine that took least.

use bezzel_lab::{Task, Verdict};

use crate::escape::plain;
use crate::lineup::Trial;
use crate::material::Material;
use crate::number::significant;

/// A sentence for each task of which anybody came to a verified end.
pub(super) fn sentences(material: &Material<'_>) -> Vec<String> {
    let tasks = material.lineup.tasks.iter();
    tasks.filter_map(|&task| of_task(material, task)).collect()
}

/// The engine that took least on the largest board of which anybody found all.
fn of_task(material: &Material<'_>, task: Task) -> Option<String> {
    let lineup = &material.lineup;
    let verified = |trial: &&Trial<'_>| {
        let mut rows = trial.rows.iter();
        trial.task == task && rows.any(|row| row.solved() && row.verdict == Verdict::Verified)
    };
    let trials = || lineup.trials.iter().filter(verified);
    let area = |trial: &Trial<'_>| u64::from(trial.board.rows()) * u64::from(trial.board.columns());
    // Of equally large boards the first of the plan, as `max_by_key` would take the last.
    let largest = trials().rev().max_by_key(|trial| area(trial))?.board;
    let mut times: Vec<(f64, usize)> = trials()
        .filter(|trial| trial.board == largest)
        .filter_map(|trial| Some((trial.cpu_s()?.measured()?, trial.arm)))
        .collect();
    times.sort_by(|one, two| one.0.total_cmp(&two.0));
    let name = |arm: usize| plain(&lineup.arms[arm].label());
    let (least, first) = *times.first()?;
    let next = times.get(1).map_or_else(
        || "no other came to an end".into(),
        |(time, next)| {
            format!("next {} with {} times as much", name(*next), significant(time / least, 2))
        },
    );
    Some(format!(
        "{}: on board {largest}, the largest with a verified end, {} took least, {} s of CPU time; \
         {next}.",
        task.id(),
        name(first),
        significant(least, 2)
    ))
}

#[cfg(test)]
mod tests {
    use bezzel_lab::{NO_ENCODING, Row};

    use crate::answer::tests::told;
    use crate::sample::{counted, on_side, timed_out};

    #[test]
    fn the_fastest_engine_on_the_largest_board_is_told_with_the_next() {
        let rows = vec![
            counted("backtrack", NO_ENCODING, 0.5),
            on_side(9, counted("backtrack", NO_ENCODING, 1.0)),
            on_side(9, counted("blocking", "pairwise", 4.0)),
            on_side(10, Row { stop: timed_out().stop, ..counted("blocking", "pairwise", 5.0) }),
        ];
        assert_eq!(
            told(rows),
            [
                "count: on board 9, the largest with a verified end, backtrack took least, 1.0 s of CPU \
              time; next blocking, pairwise with 4.0 times as much."
            ]
        );
    }
}
