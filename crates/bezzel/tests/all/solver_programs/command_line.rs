//! `bezzel solve` and `bezzel list`, and refusals of configs.

use std::fs;

use bezzel_experiment::Termination;

use crate::program::ended;
use crate::solver_programs::workspace::Workspace;

const CONFIG: &str = "boards: [{size: 4}]\nencodings: [pairwise]\nsolvers: [cadical]\n";

#[test]
fn one_board_is_solved_by_any_program() {
    let workspace = Workspace::new(CONFIG);
    let solve = |size: &str, solver: &str| workspace.bezzel(&["solve", size, "--solver", solver]);
    let printed = ended(&solve("6", "{command: \"./fake right {cnf}\"}"), 10);
    assert!(printed.contains("a solution (verified: rules of the board)"), "{printed}");
    ended(&solve("3", "{command: ./fake right /dev/stdin}"), 20);
    ended(&solve("6", "{command: \"./fake result-file {cnf} {answer}\"}"), 10);
    ended(&solve("6", "{command: \"./fake unknown {cnf}\"}"), 0);
    // Wrong and unreadable answers.
    let printed = ended(&solve("6", "{command: \"./fake unsat {cnf}\"}"), 1);
    assert!(printed.contains("is wrong: the board has a solution"), "{printed}");
    let printed = ended(&solve("6", "{command: \"./fake garbage {cnf}\"}"), 1);
    assert!(printed.contains("printed no valid answer: line 1 of its answer"), "{printed}");
    let printed = ended(&solve("6", "{command: \"./fake segfault {cnf}\"}"), 1);
    assert!(printed.contains("signal 11"), "{printed}");

    let json = workspace.bezzel(&[
        "solve",
        "6",
        "--json",
        "--solver",
        "{command: './fake statistics {cnf}'}",
    ]);
    let solved: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(solved["solver"], "{command: \"./fake statistics {cnf}\"}");
    assert_eq!(solved["effort"]["conflicts"], 3);
    assert_eq!(solved["verdict"], "verified");
}

#[test]
fn an_invalid_solver_is_refused_with_its_fault_its_place_and_a_correction() {
    let workspace = Workspace::new(CONFIG);
    for (solver, expected) in [
        ("kisat", "unknown solver `kisat`; did you mean `kissat`?"),
        ("{command: \"a {cnff}\"}", "no place `{cnff}`; there are {cnf}, "),
        ("{comand: a}", "no key `comand`; did you mean `command`?"),
        (
            "{command: \"no-such-solver {cnf}\"}",
            "is not installed: there is no program `no-such-solver` in the folders of PATH (PATH is ",
        ),
        (
            "{command: \"./none/minisat {cnf} {answer}\"}",
            "there is no program `./none/minisat`; to get it: Debian's package `minisat`",
        ),
    ] {
        let printed = ended(&workspace.bezzel(&["solve", "6", "--solver", solver]), 2);
        assert!(printed.contains(expected), "{printed}");
    }
    for (solvers, expected) in [
        ("kisat", ["4:10: unknown solver `kisat`", "did you mean `kissat`?"]),
        ("{comand: a}", ["4:11: a solver has no key `comand`", "did you mean `command`?"]),
        ("{command: a, id: b}", ["4:23: a solver that is a program has no key `id`", ""]),
        ("{command: \"a {cnff}\"}", ["4:20: `command` has no place `{cnff}`", "mean `cnf`?"]),
        (
            "{command: \"a {proof}\", proof: {format: drta, convert: a}}",
            ["4:49: `format` is drat, not `drta`", "did you mean `drat`?"],
        ),
        ("{command: a, options: {seed: 1}}", ["4:33: {command: \"a\"} has no option `seed`", ""]),
        (
            "{command: \"a {seed}\", options: {sed: 1}}",
            ["4:42: {command: \"a {seed}\"} has no such option", "did you mean `seed`?"],
        ),
        ("{id: kissat, bva: on}", ["`kissat` has no option for `bva`", ""]),
        ("{command: a, proofs: on}", ["has no option for `proofs`", ""]),
        ("[kissat, kissat]", ["the solver `kissat`", ""]),
        ("[{command: a}, {command: 'a'}]", ["the solver `{command: \"a\"}`", ""]),
    ] {
        let config = format!(
            "name: theirs\nboards: [{{size: 4}}]\nencodings: [pairwise]\nsolvers: {solvers}\n"
        );
        fs::write(workspace.path().join("question.yaml"), config).unwrap();
        let printed = ended(&workspace.run(), 2);
        let is_told = expected.iter().all(|expected| printed.contains(expected));
        assert!(is_told, "{solvers}: {printed}");
    }
    assert!(!workspace.path().join("experiments").exists());
}

#[test]
fn seeds_go_to_their_place_and_make_jobs_of_their_own() {
    let workspace = Workspace::new(
        "boards: [{size: 6}]\nencodings: [pairwise]\nsolvers:\n  - {command: \"test {seed} -lt 5 && \
         ./fake right {cnf}\", options: {seed: 3}}\n  - {command: \"test {seed} -lt 5 && ./fake right \
         {cnf}\", options: {seed: 7}}\n",
    );
    ended(&workspace.run(), 0);
    let rows = workspace.rows();
    let mut printed: Vec<_> =
        rows.iter().map(|row| (row.job.options["seed"].to_string(), row.termination)).collect();
    printed.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(printed, [("3".into(), Termination::Finished), ("7".into(), Termination::Crashed)]);
}

#[test]
fn list_shows_the_programs_and_whether_they_are_there() {
    let workspace = Workspace::new(CONFIG);
    let printed = ended(&workspace.bezzel(&["list"]), 0);
    assert!(printed.contains("External solvers"), "{printed}");
    let json = workspace.bezzel(&["list", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let solvers = listed["solvers"].as_array().unwrap();
    let of = |id: &str| solvers.iter().find(|solver| solver["id"] == id).unwrap();
    assert_eq!(of("cadical")["installed"], true);
    assert!(of("cadical").get("command").is_none());
    assert!(of("kissat")["command"].as_str().unwrap().contains("{cnf}"));
    let installed = of("lingeling")["installed"].as_bool().unwrap();
    assert_eq!(installed, of("lingeling")["version"] != "not installed");
}
