//! The answer of a report: one or two sentences written from the statistics, which say no more than
//! these carry.

use std::cmp::Ordering;

use bezzel_lab::Verdict;
use bezzel_lab::quantity::grouped;

use crate::contest::{Measure, Standing};
use crate::escape::plain;
use crate::lineup::Trial;
use crate::material::Material;
use crate::number::{count, significant};
use crate::statistics::ranking::Comparison;
use crate::statistics::ratio::Estimate;
use crate::statistics::{Interval, Relation};

/// So many sentences answer a question.
const MOST: usize = 2;
/// So many names are told in a sentence.
const NAMES: usize = 4;

/// The sentences; none if there is nothing to compare.
pub(crate) fn answer(material: &Material<'_>) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    if let Some(standing) = telling(material) {
        sentences.push(of_standing(material, standing));
        sentences.extend(of_factors(material, standing));
    }
    sentences.extend(of_engines(material));
    if sentences.is_empty() {
        sentences.extend(of_sizes(material));
    }
    sentences.truncate(MOST);
    sentences
}

/// The comparison that says most: that of the most runs, by time unless the machine was too noisy.
fn telling<'m>(material: &'m Material<'_>) -> Option<&'m Standing> {
    let noises = bezzel_lab::calibration::noise(&material.record.readings);
    let noisy = noises.iter().any(bezzel_lab::calibration::Noise::is_too_high);
    let wanted = if noisy { Measure::Conflicts } else { Measure::Time };
    let runs = |standing: &Standing| {
        let cells = material.cells.iter();
        let cells = cells.filter(|cell| cell.place.numbering == standing.numbering);
        cells.map(|cell| cell.rows.len()).sum::<usize>()
    };
    // Of equals the first.
    material.standings().iter().rev().max_by_key(|known| (known.measure == wanted, runs(known)))
}

fn of_standing(material: &Material<'_>, standing: &Standing) -> String {
    let Standing { measure, contest, ranking, .. } = standing;
    let by = format!(
        "By {}, numbered {}",
        measure.words(),
        plain(&material.numberings[standing.numbering])
    );
    let pairs = contest.arms.len() * (contest.arms.len() - 1) / 2;
    let name = |arm: usize| plain(&contest.arms[arm]);
    if pairs == 1 {
        let each = ranking.comparisons.iter().map(|known| compared(standing, known));
        return format!("{by}: {}.", each.collect::<Vec<_>>().join("; "));
    }
    let solvers: Vec<String> = contest.solvers.iter().map(|known| plain(&known.label)).collect();
    if ranking.above.is_empty() {
        let decided = ranking.comparisons.iter().filter(|known| certain(known.interval) > 1.0);
        let surest =
            decided.max_by(|one, two| certain(one.interval).total_cmp(&certain(two.interval)));
        let surest = surest.map_or_else(
            || "no interval of a ratio excludes 1".into(),
            |known| format!("the surest difference: {}", compared(standing, known)),
        );
        let missing = ranking.missing.first().map_or(String::new(), |missing| {
            format!(" ({})", plain(missing.trim_end_matches('.')))
        });
        return format!("{by}, no encoding is ranked above another{missing}; {surest}.");
    }
    // Whoever is above most others; in the order of the ranking where several are.
    let wins = |arm: usize| ranking.above.iter().filter(|pair| pair.0 == arm).count();
    let mut top = ranking.order.clone();
    top.sort_by_key(|&arm| std::cmp::Reverse(wins(arm)));
    let below: Vec<String> =
        ranking.above.iter().filter(|pair| pair.0 == top[0]).map(|pair| name(pair.1)).collect();
    format!(
        "{by}, {} of {pairs} pairs of encodings are ranked by {} alike: {} is above {}.",
        ranking.above.len(),
        solvers.join(" and "),
        name(top[0]),
        names(&below)
    )
}

/// Names, the last ones only counted if there are many.
fn names(all: &[String]) -> String {
    match all.len().cmp(&NAMES) {
        Ordering::Greater => {
            format!("{} and {} more", all[..NAMES - 1].join(", "), all.len() - (NAMES - 1))
        }
        _ => all.join(", "),
    }
}

/// The factor that an interval leaves no doubt about: its end that is nearer to 1, turned to be above
/// 1; 1 itself if the interval holds it.
fn certain(interval: Option<Interval>) -> f64 {
    let Some(interval) = interval else { return 1.0 };
    let below = interval.high.map_or(1.0, f64::recip);
    interval.low.unwrap_or(1.0).max(below).max(1.0)
}

/// Two arms beside each other, the one that takes more first.
fn compared(standing: &Standing, known: &Comparison) -> String {
    let less = known.ratio.estimate.and_then(Estimate::bound).is_some_and(|ratio| ratio < 1.0);
    let turned = if less { known.turned() } else { known.clone() };
    let name = |arm: usize| plain(&standing.contest.arms[arm]);
    let solver = plain(&standing.contest.solvers[known.solver].label);
    let (one, two) = (name(turned.one), name(turned.two));
    let Some(estimate) = turned.ratio.estimate else {
        return format!("{one} and {two} were not compared by {solver}");
    };
    let decided = match turned.relation() {
        Relation::Equivalent => ", equivalent within 10 %",
        Relation::Undecided => ", which decides nothing",
        Relation::Less | Relation::More => "",
    };
    format!(
        "{one} takes {} times what {two} takes under {solver} ({}{decided})",
        read(estimate),
        span(turned.interval, turned.instances)
    )
}

fn read(estimate: Estimate) -> String {
    match estimate.exact() {
        Some(ratio) => significant(ratio, 2),
        None => estimate.to_string(),
    }
}

/// An interval and the number of boards that it is of.
fn span(interval: Option<Interval>, boards: usize) -> String {
    let boards = count(boards, "board");
    interval.map_or_else(
        || boards.clone(),
        |interval| {
            let low = interval.low.map_or_else(|| "0".into(), |low| significant(low, 2));
            let high = interval.high.map_or_else(|| "∞".into(), |high| significant(high, 2));
            format!("{low} to {high} on {boards}")
        },
    )
}

/// Which factor moves the measure most, as far as intervals leave no doubt.
fn of_factors(material: &Material<'_>, standing: &Standing) -> Option<String> {
    let measure = standing.measure;
    let mut factors: Vec<(String, f64, String)> = Vec::new();
    let mut enter = |factor: &str, interval: Option<Interval>, told: String| {
        let certain = certain(interval);
        match factors.iter_mut().find(|known| known.0 == factor) {
            Some(known) if known.1 >= certain => {}
            Some(known) => *known = (factor.to_owned(), certain, told),
            None => factors.push((factor.to_owned(), certain, told)),
        }
    };
    let effects = material.effects(measure);
    // That solvers differ is no answer to a question of encodings.
    if effects.iter().all(|effect| effect.factor == "solver") {
        return None;
    }
    for effect in effects {
        let Some(ratio) = effect.ratio.estimate else { continue };
        let told = format!(
            "{} to {}, {}: {} times, {}",
            plain(&effect.from),
            plain(&effect.to),
            plain(&effect.held),
            read(ratio),
            span(effect.interval, effect.ratio.instances)
        );
        enter(&effect.factor, effect.interval, told);
    }
    for standing in material.standings().iter().filter(|known| known.measure == measure) {
        for known in &standing.ranking.comparisons {
            let Some(ratio) = known.ratio.estimate else { continue };
            let arms = &standing.contest.arms;
            let told = format!(
                "{} to {}, {}, {}: {} times, {}",
                plain(&arms[known.two]),
                plain(&arms[known.one]),
                plain(&standing.contest.solvers[known.solver].label),
                plain(&material.numberings[standing.numbering]),
                read(ratio),
                span(known.interval, known.instances)
            );
            enter("encoding", known.interval, told);
        }
    }
    factors.sort_by(|one, two| two.1.total_cmp(&one.1));
    let told = factors.iter().map(|(factor, certain, told)| {
        if *certain > 1.0 {
            format!(
                "{} by a factor of {} or more ({told})",
                plain(factor),
                significant(*certain, 2)
            )
        } else {
            format!("{} by nothing that is sure", plain(factor))
        }
    });
    Some(format!(
        "What moves the {} for sure: {}.",
        measure.words(),
        told.collect::<Vec<_>>().join("; ")
    ))
}

/// Of each task the engine that took least on the largest board of which anybody found all.
fn of_engines(material: &Material<'_>) -> Vec<String> {
    let lineup = &material.lineup;
    let of_task = |task| {
        let verified = |trial: &&Trial<'_>| {
            let mut rows = trial.rows.iter();
            trial.task == task && rows.any(|row| row.solved() && row.verdict == Verdict::Verified)
        };
        let trials = || lineup.trials.iter().filter(verified);
        let area =
            |trial: &Trial<'_>| u64::from(trial.board.rows()) * u64::from(trial.board.columns());
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
    };
    lineup.tasks.iter().filter_map(|&task| of_task(task)).collect()
}

/// Which formula is smallest on the smallest and on the largest plane board on which several were
/// measured.
fn of_sizes(material: &Material<'_>) -> Option<String> {
    let mut smallest: Vec<(u32, String, u64)> = Vec::new();
    for (board, known) in material.boards.iter().enumerate() {
        if material.terrain(board) != "plane" {
            continue;
        }
        let mut clauses: Vec<(u64, &str)> = Vec::new();
        for cell in material.cells_on(board) {
            if let Some(formula) = cell.formula()
                && !clauses.iter().any(|(_, name)| *name == cell.encoding)
            {
                clauses.push((formula.clauses, &cell.encoding));
            }
        }
        if clauses.len() > 1
            && let Some((least, name)) = clauses.into_iter().min()
        {
            smallest.push((known.rows(), plain(name), least));
        }
    }
    smallest.sort();
    let (first, last) = (smallest.first()?, smallest.last()?);
    let say = |(side, name, clauses): &(u32, String, u64)| {
        format!("{name} has the fewest clauses for N = {side} ({})", grouped((*clauses).into()))
    };
    if first == last {
        return Some(format!("{}.", say(first)));
    }
    if first.1 == last.1 {
        return Some(format!(
            "{}, and for N = {} ({}).",
            say(first),
            last.0,
            grouped(last.2.into())
        ));
    }
    let since = smallest.iter().rev().take_while(|known| known.1 == last.1).last()?;
    Some(format!("{}; from N = {} on it is {}.", say(first), since.0, last.1))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, NO_ENCODING, Row};

    use super::*;
    use crate::sample::{counted, measured, on_side, shuffled, solved, timed_out, unchecked};

    fn told(rows: Vec<Row>) -> Vec<String> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        answer(&Material::new(&record, &Registry::new()))
    }

    fn of(encoding: &str, solver: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row.job.solver = solver.into();
        row
    }

    /// Three encodings that take so many times as much, on twelve boards, half of them without a
    /// solution, in two solvers.
    fn rows(factors: [f64; 3]) -> Vec<Row> {
        let mut rows = Vec::new();
        for side in 8..20 {
            for solver in ["batsat", "cadical"] {
                for (encoding, factor) in ["a", "b", "c"].into_iter().zip(factors) {
                    let time = 0.01 * f64::from(side) * factor;
                    let mut row = of(encoding, solver, on_side(side, shuffled(1, time)));
                    if side % 2 == 0 {
                        row.answer = bezzel_solve::Answer::Unsat;
                    }
                    rows.push(row);
                }
            }
        }
        rows
    }

    #[test]
    fn a_ranking_is_told_with_who_agrees() {
        assert_eq!(
            told(rows([2.0, 1.0, 1.0])),
            [
                "By CPU time of solving, numbered random, 2 of 3 pairs of encodings are ranked by batsat \
              and cadical alike: b is above a."
            ]
        );
    }

    #[test]
    fn nothing_is_ranked_where_something_is_missing_and_that_is_told() {
        let one_solver = rows([2.0, 1.0, 1.0]).into_iter().filter(|row| row.job.solver == "batsat");
        assert_eq!(
            told(one_solver.collect()),
            [
                "By CPU time of solving, numbered random, no encoding is ranked above another (1 solver \
              only: a ranking needs 2 that agree); the surest difference: a takes 2.0 times what c \
              takes under batsat (2.0 to 2.0 on 12 boards)."
            ]
        );
    }

    #[test]
    fn two_encodings_are_compared_and_equivalence_is_an_interval() {
        let two = rows([1.02, 1.0, 1.0]).into_iter();
        let two = two.filter(|row| row.job.solver == "batsat" && row.job.encoding != "c");
        assert_eq!(
            told(two.collect()),
            [
                "By CPU time of solving, numbered random: a takes 1.0 times what b takes under batsat \
              (1.0 to 1.0 on 12 boards, equivalent within 10 %)."
            ]
        );
    }

    #[test]
    fn the_factor_that_moves_most_comes_first() {
        let mut rows: Vec<Row> =
            rows([2.0, 1.0, 1.0]).into_iter().filter(|row| row.job.solver == "batsat").collect();
        for row in rows.clone() {
            let mut slower = row;
            slower.job.numbering = bezzel_encode::Numbering::AS_GENERATED;
            slower.solve_cpu_s = slower.solve_cpu_s.map(|time| 10.0 * time);
            rows.push(slower);
        }
        let told = told(rows);
        assert!(
            told[1].starts_with(
                "What moves the CPU time of solving for sure: numbering by a factor of 10 or more \
                 (random to as-generated, batsat: 10 times"
            ),
            "{told:?}"
        );
        assert!(told[1].contains("; encoding by a factor of 2.0 or more"), "{told:?}");
    }

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

    #[test]
    fn where_only_sizes_can_be_compared_the_crossover_is_told() {
        let sized = |side, encoding: &str, clauses| {
            of(encoding, "batsat", on_side(side, measured(64, clauses, 2 * clauses)))
        };
        let rows = vec![sized(4, "pairwise", 84), sized(4, "product", 100)];
        assert_eq!(told(rows), ["pairwise has the fewest clauses for N = 4 (84)."]);
    }

    #[test]
    fn what_nobody_checked_answers_nothing() {
        assert!(told(vec![unchecked(1.0), solved(1.0)]).is_empty());
        assert!(told(vec![]).is_empty());
    }
}
