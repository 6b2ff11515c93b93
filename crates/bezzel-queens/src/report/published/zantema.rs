//! Zantema's eight queens problem (Automated Reasoning, 2IW15): the formula of sixty queens, the misprint in its
//! condition on diagonals, and the remark on redundancy.

use bezzel_encode::Constraints;
use bezzel_experiment::{FormulaSize, Row};

use super::{as_generated, judged, put_printed_above, side};
use bezzel_report::analysis::Analysis;
use bezzel_report::comparison::EncodingRanking;
use bezzel_report::row_statistics::Cell;
use bezzel_report::table::{Item, Table};
use bezzel_report::toolkit::{Columns, significant, with_answer, with_outcome};
use bezzel_statistics::ranking::PairComparison;
use bezzel_statistics::{Relation, Value, median};

/// The side of the board of "Generalization", the last section.
const SIDE: u32 = 60;

/// The time of yices on it in the words of the section, and the largest number of seconds that these words cover here.
const A_FEW_SECONDS: (&str, f64) = ("within a few seconds", 5.0);

/// Makes the tables. Empty if sixty queens in pairs were not solved with and without the redundant condition.
pub(super) fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let formulas = [Constraints::Full, Constraints::NoColumnAmo].map(|constraints| {
        dataset.cells.iter().find(|cell| {
            side(cell.instance) == Some(SIDE)
                && cell.rows.iter().any(|row| states(row, constraints))
        })
    });
    let [Some(full), Some(without)] = formulas else { return Vec::new() };
    let redundancy = redundancy(dataset, &full.encoding, &without.encoding);
    [sixty(dataset), Some(misprint()), redundancy].into_iter().flatten().collect()
}

/// True for the source's formula with this set of constraints.
fn states(row: &Row, constraints: Constraints) -> bool {
    row.job.encoding == "pairwise" && row.job.settings.constraints == Some(constraints)
}

/// The formula of sixty queens in each solver.
fn sixty(dataset: &Analysis<'_>) -> Option<Table> {
    let cells: Vec<&Cell<'_>> = dataset
        .cells
        .iter()
        .filter(|cell| side(cell.instance) == Some(SIDE) && cell.formula().is_some())
        .filter(|cell| cell.rows.iter().any(|row| states(row, Constraints::Full)))
        .collect();
    let verdict = within_a_few_seconds(&cells);
    let of_size = |cell: &Cell<'_>, part: fn(&FormulaSize) -> u64| cell.formula().map(part);
    let mut table = Columns::of(cells)
        .words("solver", "Solver", |cell| cell.solver.clone())
        .words("reads", "Reads", |cell| {
            if cell.rows[0].job.solver.contains("yices_smt") { "SMT-LIB 1.2" } else { "clauses" }
        })
        .words("numbering", "Numbering", |cell| cell.numbering.clone())
        .numbers("variables", "Variables", |cell| of_size(cell, |formula| formula.variables))
        .numbers("clauses", "Clauses", |cell| of_size(cell, |formula| formula.clauses))
        .numbers("solve_cpu_median_s", "Solve, median (s)", |cell| median(&cell.times()))
        .numbers("solved", "Solved", |cell| cell.counts().solved)
        .numbers("runs", "Runs", |cell| cell.counts().rows)
        .some_table("zantema", "Comparison with Zantema's sixty queens", || {
            vec![
                "Published: H. Zantema, example for 2IW15, section \"Generalization\": yices with the \
                 formula in SMT-LIB 1.2. The time of an external solver includes reading the formula."
                    .into(),
            ]
        })?;
    put_printed_above(&mut table, printed_file!("zantema-n60"));
    Some(judged(&verdict, table))
}

/// The slowest solver of the formula as it is generated, compared with the words of the source.
fn within_a_few_seconds(cells: &[&Cell<'_>]) -> String {
    let (words, max) = A_FEW_SECONDS;
    let generated = cells.iter().filter(|cell| cell.rows.iter().any(|row| as_generated(row)));
    let times: Vec<Value> = generated.filter_map(|cell| median(&cell.times())).collect();
    let times: Option<Vec<f64>> = times.iter().map(|value| value.measured()).collect();
    let Some(slowest) = times.and_then(|times| times.into_iter().reduce(f64::max)) else {
        return format!(
            "none on \"{words}\", since a solver has no answer to the formula as generated"
        );
    };
    let seconds = significant(slowest, 3);
    if slowest <= max {
        format!(
            "\"{words}\" holds for every solver here, the slowest of which takes {seconds} s as generated"
        )
    } else {
        format!(
            "\"{words}\" does not hold for every solver here, the slowest takes {seconds} s as generated"
        )
    }
}

/// The formula as printed, with its models.
fn misprint() -> Table {
    let none = |(): &()| Item::Missing;
    let mut table = Columns::of(Vec::new())
        .numbers("n", "N", none)
        .numbers("clauses_printed", "Clauses, as printed", none)
        .numbers("clauses_meant", "Clauses, as meant", none)
        .numbers("models_printed", "Models, as printed", none)
        .numbers("models_right", "of these solutions", none)
        .numbers("solutions", "Solutions", none)
        .table(
            "zantema-as-printed",
            "Zantema's formula as printed",
            vec![
                "Published: the total formula of section \"Solution\". Its models were counted without a \
                 solver, row by row, up to N = 8."
                    .into(),
            ],
        );
    put_printed_above(&mut table, printed_file!("zantema-as-printed"));
    let verdict = "as printed the formula is wrong: it has no model at N = 6 (4 solutions) and N = 7 (40 solutions), \
                   since one direction of diagonals has i + k = j + m for i + j = k + m";
    judged(verdict, table)
}

/// A comparison of the formula without the redundant condition to the one with it.
struct RedundancyComparison<'a> {
    encoding_ranking: &'a EncodingRanking,
    numbering: &'a str,
    known: PairComparison,
}

/// The remark that redundancy is often good for efficiency. None without a comparison.
fn redundancy(dataset: &Analysis<'_>, full: &str, without: &str) -> Option<Table> {
    let compared = dataset.rankings().iter().flat_map(|encoding_ranking| {
        let arms = &encoding_ranking.comparison.arms;
        let place = |label: &str| arms.iter().position(|arm| arm == label);
        let pair = place(without).zip(place(full));
        let numbering = &dataset.numberings[encoding_ranking.numbering];
        let of = move |solver| {
            let (without, full) = pair?;
            let known = encoding_ranking.ranking.comparison(solver, without, full)?;
            Some(RedundancyComparison { encoding_ranking, numbering, known })
        };
        (0..encoding_ranking.comparison.solvers.len()).filter_map(of)
    });
    let compared: Vec<RedundancyComparison<'_>> = compared.collect();
    let verdict = remark(&compared);
    let columns = Columns::of(compared)
        .words("answer", "Answer", |of| with_answer(of.encoding_ranking.answer).to_owned())
        .words("numbering", "Numbering", |of| of.numbering)
        .words("measure", "Measure", |of| of.encoding_ranking.measure.words())
        .words("solver", "Solver", |of| {
            of.encoding_ranking.comparison.solvers[of.known.solver].label.clone()
        });
    let table = with_outcome(columns, |of| of.known.overall()).some_table(
        "zantema-redundancy",
        "Zantema's remark on redundancy",
        || {
            vec![format!(
                "Published: H. Zantema, example for 2IW15, \"Remark\": \"introducing redundancy is often good \
                 for efficiency\". Ratio: without the condition that columns hold at most one queen ({without}) \
                 to with it ({full}), the comparisons of the table of pairs."
            )]
        },
    )?;
    Some(judged(&verdict, table))
}

/// The verdict on the remark, separately for satisfiable and unsatisfiable boards. The remark holds if some
/// comparison shows a saving and none shows a cost.
fn remark(compared: &[RedundancyComparison<'_>]) -> String {
    let answers = bezzel_report::comparison::ANSWERS.into_iter().filter_map(|answer| {
        let here = compared.iter().filter(|of| of.encoding_ranking.answer == answer);
        let relations: Vec<Relation> = here.map(|of| of.known.overall().relation).collect();
        let number = |wanted| relations.iter().filter(|relation| **relation == wanted).count();
        let (saves, costs) = (number(Relation::More), number(Relation::Less));
        let word = match (saves, costs) {
            (0, 0) => "is undecided",
            (_, 0) => "holds",
            (0, _) => "does not hold",
            _ => "depends on solver, measure or numbering",
        };
        (!relations.is_empty()).then(|| {
            format!(
                "on {} the remark {word} (without the condition: more in {saves}, less in {costs} of {} \
                 comparisons)",
                with_answer(answer),
                relations.len()
            )
        })
    });
    answers.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use crate::Geometry;
    use bezzel_experiment::{FormulaSize, Row};
    use bezzel_solve::Answer;

    use super::*;
    use crate::report::tests::{analysed, change_board, of_size, solved};

    fn tables_of(rows: Vec<Row>) -> Vec<Table> {
        analysed(rows, tables)
    }

    fn of(constraints: Constraints, clauses: u64, mut row: Row) -> Row {
        row.job.settings = constraints.into();
        let sections = Vec::new();
        let size = FormulaSize { variables: 3_600, primary: 3_600, clauses, literals: 1, sections };
        Row { formula: Some(size), ..row }
    }

    /// Both formulas of sixty queens, and conflicts on satisfiable and on unsatisfiable boards.
    fn rows(factors: [f64; 2]) -> Vec<Row> {
        let both = [(Constraints::Full, 352_940), (Constraints::NoColumnAmo, 246_740)];
        let mut rows = Vec::new();
        for (arm, (constraints, clauses)) in both.into_iter().enumerate() {
            rows.push(of(constraints, clauses, of_size(60, solved(0.5))));
            for (geometry, factor) in [Geometry::Plane, Geometry::Torus].into_iter().zip(factors) {
                for side in 20..28 {
                    let mut row = of(constraints, 1, of_size(side, solved(1.0)));
                    change_board(&mut row, |board| board.with_geometry(geometry));
                    row.status =
                        if geometry == Geometry::Plane { Answer::Sat } else { Answer::Unsat };
                    let times = if arm == 1 { factor } else { 1.0 };
                    row.solver_stats.conflicts = Some((1e6 * times) as u64);
                    row.solve_cpu_s = Some(times);
                    rows.push(row);
                }
            }
        }
        rows
    }

    #[test]
    fn the_formula_of_sixty_queens_stands_below_the_published_time() {
        let tables = tables_of(rows([4.0, 1.0]));
        let read: Vec<Vec<String>> =
            tables[0].rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        assert_eq!(
            read[0],
            [
                "yices (Zantema)",
                "SMT-LIB 1.2",
                "as-generated",
                "3,600",
                "> 350,000",
                "within a few seconds",
                "1",
                "1"
            ]
        );
        assert_eq!(
            read[1],
            ["batsat", "clauses", "as-generated", "3,600", "352,940", "0.500", "1", "1"]
        );
        assert_eq!(read.len(), 2);
        assert_eq!(
            tables[0].notes[0],
            "Verdict: \"within a few seconds\" holds for every solver here, the slowest of which takes 0.500 s \
             as generated."
        );
    }

    /// The condition under which two squares (i, j) and (k, m) of different rows must not both hold a queen.
    #[derive(Clone, Copy)]
    enum Diagonals {
        /// i + k = j + m or i − k = j − m, as in the total formula.
        Printed,
        /// i + j = k + m or i − k = j − m.
        Meant,
    }

    impl Diagonals {
        fn forbids(self, [i, j]: [u32; 2], [k, m]: [u32; 2]) -> bool {
            let rising = match self {
                Self::Printed => i + k == j + m,
                Self::Meant => i + j == k + m,
            };
            rising || i + m == k + j
        }

        /// The clauses of the total formula on a board of side n: at least one queen in each row and column, at most
        /// one in each, and the condition on diagonals for each two rows.
        fn clauses(self, n: u32) -> u64 {
            let rows = (1..=n).flat_map(|i| (i + 1..=n).map(move |k| (i, k)));
            let columns = || (1..=n).flat_map(|j| (1..=n).map(move |m| (j, m)));
            let forbidden =
                |(i, k)| columns().filter(|&(j, m)| self.forbids([i, j], [k, m])).count();
            let n = u64::from(n);
            2 * n + n * n * (n - 1) + rows.map(|pair| forbidden(pair) as u64).sum::<u64>()
        }

        /// The models of the total formula: the column of the queen in each row. Rows and columns hold one queen
        /// each, so all are permutations, and the search goes through them row by row.
        fn models(self, n: u32) -> Vec<Vec<u32>> {
            let mut models = vec![Vec::new()];
            for row in 1..=n {
                let extend = |above: Vec<u32>| {
                    let fits = |column: &u32| {
                        let mut queens = (1..).zip(&above);
                        !above.contains(column)
                            && !queens.any(|(i, &j)| self.forbids([i, j], [row, *column]))
                    };
                    let columns: Vec<u32> = (1..=n).filter(fits).collect();
                    columns.into_iter().map(move |column| [above.as_slice(), &[column]].concat())
                };
                models = models.into_iter().flat_map(extend).collect();
            }
            models
        }
    }

    #[test]
    fn the_formula_as_printed_has_the_known_models_and_clauses() {
        // facts: models of the printed formula for N = 1 to 9.
        let printed = (1..=9).map(|n| Diagonals::Printed.models(n).len());
        assert!(printed.eq([1, 0, 0, 4, 4, 0, 0, 32, 96]));
        let counts = |n: u32| {
            let both = [Diagonals::Printed, Diagonals::Meant];
            let [printed, meant] = both.map(|of| of.models(n));
            let right = printed.iter().filter(|model| meant.contains(model)).count();
            [printed.len(), right, meant.len()].map(Item::from)
        };
        let expected = (4..=8).chain([SIDE]).map(|n| {
            let clauses = [Diagonals::Printed, Diagonals::Meant].map(|of| of.clauses(n));
            let counts = if n <= 8 { counts(n) } else { [(); 3].map(|()| Item::Missing) };
            [vec![Item::from(u64::from(n))], clauses.map(Item::from).to_vec(), counts.to_vec()]
                .concat()
        });
        assert_eq!(misprint().rows, expected.collect::<Vec<_>>());
    }

    #[test]
    fn the_remark_is_judged_apart_for_boards_with_and_without_a_solution() {
        let verdict = |factors| tables_of(rows(factors))[2].notes[0].clone();
        assert_eq!(
            verdict([4.0, 1.0]),
            "Verdict: on satisfiable instances the remark holds (without the condition: more in 2, less in 0 \
             of 2 comparisons); on unsatisfiable instances the remark is undecided (without the condition: \
             more in 0, less in 0 of 2 comparisons)."
        );
        assert!(verdict([1.0, 0.25]).contains("unsatisfiable instances the remark does not hold"));
    }

    #[test]
    fn a_record_of_one_of_both_formulas_makes_no_table() {
        let mut one = rows([1.0, 1.0]);
        one.retain(|row| row.job.settings.constraints == Some(Constraints::Full));
        assert_eq!(tables_of(one), []);
        assert_eq!(tables_of(vec![of_size(59, solved(0.5))]), []);
    }
}
