//! Patterns over encodings, exclusions from the matrix, and inclusions beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use bezzel_experiment::model::job::PlannedJob;

fn encodings(list: &str) -> Vec<String> {
    let text = SMALLEST.replace("[pairwise]", list);
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    config.matrix.encodings.into_iter().map(|entry| entry.id).collect()
}

fn listed() -> Vec<String> {
    bezzel_queens::experiment::catalog().encodings.infos().into_iter().map(|info| info.id).collect()
}

#[test]
fn a_pattern_is_all_listed_ids_that_fit_in_their_order() {
    assert_eq!(encodings("\"*\""), listed());
    let commanders: Vec<_> =
        listed().into_iter().filter(|id| id.starts_with("commander:")).collect();
    assert!(commanders.len() > 4);
    assert_eq!(encodings("\"commander:*\""), commanders);
    assert_eq!(
        encodings("[binary, commander:?, product]"),
        ["binary", "commander:2", "commander:3", "commander:4", "product"]
    );
    let rivals: Vec<_> = listed().into_iter().filter(|id| id.starts_with("rustsat-")).collect();
    assert_eq!(encodings("[\"rustsat-*\", \"binary\"]"), [rivals, vec!["binary".into()]].concat());
}

#[test]
fn an_exclamation_mark_takes_away_what_stands_before_it() {
    let mut rest = listed();
    rest.retain(|id| id != "native" && !id.starts_with("bryant-circuit"));
    assert_eq!(encodings("[\"*\", \"!native\", \"!bryant-circuit*\"]"), rest);
    // An alias names the same encoding, and a later entry stays.
    assert_eq!(encodings("[\"pair*\", \"!binomial\", binary]"), ["binary"]);
    assert_eq!(encodings("[\"pair*\", \"!pairwise\", pairwise]"), ["pairwise"]);
}

const MATRIX: &str = "
name: m
problems: [{queens: {size: [5, 6]}, shuffles: 2}, {queens: {size: 7, geometry: torus}}, {queens: {size: 6, blocked: [1]}}]
encodings: [pairwise, binary, {short: pairwise, long: product, at: 4}]
constraints: [full, minimal]
input_order: as-stated
numberings: [as-generated, {squares: spiral}, random: {shuffles: 3}]
solvers: [cadical, batsat]
bva: [off, on]
proofs: [on, off]
repeats: 2
";

/// Returns every cell of a plan, in words: the values that an exclusion can name.
fn cells(text: &str) -> BTreeSet<BTreeMap<&'static str, String>> {
    let config = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::new(&config, &bezzel_queens::experiment::catalog())
        .unwrap_or_else(|error| panic!("{error}"));
    let cell = |PlannedJob { job, .. }: &PlannedJob| {
        let factor = job.options.get("factor").map(ToString::to_string);
        BTreeMap::from([
            ("board", job.instance.to_string()),
            ("encoding", job.encoding.clone()),
            (
                "constraints",
                job.settings.constraints.map(|set| set.to_string()).unwrap_or_default(),
            ),
            ("numbering", job.numbering.id()),
            ("solver", job.solver.clone()),
            ("bva", factor.unwrap_or_default()),
            (
                "proofs",
                if job.solver == "cadical" {
                    job.proof.is_some().to_string()
                } else {
                    String::new()
                },
            ),
            ("job", serde_json::to_string(job).unwrap()),
        ])
    };
    let cells: BTreeSet<_> = plan.jobs.iter().map(cell).collect();
    assert_eq!(cells.len(), plan.jobs.len());
    cells
}

#[test]
fn an_exclusion_drops_the_cells_that_have_all_of_it_and_no_others() {
    let all = cells(MATRIX);
    for (exclusion, drops) in [
        ("{instance: 6*}", &[("board", &["6", "6 with 1,1 blocked"][..])][..]),
        ("{instance: 6}", &[("board", &["6"])]),
        (
            "{instance: \"6*\", solver: batsat}",
            &[("board", &["6", "6 with 1,1 blocked"]), ("solver", &["batsat"])],
        ),
        ("{instance: \"torus *\"}", &[("board", &["torus 7"])]),
        ("{instance: [5, \"* blocked\"]}", &[("board", &["5", "6 with 1,1 blocked"])]),
        ("{encoding: pairwise}", &[("encoding", &["pairwise"])]),
        (
            "{encoding: \"pairwise (minimal)\"}",
            &[("encoding", &["pairwise"]), ("constraints", &["minimal"])],
        ),
        ("{encoding: \"{short*\"}", &[("encoding", &["{short: pairwise, long: product, at: 4}"])]),
        (
            "{encoding: \"{short: pairwise, long: product, at: 4}\", constraints: minimal}",
            &[
                ("encoding", &["{short: pairwise, long: product, at: 4}"]),
                ("constraints", &["minimal"]),
            ],
        ),
        ("{constraints: full}", &[("constraints", &["full"])]),
        (
            "{numbering: random, encoding: [pairwise, binary]}",
            &[("numbering", &["random"]), ("encoding", &["pairwise", "binary"])],
        ),
        (
            "{numbering: \"*a*\", instance: 5}",
            &[("numbering", &["as-generated", "random", "spiral"]), ("board", &["5"])],
        ),
        ("{solver: \"cad* (bva on, proofs off)\"}", &[("bva", &["1"]), ("proofs", &["false"])]),
        ("{solver: \"*(proofs off)\"}", &[("bva", &["0"]), ("proofs", &["false"])]),
    ] {
        let left = cells(&format!("{MATRIX}exclude: [{exclusion}]\n"));
        let dropped = |cell: &&BTreeMap<&str, String>| {
            drops.iter().all(|(key, values)| values.contains(&cell[key].as_str()))
        };
        let expected: BTreeSet<_> = all.iter().filter(|cell| !dropped(cell)).cloned().collect();
        assert!(expected.len() < all.len());
        assert_eq!(left, expected, "{exclusion}");
    }
}

#[test]
fn several_exclusions_drop_what_any_of_them_drops() {
    let without = |exclusions: &str| cells(&format!("{MATRIX}exclude: {exclusions}\n"));
    let (first, second) =
        ("{instance: 6, solver: batsat}", "{encoding: binary, numbering: random}");
    let both = without(&format!("[{first}, {second}]"));
    let each: BTreeSet<_> = without(first).intersection(&without(second)).cloned().collect();
    assert_eq!(both, each);
}

#[test]
fn an_included_entry_takes_missing_axes_from_the_matrix() {
    let all = cells(MATRIX);
    let more = cells(&format!(
        "{MATRIX}include:\n  - {{problems: {{queens: {{size: 9}}}}, encodings: product, solvers: batsat, numberings: random}}\n"
    ));
    let added: Vec<_> = more.difference(&all).collect();
    assert!(all.is_subset(&more));
    // Ten shuffles, two sets of constraints, two repeats.
    assert_eq!(added.len(), 10 * 2 * 2);
    for cell in &added {
        assert_eq!((&*cell["board"], &*cell["encoding"]), ("9", "product"));
        assert_eq!((&*cell["solver"], &*cell["numbering"]), ("batsat", "random"));
    }
    let more = cells(&format!("{MATRIX}include: [{{solvers: [\"cadical:plain\"]}}]\n"));
    let added: Vec<_> = more.difference(&all).collect();
    assert!(added.iter().all(|cell| cell["solver"] == "cadical:plain"));
    // Twice the cells of BatSat: with proofs and without.
    assert_eq!(added.len(), 2 * all.iter().filter(|cell| cell["solver"] == "batsat").count());
    let more = cells(&format!("{MATRIX}include: [{{bve: off, solvers: cadical}}]\n"));
    assert_eq!(
        more.len(),
        all.len() + all.iter().filter(|cell| cell["solver"] == "cadical").count()
    );
}

#[test]
fn nothing_is_excluded_from_what_is_included() {
    let text = format!(
        "{MATRIX}exclude: [{{instance: 5}}]\ninclude: [{{problems: [{{queens: {{size: 5}}, shuffles: 2}}], encodings: binary, solvers: batsat}}]\n"
    );
    let left = cells(&text);
    let on_five: Vec<_> = left.iter().filter(|cell| cell["board"] == "5").collect();
    assert_eq!(on_five.len(), (1 + 1 + 2) * 2);
    assert!(on_five.iter().all(|cell| cell["encoding"] == "binary" && cell["solver"] == "batsat"));
}
