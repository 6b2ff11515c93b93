//! Two factors of arms: their shares in the variation, the leaders, levels compared with families as units, and the
//! families that have the gains.
//!
//! The factors are the parts of the arms of an imported table, or the encoding and its input order. A level with several
//! replicates is scrambled.

use bezzel_statistics::families::over_families;
use bezzel_statistics::score::shares;
use bezzel_statistics::score::{mean, penalised};
use bezzel_statistics::{LEVEL, PairedDesign};
use indexmap::{IndexMap, IndexSet};

use super::columns::{Columns, high, low, of_ratio, verdict};
use super::scramblings::{Cell, cells, is_wanted, levels, places};
use super::{Item, Table, TableIds, TableKind};
use crate::analysis::Analysis;

const IDS: &[TableIds] = &[
    TableIds::new("shares", "the shares of two factors in the variation within instances"),
    TableIds::new("units", "levels of the second factor compared, with families as units"),
    TableIds::new("leaders", "the level of the first factor with the least PAR2"),
    TableIds::new("gains", "the families in which a level solves more runs"),
];

/// The kind of table.
pub(super) const KIND: TableKind = TableKind::new("factors", IDS, tables);

fn tables(analysis: &Analysis<'_>) -> Vec<Table> {
    if !is_wanted(analysis, "factors", IDS) {
        return Vec::new();
    }
    let cells: Vec<Cell> = cells(analysis);
    let factors: Vec<Option<Factors>> =
        cells.iter().map(|cell| Factors::of(analysis, cell)).collect();
    let both: Vec<(&Cell, &Factors)> =
        cells.iter().zip(&factors).filter_map(|(cell, of)| Some((cell, of.as_ref()?))).collect();
    let tables = [shares_table(&both), units(&both), leaders(&both), gains(&both)];
    tables.into_iter().flatten().collect()
}

/// The levels of two factors of the arms of a cell, each combination with its arm.
struct Factors {
    first: IndexSet<String>,
    second: IndexSet<String>,
    /// By first and second level.
    arms: Vec<Vec<usize>>,
    /// The place of the level with which others of the second factor are compared.
    baseline: usize,
}

impl Factors {
    /// None if a factor has one level, or if a combination is missing.
    fn of(analysis: &Analysis<'_>, cell: &Cell) -> Option<Self> {
        let levels = |encoding: usize| levels(analysis, encoding);
        let mut known = IndexMap::new();
        for (arm, &encoding) in cell.encodings.iter().enumerate() {
            known.insert(levels(encoding)?, arm);
        }
        let first: IndexSet<String> = known.keys().map(|(first, _)| first.clone()).collect();
        let second: IndexSet<String> = known.keys().map(|(_, second)| second.clone()).collect();
        let of_first = |first: &String| {
            let arms =
                second.iter().map(|second| known.get(&(first.clone(), second.clone())).copied());
            arms.collect::<Option<Vec<usize>>>()
        };
        let arms = first.iter().map(of_first).collect::<Option<Vec<_>>>()?;
        let stated = analysis.record.report.primary.baseline.as_deref();
        let stated =
            stated.and_then(|label| analysis.encodings.iter().position(|own| own == label));
        let baseline = stated.and_then(levels).and_then(|(_, level)| second.get_index_of(&level));
        let is_crossed = first.len() > 1 && second.len() > 1;
        is_crossed.then(|| Self { first, second, arms, baseline: baseline.unwrap_or(0) })
    }

    /// The numbers of replicates of a level of the second factor.
    fn replicates(&self, design: &PairedDesign, second: usize) -> usize {
        let arms = self.arms.iter().map(|of_first| of_first[second]);
        let each = arms.flat_map(|arm| {
            (0..design.instances().len()).map(move |place| design.replicates(arm, place).len())
        });
        each.max().unwrap_or_default()
    }

    /// The scrambled levels and the others.
    fn by_replicates(&self, design: &PairedDesign) -> (Vec<usize>, Vec<usize>) {
        (0..self.second.len()).partition(|&second| self.replicates(design, second) > 1)
    }
}

/// The costs of the replicates of an arm on an instance, in the order of their keys.
fn costs(cell: &Cell, arm: usize, place: usize) -> Vec<f64> {
    let seen = cell.design.keyed(arm, place);
    seen.map(|seen| penalised(&cell.design, seen, 2.0)).collect()
}

fn shares_table(both: &[(&Cell, &Factors)]) -> Option<Table> {
    let mut rows = Vec::new();
    for (cell, factors) in both {
        let (scrambled, others) = factors.by_replicates(&cell.design);
        let mut sets = vec![("all", [&others[..], &scrambled].concat())];
        if !scrambled.is_empty() && !others.is_empty() {
            sets.extend([("without scrambled ones", others), ("scrambled ones alone", scrambled)]);
        }
        for (set, levels) in sets {
            let arms: Vec<usize> =
                factors.arms.iter().flat_map(|of| levels.iter().map(|&level| of[level])).collect();
            let every = 0..cell.design.instances().len();
            let logs = places(cell, &arms, every).into_iter().filter_map(|place| {
                let of_first = |of_first: &Vec<usize>| -> Vec<f64> {
                    let each = levels.iter().flat_map(|&level| costs(cell, of_first[level], place));
                    each.map(|cost| (cost + cell.offset).ln()).collect()
                };
                let logs: Vec<Vec<f64>> = factors.arms.iter().map(of_first).collect();
                logs.iter().all(|of| of.len() == logs[0].len()).then_some(logs)
            });
            let logs: Vec<_> = logs.collect();
            if let Some(found) = shares(&logs) {
                rows.push((*cell, set, logs.len(), found));
            }
        }
    }
    let percent = |share: f64| 100.0 * share;
    Columns::of(rows)
        .words("answer", "Answer", |(cell, ..)| cell.answer.to_string())
        .words("solver", "Solver", |(cell, ..)| cell.solver.clone())
        .words("levels", "Levels of the second factor", |(_, set, ..)| *set)
        .numbers("instances", "Instances", |(_, _, instances, _)| *instances)
        .numbers("first_percent", "First factor (%)", |(.., of)| percent(of.first))
        .numbers("second_percent", "Second factor (%)", |(.., of)| percent(of.second))
        .numbers("both_percent", "Interaction and noise (%)", |(.., of)| percent(of.both))
        .some_table("shares", "Shares of two factors in the variation within instances", || {
            vec![
                "Share: of the squared logarithms within instances, summed over instances. The first factor is the \
                 part of an arm before ` / `, or the encoding; the second is the rest, or the input order. Each \
                 scrambling is a level. A run over the limit counts twice the limit. Instances that no run solves, \
                 and those with no run of more than a second, are left out."
                    .into(),
            ]
        })
}

fn units(both: &[(&Cell, &Factors)]) -> Option<Table> {
    let rows = both.iter().flat_map(|(cell, factors)| {
        let pairs = (0..factors.second.len()).filter(|&level| level != factors.baseline);
        let pairs =
            pairs.flat_map(|level| (0..factors.first.len()).map(move |first| (level, first)));
        pairs.map(|(level, first)| {
            let arms = &factors.arms[first];
            let pair = (arms[level], arms[factors.baseline]);
            (*cell, *factors, level, first, over_families(&cell.design, pair, LEVEL, cell.offset))
        })
    });
    Columns::of(rows)
        .words("answer", "Answer", |(cell, ..)| cell.answer.to_string())
        .words("solver", "Solver", |(cell, ..)| cell.solver.clone())
        .words("second", "Second factor", |(_, factors, level, ..)| factors.second[*level].clone())
        .words("baseline", "compared with", |(_, factors, ..)| {
            factors.second[factors.baseline].clone()
        })
        .words("first", "First factor", |(_, factors, _, first, _)| factors.first[*first].clone())
        .numbers("ratio", "Ratio", |(.., of)| of_ratio(&of.outcome.ratio))
        .numbers("ratio_low", "from", |(.., of)| of.outcome.interval.map(low))
        .numbers("ratio_high", "to", |(.., of)| of.outcome.interval.map(high))
        .numbers("better", "Families better", |(.., of)| {
            of.families.iter().filter(|(_, ratio)| ratio.ln() < -0.05).count()
        })
        .numbers("worse", "worse", |(.., of)| {
            of.families.iter().filter(|(_, ratio)| ratio.ln() > 0.05).count()
        })
        .numbers("families", "of", |(.., of)| of.families.len())
        .results("verdict", "Verdict", |(.., of)| verdict(&of.outcome))
        .some_table("units", "Levels of the second factor, with families as units", || {
            vec![
                "Ratio: the geometric mean over families of the means over their instances; a run over the limit \
                 counts twice the limit, and instances that neither arm solves are left out. Interval: 95 %, each by \
                 itself; families, then instances, then replicates are drawn anew. Better, worse: families whose ratio \
                 differs from 1 by more than a twentieth."
                    .into(),
            ]
        })
}

fn leaders(both: &[(&Cell, &Factors)]) -> Option<Table> {
    let rows = both.iter().flat_map(|(cell, factors)| {
        let levels = (0..factors.second.len()).flat_map(|level| {
            (0..factors.replicates(&cell.design, level)).map(move |replicate| (level, replicate))
        });
        levels.filter_map(|(level, replicate)| {
            let of =
                |arms: &Vec<usize>, place| costs(cell, arms[level], place).get(replicate).copied();
            // Only instances that were measured in all arms: a mean over fewer would be of easier ones.
            let all = (0..cell.design.instances().len())
                .filter(|&place| factors.arms.iter().all(|arms| of(arms, place).is_some()));
            let all: Vec<usize> = all.collect();
            let par2 = |arms| mean(all.iter().filter_map(|&place| of(arms, place)));
            let each = factors.arms.iter().enumerate();
            let each = each.filter_map(|(first, arms)| Some((par2(arms)?, first)));
            let mut each: Vec<(f64, usize)> = each.collect();
            each.sort_by(|one, two| one.0.total_cmp(&two.0));
            let [leader, next, ..] = each[..] else { return None };
            Some((*cell, *factors, level, replicate, all.len(), leader, next))
        })
    });
    let name = |factors: &Factors, (_, first): (f64, usize)| factors.first[first].clone();
    Columns::of(rows)
        .words("answer", "Answer", |(cell, ..)| cell.answer.to_string())
        .words("solver", "Solver", |(cell, ..)| cell.solver.clone())
        .words("second", "Second factor", |(_, factors, level, ..)| factors.second[*level].clone())
        .words("replicate", "Replicate", |(_, _, _, replicate, ..)| (replicate + 1).to_string())
        .numbers("instances", "Instances", |(.., instances, _, _)| *instances)
        .results("leader", "Leader", |(_, factors, .., leader, _)| name(factors, *leader))
        .numbers("leader_par2", "PAR2 (s)", |(.., leader, _)| leader.0)
        .results("next", "Next", |(_, factors, .., next)| name(factors, *next))
        .numbers("next_par2", "its PAR2 (s)", |(.., next)| next.0)
        .some_table("leaders", "Leaders by PAR2", || {
            vec![
                "PAR2: the mean over the instances that were measured in all levels of the first factor; a run over \
                 the limit counts twice the limit."
                    .into(),
            ]
        })
}

/// The families that a level's row shows one by one.
const SHOWN: usize = 5;

fn gains(both: &[(&Cell, &Factors)]) -> Option<Table> {
    // By level: gained and lost runs of each family, over answers and solvers.
    let mut of_levels: IndexMap<(String, String), IndexMap<String, [usize; 2]>> = IndexMap::new();
    for (cell, factors) in both {
        for level in (0..factors.second.len()).filter(|&level| level != factors.baseline) {
            let names = [level, factors.baseline].map(|of| factors.second[of].clone());
            let of_level = of_levels.entry(names.into()).or_default();
            for (family, places) in cell.design.families() {
                // A family with both answers has a name for each.
                let side = format!(", {}", crate::instance_words::side(cell.answer));
                let family = family.strip_suffix(&side).unwrap_or(family);
                let count = of_level.entry(family.to_owned()).or_default();
                for (arms, place) in factors
                    .arms
                    .iter()
                    .flat_map(|arms| places.iter().map(move |&place| (arms, place)))
                {
                    let is_solved = |level: usize| {
                        cell.design.median(arms[level], place).is_some_and(|of| !of.is_over())
                    };
                    match (is_solved(level), is_solved(factors.baseline)) {
                        (true, false) => count[0] += 1,
                        (false, true) => count[1] += 1,
                        _ => {}
                    }
                }
            }
        }
    }
    let net = |[gained, lost]: [usize; 2]| gained as f64 - lost as f64;
    let mut rows = Vec::new();
    for (names, families) in of_levels {
        let sum = |of: &[(String, [usize; 2])]| {
            of.iter().fold([0, 0], |sum, (_, of)| [sum[0] + of[0], sum[1] + of[1]])
        };
        let mut families: Vec<(String, [usize; 2])> = families.into_iter().collect();
        families.sort_by(|one, two| net(two.1).abs().total_cmp(&net(one.1).abs()));
        let (shown, others) = families.split_at(SHOWN.min(families.len()));
        rows.push((names.clone(), format!("all {} families", families.len()), sum(&families)));
        rows.extend(shown.iter().map(|(family, of)| (names.clone(), family.clone(), *of)));
        rows.push((names, format!("the other {}", others.len()), sum(others)));
    }
    Columns::of(rows)
        .words("second", "Second factor", |((level, _), ..)| level.clone())
        .words("baseline", "compared with", |((_, baseline), ..)| baseline.clone())
        .words("family", "Family", |(_, family, _)| family.clone())
        .numbers("gained", "Solved more", |(.., of)| of[0])
        .numbers("lost", "Solved less", |(.., of)| of[1])
        .numbers("net", "Net", |(.., of)| Item::from(net(*of)))
        .some_table("gains", "Families that have the gains", || {
            vec![
                "Runs of all levels of the first factor that one of both solves and the other does not, by the median \
                 of replicates; over all answers and solvers. Families in the order of their net gains."
                    .into(),
            ]
        })
}

#[cfg(test)]
mod tests {
    use bezzel_solve::Answer;
    use bezzel_statistics::DesignInstance;
    use bezzel_statistics::Observation::{self, Exact};

    use super::*;
    use crate::comparison::Measure;

    #[test]
    fn leaders_are_compared_on_the_instances_that_all_have() {
        let mut design = PairedDesign::new(4);
        let instance = |name: &str| DesignInstance { name: name.into(), family: "f".into() };
        let each = |costs: [Option<f64>; 4]| -> Vec<Vec<Observation>> {
            costs.map(|cost| cost.map(Exact).into_iter().collect()).to_vec()
        };
        design.push(instance("easy"), each([Some(2.0), Some(2.0), Some(1.0), Some(1.0)]));
        // The second level of the first factor wins on both that it has, and loses the mean over all that it has.
        design.push(instance("hard"), each([None, None, Some(9.0), Some(9.0)]));
        let (solver, encodings) = ("s".to_owned(), vec![0, 1, 2, 3]);
        let (answer, measure) = (Answer::Sat, Measure::Time);
        let cell = Cell { answer, solver, encodings, design, measure, offset: 0.0 };
        let levels = |names: [&str; 2]| names.map(str::to_owned).into_iter().collect();
        let (first, second) = (levels(["one", "two"]), levels(["given", "sorted"]));
        let factors = Factors { first, second, arms: vec![vec![0, 1], vec![2, 3]], baseline: 0 };
        let table = leaders(&[(&cell, &factors)]).unwrap();
        let read = |row: &Vec<Item>| row[2..].iter().map(Item::read).collect::<Vec<_>>().join(", ");
        let expected = ["given, 1, 1, two, 1.00, one, 2.00", "sorted, 1, 1, two, 1.00, one, 2.00"];
        assert_eq!(table.rows.iter().map(read).collect::<Vec<_>>(), expected);
    }
}
