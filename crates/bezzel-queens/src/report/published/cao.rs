//! Cao's Figure 2 (CS517 final project, 2020): the times of a first solution and of all of them, by MiniSat with a
//! blocking clause for each solution.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::Constraints;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Row, Task, Verdict};
use bezzel_solve::OptionValue;
use serde::Deserialize;

use super::{as_generated, judged, printed, side};
use bezzel_report::analysis::Analysis;
use bezzel_report::chart::{Chart, Point, Series};
use bezzel_report::dataset::Dataset;
use bezzel_report::row_statistics::cell::values;
use bezzel_report::table::{Item, Table};
use bezzel_report::toolkit::{
    Columns, add_published, cpu_s, draw_all_times, engine_group, paragraph, significant,
};
use bezzel_statistics::{Value, median};

/// The engine with the source's method.
const WAY: &str = "blocking:batsat";

/// A row of Figure 2: N, the seconds of a first solution and of all of them, and the seconds after which the search for
/// all of them was abandoned.
#[derive(Deserialize)]
struct PrintedTimes {
    n: u32,
    first_s: f64,
    all_s: Option<f64>,
    abandoned_s: Option<u64>,
}

/// Figure 2 by N.
fn figure_2() -> BTreeMap<u32, PrintedTimes> {
    let rows: Vec<PrintedTimes> = printed(printed_file!("cao-figure-2"));
    rows.into_iter().map(|row| (row.n, row)).collect()
}

/// The number of superfluous clauses of ψ3 and ψ6 as printed in section 2.2, for n ≥ 2. In ψ3 k runs to n + d instead
/// of n − d. This gives 2d superfluous clauses for each of the n − d values of j, for d from 1 to n − 2. In ψ6 k runs
/// to d − 1 instead of n. With d = n + e + 1 this gives e superfluous clauses for each of the n − e values of j, for e
/// from 1 to n − 2.
fn beyond_the_board(n: u64) -> u64 {
    3 * (1..n.saturating_sub(1)).map(|d| d * (n - d)).sum::<u64>()
}

/// True for the source's formula ψ1 to ψ7 on its board: clauses for each pair, and at least one queen in each row.
fn is_the_sources_formula(row: &Row) -> bool {
    row.job.encoding == "pairwise"
        && row.job.settings.constraints == Some(Constraints::NoColumnAlo)
        && as_generated(row)
        && side(&row.job.instance).is_some()
}

/// True for all solutions of that formula by a solver that blocks each solution that it finds.
fn is_blocking(row: &Row, engine: &str, block_all: bool) -> bool {
    is_the_sources_formula(row)
        && row.job.task == Task::Enumerate
        && row.job.max_solutions.is_none()
        && row.job.solver == engine
        && row.job.options.get("block_all") == Some(&OptionValue::Flag(block_all))
}

/// True for the source's method: MiniSat's search, where a blocking clause negates the value of every square.
pub(crate) fn is_the_sources_way(row: &Row) -> bool {
    is_blocking(row, WAY, true)
}

/// The sides on which a record has all solutions by the source's method.
fn sides(dataset: &Dataset<'_>) -> BTreeSet<u32> {
    let rows = dataset.record.rows.iter().filter(|row| is_the_sources_way(row));
    rows.filter_map(|row| side(&row.job.instance)).collect()
}

/// The figure of times of engines, with those of Cao's Figure 2 in the panel of the source's method, if it has one.
pub(in crate::report) fn all_times(dataset: &Analysis<'_>) -> Option<Chart> {
    // The source's method is a group of its own, so that the published times are shown beside it.
    let mut chart = draw_all_times(dataset, |label| match label.split_once(',') {
        Some((WAY, _)) => label,
        _ => engine_group(label),
    })?;
    let times = published_times(dataset);
    let is_way = |series: &Series| series.label.starts_with(WAY);
    let facet = chart.facets.iter().position(|facet| facet.series().iter().any(is_way));
    if let Some(facet) = facet.filter(|_| !times.is_empty()) {
        let points =
            times.into_iter().map(|(side, time)| Point::new(side.into(), Value::Measured(time)));
        add_published(&mut chart, facet, "MiniSat (Cao 2020)", points);
        let of_cao =
            "The line MiniSat (Cao 2020) is Figure 2 of Cao's report, measured on another machine.";
        chart.caption = paragraph(&[&chart.caption, of_cao]);
    }
    Some(chart)
}

/// The times of all solutions in Figure 2, in seconds by side. Empty if the record has no block of it.
fn published_times(dataset: &Dataset<'_>) -> Vec<(u32, f64)> {
    if sides(dataset).len() < FEWEST {
        return Vec::new();
    }
    figure_2().into_iter().filter_map(|(side, row)| Some((side, row.all_s?))).collect()
}

/// The least number of sides for which growth is compared.
const FEWEST: usize = 3;

/// The runs on a side: the median CPU seconds of making, loading and searching, and the kinds of their machines.
struct SideTimes {
    median: Value,
    machines: BTreeSet<Option<usize>>,
}

/// The runs on each side.
fn timed<'a>(
    dataset: &Dataset<'_>,
    rows: impl Iterator<Item = &'a Row>,
) -> BTreeMap<u32, SideTimes> {
    let mut by_side: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if let Some(side) = side(&row.job.instance) {
            by_side.entry(side).or_default().push(row);
        }
    }
    let timed = by_side.into_iter().filter_map(|(side, rows)| {
        let machines = rows.iter().map(|row| dataset.machines.of(row)).collect();
        Some((side, SideTimes { median: median(&values(&rows, cpu_s))?, machines }))
    });
    timed.collect()
}

/// The factor from one side to the next. None between machines of different kinds.
fn growth_here(side: u32, of: &BTreeMap<u32, SideTimes>) -> Option<f64> {
    let (before, here) = (of.get(&(side - 1))?, of.get(&side)?);
    let is_alike = before.machines == here.machines;
    is_alike.then(|| Some(here.median.measured()? / before.median.measured()?))?
}

/// The factor from one side to the next.
fn growth(side: u32, of: impl Fn(u32) -> Option<f64>) -> Option<f64> {
    Some(of(side)? / of(side - 1)?)
}

/// Makes the table. None if all solutions were found by the source's method on fewer than three boards.
pub(super) fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let sides = sides(dataset);
    if sides.len() < FEWEST {
        return None;
    }
    let rows = || dataset.record.rows.iter();
    let batsat = timed(dataset, rows().filter(|row| is_the_sources_way(row)));
    let cadical = timed(dataset, rows().filter(|row| is_blocking(row, "blocking", false)));
    let first = rows().filter(|row| {
        is_the_sources_formula(row) && row.job.task == Task::Solve && row.job.solver == "batsat"
    });
    let first = timed(dataset, first);
    let median = |of: &BTreeMap<u32, SideTimes>, side: &u32| Some(of.get(side)?.median);
    let fastest = fastest(dataset);
    let clauses = clauses(dataset);
    let solutions = solutions(dataset);
    let figure_2 = figure_2();
    let published_all = |side: u32| figure_2.get(&side)?.all_s;
    let given_up = |side: &u32| figure_2.get(side)?.abandoned_s.map(|s| grouped(s.into()));
    let found = |side: u32| solutions.get(&side).copied();
    let shown: BTreeSet<u32> = sides.iter().chain(first.keys()).copied().collect();
    let notes = vec![
        format!(
            "Published: X. Cao, final project of CS517, 2020, Figure 2, by Minisat22 through Python. Cao \
             stopped the search for all solutions at N = 14 after {} s. BatSat searches like MiniSat, \
             and its blocking clauses negate the value of every square, as Cao's do. CaDiCaL's blocking \
             clauses negate the queens only. Cao measured on another machine, so only factors from one N \
             to the next are comparable.",
            shown.iter().find_map(given_up).unwrap_or_default()
        ),
        "Times of this experiment are medians of the CPU time of generating and loading the formula and \
         of searching. The fastest engine is the fastest of all engines with verified answers on the \
         board. No factor is given between machines of different kinds."
            .into(),
        "Clauses: as printed, k runs to n + d in ψ3 (correct: n − d), and to d − 1 in ψ6 (correct: n). \
         The additional clauses are about squares beyond the board. No necessary clause is missing. The \
         clauses of this experiment have the correct limits."
            .into(),
    ];
    let table = Columns::of(shown)
        .numbers("n", "N", |&side| u64::from(side))
        .numbers("first_published_s", "First, Cao (s)", |&side| {
            figure_2.get(&side).map(|row| row.first_s)
        })
        .numbers("first_cpu_median_s", "First, BatSat (s)", |side| median(&first, side))
        .numbers("all_published_s", "All, Cao (s)", |&side| {
            let given_up = || given_up(&side).map(|seconds| format!("> {seconds}"));
            published_all(side).map_or_else(|| Item::from(given_up()), Item::from)
        })
        .numbers("all_cpu_median_s", "All, BatSat (s)", |side| median(&batsat, side))
        .numbers("all_cadical_cpu_median_s", "All, CaDiCaL (s)", |side| median(&cadical, side))
        .numbers("growth_published", "t(N) / t(N − 1), Cao", |&side| growth(side, published_all))
        .numbers("growth", "t(N) / t(N − 1), BatSat", |&side| growth_here(side, &batsat))
        .numbers("growth_cadical", "t(N) / t(N − 1), CaDiCaL", |&side| {
            growth_here(side, &cadical)
        })
        .numbers("growth_solutions", "Solutions, N to N − 1", |&side| growth(side, found))
        .numbers("all_fastest_cpu_s", "All, fastest (s)", |side| {
            fastest.get(side).map(|(_, seconds)| *seconds)
        })
        .results("all_fastest", "Fastest engine", |side| {
            fastest.get(side).map(|(name, _)| name.clone())
        })
        .numbers("clauses_printed", "Clauses, as printed", |side| {
            clauses.get(side).map(|right| right + beyond_the_board(u64::from(*side)))
        })
        .numbers("clauses", "Clauses, here", |side| clauses.get(side).copied())
        .table("cao-figure-2", "Comparison with Cao's Figure 2", notes);
    let compared = sides.iter().rev().find_map(|&side| {
        let [cao, batsat, solutions] =
            [growth(side, published_all)?, growth_here(side, &batsat)?, growth(side, found)?];
        Some((side, cao, batsat, solutions))
    });
    Some(match compared {
        Some(of) => judged(&verdict(of), table),
        None => table,
    })
}

/// The growth of both times compared with that of the number of solutions, on the largest side that has all three.
fn verdict((side, cao, batsat, solutions): (u32, f64, f64, f64)) -> String {
    let faster = match (cao > solutions, batsat > solutions) {
        (true, true) => "both times grow faster",
        (true, false) => "Cao's time alone grows faster",
        (false, true) => "BatSat's time alone grows faster",
        (false, false) => "neither time grows faster",
    };
    let [cao, batsat, solutions] = [cao, batsat, solutions].map(|times| significant(times, 3));
    format!(
        "from N = {} to {side} {faster} than the number of solutions: Cao's grows {cao} times and BatSat's {batsat} \
         times, and there are {solutions} times as many solutions",
        side - 1
    )
}

/// The clauses of the source's formula on each side.
fn clauses(dataset: &Dataset<'_>) -> BTreeMap<u32, u64> {
    let rows = dataset.record.rows.iter().filter(|row| is_the_sources_formula(row));
    rows.filter_map(|row| Some((side(&row.job.instance)?, row.formula.as_ref()?.clauses))).collect()
}

/// The number of solutions on each side, if an engine has found all of them.
fn solutions(dataset: &Dataset<'_>) -> BTreeMap<u32, f64> {
    let rows = dataset.record.rows.iter().filter(|row| row.verdict == Verdict::Verified);
    let whole = rows.filter_map(|row| {
        let all = row.all.as_ref().filter(|all| all.whole)?;
        Some((side(&row.job.instance)?, all.count.to_string().parse().ok()?))
    });
    whole.collect()
}

/// The fastest verified engine for all solutions on each side, of any input.
fn fastest(dataset: &Dataset<'_>) -> BTreeMap<u32, (String, f64)> {
    let mut best: BTreeMap<u32, (String, f64)> = BTreeMap::new();
    for cell in &dataset.counter_runs.cells {
        let verified = cell.rows.iter().all(|row| row.verdict == Verdict::Verified);
        let wanted = matches!(cell.task, Task::Count | Task::Enumerate)
            && cell.rows.iter().all(|row| row.job.max_solutions.is_none());
        let (Some(side), Some(Value::Measured(seconds)), true) =
            (side(cell.instance), cell.cpu_s(), verified && wanted)
        else {
            continue;
        };
        if best.get(&side).is_none_or(|(_, least)| seconds < *least) {
            best.insert(side, (dataset.counter_runs.arms[cell.arm].label(), seconds));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::Board;

    use super::*;
    use crate::report::tests::{analysed, counted, measured, of_size, solved, timed_out};

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        analysed(rows, |of| table(of))
    }

    fn sources(mut row: Row) -> Row {
        row.job.settings = Constraints::NoColumnAlo.into();
        row
    }

    fn all(engine: &str, side: u32, seconds: f64, solutions: u32) -> Row {
        let mut row = sources(of_size(side, counted(engine, "pairwise", seconds)));
        row.job.task = Task::Enumerate;
        let block_all = OptionValue::Flag(engine == WAY);
        Arc::make_mut(&mut row.job.options).insert("block_all".into(), block_all);
        row.all.as_mut().unwrap().count = solutions.into();
        row.formula = measured(64, 736, 1584).formula;
        row
    }

    fn batsat(side: u32, seconds: f64) -> Row {
        all("blocking:batsat", side, seconds, 2_u32.pow(side))
    }

    /// A line as a map of the names of columns.
    fn line(table: &Table, row: usize) -> BTreeMap<&str, String> {
        let names = table.columns.iter().map(|column| column.name.as_str());
        names.zip(table.rows[row].iter().map(Item::read)).collect()
    }

    #[test]
    fn growth_stands_beside_the_published_growth() {
        let mut rows = vec![
            sources(of_size(9, solved(0.25))),
            batsat(9, 1.0),
            batsat(10, 4.0),
            batsat(11, 20.0),
            all("blocking", 10, 2.0, 1024),
            all("blocking", 11, 6.0, 2048),
            of_size(11, counted("direct-zdd", "none", 0.5)),
        ];
        rows[6].all.as_mut().unwrap().count = 2048_u32.into();
        let table = table_of(rows).unwrap();
        let first = line(&table, 0);
        assert_eq!(
            (&*first["first_published_s"], &*first["first_cpu_median_s"]),
            ("0.000120", "0.250")
        );
        assert_eq!((&*first["all_published_s"], &*first["all_cpu_median_s"]), ("0.0439", "1.00"));
        // 0.25834 / 0.04393 and 3.7292 / 0.25834.
        let second = line(&table, 1);
        assert_eq!((&*second["growth_published"], &*second["growth"]), ("5.88", "4.00"));
        let last = line(&table, 2);
        assert_eq!((&*last["growth_published"], &*last["growth"]), ("14.4", "5.00"));
        assert_eq!(
            (&*last["all_cadical_cpu_median_s"], &*last["growth_cadical"]),
            ("6.00", "3.00")
        );
        assert_eq!((&*last["all_fastest_cpu_s"], &*last["all_fastest"]), ("0.500", "direct-zdd"));
        assert_eq!(
            table.notes[0],
            "Verdict: from N = 10 to 11 both times grow faster than the number of solutions: Cao's grows 14.4 \
             times and BatSat's 5.00 times, and there are 2.00 times as many solutions."
        );
    }

    #[test]
    fn a_side_that_was_given_up_there_and_ended_at_a_limit_here_has_no_number() {
        let mut over = batsat(14, 1.0);
        let limit = timed_out();
        (over.termination, over.status, over.verdict) =
            (limit.termination, limit.status, limit.verdict);
        let table = table_of(vec![batsat(12, 1.0), batsat(13, 4.0), over]).unwrap();
        let last = line(&table, 2);
        assert_eq!(
            (&*last["all_published_s"], &*last["all_cpu_median_s"]),
            ("> 25,200", "no answer")
        );
        assert_eq!((&*last["growth_published"], &*last["growth"]), ("–", "–"));
    }

    #[test]
    fn the_printed_limits_of_psi_3_and_psi_6_add_clauses() {
        // facts: clauses as printed, and with the right limits.
        let known = [(4, 101, 80), (5, 213, 165), (6, 386, 296), (7, 633, 483), (8, 967, 736)];
        for (n, printed, right) in known {
            assert_eq!(right + beyond_the_board(n), printed, "n = {n}");
        }
        let table = table_of([6, 7, 8].map(|side| batsat(side, 1.0)).into()).unwrap();
        let last = line(&table, 2);
        assert_eq!((&*last["clauses_printed"], &*last["clauses"]), ("967", "736"));
    }

    #[test]
    fn other_boards_and_other_ways_make_no_table() {
        let mut torus = batsat(9, 1.0);
        torus.job.instance = Board::new(9).unwrap().with_geometry(crate::Geometry::Torus).into();
        assert_eq!(table_of(vec![batsat(8, 1.0), batsat(10, 1.0), torus]), None);
        let others: [fn(&mut Row); 4] = [
            |row| row.job.solver = "blocking".into(),
            |row| row.job.settings = Constraints::Full.into(),
            |row| row.job.task = Task::Count,
            |row| {
                let options = Arc::make_mut(&mut row.job.options);
                options.insert("block_all".into(), OptionValue::Flag(false));
            },
        ];
        for change in others {
            let mut rows = vec![batsat(8, 1.0), batsat(9, 1.0), batsat(10, 1.0)];
            rows.iter_mut().for_each(change);
            assert_eq!(table_of(rows), None);
        }
    }

    #[test]
    fn times_in_caos_way_have_caos_times_beside_them() {
        let row = |size: u32, engine: &str| {
            let mut row = of_size(size, counted(engine, "pairwise", 1.0));
            row.job.settings = Constraints::NoColumnAlo.into();
            row.job.task = Task::Enumerate;
            let block_all = ("block_all".into(), OptionValue::Flag(true));
            Arc::make_mut(&mut row.job.options).extend([block_all]);
            row.formula = measured(64, 736, 1584).formula;
            row
        };
        let rows = |engines: [&str; 2]| -> Vec<Row> {
            engines.iter().flat_map(|engine| [8, 9, 10].map(|size| row(size, engine))).collect()
        };
        let drawn = |rows: Vec<Row>| analysed(rows, all_times).unwrap();
        let chart = drawn(rows(["blocking:batsat", "propagator"]));
        let labels: Vec<_> = chart.legend.iter().map(|entry| entry.label.as_str()).collect();
        assert_eq!(labels[2..], ["MiniSat (Cao 2020)"]);
        let last = chart.facets[0].series()[2].points.last().unwrap();
        assert_eq!((last.at, last.value), (13.0, Value::Measured(879.824_67)));
        assert_eq!(drawn(rows(["blocking", "propagator"])).legend.len(), 2);
    }
}
