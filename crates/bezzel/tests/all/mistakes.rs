//! Mistakes of first users on the command line and in configs: each has one message with the place and the correction.

use std::fs;
use std::path::Path;

use crate::program::{bezzel_in, ended};

/// The beginning of a config.
const CONFIG: &str = "name: x\nboards: [{size: 6}]\nencodings: [pairwise]\nsolvers: [batsat]\n";

/// Words that belong to the libraries that read numbers, YAML and the command line.
const FOREIGN: [&str; 7] = [
    "invalid digit",
    "while parsing",
    "while scanning",
    "block mapping",
    "scalar",
    "flow mapping",
    "not in 1..",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("t.opb", "+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;\n+1 x1 +1 x2 +1 x3 <= 2 ;\n");
    write("enc.py", "");
    folder
}

/// The message of a refused command.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let printed = ended(&bezzel_in(folder, arguments), 2);
    for part in parts {
        assert!(printed.contains(part), "{arguments:?}: `{part}` is not in\n{printed}");
    }
    for word in FOREIGN {
        assert!(!printed.contains(word), "{arguments:?}: `{word}` is in\n{printed}");
    }
}

#[test]
fn a_mistake_on_the_command_line_has_a_correction() {
    let folder = folder();
    let cases: &[(&[&str], &[&str])] = &[
        (&["rnu", "x.yaml"], &["'rnu'", "did you mean `run`?"]),
        (&["x.yaml"], &["a config is run by `bezzel run x.yaml`"]),
        (&["t.opb"], &["`bezzel solve t.opb` solves a file", "`bezzel show t.opb`"]),
        (&["frobnicate"], &["`bezzel --help` lists the commands"]),
        (&["show", "8"], &["unknown encoding `8`", "`bezzel solve 8`", "`bezzel list`"]),
        (
            &["check", "python3 enc.py"],
            &["`{command: \"python3 enc.py\"}` is a program that encodes"],
        ),
        (&["check", "enc.py"], &["`{command: \"python3 enc.py\"}` is a program that encodes"]),
        (
            &["check", "{cmd: \"python3 enc.py\"}"],
            &[
                "unknown key of an encoding `cmd`",
                "`command` and `kind` of a program",
                "`short`, `long` and `at`",
            ],
        ),
        (
            &["solve", "8", "--solver", "batsat", "--option", "foo=1"],
            &["batsat has no option `foo`; its options are ", "random_seed"],
        ),
        (
            &["solve", "8", "--count", "--engine", "d4"],
            &["unknown engine `d4`", "`{counter: \"d4 {cnf}\"}`", "`bezzel list engines`"],
        ),
        (&["solve", "8", "--solver", "gluecose5"], &["unknown solver `gluecose5`"]),
        (
            &["run", "t.opb"],
            &["`t.opb` is a file of constraints", "`bezzel solve t.opb`", "`bezzel tune t.opb`"],
        ),
        (&["submit", "t.opb", "--tasks", "2"], &["`t.opb` is a file of constraints"]),
        (
            &["tune", "t.opb", "--budget", "1 hour"],
            &["'1 hour'", "such as 60 (minutes), 30min or 1h"],
        ),
        (&["tune", "t.opb", "--budget", "0"], &["a time from 1min to 7d"]),
        (&["solve", "8", "--timeout", "soon"], &["such as 90 (seconds), 90s, 10min or 1h"]),
        (&["solve", "8", "--shuffle", "x"], &["'x'", "a whole number in plain digits is needed"]),
        (&["solve", "8", "--shuffle", "99999999999999999999"], &["the number is too large"]),
        (&["solve", "8", "--all", "--threads", "0"], &["it must be from 1 to 1024"]),
        (&["solve", "8", "--all", "--max-solutions", "0"], &["it must be at least 1"]),
        (&["run", "x", "--sample", "ten"], &["such as 10 (minutes), 0.5, 30s or 1h"]),
    ];
    for (arguments, parts) in cases {
        refused(folder.path(), arguments, parts);
    }
    // Times have units.
    let output = bezzel_in(folder.path(), &["tune", "t.opb", "--budget", "1h", "--plan"]);
    ended(&output, 0);
    ended(&bezzel_in(folder.path(), &["solve", "6", "--timeout", "1min"]), 10);
}

#[test]
fn a_mistake_in_a_config_has_its_place_and_a_correction() {
    let folder = folder();
    fs::create_dir(folder.path().join("k")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("k/a.knf", "p knf 3 1\nk 2 -1 -2 -3 0\n");
    write("k/b.knf", "p knf 3 1\nk 2 -1 -2 -3 0\n");
    fs::create_dir(folder.path().join("bad")).unwrap();
    write("bad/a.knf", "p knf 3 1\nk 4 -1 -2 x 0\n");
    write("bad/b.knf", "p knf 3 1\nk 2 -1 -2 y 0\n");
    write("bad/c.knf", "p knf 3 1\nk 2 -1 -2 -3 0\n");
    let replaced = |from: &str, to: &str| {
        assert!(CONFIG.contains(from));
        CONFIG.replace(from, to)
    };
    let problems = |entry: &str| replaced("boards: [{size: 6}]", &format!("problems: [{entry}]"));
    let cases: &[(String, &[&str])] = &[
        (
            "name: x\nlimits:\n  cpu: 5\n wall: 5\n".into(),
            &["c.yaml:4", "does not fit the indentation", "begin in the same column"],
        ),
        (replaced("[batsat]", "[batsat"), &["c.yaml:", "closed", "close it"]),
        (replaced("name: x", "name: *x"), &["c.yaml:1:7", "`*`", "needs quotes"]),
        (
            replaced("name: x", "name: @x"),
            &["c.yaml:1:7", "text cannot begin with `@`", "needs quotes"],
        ),
        (
            replaced("batsat", "{id: minisat, options: {rnd-seed: 3}}"),
            &[
                "c.yaml:4",
                "minisat has no option `rnd-seed`; its only option is `seed`",
                "{command: \"minisat ",
            ],
        ),
        (
            replaced("batsat", "{id: batsat, options: {foo: 3}}"),
            &["c.yaml:4", "batsat has no option `foo`; its options are "],
        ),
        (
            problems("{latin-square: {order: 8, seeds: 1..3}}"),
            &["c.yaml:2", "`seeds` 1 and `seeds` 2 give the same instance", "`holes`"],
        ),
        (
            problems("{file: \"k/*.knf\"}"),
            &[
                "c.yaml:2:19",
                "the files `k/a.knf` and `k/b.knf` state the same problem",
                "remove one",
            ],
        ),
        (
            problems("{file: k/a.knf}, {file: k/b.knf}"),
            &[
                "c.yaml:2",
                "k/b.knf",
                "is the same as",
                "k/a.knf",
                "the first is in line 2, column 19",
            ],
        ),
        (
            problems("{file: \"bad/*.knf\"}"),
            &["c.yaml:2:19", "2 instances are refused", "bad/a.knf: line 2", "bad/b.knf: line 2"],
        ),
        (
            problems("{file: t.opb}").replace("[pairwise]", "[{command: \"cat\"}]"),
            &["c.yaml:", "`kind: at-most-k`"],
        ),
    ];
    for (config, parts) in cases {
        write("c.yaml", config);
        refused(folder.path(), &["run", "c.yaml", "--plan"], parts);
    }
    write("c.yaml", &problems("{latin-square: {order: 5, holes: 50 %, seeds: 10}}"));
    let printed = ended(&bezzel_in(folder.path(), &["run", "c.yaml", "--plan"]), 0);
    assert!(
        printed.contains(
            "note: c.yaml:2: `seeds: 10` is the one seed 10; 10 seeds are `seeds: 1..10`"
        ),
        "{printed}"
    );
}

#[test]
fn an_answer_in_another_form_names_the_solver_that_reads_it() {
    let folder = folder();
    let solver = |program: &str| {
        let path = folder.path().join(program);
        fs::write(&path, "echo 'WARNING: for repeatability'\n").unwrap();
        let call = format!("{{command: \"sh {program} {{cnf}}\"}}");
        let output = bezzel_in(folder.path(), &["solve", "6", "--solver", &call]);
        ended(&output, 1)
    };
    let printed = solver("theirs");
    assert!(printed.contains("add `{answer}` to its command line"), "{printed}");
}

#[test]
fn a_name_is_no_id_and_may_be_an_alias() {
    let folder = folder();
    let plan = |name: &str| {
        let program = format!("[pairwise, {{command: \"cat\", name: {name}}}]");
        fs::write(folder.path().join("c.yaml"), CONFIG.replace("[pairwise]", &program)).unwrap();
        bezzel_in(folder.path(), &["run", "c.yaml", "--plan"])
    };
    refused_by_id(&plan("product"));
    let printed = ended(&plan("binomial"), 2);
    // `cat` is no encoder, and its name is no fault.
    assert!(!printed.contains("is the id of an encoding"), "{printed}");
}

#[track_caller]
fn refused_by_id(output: &std::process::Output) {
    let printed = ended(output, 2);
    assert!(printed.contains("`product` is the id of an encoding"), "{printed}");
}

#[test]
fn a_figure_that_a_record_lacks_is_refused_with_those_that_it_has() {
    let folder = folder();
    let config = CONFIG
        .replace("[pairwise]", "[pairwise, product]")
        .replace("{size: 6}", "{size: [5, 6, 7]}");
    let config = config + "calibration: off\nwarm_up: 0\nfigures: [proofs]\n";
    fs::write(folder.path().join("c.yaml"), config).unwrap();
    let printed = ended(&bezzel_in(folder.path(), &["run", "c.yaml", "--quiet"]), 2);
    assert!(
        printed.contains("has nothing to draw for the figure `proofs`; it has the figure"),
        "{printed}"
    );
}
