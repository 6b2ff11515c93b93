//! The axis of solvers with their switches, and the settings of a run.

use bezzel_solve::ProofFormat;

use super::schema::fits_schema;
use super::*;

/// The solvers of a config, with the options that differ from CaDiCaL's own.
fn solvers(lines: &str) -> Vec<String> {
    let text = format!("name: s\nboards: [{{size: 8}}]\nencodings: [pairwise]\n{lines}");
    assert!(fits_schema(&text), "{text}");
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let options = |entry: &Arm| {
        let stated =
            entry.options.iter().filter(|(name, _)| ["factor", "elim"].contains(&&***name));
        stated.map(|(name, value)| format!(" {name}={value}")).collect::<Vec<_>>().concat()
    };
    let shown = |entry: &Arm| {
        assert!(entry.proof.is_none_or(|proof| proof == ProofFormat::Lrat));
        entry.label() + &options(entry)
    };
    config.matrix.arms.iter().map(shown).collect()
}

#[test]
fn switches_are_axes_of_the_solvers_that_have_them() {
    assert_eq!(
        solvers("solvers: [cadical, batsat, \"cadical:plain\"]\nbva: [off, on]\nbve: [on, off]\n"),
        [
            "cadical factor=0",
            "cadical (bve off) elim=0 factor=0",
            "cadical (bva on) factor=1",
            "cadical (bva on, bve off) elim=0 factor=1",
            "batsat",
            "cadical:plain elim=0 factor=0",
        ]
    );
}

#[test]
fn a_switch_as_the_solver_comes_leaves_no_trace() {
    let plain = solvers("solvers: [cadical]\n");
    for lines in ["bva: off\nbve: on\nproofs: on\n", "bva: false\nbve: true\n"] {
        assert_eq!(solvers(&format!("solvers: [cadical]\n{lines}")), plain);
    }
    let options =
        |lines: &str| parse(&format!("{SMALLEST}{lines}")).unwrap().matrix.arms[0].options.clone();
    assert_eq!(options("bva: off\nbve: on\nproofs: on\n"), options(""));
}

#[test]
fn a_switch_of_one_solver_goes_before_that_of_all() {
    assert_eq!(
        solvers(
            "solvers: [{id: cadical, bva: [on], proofs: off}, {id: cadical, options: {seed: 7}}]\nbve: off\n"
        ),
        [
            "cadical (bva on, bve off, proofs off) elim=0 factor=1",
            "cadical (bve off) elim=0 factor=0",
        ]
    );
}

#[test]
fn an_option_that_says_the_same_as_a_switch_stays() {
    assert_eq!(
        solvers("solvers: [{id: cadical, options: {factor: 1, elim: 1}}]\nbva: on\n"),
        ["cadical (bva on) elim=1 factor=1"]
    );
    // A solver without a switch keeps its options, for any value of the axis.
    assert_eq!(
        solvers("solvers: [cadical, {id: \"cadical:plain\", options: {factor: 1}}]\nbva: off\n"),
        ["cadical factor=0", "cadical:plain elim=0 factor=1"]
    );
}

#[test]
fn solvers_that_can_write_proofs_do_so_unless_proofs_are_off() {
    let both = "solvers: [cadical, batsat]\n";
    assert_eq!(solvers(both), ["cadical factor=0", "batsat"]);
    assert_eq!(
        solvers(&format!("{both}proofs: [on, off]\n")),
        ["cadical factor=0", "cadical (proofs off) factor=0", "batsat"]
    );
    let proofs =
        |lines: &str| with(lines).matrix.arms.iter().map(|entry| entry.proof).collect::<Vec<_>>();
    assert_eq!(proofs(""), [Some(ProofFormat::Lrat)]);
    assert_eq!(proofs("proofs: off\n"), [None]);
    assert_eq!(proofs("proofs: [off, on]\n"), [None, Some(ProofFormat::Lrat)]);
}

#[test]
fn how_a_run_goes_about_its_jobs_is_read() {
    let config = with("");
    assert_eq!(config.order, Order::Seeded(1));
    assert_eq!(config.calibration, Some(Calibration { every_s: 30.0 }));
    assert_eq!((config.warm_up, config.simplified, config.proof_bytes), (1, false, 4 << 30));
    let lines = "order: as-listed\ncalibration: {every: 2 min}\nwarm_up: 0\nsimplified: on\nlimits: {proof: 100 MiB}\n";
    assert!(fits_schema(&format!("{SMALLEST}{lines}")));
    let config = with(lines);
    assert_eq!(config.order, Order::AsListed);
    assert_eq!(config.calibration, Some(Calibration { every_s: 120.0 }));
    assert_eq!((config.warm_up, config.simplified, config.proof_bytes), (0, true, 100 << 20));
    for (lines, order) in [("{seed: 0}", 0), ("{seed: 18446744073709551615}", u64::MAX)] {
        assert_eq!(with(&format!("order: {lines}\n")).order, Order::Seeded(order));
    }
    assert_eq!(with("calibration: off\n").calibration, None);
}

#[test]
fn each_seed_of_a_solver_is_a_solver_of_its_own() {
    let seeds = |lines: &str, name: &str| -> Vec<String> {
        let text = format!("name: s\nboards: [{{size: 8}}]\nencodings: [pairwise]\n{lines}");
        assert!(fits_schema(&text), "{text}");
        let arms = parse(&text).unwrap_or_else(|error| panic!("{error}")).matrix.arms;
        arms.iter().map(|arm| arm.options[name].to_string()).collect()
    };
    assert_eq!(seeds("solvers: {id: cadical, seeds: 11..13}\n", "seed"), ["11", "12", "13"]);
    let batsat = "solvers: {id: batsat, options: {rnd_init_act: true}, seeds: [7, 9]}\n";
    assert_eq!(seeds(batsat, "random_seed"), ["7", "9"]);
    let program = "solvers: {command: \"s --seed={seed} {cnf}\", seeds: 1..2}\n";
    assert_eq!(seeds(program, "seed"), ["1", "2"]);
    // The same jobs as with each seed written out.
    let jobs = |solvers: &str| -> Vec<_> {
        let plan = Plan::new(&with_solvers(solvers), &Catalog::standard()).unwrap();
        plan.jobs.into_iter().map(|planned| planned.key).collect()
    };
    assert_eq!(
        jobs("[{id: cadical, seeds: 1..2}]"),
        jobs("[{id: cadical, options: {seed: 1}}, {id: cadical, options: {seed: 2}}]")
    );
}

/// The smallest config with other solvers.
fn with_solvers(solvers: &str) -> Config {
    parse(&SMALLEST.replace("[cadical]", solvers)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn programs_have_names_that_are_in_no_job() {
    let text = "name: named\nboards: [{size: 8}]\n\
        encodings: [pairwise, {command: triangle.py, name: triangle}, \
        {rows: {command: row.py, name: by rows}, columns: pairwise, diagonals: product}]\n\
        solvers: [{command: \"s {cnf}\", name: mine}]\n";
    assert!(fits_schema(text), "{text}");
    let config = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<_> =
        config.names.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
    let expected = [
        ("{command: \"triangle.py\"}", "triangle"),
        ("{command: \"row.py\"}", "by rows"),
        ("{command: \"s {cnf}\"}", "mine"),
    ];
    assert_eq!(names, expected);
    assert!(config.matrix.encodings[2].id.contains("{command: \"row.py\"}"));
    let without = [", name: triangle", ", name: by rows", ", name: mine"];
    let without = without.iter().fold(text.to_owned(), |text, name| text.replace(name, ""));
    let ids = |config: &Config| -> Vec<String> {
        let encodings = config.matrix.encodings.iter().map(|entry| entry.id.clone());
        encodings.chain(config.matrix.arms.iter().map(|arm| arm.id.clone())).collect()
    };
    assert_eq!(ids(&config), ids(&parse(&without).unwrap()));
}
