//! Which factors move the measure most, as far as intervals leave no doubt.

use super::words::{certain, read, span};
use crate::contest::Measure;
use crate::effects::Effect;
use crate::escape::plain;
use crate::material::Material;
use crate::number::significant;
use crate::statistics::Interval;
use crate::statistics::ranking::INSTANCES;

/// So many factors are told, those that move most.
const TOLD: usize = 2;

/// A factor with its surest effect.
struct Factor {
    name: String,
    /// So much it moves the measure at least.
    certain: f64,
    /// The effect in words.
    effect: String,
    /// The boards that it is of.
    boards: usize,
}

/// The sentence; none if nothing but the encoding was varied.
pub(super) fn sentence(material: &Material<'_>, measure: Measure) -> Option<String> {
    // That solvers differ is no answer to a question of encodings.
    let effects = material.effects(measure).iter();
    let effects: Vec<&Effect> =
        effects.filter(|effect| effect.family.is_none() && effect.factor != "solver").collect();
    if effects.is_empty() {
        return None;
    }
    let mut factors: Vec<Factor> = Vec::new();
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
        let boards = effect.ratio.instances;
        enter(&mut factors, &effect.factor, effect.interval, told, boards);
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
            enter(&mut factors, "encoding", known.interval, told, known.instances);
        }
    }
    // What is read as a factor of 1.0 would be told to move something by nothing.
    factors.retain(|factor| significant(factor.certain, 2) != "1.0");
    if factors.is_empty() {
        return Some(format!("No factor moves the {} for sure.", measure.words()));
    }
    factors.sort_by(|one, two| two.certain.total_cmp(&one.certain));
    factors.truncate(TOLD);
    // Few boards are no sample of others.
    let few = factors.iter().any(|factor| factor.boards < INSTANCES);
    let told = factors.iter().map(|Factor { name, certain, effect, .. }| {
        let certain = significant(*certain, 2);
        format!("{} by a factor of {certain} or more ({effect})", plain(name))
    });
    Some(format!(
        "What moves the {} {}: {}.",
        measure.words(),
        if few { "on these boards" } else { "for sure" },
        told.collect::<Vec<_>>().join("; ")
    ))
}

/// Enters an effect of a factor, if it is surer than what is known of that.
fn enter(
    factors: &mut Vec<Factor>,
    name: &str,
    interval: Option<Interval>,
    effect: String,
    boards: usize,
) {
    let factor = Factor { name: name.to_owned(), certain: certain(interval), effect, boards };
    match factors.iter_mut().find(|known| known.name == name) {
        Some(known) if known.certain >= factor.certain => {}
        Some(known) => *known = factor,
        None => factors.push(factor),
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Numbering;
    use bezzel_lab::Row;
    use bezzel_solve::OptionValue;

    use crate::answer::tests::{by_batsat, rows, told};

    /// The rows, and each once more, changed, with so many times the time.
    fn and(mut rows: Vec<Row>, times: f64, change: impl Fn(&mut Row)) -> Vec<Row> {
        for mut row in rows.clone() {
            row.solve_cpu_s = row.solve_cpu_s.map(|time| times * time);
            change(&mut row);
            rows.push(row);
        }
        rows
    }

    fn as_generated(row: &mut Row) {
        row.job.numbering = Numbering::AS_GENERATED;
    }

    #[test]
    fn the_factor_that_moves_most_comes_first() {
        let told = told(and(by_batsat([2.0, 1.0, 1.0]), 10.0, as_generated));
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
    fn the_two_that_move_most_are_told_and_solvers_are_no_factor_of_an_encoding() {
        let eliminating = |row: &mut Row| {
            std::sync::Arc::make_mut(&mut row.job.options)
                .insert("elim".into(), OptionValue::Integer(1));
        };
        let generated = and(by_batsat([2.0, 1.0, 1.0]), 10.0, as_generated);
        let of_three = told(and(generated, 5.0, eliminating)).remove(1);
        assert!(of_three.contains(": numbering by a factor of 10 or more"), "{of_three}");
        assert!(of_three.contains("; elim by a factor of 5.0 or more"), "{of_three}");
        assert!(!of_three.contains("encoding by"), "{of_three}");
        // A solver that takes fifty times as long.
        let mut of_two = rows([2.0, 1.0, 1.0]);
        for row in of_two.iter_mut().filter(|row| row.job.solver == "cadical") {
            row.solve_cpu_s = row.solve_cpu_s.map(|time| 50.0 * time);
        }
        let of_two = told(and(of_two, 10.0, as_generated)).remove(1);
        assert!(of_two.contains(": numbering by a factor of 10 or more"), "{of_two}");
        assert!(of_two.contains("; encoding by a factor of 2.0 or more"), "{of_two}");
        assert!(!of_two.contains("solver by"), "{of_two}");
    }

    #[test]
    fn of_few_boards_nothing_is_told_that_would_hold_of_others() {
        let few = |most: u32| {
            let rows = and(by_batsat([2.0, 1.0, 1.0]), 10.0, as_generated);
            rows.into_iter().filter(|row| row.job.board.rows() < most).collect::<Vec<Row>>()
        };
        // Of sides from 8 on: six boards, and five with a run each.
        let of_six = told(few(14)).remove(1);
        let start =
            "What moves the CPU time of solving on these boards: numbering by a factor of 10";
        assert!(of_six.starts_with(start), "{of_six}");
        assert!(of_six.contains("on 6 boards"), "{of_six}");
        let of_five = told(few(13)).remove(1);
        assert_eq!(of_five, "No factor moves the CPU time of solving for sure.");
    }

    #[test]
    fn what_moves_next_to_nothing_is_not_told_to_move_anything() {
        let told_of = |times| told(and(by_batsat([1.02, 1.0, 1.0]), times, as_generated)).remove(1);
        assert_eq!(told_of(1.01), "No factor moves the CPU time of solving for sure.");
        let told = told_of(3.0);
        assert!(told.contains(": numbering by a factor of 3.0 or more"), "{told}");
        assert!(!told.contains("encoding by"), "{told}");
    }
}
