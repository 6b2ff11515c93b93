//! Cook's two approaches to "every row contains at most one queen" ("Solving the eight queens problem with a SAT
//! solver"): an implication for each square, or a clause for each pair of squares.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bezzel_lab::{FormulaSize, Row};
use bezzel_problem::Family;

use super::{judged, side};
use crate::analysis::Analysis;
use crate::contest::{ANSWERS, Measure, boards, push_runs, rule};
use crate::fleet::are_unlike;
use crate::number::significant;
use crate::statistics::cell::counts;
use crate::statistics::{
    Contrast, LEVEL, Observation, Outcome, Panel, Place, Relation, outcomes, simultaneous,
};
use crate::table::columns::Columns;
use crate::table::compared::with_outcome;
use crate::table::{Item, Table};
use crate::words::Words;

/// The approaches: the encoding, the name of the approach, and the clauses of a row of eight in the source ("8C2 = 28
/// clauses", section "Second approach"). The source has no number for the first approach.
const APPROACHES: [(&str, &str, Option<u64>); 3] = [
    ("pairwise", "second", Some(28)),
    ("implication", "first", None),
    ("implication:later", "first, no clause repeated", None),
];

/// The squares of the row that the source counts.
const SIDE: u32 = 8;

/// Makes the tables; none if the record compares other encodings, or lacks one of the source's two.
pub(super) fn tables(material: &Analysis<'_>) -> Vec<Table> {
    let all = material.encodings.iter().map(String::as_str);
    let known: BTreeSet<&str> = APPROACHES.iter().map(|(id, ..)| *id).collect();
    let here: BTreeSet<&str> = all.collect();
    let both = APPROACHES[..2].iter().all(|(id, ..)| here.contains(id));
    if !both || !here.is_subset(&known) || material.cells.is_empty() {
        return Vec::new();
    }
    let compared = if are_unlike(material) { Vec::new() } else { compared(material) };
    let verdict = verdict(material, &compared);
    let sizes = judged(&verdict, sizes(material));
    [Some(sizes), loading(material, compared)].into_iter().flatten().collect()
}

/// The encodings of the record with their lines of [`APPROACHES`].
fn approaches<'a>(
    material: &'a Analysis<'_>,
) -> impl Iterator<Item = (usize, &'static str, Option<u64>)> + 'a {
    let style = |id: &str| material.encodings.iter().position(|label| label == id);
    APPROACHES.iter().filter_map(move |&(id, name, published)| Some((style(id)?, name, published)))
}

/// The board on which the clauses of a row are counted: that of the source, or else the smallest empty one.
fn counted_board(material: &Analysis<'_>) -> Option<usize> {
    let boards = 0..material.instances.len();
    let sides = boards.filter_map(|board| Some((side(material.instances[board])?, board)));
    sides.min_by_key(|&(side, _)| (side != SIDE, side)).map(|(_, board)| board)
}

/// The formula of an encoding on a board.
fn formula<'a>(
    material: &'a Analysis<'_>,
    board: usize,
    encoding: usize,
) -> Option<&'a FormulaSize> {
    let mut cells = material.cells_on(board).iter();
    cells.find(|cell| cell.place.encoding == encoding)?.formula()
}

/// The clauses of two squares in the section of rows, for each row.
fn clauses_of_a_row(material: &Analysis<'_>, board: usize, encoding: usize) -> Option<u64> {
    let sections = &formula(material, board, encoding)?.sections;
    let rows = sections.iter().find(|section| section.name == Family::Rows.id())?;
    Some(rows.lengths.get(&2)? / u64::from(material.instances[board].size()))
}

fn sizes(material: &Analysis<'_>) -> Table {
    let mut columns = Columns::of(approaches(material))
        .words("encoding", "Encoding", |(style, ..)| Item::encoding(material, *style))
        .words("approach", "Approach", |(_, name, _)| *name)
        .numbers("row_clauses_published", "Clauses of a row of 8, Cook", |(.., published)| {
            *published
        });
    if let Some(board) = counted_board(material) {
        let head = format!("Clauses of a row of {}", material.instances[board].size());
        columns = columns
            .numbers("row_clauses", head, |(style, ..)| clauses_of_a_row(material, board, *style));
    }
    if let Some(board) = material.largest_plane_number() {
        let head = format!("Clauses, N = {}", material.instances[board].size());
        columns = columns.numbers("clauses", head, |(style, ..)| {
            formula(material, board, *style).map(|formula| formula.clauses)
        });
    }
    columns.table(
        "cook-two-approaches",
        "Beside Cook's two approaches",
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
enum Part {
    Loading,
    Both,
}

impl Part {
    fn words(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Both => "loading and solving",
        }
    }

    /// The CPU seconds of a run. Where a limit ended it, those of solving are a lower bound.
    fn of(self, row: &Row) -> Option<Observation> {
        let load = row.load_cpu_s?;
        Some(match self {
            Self::Loading => Observation::Exact(load),
            Self::Both if row.solved() => Observation::Exact(load + row.solve_cpu_s?),
            Self::Both => Observation::AtLeast(load + row.solve_cpu_at_least_s()),
        })
    }
}

/// A form of the first approach beside the second.
struct Compared {
    part: Part,
    boards: Cow<'static, str>,
    encoding: usize,
    solver: String,
    outcome: Outcome,
}

/// All forms of the first approach beside the second in every solver, for boards with a solution and boards without one
/// apart. Runs under the same numbering are pairs.
fn compared(material: &Analysis<'_>) -> Vec<Compared> {
    let arms: Vec<usize> = approaches(material).map(|(style, ..)| style).collect();
    let contrasts: Vec<Contrast> = (1..arms.len()).map(|arm| Contrast::of(arm, 0)).collect();
    let level = simultaneous(LEVEL, contrasts.len());
    let mut all = Vec::new();
    for part in [Part::Loading, Part::Both] {
        for answer in ANSWERS {
            let boards = boards(material, answer);
            for (solver, label) in material.solvers.iter().enumerate() {
                let panel = panel(material, &arms, solver, part, &boards);
                if panel.instances().is_empty() {
                    continue;
                }
                let rule = rule(material, Measure::Time);
                let outcomes = outcomes(&panel, &contrasts, rule, (level, level));
                all.extend(arms[1..].iter().zip(outcomes).map(|(&encoding, outcomes)| Compared {
                    part,
                    boards: Words::Boards.with(answer),
                    encoding,
                    solver: label.clone(),
                    outcome: outcomes.overall,
                }));
            }
        }
    }
    all
}

fn panel(
    material: &Analysis<'_>,
    arms: &[usize],
    solver: usize,
    part: Part,
    boards: &[usize],
) -> Panel {
    let mut panel = Panel::new(arms.len());
    for &board in boards {
        let runs = arms.iter().enumerate().map(|(arm, &encoding)| {
            let cells = (0..material.numberings.len()).filter_map(|numbering| {
                material.cell(Place { board, solver, numbering, encoding })
            });
            let rows = cells.flat_map(|cell| &cell.rows).filter(|row| counts(row));
            let rows = rows.filter_map(|row| Some((*row, part.of(row)?)));
            (arm, rows.collect::<Vec<_>>())
        });
        let runs: Vec<_> = runs.collect();
        if runs.iter().all(|(_, runs)| !runs.is_empty()) {
            let name = material.instances[board];
            push_runs(&mut panel, name.to_string(), material.family(name), runs);
        }
    }
    panel
}

fn loading(material: &Analysis<'_>, compared: Vec<Compared>) -> Option<Table> {
    let columns = Columns::of(compared)
        .words("measure", "CPU time of", |of| of.part.words())
        .words("answer", "Answer", |of| of.boards.to_string())
        .words("encoding", "Encoding", |of| Item::encoding(material, of.encoding))
        .words("solver", "Solver", |of| of.solver.clone());
    with_outcome(Words::Boards, columns, |of| &of.outcome).some_table(
        "cook-loading",
        "Cook's first approach beside the second, loading included",
        || {
            vec![
                "Ratio to pairwise. The bootstrap draws runs with the same numbering together. The table of pairs \
                 explains ratio, interval and verdict. The intervals of one measure under one solver on boards of one \
                 answer hold together with 95 %."
                    .into(),
            ]
        },
    )
}

/// The clauses of a row, and the ratios of the first approach in all solvers with loading included.
fn verdict(material: &Analysis<'_>, compared: &[Compared]) -> String {
    let row = counted_board(material).and_then(|board| {
        let clauses = approaches(material)
            .map(|(encoding, ..)| clauses_of_a_row(material, board, encoding))
            .take(2);
        let [second, first] = clauses.collect::<Option<Vec<u64>>>()?[..] else { return None };
        Some((material.instances[board].size(), second, first))
    });
    let sizes = match row {
        Some((squares, second, first)) => {
            let agrees = match APPROACHES[0].2.filter(|_| squares == SIDE) {
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
    let plain = material.encodings.iter().position(|label| label == APPROACHES[1].0);
    let both = compared.iter().filter(|of| of.part == Part::Both && Some(of.encoding) == plain);
    let both: Vec<&Compared> = both.collect();
    if both.is_empty() {
        return sizes;
    }
    let number = |wanted| both.iter().filter(|of| of.outcome.relation == wanted).count();
    let ratios = both.iter().filter_map(|of| of.outcome.ratio.estimate?.exact());
    let ratios: Vec<f64> = ratios.collect();
    let range = |ratios: &[f64]| {
        let [least, most] = [f64::min, f64::max].map(|pick| ratios.iter().copied().reduce(pick));
        let (least, most) = least.zip(most)?;
        Some(format!(", ratios {} to {}", significant(least, 3), significant(most, 3)))
    };
    format!(
        "{sizes}; loading included, the first takes longer in {} and less in {} of {} comparisons{}",
        number(Relation::More),
        number(Relation::Less),
        both.len(),
        range(&ratios).unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_encode::tally::Section;
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::tests::sample::{measured, on_side, shuffled};

    fn tables_of(rows: Vec<Row>) -> Vec<Table> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        tables(&Analysis::new(&record, &Registry::standard()))
    }

    /// Formulas by their encoding, the seconds of loading, and the clauses of a row of eight.
    fn rows(encodings: &[(&str, f64, u64)]) -> Vec<Row> {
        let mut rows = Vec::new();
        for side in 8..16 {
            for &(encoding, load, clauses) in encodings {
                let mut row = on_side(side, shuffled(1, 1.0));
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
        // Of two seconds four: 4 / 2 with loading, 3 / 1 of loading alone.
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
             loading included, the first takes longer in 1 and less in 0 of 1 comparisons, ratios 2.00 to 2.00."
        );
    }

    #[test]
    fn one_approach_alone_and_other_encodings_make_no_table() {
        assert_eq!(tables_of(rows(&THREE[..1])), []);
        let mut others = THREE.to_vec();
        others.push(("product", 1.0, 22));
        assert_eq!(tables_of(rows(&others)), []);
    }
}
