//! Rankings: the encodings under one numbering, in groups of ties, as far as the evidence decides.

use super::columns::{
    COMPARED_INSTANCES, Columns, high, id_and_title, low, of_ratio, simultaneous_intervals, verdict,
};
use super::{Item, Table, TableIds, TableKind};
use crate::analysis::Analysis;
use crate::comparison::{EncodingRanking, Measure, count_disturbed, instances_with_answer};
use crate::dataset::Dataset;
use crate::label::with_solver_names;
use crate::number::count;
use bezzel_statistics::Relation;
use bezzel_statistics::ranking::{PairComparison, SOLVERS, SolverDesign};
use bezzel_statistics::ratio::{Estimate, Ratio};
use bezzel_statistics::score::{over_instances, solved};
use bezzel_statistics::virtual_best::{VirtualBest, virtual_best};

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "ranking",
    tables: &[TableIds::new(
        "ranking-MEASURE-NUMBERING-ANSWER",
        "groups of ties, and ratios to the first encoding",
    )],
    is_of_sources: false,
    make: tables,
};

/// A table for every numbering, measure and answer with a comparison.
fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let rankings = dataset.rankings().iter().enumerate();
    rankings.map(|(place, encoding_ranking)| table(dataset, encoding_ranking, place == 0)).collect()
}

/// The first table explains the columns of all of them.
fn table(dataset: &Dataset<'_>, encoding_ranking: &EncodingRanking, is_first: bool) -> Table {
    let EncodingRanking { comparison, ranking, .. } = encoding_ranking;
    let each = comparison.solvers.iter().enumerate();
    let best: Vec<Option<VirtualBest>> = each
        .map(|(solver, solver_design)| {
            let depends = has_no_summary(&ranking.comparisons, solver);
            virtual_best(&solver_design.design.shifted(comparison.rule.offset)).filter(|_| !depends)
        })
        .collect();
    let rows = ranking.order.iter().flat_map(|&arm| {
        let of_arm =
            comparison.solvers.iter().enumerate().map(move |(place, solver_design)| RankedArm {
                arm,
                solver_design,
                measured: solver_design.design.medians(arm).iter().flatten().count(),
                beside: ranking.comparison(place, arm, 0),
            });
        of_arm.filter(|ranked| ranked.measured > 0)
    });
    let interval = |ranked: &RankedArm<'_>| ranked.beside.as_ref()?.overall().interval;
    let mut columns = Columns::of(rows)
        .words("encoding", "Encoding", |it| Item::labelled(dataset, &comparison.arms[it.arm]))
        .results("group", "Group", |it| ranking.letters[it.arm].clone())
        .words("solver", "Solver", |it| it.solver_design.label.clone())
        .compared_instances(|it| {
            it.beside.as_ref().map_or(Err(it.measured), |beside| Ok(beside.overall().ratio))
        })
        .numbers("ratio", "Ratio", |it| match &it.beside {
            // The reference has the ratio 1.
            None => 1.0.into(),
            Some(beside) => of_ratio(&beside.overall().ratio),
        })
        .numbers("ratio_low", "from", |it| interval(it).map(low))
        .numbers("ratio_high", "to", |it| interval(it).map(high))
        .results("verdict", "Verdict", |it| it.beside.as_ref().map(|it| verdict(it.overall())));
    if encoding_ranking.measure == Measure::Time {
        columns = columns.numbers("solve_cpu_par2_s", "PAR2 (s)", |it| {
            over_instances(&it.solver_design.design, it.arm, 2.0)
        });
    }
    let (id, title) = id_and_title(dataset, "Ranking", encoding_ranking);
    columns.numbers("solved", "Solved", |it| solved(&it.solver_design.design, it.arm)).table(
        id,
        title,
        notes(dataset, encoding_ranking, &best, is_first),
    )
}

/// An arm under a solver.
struct RankedArm<'s> {
    arm: usize,
    solver_design: &'s SolverDesign,
    /// The number of instances on which it was measured.
    measured: usize,
    /// The comparison with the reference. None for the reference itself.
    beside: Option<PairComparison>,
}

/// True if some comparison under a solver depends on the family.
fn has_no_summary(comparisons: &[PairComparison], solver: usize) -> bool {
    let mut here = comparisons.iter().filter(|known| known.solver == solver);
    here.any(|known| known.overall().relation == Relation::DependsOnFamily)
}

fn notes(
    dataset: &Dataset<'_>,
    encoding_ranking: &EncodingRanking,
    best: &[Option<VirtualBest>],
    is_first: bool,
) -> Vec<String> {
    let EncodingRanking { comparison, ranking, unchecked, .. } = encoding_ranking;
    let mut notes = vec![format!(
        "Families: {}. Ratio to {}. {}",
        encoding_ranking.families().join("; "),
        comparison.arms[0],
        simultaneous_intervals(comparison.pairs())
    )];
    notes.extend(ranking.missing.iter().map(|missing| format!("Missing: {missing}")));
    let lost: usize = ranking.comparisons.iter().map(|known| known.overall().ratio.left_out).sum();
    let bounded: usize =
        ranking.comparisons.iter().map(|known| known.overall().ratio.bounded).sum();
    if lost + bounded > 0 {
        let mut parts = vec![format!(
            "Over the limit: a case is a pair of encodings under one solver on one instance."
        )];
        if bounded > 0 {
            parts.push(format!(
                "In {} one encoding is over the limit. A ratio with such a case is a bound (≥, ≤) or \
                 unknown, and its interval may have open ends.",
                count(bounded, "case")
            ));
        }
        if lost > 0 {
            parts.push(format!(
                "In {} both are over the limit. Ratios leave such cases out.",
                count(lost, "case")
            ));
        }
        notes.push(parts.join(" "));
    }
    if *unchecked > 0 {
        let (are, their) = if *unchecked == 1 { ("is", "its") } else { ("are", "their") };
        notes.push(format!(
            "{} with unchecked answers {are} not ranked, and {their} runs are left out.",
            count(*unchecked, "cell")
        ));
    }
    let disturbed = match encoding_ranking.measure {
        Measure::Time => count_disturbed(
            dataset,
            encoding_ranking.numbering,
            &instances_with_answer(dataset, encoding_ranking.answer),
        ),
        Measure::Conflicts | Measure::ProofSteps => 0,
    };
    if disturbed > 0 {
        let are = if disturbed == 1 { "is" } else { "are" };
        notes.push(format!(
            "Disturbed: {} {are} left out, counted once for each solver. A run reached its wall limit \
             there with less than 90 % of that time as CPU time.",
            count(disturbed, "instance")
        ));
    }
    notes.extend(virtual_note(&comparison.arms, &comparison.solvers, best));
    if is_first {
        notes.extend(explanations());
    }
    notes
}

/// The meaning of the columns.
fn explanations() -> Vec<String> {
    vec![
        format!(
            "Group: encodings that share a letter are ties. One encoding is ranked above another only if \
             it takes less under every solver, and if there are at least {SOLVERS} solver programs. Two \
             ties may still differ under one solver. The order within a group has no meaning. The table \
             of pairs explains ratio, interval and verdict."
        ),
        COMPARED_INSTANCES.into(),
        "Solved: instances on which the median is within the limits.".into(),
        "PAR2: the mean time over runs, then over instances, then over families. A run without an \
                    answer counts as twice its CPU limit, whichever limit ended it."
            .into(),
    ]
}

/// The virtual best of each solver, and the gain by chance. None without a virtual best.
fn virtual_note(
    arms: &[String],
    solver_designs: &[SolverDesign],
    best: &[Option<VirtualBest>],
) -> Option<String> {
    let read = |ratio: &Ratio| {
        ratio.estimate.map_or_else(|| "unknown".into(), |seen: Estimate| seen.to_string())
    };
    let of = |(solver_design, best): (&SolverDesign, &VirtualBest)| {
        let at_most = if best.understated > 0 { "at most " } else { "" };
        format!(
            "{} the single best is {}: {} and {at_most}{}",
            with_solver_names(&solver_design.label),
            arms[best.single_best],
            read(&best.one_run_each),
            read(&best.best_of_tries)
        )
    };
    let known = solver_designs.iter().zip(best).filter_map(|(it, best)| Some((it, best.as_ref()?)));
    let is_understated = best.iter().flatten().any(|best| best.understated > 0);
    let parts: Vec<String> = known.map(of).collect();
    (!parts.is_empty()).then(|| {
        let at_most = if is_understated {
            format!(" At most: the single best has fewer than {} runs on some instances.", arms.len())
        } else {
            String::new()
        };
        format!(
            "Virtual best (VBS) / single best (SBS): two ratios to the median of the encoding of least PAR2. On \
             each instance, the first is that of the best of {tries} runs, one of each \
             encoding. The second is that of the best of {tries} runs of the single best. If the first \
             is not smaller than the second, the gain may be chance. Under {}.{at_most}",
            parts.join("; under "),
            tries = arms.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::Row;

    use super::*;
    use crate::tests::analysed;
    use crate::tests::sample::{change_kind, of_size, shuffled, timed_out, unchecked};

    fn tables_of(rows: Vec<Row>) -> Vec<Table> {
        analysed(rows, tables)
    }

    fn of(encoding: &str, solver: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row.job.solver = solver.into();
        row
    }

    /// Two encodings, the second three times as slow, on twelve instances in two solvers.
    fn rows() -> Vec<Row> {
        let mut rows = Vec::new();
        for size in 8..20 {
            for solver in ["batsat", "cadical"] {
                for seed in 1..4 {
                    let time = 0.01 * f64::from(size) * (1.0 + seed as f64 / 10.0);
                    rows.push(of("quick", solver, of_size(size, shuffled(seed, time))));
                    rows.push(of("slow", solver, of_size(size, shuffled(seed, 3.0 * time))));
                }
            }
        }
        rows
    }

    fn read(table: &Table, column: &str) -> Vec<String> {
        let place = table.columns.iter().position(|known| known.name == column).unwrap();
        table.rows.iter().map(|row| row[place].read()).collect()
    }

    #[test]
    fn the_slower_encoding_is_below_where_two_solvers_agree() {
        let tables = tables_of(rows());
        let [table] = &tables[..] else { panic!("one measure has one table: {}", tables.len()) };
        assert_eq!(table.id, "ranking-time-random-sat");
        assert_eq!(read(table, "encoding"), ["quick", "quick", "slow", "slow"]);
        assert_eq!(read(table, "group"), ["a", "a", "b", "b"]);
        assert_eq!(read(table, "ratio"), ["1.00", "1.00", "3.00", "3.00"]);
        assert_eq!(read(table, "verdict")[2], "takes more");
        assert_eq!(read(table, "solved"), ["12"; 4]);
        assert_eq!(
            table.notes[0],
            "Families: langford. Ratio to quick. The 95 % confidence intervals of all pairs under one solver are \
             simultaneous (1 interval of level 95.00 %). They are not simultaneous over solvers, measures, \
             numberings or answers."
        );
    }

    #[test]
    fn an_interaction_stands_beside_the_verdict() {
        let mut both = rows();
        for row in &mut both {
            if row.job.instance.size() % 2 == 0 {
                change_kind(row);
                if row.job.encoding == "slow" {
                    row.solve_cpu_s = row.solve_cpu_s.map(|time| 5.0 * time);
                }
            }
        }
        let tables = tables_of(both);
        assert_eq!(read(&tables[0], "verdict")[2..], ["takes more; interaction"; 2]);
        assert_eq!(read(&tables_of(rows())[0], "verdict")[2..], ["takes more"; 2]);
    }

    #[test]
    fn a_solver_with_a_comparison_that_depends_on_the_family_has_no_virtual_best() {
        let mut rows = rows();
        for row in &mut rows {
            if row.job.instance.size() % 2 == 0 && row.job.solver == "cadical" {
                change_kind(row);
                if row.job.encoding == "slow" {
                    row.solve_cpu_s = row.solve_cpu_s.map(|time| time / 9.0);
                }
            }
        }
        let tables = tables_of(rows);
        let mut notes = tables[0].notes.iter();
        let note = notes.find(|note| note.starts_with("Virtual best (VBS)")).unwrap();
        assert!(note.contains("Under BatSat the single best is quick: "), "{note}");
        assert!(!note.contains("CaDiCaL"), "{note}");
    }

    #[test]
    fn instances_with_a_solution_and_without_one_have_tables_of_their_own() {
        let mut rows = rows();
        for row in &mut rows {
            if row.job.instance.size() % 2 == 0 {
                row.status = bezzel_solve::Answer::Unsat;
            }
        }
        let tables = tables_of(rows);
        let ids: Vec<_> = tables.iter().map(|table| table.id.as_str()).collect();
        assert_eq!(ids, ["ranking-time-random-sat", "ranking-time-random-unsat"]);
        assert_eq!(read(&tables[0], "instances"), ["6"; 4]);
    }

    #[test]
    fn limits_bound_ratios_and_unchecked_cells_are_left_out_and_reported() {
        let mut rows = rows();
        for row in &mut rows {
            let Row { job, .. } = row;
            if job.encoding == "slow" && job.solver == "batsat" && job.instance.size() == 8 {
                *row = Row { job: job.clone(), ..timed_out() };
            } else if job.encoding == "slow" && job.solver == "cadical" && job.instance.size() == 9
            {
                *row = Row { job: job.clone(), ..unchecked(1.0) };
            }
        }
        let tables = tables_of(rows);
        let ratios = read(&tables[0], "ratio");
        // Eleven times 3, and once 5 s over 0.096 s at the mean: the twelfth root of 3¹¹ · 50.
        assert!(ratios[2].starts_with("≥ 3.79"), "{ratios:?}");
        assert_eq!(read(&tables[0], "ratio_high")[2], "open");
        assert_eq!(read(&tables[0], "instances"), ["12", "12", "12", "11"]);
        assert_eq!(read(&tables[0], "solved"), ["12", "12", "11", "11"]);
        let has_note = |words: &str| tables[0].notes.iter().any(|note| note.contains(words));
        assert!(has_note("In 1 case one encoding is over the limit."), "{:?}", tables[0].notes);
        assert!(!has_note("both are over the limit. Ratios leave"), "{:?}", tables[0].notes);
        assert!(has_note("1 cell with unchecked answers is not ranked"), "{:?}", tables[0].notes);
    }

    #[test]
    fn instances_on_which_both_encodings_are_over_the_limit_are_not_counted_as_compared() {
        let mut rows = rows();
        assert!(tables_of(rows.clone())[0].columns.iter().all(|column| column.head != "of"));
        for row in &mut rows {
            if row.job.instance.size() == 8 && row.job.solver == "cadical" {
                *row = Row { job: row.job.clone(), ..timed_out() };
            }
        }
        let tables = tables_of(rows);
        let by_row = ["encoding", "solver", "instances", "instances_measured"]
            .map(|column| read(&tables[0], column));
        let found: Vec<String> =
            (0..4).map(|row| by_row.clone().map(|column| column[row].clone()).join(" ")).collect();
        let expected = [
            "quick batsat 12 12",
            "quick cadical 12 12",
            "slow batsat 12 12",
            "slow cadical 11 12",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn one_run_of_each_on_one_instance_compares_nothing() {
        assert!(
            tables_of(vec![
                of("a", "batsat", shuffled(1, 1.0)),
                of("b", "batsat", shuffled(1, 2.0))
            ])
            .is_empty()
        );
    }
}
