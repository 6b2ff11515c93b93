use std::time::Duration;

use bezzel_encode::Registry;
use bezzel_experiment::calibration::CalibrationJob;
use bezzel_experiment::{
    Catalog, Config, Environment, ExperimentRecord, NO_ENCODING, Plan, Termination,
};
use bezzel_solve::ProofFormat;

use super::*;
use crate::tests::sample::{
    counted, of_size, seeded, shuffled, skipped, solved, timed_out, unchecked,
};

fn threats_of(record: &ExperimentRecord) -> Vec<String> {
    caveats(&Dataset::new(record, &Registry::new()), Threats)
}

fn of_rows(rows: Vec<Row>) -> Vec<String> {
    threats_of(&ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() })
}

fn contains(sentences: &[String], words: &str) -> bool {
    sentences.iter().any(|sentence| sentence.contains(words))
}

#[test]
fn a_noisy_machine_and_one_that_changed_between_sessions_have_cautions() {
    let fixed = CalibrationJob::new(&crate::tests::sample::catalog(), Duration::ZERO).unwrap();
    let cautions_of = |sessions: &[&[f64]]| {
        let times = (0..)
            .zip(sessions)
            .flat_map(|(session, times)| times.iter().map(move |&time| (session, time)));
        let readings = times.map(|(session, time)| Row {
            status: Answer::Unsat,
            solve_cpu_s: Some(time),
            session,
            ..Row::blank(fixed.planned.clone(), Termination::Finished)
        });
        let record = ExperimentRecord {
            rows: vec![solved(1.0)],
            readings: readings.collect(),
            ..ExperimentRecord::default()
        };
        let cautions = threats_of(&record);
        ["was noisy", "not equally fast"]
            .map(|words| cautions.iter().any(|caution| caution.contains(words)))
    };
    assert_eq!(cautions_of(&[]), [false, false]);
    assert_eq!(cautions_of(&[&[1.0; 5], &[1.05; 5]]), [false, false]);
    assert_eq!(cautions_of(&[&[1.0; 5], &[1.2; 5]]), [false, true]);
    assert_eq!(cautions_of(&[&[1.0, 1.0, 1.0, 1.2, 1.2]]), [true, false]);
}

#[test]
fn encodings_with_equal_formulas_are_named() {
    let row = |size: u32, encoding: &str, digest: &str| {
        let mut row = of_size(size, solved(1.0));
        row.job.encoding = encoding.into();
        row.clause_digest = Some(digest.into());
        row
    };
    let mut rows = vec![row(8, "pairwise", "a"), row(8, "product", "a"), row(8, "binary", "b")];
    let equal = "Equal formulas: pairwise and product on 1 of 2 instances. Runs on these";
    rows.extend([row(9, "pairwise", "c"), row(9, "product", "d")]);
    assert!(contains(&of_rows(rows.clone()), equal));
    rows.truncate(1);
    assert!(!contains(&of_rows(rows), "Equal formulas"));
}

#[test]
fn a_small_experiment_is_reported_as_small() {
    let cautions = of_rows(vec![solved(0.01)]);
    let has_caution = |text: &str| cautions.iter().any(|caution| caution.starts_with(text));
    assert!(has_caution("Only one solver was run"));
    assert!(has_caution("No cell has more than 1 run;"));
    assert!(has_caution("No instance was found to be unsatisfiable"));
    assert!(has_caution("All median times are below"));
    assert!(!has_caution("Some rows"));
}

#[test]
fn engines_are_reported_as_quick_only_if_all_of_them_are() {
    let quick = counted("backtrack", NO_ENCODING, 0.01);
    let found = of_rows(vec![quick.clone()]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("All median times of engines are below"), "{found:?}");
    assert!(of_rows(vec![quick, counted("blocking", "pairwise", 2.0)]).is_empty());
}

#[test]
fn seeds_show_the_spread_as_shuffles_do_and_repetitions_do_not() {
    let few = |rows: Vec<Row>| {
        let sentences = of_rows(rows);
        sentences.iter().find(|text| text.contains("No cell has more than")).cloned()
    };
    let seeds = |number| (0..number).map(|seed| seeded(seed, 1.0)).collect::<Vec<_>>();
    assert_eq!(few(seeds(10)), None);
    assert!(few(seeds(9)).unwrap().starts_with("No cell has more than 9 seeds;"));
    assert_eq!(few((0..10).map(|seed| shuffled(seed, 1.0)).collect()), None);
    let mut repeats = vec![solved(1.0); 20];
    (1..).zip(&mut repeats).for_each(|(repeat, row)| row.job.repeat = repeat);
    assert!(few(repeats).unwrap().starts_with("No cell has more than 1 run;"));
}

#[test]
fn few_instances_time_outs_unchecked_and_skipped_runs_are_reported() {
    let sentences = of_rows(vec![solved(1.0), timed_out(), unchecked(1.0), skipped()]);
    assert!(contains(&sentences, "1 instance of 1 family: a result on it need"), "{sentences:?}");
    let alone = "1 run (25 %) has no answer: its time is a lower bound, and ratios with it are \
                 bounds.";
    assert!(contains(&sentences, alone), "{sentences:?}");
    assert!(
        contains(&sentences, "1 answer is unchecked: it is shown, and not ranked."),
        "{sentences:?}"
    );
    assert!(contains(&sentences, "1 run of 4 planned was not finished"), "{sentences:?}");
    let ends = [timed_out(), unchecked(1.0), skipped()];
    let twice = of_rows(ends.iter().chain(&ends).cloned().collect());
    let several = "2 runs (33 %) have no answer: their times are lower bounds, and ratios with \
                   them are bounds.";
    assert!(contains(&twice, several), "{twice:?}");
    assert!(contains(&twice, "2 answers are unchecked: they are shown, and"), "{twice:?}");
    assert!(contains(&twice, "2 runs of 6 planned were not finished"), "{twice:?}");
}

#[test]
fn a_wide_experiment_is_not_reported_as_narrow() {
    let mut rows: Vec<Row> = (8..20).map(|size| of_size(size, solved(1.0))).collect();
    assert!(contains(&of_rows(rows.clone()), "12 instances of 1 family"));
    rows[0].status = bezzel_solve::Answer::Unsat;
    assert!(!contains(&of_rows(rows), "a result on these"));
}

#[test]
fn versions_and_proofs_side_by_side_and_the_one_machine_are_reported() {
    let mut rows = vec![solved(1.0), solved(1.0), solved(1.0)];
    rows[1].solver_version = "2".into();
    rows[2].job.solver = "cadical".into();
    rows[2].job.proof = Some(ProofFormat::Lrat);
    let environment =
        Environment { cpu_model: Some("Example CPU".into()), ..Environment::default() };
    let record =
        ExperimentRecord { rows, environments: vec![environment], ..ExperimentRecord::default() };
    let sentences = threats_of(&record);
    assert!(contains(&sentences, "rows of several versions: batsat (1, 2)."), "{sentences:?}");
    assert!(contains(
        &sentences,
        "Times of CaDiCaL include writing a proof, those of BatSat do not."
    ));
    assert!(contains(&sentences, "one machine (Example CPU)"));
    assert!(!contains(&of_rows(vec![solved(1.0)]), "one machine"));
}

fn warnings_of(sizes: &str, encodings: &str, solvers: &str) -> Vec<String> {
    let text = format!(
        "name: t\nproblems: [{{latin-square: {{order: {sizes}}}}}]\nencodings: [{encodings}]\nsolvers: [{solvers}]\n\
         numberings: [{{random: {{shuffles: 2}}}}]\n"
    );
    let catalog = Catalog::standard();
    let config = Config::parse(&text, "a test", &catalog).unwrap();
    ranking_warnings(&Plan::new(&config, &catalog).unwrap().jobs)
}

#[test]
fn a_plan_that_no_interval_can_decide_is_named_with_the_instances_that_it_needs() {
    let both = "batsat, cadical";
    // One pair needs 6 instances, and six pairs 8: 1 − 2^(1 − n) is at least the level of each.
    assert_eq!(warnings_of("4..9", "pairwise, binary", both), Vec::<String>::new());
    let few = warnings_of("4..8", "pairwise, binary", both);
    assert_eq!(few.len(), 1, "once for both solvers");
    assert!(few[0].contains("(random): two of them share 5 instances"), "{}", few[0]);
    assert!(few[0].contains("confidence intervals of 1 pair need 6,"), "{}", few[0]);
    let four = "pairwise, binary, product, tree";
    assert!(warnings_of("4..10", four, both)[0].contains("confidence intervals of 6 pairs need 8"));
    assert_eq!(warnings_of("4..11", four, both), Vec::<String>::new());
    assert_eq!(warnings_of("4..9", "pairwise, binary", "cadical, \"cadical:plain\"").len(), 1);
    // One encoding alone has no comparison.
    assert_eq!(warnings_of("4..5", "pairwise", "batsat"), Vec::<String>::new());
}
