//! Scramblings: the chance that two comparisons name the same winner, and the gain of a virtual best by other
//! scramblings than those that chose it.

use bezzel_encode::Settings;
use bezzel_experiment::ClaimMeasure;
use bezzel_experiment::import::FACTORS;
use bezzel_solve::Answer;
use bezzel_statistics::PairedDesign;
use bezzel_statistics::replicability::replicability;
use bezzel_statistics::score::penalised;
use bezzel_statistics::virtual_best::honest_best;
use indexmap::IndexMap;

use super::columns::Columns;
use super::{Item, Table, TableIds, TableKind};
use crate::analysis::Analysis;
use crate::comparison::{ANSWERS, Measure, arms, encodings, instances_with_answer, paired_design};

const IDS: &[TableIds] = &[
    TableIds::new(
        "replicability",
        "the chance that two comparisons with one scrambling each name the same winner",
    ),
    TableIds::new("honest-best", "the virtual best, usual and judged on other scramblings"),
];

/// The kind of table.
pub(super) const KIND: TableKind = TableKind::new("scramblings", IDS, tables);

/// Instances whose slowest run takes at most this time are left out, in seconds.
const SHORT_S: f64 = 1.0;

/// True if the record is imported, or if its report names the kind or one of its tables.
pub(super) fn is_wanted(analysis: &Analysis<'_>, kind: &str, ids: &[TableIds]) -> bool {
    let mut named = analysis.record.report.tables.iter().flatten();
    analysis.record.is_imported()
        || named.any(|id| **id == *kind || ids.iter().any(|of| of.has(id)))
}

/// The encodings under a numbering in a solver, on the instances of an answer.
pub(super) struct Cell {
    pub(super) answer: Answer,
    pub(super) solver: String,
    pub(super) encodings: Vec<usize>,
    pub(super) design: PairedDesign,
    pub(super) measure: Measure,
    pub(super) offset: f64,
}

/// The cells of a record, by the primary measure.
pub(super) fn cells(analysis: &Analysis<'_>) -> Vec<Cell> {
    let measure = match analysis.record.report.primary.measure {
        Some(ClaimMeasure::Conflicts) => Measure::Conflicts,
        Some(ClaimMeasure::ProofSteps) => Measure::ProofSteps,
        _ => Measure::Time,
    };
    let mut cells = Vec::new();
    for answer in ANSWERS {
        let instances = instances_with_answer(analysis, answer);
        for (solver, label) in analysis.solvers.iter().enumerate() {
            for numbering in 0..analysis.numberings.len() {
                let encodings = encodings(analysis, numbering);
                let arms = arms(&encodings, numbering, solver);
                let design = paired_design(analysis, &arms, measure, &instances);
                let solver = match &analysis.numberings[..] {
                    [_] => label.clone(),
                    numberings => format!("{label}, {}", numberings[numbering]),
                };
                let (offset, answer) = (measure.offset(), answer);
                cells.push(Cell { answer, solver, encodings, design, measure, offset });
            }
        }
    }
    cells
}

/// Those of some instances on which these arms were measured, some run of them has an answer, and some takes long.
pub(super) fn places(
    cell: &Cell,
    arms: &[usize],
    instances: impl IntoIterator<Item = usize>,
) -> Vec<usize> {
    let design = &cell.design;
    let is_hard = |&place: &usize| {
        let runs = || arms.iter().flat_map(|&arm| design.replicates(arm, place));
        let longest = runs().map(|run| penalised(design, *run, 2.0)).fold(0.0, f64::max);
        arms.iter().all(|&arm| !design.replicates(arm, place).is_empty())
            && runs().any(|run| !run.is_over())
            && (cell.measure != Measure::Time || longest > SHORT_S)
    };
    instances.into_iter().filter(is_hard).collect()
}

/// Of these arms those with the most replicates on these instances, as a design over the instances that tell them apart.
fn scrambled(cell: &Cell, of: &[usize], instances: &[usize]) -> (Vec<usize>, PairedDesign) {
    let on = |&place: &usize, arm: usize| cell.design.replicates(arm, place).len();
    let of_arm =
        |arm: usize| instances.iter().map(|place| on(place, arm)).max().unwrap_or_default();
    let most = of.iter().map(|&arm| of_arm(arm)).max().unwrap_or_default();
    let arms: Vec<usize> = of.iter().copied().filter(|&arm| of_arm(arm) == most).collect();
    let places = places(cell, &arms, instances.iter().copied());
    let design = cell.design.of_instances(&places).of_arms(&arms);
    (arms, design)
}

/// The levels of the factors of an arm.
pub(super) fn levels(analysis: &Analysis<'_>, encoding: usize) -> Option<(String, String)> {
    let axis = Settings::AXES.iter().find(|axis| axis.key == "input_order")?;
    match analysis.encodings[encoding].split_once(FACTORS) {
        Some((first, second)) => Some((first.to_owned(), second.to_owned())),
        None => analysis.without_setting(encoding, axis),
    }
}

/// The arms of a cell by the level of their second factor; all arms under an empty name if they have none.
fn by_level(analysis: &Analysis<'_>, cell: &Cell) -> IndexMap<String, Vec<usize>> {
    let mut groups: IndexMap<String, Vec<usize>> = IndexMap::new();
    for (arm, &encoding) in cell.encodings.iter().enumerate() {
        let level = levels(analysis, encoding).map(|(_, second)| second).unwrap_or_default();
        groups.entry(level).or_default().push(arm);
    }
    groups
}

fn tables(analysis: &Analysis<'_>) -> Vec<Table> {
    if !is_wanted(analysis, "scramblings", IDS) {
        return Vec::new();
    }
    let cells = cells(analysis);
    let (mut chances, mut bests) = (Vec::new(), Vec::new());
    for cell in &cells {
        let every: Vec<usize> = (0..cell.design.instances().len()).collect();
        let all_arms: Vec<usize> = (0..cell.design.arms()).collect();
        let (_, design) = scrambled(cell, &all_arms, &every);
        if let Some(best) = honest_best(&design, cell.offset) {
            bests.push((cell, design.instances().len(), best));
        }
        let families = cell.design.families().into_iter();
        let families = families.map(|(family, places)| (family.to_owned(), places));
        let sets: Vec<(String, Vec<usize>)> =
            std::iter::once(("all families".to_owned(), every)).chain(families).collect();
        for (level, arms) in by_level(analysis, cell) {
            for (family, instances) in &sets {
                let (arms, design) = scrambled(cell, &arms, instances);
                let Some(found) = replicability(&design, cell.offset) else { continue };
                let most = (0..arms.len()).max_by_key(|&arm| (found.wins[arm], arms.len() - arm));
                let winner =
                    analysis.encodings[cell.encodings[arms[most.unwrap_or_default()]]].clone();
                let instances = design.instances().len();
                chances.push((cell, level.clone(), family.clone(), instances, winner, found));
            }
        }
    }
    let most = |wins: &[usize]| wins.iter().copied().max().unwrap_or_default();
    let chances = Columns::of(chances)
        .words("answer", "Answer", |(cell, ..)| cell.answer.to_string())
        .words("solver", "Solver", |(cell, ..)| cell.solver.clone())
        .words("second", "Second factor", |(_, level, ..)| level.clone())
        .words("family", "Family", |(_, _, family, ..)| family.clone())
        .numbers("instances", "Instances", |(_, _, _, instances, ..)| *instances)
        .results("winner", "Most frequent winner", |(.., winner, _)| {
            Item::labelled(analysis, winner)
        })
        .numbers("wins", "wins", |(.., of)| most(&of.wins))
        .numbers("comparisons", "of", |(.., of)| of.comparisons)
        .numbers("agreement_percent", "Same winner (%)", |(.., of)| 100.0 * of.agreement)
        .some_table("replicability", "Replicability", || {
            vec![
                "A comparison runs each arm of a level of the second factor (the input order) once on each \
                 instance, under one scrambling; its winner has the least geometric mean. Same winner: the \
                 probability that two comparisons with different scramblings agree, by all pairs of them. A run over \
                 the limit counts twice the limit."
                    .into(),
            ]
        });
    let bests = Columns::of(bests)
        .words("answer", "Answer", |(cell, ..)| cell.answer.to_string())
        .words("solver", "Solver", |(cell, ..)| cell.solver.clone())
        .numbers("instances", "Instances", |(_, instances, _)| *instances)
        .numbers("usual", "Usual gain", |(.., best)| best.usual.recip())
        .numbers("honest", "Honest gain", |(.., best)| best.honest.recip())
        .some_table("honest-best", "Virtual best, judged on other scramblings", || {
            vec![
                "Gain: the geometric mean over instances of the time of the single best arm divided by that of the \
                 best arm of each instance. Usual: the best of one run of each arm. Honest: half of the scramblings \
                 choose both arms, the others judge them; all splits count."
                    .into(),
            ]
        });
    chances.into_iter().chain(bests).collect()
}
