//! Pairs: every two encodings beside each other, in every solver.

use bezzel_lab::quantity::grouped;

use super::ranking::{ends, machines, of_ratio};
use super::{Column, Item, Table};
use crate::contest::Standing;
use crate::escape::{id, plain};
use crate::material::Material;
use crate::number::significant;
use crate::statistics::bootstrap::RESAMPLES;
use crate::statistics::holm::simultaneous;
use crate::statistics::interval::MARGIN;
use crate::statistics::ranking::LEVEL;
use crate::statistics::wilcoxon::EXACT;
use crate::statistics::{Relation, Value};

/// What intervals say of few boards, for the notes of a table.
pub(super) const FEW_BOARDS: &str = "Of fewer than six boards the runs alone are resampled, so that an interval speaks of these boards \
     and of no others, and there is none where a board has a single run; fewer than ten say little of \
     others.";

/// A table for every numbering and measure that has something to compare.
pub fn tables(material: &Material<'_>) -> Vec<Table> {
    let standings = material.standings().iter().enumerate();
    standings.map(|(place, standing)| table(material, standing, place == 0)).collect()
}

/// The first table explains what all of them show.
fn table(material: &Material<'_>, standing: &Standing, is_first: bool) -> Table {
    let Standing { measure, contest, ranking, .. } = standing;
    let numbering = &material.numberings[standing.numbering];
    let columns = vec![
        Column::words("encoding", "Encoding"),
        Column::words("beside", "Beside"),
        Column::words("solver", "Solver"),
        Column::numbers("instances", "Boards"),
        Column::numbers("ratio", "Ratio"),
        Column::numbers("ratio_low", "from"),
        Column::numbers("ratio_high", "to"),
        Column::words("verdict", "Verdict"),
        Column::numbers("p_holm", "p (Holm)"),
        Column::numbers("rank_biserial", "Rank-biserial"),
        Column::numbers("a12", "A12"),
    ];
    let known = ranking.comparisons.iter().filter(|known| known.ratio.estimate.is_some());
    let rows = known.map(|known| {
        let name = |arm: usize| {
            let label = &contest.arms[arm];
            Item::Encoding(material.style(label), label.clone())
        };
        let mut row = vec![
            name(known.one),
            name(known.two),
            Item::Words(contest.solvers[known.solver].label.clone()),
            Item::Count(known.instances as u128),
            of_ratio(&known.ratio),
        ];
        row.extend(ends(known.interval));
        row.extend([
            Item::Words(verdict(known.relation()).into()),
            Item::Chance(known.p),
            Item::Value(Value::Measured(known.test.rank_biserial())),
            Item::of(known.a12.map(Value::Measured)),
        ]);
        row
    });
    Table {
        id: id(&["pairs", measure.id(), numbering]),
        title: format!("Pairs by {}, numbered {}", measure.words(), plain(numbering)),
        columns,
        rows: rows.collect(),
        notes: machines(material, standing)
            .into_iter()
            .chain(if is_first { notes(standing) } else { Vec::new() })
            .collect(),
    }
}

/// The verdict in words, of the first beside the second.
pub(super) fn verdict(relation: Relation) -> &'static str {
    match relation {
        Relation::Equivalent => "equivalent",
        Relation::Less => "takes less",
        Relation::More => "takes more",
        Relation::Undecided => "undecided",
    }
}

fn notes(standing: &Standing) -> Vec<String> {
    let arms = standing.contest.arms.len();
    let level = 100.0 * simultaneous(LEVEL, arms * (arms - 1) / 2);
    vec![
        format!(
            "Ratio: the geometric mean over boards of the ratios of medians, the first to the second. \
             Intervals: percentiles of {} resamples of boards, then of the runs of \
             each, expanded for few boards; each of level {} %, so that all of one solver hold together \
             with 95 %. {FEW_BOARDS}",
            grouped(RESAMPLES as u128),
            significant(level, 4)
        ),
        format!(
            "Verdict: equivalent if the whole interval lies between 1 / {0} and {0}; else by the side \
             of 1 on which it lies; undecided if it holds 1. That no difference was found shows none \
             to be absent.",
            significant(1.0 + MARGIN, 3)
        ),
        format!(
            "p: Wilcoxon's signed-rank test over boards, two-sided, on logarithms of ratios; one over \
             the limit is the largest difference, both are a tie; ties keep their ranks (Pratt); exact \
             up to {EXACT} differences; after Holm's correction over the pairs of a solver. \
             Rank-biserial: the share of ranks in which the first takes more, less that in which it \
             takes less."
        ),
    ]
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, Row};

    use super::*;
    use crate::sample::{on_side, shuffled};

    #[test]
    fn a_pair_has_its_ratio_its_interval_and_its_verdict() {
        let mut rows: Vec<Row> = Vec::new();
        for side in 8..14 {
            for (encoding, factor) in [("a", 1.0), ("b", 1.02), ("c", 3.0)] {
                let mut row = on_side(side, shuffled(1, 0.1 * f64::from(side) * factor));
                row.job.encoding = encoding.into();
                rows.push(row);
            }
        }
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let tables = tables(&Material::new(&record, &Registry::new()));
        let read = |row: usize| tables[0].rows[row].iter().map(Item::read).collect::<Vec<_>>();
        assert_eq!(tables[0].id, "pairs-time-random");
        // Six signs alike: 2 in 64, times three.
        assert_eq!(
            read(0),
            [
                "a",
                "b",
                "batsat",
                "6",
                "0.980",
                "0.980",
                "0.980",
                "equivalent",
                "0.094",
                "-1.00",
                "0"
            ]
        );
        assert_eq!(
            read(1),
            [
                "a",
                "c",
                "batsat",
                "6",
                "0.333",
                "0.333",
                "0.333",
                "takes less",
                "0.094",
                "-1.00",
                "0"
            ]
        );
    }
}
