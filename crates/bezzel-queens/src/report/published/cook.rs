//! Cook's two approaches to "every row contains at most one queen" ("Solving the eight queens problem with a SAT
//! solver"): an implication for each square, or a clause for each pair of squares.

use std::collections::BTreeSet;

use crate::Family;
use bezzel_experiment::{FormulaSize, Row};
use serde::Deserialize;

use super::{judged, printed, side};
use bezzel_report::analysis::Analysis;
use bezzel_report::comparison::{
    ANSWERS, ArmRuns, Measure, instances_with_answer, push_runs, rule,
};
use bezzel_report::row_statistics::CellIndex;
use bezzel_report::row_statistics::cell::is_counted;
use bezzel_report::table::{Item, Table};
use bezzel_report::toolkit::{Columns, machines_differ, significant, with_answer, with_outcome};
use bezzel_statistics::{
    Compared, Contrast, LEVEL, Observation, Outcome, PairedDesign, Relation, outcomes, simultaneous,
};

/// An encoding: its approach, and the clauses of a row of eight in the source, if it has a number.
#[derive(Deserialize)]
struct KnownEncoding {
    encoding: String,
    approach: String,
    row_clauses_published: Option<u64>,
}

/// The squares of the row that the source counts.
const SIDE: u32 = 8;

/// Makes the tables. Empty if the record compares other encodings, or lacks one of the source's two.
pub(super) fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let all = dataset.encodings.iter().map(String::as_str);
    let known = known_approaches();
    let known: Vec<&str> = known.iter().map(|approach| approach.encoding.as_str()).collect();
    let here: BTreeSet<&str> = all.collect();
    let both = known[..2].iter().all(|id| here.contains(id));
    if !both || !here.iter().all(|id| known.contains(id)) || dataset.cells.is_empty() {
        return Vec::new();
    }
    let compared = if machines_differ(dataset) { Vec::new() } else { compared(dataset) };
    let verdict = verdict(dataset, &compared);
    let sizes = judged(&verdict, sizes(dataset));
    [Some(sizes), loading(dataset, compared)].into_iter().flatten().collect()
}

/// The second approach, the first, and a form of the first.
fn known_approaches() -> Vec<KnownEncoding> {
    printed(printed_file!("cook-two-approaches"))
}

/// The encodings of the record with their approaches.
fn approaches(dataset: &Analysis<'_>) -> Vec<(usize, KnownEncoding)> {
    let style = |id: &str| dataset.encodings.iter().position(|label| label == id);
    let known = known_approaches().into_iter();
    known.filter_map(|known| Some((style(&known.encoding)?, known))).collect()
}

/// The board on which the clauses of a row are counted: that of the source, or else the smallest empty one.
fn counted_board(dataset: &Analysis<'_>) -> Option<usize> {
    let boards = 0..dataset.instances.len();
    let sides = boards.filter_map(|board| Some((side(dataset.instances[board])?, board)));
    sides.min_by_key(|&(side, _)| (side != SIDE, side)).map(|(_, board)| board)
}

/// The formula of an encoding on a board.
fn formula<'a>(
    dataset: &'a Analysis<'_>,
    board: usize,
    encoding: usize,
) -> Option<&'a FormulaSize> {
    let mut cells = dataset.cells_on(board).iter();
    cells.find(|cell| cell.index.encoding == encoding)?.formula()
}

/// The clauses of two squares in the section of rows, for each row.
fn clauses_of_a_row(dataset: &Analysis<'_>, board: usize, encoding: usize) -> Option<u64> {
    let sections = &formula(dataset, board, encoding)?.sections;
    let rows = sections.iter().find(|section| section.name == Family::Rows.id())?;
    Some(rows.lengths.get(&2)? / u64::from(dataset.instances[board].size()))
}

fn sizes(dataset: &Analysis<'_>) -> Table {
    let mut columns = Columns::of(approaches(dataset))
        .words("encoding", "Encoding", |(style, _)| Item::encoding(dataset, *style))
        .words("approach", "Approach", |(_, known)| known.approach.clone())
        .numbers("row_clauses_published", "Clauses of a row of 8, Cook", |(_, known)| {
            known.row_clauses_published
        });
    if let Some(board) = counted_board(dataset) {
        let head = format!("Clauses of a row of {}", dataset.instances[board].size());
        columns = columns
            .numbers("row_clauses", head, |(style, _)| clauses_of_a_row(dataset, board, *style));
    }
    if let Some(board) = dataset.compared_number() {
        let head = format!("Clauses, N = {}", dataset.instances[board].size());
        columns = columns.numbers("clauses", head, |(style, _)| {
            formula(dataset, board, *style).map(|formula| formula.clauses)
        });
    }
    columns.table(
        "cook-two-approaches",
        "Comparison with Cook's two approaches",
        vec![
            "Published: J. D. Cook, \"Solving the eight queens problem with a SAT solver\", \"First approach\" and \
             \"Second approach\". The implication b11 ⇒ ¬(b12 ∨ … ∨ b18) of the first approach is not a clause. It \
             becomes seven clauses, one for each other square of the row, so each pair is stated twice."
                .into(),
        ],
    )
}

/// The part of a run that is compared.
#[derive(Clone, Copy, PartialEq)]
enum RunPart {
    Loading,
    Both,
}

impl RunPart {
    fn words(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Both => "loading and solving",
        }
    }

    /// The CPU seconds of a run. If a limit ended it, those of solving are a lower bound.
    fn of(self, row: &Row) -> Option<Observation> {
        let load = row.load_cpu_s?;
        Some(match self {
            Self::Loading => Observation::Exact(load),
            Self::Both if row.solved() => Observation::Exact(load + row.solve_cpu_s?),
            Self::Both => Observation::AtLeast(load + row.solve_cpu_at_least_s()),
        })
    }
}

/// A comparison of a form of the first approach with the second.
struct ApproachComparison {
    part: RunPart,
    boards: &'static str,
    encoding: usize,
    solver: String,
    outcome: Outcome,
}

/// Comparisons of all forms of the first approach with the second in every solver, separately for boards with a
/// solution and boards without one. Runs under the same numbering are pairs.
fn compared(dataset: &Analysis<'_>) -> Vec<ApproachComparison> {
    let arms: Vec<usize> = approaches(dataset).into_iter().map(|(style, _)| style).collect();
    let contrasts: Vec<Contrast> = (1..arms.len()).map(|arm| Contrast::of(arm, 0)).collect();
    let level = simultaneous(LEVEL, contrasts.len());
    let mut designs = Vec::new();
    for part in [RunPart::Loading, RunPart::Both] {
        for answer in ANSWERS {
            let boards = instances_with_answer(dataset, answer);
            for (solver, label) in dataset.solvers.iter().enumerate() {
                let design = paired_design(dataset, &arms, solver, part, &boards);
                if !design.instances().is_empty() {
                    designs.push((part, answer, label, design));
                }
            }
        }
    }
    let compared = designs.iter().map(|(.., design)| Compared {
        design,
        contrasts: contrasts.clone(),
        rule: rule(Measure::Time),
        levels: (level, level),
    });
    let decided = outcomes(&compared.collect::<Vec<_>>());
    let each = designs.iter().zip(decided).flat_map(|((part, answer, label, _), outcomes)| {
        arms[1..].iter().zip(outcomes).map(move |(&encoding, outcomes)| ApproachComparison {
            part: *part,
            boards: with_answer(*answer),
            encoding,
            solver: (*label).clone(),
            outcome: outcomes.overall,
        })
    });
    each.collect()
}

fn paired_design(
    dataset: &Analysis<'_>,
    arms: &[usize],
    solver: usize,
    part: RunPart,
    boards: &[usize],
) -> PairedDesign {
    let mut design = PairedDesign::new(arms.len());
    for &board in boards {
        let runs = arms.iter().enumerate().map(|(arm, &encoding)| {
            let cells = (0..dataset.numberings.len()).filter_map(|numbering| {
                dataset.cell(CellIndex { instance: board, solver, numbering, encoding, record: 0 })
            });
            let rows = cells.flat_map(|cell| &cell.rows).filter(|row| is_counted(row));
            let rows = rows.filter_map(|row| Some((*row, part.of(row)?)));
            ArmRuns::timed(dataset, arm, rows.collect())
        });
        let runs: Vec<_> = runs.collect();
        if runs.iter().all(|of_arm| !of_arm.runs.is_empty()) {
            let name = dataset.instances[board];
            push_runs(&mut design, name.to_string(), dataset.family(name), runs);
        }
    }
    design
}

fn loading(dataset: &Analysis<'_>, compared: Vec<ApproachComparison>) -> Option<Table> {
    let columns = Columns::of(compared)
        .words("measure", "CPU time of", |of| of.part.words())
        .words("answer", "Answer", |of| of.boards.to_string())
        .words("encoding", "Encoding", |of| Item::encoding(dataset, of.encoding))
        .words("solver", "Solver", |of| of.solver.clone());
    with_outcome(columns, |of| &of.outcome).some_table(
        "cook-loading",
        "Cook's first approach and the second, with loading",
        || {
            vec![
                "Ratio to pairwise. The bootstrap draws runs with the same numbering together. The table \
                 of pairs explains ratio, interval and verdict. The 95 % confidence intervals of one \
                 measure under one solver on boards of one answer are simultaneous."
                    .into(),
            ]
        },
    )
}

/// The clauses of a row, and the ratios of the first approach in all solvers with loading.
fn verdict(dataset: &Analysis<'_>, compared: &[ApproachComparison]) -> String {
    let row = counted_board(dataset).and_then(|board| {
        let [second, first, ..] = &approaches(dataset)[..] else { return None };
        let clauses = |of: &(usize, KnownEncoding)| clauses_of_a_row(dataset, board, of.0);
        let published = second.1.row_clauses_published;
        Some((dataset.instances[board].size(), published, clauses(second)?, clauses(first)?))
    });
    let sizes = match row {
        Some((squares, published, second, first)) => {
            let agrees = match published.filter(|_| squares == SIDE) {
                Some(published) if published == second => ", as Cook counts",
                Some(_) => ", which is not Cook's number",
                None => "",
            };
            format!(
                "a row of {squares} takes {second} clauses in the second approach{agrees}, and {first} in the \
                 first"
            )
        }
        None => "the clauses of a row are not known here".to_owned(),
    };
    let plain = dataset.encodings.iter().position(|label| *label == known_approaches()[1].encoding);
    let both = compared.iter().filter(|of| of.part == RunPart::Both && Some(of.encoding) == plain);
    let both: Vec<&ApproachComparison> = both.collect();
    if both.is_empty() {
        return sizes;
    }
    let number = |wanted| both.iter().filter(|of| of.outcome.relation == wanted).count();
    let ratios = both.iter().filter_map(|of| of.outcome.ratio.estimate?.exact());
    let ratios: Vec<f64> = ratios.collect();
    let range = |ratios: &[f64]| {
        let [least, max] = [f64::min, f64::max].map(|pick| ratios.iter().copied().reduce(pick));
        let (least, max) = least.zip(max)?;
        Some(format!(", ratios {} to {}", significant(least, 3), significant(max, 3)))
    };
    format!(
        "{sizes}; with loading, the first takes more in {} and less in {} of {} comparisons{}",
        number(Relation::More),
        number(Relation::Less),
        both.len(),
        range(&ratios).unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_encode::formula_stats::Section;
    use bezzel_experiment::ExperimentRecord;

    use super::*;
    use crate::report::tests::{measured, of_size, shuffled};

    fn tables_of(rows: Vec<Row>) -> Vec<Table> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        tables(&Analysis::new(&record, &crate::register(Registry::standard())))
    }

    /// Formulas by their encoding, the seconds of loading, and the clauses of a row of eight.
    fn rows(encodings: &[(&str, f64, u64)]) -> Vec<Row> {
        let mut rows = Vec::new();
        for side in 8..16 {
            for &(encoding, load, clauses) in encodings {
                let mut row = of_size(side, shuffled(1, 1.0));
                row.job.encoding = encoding.into();
                row.load_cpu_s = Some(load);
                row.formula = measured(64, 16 * clauses, 1).formula;
                let lengths = [(2, u64::from(side) * clauses), (8, 8)].into();
                let section = Section { name: "rows".into(), variables: 64, lengths };
                row.formula.as_mut().unwrap().sections = vec![section];
                rows.push(row);
            }
        }
        rows
    }

    const THREE: [(&str, f64, u64); 3] =
        [("pairwise", 1.0, 28), ("implication", 3.0, 56), ("implication:later", 1.0, 28)];

    #[test]
    fn a_row_takes_28_clauses_or_56_and_loading_is_compared() {
        let tables = tables_of(rows(&THREE));
        let text = tables[0].markdown();
        for line in [
            "| pairwise | second | 28 | 28 | 448 |",
            "| implication | first | – | 56 | 896 |",
            "| implication:later | first, no clause repeated | – | 28 | 448 |",
        ] {
            assert!(text.contains(line), "{text}");
        }
        // Two and four seconds of loading: 4 / 2 with loading, 3 / 1 of loading alone.
        let rows = tables[1].rows.iter().map(|row| {
            let shown = [0, 2, 4, 5, 8].map(|place| row[place].read());
            shown.join(", ")
        });
        assert_eq!(
            rows.collect::<Vec<_>>(),
            [
                "loading, implication, 8, 3.00, takes more",
                "loading, implication:later, 8, 1.00, equivalent",
                "loading and solving, implication, 8, 2.00, takes more",
                "loading and solving, implication:later, 8, 1.00, equivalent",
            ]
        );
        assert_eq!(
            tables[0].notes[0],
            "Verdict: a row of 8 takes 28 clauses in the second approach, as Cook counts, and 56 in the first; \
             with loading, the first takes more in 1 and less in 0 of 1 comparisons, ratios 2.00 to 2.00."
        );
    }
}
