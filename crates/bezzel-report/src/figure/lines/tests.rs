//! Line figures of small records, one measure after the other.

use bezzel_experiment::{DiagramSize, Key, NO_ENCODING, Row, Task};
use bezzel_problem::kind::pigeonhole::Pigeonhole;
use bezzel_solve::{Answer, ProofFormat, Simplified};

use super::kinds::{ALL_NODES, ALL_TIMES, MODELS, PROOFS, PROPAGATION_GIVEN, SIMPLIFIED, TIMES};
use super::*;
use crate::tests::analysed;
use crate::tests::sample::seating::Seating;
use crate::tests::sample::{
    at_wall_limit, counted, measured, of_size, out_of_memory, propagated, proved, solved, timed_out,
};

fn drawn(kind: &FigureKind, rows: Vec<Row>) -> Option<Chart> {
    analysed(rows, kind.draw)
}

#[test]
fn all_of_few_sides_are_marked_and_few_of_many() {
    let few: BTreeSet<u32> = (4..20).collect();
    assert_eq!(marked(&few), few);
    let many: BTreeSet<u32> = (5..=70).collect();
    assert_eq!(marked(&many), [5, 6, 8, 12, 16, 24, 32, 48, 64, 70].into());
}

/// The points of a panel's first series: N, the measured value, and true if a line joins it.
fn points(facet: &Facet) -> Vec<(f64, Option<f64>, bool)> {
    let points = facet.series()[0].points.iter();
    points.map(|point| (point.at, point.value.measured(), point.joined)).collect()
}

fn named(mut row: Row, encoding: &str) -> Row {
    row.job.encoding = encoding.into();
    row
}

/// The same rows with another encoding, so that lines are compared.
fn beside(rows: Vec<Row>) -> Vec<Row> {
    let others: Vec<Row> = rows.iter().map(|row| named(row.clone(), "other")).collect();
    rows.into_iter().chain(others).collect()
}

#[test]
fn no_line_leads_over_a_side_on_which_nothing_was_run() {
    let rows = vec![
        of_size(8, solved(1.0)),
        of_size(32, solved(3.0)),
        of_size(60, solved(4.0)),
        of_size(16, named(solved(2.0), "other")),
    ];
    let expected = [(8.0, Some(1.0), false), (32.0, Some(3.0), false), (60.0, Some(4.0), true)];
    assert_eq!(points(&drawn(&TIMES, rows).unwrap().facets[0]), expected);
}

#[test]
fn no_line_leads_to_or_from_a_limit() {
    let rows = vec![of_size(8, solved(1.0)), of_size(16, timed_out()), of_size(32, solved(3.0))];
    let chart = drawn(&TIMES, beside(rows)).unwrap();
    let expected = [(8.0, Some(1.0), false), (16.0, None, false), (32.0, Some(3.0), false)];
    assert_eq!(points(&chart.facets[0]), expected);
    assert!(chart.caption.contains("2 ended without an answer (2 at the CPU limit)"));
    assert_eq!(chart.signs.len(), 1, "{:?}", chart.signs);
}

#[test]
fn the_line_of_the_cpu_limit_is_there_only_if_no_other_limit_ended_a_run() {
    let limit = |late: Row| {
        let rows = vec![of_size(8, solved(1.0)), of_size(9, solved(2.0)), of_size(16, late)];
        let chart = drawn(&TIMES, beside(rows)).unwrap();
        let limit = chart.facets[0].value.limit.clone().expect("an axis of times has one");
        (limit.at, limit.label)
    };
    assert_eq!(limit(timed_out()), (Some(5.0), "CPU limit 5 s".into()));
    assert_eq!(limit(at_wall_limit(1.6)), (None, "no answer within 5 s CPU".into()));
    assert_eq!(limit(out_of_memory()), (None, "no answer within 5 s CPU".into()));
}

/// The row on one of several instances of a size.
fn closed(size: u32, number: u32) -> Row {
    let mut row = solved(1.0);
    row.job.instance = Pigeonhole::new(size, number + 1).unwrap().into();
    row
}

#[test]
fn two_sides_one_line_and_chosen_instances_are_no_growth() {
    let sizes = |sizes: &[u32]| sizes.iter().map(|&size| of_size(size, solved(1.0))).collect();
    let none = |rows: Vec<Row>| drawn(&TIMES, rows).is_none();
    assert!(none(beside(sizes(&[8, 16]))));
    assert!(none(sizes(&[8, 16, 32])));
    // One size has more instances than the others: they were chosen.
    let chosen = vec![closed(8, 0), closed(8, 1), closed(16, 0), closed(32, 0)];
    assert!(none(beside(chosen.clone())));
    assert!(!none(beside(chosen[1..].to_vec())));
    let mut rows: Vec<Row> = sizes(&[8, 16, 32]);
    rows.push(closed(8, 0));
    let chart = drawn(&TIMES, beside(rows)).unwrap();
    assert_eq!(chart.facets.len(), 1);
    assert!(chart.caption.contains("are not drawn: pigeonhole."), "{}", chart.caption);
    assert!(!chart.caption.contains("  "), "{}", chart.caption);
}

#[test]
fn engines_are_lines_and_limits_are_no_times() {
    let with_formula = |mut row: Row| {
        row.formula = measured(64, 744, 1584).formula;
        row
    };
    let mut late = with_formula(of_size(9, counted("blocking", "pairwise", 5.0)));
    late.termination = timed_out().termination;
    let rows = vec![
        with_formula(counted("blocking", "pairwise", 2.0)),
        late,
        counted("backtrack", NO_ENCODING, 0.125),
        of_size(9, counted("backtrack", NO_ENCODING, 0.25)),
        solved(7.0),
    ];
    let chart = drawn(&ALL_TIMES, rows).unwrap();
    let labels: Vec<_> = chart.legend.iter().map(|entry| entry.label.as_str()).collect();
    assert_eq!(labels, ["blocking, pairwise", "backtrack"]);
    let titles: Vec<_> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
    assert_eq!(titles, ["from clauses", "from the instance"]);
    assert!(
        chart.heading.ends_with("or counting all solutions, count, langford"),
        "{}",
        chart.heading
    );
    let series = chart.facets.iter().flat_map(Facet::series);
    let values: Vec<Vec<_>> = series
        .map(|series| series.points.iter().map(|point| (point.at, point.value)).collect())
        .collect();
    let expected = [
        vec![(8.0, Value::Measured(2.0)), (9.0, Value::OverLimit)],
        vec![(8.0, Value::Measured(0.125)), (9.0, Value::Measured(0.25))],
    ];
    assert_eq!(values, expected);
}

#[test]
fn nodes_are_drawn_of_those_who_have_some() {
    let mut diagram = counted("zbdd", "bryant-circuit", 1.0);
    let size = DiagramSize { nodes: Some(373), peak_nodes: Some(900), peak_states: None };
    diagram.all.as_mut().unwrap().diagram = Some(size);
    let larger = of_size(9, diagram.clone());
    let solver = counted("blocking", "pairwise", 1.0);
    let other = [diagram.clone(), larger.clone()].map(|mut row| {
        row.job.solver = "bdd".into();
        row
    });
    let rows = [&[solver, diagram.clone(), larger.clone()], &other[..]].concat();
    let chart = drawn(&ALL_NODES, rows).unwrap();
    assert_eq!(chart.facets.len(), 2);
    assert!(chart.facets.iter().all(|facet| facet.series().len() == 2));
    assert_eq!(chart.facets[1].series()[0].points[0].value, Value::Measured(900.0));
    let mut late = diagram.clone();
    (late.termination, late.all) = (timed_out().termination, None);
    let caption =
        drawn(&ALL_NODES, [&[diagram.clone(), larger, late], &other[..]].concat()).unwrap().caption;
    assert!(caption.contains("Of 5 runs, 1 ended without an answer"), "{caption}");
    assert_eq!(drawn(&ALL_NODES, vec![diagram]), None, "one size makes no line");
    assert_eq!(drawn(&ALL_NODES, vec![counted("blocking", "pairwise", 1.0)]), None);
}

#[test]
fn an_arm_that_never_finished_is_over_the_limit_everywhere() {
    let late = |size| {
        let mut row = of_size(size, counted("backtrack", NO_ENCODING, 5.0));
        (row.termination, row.all) = (timed_out().termination, None);
        row
    };
    let other = |size| {
        let mut row = late(size);
        row.job.solver = "propagator".into();
        row
    };
    let rows = vec![late(8), late(9), other(8), other(9)];
    let chart = drawn(&ALL_TIMES, rows.clone()).unwrap();
    let points = chart.facets[0].series()[0].points.iter();
    assert!(points.clone().all(|point| point.value == Value::OverLimit));
    assert_eq!(points.count(), 2);
    assert_eq!(drawn(&ALL_TIMES, rows[..2].to_vec()), None, "one engine is compared with nothing");
}

fn models(encoding: &str, size: u32, count: u64) -> Row {
    let mut row = of_size(size, counted("ganak", encoding, 1.0));
    row.job.task = Task::Models;
    row.all.as_mut().unwrap().count = count.into();
    row
}

/// 92 solutions on either side: the sample's number.
fn model_rows() -> Vec<Row> {
    let all = |size| of_size(size, counted("backtrack", NO_ENCODING, 0.5));
    vec![
        all(8),
        all(9),
        models("bitwise", 8, 184),
        models("bitwise", 9, 920),
        models("pairwise", 8, 92),
        models("pairwise", 9, 92),
    ]
}

#[test]
fn one_side_or_no_count_of_solutions_is_no_figure() {
    let of = |keep: fn(&Row) -> bool| model_rows().into_iter().filter(keep).collect::<Vec<_>>();
    assert_eq!(drawn(&MODELS, of(|row| row.job.instance.size() == 8)), None);
    assert_eq!(drawn(&MODELS, of(|row| row.job.task == Task::Models)), None);
}

#[test]
fn sizes_and_checking_stand_side_by_side_and_a_run_at_its_limit_is_over_it() {
    let mut late = of_size(9, timed_out());
    (late.job.encoding, late.job.proof) = ("b".into(), Some(ProofFormat::Lrat));
    let rows = vec![
        proved("a", 8, 1, 0.5),
        proved("a", 8, 3, 1.5),
        proved("a", 9, 8, 4.0),
        proved("b", 8, 16, 5.0),
        late,
    ];
    let chart = drawn(&PROOFS, rows).unwrap();
    let values = |facet: usize, series: usize| -> Vec<Value> {
        let points = chart.facets[facet].series()[series].points.iter();
        points.map(|point| point.value).collect()
    };
    let measured = Value::Measured;
    assert_eq!(values(0, 0), [measured(2.0), measured(8.0)]);
    assert_eq!(values(1, 0), [measured(1.0), measured(4.0)]);
    assert_eq!(values(0, 1), [measured(16.0), Value::OverLimit]);
    assert_eq!(chart.facets[1].value.title(), "CPU time of checking (s)");
}

#[test]
fn one_side_one_encoding_or_a_solution_is_no_figure_of_proofs() {
    assert_eq!(drawn(&PROOFS, vec![proved("a", 8, 1, 1.0), proved("b", 8, 1, 1.0)]), None);
    assert_eq!(drawn(&PROOFS, vec![proved("a", 8, 1, 1.0), proved("a", 9, 1, 1.0)]), None);
    let both = || [8, 9].into_iter().flat_map(|size| ['a', 'b'].map(|id| (id, size)));
    let both = || both().map(|(id, size)| proved(&id.to_string(), size, 1, 1.0));
    assert!(drawn(&PROOFS, both().collect()).is_some());
    assert_eq!(drawn(&PROOFS, both().chain([of_size(4, solved(1.0))]).collect()), None);
}

#[test]
fn a_family_that_one_solver_draws_is_left_out_of_the_others_alone() {
    let of = |encoding: &str, size, solver: &str| {
        let mut row = proved(encoding, size, 1, 1.0);
        row.job.solver = solver.into();
        row
    };
    let mut rows = Vec::new();
    for encoding in ["a", "b"] {
        rows.extend([8, 9].map(|size| of(encoding, size, "cadical")));
        rows.push(of(encoding, 8, "kissat"));
        let mut other = of(encoding, 8, "cadical");
        other.job.instance = Pigeonhole::new(8, 7).unwrap().into();
        rows.push(other);
    }
    let caption = drawn(&PROOFS, rows).unwrap().caption;
    let (_, left_out) = caption.split_once("are not drawn: ").unwrap();
    assert!(left_out.starts_with("langford in kissat; pigeonhole."), "{caption}");
}

#[test]
fn instances_without_a_solution_have_a_facet_of_their_own_and_no_share() {
    let refuted = |chairs: &[u32], conflict: bool| {
        let found = (!conflict).then_some("..../..../..../....");
        let mut row = propagated("pairwise", found, None);
        let seats: Vec<_> = (1..).zip(chairs).map(|(guest, &chair)| (guest, chair + 1)).collect();
        row.job.instance = Seating::new(4, 4).with_given(&seats).into();
        row
    };
    let mut rows = vec![refuted(&[0], true), refuted(&[0, 2], false)];
    assert_eq!(
        drawn(&PROPAGATION_GIVEN, rows.clone()),
        None,
        "one encoding is compared with nothing"
    );
    for name in ["order", "support"] {
        rows.extend([&[0][..], &[0, 2]].map(|chairs| {
            let mut row = refuted(chairs, true);
            row.job.encoding = name.into();
            row
        }));
    }
    for (number, row) in rows.iter_mut().enumerate() {
        row.key = Key(number.to_string());
    }
    let chart = drawn(&PROPAGATION_GIVEN, rows).unwrap();
    assert_eq!(chart.facets.len(), 1);
    assert!(chart.facets[0].title.ends_with(": unsatisfiable"));
    let points: Vec<_> =
        chart.facets[0].series()[0].points.iter().map(|point| point.value).collect();
    assert_eq!(points, [Value::Measured(100.0), Value::Measured(0.0)]);
    let labels: Vec<_> = chart.legend.iter().map(|entry| entry.label.as_str()).collect();
    assert_eq!(labels, ["pairwise", "order and 1 more"]);
    // The rows of `order` and `support` with one given seat, and those with two.
    let keys = chart.facets[0].series()[1].points.iter().map(|point| point.keys.clone());
    assert!(keys.eq([["2", "4"], ["3", "5"]].map(|keys| keys.map(|key| Key(key.into())))));
    assert!(chart.caption.contains("One line shows order, support,"), "{}", chart.caption);
}

fn left(clauses: u64) -> Row {
    let answer = if clauses == 0 { Answer::Sat } else { Answer::Unknown };
    let simplified = Simplified { variables: clauses / 2, clauses, literals: clauses, answer };
    Row { simplified: Some(simplified), ..measured(64, 744, 1584) }
}

/// The rows of two encodings on two sizes, whose preprocessing leaves these clauses of the first encoding.
fn preprocessed(clauses: &[u64]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (encoding, factor) in [("pairwise", 1), ("product", 2)] {
        for size in [8, 9] {
            rows.extend(clauses.iter().map(|clauses| {
                let mut row = of_size(size, left(factor * clauses));
                row.job.encoding = encoding.into();
                row
            }));
        }
    }
    rows
}

#[test]
fn a_formula_that_preprocessing_solves_is_reported() {
    let chart = drawn(&SIMPLIFIED, preprocessed(&[0, 400])).unwrap();
    let expected = "Of 8 runs, preprocessing alone answered 4,";
    assert!(chart.caption.contains(expected), "{}", chart.caption);
    assert!(!drawn(&SIMPLIFIED, preprocessed(&[400])).unwrap().caption.contains("alone"));
}
