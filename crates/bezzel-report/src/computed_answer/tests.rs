use bezzel_encode::Registry;
use bezzel_experiment::{ClaimMeasure, ExperimentRecord, NO_ENCODING, Row};

use super::*;
use crate::tests::sample::{
    change_kind, counted, measured, of_size, propagated, shuffled, sized, solved, timed_out,
};

fn record(rows: Vec<Row>) -> ExperimentRecord {
    ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() }
}

fn computed(rows: Vec<Row>) -> ComputedAnswer {
    answer_by(rows, &Primary::default())
}

fn answer_by(rows: Vec<Row>, primary: &Primary) -> ComputedAnswer {
    ComputedAnswer::new(&Analysis::new(&record(rows), &Registry::new()), primary)
}

#[test]
fn ratios_are_to_the_baseline_of_the_primary_comparison_and_of_its_measure() {
    let rows = || {
        let mut rows = unsat(8..24, "cadical", &FACTORS);
        for row in &mut rows {
            row.solver_stats.conflicts = Some((1e5 * row.solve_cpu_s.unwrap()) as u64);
        }
        rows
    };
    let primary = |measure| Primary { baseline: Some("product".into()), measure, intervals: None };
    let by_time = answer_by(rows(), &primary(None)).sentences.remove(0);
    assert!(by_time.contains("times product's CPU time"), "{by_time}");
    let answer = answer_by(rows(), &primary(Some(ClaimMeasure::Conflicts)));
    let sentence = &answer.sentences[0];
    assert!(sentence.contains("times product's conflicts"), "{sentence}");
    let table = answer.table.unwrap();
    let of = |encoding: &str, column: &str| {
        let place = table.columns.iter().position(|it| it.name == column).unwrap();
        let row = table.rows.iter().find(|row| row[2].read() == encoding).unwrap();
        row[place].read()
    };
    assert_eq!((of("product", "ratio"), of("product", "verdict")), ("1.00".into(), "–".into()));
    assert_ne!(of("pairwise", "verdict"), "–");
}

/// A row of an encoding in a solver.
fn of(encoding: &str, solver: &str, mut row: Row) -> Row {
    row.job.encoding = encoding.into();
    row.job.solver = solver.into();
    row
}

/// Rows on unsatisfiable instances of these sizes: each encoding takes its factor times a hundredth of the size.
fn unsat(sizes: std::ops::Range<u32>, solver: &str, factors: &[(&str, f64)]) -> Vec<Row> {
    let each = sizes.flat_map(|size| factors.iter().map(move |factor| (size, factor)));
    let rows = each.map(|(size, (encoding, factor))| {
        let mut row = of_size(size, shuffled(1, 0.01 * f64::from(size) * factor));
        row.status = Answer::Unsat;
        of(encoding, solver, row)
    });
    rows.collect()
}

const FACTORS: [(&str, f64); 5] = [
    ("pairwise", 1.0),
    ("product", 0.31),
    ("commander:3", 0.09),
    ("order", 1.02),
    ("binary", 10.5),
];

#[test]
fn a_sentence_has_the_ratios_that_a_direct_computation_gives() {
    let answer = computed(unsat(8..24, "cadical", &FACTORS));
    // The geometric mean over the instances of the ratios, after 0.1 ms is added to both times.
    let ratio = |factor: f64| {
        let logs = (8..24).map(|size| {
            let base = 0.01 * f64::from(size);
            ((factor * base + 1e-4) / (base + 1e-4)).ln()
        });
        significant_3((logs.sum::<f64>() / 16.0).exp())
    };
    let sentence = &answer.sentences[0];
    for (words, factor) in [
        ("commander:3 takes {} times pairwise's CPU time (", 0.09),
        ("product {} times (", 0.31),
        ("binary takes {} times pairwise's CPU time (", 10.5),
    ] {
        let expected = words.replace("{}", &ratio(factor));
        assert!(sentence.contains(&expected), "{expected}: {sentence}");
    }
    assert!(
        sentence.starts_with("On 16 unsatisfiable instances in CaDiCaL, commander:3"),
        "{sentence}"
    );
    let end = "; for order the CPU times are equivalent (within 10 %).";
    assert!(sentence.ends_with(end), "{sentence}");
    assert_eq!(answer.sentences.len(), 1);
}

fn significant_3(number: f64) -> String {
    bezzel_statistics::number::significant(number, 3)
}

fn column(table: &Table, name: &str) -> Vec<String> {
    let place = table.columns.iter().position(|column| column.name == name).unwrap();
    table.rows.iter().map(|row| row[place].read()).collect()
}

#[test]
fn the_table_has_the_solved_instances_and_the_penalised_mean() {
    let mut rows = unsat(8..24, "cadical", &FACTORS[..2]);
    // The first instance of the second encoding is not solved within 5 s.
    rows[1] = Row { job: rows[1].job.clone(), ..timed_out() };
    let table = computed(rows).table.unwrap();
    let solved: Vec<String> = column(&table, "encoding")
        .into_iter()
        .zip(column(&table, "solved"))
        .map(|(encoding, solved)| format!("{encoding} {solved}"))
        .collect();
    assert_eq!(solved, ["product 15 of 16", "pairwise 16 of 16"]);
    let mean = |factor: f64, penalty: f64| {
        let times = (9..24).map(|size| 0.01 * f64::from(size) * factor);
        significant_3((times.sum::<f64>() + penalty) / 16.0)
    };
    assert_eq!(column(&table, "solve_cpu_par2_s"), [mean(0.31, 10.0), mean(1.0, 0.08)]);
    assert_eq!(column(&table, "answer"), ["unsatisfiable"; 2]);
    assert_eq!(column(&table, "verdict"), ["undecided", "–"]);
}

#[test]
fn few_instances_give_no_verdict_and_the_number_that_is_needed() {
    let of_sizes = |sizes| computed(unsat(sizes, "cadical", &FACTORS[..3]));
    let needed = "no verdict is possible; 7 are needed for 3 encodings.";
    let one = of_sizes(8..9);
    assert_eq!(one.sentences, [format!("1 unsatisfiable instance in CaDiCaL: {needed}")]);
    // The main table has the times of one instance, and says that it is one.
    assert_eq!(one.table, None);
    let several = of_sizes(8..10);
    assert_eq!(several.sentences, [format!("2 unsatisfiable instances in CaDiCaL: {needed}")]);
    // It has the medians in the place of verdicts.
    let table = several.table.unwrap();
    assert_eq!(column(&table, "solve_cpu_median_s"), ["0.00765", "0.0264", "0.0850"]);
    let decided = computed(unsat(8..24, "cadical", &FACTORS[..3])).table.unwrap();
    assert!(decided.columns.iter().all(|column| column.name != "solve_cpu_median_s"));
    // Two open ends of the order statistics of n instances have the probability 2^(1 - n), of 0.05 / 3 at most.
    assert!(2_f64.powi(1 - 7) <= 0.05 / 3.0 && 2_f64.powi(1 - 6) > 0.05 / 3.0);
    let alone = computed(unsat(8..10, "cadical", &FACTORS[..1]));
    assert_eq!(
        alone.sentences,
        [
            "The only encoding, pairwise, solves 2 of 2 unsatisfiable instances in CaDiCaL. No other \
             encoding is compared with it."
        ]
    );
}

#[test]
fn each_answer_and_solver_has_a_sentence_and_the_table_has_all() {
    let mut rows = Vec::new();
    for (solver, product) in [("batsat", 0.2), ("cadical", 0.25), ("kissat", 4.0)] {
        let factors = [("pairwise", 1.0), ("product", product), ("binary", 5.0)];
        rows.extend(unsat(8..24, solver, &factors));
    }
    let answer = computed(rows.clone());
    assert_eq!(answer.sentences.len(), 3);
    assert!(answer.sentences[2].starts_with("On 16 unsatisfiable instances in Kissat, "));
    rows.extend(rows.clone().into_iter().map(|mut row| {
        row.status = Answer::Sat;
        of_size(row.job.instance.size() + 22, row)
    }));
    let answer = computed(rows);
    assert_eq!(answer.sentences[2], "The table has the other answers and solvers.");
    // Each answer and solver has a part of its own on a terminal, no wider than it may be.
    let text = answer.plain(80);
    assert_eq!(text.matches("\nunsatisfiable, ").count(), 3, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_first_numbering_answers_and_the_tables_of_the_others_are_named() {
    let both = |row: Row| {
        let mut generated = row.clone();
        generated.job.numbering = solved(1.0).job.numbering;
        [generated, row]
    };
    let rows = unsat(8..24, "cadical", &FACTORS[..2]).into_iter().flat_map(both).collect();
    let sentences = computed(rows).sentences;
    let end = " The numbering is as-generated; under the others, 0 of 1 verdicts differ (table ranking-time-random-unsat).";
    assert!(sentences[0].ends_with(end), "{sentences:?}");
}

#[test]
fn instances_without_any_answer_are_counted() {
    let mut rows = unsat(8..24, "cadical", &FACTORS[..2]);
    for encoding in ["pairwise", "product"] {
        rows.push(of(encoding, "cadical", of_size(40, timed_out())));
    }
    for row in &mut rows {
        row.job.numbering = shuffled(1, 1.0).job.numbering;
        if row.job.instance.size() == 20 {
            change_kind(row);
        }
    }
    let sentence = computed(rows).sentences.concat();
    assert!(sentence.starts_with("On 16 unsatisfiable instances of 2 families in "), "{sentence}");
    assert!(sentence.ends_with(" 1 instance has no answer in any run."), "{sentence}");
}

#[test]
fn sizes_are_compared_on_the_largest_instance() {
    let of_size = |size: u32| {
        let clauses = u64::from(size);
        [
            sized("pairwise", size, measured(1, 100 * clauses, 1)),
            sized("product", size, measured(1, 1000 + clauses, 1)),
            sized("bitwise", size, measured(1, 1000 + clauses, 1)),
        ]
    };
    let answer = computed([8, 20].into_iter().flat_map(of_size).collect());
    assert_eq!(
        answer.sentences,
        [
            "On the largest instance (langford 20), the formulas of 3 encodings have from 1,020 clauses (product and \
             bitwise) to 2,000 (pairwise)."
        ]
    );
    assert_eq!(answer.table, None);
}

#[test]
fn engines_are_compared_by_their_measured_time_on_the_largest_instance() {
    let mut rows = Vec::new();
    for size in [8, 9] {
        rows.push(of_size(size, counted("backtrack", NO_ENCODING, 2.0)));
        rows.push(of_size(size, counted("components", "pairwise", 0.5)));
    }
    rows.push(of_size(10, Row { job: counted("backtrack", NO_ENCODING, 1.0).job, ..timed_out() }));
    assert_eq!(
        computed(rows).sentences,
        [
            "To count all solutions of langford 9, components, pairwise has the least measured CPU time (0.500 s)."
        ]
    );
}

#[test]
fn propagation_names_the_strongest_and_the_weakest_encoding() {
    const TRUTH: &str = "xQxx/xxxQ/Qxxx/xxQx";
    let found = |encoding, found| propagated(encoding, Some(found), Some(TRUTH));
    let rows = vec![found("pairwise", "xQxx/xxx./.x.x/.x.."), found("product", TRUTH)];
    let both = "On 1 satisfiable instance, unit propagation finds from 60.0 % of the implied values (pairwise) to 100 % \
                (product).";
    assert_eq!(computed(rows).sentences, [both]);
    let rows = vec![propagated("pairwise", None, None), propagated("product", None, None)];
    // Without a satisfiable instance there is no share.
    assert!(computed(rows).sentences.is_empty());
}

#[test]
fn a_question_on_the_numbering_has_its_effects_before_one_encoding_and_after_the_comparison_of_several()
 {
    let effect = |encodings: &[&str]| {
        let each = (8..14).flat_map(|size| encodings.iter().map(move |&it| (size, it)));
        let rows = each.flat_map(|(size, encoding)| {
            let rows = [of_size(size, solved(4.0)), of_size(size, shuffled(1, 1.0))];
            rows.map(|mut row| {
                row.solver_stats.conflicts = Some((1e4 * row.solve_cpu_s.unwrap()) as u64);
                let (encoding, order) =
                    encoding.split_once(", ").unwrap_or((encoding, "as-stated"));
                row.job.settings.input_order = order.parse().unwrap();
                of(encoding, "batsat", row)
            })
        });
        computed(rows.collect()).sentences
    };
    let words = |means: &str| {
        format!(
            "With numbering random in place of as-generated, runs take 0.250 times the conflicts (0.250 to 0.250) \
             [BatSat; satisfiable] ({means}table effects-conflicts)."
        )
    };
    assert_eq!(effect(&["pairwise"])[0], words(""));
    let several = effect(&["pairwise", "product"]);
    assert!(several[0].starts_with("On 6 satisfiable instances in BatSat"), "{several:?}");
    assert_eq!(several[1..], [words("means over up to 2 encodings; ")]);
    // An order of the inputs leaves the clauses as they are: it is named alone.
    let ordered = effect(&["pairwise", "pairwise, reversed"]).pop().unwrap();
    let end = " The effects of input order are in the tables of effects.";
    assert_eq!(ordered, words("means over up to 2 encodings; ") + end);
}
