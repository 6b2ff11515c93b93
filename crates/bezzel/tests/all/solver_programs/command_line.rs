//! `bezzel solve` and `bezzel list`, and refusals of configs.

use bezzel_experiment::Termination;

use crate::program::ended;
use crate::solver_programs::workspace::Workspace;

const CONFIG: &str = "problems: [{queens: {size: 4}}]\nencodings: [pairwise]\nsolvers: [cadical]\n";

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
    assert!(
        printed.contains("printed no valid answer: line 1, column 1 of its answer"),
        "{printed}"
    );
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
fn seeds_go_to_their_place_and_make_jobs_of_their_own() {
    let workspace = Workspace::new(
        "problems: [{queens: {size: 6}}]\nencodings: [pairwise]\nsolvers:\n  - {command: \"test {seed} -lt 5 && \
         ./fake right {cnf}\", options: {seed: 3}}\n  - {command: \"test {seed} -lt 5 && ./fake right \
         {cnf}\", options: {seed: 7}}\n",
    );
    // The program fails with the second seed.
    ended(&workspace.run(), 1);
    let rows = workspace.rows();
    let mut printed: Vec<_> =
        rows.iter().map(|row| (row.job.options["seed"].to_string(), row.termination)).collect();
    printed.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(printed, [("3".into(), Termination::Finished), ("7".into(), Termination::Crashed)]);
}

#[test]
fn list_shows_the_programs_and_whether_they_are_there() {
    let workspace = Workspace::new(CONFIG);
    let printed = ended(&workspace.bezzel(&["list", "solvers"]), 0);
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
