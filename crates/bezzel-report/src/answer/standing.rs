//! How encodings stand beside each other: who is ranked above whom, or the surest difference.

use super::words::{certain, names, read, span};
use crate::contest::{Measure, Standing};
use crate::escape::plain;
use crate::material::Material;
use crate::statistics::Relation;
use crate::statistics::ranking::Comparison;
use crate::statistics::ratio::Estimate;

/// The comparison that says most: that of the most runs, by time unless the machine was too noisy.
pub(super) fn telling<'m>(material: &'m Material<'_>) -> Option<&'m Standing> {
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

/// The sentence.
pub(super) fn sentence(material: &Material<'_>, standing: &Standing) -> String {
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
    // Whoever is above most others, with all that are above the same; in the order of the ranking.
    let below = |arm: usize| -> Vec<usize> {
        ranking.above.iter().filter(|pair| pair.0 == arm).map(|pair| pair.1).collect()
    };
    let best = ranking.order.iter().rev().copied().max_by_key(|&arm| below(arm).len());
    let losers = best.map_or_else(Vec::new, below);
    let alike = ranking.order.iter().copied().filter(|&arm| below(arm) == losers);
    let winners: Vec<String> = alike.map(name).collect();
    format!(
        "{by}, {} of {pairs} pairs of encodings are ranked by {} alike: {} {} above {}.",
        ranking.above.len(),
        solvers.join(" and "),
        names(&winners),
        if winners.len() == 1 { "is" } else { "are" },
        names(&losers.into_iter().map(name).collect::<Vec<_>>())
    )
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

#[cfg(test)]
mod tests {
    use crate::answer::tests::{by_batsat, rows, told};

    #[test]
    fn a_ranking_is_told_with_who_agrees() {
        assert_eq!(
            told(rows([2.0, 1.0, 1.0])),
            [
                "By CPU time of solving, numbered random, 2 of 3 pairs of encodings are ranked by batsat \
              and cadical alike: b, c are above a."
            ]
        );
    }

    #[test]
    fn nothing_is_ranked_where_something_is_missing_and_that_is_told() {
        assert_eq!(
            told(by_batsat([2.0, 1.0, 1.0])),
            [
                "By CPU time of solving, numbered random, no encoding is ranked above another (1 solver \
              only: a ranking needs 2 that agree); the surest difference: a takes 2.0 times what c \
              takes under batsat (2.0 to 2.0 on 12 boards)."
            ]
        );
    }

    #[test]
    fn two_encodings_are_compared_and_equivalence_is_an_interval() {
        let two = by_batsat([1.02, 1.0, 1.0]).into_iter().filter(|row| row.job.encoding != "c");
        assert_eq!(
            told(two.collect()),
            [
                "By CPU time of solving, numbered random: a takes 1.0 times what b takes under batsat \
              (1.0 to 1.0 on 12 boards, equivalent within 10 %)."
            ]
        );
    }
}
